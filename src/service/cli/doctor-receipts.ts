/** What doctor recounts of goods in: each sum of a shipment from what is written once, its message and the entries of its receipts. */
import { type RawBuilder, sql } from 'kysely';
import { CARTON_STATES, isDone, KINDS } from '../../kernel/inbound.ts';
import type { Check } from './doctor-finding.ts';

const SHIPMENT = sql.raw('client_id, seller_id, type, number');

/** Announced units by key: of an ASN a carton and item, of a PO an item. */
const ANNOUNCED = sql.raw(`select client_id, seller_id, type, number,
  case when type = 'ASN' then coalesce(carton_id, '') else '' end as carton_id, item_id, sum(quantity) as announced
  from inbound_lines group by 1, 2, 3, 4, 5, 6`);

/** Announced and arrived units of every key that was announced or touched; `announced` is null where nobody announced it. */
const KEYS = sql`select coalesce(a.client_id, s.client_id) as client_id, coalesce(a.seller_id, s.seller_id) as seller_id,
  coalesce(a.type, s.type) as type, coalesce(a.number, s.number) as number,
  coalesce(a.carton_id, s.carton_id) as carton_id, a.announced as announced,
  coalesce(s.good + s.damaged + s.refused + s.held, 0) as arrived
  from (${ANNOUNCED}) a
  full join inbound_sums s on s.client_id = a.client_id and s.seller_id = a.seller_id and s.type = a.type
    and s.number = a.number and s.carton_id = a.carton_id and s.item_id = a.item_id`;

const OPEN = sql.raw('sum(case when arrived < coalesce(announced, 0) then announced - arrived else 0 end)');

const DONE = sql.join(CARTON_STATES.filter(isDone).map((state) => sql.lit(state)));

/** A shipment in words: `h` is the table, or an expression, that has its columns. */
function named(of: (column: string) => RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`${of('type')} || ' ' || ${of('number')} || ' of seller ' || ${of('seller_id')}`;
}

const either = (a: string, b: string) => (column: string) =>
  sql`coalesce(${sql.ref(`${a}.${column}`)}, ${sql.ref(`${b}.${column}`)})`;
const onShipment = (a: string, b: string) =>
  sql.join(
    ['client_id', 'seller_id', 'type', 'number'].map(
      (name) => sql`${sql.ref(`${a}.${name}`)} = ${sql.ref(`${b}.${name}`)}`,
    ),
    sql` and `,
  );

/** Item and number of a shipment: what a move of stock says of the receipt that it is. */
const MOVED = sql.raw('client_id, node_id, reference, item_id');
const CAUSES = sql.join(['RECEIPT', 'CORRECTION', 'APPROVAL', 'MATCH'].map((cause) => sql.lit(cause)));

/** Units by place: as receipts, approvals and matches say, and as their moves in the ledger do. */
const BY_PLACE = sql`select ${MOVED}, place, sum(told) as told, sum(moved) as moved, max(told_at) as told_at
  from (
    select e.client_id, h.node_id, e.number as reference, e.item_id, p.place,
      case p.place when 'DAMAGED' then e.damaged when 'HELD' then e.held when e.place then e.good else 0 end as told,
      0 as moved, r.created_at as told_at
    from inbound_entries e
    join inbound_receipts r on ${onShipment('r', 'e')} and r.position = e.position
    join inbound_shipments h on ${onShipment('h', 'e')}
    cross join (select 'SHELF' as place union all select 'STAGE' union all select 'DAMAGED' union all select 'HELD') p
    union all select ${MOVED}, to_spot, 0, quantity, null from stock_moves where cause in (${CAUSES}) and to_spot <> 'SUPPLIER'
    union all select ${MOVED}, from_spot, 0, - quantity, null from stock_moves where cause in (${CAUSES}) and from_spot <> 'SUPPLIER'
  ) units group by 1, 2, 3, 4, 5`;

/** What no single constraint can hold. */
export interface Rule {
  check: Check;
  fine: string;
  /** Names what breaks it, at most three. */
  broken: RawBuilder<{ what: string }>;
  /** What an operator does; a backup where it is left out. */
  fix?: string;
}

