import { actionContextOf } from '../kernel/action-context.ts';
import { type ActionContext, checkInActions, orderActions, packageActions } from '../kernel/allowed.ts';
import { findPackages } from '../kernel/arrivals.ts';
import { type Box, findBoxes } from '../kernel/boxes.ts';
import { duesOf, findChain, findCharged } from '../kernel/charges.ts';
import { hazardsOf } from '../kernel/handling.ts';
import { noOrder } from '../kernel/message-lines.ts';
import { amountsOf, type ItemTotal } from '../kernel/money.ts';
import { contactsOf, findLines, findOrder, instructionsOf, type Snapshot } from '../kernel/orders.ts';
import { unitsToGo } from '../kernel/plan.ts';
import { findSettings } from '../kernel/settings.ts';
import { State } from '../kernel/states.ts';
import { heldUntil } from '../kernel/street-date.ts';
import { findReverseTicketIds } from '../kernel/ticket-of-order.ts';
import { leftUnits, onHandUnits, openUnits } from '../kernel/units.ts';
import { type Actor, isWithout, type ReadCtx } from '../platform/ctx.ts';
import { numeric } from '../platform/decimal.ts';
import { allows } from '../platform/http/auth.ts';
import { readOperation, reply, theOrder } from '../platform/http/operation.ts';
import { parseJson } from '../platform/message/json.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import type { Measure } from '../shared/shapes.ts';
import { extrasOf } from '../shared/snapshot.ts';
import { statusOf } from '../shared/status.ts';
import { type ChangeContext, orderChanges } from './change-rules.ts';
import { findNotes } from './change-store.ts';
import { OrderDetails } from './read-schema.ts';

export const readFulfillmentOrder = readOperation({
  id: 'readFulfillmentOrder',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}',
  auth: 'operatorOrApiKey',
  // A caller that may change an order may read it: the response of a change shows it, too.
  group: ['fulfillment', 'intake', 'supervise'],
  permission: ['fulfillment.read', 'checkin.read', 'orders.change'],
  showsContact: true,
  summary: 'Where an order is, unit by unit, and what may be done next',
  description:
    'Answers an order with all that came in with it but its PIN, as it was changed since, what was noted of it, where each of its units is, its packages or its check-in, and for each what may be done next, the blocked actions with the reason. `allowedChanges` says what of it may be changed. `orderTotal` has the amounts to charge if all remaining units go to the customer now; its `cashOnDelivery` is the cash to collect. `charged` lists the amounts of earlier shipments, hand-overs and deliveries. People, addresses and instructions are left out once the customer’s data is blanked. A caller that may change an order may read it: groups `intake` and `supervise`, and people with the permission `orders.change`. An order of a node that the credential is not for looks like one that is not there; so does one that is not shipped to the store to a person who may see the check-in only.',
  reveals: theOrder,
  replies: { 200: { description: 'The order', schema: OrderDetails } },
  refusals: { 404: 'There is no such store or order.' },
  errors: 'problem',
  async handle(ctx, { params, clientId, store }) {
    const orderId = params.fulfillmentOrderId;
    const order = await findOrder(ctx.db, clientId, store.store_id, orderId);
    if (order === undefined || !allows(ctx.actor.nodeIds, order.node_id) || !isOfWork(ctx.actor, order)) {
      throw noOrder(orderId, store.store_id);
    }
    return reply(200, await showOrder(ctx, order, await findSettings(ctx.db, clientId)));
  },
});

/** Whether an order is of a person's work: who only checks in sees what is shipped to the store. */
function isOfWork(actor: Actor, { fulfillment_type }: Pick<FulfillmentOrderRow, 'fulfillment_type'>): boolean {
  const readsAll = !isWithout(actor, 'fulfillment.read') || !isWithout(actor, 'orders.change');
  return readsAll || fulfillment_type === 'SHIP_TO_STORE';
}

/** An order as its read answers it. */
export async function showOrder(ctx: ReadCtx, order: FulfillmentOrderRow, settings: Settings): Promise<OrderDetails> {
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  const facts = await actionContextOf(ctx, order, lines);
  const chain = await findChain(ctx.db, order);
  const amounts = amountsOf(unitsToGo(lines), duesOf(chain), order.currency);
  // A voided package keeps its row and holds nothing.
  const boxes = (await findBoxes(ctx, order)).filter((box) => box.items.length > 0);
  return {
    ...header(order, facts, settings),
    ...asSent(order, chain.first),
    ...(await reverseOf(ctx, order)),
    ...people(order),
    lines: lines.map((line, index) => showLine(line, amounts.items[index]!)),
    orderTotal: amounts.total,
    ...(await chargedOf(ctx.db, order)),
    ...packagesOf(boxes, lines, facts, settings),
    ...(await checkInOf(ctx.db, order, facts, settings)),
    ...(await notesOf(ctx.db, order)),
    allowedActions: orderActions(facts, settings),
    allowedChanges: orderChanges(changeContextOf(order, facts, boxes), settings),
  };
}

