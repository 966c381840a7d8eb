/** Finds the matching orders of a node for the two order searches, sorted by fulfillmentOrderDate and id. */
import { sql } from 'kysely';
import type { ReadCtx } from '../platform/ctx.ts';
import type { Records } from '../platform/http/page.ts';
import { recordsOf, type Search } from '../platform/storage/keyset.ts';
import { textWithoutIndex } from '../platform/storage/without-index.ts';
import { conditionsOf, type OrderFilters } from './filters.ts';

/** The node whose orders are searched. */
export interface NodeScope {
  clientId: string;
  storeId: string;
  nodeId: string;
}

type SearchCtx = Pick<ReadCtx, 'db' | 'dialect' | 'sealer'>;

/** Returns the orders of the node, for the look-up of `lastRecordId`. */
export function ordersOf(ctx: SearchCtx, place: NodeScope): Records {
  const orders = { table: 'fulfillment_orders', date: 'fulfillment_order_date', id: 'fulfillment_order_id' } as const;
  return recordsOf(ctx, orders, place, { record: 'order', id: 'fulfillmentOrderId' });
}

/** Filters that find a few orders of a client by an index of their own. */
const NUMBERS = ['webOrderId', 'omsOrderId', 'trackingNumber', 'pickTicketId'] as const;

/** Returns the matching orders. */
export function searchOrders(ctx: SearchCtx, place: NodeScope, filters: OrderFilters): Search<'fulfillment_orders'> {
  // SQLite has no statistics, so it prefers the index by node and date and reads all orders of the node. With an
  // expression instead of the columns, SQLite cannot use this index and takes the index of the number.
  const isNumbered = NUMBERS.some((number) => filters[number] !== undefined);
  const column = (name: 'store_id' | 'node_id') => (isNumbered ? textWithoutIndex(name) : sql.ref(name));
  const found = ctx.db
    .selectFrom('fulfillment_orders')
    .where('client_id', '=', place.clientId)
    .where(column('store_id'), '=', place.storeId)
    .where(column('node_id'), '=', place.nodeId)
    .where((eb) => eb.and(conditionsOf(eb, filters, { ...ctx, clientId: place.clientId })));
  return { found, date: 'fulfillment_order_date', id: 'fulfillment_order_id' };
}

/** Returns the ids of the orders whose personal data a search response shows. */
export function ofPage({ fulfillmentOrders }: { fulfillmentOrders: readonly { fulfillmentOrderId: string }[] }) {
  return fulfillmentOrders.map((order) => order.fulfillmentOrderId);
}
