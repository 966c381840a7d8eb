/** One page of the orders of a node, in the order of both searches (decision 24). */
import type { ReadCtx } from '../ctx.ts';
import type { Page } from '../http/page.ts';
import { type Fault, faultsOf } from '../http/validate.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';
import { conditionsOf, type OrderFilters } from './filters.ts';

/** Whose orders are searched. */
export interface Place {
  clientId: string;
  storeId: string;
  nodeId: string;
}

type SearchCtx = Pick<ReadCtx, 'db' | 'dialect' | 'sealer'>;

/** What a page goes on after. */
export interface Cursor {
  fulfillment_order_date: number;
  fulfillment_order_id: string;
}

/** The sort key of the record that `page.after` names, or the fault that there is none. It may have left the search. */
export async function findCursor(
  ctx: SearchCtx,
  place: Place,
  page: Page,
): Promise<{ cursor?: Cursor; faults: Fault[] }> {
  if (page.after === undefined) return { faults: [] };
  const cursor = await ctx.db
    .selectFrom('fulfillment_orders')
    .select(['fulfillment_order_date', 'fulfillment_order_id'])
    .where('client_id', '=', place.clientId)
    .where('fulfillment_order_id', '=', page.after)
    .where('store_id', '=', place.storeId)
    .where('node_id', '=', place.nodeId)
    .executeTakeFirst();
  if (cursor !== undefined) return { cursor, faults: [] };
  const message =
    "'lastRecordId' names no order of this store and node; send the fulfillmentOrderId of the last record read";
  return { faults: [faultsOf('/lastRecordId', 'exists', message)] };
}

function matching(ctx: SearchCtx, place: Place, filters: OrderFilters) {
  return ctx.db
    .selectFrom('fulfillment_orders')
    .where('client_id', '=', place.clientId)
    .where('store_id', '=', place.storeId)
    .where('node_id', '=', place.nodeId)
    .where((eb) => eb.and(conditionsOf(eb, filters, { ...ctx, clientId: place.clientId })));
}

/** The statement behind `findPage`: a keyset on an index that ends in the primary key, so a page costs the same anywhere. */
export function pageQuery(ctx: SearchCtx, place: Place, filters: OrderFilters, page: Page, cursor?: Cursor) {
  const all = matching(ctx, place, filters).selectAll();
  const rest =
    cursor === undefined
      ? all
      : all.where((eb) =>
          eb(
            eb.refTuple('fulfillment_order_date', 'fulfillment_order_id'),
            '>',
            eb.tuple(cursor.fulfillment_order_date, cursor.fulfillment_order_id),
          ),
        );
  return rest.orderBy('fulfillment_order_date').orderBy('fulfillment_order_id').limit(page.limit).offset(page.offset);
}

/** The orders of a page. */
export async function findPage(
  ctx: SearchCtx,
  place: Place,
  filters: OrderFilters,
  page: Page,
  cursor?: Cursor,
): Promise<FulfillmentOrderRow[]> {
  return page.limit === 0 ? [] : pageQuery(ctx, place, filters, page, cursor).execute();
}

/** How many orders match, counted up to `most`. */
export async function countUpTo(ctx: SearchCtx, place: Place, filters: OrderFilters, most: number): Promise<number> {
  const counted = await ctx.db
    .selectFrom(matching(ctx, place, filters).select('fulfillment_order_id').limit(most).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return counted.count;
}
