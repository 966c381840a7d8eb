/**
 * Rules of the data that no single constraint can enforce, as statements that find violations. Sums of inbound units
 * are compared with their sources: the inbound message and the entries of receipts.
 */
import { type RawBuilder, sql } from 'kysely';
import { CARTON_STATES, isDone } from '../../kernel/arrivals/carton-states.ts';
import { KINDS } from '../../kernel/arrivals/sums.ts';
import { State } from '../../kernel/states.ts';
import { PLACE_COLUMNS } from '../../kernel/stock.ts';
import { ON_HAND_UNITS, RESERVED_UNITS } from '../../kernel/units.ts';
import { literals } from '../../platform/storage/literals.ts';
import { COUNT_PLANS } from './doctor-counts.ts';
import { amounts, documents, itemTerms, numbers, orderKeys, type Rule, sealedValues } from './doctor-data.ts';
import { INTERCHANGES } from './doctor-edi.ts';
import { REFUNDS, UNITS_OF_RETURNS } from './doctor-returns.ts';
import { MISPLACED, UNLIKE_UNITS } from './doctor-states.ts';

/** Returns the join condition of two tables on columns with the same names. */
function on(a: string, b: string, columns: readonly string[]): RawBuilder<unknown> {
  const pairs = columns.map((name) => sql`${sql.ref(`${a}.${name}`)} = ${sql.ref(`${b}.${name}`)}`);
  return sql.join(pairs, sql` and `);
}

const ORDER = ['client_id', 'fulfillment_order_id'];
const LINE = [...ORDER, 'line_index'];
const TICKET = ['client_id', 'pick_ticket_id'];
const LEVEL = ['client_id', 'node_id', 'item_id'];
const SHIPMENT_KEY = ['client_id', 'seller_id', 'type', 'number'];

const SHIPMENT = sql.raw(SHIPMENT_KEY.join(', '));

/** Announced units by key. The key is carton and item for an ASN, item for a PO. */
const ANNOUNCED = sql.raw(`select client_id, seller_id, type, number,
  case when type = 'ASN' then coalesce(carton_id, '') else '' end as carton_id, item_id, sum(quantity) as announced
  from inbound_lines group by 1, 2, 3, 4, 5, 6`);

/**
 * Announced and arrived units of every announced or received key; `announced` is null for a key that was not announced.
 */
const KEYS = sql`select coalesce(a.client_id, s.client_id) as client_id, coalesce(a.seller_id, s.seller_id) as seller_id,
  coalesce(a.type, s.type) as type, coalesce(a.number, s.number) as number,
  coalesce(a.carton_id, s.carton_id) as carton_id, a.announced as announced,
  coalesce(s.good + s.damaged + ${sql.ref('s.refused')} + s.held, 0) as arrived
  from (${ANNOUNCED}) a
  full join inbound_sums s on s.client_id = a.client_id and s.seller_id = a.seller_id and s.type = a.type
    and s.number = a.number and s.carton_id = a.carton_id and s.item_id = a.item_id`;

const OPEN = sql.raw('sum(case when arrived < coalesce(announced, 0) then announced - arrived else 0 end)');

const DONE = sql.join(CARTON_STATES.filter(isDone).map((state) => sql.lit(state)));

/** Returns the name of a shipment; `of` returns its columns. */
function named(of: (column: string) => RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`${of('type')} || ' ' || ${of('number')} || ' of seller ' || ${of('seller_id')}`;
}

const either = (a: string, b: string) => (column: string) =>
  sql`coalesce(${sql.ref(`${a}.${column}`)}, ${sql.ref(`${b}.${column}`)})`;

/** Columns of a stock move that name its shipment and item. */
const MOVED = sql.raw('client_id, node_id, reference, item_id');
const CAUSES = sql.join(['RECEIPT', 'CORRECTION', 'APPROVAL', 'MATCH'].map((cause) => sql.lit(cause)));

/**
 * Units by place: `told` is their number according to receipts, approvals and matches; `moved` is their number
 * according to the moves that the ledger has for these records.
 */
