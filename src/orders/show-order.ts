/** Builds the response of an order: counts of the units, allowed actions, charges. */
import { actionContextOf } from '../kernel/action-context.ts';
import { type ActionContext, checkInActions, orderActions, packageActions } from '../kernel/allowed.ts';
import { type Box, findBoxes } from '../kernel/boxes.ts';
import { duesOf, findChain, findCharged } from '../kernel/charges.ts';
import { findPackages } from '../kernel/checkin-packages.ts';
import { hazardsOf } from '../kernel/handling.ts';
import { amountsOf, type ItemTotal } from '../kernel/money.ts';
import { contactsOf, findLines, instructionsOf } from '../kernel/orders.ts';
import { unitsToGo } from '../kernel/plan.ts';
import { returnsOfOrder } from '../kernel/returns/of-order.ts';
import { State } from '../kernel/states.ts';
import { heldUntil } from '../kernel/street-date.ts';
import { findReverseTicketIds } from '../kernel/tickets/of-order.ts';
import { leftUnits, onHandUnits, openUnits } from '../kernel/units.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { numeric } from '../platform/decimal.ts';
import { readJson } from '../platform/json-column.ts';
import { parseJson } from '../platform/message/json.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { extrasOf } from '../shared/snapshot.ts';
import { statusOf } from '../shared/status.ts';
import { type ChangeContext, orderChanges } from './change-rules.ts';
import { findNotes } from './change-store.ts';
import type { OrderDetails } from './read-schema.ts';

/** Returns the response of the operation that reads an order. */
export async function showOrder(ctx: ReadCtx, order: FulfillmentOrderRow, settings: Settings): Promise<OrderDetails> {
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  const facts = await actionContextOf(ctx, order, lines);
  const chain = await findChain(ctx.db, order);
  const amounts = amountsOf(unitsToGo(lines), duesOf(chain), order.currency);
  // A voided package keeps its row, without items.
  const boxes = (await findBoxes(ctx, order)).filter((box) => box.items.length > 0);
  return {
    ...header(order, facts, settings),
    ...asSent(order, chain.first),
    ...(await reverseOf(ctx, order)),
    ...people(order),
    lines: lines.map((line, index) => showLine(line, amounts.items[index]!)),
    orderTotal: amounts.total,
    ...(await chargedOf(ctx.db, order)),
    ...(await returnsOfOrder(ctx, order)),
    ...packagesOf(boxes, lines, facts, settings),
    ...(await checkInOf(ctx.db, order, facts, settings)),
    ...(await notesOf(ctx.db, order)),
    allowedActions: orderActions(facts, settings),
    allowedChanges: orderChanges(changeContextOf(order, facts, boxes), settings),
  };
}

/** Returns the facts that decide which changes an order allows. */
export function changeContextOf(
  order: FulfillmentOrderRow,
  { type, status, units }: ActionContext,
  boxes: readonly Box[],
): ChangeContext {
  const isAnonymized = order.blanked_at !== null;
  const tracked = boxes.filter((box) => box.trackingNumber !== null).length;
  return { type, status, isAnonymized, tracked, onHand: units.onHand };
}

function header(order: FulfillmentOrderRow, { pickTicketId, units }: ActionContext, settings: Settings) {
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
    // The column keeps the location after the goods have left.
    ...(order.hold_location !== null && units.onHand > 0 && { holdLocation: order.hold_location }),
    ...(pickTicketId != null && { pickTicketId }),
    ...(order.resourced_from !== null && { resourcedFrom: order.resourced_from }),
  };
}

/** Returns the open reverse pick tickets of the order. Its other units may still be in progress. */
async function reverseOf(ctx: ReadCtx, { client_id: clientId, fulfillment_order_id: orderId }: FulfillmentOrderRow) {
  const reversePickTicketIds = (await findReverseTicketIds(ctx, clientId, [orderId])).get(orderId);
  return { ...(reversePickTicketIds && { reversePickTicketIds }) };
}

/**
 * Returns the fields that were sent at intake. `first` is the first order of a chain of re-sourced orders; it has the
 * amounts that are charged once.
 */
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
    hasPin: order.pin_hash !== null,
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
  const snapshot = readJson(line.snapshot);
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
    cameBackQuantity: line.came_back,
    comingBackQuantity: line.coming_back,
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
    ...(row.weight !== null && { weight: parseJson(row.weight) }),
    ...(row.volume !== null && { volume: parseJson(row.volume) }),
    checkInPackageItems: items.map(({ webLineId, quantity }) => ({ webLineId, quantity })),
  }));
  const { status, checkin_hold_location: saved } = order;
  const savedHoldLocation = status === State.WAITING_FOR_CHECK_IN && saved !== null ? { savedHoldLocation: saved } : {};
  return { checkIn: { ...savedHoldLocation, checkInPackages, allowedActions: checkInActions(facts, settings) } };
}
