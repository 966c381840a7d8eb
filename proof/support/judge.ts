/**
 * Compares a database with what the clerks know: nothing acknowledged is lost, nothing refused is there, nothing is half
 * there.
 */
import { sql } from 'kysely';
import type { Reader, Store } from '../../src/storage/db.ts';
import type { Clerk, OrderState, Sent, World } from './clerk.ts';

export interface Verdict {
  faults: string[];
  /** Requests without an answer that were carried out, and those that were not. */
  carriedOut: number;
  notCarriedOut: number;
}

/** Judges, and settles the open request of each clerk by what the database says. */
export async function judge(store: Store, clerks: readonly Clerk[]): Promise<Verdict> {
  const verdict: Verdict = { faults: [], carriedOut: 0, notCarriedOut: 0 };
  await store.read(async (db) => {
    const actual = await worldOf(db);
    const events = await eventsByRequest(db);
    const keys = new Set(
      (await rows<{ key: string }>(db, sql`select key from idempotency_keys`)).map(({ key }) => key),
    );
    for (const clerk of clerks) await judgeClerk(db, clerk, actual, events, keys, verdict);
    const known = new Set(clerks.flatMap((clerk) => [...clerk.carriedOut.keys()]));
    const names = new Set(clerks.map((clerk) => clerk.name));
    const isOurs = (id: string) => names.has(id.slice(0, id.lastIndexOf('-')));
    for (const id of events.keys()) {
      if (isOurs(id) && !known.has(id)) verdict.faults.push(`${id}: events of a request that was not carried out`);
    }
    for (const key of keys) {
      if (isOurs(key) && !known.has(key)) verdict.faults.push(`${key}: an idempotency record without its request`);
    }
    for (const [sentence, query] of INVARIANTS) {
      const found = await rows<{ id: string }>(db, query);
      if (found.length > 0)
        verdict.faults.push(
          `${sentence}: ${found
            .map(({ id }) => id)
            .slice(0, 5)
            .join(', ')}`,
        );
    }
    if (store.engine === 'sqlite') verdict.faults.push(...(await integrity(db)));
  });
  return verdict;
}

async function judgeClerk(
  db: Reader,
  clerk: Clerk,
  actual: World,
  events: Map<string, number>,
  keys: ReadonlySet<string>,
  verdict: Verdict,
): Promise<void> {
  const { open } = clerk;
  if (open !== undefined) {
    if (wasCarriedOut(open, clerk.world, actual, events, keys, verdict.faults)) {
      verdict.carriedOut += 1;
      clerk.settle(open);
      const [order, state] = [...open.effect][0] as [string, OrderState];
      if (open.request.path.endsWith('/generate')) {
        const id = await ticketOf(db, order.slice('order:'.length));
        clerk.adopt({ id, orders: state.with! });
      }
    } else {
      verdict.notCarriedOut += 1;
    }
    clerk.open = undefined;
  }
  for (const [name, state] of clerk.world) {
    const [is, must] = [JSON.stringify(actual.get(name) ?? null), JSON.stringify(state)];
    if (is !== must) verdict.faults.push(`${clerk.name}: ${name} must be ${must} and is ${is}`);
  }
  for (const [id, { events: must, keyed }] of clerk.carriedOut) {
    if ((events.get(id) ?? 0) !== must) verdict.faults.push(`${id}: ${events.get(id) ?? 0} events, not ${must}`);
    if (keyed && !keys.has(id)) verdict.faults.push(`${id}: its idempotency record is missing`);
  }
  clerk.sortOut();
}

/** All of it or nothing of it; a fault for anything between. */
function wasCarriedOut(
  open: Sent,
  world: World,
  actual: World,
  events: Map<string, number>,
  keys: ReadonlySet<string>,
  faults: string[],
): boolean {
  const isThere = [...open.effect].map(([name, state]) => JSON.stringify(actual.get(name)) === JSON.stringify(state));
  const isAsBefore = [...open.effect.keys()].map(
    (name) => JSON.stringify(actual.get(name) ?? null) === JSON.stringify(world.get(name) ?? null),
  );
  const signs = [isThere.every(Boolean), (events.get(open.id) ?? 0) > 0, ...(open.keyed ? [keys.has(open.id)] : [])];
  const isWhole = signs.every(Boolean) || (!signs.some(Boolean) && isAsBefore.every(Boolean));
  if (!isWhole) {
    faults.push(
      `${open.id} (${open.request.method} ${open.request.path}) is half there: effect ${signs[0]}, events ${signs[1]}, ` +
        `idempotency record ${signs[2]}, as before ${isAsBefore.join(', ')}`,
    );
  }
  return signs[0]!;
}