const BY_PLACE = sql`select ${MOVED}, place, sum(told) as told, sum(moved) as moved, max(told_at) as told_at
  from (
    select e.client_id, h.node_id, e.number as reference, e.item_id, p.place,
      case p.place when 'DAMAGED' then e.damaged when 'HELD' then e.held when e.place then e.good else 0 end as told,
      0 as moved, r.created_at as told_at
    from inbound_entries e
    join inbound_receipts r on ${on('r', 'e', SHIPMENT_KEY)} and r.position = e.position
    join inbound_shipments h on ${on('h', 'e', SHIPMENT_KEY)}
    cross join (select 'SHELF' as place union all select 'STAGE' union all select 'DAMAGED' union all select 'HELD') p
    union all select ${MOVED}, to_spot, 0, quantity, null from stock_moves where cause in (${CAUSES}) and to_spot <> 'SUPPLIER'
    union all select ${MOVED}, from_spot, 0, - quantity, null from stock_moves where cause in (${CAUSES}) and from_spot <> 'SUPPLIER'
  ) units group by 1, 2, 3, 4, 5`;

const PLACES = Object.values(PLACE_COLUMNS).map((column) => sql.ref(column));

/** Returns the units that moves brought into a place, minus the units that moves took out of it. */
function sumOf(place: string): RawBuilder<unknown> {
  const column = sql.ref(PLACE_COLUMNS[place as keyof typeof PLACE_COLUMNS]);
  const name = sql.lit(place);
  return sql`sum(case when to_spot = ${name} then quantity when from_spot = ${name} then - quantity else 0 end) as ${column}`;
}

function differs(column: string): RawBuilder<unknown> {
  return sql`l.${sql.ref(column)} <> coalesce(m.${sql.ref(column)}, 0)`;
}

