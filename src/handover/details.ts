import { actionContextOf } from '../kernel/action-context.ts';
import { orderActions } from '../kernel/allowed.ts';
import { duesOf, findChain } from '../kernel/charges.ts';
import { amountsOf, type ItemTotal } from '../kernel/money.ts';
import { contactsOf, findLines, findOrder, instructionsOf } from '../kernel/orders.ts';
import { withPresentCodes } from '../kernel/present-codes.ts';
import { noSuchOrder, notNow, refusedInState } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { leftUnits } from '../kernel/units.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply, theOrder } from '../platform/http/operation.ts';
import { parseJson } from '../platform/message/json.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { extrasOf } from '../shared/snapshot.ts';
import { statusOf } from '../shared/status.ts';
import { isPinRequired, pinLockedUntil } from './pin.ts';
import { CustomerPickupRead, CustomerPickupReply } from './schema.ts';
import { INSTEAD_OF_HAND_OVER } from './state-hints.ts';

type Shown = CustomerPickupReply['customerPickUpDetails'];

export const readCustomerPickup = readOperation({
  id: 'readCustomerPickup',
  since: '0.1.0',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/customerPickUps/{fulfillmentOrderId}',
  summary: 'Read the goods that wait for a customer',
  description:
    'Returns a ready STORE_PICK_UP or SHIP_TO_STORE order: the persons who may collect it, and for each line the picked, handed-over, ' +
    'rejected and remaining units.\n\n' +
    '- `orderTotal` has the amounts to charge if the customer takes all remaining units now; its `cashOnDelivery` is the cash to collect.\n' +
    '- `pinNumber` is present if the order has a PIN and the client does not require it at the hand-over. If the client requires it, the customer must tell the PIN.\n' +
    '- An order that has never been ready gets 409. A collected order is still returned, with its handed-over units, until the last of its goods in the store are brought back to the shelf; then it gets 409, too.\n' +
    '- You can send the fields back in the confirmation.',
  access: {
    auth: 'apiKey',
    group: 'fulfillment',
    permission: 'fulfillment.read',
    reveals: theOrder,
    meetsCustomer: true,
  },
  message: {
    body: CustomerPickupRead,
    replies: { 200: { description: 'The pickup details', schema: CustomerPickupReply } },
    refusals: {
      404: 'The node has no such fulfillment order.',
      409: 'The order has never been ready for its customer, its goods were brought back to the shelf, or orders of its type are not handed over in the store.',
    },
  },
  run: {
    async handle(ctx, { params, clientId, store, node }) {
      const orderId = params.fulfillmentOrderId;
      const order = await findOrder(ctx.db, clientId, store.store_id, orderId);
      if (order?.node_id !== node.node_id) throw notFound(noSuchOrder(orderId, store.store_id, node.node_id));
      const settings = await findSettings(ctx.db, clientId);
      const lines = await findLines(ctx, clientId, [orderId]);
      const isCollected = order.fulfillment_type === 'STORE_PICK_UP' || order.fulfillment_type === 'SHIP_TO_STORE';
      if (!isCollected || order.hold_location === null) {
        throw await refusedInState(ctx, order, settings, notNow(order, settings, INSTEAD_OF_HAND_OVER));
      }
      const details = await show(ctx, order, order.hold_location, lines, settings);
      return reply(200, { customerPickUpDetails: details } satisfies CustomerPickupReply);
    },
  },
  example: {
    path: '/stores/TOWN_US/nodes/TOWN-Store001/customerPickUps/{orders.checkedIn}',
    body: { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrderId: '{orders.checkedIn}' },
  },
});

async function show(
  ctx: ReadCtx,
  order: FulfillmentOrderRow,
  holdLocation: string,
  lines: readonly OrderLineRow[],
  settings: Settings,
): Promise<Shown> {
  const { customer, proxyDetails } = contactsOf(order);
  const pinRequired = isPinRequired(order, settings);
  const lockedUntil = pinLockedUntil(order, ctx.now);
  const parts = lines.map((line) => ({ line, units: leftUnits(line), from: line.handed_over }));
  const coded = await withPresentCodes(ctx, order.client_id, [order], lines);
  const amounts = amountsOf(parts, duesOf(await findChain(ctx.db, order)), order.currency);
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    storeId: order.store_id,
    nodeId: order.node_id,
    webOrderId: order.web_order_id,
    omsOrderId: order.oms_order_id,
    ...(order.external_order_number !== null && { externalOrderNumber: order.external_order_number }),
    ...(order.external_order_number2 !== null && { externalOrderNumber2: order.external_order_number2 }),
    orderDate: formatDateTime(order.order_date),
    currency: order.currency,
    ...statusOf(settings, order.status),
    holdLocation,
    totalCustomerPickQuantity: lines.reduce((sum, line) => sum + leftUnits(line), 0),
    ...(order.pin_cipher !== null && !pinRequired && { pinNumber: ctx.sealer.open(order.pin_cipher) }),
    pinRequired,
    ...(lockedUntil !== null && { pinLockedUntil: formatDateTime(lockedUntil) }),
    customer,
    ...(proxyDetails && { proxyDetails }),
    customerPickUpItems: coded.map((line, index) => showLine(line, index, amounts.items[index]!)),
    orderTotal: amounts.total,
    allowedActions: orderActions(await actionContextOf(ctx, order, lines), settings),
  };
}

function showLine(line: OrderLineRow, index: number, itemTotal: ItemTotal): Shown['customerPickUpItems'][number] {
  const snapshot = parseJson(line.snapshot);
  const { itemDesc, upcs } = snapshot.itemDetails;
  return {
    id: index + 1,
    webLineId: line.web_line_id,
    itemId: line.item_id,
    itemDesc,
    upcs,
    orderedQuantity: line.ordered,
    backroomPickedQuantity: line.picked,
    handedOverQuantity: line.handed_over,
    refusedQuantity: line.refused,
    toPickQuantity: leftUnits(line),
    itemTotal,
    ...(line.instructions !== null && { instructions: instructionsOf(line) }),
    ...extrasOf(snapshot, leftUnits(line)),
  };
}
