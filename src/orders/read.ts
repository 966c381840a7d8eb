import { findPackages } from '../checkin/store.ts';
import type { ReadCtx } from '../ctx.ts';
import { numeric } from '../decimal.ts';
import { allows } from '../http/auth.ts';
import { readOperation, reply } from '../http/operation.ts';
import { hazardsOf } from '../packing/handling.ts';
import { findBoxes } from '../packing/store.ts';
import type { Reader } from '../storage/db.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../storage/tables.ts';
import { formatDateTime } from '../time.ts';
import type { Settings } from '../values.ts';
import { checkInActions, type OrderFacts, orderActions, packageActions } from './allowed.ts';
import { extrasOf } from './components.ts';
import { factsOf } from './facts.ts';
import { noOrder } from './message-lines.ts';
import { OrderDetails } from './read-schema.ts';
import { contactsOf, findLines, findOrder, findSettings, type Snapshot } from './store.ts';
import { heldUntil } from './street-date.ts';
import { findReverseTicketIds } from './tickets.ts';
import { heldUnits, leftUnits, openUnits } from './units.ts';

export const readFulfillmentOrder = readOperation({
  id: 'readFulfillmentOrder',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}',
  auth: 'operatorOrApiKey',
  group: 'fulfillment',
  summary: 'Where an order is, unit by unit, and what may be done next',
  description:
    'Answers an order with where each of its units is, its packages or its check-in, and for each what may be done next, the blocked actions with the reason. People are left out once their data is blanked. An order of a node that the credential is not for looks like one that is not there. Source: docs/decisions/104.',
  replies: { 200: { description: 'The order', schema: OrderDetails } },
  refusals: { 404: 'There is no such store or order.' },
  errors: 'problem',
  async handle(ctx, { params, clientId, store }) {
    const orderId = params.fulfillmentOrderId;
    const order = await findOrder(ctx.db, clientId, store.store_id, orderId);
    if (order === undefined || !allows(ctx.actor.nodeIds, order.node_id)) {
      throw noOrder(orderId, store.store_id);
    }
    const settings = await findSettings(ctx.db, clientId);
    const lines = await findLines(ctx, clientId, [orderId]);
    const facts = await factsOf(ctx, order, lines);
    return reply(200, {
      ...header(order, facts, settings),
      ...(await reverseOf(ctx, order)),
      ...people(order),
      lines: lines.map(showLine),
      ...(await packagesOf(ctx.db, order, lines, facts, settings)),
      ...(await checkInOf(ctx.db, order, facts, settings)),
      allowedActions: orderActions(facts, settings),
    } satisfies OrderDetails);
  },
});

function header(order: FulfillmentOrderRow, { pickTicketId }: OrderFacts, settings: Settings) {
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    fulfillmentId: String(order.fulfillment_id),
    storeId: order.store_id,
    nodeId: order.node_id,
    omsOrderId: order.oms_order_id,
    webOrderId: order.web_order_id,
    fulfillmentType: order.fulfillment_type,
    status: String(order.status),
    statusDescription: settings.statusDescriptions[order.status] ?? String(order.status),
    revision: order.revision,
    ...(order.queue_id !== null && { queueId: order.queue_id, queuedDate: formatDateTime(order.queued_at) }),
    ...(order.sla_type !== null &&
      order.sla_at !== null && { slaDate: { slaTypeId: order.sla_type, value: formatDateTime(order.sla_at) } }),
    ...heldUntil(order),
    fulfillmentOrderDate: formatDateTime(order.fulfillment_order_date),
    orderDate: formatDateTime(order.order_date),
    ...(order.ended_at !== null && { endedDate: formatDateTime(order.ended_at) }),
    ...(order.hold_location !== null && { holdLocation: order.hold_location }),
    ...(pickTicketId != null && { pickTicketId }),
    ...(order.resourced_from !== null && { resourcedFrom: order.resourced_from }),
    carrierException: order.carrier_exception === 1,
  };
}

/** Open tickets that bring units of the order back, also while the rest of it goes its way. */
async function reverseOf(ctx: ReadCtx, { client_id: clientId, fulfillment_order_id: orderId }: FulfillmentOrderRow) {
  const reversePickTicketIds = (await findReverseTicketIds(ctx, clientId, [orderId])).get(orderId);
  return { ...(reversePickTicketIds && { reversePickTicketIds }) };
}

function people(order: FulfillmentOrderRow) {
  if (order.blanked_at !== null) return {};
  const { customer, proxyDetails } = contactsOf(order);
  return { customer, ...(proxyDetails && { proxyDetails }) };
}

function showLine(line: OrderLineRow) {
  const snapshot = JSON.parse(line.snapshot) as Snapshot;
  return {
    webLineId: line.web_line_id,
    itemId: line.item_id,
    itemDesc: snapshot.itemDetails.itemDesc,
    unitPrice: numeric(line.unit_price),
    orderedQuantity: line.ordered,
    openQuantity: openUnits(line),
    pickedQuantity: line.picked,
    heldQuantity: heldUnits(line),
    declinedQuantity: line.declined,
    ...(line.decline_reason !== null && { declineReasonCode: line.decline_reason }),
    canceledQuantity: line.canceled,
    cancelingQuantity: line.canceling,
    ...(line.cancel_reason !== null && { cancelReasonCode: line.cancel_reason }),
    handedOverQuantity: line.handed_over,
    refusedQuantity: line.refused,
    ...(line.refuse_reason !== null && { refuseReasonCode: line.refuse_reason }),
    returnedQuantity: line.returned,
    missingQuantity: line.missing,
    leftQuantity: leftUnits(line),
    ...extrasOf(snapshot, line.ordered),
  };
}

async function packagesOf(
  db: Reader,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  facts: OrderFacts,
  settings: Settings,
) {
  // A voided package keeps its row and holds nothing.
  const boxes = (await findBoxes({ db }, order)).filter((box) => box.items.length > 0);
  if (boxes.length === 0) return {};
  const webLineIds = new Map(lines.map((line) => [line.line_index, line.web_line_id]));
  const actions = packageActions(facts, settings);
  const packages = boxes.map(({ boxId, trackingNumber, items }) => ({
    boxId,
    ...hazardsOf({ items }, lines),
    ...(trackingNumber !== null && { trackingNumber }),
    packageItems: items.map(({ lineIndex, quantity }) => ({ webLineId: webLineIds.get(lineIndex)!, quantity })),
    allowedActions: actions,
  }));
  return { packages };
}

async function checkInOf(db: Reader, order: FulfillmentOrderRow, facts: OrderFacts, settings: Settings) {
  if (facts.type !== 'SHIP_TO_STORE') return {};
  const checkInPackages = (await findPackages(db, order)).map(({ packageId, trackingNumber }) => ({
    checkInPackageId: packageId,
    trackingNumber,
  }));
  const { status, checkin_hold_location: saved } = order;
  const savedHoldLocation = status === 1300 && saved !== null ? { savedHoldLocation: saved } : {};
  return { checkIn: { ...savedHoldLocation, checkInPackages, allowedActions: checkInActions(facts, settings) } };
}
