import { findEventsOf } from '../events/of-resource.ts';
import { checkLines, checkReasonCode, noOrder, takeOrder } from '../kernel/message-lines.ts';
import { OrderUnits, replyUnits } from '../kernel/order-units.ts';
import { nameOf } from '../kernel/refusals.ts';
import { findRequestLines, findRequests } from '../kernel/request-rows.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed, State } from '../kernel/states.ts';
import { leftUnits } from '../kernel/units.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import { requireRevision } from '../platform/http/if-match.ts';
import { writeOperation } from '../platform/http/operation.ts';
import { parseJson } from '../platform/message/json.ts';
import type { FulfillmentOrderRow, OrderLineRow, ResourceRequestRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { OrderCancel } from './cancel-schema.ts';
import { releaseIfFree } from './release.ts';
import { say } from './sentences.ts';

export const cancelFulfillmentOrder = writeOperation({
  id: 'cancelFulfillmentOrder',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/cancel',
  summary: 'Cancel an order, or some of its units, for its customer',
  description:
    'Cancels the whole order (without `lines`), whole lines, or some units of a line. `quantity` counts all units of the line that ' +
    'the customer has canceled so far, so sending the same message again changes nothing. The effect depends on the state:\n\n' +
    '- Before the pick (1000, 1100) the units are canceled immediately.\n' +
    '- During the pick (1150) and on the way to the store (1300, and 1000 of SHIP_TO_STORE) the units are marked. The cancellation takes ' +
    'effect at CONFIRM or RESET. Found units count first for the units that the customer still wants.\n' +
    '- Picked units (1200, 1400, 1500) are brought back to the shelf: the service creates a reverse pick ticket and voids packages that contain ' +
    'them. If the customer wants no other unit, the order waits on WAITING_FOR_REVERSE_PICK (8000) and is canceled (9000) once the units are back.\n' +
    '- Canceling the whole order also closes its open re-source requests (9100 becomes 9000), also if the customer has the other units (3700, 3800, 3900). ' +
    'Units in an open request are canceled with the whole order or by CANCEL of the request; the other units of their line with `quantity`.\n' +
    '- Units that were handed over cannot be canceled.',
  events: [
    'order.held',
    'order.released',
    'order.canceled',
    'order.cancelRequested',
    'order.shipped',
    'resource.answered',
    'pickTicket.reverseGenerated',
    'stock.changed',
  ],
  access: { auth: 'operatorOrApiKey', group: 'intake', permission: 'orders.change' },
  message: {
    body: OrderCancel,
    replies: {
      200: {
        description:
          'The units are canceled, by this request or an earlier one; the response has the counts of all units',
        schema: OrderUnits,
      },
    },
    refusals: {
      404: 'There is no such store or order.',
      409: 'No unit of the order can be canceled any more, fewer units than sent can be canceled, units of a line without `quantity` are in an open re-source request, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
    hasRevision: true,
  },
  run: {
    repeat: 'same',
    async rules(ctx, { params, body, clientId, store }, errors) {
      const settings = await findSettings(ctx.db, clientId);
      const orderId = params.fulfillmentOrderId;
      const taken = await takeOrder(ctx, { clientId, storeId: store.store_id, orderId });
      const requests = taken === undefined ? [] : await openRequests(ctx, taken.order);
      const open = body.lines === undefined ? requests.length : 0;
      // A retry succeeds also if the client has removed the reason since. Without errors, no part of the body is missing.
      const isRetry = errors.isClean() && open === 0 && isDone(taken?.lines, body as OrderCancel);
      if (!isRetry) checkReasonCode(errors, '/reasonCode', body.reasonCode, settings);
      checkLines(errors, body.lines ?? [], taken?.lines);
      return { settings, taken, requests, open };
    },
    async handle(ctx, { params, body, store, found: { settings, taken, requests, open } }) {
      if (taken === undefined) throw noOrder(params.fulfillmentOrderId, store.store_id);
      const { order, lines } = taken;
      const units = unitsToCancel(order, lines, body, await requestedUnits(ctx, order, requests));
      if (units.size === 0 && open === 0) {
        if (!(await isRepeated(ctx, order, lines, body))) throw nothingToCancel(taken, settings);
        return replyUnits(ctx, settings, order);
      }
      requireRevision(ctx, order.revision);
      if (!isAllowed(order, 'cancel')) throw nothingToCancel(taken, settings);
      const advanced = await advanceOrder(ctx, settings, {
        order,
        lines,
        action: { type: 'cancel', units, reasonCode: body.reasonCode, isWhole: open > 0 },
      });
      if (advanced.order.status === State.HELD) await releaseIfFree(ctx, settings, advanced.order, advanced.lines);
      return replyUnits(ctx, settings, order);
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/100000000901001/cancel',
    body: { lines: [{ webLineId: '1', quantity: 1 }], reasonCode: 'CancelCustomerInitiated' },
  },
});

/** Returns all canceled units of a line, wherever they are now. */
function canceledSoFar(line: OrderLineRow): number {
  return line.canceled + line.canceling + line.returned + line.missing;
}

/** Returns the quantities of the message by line; undefined for the whole order. */
function sentOf({ lines }: OrderCancel): ReadonlyMap<string, number | undefined> | undefined {
  return lines && new Map(lines.map((line) => [line.webLineId, line.quantity]));
}

/** Returns the units of a line that the message cancels in addition to the canceled ones. */
function moreUnits(line: OrderLineRow, sent: ReturnType<typeof sentOf>): number {
  if (sent !== undefined && !sent.has(line.web_line_id)) return 0;
  const quantity = sent?.get(line.web_line_id);
  return quantity === undefined ? leftUnits(line) : Math.max(0, quantity - canceledSoFar(line));
}

/** Whether the message names only lines of the order, each once, and cancels no further unit. */
function isDone(lines: readonly OrderLineRow[] | undefined, body: OrderCancel): boolean {
  const sent = sentOf(body);
  const named = lines?.filter((line) => sent?.has(line.web_line_id) ?? true) ?? [];
  const isValid = named.length === (body.lines ?? lines)?.length;
  return isValid && named.every((line) => moreUnits(line, sent) === 0);
}

/**
 * Returns the units that this message cancels, by line index, without zeros. Of all cancellations, only that of the
 * whole order closes requests. A line with `requested` units is therefore not canceled as a whole: another node would
 * still send them.
 */
function unitsToCancel(
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  body: OrderCancel,
  requested: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const sent = sentOf(body);
  const units = new Map<number, number>();
  for (const line of lines) {
    const left = leftUnits(line);
    const asked = requested.get(line.line_index) ?? 0;
    const isWholeLine = sent?.has(line.web_line_id) === true && sent.get(line.web_line_id) === undefined;
    const more = moreUnits(line, sent);
    if (asked > 0 && (isWholeLine || (more > left && more <= left + asked))) throw requestedToo(order, line, asked);
    if (more > left) throw tooMany(order, line, left);
    if (more > 0) units.set(line.line_index, more);
  }
  return units;
}

async function openRequests(ctx: Ctx, order: FulfillmentOrderRow): Promise<ResourceRequestRow[]> {
  if (!isAllowed(order, 'cancel')) return [];
  return (await findRequests(ctx.db, order)).filter((request) => request.status === 'OPEN');
}

/** Returns the units of open re-source requests, by line index. */
async function requestedUnits(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  requests: readonly ResourceRequestRow[],
): Promise<Map<number, number>> {
  const units = new Map<number, number>();
  if (requests.length === 0) return units;
  const ids = requests.map((request) => request.request_id);
  for (const { line_index: index, quantity } of await findRequestLines(ctx, order.client_id, ids)) {
    units.set(index, (units.get(index) ?? 0) + quantity);
  }
  return units;
}

/**
 * Whether an earlier call canceled units of the named lines. Without named lines, units of all lines count, and
 * re-source requests that the customer's cancellation closed.
 */
async function isRepeated(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  body: OrderCancel,
): Promise<boolean> {
  const named = new Set(body.lines?.map((line) => line.webLineId));
  if (lines.some((line) => (named.size === 0 || named.has(line.web_line_id)) && canceledSoFar(line) > 0)) return true;
  if (body.lines !== undefined) return false;
  const closed = (await findRequests(ctx.db, order)).filter((request) => request.status === 'CANCELED');
  if (closed.length === 0) return false;
  // The owner and a correction of the pick close requests, too. Only the event says who did.
  const answers = await findEventsOf(ctx.db, {
    clientId: order.client_id,
    type: 'resourceRequest',
    ids: ctx.dialect.listText(closed.map((request) => request.request_id)),
    types: ctx.dialect.listText(['resource.answered']),
    since: order.created_at,
  });
  return answers.some((event) => (parseJson(event.data) as { by?: string }).by === 'CUSTOMER');
}

function nothingToCancel(
  { order, lines }: { order: FulfillmentOrderRow; lines: readonly OrderLineRow[] },
  settings: Settings,
): Refusal {
  const shown = { order: nameOf(order), status: statusInWords(settings, order.status) };
  const what = lines.some((line) => leftUnits(line) > 0)
    ? say(
        '{order} ({status}) has no units to cancel on the lines of the message: units that the customer has or did not take, or that the node declined, cannot be canceled.',
        shown,
      )
    : say(
        '{order} ({status}) has no units to cancel: units that the customer has or did not take, or that the node declined, cannot be canceled.',
        shown,
      );
  return conflict(what, { orderStatus: String(order.status) });
}

function requestedToo(order: FulfillmentOrderRow, line: OrderLineRow, asked: number): Refusal {
  const most = leftUnits(line) + canceledSoFar(line);
  const others = most === 0 ? '' : say(' To cancel only the other units of the line, send quantity {most}.', { most });
  return conflict(
    say(
      '{order} has {asked} {asked|unit|units} of line {webLineId} in an open re-source request. Nothing was canceled.{others} To cancel the units of the request, close it with CANCEL; to cancel the whole order, send the message without lines.',
      { order: nameOf(order), asked, webLineId: JSON.stringify(line.web_line_id), others },
    ),
    { orderStatus: String(order.status) },
  );
}

function tooMany(order: FulfillmentOrderRow, line: OrderLineRow, left: number): Refusal {
  const most = left + canceledSoFar(line);
  return conflict(
    say(
      '{order} has {ordered} {ordered|unit|units} on line {webLineId}, and at most {most} of them can be canceled ({canceledSoFar} already are); the others are declined, rejected or with the customer. Nothing was canceled; send a lower quantity.',
      {
        order: nameOf(order),
        webLineId: JSON.stringify(line.web_line_id),
        most,
        ordered: line.ordered,
        canceledSoFar: canceledSoFar(line),
      },
    ),
    { orderStatus: String(order.status) },
  );
}
