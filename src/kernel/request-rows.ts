/** Reads the rows of re-source requests: declined units of an order that another node may serve. */
import { sql } from 'kysely';
import type { ReadCtx } from '../platform/ctx.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { OrderLineRow, ResourceRequestLineRow, ResourceRequestRow } from '../platform/storage/tables.ts';
import type { OrderKey } from './order-key.ts';

/** Returns the requests of an order, the oldest first. */
export function findRequests(db: Reader, order: OrderKey): Promise<ResourceRequestRow[]> {
  return db
    .selectFrom('resource_requests')
    .selectAll()
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .orderBy('request_id')
    .execute();
}

/** Returns a request of the store, or undefined. */
export function findRequest(
  db: Reader,
  key: { clientId: string; storeId: string; requestId: string },
): Promise<ResourceRequestRow | undefined> {
  return db
    .selectFrom('resource_requests')
    .selectAll()
    .where('client_id', '=', key.clientId)
    .where('request_id', '=', key.requestId)
    .where('store_id', '=', key.storeId)
    .executeTakeFirst();
}

/** Returns the lines of requests, sorted by request and line. */
export function findRequestLines(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  requestIds: readonly string[],
): Promise<ResourceRequestLineRow[]> {
  return ctx.db
    .selectFrom('resource_request_lines')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('request_id', 'in', ctx.dialect.listOf(requestIds, 'text'))
    .orderBy('request_id')
    .orderBy('line_index')
    .execute();
}

/** Returns the lines of requests with the snapshots of their items. */
export function findShownLines(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  requestIds: readonly string[],
): Promise<(ResourceRequestLineRow & Pick<OrderLineRow, 'snapshot'>)[]> {
  return ctx.db
    .selectFrom('resource_request_lines as asked')
    .innerJoin('resource_requests as request', (join) =>
      join.onRef('request.client_id', '=', 'asked.client_id').onRef('request.request_id', '=', 'asked.request_id'),
    )
    .innerJoin('order_lines as line', (join) =>
      join
        .onRef('line.client_id', '=', 'request.client_id')
        .onRef('line.fulfillment_order_id', '=', 'request.fulfillment_order_id')
        .onRef('line.line_index', '=', 'asked.line_index'),
    )
    .selectAll('asked')
    .select('line.snapshot')
    .where('asked.client_id', '=', clientId)
    .where('asked.request_id', 'in', ctx.dialect.listOf(requestIds, 'text'))
    .orderBy('asked.request_id')
    .orderBy('asked.line_index')
    .execute();
}

/** Returns the units of each line, by line index, that other orders serve. */
export async function findResourced(db: Reader, order: OrderKey): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('resource_requests as request')
    .innerJoin('resource_request_lines as line', (join) =>
      join.onRef('line.client_id', '=', 'request.client_id').onRef('line.request_id', '=', 'request.request_id'),
    )
    .select(['line.line_index as lineIndex', sql<number>`cast(sum(line.quantity) as bigint)`.as('units')])
    .where('request.client_id', '=', order.client_id)
    .where('request.fulfillment_order_id', '=', order.fulfillment_order_id)
    .where('request.status', '=', 'RESOURCED')
    .groupBy('line.line_index')
    .execute();
  return new Map(rows.map((row) => [row.lineIndex, row.units]));
}
