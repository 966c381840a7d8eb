import { filterErrors } from '../kernel/filters.ts';
import { ofPage, ordersOf, searchOrders } from '../kernel/find-page.ts';
import { contactsOf } from '../kernel/orders.ts';
import { requireNode } from '../platform/http/auth.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { findPlace, lastRecordHeader } from '../platform/http/page.ts';
import { findCounted } from '../platform/storage/keyset.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { type FoundOrder, OrderSearch, OrderSearchReply } from './search-schema.ts';

export const searchFulfillmentOrders = readOperation({
  id: 'searchFulfillmentOrders',
  since: '0.1.0',
  method: 'POST',
  path: '/stores/{storeId}/fulfillmentOrder/search',
  summary: 'Find fulfillment orders of a node in any state',
  description: `Finds the orders of one node in any state, sorted by fulfillmentOrderDate, then fulfillmentOrderId.

- An order is found if it matches every filter that you send. userId does not filter the result.
- Pages work as in the queue search.
- totalRecords counts up to maxRecordsCount, default 10,000. totalRecordsCapped is true if there are more.
- \`text\` of \`fulfillmentOrder\` is what a person types: a part of a number, a name, a town or an e-mail address.
- status is the code of the state. statuses filters by a range of codes; codes may change between releases.`,
  access: {
    auth: 'apiKey',
    group: 'fulfillment',
    permission: 'fulfillment.read',
    reveals: ofPage,
  },
  message: { body: OrderSearch, replies: { 200: { description: 'A page of orders', schema: OrderSearchReply } } },
  run: {
    async rules(ctx, { clientId, store, body }, errors) {
      const { nodeId, orderDateRange, fulfillmentOrder: inner = {} } = body;
      errors.addAll([...filterErrors({ orderDateRange }), ...filterErrors(inner, '/fulfillmentOrder')]);
      if (nodeId === undefined) return undefined;
      await requireNode(ctx.db, ctx.actor, clientId, nodeId);
      const place = { clientId, storeId: store.store_id, nodeId };
      return { place, page: await findPlace(body, ordersOf(ctx, place), errors) };
    },
    async handle(ctx, { body, found: known }) {
      const { place, page } = known!;
      const search = searchOrders(ctx, place, { ...body, ...body.fulfillmentOrder });
      const { records: orders, totals } = await findCounted(ctx.db, search, page);
      const shown = {
        fulfillmentOrders: orders.map(found),
        pageId: page.pageId,
        pageSize: page.pageSize,
        ...totals,
      };
      const ids = orders.map((order) => order.fulfillment_order_id);
      return reply(200, shown, lastRecordHeader(page, ids));
    },
  },
  example: {
    path: '/stores/TOWN_US/fulfillmentOrder/search',
    body: { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', webOrderId: '25255000901' },
  },
});

function found(order: FulfillmentOrderRow): FoundOrder {
  const { customer, proxyDetails } = contactsOf(order);
  return {
    fulfillmentId: String(order.fulfillment_id),
    fulfillmentOrderId: order.fulfillment_order_id,
    storeId: order.store_id,
    nodeId: order.node_id,
    omsOrderId: order.oms_order_id,
    webOrderId: order.web_order_id,
    fulfillmentType: order.fulfillment_type,
    carrier: order.carrier,
    service: order.service,
    fulfillmentOrderDate: formatDateTime(order.fulfillment_order_date),
    orderDate: formatDateTime(order.order_date),
    status: String(order.status),
    customer,
    ...(proxyDetails && { proxyDetails }),
  };
}