async function rows<R>(db: Reader, query: ReturnType<typeof sql>): Promise<R[]> {
  return (await query.execute(db)).rows as R[];
}

async function eventsByRequest(db: Reader): Promise<Map<string, number>> {
  const found = await rows<{ id: string; n: number }>(
    db,
    sql`select request_id as id, count(*) as n from events where client_id = 'TOWN' group by request_id`,
  );
  return new Map(found.map(({ id, n }) => [id, n]));
}

async function ticketOf(db: Reader, order: string): Promise<string> {
  const query = sql`select pick_ticket_id as id from fulfillment_orders
    where client_id = 'TOWN' and fulfillment_order_id = ${order}`;
  return (await rows<{ id: string }>(db, query))[0]!.id;
}

/** Every resource of the client as the clerks describe them. */
async function worldOf(db: Reader): Promise<World> {
  const world: World = new Map();
  const items = sql`select item_id as id, doc from items where client_id = 'TOWN'`;
  for (const { id, doc } of await rows<{ id: string; doc: string }>(db, items)) {
    world.set(`item:${id}`, { description: (JSON.parse(doc) as { description?: string }).description });
  }
  const orders = sql`select fulfillment_order_id as id, status, pick_ticket_id as ticket from fulfillment_orders
    where client_id = 'TOWN'`;
  const tickets = sql`select pick_ticket_id as id, outcome from pick_tickets where client_id = 'TOWN'`;
  const members = sql`select distinct pick_ticket_id as id, fulfillment_order_id as "order" from pick_ticket_lines
    where client_id = 'TOWN' order by 2`;
  const byTicket = Map.groupBy(await rows<{ id: string; order: string }>(db, members), (row) => row.id);
  const ordersOn = (id: string) => (byTicket.get(id) ?? []).map((row) => row.order).sort();
  for (const { id, outcome } of await rows<{ id: string; outcome: string | null }>(db, tickets)) {
    world.set(`ticket:${id}`, { outcome, orders: ordersOn(id) });
  }
  const lines = await byOrder(
    db,
    sql`select fulfillment_order_id as id, ordered as a, picked as b, declined as c from order_lines
      where client_id = 'TOWN' order by fulfillment_order_id, line_index`,
  );
  const arrivals = await byOrder(
    db,
    sql`select fulfillment_order_id as id, checked_in as a, canceled as b from checkin_package_items
      where client_id = 'TOWN' order by fulfillment_order_id, package_index, line_index`,
  );
  for (const { id, status, ticket } of await rows<{ id: string; status: number; ticket: string | null }>(db, orders)) {
    const state: OrderState = {
      status,
      with: status === 1150 && ticket !== null ? ordersOn(ticket) : null,
      lines: (lines.get(id) ?? []).map(({ a, b, c }) => [a!, b!, c]),
      arrivals: (arrivals.get(id) ?? []).map(({ a, b }) => [a, b]),
    };
    world.set(`order:${id}`, state);
  }
  const inbound = sql`select number as id, quantity from inbound_lines where client_id = 'TOWN' order by number, line_index`;
  const shipments = Map.groupBy(await rows<{ id: string; quantity: number }>(db, inbound), (row) => row.id);
  for (const [id, own] of shipments) world.set(`inbound:${id}`, { units: own.map((row) => row.quantity) });
  return world;
}

interface Numbers {
  id: string;
  a: number | null;
  b: number | null;
  c: number;
}

async function byOrder(db: Reader, query: ReturnType<typeof sql>): Promise<Map<string, Numbers[]>> {
  return Map.groupBy(await rows<Numbers>(db, query), (row) => row.id);
}

const lastRevision = (type: string, id: ReturnType<typeof sql>) => sql`(select max(e.revision) from events e
  where e.client_id = r.client_id and e.resource_type = ${sql.lit(type)} and e.resource_id = ${id})`;

