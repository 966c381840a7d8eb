import type { PackageItem } from '../kernel/arrivals.ts';
import { findPackages } from '../kernel/arrivals.ts';
import { contactsOf, findLines, findOrder, type Snapshot } from '../kernel/orders.ts';
import { type Parcel, type Totals, totalsOf } from '../kernel/parcel-totals.ts';
import { conflictAs400, notFound, type Refusal } from '../platform/http/errors.ts';
import { readOperation, reply, theOrder } from '../platform/http/operation.ts';
import { type Measure, volumePart, weightPart } from '../platform/measures.ts';
import { parseJson } from '../platform/message/json.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { CheckInDetails } from './schema.ts';

type Shown = CheckInDetails['fulfillmentOrder'];

export const readCheckIn = readOperation({
  id: 'readCheckIn',
  method: 'GET',
  path: '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin',
  auth: 'apiKey',
  group: 'fulfillment',
  permission: 'checkin.read',
  summary: 'Read what has arrived of a ship-to-store order',
  description:
    'Answers the packages of a SHIP_TO_STORE order with what was saved last for each line: 0 and 0 before anything was saved. ' +
    '`holdLocation` is there only after check-in CONFIRM. `totalWeight` and `totalVolume` add up the packages in the unit of the ' +
    'first; a package without a measure counts with its items’ shipping measures; 0 lb and 0 in3 when nothing is known. A total is ' +
    'of everything or 0: `unknownUnits` lists what nobody can add up. An order of another fulfillment type is a 400 with code CONFLICT.',
  reveals: theOrder,
  replies: { 200: { description: 'The check-in details', schema: CheckInDetails } },
  refusals: {
    400: 'The request is not valid, or the order is not SHIP_TO_STORE (code CONFLICT).',
    404: 'The node has no such fulfillment order.',
    500: 'Unexpected error; the log has it under the request id.',
  },
  async handle(ctx, { params, clientId, store, node }) {
    const orderId = params.fulfillmentOrderId;
    const order = await findOrder(ctx.db, clientId, store.store_id, orderId);
    if (order?.node_id !== node.node_id) throw notFound(noSuchOrder(orderId, store.store_id, node.node_id));
    if (order.fulfillment_type !== 'SHIP_TO_STORE') throw notShipToStore(order);
    const packages = await findPackages(ctx.db, order);
    const lines = await findLines(ctx, clientId, [orderId]);
    const contacts = contactsOf(order);
    return reply(200, {
      fulfillmentOrder: {
        storeId: order.store_id,
        nodeId: order.node_id,
        omsOrderId: order.oms_order_id,
        fulfillmentOrderId: order.fulfillment_order_id,
        webOrderId: order.web_order_id,
        fulfillmentType: 'SHIP_TO_STORE',
        currency: order.currency,
        carrier: order.carrier,
        service: order.service,
        fulfillmentOrderDate: formatDateTime(order.fulfillment_order_date),
        orderDate: formatDateTime(order.order_date),
        ...(order.hold_location !== null && { holdLocation: order.hold_location }),
        ...totals(packages, lines),
        checkInPackages: packages.map((one) => ({
          checkInPackageId: one.packageId,
          trackingNumber: one.trackingNumber,
          checkInPackageItems: one.items.map(shownItem),
        })),
        // Intake takes no ship-to-store order without these (docs/interface.md#order-intake).
        destinations: contacts.destinations as Shown['destinations'],
        billToAddress: contacts.billToAddress,
        shippingAddress: contacts.shippingAddress,
        shipFromAddress: contacts.shipFromAddress!,
      },
    } satisfies CheckInDetails);
  },
});

/** 400 CONFLICT: only ship-to-store orders are checked in (docs/interface.md#check-in-quantities). */
export function notShipToStore(order: FulfillmentOrderRow): Refusal {
  return conflictAs400(
    `Fulfillment order ${JSON.stringify(order.fulfillment_order_id)} is ${order.fulfillment_type}; ` +
      'only SHIP_TO_STORE orders are checked in. Look for it on the queues of its own type.',
  );
}

/** Sentence for an order that is not there or not of this store and node. */
export function noSuchOrder(orderId: string, storeId: string, nodeId: string): string {
  const [order, store, node] = [orderId.slice(0, 60), storeId, nodeId].map((one) => JSON.stringify(one));
  return `There is no fulfillment order ${order} of store ${store} at node ${node}.`;
}

function shownItem(item: PackageItem) {
  return {
    itemId: item.itemId,
    webLineId: item.webLineId,
    quantity: item.quantity,
    checkInQuantity: item.checkedIn ?? 0,
    checkInCanceledQuantity: item.canceled ?? 0,
    ...(item.reason !== null && { checkInCancellationReasonCode: item.reason }),
  };
}

function totals(packages: Awaited<ReturnType<typeof findPackages>>, lines: readonly OrderLineRow[]): Totals {
  const snapshots = new Map(lines.map((line) => [line.line_index, parseJson(line.snapshot) as Snapshot]));
  const parcels = packages.map(
    ({ row, items }): Parcel => ({
      ...(row.weight !== null && { weight: weightPart(parseJson(row.weight) as Measure) }),
      ...(row.volume !== null && { volume: volumePart(parseJson(row.volume) as Measure) }),
      items: items.map((item) => ({ quantity: item.quantity, snapshot: snapshots.get(item.lineIndex)! })),
    }),
  );
  return totalsOf(parcels);
}
