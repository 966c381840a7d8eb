/**
 * Rules of receiving and stock that must be true at any time. Shipments are compared with their sums and receipts,
 * receipts with stock transactions, and levels with the newest events of the feed. `backroom doctor` checks that levels
 * are the sums of their moves, and that staged and reserved units belong to orders.
 */
import { sql } from 'kysely';
import type { Reader } from '../../src/platform/storage/db.ts';
import type { StockLevel } from '../../src/stock/schema.ts';

type Query = ReturnType<typeof sql>;

const SHIPMENT = ['client_id', 'seller_id', 'type', 'number'] as const;
const KEY = [...SHIPMENT, 'carton_id', 'item_id'] as const;
const MOVED = ['client_id', 'node_id', 'reference', 'item_id'] as const;

const columns = (names: readonly string[], of?: string) =>
  sql.join(names.map((name) => sql.ref(of === undefined ? name : `${of}.${name}`)));
const same = (a: string, b: string, names: readonly string[]) =>
  sql.join(
    names.map((name) => sql`${sql.ref(`${a}.${name}`)} = ${sql.ref(`${b}.${name}`)}`),
    sql` and `,
  );
const ARRIVED = sql`(good + damaged + refused + held)`;

/** Each query finds the ids of rows that break a rule. */
export const GOODS_RULES: Readonly<Record<string, Query>> = {
  'a shipment whose units are not those of its keys': sql`
    select s.type || ' ' || s.number as id from inbound_shipments s
    left join (select ${columns(SHIPMENT)}, sum${ARRIVED} as units from inbound_sums group by ${columns(SHIPMENT)}) came
      on ${same('came', 's', SHIPMENT)}
    left join (
      select ${columns(SHIPMENT, 'k')}, sum(case when k.units > coalesce(c.units, 0) then k.units - coalesce(c.units, 0) else 0 end) as units
      from (
        select ${columns(SHIPMENT)}, case when type = 'ASN' then coalesce(carton_id, '') else '' end as carton_id, item_id,
          sum(quantity) as units
        from inbound_lines group by 1, 2, 3, 4, 5, 6
      ) k
      left join (select ${columns(KEY)}, ${ARRIVED} as units from inbound_sums) c on ${same('c', 'k', KEY)}
      group by ${columns(SHIPMENT, 'k')}
    ) missing on ${same('missing', 's', SHIPMENT)}
    where s.received_units <> coalesce(came.units, 0)
      or s.open_units <> case when s.status = 'CLOSED' then 0 else coalesce(missing.units, 0) end
      or (s.status = 'EXPECTED' and s.receipts > 0)`,
  'a shipment with other receipts, statements or cartons than it counts': sql`
    select s.type || ' ' || s.number as id from inbound_shipments s
    where s.receipts <> (select count(*) from inbound_receipts r where ${same('r', 's', SHIPMENT)})
      or s.receipts <> (select coalesce(max(r.position), 0) from inbound_receipts r where ${same('r', 's', SHIPMENT)})
      or s.statements <> (select count(*) from inbound_statements t where ${same('t', 's', SHIPMENT)})
      or s.cartons_done <> case when s.status = 'CLOSED' then s.cartons else (
        select count(*) from inbound_carton_work w where ${same('w', 's', SHIPMENT)} and w.state not in ('EXPECTED', 'COUNTING')) end`,
  'receipts that are not the transactions of their node': sql`
    select coalesce(e.reference, t.reference) || ' ' || coalesce(e.item_id, t.item_id) as id from (
      select e.client_id, s.node_id, e.number as reference, e.item_id, sum(e.good + e.damaged + e.held) as units
      from inbound_entries e join inbound_shipments s on ${same('s', 'e', SHIPMENT)} group by 1, 2, 3, 4
    ) e
    full join (
      select ${columns(MOVED)}, sum(quantity) as units from stock_transactions where type = 31 group by 1, 2, 3, 4
    ) t on ${same('t', 'e', MOVED)}
    where coalesce(e.units, 0) <> coalesce(t.units, 0)`,
  'transactions of a node that are not numbered from 1': sql`
    select h.node_id as id from stock_heads h
    left join (
      select client_id, node_id, count(sequence) as rows, max(sequence) as last from stock_transactions group by 1, 2
    ) t on t.client_id = h.client_id and t.node_id = h.node_id
    where coalesce(t.rows, 0) <> h.sequence or coalesce(t.last, 0) <> h.sequence`,
  'a count whose lines wait although it does not, or that waits without waiting lines': sql`
    select c.count_id as id from stock_counts c
    where (c.state = 'WAITING') <> exists (select 1 from stock_count_lines l where l.client_id = c.client_id
      and l.node_id = c.node_id and l.count_id = c.count_id and l.state = 'WAITING')`,
};

/** The levels of an item in an event `stock.changed`. */
export type ToldLevel = Omit<StockLevel, 'available' | 'incoming'>;

/**
 * Adds the levels of an event to `known`, which keeps the highest revision of each item, as a consumer of the feed
 * does.
 */
export function fold(known: Map<string, ToldLevel>, nodeId: string, items: readonly ToldLevel[]): void {
  for (const level of items) {
    const name = `${nodeId} ${level.itemId}`;
    if ((known.get(name)?.revision ?? -1) < level.revision) known.set(name, level);
  }
}

/** Returns the levels that differ from the newest event of their item. */
export async function untoldLevels(db: Reader): Promise<string[]> {
  const read = async <R>(query: Query) => (await query.execute(db)).rows as R[];
  const events = await read<{ client: string; node: string; data: string }>(
    sql`select client_id as client, resource_id as node, data from events where type = 'stock.changed'`,
  );
  const told = new Map<string, ToldLevel>();
  for (const { client, node, data } of events) {
    fold(told, `${client} ${node}`, (JSON.parse(data) as { items: ToldLevel[] }).items);
  }
  const levels = await read<ToldLevel & { client: string; node: string }>(
    sql`select client_id as client, node_id as node, item_id as "itemId", shelf, staged, damaged, held, missing, reserved, revision
      from stock_levels where revision > 0`,
  );
  const text = (level: ToldLevel | undefined) =>
    level === undefined
      ? 'nothing'
      : [level.shelf, level.staged, level.damaged, level.held, level.missing, level.reserved, level.revision].join();
  return levels.flatMap((level) => {
    const last = told.get(`${level.client} ${level.node} ${level.itemId}`);
    const isSame = text(last) === text(level);
    return isSame ? [] : [`${level.node} ${level.itemId} is ${text(level)}, the feed says ${text(last)}`];
  });
}
