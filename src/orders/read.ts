import { noOrder } from '../kernel/message-lines.ts';
import { findOrder } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import { State } from '../kernel/states.ts';
import { type Actor, isWithout } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { withEtag } from '../platform/http/if-match.ts';
import { readOperation, reply, theOrder } from '../platform/http/operation.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { OrderDetails } from './read-schema.ts';
import { showOrder } from './show-order.ts';

export const readFulfillmentOrder = readOperation({
  id: 'readFulfillmentOrder',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}',
  summary: 'Read an order, the location of its units and its allowed actions',
  description:
    'Returns an order with its current data except the PIN, its notes, the location of each unit, and its packages or check-in.\n\n' +
    '- `allowedActions` lists the actions on the order, its packages and its check-in, each allowed or blocked with the reason. ' +
    '`allowedChanges` lists the changes likewise.\n' +
    '- `orderTotal` has the amounts to charge if all remaining units go to the customer now; its `cashOnDelivery` is the cash to ' +
    'collect. `charged` lists the amounts of earlier shipments, hand-overs and deliveries.\n' +
    '- People, addresses and instructions are absent once the customer’s data is anonymized.\n' +
    '- A caller with access to changes of an order can also read it: groups `intake` and `supervise`, and users with the permission `orders.change`.\n' +
    '- Users with the permission `fulfillment.write` see the telephone number and the e-mail address of an ASSOCIATE_DELIVERY order while it waits for its delivery (1500).\n' +
    '- If the credential does not cover the node of the order, the response is the same 404 as for an order that does not exist. ' +
    'A user with only `checkin.read` also gets this 404 if the order is not SHIP_TO_STORE.',
  access: {
    auth: 'operatorOrApiKey',
    // A caller with access to changes of an order can also read it, because the response of a change shows the order.
    group: ['fulfillment', 'intake', 'supervise'],
    permission: ['fulfillment.read', 'checkin.read', 'orders.change'],
    reveals: theOrder,
    meetsCustomer: isOnDelivery,
  },
  message: {
    replies: { 200: { description: 'The order', schema: OrderDetails } },
    refusals: { 404: 'There is no such store or order.' },
    errors: 'problem',
    hasRevision: true,
  },
  run: {
    async handle(ctx, { params, clientId, store }) {
      const orderId = params.fulfillmentOrderId;
      const order = await findOrder(ctx.db, clientId, store.store_id, orderId);
      if (order === undefined || !allows(ctx.actor.nodeIds, order.node_id) || !isOfWork(ctx.actor, order)) {
        throw noOrder(orderId, store.store_id);
      }
      const shown = await showOrder(ctx, order, await findSettings(ctx.db, clientId));
      return withEtag(reply(200, shown), order.revision);
    },
  },
  example: { path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/100000000901001' },
});

/** Whether an associate brings the order to its customer now, and may have to call the customer. */
function isOnDelivery({ fulfillmentType, status }: OrderDetails): boolean {
  return fulfillmentType === 'ASSOCIATE_DELIVERY' && status === String(State.WAITING_FOR_DELIVERY);
}

/**
 * Whether a user's permissions cover an order. A user with only checkin.read can read only SHIP_TO_STORE orders.
 */
function isOfWork(actor: Actor, { fulfillment_type }: Pick<FulfillmentOrderRow, 'fulfillment_type'>): boolean {
  const readsAll = !isWithout(actor, 'fulfillment.read') || !isWithout(actor, 'orders.change');
  return readsAll || fulfillment_type === 'SHIP_TO_STORE';
}
