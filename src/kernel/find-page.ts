/** What the two order searches read: the orders of a node that match, sorted by fulfillmentOrderDate and id. */
import type { ReadCtx } from '../platform/ctx.ts';
import type { Cursor, Records } from '../platform/http/page.ts';
import type { Search } from '../platform/storage/keyset.ts';
import { conditionsOf, type OrderFilters } from './filters.ts';

/** Whose orders are searched. */
export interface NodeScope {
  clientId: string;
  storeId: string;
  nodeId: string;
}

type SearchCtx = Pick<ReadCtx, 'db' | 'dialect' | 'sealer'>;

/** The orders of the node, for `lastRecordId`: the one that is named may have left the search. */
export function ordersOf(ctx: SearchCtx, place: NodeScope): Records {
  return {
    record: 'order',
    id: 'fulfillmentOrderId',
    find: (ids): Promise<Cursor[]> =>
      ctx.db
        .selectFrom('fulfillment_orders')
        .select(['fulfillment_order_date as at', 'fulfillment_order_id as id'])
        .where('client_id', '=', place.clientId)
        .where('fulfillment_order_id', 'in', ctx.dialect.listOf(ids, 'text'))
        .where('store_id', '=', place.storeId)
        .where('node_id', '=', place.nodeId)
        .execute(),
  };
}

/** The orders that match. */
export function searchOrders(ctx: SearchCtx, place: NodeScope, filters: OrderFilters): Search<'fulfillment_orders'> {
  const found = ctx.db
    .selectFrom('fulfillment_orders')
    .where('client_id', '=', place.clientId)
    .where('store_id', '=', place.storeId)
    .where('node_id', '=', place.nodeId)
    .where((eb) => eb.and(conditionsOf(eb, filters, { ...ctx, clientId: place.clientId })));
  return { found, date: 'fulfillment_order_date', id: 'fulfillment_order_id' };
}

/** `reveals` of a search. */
export function ofPage({ fulfillmentOrders }: { fulfillmentOrders: readonly { fulfillmentOrderId: string }[] }) {
  return fulfillmentOrders.map((order) => order.fulfillmentOrderId);
}
