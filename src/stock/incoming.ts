/** Expected units of announced shipments of a node, by item and day. */
import { sql } from 'kysely';
import type { StockNode } from '../kernel/stock-terms.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';

/** Units expected on a day in the node's time zone. */
interface Incoming {
  date: string;
  quantity: number;
}

/**
 * Returns the expected units by item id, with one entry for each day. Counts units that have not arrived: the units of
 * open ASNs, and the units of open purchase orders that no ASN covers. Shipments without an expected day are left out.
 */
export async function findIncoming(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  node: StockNode,
  itemIds: readonly string[],
): Promise<Map<string, Incoming[]>> {
  if (itemIds.length === 0) return new Map();
  const values = { ...node, itemIds: ctx.dialect.listText(itemIds) };
  const keys = await selectKeys(ctx.db, values);
  const byItem = new Map<string, Map<string, number>>();
  for (const { item_id: itemId, date, announced, arrived, by_asn: byAsn = 0 } of keys) {
    const open = Math.max(0, Math.max(0, announced - arrived) - Number(byAsn));
    if (open === 0) continue;
    const days = byItem.get(itemId) ?? new Map<string, number>();
    byItem.set(itemId, days.set(date, (days.get(date) ?? 0) + open));
  }
  return new Map(
    [...byItem].map(([itemId, days]) => [itemId, [...days].map(([date, quantity]) => ({ date, quantity }))]),
  );
}

/** The carton id of a line, in the form of the stored sums: '' if the shipment is not received by carton. */
const CARTON = sql<string>`case when line.type = 'ASN' then coalesce(line.carton_id, '') else '' end`;

const selectKeys = statement((db, { clientId, nodeId, itemIds }: StockNode & { itemIds: BoundText }, dialect) =>
  db
    .with('keys', (cte) =>
      cte
        .selectFrom('inbound_shipments as shipment')
        .innerJoin('inbound_lines as line', (join) =>
          join
            .onRef('line.client_id', '=', 'shipment.client_id')
            .onRef('line.seller_id', '=', 'shipment.seller_id')
            .onRef('line.type', '=', 'shipment.type')
            .onRef('line.number', '=', 'shipment.number'),
        )
        .select([
          'line.seller_id',
          'line.type',
          'line.number',
          CARTON.as('carton_id'),
          'line.item_id',
          'shipment.expected_on as date',
          sql<number>`cast(sum(line.quantity) as bigint)`.as('announced'),
        ])
        .where('shipment.client_id', '=', clientId)
        .where('shipment.node_id', '=', nodeId)
        .where('shipment.status', '<>', 'CLOSED')
        .where('shipment.expected_on', '>', '')
        .where('line.item_id', 'in', dialect.listOf<string>(itemIds, 'text'))
        .groupBy(['line.seller_id', 'line.type', 'line.number', CARTON, 'line.item_id', 'shipment.expected_on']),
    )
    .selectFrom('keys')
    .leftJoin('inbound_sums as arrived', (join) =>
      join
        .on('arrived.client_id', '=', clientId)
        .onRef('arrived.seller_id', '=', 'keys.seller_id')
        .onRef('arrived.type', '=', 'keys.type')
        .onRef('arrived.number', '=', 'keys.number')
        .onRef('arrived.carton_id', '=', 'keys.carton_id')
        .onRef('arrived.item_id', '=', 'keys.item_id'),
    )
    .select((eb) => [
      'keys.item_id',
      'keys.date',
      'keys.announced',
      sql<number>`coalesce(arrived.good + arrived.damaged + arrived.refused + arrived.held, 0)`.as('arrived'),
      eb
        .selectFrom('inbound_orders as po')
        .innerJoin('inbound_lines as asn', (join) =>
          join
            .onRef('asn.client_id', '=', 'po.client_id')
            .onRef('asn.seller_id', '=', 'po.seller_id')
            .on('asn.type', '=', 'ASN')
            .onRef('asn.number', '=', 'po.asn_number'),
        )
        .select(sql<number>`cast(coalesce(sum(asn.quantity), 0) as bigint)`.as('units'))
        .where('po.client_id', '=', clientId)
        .whereRef('po.seller_id', '=', 'keys.seller_id')
        .whereRef('po.po_number', '=', 'keys.number')
        .whereRef('asn.item_id', '=', 'keys.item_id')
        .where('keys.type', '=', 'PO')
        .$castTo<number>()
        .as('by_asn'),
    ])
    .orderBy('keys.item_id')
    .orderBy('keys.date'),
);
