import type { Ctx } from '../ctx.ts';
import { type Effect, record, recordAll } from '../events.ts';
import { conflictAs400, missing } from '../http/errors.ts';
import { type Reply, reply, writeOperation } from '../http/operation.ts';
import { readMessage } from '../orders/associate.ts';
import { ORDER_TRANSITIONS } from '../orders/lifecycle.ts';
import { saveUnits, settleOrder } from '../orders/settle.ts';
import { type StatusFields, statusInWords, statusOf } from '../orders/status.ts';
import { findLines, findSettings, lockOrder, moveOrder, standingOf, stateOf } from '../orders/store.ts';
import { heldUntil } from '../orders/street-date.ts';
import { makeReverseTicket, type Returning } from '../picking/reverse.ts';
import { type Declined, followDeclines } from '../sourcing/decline.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import { noSuchOrder, notShipToStore } from './details.ts';
import { type Answer, type Assessment, assess, type LineTotal, lineTotals, type Package } from './rules.ts';
import { CheckInConfirm } from './schema.ts';
import { findPackages, saveAnswers } from './store.ts';

export const confirmCheckIn = writeOperation({
  id: 'confirmCheckIn',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin',
  auth: 'apiKey',
  group: 'fulfillment',
  summary: 'Save or confirm what has arrived of a ship-to-store order',
  description:
    'UPDATE saves what has arrived so far; the quantities are absolute, so sending them again changes nothing. CONFIRM ends the ' +
    'check-in: for every line of every package `checkInQuantity` + `checkInCanceledQuantity` is its `quantity`, each canceled unit ' +
    'has a reason, and `holdLocation` says where the goods wait: the one of the last UPDATE where CONFIRM has none. A package or line that is not listed counts with what was saved ' +
    'last; one of which nothing is known is a fault. The order is then ready for customer pickup (1400), or canceled (9000) when ' +
    'nothing arrived in order. The same CONFIRM again is 204; an UPDATE or other content after CONFIRM is a 400 with code ' +
    'CONFLICT. What the details answered may be sent back.',
  body: CheckInConfirm,
  parse: (raw, validate) => readMessage<CheckInConfirm>(raw, validate),
  replies: { 204: { description: 'Saved, or confirmed' } },
  refusals: {
    400: 'The request is not valid, the node has no such order (code NOT_FOUND), or it is checked in or of another type (code CONFLICT).',
    500: 'Unexpected error; the log has it under the request id.',
  },
  async rules(ctx, { params, body: { fulfillmentOrder: message = {} }, clientId, store, node }, faults) {
    const orderId = params.fulfillmentOrderId;
    const order = await lockOrder(ctx.db, { clientId, storeId: store.store_id, nodeId: node.node_id, orderId });
    if (order?.fulfillment_type !== 'SHIP_TO_STORE') return { order, heard: undefined };
    const settings = await findSettings(ctx.db, clientId);
    const packages = await findPackages(ctx.db, order);
    const identity = {
      omsOrderId: order.oms_order_id,
      webOrderId: order.web_order_id,
      holdLocation: order.checkin_hold_location,
    };
    return { order, heard: { settings, packages, ...assess(message, packages, identity, settings, faults) } };
  },
  async handle(ctx, { params, body, store, node, found: { order, heard } }) {
    if (order === undefined) throw missing(noSuchOrder(params.fulfillmentOrderId, store.store_id, node.node_id));
    if (heard === undefined) throw notShipToStore(order);
    if (body.fulfillmentOrder.action === 'UPDATE') return save(ctx, order, heard.changes, body, heard.settings);
    return confirm(ctx, order, heard.packages, heard, body, heard.settings);
  },
});

async function save(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  changes: readonly Answer[],
  body: CheckInConfirm,
  settings: Settings,
): Promise<Reply> {
  if (ORDER_TRANSITIONS[stateOf(order)].saveCheckIn === 'refused') throw noCheckIn(order, settings);
  const before = order.checkin_hold_location;
  const holdLocation = body.fulfillmentOrder.holdLocation ?? before;
  if (changes.length === 0 && holdLocation === before) return reply(204);
  if (changes.length > 0) await saveAnswers(ctx, order, changes);
  const moved = await moveOrder(ctx.db, order, standingOf(order), ctx.now, { checkin_hold_location: holdLocation });
  if (!moved) throw new Error('a locked order moved');
  const where = holdLocation === null ? {} : { holdLocation };
  await record(ctx, effectOf(order, 'order.checkInSaved', statusOf(settings, stateOf(order)), body, changes, where));
  return reply(204);
}

