import { noOrder } from '../kernel/message-lines.ts';
import { findOrder } from '../kernel/orders.ts';
import { allows } from '../platform/http/auth.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { CustomerContact } from './schema.ts';
import { showContact } from './show.ts';

export const readCustomerContact = readOperation({
  id: 'readCustomerContact',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/contact',
  summary: 'Read the messages to the customer of an order',
  description:
    'Lists the messages to the customer of an order with their outcome, and the texts that can be sent now. The texts do not contain the name or address of the customer.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['fulfillment', 'intake'],
    permission: ['fulfillment.read', 'orders.change'],
  },
  message: {
    replies: { 200: { description: 'Messages and offers', schema: CustomerContact } },
    refusals: { 404: 'There is no such store or order.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { params: { fulfillmentOrderId: orderId }, clientId, store }) {
      const order = await findOrder(ctx.db, clientId, store.store_id, orderId);
      if (order === undefined || !allows(ctx.actor.nodeIds, order.node_id)) throw noOrder(orderId, store.store_id);
      return reply(200, await showContact(ctx, order));
    },
  },
  example: { path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/{orders.ready}/contact' },
});
