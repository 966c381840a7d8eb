/** Rules of the whole database that must be true at any time. */
import { sql } from 'kysely';
import type { Reader } from '../../../src/platform/storage/db.ts';
import { GOODS_RULES, untoldLevels } from '../goods-rules.ts';

export type Query = ReturnType<typeof sql>;

export async function rows<R>(db: Reader, query: Query): Promise<R[]> {
  return (await query.execute(db)).rows as R[];
}

/**
 * Returns a query for resources that break this rule: every revision of a resource has its event, and no event has a
 * higher revision.
 */
const revisionsOf = (type: string, table: string, id: string) => sql`select r.${sql.ref(id)} as id
  from ${sql.table(table)} r left join (select client_id, resource_id, count(distinct revision) as seen, max(revision) as last
    from events where resource_type = ${sql.lit(type)} group by client_id, resource_id) e
    on e.client_id = r.client_id and e.resource_id = r.${sql.ref(id)}
  where coalesce(e.seen, 0) <> r.revision or coalesce(e.last, 0) <> r.revision`;

/** Types of events that a resource has at most once. */
const ONCE = [
  'order.received',
  'order.picked',
  'order.checkedIn',
  'order.shipped',
  'order.expired',
  'order.forgotten',
  'order.pickupReminder',
  'pickTicket.generated',
  'pickTicket.confirmed',
  'pickTicket.reset',
  'pickTicket.reverseConfirmed',
  'resource.answered',
];

/**
 * Each query finds the ids of rows that match its sentence and so break a rule. The checks of `backroom doctor` are not
 * repeated here.
 */