/** What decides what may be changed of an order, from its facts and its packages. */
export function changeContextOf(
  order: FulfillmentOrderRow,
  { type, status, units }: ActionContext,
  boxes: readonly Box[],
): ChangeContext {
  const isAnonymized = order.blanked_at !== null;
  const tracked = boxes.filter((box) => box.trackingNumber !== null).length;
  return { type, status, isAnonymized, tracked, onHand: units.onHand };
}

function header(order: FulfillmentOrderRow, { pickTicketId }: ActionContext, settings: Settings) {
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    fulfillmentId: String(order.fulfillment_id),
    storeId: order.store_id,
    nodeId: order.node_id,
    omsOrderId: order.oms_order_id,
    webOrderId: order.web_order_id,
    fulfillmentType: order.fulfillment_type,
    ...statusOf(settings, order.status),
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
  };
}

/** Open tickets that bring units of the order back, also while the rest of it goes its way. */
async function reverseOf(ctx: ReadCtx, { client_id: clientId, fulfillment_order_id: orderId }: FulfillmentOrderRow) {
  const reversePickTicketIds = (await findReverseTicketIds(ctx, clientId, [orderId])).get(orderId);
  return { ...(reversePickTicketIds && { reversePickTicketIds }) };
}

/** What came in with the order and never changes; `first` has what stands once for its chain. */
function asSent(order: FulfillmentOrderRow, first: FulfillmentOrderRow) {
  return {
    ...(order.external_order_number !== null && { externalOrderNumber: order.external_order_number }),
    ...(order.external_order_number2 !== null && { externalOrderNumber2: order.external_order_number2 }),
    ...(order.expected_delivery_date !== null && {
      expectedDeliveryDate: formatDateTime(order.expected_delivery_date),
    }),
    currency: order.currency,
    carrier: order.carrier,
    service: order.service,
    shipMethod: order.ship_method,
    carrierException: order.carrier_exception === 1,
    ...(order.fulfillment_type === 'SHIP_TO_STORE' && { inStore: order.in_store === 1 }),
    headerCharges: numeric(first.header_charges),
    headerTax: numeric(first.header_tax),
    ...(first.cash_on_delivery !== null && { cashOnDelivery: numeric(first.cash_on_delivery) }),
  };
}

function people(order: FulfillmentOrderRow) {
  if (order.blanked_at !== null) return {};
  const { customer, proxyDetails, destinations, billToAddress, shippingAddress, shipFromAddress } = contactsOf(order);
  return {
    customer,
    ...(proxyDetails && { proxyDetails }),
    destinations,
    billToAddress,
    shippingAddress,
    ...(shipFromAddress && { shipFromAddress }),
  };
}

async function chargedOf(db: Reader, order: FulfillmentOrderRow) {
  const charged = await findCharged(db, order);
  if (charged.length === 0) return {};
  return {
    charged: charged.map(({ handOverId, at, orderTotal, items }) => ({
      ...(handOverId !== null && { handOverId }),
      chargedDate: formatDateTime(at),
      orderTotal,
      items,
    })),
  };
}

function showLine(line: OrderLineRow, itemTotal: ItemTotal) {
  const snapshot = JSON.parse(line.snapshot) as Snapshot;
  return {
    webLineId: line.web_line_id,
    itemId: line.item_id,
    itemDesc: snapshot.itemDetails.itemDesc,
    unitPrice: numeric(line.unit_price),
    charges: numeric(line.charges),
    tax: numeric(line.tax),
    ...(line.instructions !== null && { instructions: instructionsOf(line) }),
    orderedQuantity: line.ordered,
    openQuantity: openUnits(line),
    pickedQuantity: line.picked,
    heldQuantity: onHandUnits(line),
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
    itemTotal,
    ...extrasOf(snapshot, line.ordered),
  };
}

function packagesOf(boxes: readonly Box[], lines: readonly OrderLineRow[], facts: ActionContext, settings: Settings) {
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

async function notesOf(db: Reader, order: FulfillmentOrderRow) {
  const notes = await findNotes(db, order);
  if (notes.length === 0) return {};
  return {
    notes: notes.map((note) => ({
      changeId: note.change_id,
      notedDate: formatDateTime(note.at),
      userId: note.user_id,
      note: note.note,
    })),
  };
}

async function checkInOf(db: Reader, order: FulfillmentOrderRow, facts: ActionContext, settings: Settings) {
  if (facts.type !== 'SHIP_TO_STORE') return {};
  const checkInPackages = (await findPackages(db, order)).map(({ packageId, trackingNumber, row, items }) => ({
    checkInPackageId: packageId,
    trackingNumber,
    ...(row.weight !== null && { weight: parseJson(row.weight) as Measure }),
    ...(row.volume !== null && { volume: parseJson(row.volume) as Measure }),
    checkInPackageItems: items.map(({ webLineId, quantity }) => ({ webLineId, quantity })),
  }));
  const { status, checkin_hold_location: saved } = order;
  const savedHoldLocation = status === State.WAITING_FOR_CHECK_IN && saved !== null ? { savedHoldLocation: saved } : {};
  return { checkIn: { ...savedHoldLocation, checkInPackages, allowedActions: checkInActions(facts, settings) } };
}
