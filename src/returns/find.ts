/** Finds the orders and returns that the customer or the parcel at the counter belongs to. */
import { sql } from 'kysely';
import { ordersOf } from '../kernel/returns/subject.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import type { FulfillmentOrderRow, ReturnRow, StoreRow } from '../platform/storage/tables.ts';
import { textWithoutIndex } from '../platform/storage/without-index.ts';

/** The fields by which a message names an order or a return. Exactly one of them is set. */
interface Sent {
  webOrderId?: string;
  fulfillmentOrderId?: string;
  trackingNumber?: string;
  code?: string;
}

/** Returns the ids of the orders and returns that a message names. */
export async function findNamed({ db }: ReadCtx, { client_id: clientId, store_id: storeId }: StoreRow, sent: Sent) {
  const text = Object.values(sent)[0] as string;
  const isCode = sent.code !== undefined;
  const orderIds: string[] = [];
  const columns = [
    ...(isCode || sent.fulfillmentOrderId !== undefined ? (['fulfillment_order_id'] as const) : []),
    ...(isCode || sent.webOrderId !== undefined ? (['web_order_id'] as const) : []),
    ...(isCode ? (['oms_order_id'] as const) : []),
  ];
  for (const column of columns) {
    const rows = await db
      .selectFrom('fulfillment_orders')
      .select('fulfillment_order_id as id')
      .where('client_id', '=', clientId)
      .where(column, '=', text)
      .execute();
    orderIds.push(...rows.map(({ id }) => id));
  }
  const returnIds: string[] = [];
  if (isCode || sent.trackingNumber !== undefined) {
    for (const table of ['packages', 'checkin_packages'] as const) {
      const rows = await db
        .selectFrom(table)
        .select('fulfillment_order_id as id')
        .where('client_id', '=', clientId)
        .where('tracking_number', '=', text)
        .execute();
      orderIds.push(...rows.map(({ id }) => id));
    }
    const names = isCode ? (['tracking_number', 'number'] as const) : (['tracking_number'] as const);
    for (const column of names) {
      const rows = await db
        .selectFrom('returns')
        .select('return_id as id')
        .where('client_id', '=', clientId)
        .where('store_id', '=', storeId)
        .where(column, '=', text)
        .execute();
      returnIds.push(...rows.map(({ id }) => id));
    }
    if (returnIds.length > 0) {
      const lines = await db
        .selectFrom('return_lines')
        .select('fulfillment_order_id')
        .where('client_id', '=', clientId)
        .where('return_id', 'in', returnIds)
        .execute();
      orderIds.push(...ordersOf(lines));
    }
  }
  return { orderIds: [...new Set(orderIds)], returnIds };
}

/** Returns the returns that have lines of `orders` or an id in `returnIds`, the oldest first. */
export async function findReturnsOf(
  { db, dialect }: ReadCtx,
  clientId: string,
  orders: readonly FulfillmentOrderRow[],
  returnIds: readonly string[],
): Promise<ReturnRow[]> {
  const orderIds = orders.map((row) => row.fulfillment_order_id);
  const lines = await db
    .selectFrom('return_lines')
    // `textWithoutIndex` prevents SQLite from reading all lines of the client along the primary key to find distinct ids.
    .select(textWithoutIndex('return_id').as('return_id'))
    .distinct()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf(orderIds, 'text'))
    .execute();
  const ids = [...new Set([...returnIds, ...lines.map((line) => line.return_id)])];
  return await db
    .selectFrom('returns')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('return_id', 'in', dialect.listOf(ids, 'text'))
    .orderBy(sql.ref('created_at'))
    .orderBy('return_id')
    .execute();
}