const INVARIANTS: readonly (readonly [sentence: string, query: Query])[] = [
  ['a return whose revisions are not those of its events', revisionsOf('return', 'returns', 'return_id')],
  [
    'an order without lines',
    sql`select fulfillment_order_id as id from fulfillment_orders o where not exists (select 1 from order_lines l
      where l.client_id = o.client_id and l.fulfillment_order_id = o.fulfillment_order_id)`,
  ],
  [
    'an order that is being picked on a ticket that is closed or missing or without it',
    sql`select fulfillment_order_id as id from fulfillment_orders o where status = 1150 and not exists (
      select 1 from pick_tickets t join pick_ticket_lines l
        on l.client_id = t.client_id and l.pick_ticket_id = t.pick_ticket_id
      where t.client_id = o.client_id and t.pick_ticket_id = o.pick_ticket_id and t.status <> 'CLOSED'
        and l.fulfillment_order_id = o.fulfillment_order_id)`,
  ],
  [
    'an open ticket whose orders are not all being picked for it',
    sql`select t.pick_ticket_id as id from pick_tickets t where t.status <> 'CLOSED' and t.pick_ticket_type = 'PICK_TICKET'
      and t.total_fulfillment_orders <> (select count(*) from fulfillment_orders o
        where o.client_id = t.client_id and o.pick_ticket_id = t.pick_ticket_id and o.status = 1150)`,
  ],
  [
    'a ticket whose items, lines and totals differ',
    sql`select t.pick_ticket_id as id from pick_tickets t where t.total_quantity <> coalesce((select sum(quantity)
        from pick_ticket_items i where i.client_id = t.client_id and i.pick_ticket_id = t.pick_ticket_id), 0)
      or t.total_quantity <> coalesce((select sum(quantity) from pick_ticket_lines l
        where l.client_id = t.client_id and l.pick_ticket_id = t.pick_ticket_id), 0)`,
  ],
  [
    'a ticket whose saved scans are not numbered from 1',
    sql`select pick_ticket_id as id from pick_ticket_scans group by client_id, pick_ticket_id
      having count(*) <> max(position) or min(position) <> 1`,
  ],
  [
    'a ticket with more units scanned than it has',
    sql`select i.pick_ticket_id as id from pick_ticket_items i join (
        select s.client_id, s.pick_ticket_id, s.id, sum(s.picked + s.canceled) as units from pick_ticket_scans s
        where s.undoes is null and not exists (select 1 from pick_ticket_scans u where u.client_id = s.client_id
          and u.pick_ticket_id = s.pick_ticket_id and u.undoes = s.scan_id)
        group by 1, 2, 3) s
      on s.client_id = i.client_id and s.pick_ticket_id = i.pick_ticket_id and s.id = i.id
      where s.units > i.quantity`,
  ],
  [
    'an order with hand-overs that are not numbered from 1',
    sql`select fulfillment_order_id as id from hand_overs group by client_id, fulfillment_order_id
      having count(*) <> max(position) or min(position) <> 1`,
  ],
  [
    'a hand-over without its event',
    sql`select h.fulfillment_order_id as id from (select client_id, fulfillment_order_id, count(*) as n from hand_overs
        group by client_id, fulfillment_order_id) h
      left join (select client_id, resource_id, count(*) as n from events
        where type in ('order.handedOver', 'order.delivered') group by client_id, resource_id) e
        on e.client_id = h.client_id and e.resource_id = h.fulfillment_order_id
      where h.n <> coalesce(e.n, 0)`,
  ],
  [
    'an order that two re-source requests made',
    sql`select new_fulfillment_order_id as id from resource_requests where new_fulfillment_order_id is not null
      group by client_id, new_fulfillment_order_id having count(*) > 1`,
  ],
  [
    'a shipment whose lines and units differ from its counts',
    sql`select number as id from inbound_shipments s where total_lines <> (select count(*) from inbound_lines l
        where l.client_id = s.client_id and l.seller_id = s.seller_id and l.type = s.type and l.number = s.number)
      or total_units <> (select sum(quantity) from inbound_lines l
        where l.client_id = s.client_id and l.seller_id = s.seller_id and l.type = s.type and l.number = s.number)`,
  ],
  ['an idempotency record without a response', sql`select key as id from idempotency_keys where status is null`],
  [
    'an order number beyond its counter',
    sql`select fulfillment_order_id as id from fulfillment_orders o where fulfillment_id > (
      select max(value) from counters c where c.client_id = o.client_id)`,
  ],
  ['an item whose revisions are not those of its events', revisionsOf('item', 'items', 'item_id')],
  [
    'an order whose revisions are not those of its events',
    revisionsOf('order', 'fulfillment_orders', 'fulfillment_order_id'),
  ],
  ['a ticket whose revisions are not those of its events', revisionsOf('pickTicket', 'pick_tickets', 'pick_ticket_id')],
  [
    'a re-source request whose revisions are not those of its events',
    revisionsOf('resourceRequest', 'resource_requests', 'request_id'),
  ],
  [
    'something that happened twice',
    sql`select type || ' of ' || resource_id as id from events where type in (${sql.join(ONCE.map((type) => sql.lit(type)))})
      group by client_id, resource_type, resource_id, type having count(*) > 1`,
  ],
  [
    'an alert without an event of its opening, or with two',
    sql`select a.alert_id as id from alerts a left join (select client_id, resource_id, count(*) as n from events
        where resource_type = 'alert' and revision = 1 group by client_id, resource_id) e
        on e.client_id = a.client_id and e.resource_id = a.alert_id
      where coalesce(e.n, 0) <> 1`,
  ],
  [
    'an open alert of an order that has left its step',
    sql`select a.alert_id as id from alerts a join fulfillment_orders o
        on o.client_id = a.client_id and o.fulfillment_order_id = a.fulfillment_order_id
      where a.status = 'OPEN' and (o.sla_type is null or o.sla_type <> a.sla_type or o.queued_at <> a.queued_at)`,
  ],
  [
    'a feed with a gap, or whose end is not its last position',
    sql`select e.client_id as id from (
        select client_id, count(position) as places, coalesce(max(position), 0) as last from events group by client_id) e
      left join event_heads h on h.client_id = e.client_id
      where e.places <> e.last or e.last <> coalesce(h.position, 0)`,
  ],
  [
    'a resource whose events are not counted from 1',
    sql`select resource_id as id from events group by client_id, resource_type, resource_id
      having count(sequence) <> coalesce(max(sequence), 0)`,
  ],
  [
    'an event before one of an earlier revision in the feed',
    // The revisions begin again with 1 if a resource is created after its deletion or void.
    sql`select id from (select resource_id as id, revision, lag(revision) over feed as before, lag(type) over feed as ended
      from events where position is not null and revision > 0
      window feed as (partition by client_id, resource_type, resource_id order by position)) as e
      where e.revision < e.before and not (e.revision = 1 and (e.ended = 'inbound.voided' or e.ended like '%.deleted'))`,
  ],
  [
    'an event about an order, ticket or shipment that does not exist and was not voided',
    sql`select event_id as id from events e where client_id = 'TOWN' and (
      (resource_type = 'order' and not exists (select 1 from fulfillment_orders o
        where o.client_id = e.client_id and o.fulfillment_order_id = e.resource_id))
      or (resource_type = 'pickTicket' and not exists (select 1 from pick_tickets t
        where t.client_id = e.client_id and t.pick_ticket_id = e.resource_id))
      or (resource_type = 'inbound' and not exists (select 1 from inbound_shipments s
        where s.client_id = e.client_id and e.resource_id in (s.type || '/' || s.seller_id || '/' || s.number, s.type || '/' || s.number))
        and not exists (select 1 from events v where v.client_id = e.client_id and v.resource_type = 'inbound'
          and v.resource_id = e.resource_id and v.type = 'inbound.voided')))`,
  ],
  [
    'a webhook that has passed an event of its types without a delivery',
    sql`select w.webhook_id as id from webhooks w
      join (select client_id, resource_id, min(position) as position from events where type = 'webhook.created'
        group by client_id, resource_id) made on made.client_id = w.client_id and made.resource_id = w.webhook_id
      join (select client_id, position from events where type like 'inbound.%') e
        on e.client_id = w.client_id and e.position > made.position and e.position <= w.position
      left join webhook_deliveries d on d.client_id = w.client_id and d.webhook_id = w.webhook_id and d.position = e.position
      where d.position is null`,
  ],
  ...Object.entries(GOODS_RULES),
];

const SHOWN = 5;

/** Returns the broken rules, each with ids of rows. */
export async function brokenInvariants(db: Reader): Promise<string[]> {
  const faults: string[] = [];
  for (const [sentence, query] of INVARIANTS) {
    const found = await rows<{ id: string }>(db, query);
    if (found.length === 0) continue;
    const ids = found.map(({ id }) => id).slice(0, SHOWN);
    faults.push(`${sentence}: ${ids.join(', ')} (${found.length})`);
  }
  return [...faults, ...(await untoldLevels(db))];
}

/** Runs SQLite's checks of the file and of foreign keys. */
export async function integrity(db: Reader): Promise<string[]> {
  const answers = await rows<{ integrity_check: string }>(db, sql`pragma integrity_check`);
  const orphans = await rows<{ table: string }>(db, sql`pragma foreign_key_check`);
  return [
    ...answers.filter((row) => row.integrity_check !== 'ok').map((row) => `integrity_check: ${row.integrity_check}`),
    ...orphans.map((row) => `a row of ${row.table} refers to nothing`),
  ];
}
