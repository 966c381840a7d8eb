import { findPackages, type Package, type ReceiptCount, saveCounts } from '../kernel/arrivals.ts';
import { lockOrder } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { heldUntil } from '../kernel/street-date.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflictAs400, missing } from '../platform/http/errors.ts';
import { type Reply, reply, writeOperation } from '../platform/http/operation.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { readMessage } from '../shared/associate.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { noSuchOrder, notShipToStore } from './details.ts';
import { type Assessment, assess, lineTotals } from './rules.ts';
import { CheckInConfirm } from './schema.ts';

export const confirmCheckIn = writeOperation({
  id: 'confirmCheckIn',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin',
  auth: 'apiKey',
  group: 'fulfillment',
  permission: 'checkin.write',
  offline: true,
  repeat: 'same',
  summary: 'Save or confirm what has arrived of a ship-to-store order',
  description:
    'UPDATE saves what has arrived so far; the quantities are absolute, so sending them again changes nothing. CONFIRM ends the ' +
    'check-in: for every line of every package `checkInQuantity` + `checkInCanceledQuantity` is its `quantity`, each canceled unit ' +
    'has a reason, and `holdLocation` says where the goods wait: the one of the last UPDATE where CONFIRM has none. A package or line that is not listed counts with what was saved ' +
    'last; one of which nothing is known is an error. The order is then ready for customer pickup (1400), or canceled (9000) when ' +
    'nothing arrived in order. The same CONFIRM again is 204; an UPDATE or other content after CONFIRM is a 400 with code ' +
    'CONFLICT. What the details answered may be sent back.',
  body: CheckInConfirm,
  parse: (raw, validate) => readMessage<CheckInConfirm>(raw, validate),
  replies: { 204: { description: 'Saved, or confirmed' } },
  refusals: {
    400: 'The request is not valid, the node has no such order (code NOT_FOUND), or it is checked in or of another type (code CONFLICT).',
    500: 'Unexpected error; the log has it under the request id.',
  },
  async rules(ctx, { params, body: { fulfillmentOrder: message = {} }, clientId, store, node }, errors) {
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
    return { order, heard: { settings, packages, ...assess(message, packages, identity, settings, errors) } };
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
  changes: readonly ReceiptCount[],
  body: CheckInConfirm,
  settings: Settings,
): Promise<Reply> {
  if (!isAllowed(order, 'saveCheckIn')) throw noCheckIn(order, settings);
  const before = order.checkin_hold_location;
  const holdLocation = body.fulfillmentOrder.holdLocation ?? before;
  if (changes.length === 0 && holdLocation === before) return reply(204);
  if (changes.length > 0) await saveCounts(ctx, order, changes);
  const { modifyAssociateId } = body;
  const action = { type: 'saveCheckIn' as const, modifyAssociateId, holdLocation, counted: changes };
  await advanceOrder(ctx, settings, { order, action });
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
  if (!isAllowed(order, 'confirmCheckIn')) {
    // An order of which nothing arrived, or of which all was brought back, keeps no hold location to compare with.
    const said = body.fulfillmentOrder.holdLocation ?? order.hold_location;
    const isSame = changes.length === 0 && (order.hold_location ?? said) === said;
    if (isSame) return reply(204);
    throw noCheckIn(order, settings);
  }
  await saveCounts(ctx, order, changes);
  const arrived = lineTotals(packages, answers);
  const { modifyAssociateId } = body;
  const action = { type: 'confirmCheckIn' as const, modifyAssociateId, holdLocation, arrived };
  await advanceOrder(ctx, settings, { order, action });
  return reply(204);
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