export const RULES: readonly Rule[] = [
  {
    check: 'documents',
    fine: 'every stored document is JSON',
    broken: documents,
  },
  {
    check: 'states of orders',
    fine: 'each order is in the queue and step of its state, and has ended if its state is an end',
    broken: MISPLACED,
  },
  {
    check: 'units of orders',
    fine: 'each order is in the state that its units require',
    broken: UNLIKE_UNITS,
  },
  {
    check: 'amounts',
    fine: 'amounts are numbers, and each charged amount is the share of its lines',
    broken: amounts,
  },
  {
    check: 'sealed values',
    fine: 'the key decrypts the PINs of open orders, and the secrets of webhooks and identity providers',
    broken: sealedValues,
    fix: 'send the PIN or the secret again (change of the order, secret of the webhook, PUT of the provider)',
  },
  {
    check: 'numbers',
    fine: 'each sequence is higher than the numbers it has issued',
    broken: numbers,
  },
  {
    check: 'words of items',
    fine: 'a search finds each item by its words and codes',
    broken: itemTerms,
    fix: 'send the item again with another description and then with its own; if there are many, restore a backup',
  },
  {
    check: 'keys of orders',
    fine: 'a search finds each open order by its people and postal code',
    broken: orderKeys,
  },
  {
    check: 'units of picks',
    fine: 'the units of order lines match their confirmed tickets, except units that were declined',
    broken: sql`select l.fulfillment_order_id || ' line ' || l.web_line_id as what
      from order_lines l
      join fulfillment_orders o on ${on('o', 'l', ORDER)}
      left join (
        select tl.client_id, tl.fulfillment_order_id, tl.line_index, sum(tl.picked) as picked, sum(tl.canceled) as canceled
        from pick_ticket_lines tl
        join pick_tickets t on ${on('t', 'tl', TICKET)}
        where t.outcome = 'CONFIRMED' and t.pick_ticket_type = 'PICK_TICKET' group by 1, 2, 3
      ) p on ${on('p', 'l', LINE)}
      where o.fulfillment_type <> 'SHIP_TO_STORE'
        and (l.picked > coalesce(p.picked, 0) or l.picked + l.declined < coalesce(p.picked, 0)
          or l.picked + l.declined > coalesce(p.picked + p.canceled, l.picked + l.declined)
          or (p.picked is not null and l.picked + l.declined + l.canceled <> l.ordered)) limit 3`,
  },
  {
    check: 'units of check-ins',
    fine: 'order lines have the units that were checked in and canceled',
    broken: sql`select l.fulfillment_order_id || ' line ' || l.web_line_id as what
      from order_lines l
      join fulfillment_orders o on ${on('o', 'l', ORDER)}
      left join (
        select client_id, fulfillment_order_id, line_index, sum(quantity) as quantity,
          sum(coalesce(checked_in, 0)) as checked_in, sum(coalesce(canceled, 0)) as canceled
        from checkin_package_items group by 1, 2, 3
      ) c on ${on('c', 'l', LINE)}
      where o.fulfillment_type = 'SHIP_TO_STORE' and (coalesce(c.quantity, 0) <> l.ordered
        or (o.status <> ${sql.lit(State.WAITING_FOR_CHECK_IN)}
          and (l.picked <> c.checked_in or l.declined + l.canceled <> c.canceled))) limit 3`,
  },
  {
    check: 'units on their way back',
    fine: 'picked units that were canceled are on open reverse tickets; returned and missing units were on closed ones',
    broken: sql`select l.fulfillment_order_id || ' line ' || l.web_line_id as what
      from order_lines l
      join fulfillment_orders o on ${on('o', 'l', ORDER)}
      left join (
        select tl.client_id, tl.fulfillment_order_id, tl.line_index,
          sum(case when t.status = 'CLOSED' then 0 else tl.quantity end) as coming,
          sum(case when t.status = 'CLOSED' then tl.picked else 0 end) as back,
          sum(case when t.status = 'CLOSED' then tl.canceled else 0 end) as missed
        from pick_ticket_lines tl
        join pick_tickets t on ${on('t', 'tl', TICKET)}
        where t.pick_ticket_type = 'REVERSE_PICK_TICKET' group by 1, 2, 3
      ) r on ${on('r', 'l', LINE)}
      where l.returned <> coalesce(r.back, 0) or l.missing <> coalesce(r.missed, 0)
        or (o.status not in (${literals(State.HELD, State.PICKING, State.WAITING_FOR_CHECK_IN)})
          and l.canceling <> coalesce(r.coming, 0)) limit 3`,
  },
  {
    check: 'units in packages',
    fine: 'no package of an order that is not yet delivered contains unwanted units',
    broken: sql`select l.fulfillment_order_id || ' line ' || l.web_line_id as what
      from order_lines l
      join fulfillment_orders o on ${on('o', 'l', ORDER)}
      join (
        select client_id, fulfillment_order_id, line_index, sum(quantity) as packed from package_items group by 1, 2, 3
      ) p on ${on('p', 'l', LINE)}
      where o.status in (${literals(State.WAITING_FOR_PACK, State.WAITING_FOR_DELIVERY)})
        and p.packed > l.picked - l.returned - l.missing - l.canceling limit 3`,
  },
  {
    check: 're-source requests',
    fine: 'requests contain only declined units of their order, no unit twice, and fulfilled requests have their order',
    broken: sql`select l.fulfillment_order_id || ' line ' || l.web_line_id as what
      from order_lines l
      join (
        select r.client_id, r.fulfillment_order_id, rl.line_index, sum(rl.quantity) as quantity
        from resource_requests r
        join resource_request_lines rl on rl.client_id = r.client_id and rl.request_id = r.request_id
        -- A correction closes a request as canceled and sends a new one.
        where r.status <> 'CANCELED'
        group by 1, 2, 3
      ) q on ${on('q', 'l', LINE)}
      where q.quantity > l.declined
      union all
      select r.fulfillment_order_id || ' request ' || r.request_id as what
      from resource_requests r
      left join fulfillment_orders o on o.client_id = r.client_id and o.fulfillment_order_id = r.new_fulfillment_order_id
      where r.status = 'RESOURCED' and coalesce(o.resourced_from, '') <> r.fulfillment_order_id
      union all
      select r.fulfillment_order_id || ' request ' || r.request_id as what
      from resource_requests r
      left join resource_request_lines rl on rl.client_id = r.client_id and rl.request_id = r.request_id
      left join order_lines l on l.client_id = r.client_id and l.fulfillment_order_id = r.fulfillment_order_id
        and l.line_index = rl.line_index
      left join fulfillment_orders o on ${on('o', 'r', ORDER)}
      where rl.line_index is null or l.line_index is null or l.item_id <> rl.item_id or l.web_line_id <> rl.web_line_id
        or o.store_id <> r.store_id or o.node_id <> r.node_id limit 3`,
  },
  {
    check: 'units of tickets',
    fine: 'each ticket item has the item and the number of units of its order lines',
    broken: sql`select i.pick_ticket_id || ' item ' || i.id as what
      from pick_ticket_items i
      join pick_tickets t on ${on('t', 'i', TICKET)}
      left join (
        select client_id, pick_ticket_id, id, sum(quantity) as quantity from pick_ticket_lines group by 1, 2, 3
      ) l on l.client_id = i.client_id and l.pick_ticket_id = i.pick_ticket_id and l.id = i.id
      left join (
        select client_id, pick_ticket_id, count(distinct fulfillment_order_id) as orders from pick_ticket_lines group by 1, 2
      ) n on ${on('n', 'i', TICKET)}
      where i.quantity < coalesce(l.quantity, 0) or (i.quantity <> coalesce(l.quantity, 0)
        and (t.status <> 'CLOSED' or coalesce(n.orders, 0) >= t.total_fulfillment_orders))
      union all
      select tl.pick_ticket_id || ' item ' || tl.id as what
      from pick_ticket_lines tl
      join pick_ticket_items i on i.client_id = tl.client_id and i.pick_ticket_id = tl.pick_ticket_id and i.id = tl.id
      join order_lines l on ${on('l', 'tl', LINE)}
      where l.item_id <> i.item_id limit 3`,
  },
  {
    check: 'orders and tickets',
    fine: 'orders in status 1150 are on an open ticket, and other orders are not',
    broken: sql`select o.fulfillment_order_id as what
      from fulfillment_orders o
      left join pick_tickets t on ${on('t', 'o', TICKET)}
      where (o.status = ${sql.lit(State.PICKING)} and coalesce(t.status, 'CLOSED') = 'CLOSED')
        or (o.status <> ${sql.lit(State.PICKING)} and coalesce(t.status, 'CLOSED') <> 'CLOSED') limit 3`,
  },
  {
    check: 'revisions',
    fine: 'the last event of each order, ticket, request and return has its revision',
    // Events are deleted by age, so the remaining events of a resource include its last event.
    broken: sql`select e.resource_type || ' ' || e.resource_id as what
      from (
        select client_id, resource_type, resource_id, max(revision) as revision from events
        where resource_type in ('order', 'pickTicket', 'resourceRequest', 'return') group by 1, 2, 3
      ) e
      left join fulfillment_orders o on e.resource_type = 'order' and o.client_id = e.client_id
        and o.fulfillment_order_id = e.resource_id
      left join pick_tickets t on e.resource_type = 'pickTicket' and t.client_id = e.client_id and t.pick_ticket_id = e.resource_id
      left join resource_requests r on e.resource_type = 'resourceRequest' and r.client_id = e.client_id
        and r.request_id = e.resource_id
      left join returns b on e.resource_type = 'return' and b.client_id = e.client_id and b.return_id = e.resource_id
      where coalesce(o.revision, t.revision, r.revision, b.revision, e.revision) <> e.revision limit 3`,
  },
  {
    check: 'one ticket an order',
    fine: 'no order is on two open pick tickets',
    broken: sql`select fulfillment_order_id as what
      from (
        select l.client_id, l.fulfillment_order_id, count(distinct l.pick_ticket_id) as tickets
        from pick_ticket_lines l
        join pick_tickets t on ${on('t', 'l', TICKET)}
        where t.status <> 'CLOSED' and t.pick_ticket_type = 'PICK_TICKET' group by 1, 2
      ) o where tickets > 1 limit 3`,
  },
  {
    check: 'levels of stock',
    fine: 'levels of stock are the sums of their moves, including units carried forward',
    broken: sql`select coalesce(l.node_id, m.node_id) || ' ' || coalesce(l.item_id, m.item_id) as what
      from (
        select client_id, node_id, item_id, max(revision) as revision, ${sql.join(PLACES.map((name) => sql`sum(${name}) as ${name}`))}
        from (
          select client_id, node_id, item_id, max(revision) as revision, ${sql.join(Object.keys(PLACE_COLUMNS).map(sumOf))}
          from stock_moves group by 1, 2, 3
          union all select client_id, node_id, item_id, revision, ${sql.join(PLACES)} from stock_carried
        ) moved group by 1, 2, 3
      ) m
      full join stock_levels l on ${on('l', 'm', LEVEL)}
      where l.item_id is null or coalesce(m.revision, 0) > l.revision
        or ${sql.join(Object.values(PLACE_COLUMNS).map(differs), sql` or `)} limit 3`,
  },
  {
    check: 'moves of stock',
    fine: 'each stored move refers to the previous move of its item, and each level refers to its last move',
    broken: sql`select m.node_id || ' ' || m.item_id as what
      from (
        select client_id, node_id, item_id, previous_at as at, previous_revision as revision, 0 as is_mark from stock_moves
          where previous_revision is not null
        union all select client_id, node_id, item_id, moved_at, moved_revision, 0 from stock_levels where moved_revision is not null
        union all select client_id, node_id, item_id, at, revision, 1 from stock_move_marks
      ) m
      left join stock_moves p on p.client_id = m.client_id and p.at = m.at and p.node_id = m.node_id
        and p.item_id = m.item_id and p.revision = m.revision
      left join stock_carried c on ${on('c', 'm', LEVEL)}
      where p.revision is null and (m.is_mark = 1 or coalesce(c.revision, 0) < m.revision) limit 3`,
  },
  {
    check: 'stock of orders',
    fine: 'at nodes that keep stock, each staged unit is loose or belongs to an order, and the open units of orders are reserved',
    broken: sql`select coalesce(l.node_id, u.node_id) || ' ' || coalesce(l.item_id, u.item_id) as what
      from (
        select o.client_id, o.node_id, line.item_id, sum(${ON_HAND_UNITS}) as held, sum(${RESERVED_UNITS}) as reserved
        from fulfillment_orders o
        join order_lines line on ${on('line', 'o', ORDER)}
        group by 1, 2, 3
      ) u
      full join stock_levels l on ${on('l', 'u', LEVEL)}
      join nodes n on n.client_id = coalesce(l.client_id, u.client_id) and n.node_id = coalesce(l.node_id, u.node_id)
      where n.stock = 'KEPT' and (coalesce(l.staged - l.loose, 0) <> coalesce(u.held, 0)
        or coalesce(l.reserved, 0) <> coalesce(u.reserved, 0)) limit 3`,
  },
  {
    check: 'sums of goods in',
    fine: 'the sums of each carton and item match the entries of its receipts',
    broken: sql`select ${named(either('s', 'e'))} || ' carton ' || ${either('s', 'e')('carton_id')} || ' item ' || ${either('s', 'e')('item_id')} as what
      from (
        select ${SHIPMENT}, carton_id, item_id, ${sql.join(KINDS.map((kind) => sql`sum(${sql.ref(kind)}) as ${sql.ref(kind)}`))}
        from inbound_entries group by 1, 2, 3, 4, 5, 6
      ) e
      full join inbound_sums s on ${on('s', 'e', SHIPMENT_KEY)} and s.carton_id = e.carton_id and s.item_id = e.item_id
      where ${sql.join(
        KINDS.map((kind) => sql`coalesce(${sql.ref(`s.${kind}`)}, 0) <> coalesce(${sql.ref(`e.${kind}`)}, 0)`),
        sql` or `,
      )} limit 3`,
  },
  {
    check: 'places of goods in',
    fine: 'the ledger has the units of each receipt in the place of the receipt, or the item was counted there later',
    fix: 'count these items in these places (docs/doctor.md); if the finding appears again, report it',
    // Units cannot be compared if they are from before the node kept stock, or if their moves were deleted.
    broken: sql`with by_place as (${BY_PLACE})
      select b.node_id || ' item ' || b.item_id || ' in ' || b.place || ', received with ' || b.reference as what
      from by_place b
      join (
        select ${MOVED}, sum(told) as told, sum(moved) as moved, max(told_at) as told_at from by_place group by 1, 2, 3, 4
      ) g on g.client_id = b.client_id and g.node_id = b.node_id and g.reference = b.reference and g.item_id = b.item_id
      join nodes n on n.client_id = b.client_id and n.node_id = b.node_id
      where n.stock = 'KEPT' and b.told <> b.moved and g.told = g.moved and g.told_at is not null
        -- The ledger was restarted.
        and not exists (
          select 1 from stock_moves m where ${on('m', 'b', LEVEL)}
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
    fine: 'the units, cartons, receipts and statements of each shipment match its lines, sums and cartons',
    broken: sql`select ${named((column) => sql.ref(`h.${column}`))} as what
      from inbound_shipments h
      left join (
        select ${SHIPMENT}, sum(coalesce(announced, 0)) as announced, sum(arrived) as arrived, ${OPEN} as open
        from (${KEYS}) keys group by 1, 2, 3, 4
      ) k on ${on('k', 'h', SHIPMENT_KEY)}
      left join (select ${SHIPMENT}, count(*) as many from inbound_receipts group by 1, 2, 3, 4) r on ${on('r', 'h', SHIPMENT_KEY)}
      left join (select ${SHIPMENT}, count(*) as many from inbound_statements group by 1, 2, 3, 4) v on ${on('v', 'h', SHIPMENT_KEY)}
      left join (
        select ${SHIPMENT}, count(*) as many from inbound_cartons where type = 'ASN' group by 1, 2, 3, 4
      ) c on ${on('c', 'h', SHIPMENT_KEY)}
      left join (
        select ${SHIPMENT}, sum(case when state = 'UNEXPECTED' then 1 else 0 end) as unexpected,
          sum(case when state in (${DONE}) then 1 else 0 end) as done
        from inbound_carton_work group by 1, 2, 3, 4
      ) w on ${on('w', 'h', SHIPMENT_KEY)}
      where h.total_units <> coalesce(k.announced, 0) or h.received_units <> coalesce(k.arrived, 0)
        or h.open_units <> case when h.status = 'CLOSED' then 0 else coalesce(k.open, 0) end
        or h.receipts <> coalesce(r.many, 0) or h.statements <> coalesce(v.many, 0)
        or (h.status = 'EXPECTED' and h.receipts > 0)
        or h.cartons <> coalesce(c.many, 0) + coalesce(w.unexpected, 0)
        or h.cartons_done <> case when h.status = 'CLOSED' then h.cartons else coalesce(w.done, 0) end limit 3`,
  },
  {
    check: 'cartons',
    fine: 'the state of each carton matches its received units',
    broken: sql`select ${named(either('k', 'w'))} || ' carton ' || ${either('k', 'w')('carton_id')} as what
      from (
        select ${SHIPMENT}, carton_id, sum(announced) as announced, sum(arrived) as arrived, ${OPEN} as open
        from (${KEYS}) keys where carton_id <> '' group by 1, 2, 3, 4, 5
      ) k
      full join inbound_carton_work w on ${on('w', 'k', SHIPMENT_KEY)} and w.carton_id = k.carton_id
      where (w.carton_id is null and k.arrived > 0)
        or (w.state = 'UNEXPECTED') <> (k.announced is null)
        or (k.announced is not null and (w.state = 'EXPECTED') <> (k.arrived = 0))
        or (w.state = 'COUNTING' and k.open = 0)
        or (w.state = 'RECEIVED' and w.whole_as is null and k.open > 0)
        or (w.state in ('DAMAGED', 'REFUSED') and coalesce(w.whole_as, '') <> w.state) limit 3`,
  },
  {
    check: 'count plans',
    fine: 'the state of each count plan matches its lines, and an approved plan matches its count',
    broken: COUNT_PLANS,
  },
  {
    check: 'units of returns',
    fine: 'order lines have the units that were returned or are on the way back, and each return has its receipts and held units',
    broken: UNITS_OF_RETURNS,
  },
  {
    check: 'refunds',
    fine: 'each refund belongs to a return of its order, and no order refunds more than it charged',
    broken: REFUNDS,
  },
  INTERCHANGES,
];
