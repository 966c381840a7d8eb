import { findSettings } from '../kernel/settings.ts';
import { type PageQuery, pageBody, pageLimit, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusOf } from '../shared/status.ts';
import { ListedOrder, WebOrderQuery } from './read-schema.ts';

/** Lists the fulfillment orders of a web order or an OMS order (docs/api.md#paths-and-credentials). */
export const listFulfillmentOrders = readOperation({
  id: 'listFulfillmentOrders',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders',
  summary: 'Find the orders of a web order',
  description: `Lists the fulfillment orders of a web order or an OMS order at all nodes, sorted by fulfillmentOrderId, a page at a time; \`next\` is the \`after\` of the next page.

- \`webOrderId\` or \`omsOrderId\` is required. With both, an order must match both.
- Numbers are compared as they were sent; case matters.
- A credential that is limited to nodes gets the orders of these nodes.`,
  access: {
    auth: 'operatorOrApiKey',
    group: ['fulfillment', 'intake', 'supervise'],
    permission: ['fulfillment.read', 'orders.change'],
  },
  message: {
    query: WebOrderQuery,
    replies: { 200: { description: 'A page.', schema: pageSchema('fulfillmentOrders', ListedOrder) } },
    refusals: { 404: 'There is no such store.' },
    errors: 'problem',
  },
  run: {
    rules(_ctx, { query: { webOrderId, omsOrderId } }, errors) {
      if (webOrderId !== undefined || omsOrderId !== undefined) return;
      errors.add('query:webOrderId', 'required', 'the query names no order; send webOrderId or omsOrderId');
    },
    async handle({ db, actor: { nodeIds = null } }, { store, query: { webOrderId, omsOrderId, ...page } }) {
      const settings = await findSettings(db, store.client_id);
      const of = { clientId: store.client_id, storeId: store.store_id, nodeIds, webOrderId, omsOrderId };
      const rows = await selectNumbered(db, of, page).execute();
      const showOne = (order: FulfillmentOrderRow) => show(order, settings);
      return reply(
        200,
        pageBody('fulfillmentOrders', page, rows, showOne, (order) => order.fulfillment_order_id),
      );
    },
  },
  example: { path: '/operator/v1/stores/TOWN_US/fulfillmentOrders?webOrderId=25255000301' },
});

interface Numbered {
  clientId: string;
  storeId: string;
  /** Null: orders of all nodes. */
  nodeIds: readonly string[] | null;
  webOrderId?: string | undefined;
  omsOrderId?: string | undefined;
}

/** The orders of a number, in the order of their ids. Exported for the test of its plan. */
export function selectNumbered(
  db: Reader,
  { clientId, storeId, nodeIds, webOrderId, omsOrderId }: Numbered,
  page: PageQuery,
) {
  // Materialized: in the order of the ids, SQLite would read all orders of the client by their primary key.
  return db
    .with(
      (cte) => cte('found').materialized(),
      (from) => {
        let orders = from
          .selectFrom('fulfillment_orders')
          .selectAll()
          .where('client_id', '=', clientId)
          .where('store_id', '=', storeId);
        if (webOrderId !== undefined) orders = orders.where('web_order_id', '=', webOrderId);
        if (omsOrderId !== undefined) orders = orders.where('oms_order_id', '=', omsOrderId);
        return nodeIds === null ? orders : orders.where('node_id', 'in', [...nodeIds]);
      },
    )
    .selectFrom('found')
    .selectAll()
    .where('fulfillment_order_id', '>', page.after ?? '')
    .orderBy('fulfillment_order_id')
    .limit(pageLimit(page));
}

function show(order: FulfillmentOrderRow, settings: Settings): ListedOrder {
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    nodeId: order.node_id,
    webOrderId: order.web_order_id,
    omsOrderId: order.oms_order_id,
    fulfillmentType: order.fulfillment_type,
    ...statusOf(settings, order.status),
    revision: order.revision,
    fulfillmentOrderDate: formatDateTime(order.fulfillment_order_date),
    ...(order.ended_at !== null && { endedDate: formatDateTime(order.ended_at) }),
  };
}
