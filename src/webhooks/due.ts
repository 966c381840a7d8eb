/**
 * Scheduled work of webhooks and of the feed: runs of webhooks, positions of events, and deletion of old deliveries.
 */

import { sql } from 'kysely';
import { placeEvents } from '../events/place.ts';
import type { Due } from '../platform/due.ts';
import type { DueKind, Parts } from '../platform/due-kind.ts';
import { gateOf } from '../platform/http/gate.ts';
import type { Store } from '../platform/storage/db.ts';
import type { WebhookRow } from '../platform/storage/tables.ts';
import { DAY_MS } from '../platform/time.ts';
import { runWebhook } from './deliver.ts';
import { WAITS_AT_MOST_MS } from './schedule.ts';
import { claimWebhook, isOver, secretsOf } from './store.ts';

/** Runs in progress, by store. */
const running = new WeakMap<Store, { stop: AbortController; runs: Set<Promise<void>> }>();

/**
 * Returns the time since which an event is due, at the latest now. An event from a clock that was ahead is due too, so
 * that it does not hold up the events after it.
 */
const dueSince = (now: number) => sql<number>`case when e.at > ${now} then ${now} else e.at end`;

/**
 * Finds webhooks with a due retry or with new events, and starts their runs. It does not wait for a run, because a
 * receiver can be slow. A lease ensures that at most one run at a time writes outcomes of a webhook.
 */
export const webhookRuns: DueKind = {
  name: 'webhooks',
  // Crosses tenants: reads the webhooks of all clients (docs/decisions/190). There are few webhooks, and each lookup
  // uses an index of its client.
  due: (db, now, limit) =>
    sql<Due>`
      select at, "clientId", id from (
        select w.client_id as "clientId", w.webhook_id as id, coalesce(
          (select min(d.due_at) from webhook_deliveries d
            where d.client_id = w.client_id and d.webhook_id = w.webhook_id and d.due_at <= ${now}),
          (select cast(${now} as bigint) from webhook_deliveries d
            where d.client_id = w.client_id and d.webhook_id = w.webhook_id and d.due_at > ${now + WAITS_AT_MOST_MS}
            limit 1),
          (select ${dueSince(now)} from events e where e.client_id = w.client_id and e.position = w.position + 1),
          (select ${dueSince(now)} from events e
            where e.client_id = w.client_id and e.position is null order by e.written limit 1)
        ) as at
        from webhooks w
        where w.enabled = 1 and ${isOver('w.lease_until', now)} and ${isOver('w.paused_until', now)}
      ) as hooks
      where at <= ${now} order by at, "clientId", id limit ${limit}`
      .execute(db)
      .then(({ rows }) => rows),
  next: async (db, after) => {
    const { rows } = await sql<Due>`
      select at, "clientId", id from (
        select w.client_id as "clientId", w.webhook_id as id, (
          select min(d.due_at) from webhook_deliveries d
          where d.client_id = w.client_id and d.webhook_id = w.webhook_id and d.due_at > ${after}
        ) as at
        from webhooks w where w.enabled = 1
        union all
        select w.client_id, w.webhook_id, w.paused_until from webhooks w
        where w.enabled = 1 and w.paused_until > ${after}
      ) as hooks
      where at is not null order by at, "clientId", id limit 1`.execute(db);
    return rows[0];
  },
  run: async (parts, { clientId, id }) => {
    const claimed = await parts.write(async (ctx) => {
      const row = await claimWebhook(ctx, { clientId, webhookId: id });
      return row && { row, secrets: secretsOf(row, ctx.now, (sealed) => ctx.sealer.open(sealed)) };
    });
    if (claimed === undefined) return false;
    start(parts, claimed.row, claimed.secrets);
    return true;
  },
};