/** Each finds what must not be: the ids of rows that break the sentence. */
const INVARIANTS: readonly (readonly [sentence: string, query: ReturnType<typeof sql>])[] = [
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
    sql`select t.pick_ticket_id as id from pick_tickets t where t.status <> 'CLOSED' and t.total_fulfillment_orders <> (
      select count(*) from fulfillment_orders o where o.client_id = t.client_id and o.pick_ticket_id = t.pick_ticket_id
        and o.status = 1150)`,
  ],
  [
    'a ticket whose items, lines and totals differ',
    sql`select t.pick_ticket_id as id from pick_tickets t where t.total_quantity <> coalesce((select sum(quantity)
        from pick_ticket_items i where i.client_id = t.client_id and i.pick_ticket_id = t.pick_ticket_id), 0)
      or t.total_quantity <> coalesce((select sum(quantity) from pick_ticket_lines l
        where l.client_id = t.client_id and l.pick_ticket_id = t.pick_ticket_id), 0)`,
  ],
  [
    'an order line that is not what was picked for it',
    sql`select l.fulfillment_order_id as id from order_lines l join fulfillment_orders o on o.client_id = l.client_id
        and o.fulfillment_order_id = l.fulfillment_order_id
      where o.fulfillment_type = 'STORE_PICK_UP' and (l.picked <> coalesce((select sum(p.picked)
        from pick_ticket_lines p join pick_tickets t on t.client_id = p.client_id and t.pick_ticket_id = p.pick_ticket_id
        where p.client_id = l.client_id and p.fulfillment_order_id = l.fulfillment_order_id
          and p.line_index = l.line_index and t.outcome = 'CONFIRMED'), 0)
        or (o.status >= 1400 and l.picked + l.declined <> l.ordered))`,
  ],
  [
    'an order line that is not what was checked in for it',
    sql`select l.fulfillment_order_id as id from order_lines l join fulfillment_orders o on o.client_id = l.client_id
        and o.fulfillment_order_id = l.fulfillment_order_id
      where o.fulfillment_type = 'SHIP_TO_STORE' and o.status >= 1400 and (l.picked + l.declined <> l.ordered
        or l.picked <> (select sum(i.checked_in) from checkin_package_items i where i.client_id = l.client_id
          and i.fulfillment_order_id = l.fulfillment_order_id and i.line_index = l.line_index))`,
  ],
  [
    'a shipment that has not the lines and units it was counted with',
    sql`select number as id from inbound_shipments s where total_lines <> (select count(*) from inbound_lines l
        where l.client_id = s.client_id and l.type = s.type and l.number = s.number)
      or total_units <> (select sum(quantity) from inbound_lines l
        where l.client_id = s.client_id and l.type = s.type and l.number = s.number)`,
  ],
  ['an idempotency record without an answer', sql`select key as id from idempotency_keys where status is null`],
  [
    'an order number beyond its counter',
    sql`select fulfillment_order_id as id from fulfillment_orders o where fulfillment_id > (
      select max(value) from counters c where c.client_id = o.client_id)`,
  ],
  [
    'an item that is not at the revision of its last event',
    sql`select item_id as id from items r where revision <> ${lastRevision('item', sql`r.item_id`)}`,
  ],
  [
    'an order that is not at the revision of its last event',
    sql`select fulfillment_order_id as id from fulfillment_orders r
      where revision <> ${lastRevision('order', sql`r.fulfillment_order_id`)}`,
  ],
  [
    'a ticket that is not at the revision of its last event',
    sql`select pick_ticket_id as id from pick_tickets r where revision <> ${lastRevision('pickTicket', sql`r.pick_ticket_id`)}`,
  ],
  [
    'an event about an order, ticket or shipment that is not there',
    sql`select event_id as id from events e where client_id = 'TOWN' and (
      (resource_type = 'order' and not exists (select 1 from fulfillment_orders o
        where o.client_id = e.client_id and o.fulfillment_order_id = e.resource_id))
      or (resource_type = 'pickTicket' and not exists (select 1 from pick_tickets t
        where t.client_id = e.client_id and t.pick_ticket_id = e.resource_id))
      or (resource_type = 'inbound' and not exists (select 1 from inbound_shipments s
        where s.client_id = e.client_id and s.type = 'ASN' and s.number = substr(e.resource_id, 5))))`,
  ],
];

async function integrity(db: Reader): Promise<string[]> {
  const answers = await rows<{ integrity_check: string }>(db, sql`pragma integrity_check`);
  const orphans = await rows<{ table: string }>(db, sql`pragma foreign_key_check`);
  return [
    ...answers.filter((row) => row.integrity_check !== 'ok').map((row) => `integrity_check: ${row.integrity_check}`),
    ...orphans.map((row) => `a row of ${row.table} refers to nothing`),
  ];
}
