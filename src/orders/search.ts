import { requireNode } from '../http/auth.ts';
import { readOperation, reply } from '../http/operation.ts';
import { lastRecordHeader, readPage } from '../http/page.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';
import { formatDateTime } from '../time.ts';
import { rangeFaults } from './filters.ts';
import { countUpTo, findCursor, findPage } from './find-page.ts';
import { type FoundOrder, OrderSearch, OrderSearchReply } from './search-schema.ts';
import { contactsOf } from './store.ts';

export const searchFulfillmentOrders = readOperation({
  id: 'searchFulfillmentOrders',
  method: 'POST',
  path: '/stores/{storeId}/fulfillmentOrder/search',
  auth: 'apiKey',
  group: 'fulfillment',
  summary: 'Find fulfillment orders of a node in any state',
  description: `Order search (interface, endpoint 6). All filters that are sent must hold; userId filters nothing. Orders come
by fulfillmentOrderDate, then fulfillmentOrderId, and are paged as in the queue search (decision 24); totalRecords counts at
most maxRecordsCount. status is the code of the state; statuses takes a range of codes, which may change.`,
  body: OrderSearch,
  replies: { 200: { description: 'A page of orders', schema: OrderSearchReply } },
  async rules(ctx, { clientId, store, body }, faults) {
    const { nodeId, orderDateRange, fulfillmentOrder: inner = {} } = body;
    faults.addAll([...rangeFaults({ orderDateRange }), ...rangeFaults(inner, '/fulfillmentOrder')]);
    if (nodeId === undefined) return undefined;
    await requireNode(ctx.db, ctx.actor, clientId, nodeId);
    const place = { clientId, storeId: store.store_id, nodeId };
    const last = await findCursor(ctx, place, readPage(body));
    faults.addAll(last.faults);
    return { place, cursor: last.cursor };
  },
  async handle(ctx, { body, found: known }) {
    const { place, cursor } = known!;
    const { webOrderId, omsOrderId, orderDateRange, fulfillmentOrder: inner = {} } = body;
    const outer = {
      ...(webOrderId !== undefined && { webOrderId }),
      ...(omsOrderId !== undefined && { omsOrderId }),
      ...(orderDateRange && { orderDateRange }),
    };
    const page = readPage(body);
    const filters = { ...outer, ...inner };
    const orders = await findPage(ctx, place, filters, page, cursor);
    const totalRecords = await countUpTo(ctx, place, filters, page.maxRecordsCount);
    const answer = {
      fulfillmentOrders: orders.map(found),
      pageId: page.pageId,
      pageSize: page.pageSize,
      totalRecords,
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