function start({ config, ports, store, write, tracing }: Parts, row: WebhookRow, secrets: readonly string[]): void {
  const own = running.get(store) ?? { stop: new AbortController(), runs: new Set() };
  running.set(store, own);
  const work = async () => {
    const { send } = await import('./send.ts');
    const gate = gateOf(config.webhookAllow);
    await runWebhook({ store, config, ports, write, gate, send, secrets, tracing, signal: own.stop.signal }, row);
  };
  const run = work().catch((error: unknown) => {
    const { client_id: clientId, webhook_id: webhookId } = row;
    ports.log.error({ err: error, clientId, webhookId }, 'a run of a webhook failed; the scheduler starts another one');
  });
  own.runs.add(run);
  void run.then(() => own.runs.delete(run));
}

/**
 * Ends the leases of a killed process on SQLite, where only one process serves the database. On PostgreSQL, the leases
 * expire instead. Crosses tenants: the webhooks of all clients (docs/decisions/190).
 */
export async function freeWebhooks(store: Store): Promise<void> {
  if (store.engine !== 'sqlite') return;
  await store.write((tx) =>
    tx.updateTable('webhooks').set({ lease_id: null, lease_until: null }).where('lease_id', 'is not', null).execute(),
  );
}

/** Resolves when all started runs are done. */
export async function webhookRunsDone(store: Store): Promise<void> {
  await Promise.all([...(running.get(store)?.runs ?? [])]);
}

/**
 * Aborts every attempt in progress and waits for the runs. Events of attempts without a written outcome are sent again
 * later.
 */
export async function stopWebhookRuns(store: Store): Promise<void> {
  running.get(store)?.stop.abort();
  await webhookRunsDone(store);
}

/** Gives positions to events even if no client reads the feed, so that the first reader does not wait for them. */
export const eventPositions: DueKind = {
  name: 'event positions',
  upkeepEveryMs: 1_000,
  neverEnds: true,
  // Crosses tenants: the events of all clients (docs/decisions/190).
  due: (db, now, limit) =>
    sql<Omit<Due, 'at'>>`
      select distinct client_id as "clientId", '' as id from events where position is null
      order by client_id limit ${limit}`
      .execute(db)
      .then(({ rows }) => rows.map((row) => ({ ...row, at: now }))),
  run: async ({ store }, { clientId }) => (await placeEvents(store, clientId, 2_000)) > 0,
};

const PURGE_ROWS = 500;

/** Deletes deliveries that ended more than WEBHOOK_LOG_DAYS ago. */
export const webhookLog: DueKind = {
  name: 'webhook log',
  upkeepEveryMs: 600_000,
  // Crosses tenants: only the age matters, and the query uses an index by age (docs/decisions/190).
  due: async (db, now, _limit, config) => {
    const keepMs = config.webhookLogDays * DAY_MS;
    const oldest = await db
      .selectFrom('webhook_deliveries')
      .select('updated_at')
      .where('due_at', 'is', null)
      .where('updated_at', '<=', now - keepMs)
      .orderBy('updated_at')
      .limit(1)
      .executeTakeFirst();
    return oldest === undefined ? [] : [{ at: oldest.updated_at + keepMs, clientId: '', id: '' }];
  },
  run: ({ store, ports, config }) => purgeDeliveries(store, ports.now() - config.webhookLogDays * DAY_MS),
};

/** Deletes a batch of deliveries that ended at or before `upTo`. Returns whether it deleted any. */
export async function purgeDeliveries(store: Store, upTo: number): Promise<boolean> {
  const done = await store.write(async (tx) => {
    const old = await tx
      .selectFrom('webhook_deliveries')
      .select(['client_id', 'webhook_id', 'position'])
      .where('due_at', 'is', null)
      .where('updated_at', '<=', upTo)
      .orderBy('updated_at')
      .limit(PURGE_ROWS)
      .execute();
    for (const row of old) {
      await tx
        .deleteFrom('webhook_deliveries')
        .where('client_id', '=', row.client_id)
        .where('webhook_id', '=', row.webhook_id)
        .where('position', '=', row.position)
        // A replay can have made the delivery due again in the meantime.
        .where('due_at', 'is', null)
        .execute();
    }
    return old.length;
  });
  return done > 0;
}
