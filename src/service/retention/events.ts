/**
 * Deletes events at the end of their retention, beginning with the first positions of each client. It keeps events that
 * a webhook still has to send, or that can lead to a statement for an EDI partner (docs/events.md#reading-the-feed).
 */
import { sql } from 'kysely';
import type { Ctx } from '../../platform/ctx.ts';
import type { Due } from '../../platform/due.ts';
import type { DueKind } from '../../platform/due-kind.ts';
import { lastOld } from '../../platform/last-old.ts';
import { isWhole } from '../../platform/storage/partitions.ts';
import { DAY_MS } from '../../platform/time.ts';

const BATCH = 1_000;
const LOOK_EVERY_MS = 60_000;

export const events: DueKind = {
  name: 'events past their time',
  upkeepEveryMs: LOOK_EVERY_MS,
  // Crosses tenants: the query reads only the first events of each client, by an index of that client
  // (docs/decisions/190). If events are partitioned, only whole months are deleted.
  due: async (db, now, limit, { eventDays }) => {
    if (eventDays === undefined) return [];
    const { rows } = await sql<Omit<Due, 'at'>>`
      select client_id as "clientId", cast(gone as text) as id from (
        select h.client_id, h.gone,
          (select e.at from events e where e.client_id = h.client_id and e.position > h.gone and e.at <= ${now}
            order by e.position limit 1) as at
        from event_heads h
        where not exists (select 1 from webhooks w where w.client_id = h.client_id and w.position <= h.gone)
          and not exists (select 1 from edi_partners p where p.client_id = h.client_id and p.feed_position <= h.gone)
          and not exists (select 1 from webhooks w cross join webhook_deliveries d
            where w.client_id = h.client_id and d.client_id = w.client_id and d.webhook_id = w.webhook_id
            and d.position = h.gone + 1 and d.status = 'PENDING')
      ) as heads where at <= ${now - eventDays * DAY_MS} and ${isWhole(db)} order by at limit ${limit}`.execute(db);
    return rows.map((row) => ({ ...row, at: now }));
  },
  run: async ({ write, removed, config, ports }, { clientId }) => {
    const upTo = ports.now() - config.eventDays! * DAY_MS;
    const count = await write((ctx) => purgeEvents(ctx, clientId, upTo));
    removed('events', count);
    return count > 0;
  },
};

/** Deletes a batch of the oldest events of a client up to an instant. Returns their number. */
async function purgeEvents(ctx: Ctx, clientId: string, upTo: number): Promise<number> {
  const head = await ctx.db
    .selectFrom('event_heads')
    .select('gone')
    .where('client_id', '=', clientId)
    .modifyEnd(ctx.dialect.forUpdate)
    .executeTakeFirst();
  if (head === undefined) return 0;
  const { rows: needs } = await sql<Needs>`
    select ${NEEDS} from event_heads h where h.client_id = ${clientId}`.execute(ctx.db);
  const free = lastSent(needs[0]!);
  const rows = sql<{ position: number; at: number }>`
    select position, at from events where client_id = ${clientId} and position > ${head.gone}`;
  const old = await lastOld(ctx.db, rows, { upTo, now: ctx.now, limit: BATCH });
  const last = Math.min(free, old ?? 0);
  if (last <= head.gone) return 0;
  await carrySequences(ctx, clientId, head.gone, last);
  const done = await ctx.db
    .deleteFrom('events')
    .where('client_id', '=', clientId)
    .where('position', '>', head.gone)
    .where('position', '<=', last)
    .executeTakeFirst();
  await ctx.db.updateTable('event_heads').set({ gone: last }).where('client_id', '=', clientId).execute();
  return Number(done.numDeletedRows);
}

/** First positions that something of the client still needs; null if nothing does. */
export interface Needs {
  hook: number | null;
  partner: number | null;
  pending: number | null;
}

/**
 * Columns of `Needs` for the client of the row `h` of `event_heads`. They look up the deliveries of each webhook,
 * because the indexes of deliveries begin with the webhook.
 */
export const NEEDS = sql`
  (select min(w.position) from webhooks w where w.client_id = h.client_id) as hook,
  (select min(p.feed_position) from edi_partners p where p.client_id = h.client_id) as partner,
  (select min((select min(d.position) from webhook_deliveries d
    where d.client_id = w.client_id and d.webhook_id = w.webhook_id and d.status = 'PENDING'))
    from webhooks w where w.client_id = h.client_id) as pending`;

/**
 * Returns the last position up to which events are no longer needed: no webhook of the client has to send one, and
 * every EDI partner has read them.
 */
export function lastSent({ hook, partner, pending }: Needs): number {
  return Math.min(hook ?? Infinity, partner ?? Infinity, pending === null ? Infinity : pending - 1);
}

interface Numbered {
  resource_type: string;
  resource_id: string;
  sequence: number;
}

const NUMBERED = { resource_type: 'text', resource_id: 'text', sequence: 'integer' } as const;

/**
 * Saves the last sequence number of each existing resource whose last event is at a position above `after` and at most
 * `last`.
 */