async function confirm(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  packages: readonly Package[],
  { answers, changes }: Assessment,
  body: CheckInConfirm,
  settings: Settings,
): Promise<Reply> {
  const holdLocation = body.fulfillmentOrder.holdLocation ?? order.checkin_hold_location;
  if (ORDER_TRANSITIONS[stateOf(order)].confirmCheckIn === 'refused') {
    // An order of which nothing arrived, or of which all was brought back, keeps no hold location to compare with.
    const said = body.fulfillmentOrder.holdLocation ?? order.hold_location;
    const isSame = changes.length === 0 && (order.hold_location ?? said) === said;
    if (isSame) return reply(204);
    throw noCheckIn(order, settings);
  }
  const totals = lineTotals(packages, answers);
  const { lines, declined, returning } = arrivals(
    await findLines(ctx, order.client_id, [order.fulfillment_order_id]),
    totals,
  );
  await saveAnswers(ctx, order, changes);
  await saveUnits(ctx, order.client_id, lines);
  const followed = await followDeclines(ctx, [{ order, declined }]);
  const columns = { hold_location: totals.some((total) => total.checkedIn > 0) ? holdLocation : null };
  const settled = await settleOrder(ctx, settings, order, 'confirmCheckIn', lines, { columns });
  const reverse =
    returning.length > 0 ? [(await makeReverseTicket(ctx, settings, settled.order, returning)).effect] : [];
  const effect = effectOf(order, 'order.checkedIn', statusOf(settings, settled.standing.status), body, totals);
  await recordAll(ctx, [effect, ...reverse, ...followed]);
  return reply(204);
}

/**
 * The lines once their packages are counted: what arrived goes first to units that are wanted, then to those that the
 * customer canceled on their way; these are to be brought back, and those that did not arrive leave the order.
 */
function arrivals(before: readonly OrderLineRow[], totals: readonly LineTotal[]) {
  const byLine = new Map(totals.map((total) => [total.lineIndex, total]));
  const [declined, returning]: [Declined[], Returning[]] = [[], []];
  const lines = before.map((line) => {
    const { checkedIn, reason } = byLine.get(line.line_index)!;
    const wanted = line.ordered - line.canceling;
    const units = { declined: Math.max(0, wanted - checkedIn), canceling: Math.max(0, checkedIn - wanted) };
    const after: OrderLineRow = {
      ...line,
      ...units,
      picked: checkedIn,
      decline_reason: units.declined > 0 ? reason : line.decline_reason,
      canceled: line.canceling - units.canceling,
    };
    if (units.declined > 0) declined.push({ line: after, quantity: units.declined, reason: after.decline_reason! });
    if (units.canceling > 0) returning.push({ line: after, quantity: units.canceling });
    return after;
  });
  return { lines, declined, returning };
}

function effectOf(
  order: FulfillmentOrderRow,
  type: string,
  status: StatusFields,
  body: CheckInConfirm,
  counted: readonly { checkedIn: number; canceled: number }[],
  more: { holdLocation?: string } = {},
): Effect {
  return {
    clientId: order.client_id,
    type,
    resource: 'order',
    resourceId: order.fulfillment_order_id,
    revision: order.revision + 1,
    data: {
      modifyAssociateId: body.modifyAssociateId,
      ...status,
      lines: counted.length,
      checkedIn: counted.reduce((sum, one) => sum + one.checkedIn, 0),
      canceled: counted.reduce((sum, one) => sum + one.canceled, 0),
      ...more,
    },
  };
}

function noCheckIn(order: FulfillmentOrderRow, settings: Settings) {
  const state = statusInWords(settings, order.status);
  const { heldUntil: until } = heldUntil(order);
  if (until !== undefined) {
    const name = `Fulfillment order ${JSON.stringify(order.fulfillment_order_id)}`;
    return conflictAs400(`${name} is held until ${until} (${state}); check it in after that.`);
  }
  return conflictAs400(
    `Fulfillment order ${JSON.stringify(order.fulfillment_order_id)} is checked in already (${state}) and its check-in can no ` +
      'longer change; read the check-in details to see what was confirmed.',
  );
}
