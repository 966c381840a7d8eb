import type { PackageItem } from '../kernel/checkin-packages.ts';
import { findPackages } from '../kernel/checkin-packages.ts';
import { contactsOf, findLines, findOrder } from '../kernel/orders.ts';
import { type Parcel, type Totals, totalsOf } from '../kernel/parcel-totals.ts';
import { noSuchOrder } from '../kernel/refusals.ts';
import { conflictAs400, notFound, type Refusal } from '../platform/http/errors.ts';
import { readOperation, reply, theOrder } from '../platform/http/operation.ts';
import { volumePart, weightPart } from '../platform/measures.ts';
import { parseJson } from '../platform/message/json.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { CheckInDetails } from './schema.ts';
import { say } from './sentences.ts';

type Shown = CheckInDetails['fulfillmentOrder'];

export const readCheckIn = readOperation({
  id: 'readCheckIn',
  since: '0.1.0',
  method: 'GET',
  path: '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin',
  summary: 'Read the arrived units of a ship-to-store order',
  description:
    'Returns the packages of a SHIP_TO_STORE order with the last saved quantities of each line (`checkInQuantity` and `checkInCanceledQuantity`, 0 before the first save).\n\n' +
    '- `holdLocation` is present only after check-in CONFIRM.\n' +
    '- `totalWeight` and `totalVolume` are sums over the packages, in the unit of the first one. A package without a measure counts ' +
    'with its items’ shipping measures. If there is no measure at all, the totals are 0 lb and 0 in3.\n' +
    '- A total that cannot include every package is 0; `unknownUnits` then lists the units that cannot be converted.\n' +
    '- An order of another fulfillment type gets 400 with code CONFLICT.',
  access: { auth: 'apiKey', group: 'fulfillment', permission: 'checkin.read', reveals: theOrder },
  message: {
    replies: { 200: { description: 'The check-in details', schema: CheckInDetails } },
    refusals: {
      400: 'The request is not valid, or the order is not SHIP_TO_STORE (code CONFLICT).',
      404: 'The node has no such fulfillment order.',
      500: 'Unexpected error; the log has it under the request id.',
    },
  },
  run: {
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
          // The casts are safe, because intake rejects ship-to-store orders without these fields
          // (docs/interface.md#order-intake).
          destinations: contacts.destinations as Shown['destinations'],
          billToAddress: contacts.billToAddress,
          shippingAddress: contacts.shippingAddress,
          shipFromAddress: contacts.shipFromAddress!,
        },
      } satisfies CheckInDetails);
    },
  },
  example: { path: '/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders/{orders.arriving}/checkin' },
});

/** Returns the 400 CONFLICT of an order that is not ship-to-store (docs/interface.md#check-in-quantities). */
export function notShipToStore(order: FulfillmentOrderRow): Refusal {
  return conflictAs400(
    say(
      'Fulfillment order {fulfillmentOrderId} is {fulfillmentType}; only SHIP_TO_STORE orders are checked in. Look for the order on the queues of its type.',
      { fulfillmentOrderId: JSON.stringify(order.fulfillment_order_id), fulfillmentType: order.fulfillment_type },
    ),
  );
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
  const snapshots = new Map(lines.map((line) => [line.line_index, parseJson(line.snapshot)]));
  const parcels = packages.map(
    ({ row, items }): Parcel => ({
      ...(row.weight !== null && { weight: weightPart(parseJson(row.weight)) }),
      ...(row.volume !== null && { volume: volumePart(parseJson(row.volume)) }),
      items: items.map((item) => ({ quantity: item.quantity, snapshot: snapshots.get(item.lineIndex)! })),
    }),
  );
  return totalsOf(parcels);
}
