import type { Ctx } from '../ctx.ts';
import { recordAll } from '../events.ts';
import { conflict, type Refusal } from '../http/errors.ts';
import { reply, writeOperation } from '../http/operation.ts';
import { closeRequests } from '../sourcing/close.ts';
import { findRequests } from '../sourcing/store.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import { OrderCancel, OrderUnits } from './cancel-schema.ts';
import { ORDER_TRANSITIONS, type OrderState, STREET_DATE_STATE } from './lifecycle.ts';
import { checkLines, checkReasonCode, noOrder, takeOrder } from './message-lines.ts';
import { releaseIfFree } from './release.ts';
import { sendBack } from './send-back.ts';
import { saveUnits, settleOrder } from './settle.ts';
import { showUnits } from './show-units.ts';
import { statusInWords, statusOf } from './status.ts';
import { findSettings, stateOf } from './store.ts';
import { leftUnits } from './units.ts';

export const cancelFulfillmentOrder = writeOperation({
  id: 'cancelFulfillmentOrder',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/cancel',
  auth: 'operatorOrApiKey',
  group: 'intake',
  summary: 'Cancel an order, or some of its units, for its customer',
  description:
    'The customer does not want the whole order (without `lines`), whole lines, or so many units of a line. `quantity` counts all ' +
    'units of the line that the customer has canceled, so the same message again changes nothing. Before the pick (1000, 1100) the units ' +
    'are canceled at once. While they are picked (1150) or on their way (1300, ship-to-store at 1000 too) they are marked, the ticket shows them, and it takes ' +
    'effect at CONFIRM or RESET: what was found goes first to units that are wanted. Picked units (1200, 1400, 1500) are brought ' +
    'back by a reverse pick ticket that is made at once; packages that hold them are voided. When nothing of the order is wanted ' +
    'any more it stands on WAITING_FOR_REVERSE_PICK (8000) until they are back, then it is canceled (9000). Canceling the whole order also ' +
    'closes its open re-source requests (9100 becomes 9000). Units handed over cannot be canceled.',
  body: OrderCancel,
  replies: { 200: { description: 'Canceled, or canceled before: where the units are now', schema: OrderUnits } },
  refusals: {
    404: 'There is no such store or order.',
    409: 'Nothing of it can be canceled any more, or not so many units, or the first request with this Idempotency-Key is still running.',
  },
  errors: 'problem',
  async rules(ctx, { params, body, clientId, store }, faults) {
    const settings = await findSettings(ctx.db, clientId);
    const orderId = params.fulfillmentOrderId;
    const taken = await takeOrder(ctx, { clientId, storeId: store.store_id, orderId });
    checkReasonCode(faults, '/reasonCode', body.reasonCode, settings);
    checkLines(faults, body.lines ?? [], taken?.lines);
    return { settings, taken };
  },
  async handle(ctx, { params, body, store, found: { settings, taken } }) {
    if (taken === undefined) throw noOrder(params.fulfillmentOrderId, store.store_id);
    const { order, lines } = taken;
    const wish = wished(order, lines, body);
    const open = body.lines === undefined ? await openRequests(ctx, order) : 0;
    if (wish.units.size === 0 && open === 0) {
      if (!(await isRepeated(ctx, order, lines, body))) throw nothingToCancel(order, settings);
      return reply(200, await showUnits(ctx, settings, order));
    }
    if (ORDER_TRANSITIONS[stateOf(order)].cancel === 'refused') throw nothingToCancel(order, settings);
    const closed = open > 0 ? await closeRequests(ctx, order, body.reasonCode) : [];
    await recordAll(ctx, closed);
    await cancel(ctx, settings, order, lines, wish, body.reasonCode);
    return reply(200, await showUnits(ctx, settings, order));
  },
});

/** Units that are still to be canceled, by line index, none of them 0. */
interface Wish {
  units: ReadonlyMap<number, number>;
  total: number;
}

/** Units of a line that were canceled after they were ordered, wherever they are now. */
function canceledSoFar(line: OrderLineRow): number {
  return line.canceled + line.canceling + line.returned + line.missing;
}

function wished(order: FulfillmentOrderRow, lines: readonly OrderLineRow[], body: OrderCancel): Wish {
  const sent = new Map(body.lines?.map((line) => [line.webLineId, line.quantity]));
  const units = new Map<number, number>();
  for (const line of lines) {
    if (body.lines !== undefined && !sent.has(line.web_line_id)) continue;
    const quantity = sent.get(line.web_line_id);
    const left = leftUnits(line);
    const more = quantity === undefined ? left : Math.max(0, quantity - canceledSoFar(line));
    if (more > left) throw tooMany(order, line, left);
    if (more > 0) units.set(line.line_index, more);
  }
  return { units, total: [...units.values()].reduce((sum, one) => sum + one, 0) };
}