export async function carrySequences(ctx: Ctx, clientId: string, after: number, last: number): Promise<void> {
  const { rows } = await sql<Numbered>`
    select e.resource_type, e.resource_id, e.sequence from events as e
    where e.client_id = ${clientId} and e.position > ${after} and e.position <= ${last}
      and not exists (select 1 from events as later where later.client_id = e.client_id
        and later.resource_type = e.resource_type and later.resource_id = e.resource_id
        and later.sequence > e.sequence and later.sequence is not null)`.execute(ctx.db);
  const kept: Numbered[] = [];
  for (const [type, own] of Map.groupBy(rows, (row) => row.resource_type)) {
    const ids = own.map((row) => row.resource_id);
    const isThere = await findThere(ctx, clientId, type, ids);
    kept.push(...own.filter((row) => isThere(row.resource_id)));
  }
  if (kept.length === 0) return;
  const values = kept.map((row) => ({ client_id: clientId, ...row }));
  await ctx.db
    .insertInto('event_sequences')
    .columns(['client_id', 'resource_type', 'resource_id', 'sequence'])
    .expression(ctx.dialect.rowsOf(values, { client_id: 'text', ...NUMBERED }))
    .onConflict((on) =>
      on
        .columns(['client_id', 'resource_type', 'resource_id'])
        .doUpdateSet((eb) => ({ sequence: eb.ref('excluded.sequence') })),
    )
    .execute();
}

/**
 * Types of resources that retention deletes, with their tables; `findShipments` looks for shipments, `findAtNodes` for
 * resources whose ids begin with their node. Resources of other types count as existing.
 */
const PASSING = {
  order: ['fulfillment_orders', 'fulfillment_order_id'],
  pickTicket: ['pick_tickets', 'pick_ticket_id'],
  alert: ['alerts', 'alert_id'],
  resourceRequest: ['resource_requests', 'request_id'],
  return: ['returns', 'return_id'],
  refund: ['refunds', 'refund_id'],
  ediInterchange: ['edi_interchanges', 'interchange_id'],
} as const;

const AT_NODES = {
  count: ['stock_counts', 'count_id'],
  countPlan: ['count_plans', 'plan_id'],
} as const;

async function findThere(
  ctx: Ctx,
  clientId: string,
  type: string,
  ids: readonly string[],
): Promise<(id: string) => boolean> {
  if (type === 'inbound') return findShipments(ctx, clientId, ids);
  if (type in AT_NODES) return findAtNodes(ctx, clientId, type as keyof typeof AT_NODES, ids);
  if (!(type in PASSING)) return () => true;
  const [table, column] = PASSING[type as keyof typeof PASSING];
  const { rows } = await sql<{ id: string }>`
    select ${sql.ref(column)} as id from ${sql.table(table)}
    where client_id = ${clientId} and ${sql.ref(column)} in ${ctx.dialect.listOf(ids, 'text')}`.execute(ctx.db);
  const there = new Set(rows.map(({ id }) => id));
  return (id) => there.has(id);
}

/**
 * Finds counts or count plans by the ids in events: the node, a slash, the id. The node and the id can also contain
 * slashes.
 */
async function findAtNodes(
  ctx: Ctx,
  clientId: string,
  type: keyof typeof AT_NODES,
  ids: readonly string[],
): Promise<(id: string) => boolean> {
  const [table, column] = AT_NODES[type];
  const keys = ids.flatMap((id) => {
    const parts = id.split('/');
    return parts.slice(1).map((_part, index) => ({
      node: parts.slice(0, index + 1).join('/'),
      own: parts.slice(index + 1).join('/'),
    }));
  });
  const { rows } = await sql<{ id: string }>`
    select node_id || '/' || ${sql.ref(column)} as id from ${sql.table(table)}
    where client_id = ${clientId} and (node_id, ${sql.ref(column)}) in ${ctx.dialect.rowsOf(keys, { node: 'text', own: 'text' })}
    `.execute(ctx.db);
  const there = new Set(rows.map(({ id }) => id));
  return (id) => there.has(id);
}

/** Finds shipments by the ids in events. Slashes separate the parts of an id, and a part can also contain a slash. */
async function findShipments(ctx: Ctx, clientId: string, ids: readonly string[]): Promise<(id: string) => boolean> {
  const parts = ids.flatMap((id) => {
    const [type = '', ...rest] = id.split('/');
    return rest.slice(1).map((_part, index) => ({
      id,
      type,
      seller: rest.slice(0, index + 1).join('/'),
      number: rest.slice(index + 1).join('/'),
    }));
  });
  const rows = await ctx.db
    .selectFrom(ctx.dialect.rowsOf(parts, { id: 'text', type: 'text', seller: 'text', number: 'text' }).as('part'))
    .innerJoin('inbound_shipments as s', (join) =>
      join
        .on('s.client_id', '=', clientId)
        .onRef('s.seller_id', '=', 'part.seller')
        .onRef('s.number', '=', 'part.number')
        .on((eb) => eb(eb.cast<string>('s.type', 'text'), '=', eb.ref('part.type'))),
    )
    .select('part.id')
    .execute();
  const there = new Set(rows.map(({ id }) => id));
  return (id) => there.has(id);
}