export const RECEIPT_RULES: readonly Rule[] = [
  {
    check: 'sums of goods in',
    fine: 'the sums of each carton and item are those of the entries of its receipts',
    broken: sql`select ${named(either('s', 'e'))} || ' carton ' || ${either('s', 'e')('carton_id')} || ' item ' || ${either('s', 'e')('item_id')} as what
      from (
        select ${SHIPMENT}, carton_id, item_id, ${sql.join(KINDS.map((kind) => sql`sum(${sql.ref(kind)}) as ${sql.ref(kind)}`))}
        from inbound_entries group by 1, 2, 3, 4, 5, 6
      ) e
      full join inbound_sums s on ${onShipment('s', 'e')} and s.carton_id = e.carton_id and s.item_id = e.item_id
      where ${sql.join(
        KINDS.map((kind) => sql`coalesce(${sql.ref(`s.${kind}`)}, 0) <> coalesce(${sql.ref(`e.${kind}`)}, 0)`),
        sql` or `,
      )} limit 3`,
  },
  {
    check: 'places of goods in',
    fine: 'the ledger has the units of receipts in the places that the receipts say, or they were counted there since',
    fix: 'count these items in these places (docs/doctor.md); if it comes back, report it',
    // Units of a time without stock, or whose moves are no longer kept, are in other sums: they cannot be compared.
    broken: sql`with by_place as (${BY_PLACE})
      select b.node_id || ' item ' || b.item_id || ' in ' || b.place || ', received with ' || b.reference as what
      from by_place b
      join (
        select ${MOVED}, sum(told) as told, sum(moved) as moved, max(told_at) as told_at from by_place group by 1, 2, 3, 4
      ) g on g.client_id = b.client_id and g.node_id = b.node_id and g.reference = b.reference and g.item_id = b.item_id
      join nodes n on n.client_id = b.client_id and n.node_id = b.node_id
      where n.stock = 'KEPT' and b.told <> b.moved and g.told = g.moved and g.told_at is not null
        -- The ledger began anew.
        and not exists (
          select 1 from stock_moves m where m.client_id = b.client_id and m.node_id = b.node_id and m.item_id = b.item_id
            and m.cause = 'OPENING' and m.to_spot = 'OPENING' and m.reference = 'OPENING'
        )
        and not exists (
          select 1 from stock_counts c
          join stock_count_lines l on l.client_id = c.client_id and l.node_id = c.node_id and l.count_id = c.count_id
          where c.client_id = b.client_id and c.node_id = b.node_id and l.item_id = b.item_id and l.place = b.place
            and l.state = 'POSTED' and c.at >= g.told_at
        )
      order by 1 limit 3`,
  },
  {
    check: 'shipments',
    fine: 'each shipment has the units, cartons, receipts and statements that its lines, sums and cartons add up to',
    broken: sql`select ${named((column) => sql.ref(`h.${column}`))} as what
      from inbound_shipments h
      left join (
        select ${SHIPMENT}, sum(coalesce(announced, 0)) as announced, sum(arrived) as arrived, ${OPEN} as open
        from (${KEYS}) keys group by 1, 2, 3, 4
      ) k on ${onShipment('k', 'h')}
      left join (select ${SHIPMENT}, count(*) as many from inbound_receipts group by 1, 2, 3, 4) r on ${onShipment('r', 'h')}
      left join (select ${SHIPMENT}, count(*) as many from inbound_statements group by 1, 2, 3, 4) v on ${onShipment('v', 'h')}
      left join (
        select ${SHIPMENT}, count(*) as many from inbound_cartons where type = 'ASN' group by 1, 2, 3, 4
      ) c on ${onShipment('c', 'h')}
      left join (
        select ${SHIPMENT}, sum(case when state = 'UNEXPECTED' then 1 else 0 end) as unexpected,
          sum(case when state in (${DONE}) then 1 else 0 end) as done
        from inbound_carton_work group by 1, 2, 3, 4
      ) w on ${onShipment('w', 'h')}
      where h.total_units <> coalesce(k.announced, 0) or h.received_units <> coalesce(k.arrived, 0)
        or h.open_units <> case when h.status = 'CLOSED' then 0 else coalesce(k.open, 0) end
        or h.receipts <> coalesce(r.many, 0) or h.statements <> coalesce(v.many, 0)
        or (h.status = 'EXPECTED' and h.receipts > 0)
        or h.cartons <> coalesce(c.many, 0) + coalesce(w.unexpected, 0)
        or h.cartons_done <> case when h.status = 'CLOSED' then h.cartons else coalesce(w.done, 0) end limit 3`,
  },
  {
    check: 'cartons',
    fine: 'the state of each carton is what came of it',
    broken: sql`select ${named(either('k', 'w'))} || ' carton ' || ${either('k', 'w')('carton_id')} as what
      from (
        select ${SHIPMENT}, carton_id, sum(announced) as announced, sum(arrived) as arrived, ${OPEN} as open
        from (${KEYS}) keys where carton_id <> '' group by 1, 2, 3, 4, 5
      ) k
      full join inbound_carton_work w on ${onShipment('w', 'k')} and w.carton_id = k.carton_id
      where (w.carton_id is null and k.arrived > 0)
        or (w.state = 'UNEXPECTED') <> (k.announced is null)
        or (k.announced is not null and (w.state = 'EXPECTED') <> (k.arrived = 0))
        or (w.state = 'COUNTING' and k.open = 0)
        or (w.state = 'RECEIVED' and w.whole_as is null and k.open > 0)
        or (w.state in ('DAMAGED', 'REFUSED') and coalesce(w.whole_as, '') <> w.state) limit 3`,
  },
];
