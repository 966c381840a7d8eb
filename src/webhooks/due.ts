/** What the scheduler must know of webhooks and of the feed: when one has something to send, and upkeep. */

import { sql } from 'kysely';
import { placeEvents } from '../events/place.ts';
import type { Due } from '../platform/due.ts';
import type { DueKind, Parts } from '../platform/due-kind.ts';
import { gateOf } from '../platform/http/gate.ts';
import type { Store } from '../platform/storage/db.ts';
import type { WebhookRow } from '../platform/storage/tables.ts';
import { DAY_MS } from '../platform/time.ts';
import { runWebhook } from './deliver.ts';
import { claimWebhook } from './store.ts';

/** Runs that are under way, by the store they write to. */
const running = new WeakMap<Store, { stop: AbortController; runs: Set<Promise<void>> }>();

/**
 * Webhooks that have something to send: a delivery that is due again, or events they have not seen. A run is started and not
 * waited for, because another side may take its time; it owns its webhook by a lease.
 */
export const webhookRuns: DueKind = {
  name: 'webhooks',
  // Crosses tenants: of whichever client (docs/decisions/190). Webhooks are few, and each is asked along indexes of its client.
  due: (db, now, limit) =>
    sql<Due>`
      select at, "clientId", id from (
        select w.client_id as "clientId", w.webhook_id as id, coalesce(
          (select min(d.due_at) from webhook_deliveries d
            where d.client_id = w.client_id and d.webhook_id = w.webhook_id and d.due_at <= ${now}),
          (select e.at from events e where e.client_id = w.client_id and e.position = w.position + 1),
          (select e.at from events e where e.client_id = w.client_id and e.position is null order by e.written limit 1)
        ) as at
        from webhooks w
        where w.enabled = 1 and (w.lease_until is null or w.lease_until <= ${now})
          and (w.paused_until is null or w.paused_until <= ${now})
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

/** The secrets that sign now, the newest first. */
function secretsOf(row: WebhookRow, now: number, open: (sealed: string) => string): string[] {
  const isOldValid = row.old_secret !== null && row.old_secret_until! > now;
  return isOldValid ? [open(row.secret), open(row.old_secret!)] : [open(row.secret)];
}

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
    ports.log.error({ err: error, clientId, webhookId }, 'a run of a webhook failed; it is repeated');
  });
  own.runs.add(run);
  void run.then(() => own.runs.delete(run));
}

/**
 * Frees what a process owned that was killed, where one process alone serves the database: others wait for the lease.
 * Crosses tenants: webhooks of whichever client (docs/decisions/190).
 */
export async function freeWebhooks(store: Store): Promise<void> {
  if (store.engine !== 'sqlite') return;
  await store.write((tx) =>
    tx.updateTable('webhooks').set({ lease_id: null, lease_until: null }).where('lease_id', 'is not', null).execute(),
  );
}

/** Resolves when every run that was started is done. */
export async function webhookRunsDone(store: Store): Promise<void> {
  await Promise.all([...(running.get(store)?.runs ?? [])]);
}

/** Breaks off every attempt that is under way; what was not written down is sent again after the lease. */
export async function stopWebhookRuns(store: Store): Promise<void> {
  running.get(store)?.stop.abort();
  await webhookRunsDone(store);
}

/** Positions are given where nobody reads, too, so that the first who does need not wait. */
export const eventPositions: DueKind = {
  name: 'event positions',
  upkeepEveryMs: 1_000,
  neverEnds: true,
  // Crosses tenants: events of whichever client (docs/decisions/190).
  due: (db, now, limit) =>
    sql<Omit<Due, 'at'>>`
      select distinct client_id as "clientId", '' as id from events where position is null
      order by client_id limit ${limit}`
      .execute(db)
      .then(({ rows }) => rows.map((row) => ({ ...row, at: now }))),
  run: async ({ store }, { clientId }) => (await placeEvents(store, clientId, 2_000)) > 0,
};

const PURGE_ROWS = 500;

/** Deliveries that ended long ago are forgotten. */
export const webhookLog: DueKind = {
  name: 'webhook log',
  upkeepEveryMs: 600_000,
  // Crosses tenants: age is all it asks, along an index by age (docs/decisions/190).
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

/** Forgets a batch of deliveries that ended up to an instant; returns whether there were any. */
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
        .execute();
    }
    return old.length;
  });
  return done > 0;
}
