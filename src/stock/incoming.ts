/** What announced shipments bring to a node, by item and day. */

import type { StockNode } from '../kernel/stock.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';

interface Incoming {
  date: string;
  quantity: number;
}

/** Units that are on their way, by item id, each day once; a shipment without a day is left out. */
export async function findIncoming(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  node: StockNode,
  itemIds: readonly string[],
): Promise<Map<string, Incoming[]>> {
  if (itemIds.length === 0) return new Map();
  const rows = await selectIncoming(ctx.db, { ...node, itemIds: ctx.dialect.listText(itemIds) });
  return Map.groupBy(rows, (row) => row.item_id) as unknown as Map<string, Incoming[]>;
}

const selectIncoming = statement((db, { clientId, nodeId, itemIds }: StockNode & { itemIds: BoundText }, dialect) =>
  db
    .selectFrom('inbound_shipments as shipment')
    .innerJoin('inbound_lines as line', (join) =>
      join
        .onRef('line.client_id', '=', 'shipment.client_id')
        .onRef('line.seller_id', '=', 'shipment.seller_id')
        .onRef('line.type', '=', 'shipment.type')
        .onRef('line.number', '=', 'shipment.number'),
    )
    .select((eb) => ['line.item_id', 'shipment.expected_on as date', eb.fn.sum<number>('line.quantity').as('quantity')])
    .where('shipment.client_id', '=', clientId)
    .where('shipment.node_id', '=', nodeId)
    .where('shipment.status', '=', 'EXPECTED')
    .where('shipment.expected_on', '>', '')
    .where('line.item_id', 'in', dialect.listOf<string>(itemIds, 'text'))
    .groupBy(['line.item_id', 'shipment.expected_on'])
    .orderBy('line.item_id')
    .orderBy('shipment.expected_on'),
);
