import { filterErrors } from '../kernel/filters.ts';
import { ofPage, ordersOf, searchOrders } from '../kernel/find-page.ts';
import { contactsOf } from '../kernel/orders.ts';
import { requireNode } from '../platform/http/auth.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { findPlace, lastRecordHeader } from '../platform/http/page.ts';
import { countRecords, findRecords } from '../platform/storage/keyset.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { type FoundOrder, OrderSearch, OrderSearchReply } from './search-schema.ts';

export const searchFulfillmentOrders = readOperation({
  id: 'searchFulfillmentOrders',
  method: 'POST',
  path: '/stores/{storeId}/fulfillmentOrder/search',
  auth: 'apiKey',
  group: 'fulfillment',
  permission: 'fulfillment.read',
  showsContact: true,
  summary: 'Find fulfillment orders of a node in any state',
  description: `All filters that are sent must hold; userId filters nothing. Orders come
by fulfillmentOrderDate, then fulfillmentOrderId, and are paged as in the queue search. totalRecords counts up to maxRecordsCount,
else 10,000; totalRecordsCapped says that there are more. status is the code of the state; statuses takes a range of codes, which may change.`,
  body: OrderSearch,
  reveals: ofPage,
  replies: { 200: { description: 'A page of orders', schema: OrderSearchReply } },
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
    const { webOrderId, omsOrderId, orderDateRange, fulfillmentOrder: inner = {} } = body;
    const outer = {
      ...(webOrderId !== undefined && { webOrderId }),
      ...(omsOrderId !== undefined && { omsOrderId }),
      ...(orderDateRange && { orderDateRange }),
    };
    const search = searchOrders(ctx, place, { ...outer, ...inner });
    const orders = await findRecords(ctx.db, search, page);
    const answer = {
      fulfillmentOrders: orders.map(found),
      pageId: page.pageId,
      pageSize: page.pageSize,
      ...(await countRecords(ctx.db, search, page)),
    };
    const ids = orders.map((order) => order.fulfillment_order_id);
    return reply(200, answer, lastRecordHeader(page, ids));
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
