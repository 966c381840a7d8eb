/** Finds the open orders of a node for items. Receipts and scans show these orders as a hint. */
import { sql } from 'kysely';
import type { ReadCtx } from '../platform/ctx.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';
import { formatDateTime } from '../platform/time.ts';
import { State } from './states.ts';

/** An order that waits for units of an item. */
export interface WantedOrder {
  itemId: string;
  fulfillmentOrderId: string;
  storeId: string;
  quantity: number;
  dueAt?: string;
}

/**
 * Returns the first orders of a node that wait for the items `itemIds`, the earliest due first. `storeIds` limits the
 * orders to these stores; null means all stores.
 */
export async function findWanted(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  { clientId, nodeId, storeIds }: { clientId: string; nodeId: string; storeIds: readonly string[] | null | undefined },
  itemIds: readonly string[],
  limit: number,
): Promise<WantedOrder[]> {
  if (itemIds.length === 0) return [];
  const stores = storeIds ?? (await selectStores(db, { clientId })).map((row) => row.store_id);
  const rows = await selectWanted(db, {
    clientId,
    nodeId,
    stores: dialect.listText(stores),
    items: dialect.listText([...new Set(itemIds)]),
    limit,
  });
  return rows.map(({ dueAt, ...row }) => ({ ...row, ...(dueAt !== null && { dueAt: formatDateTime(dueAt) }) }));
}

/** Returns the ids of the web stores of a client. */
export const selectStores = statement((db, { clientId }: { clientId: string }) =>
  db.selectFrom('stores').select('store_id').where('client_id', '=', clientId).orderBy('store_id'),
);

interface Wanted {
  clientId: string;
  nodeId: string;
  stores: BoundText;
  items: BoundText;
  limit: number;
}

/** The open units of a line that are not being canceled. */
const WANTED = sql`l.ordered - l.picked - l.declined - l.canceled - l.canceling`;

/** Reads open orders first, by the index of queues: a node has few open orders, a client many lines of an item. */
const selectWanted = statement((db, { clientId, nodeId, stores, items, limit }: Wanted, dialect) =>
  db
    .with(
      (cte) => cte('waiting').materialized(),
      (one) =>
        one
          .selectFrom('fulfillment_orders')
          .select(['client_id', 'fulfillment_order_id', 'store_id', 'sla_at', 'fulfillment_order_date'])
          .where('client_id', '=', clientId)
          .where('store_id', 'in', dialect.listOf<string>(stores, 'text'))
          .where('node_id', '=', nodeId)
          .where('queue_id', 'is not', null)
          .where('status', 'in', [State.WAITING_FOR_PICK, State.PICKING]),
    )
    .selectFrom('waiting as o')
    .innerJoin('order_lines as l', (join) =>
      join.onRef('l.client_id', '=', 'o.client_id').onRef('l.fulfillment_order_id', '=', 'o.fulfillment_order_id'),
    )
    .select([
      'l.item_id as itemId',
      'o.fulfillment_order_id as fulfillmentOrderId',
      'o.store_id as storeId',
      sql<number>`cast(sum(${WANTED}) as bigint)`.as('quantity'),
      'o.sla_at as dueAt',
    ])
    .where('l.item_id', 'in', dialect.listOf<string>(items, 'text'))
    .where(sql<boolean>`${WANTED} > 0`)
    .groupBy(['l.item_id', 'o.fulfillment_order_id', 'o.store_id', 'o.sla_at', 'o.fulfillment_order_date'])
    .orderBy(sql`coalesce(o.sla_at, o.fulfillment_order_date)`)
    .orderBy('o.fulfillment_order_id')
    .orderBy('l.item_id')
    .limit(limit),
);