/** What becomes of the units depends on where they are: each state has one way. */
async function cancel(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  { units, total }: Wish,
  reasonCode: string,
): Promise<void> {
  const way = wayOf(order);
  if (way === 'sendBack' && total > 0) {
    const effect = { type: 'order.cancelRequested', data: { reasonCode, cancelingQuantity: total } };
    return sendBack(ctx, settings, order, lines, { units, reasonCode, action: 'cancel' }, effect);
  }
  const member = way === 'mark' ? 'canceling' : 'canceled';
  const after = lines.map((line) => {
    const more = units.get(line.line_index);
    return more === undefined ? line : { ...line, [member]: line[member] + more, cancel_reason: reasonCode };
  });
  await saveUnits(
    ctx,
    order.client_id,
    after.filter((line) => units.has(line.line_index)),
  );
  const settled = await settleOrder(ctx, settings, order, 'cancel', after);
  const counts = way === 'mark' ? { cancelingQuantity: total } : { canceledQuantity: total };
  await recordAll(ctx, [
    {
      clientId: order.client_id,
      type: way === 'mark' ? 'order.cancelRequested' : 'order.canceled',
      resource: 'order',
      resourceId: order.fulfillment_order_id,
      revision: settled.revision,
      data: { reasonCode, ...counts, ...statusOf(settings, settled.standing.status) },
    },
  ]);
  if (settled.standing.status === STREET_DATE_STATE) await releaseIfFree(ctx, settings, settled.order, after);
}

/** How units are canceled in a state: at once, marked until what is under way is closed, or brought back. */
const WAYS: Partial<Record<OrderState, 'atOnce' | 'mark' | 'sendBack'>> = {
  1000: 'atOnce',
  1100: 'atOnce',
  1150: 'mark',
  1300: 'mark',
  1200: 'sendBack',
  1400: 'sendBack',
  1500: 'sendBack',
  8000: 'atOnce',
  9100: 'atOnce',
};

/** Goods of a ship-to-store order are on their way, though it is held: its packages are checked in as they come. */
function wayOf(order: FulfillmentOrderRow): 'atOnce' | 'mark' | 'sendBack' | undefined {
  const state = stateOf(order);
  return state === STREET_DATE_STATE && order.fulfillment_type === 'SHIP_TO_STORE' ? 'mark' : WAYS[state];
}

async function openRequests(ctx: Ctx, order: FulfillmentOrderRow): Promise<number> {
  if (ORDER_TRANSITIONS[stateOf(order)].cancel === 'refused') return 0;
  return (await findRequests(ctx.db, order)).filter((request) => request.status === 'OPEN').length;
}

/** Whether the wish was fulfilled by an earlier call. */
async function isRepeated(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  body: OrderCancel,
): Promise<boolean> {
  const named = new Set(body.lines?.map((line) => line.webLineId));
  if (lines.some((line) => (named.size === 0 || named.has(line.web_line_id)) && canceledSoFar(line) > 0)) return true;
  if (body.lines !== undefined) return false;
  return (await findRequests(ctx.db, order)).some((request) => request.status === 'CANCELED');
}

function nameOf(order: FulfillmentOrderRow, settings?: Settings): string {
  const state = settings === undefined ? '' : ` (${statusInWords(settings, order.status)})`;
  return `Fulfillment order ${JSON.stringify(order.fulfillment_order_id)}${state}`;
}

function nothingToCancel(order: FulfillmentOrderRow, settings: Settings): Refusal {
  const next =
    order.status === 9100
      ? 'its units are declined; cancel the whole order, without lines, to close its re-source requests.'
      : 'what its customer has cannot be canceled, and what the node declined is not there.';
  return conflict(`${nameOf(order, settings)} has no unit that could be canceled: ${next}`, {
    orderStatus: String(order.status),
  });
}

function tooMany(order: FulfillmentOrderRow, line: OrderLineRow, left: number): Refusal {
  const most = left + canceledSoFar(line);
  return conflict(
    `${nameOf(order)}: of line ${JSON.stringify(line.web_line_id)} at most ${most} of ${line.ordered} units can be canceled ` +
      `(${canceledSoFar(line)} are already); the others are declined, refused or with the customer. Nothing was canceled.`,
    { orderStatus: String(order.status) },
  );
}
