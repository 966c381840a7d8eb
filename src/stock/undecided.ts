/** Finds held units that wait for a decision at a shipment or a return. */
import { sql } from 'kysely';
import type { StockNode } from '../kernel/stock-terms.ts';
import type { ReadCtx } from '../platform/ctx.ts';

/** Held units of an item, and the shipments and returns that decide on them. */
export interface Undecided {
  units: number;
  decidedAt: string[];
}

/**
 * Returns the undecided held units of items at a node, by item. A closed shipment has none; a closed return can have
 * some.
 */
export async function findUndecided(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  { clientId, nodeId }: StockNode,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, Undecided>> {
  const found = new Map<string, Undecided>();
  if (itemIds.length === 0) return found;
  const items = dialect.listOf(itemIds, 'text');
  // The status and the limit of the held units are literals, because partial indexes do not match parameters of a
  // statement.
  const { rows } = await sql<{ item_id: string; type: string; number: string; units: number }>`
    select m.item_id, s.type, s.number, cast(sum(m.held) as bigint) as units
    from inbound_shipments s cross join inbound_sums m
    where s.client_id = ${clientId} and s.node_id = ${nodeId} and s.status <> 'CLOSED'
      and m.client_id = s.client_id and m.seller_id = s.seller_id and m.type = s.type and m.number = s.number
      and m.held > 0 and m.item_id in ${items}
    group by m.item_id, s.type, s.number
    union all
    select l.item_id, '' as type, r.number, cast(sum(h.units) as bigint) as units
    from return_held h
    join return_lines l on l.client_id = h.client_id and l.return_id = h.return_id and l.position = h.position
    join returns r on r.client_id = h.client_id and r.return_id = h.return_id
    where h.client_id = ${clientId} and h.node_id = ${nodeId} and l.item_id in ${items}
    group by l.item_id, r.number
    order by 2, 3`.execute(db);
  for (const { item_id, type, number, units } of rows) {
    const before = found.get(item_id) ?? { units: 0, decidedAt: [] };
    const name = type === '' ? number : `${type} ${number}`;
    found.set(item_id, { units: before.units + units, decidedAt: [...before.decidedAt, name] });
  }
  return found;
}
