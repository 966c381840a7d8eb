/**
 * Metrics of the whole installation, for the operator, for example about orders, webhooks and the database. They are
 * read from the database at most once in CACHE_MS, even if `/metrics` is requested more often (docs/operating.md,
 * Metrics).
 */

import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../../platform/config.ts';
import { clockOffset } from '../../platform/storage/clock.ts';
import type { Reader, Store } from '../../platform/storage/db.ts';
import { currentVersion } from '../../platform/storage/migrate.ts';
import { isPostgres, realSqliteFile } from '../../platform/storage/url.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import { VERSION } from '../../platform/version.ts';
import { deliveriesInLog } from '../../webhooks/store.ts';
import { archiveOf } from '../backup/archive.ts';
import { type EdiFigures, readEdiFigures } from './edi-figures.ts';
import { NO_TRAINING, type ReturnFigures, readReturnFigures } from './return-figures.ts';

const CACHE_MS = 15_000;

/**
 * Maximum wait for the figures. A database that does not respond must not delay the other metrics, which show this.
 * Until a slow read ends, the figures of the read before it are shown, if they are not older than KNOWN_MS.
 */
const PATIENCE_MS = 2_000;
const KNOWN_MS = 5 * MINUTE_MS;

/** Age classes of orders, by hours since their fulfillment order date. The last class has no upper limit. */
const AGES = [
  ['under_1h', 1],
  ['under_4h', 4],
  ['under_1d', 24],
  ['under_7d', 168],
  ['older', Number.POSITIVE_INFINITY],
] as const;

/** Kinds of data in `backroom_oldest_timestamp_seconds`, with their retention settings. */
const KEPT_FOR = {
  orders: 'orderDays',
  events: 'eventDays',
  shipments: 'shipmentDays',
  'stock moves': 'stockDays',
  'access events': 'accessLogDays',
} as const;

/** Kinds of data in `backroom_retention_seconds`. The age of interchanges and keys is not measured. */
const RETENTION = { ...KEPT_FOR, interchanges: 'ediDays', keys: 'keyDays' } as const;

export type KeptFor = Pick<Config, (typeof RETENTION)[keyof typeof RETENTION]>;

interface Figures {
  orders: { queue: string; age: string; count: number }[];
  alerts: { type: string; queue: string; count: number }[];
  webhooks: { enabled: number; failing: number; disabled: number; backlog: number; dead: number };
  ofReturns: ReturnFigures;
  edi: EdiFigures;
  /** Time of the oldest event that cannot be deleted because a webhook has not sent it, by the state of the webhook. */
  held: ReadonlyMap<string, number>;
  /** `wal` exists only on SQLite, because the size of a PostgreSQL server's log is not visible here. */
  bytes: { file: number; wal?: number };
  /** Bytes of the write-ahead log that each replication slot retains; empty without slots. */
  slots: { slot: string; bytes: number }[];
  /** Number of commits that wait for a synchronous standby; undefined on SQLite. */
  commitsWaiting: number | undefined;
  /** Milliseconds by which this machine's clock is ahead of the server's clock; undefined on SQLite. */
  clockOffsetMs: number | undefined;
  lastBackupAt: number | undefined;
  /**
   * On PostgreSQL: time at which the server last archived a segment of its log. Undefined if it archives nothing, or if
   * its last attempt failed.
   */
  lastArchiveAt: number | undefined;
  /** Interval of `backup --every`, from the row BACKUP_EVERY; undefined without the row. */
  backupEveryMs: number | undefined;
  /** Time of the oldest row of each kind. */
  oldest: ReadonlyMap<string, number>;
  schema: number;
  engine: Store['engine'];
}

/** Name of the row of `installation` with the end of the last backup, in epoch milliseconds. */
export const LAST_BACKUP = 'lastBackupAt';

/**
 * Name of the row with the interval of backups, in milliseconds. The row exists while `backup --every` runs, after it
 * was killed, and after a later start that failed.
 */
export const BACKUP_EVERY = 'backupEveryMs';

// The queries read all clients, because an operator monitors the whole installation.
async function readFigures(store: Store, now: number): Promise<Figures> {
  const schema = await currentVersion(store);
  const rows = await store.read(async (db) => {
    const age = AGES.slice(0, -1).map(
      ([name, hours]) => sql`when fulfillment_order_date > ${now - hours * HOUR_MS} then ${sql.lit(name)}`,
    );
    const ageOf = sql<string>`case ${sql.join(age, sql` `)} else 'older' end`;
    const orders = await db
      .selectFrom('fulfillment_orders')
      .select((eb) => ['queue_id as queue', ageOf.as('age'), eb.fn.countAll<number>().as('count')])
      .where('queue_id', 'is not', null)
      .where(NO_TRAINING)
      .groupBy(['queue_id', 'age'])
      .execute();
    const alerts = await db
      .selectFrom('alerts')
      .select((eb) => ['alert_type as type', 'queue_id as queue', eb.fn.countAll<number>().as('count')])
      // The literal is the condition of the index `alerts_open`.
      .where(sql<boolean>`status = 'OPEN'`)
      .where(NO_TRAINING)
      .groupBy(['alert_type', 'queue_id'])
      .execute();
    const sum = (condition: string) =>
      sql<number>`cast(coalesce(sum(case when ${sql.raw(condition)} then 1 else 0 end), 0) as bigint)`;
    const webhooks = await db
      .selectFrom('webhooks as w')
      .leftJoin('event_heads as h', 'h.client_id', 'w.client_id')
      .select([
        sum('w.enabled = 1').as('enabled'),
        sum('w.enabled = 1 and w.failing_since is not null').as('failing'),
        sum('w.disabled_reason is not null').as('disabled'),
        sql<number>`cast(coalesce(sum(case when w.enabled = 1 then coalesce(h.position, 0) - w.position else 0 end), 0) as bigint)`.as(
          'unread',
        ),
      ])
      .executeTakeFirstOrThrow();
    const deliveries = await deliveriesInLog(db)
      .select((eb) => ['d.status', eb.fn.countAll<number>().as('count')])
      // Nothing sends the retries of a disabled webhook.
      .where('d.status', 'in', ['PENDING', 'DEAD'])
      .where((eb) => eb.or([eb('d.status', '=', 'DEAD'), eb('w.enabled', '=', 1)]))
      .groupBy('d.status')
      .execute();
    const backups = await db
      .selectFrom('installation')
      .select(['name', 'value'])
      .where('client_id', '=', '')
      .where('name', 'in', [LAST_BACKUP, BACKUP_EVERY])
      .execute();
    const oldest = await oldestOf(db);
    const held = await heldOf(db);
    const ofReturns = await readReturnFigures(db, store, now);
    const edi = await readEdiFigures(db, store, now);
    return { orders, alerts, webhooks, deliveries, backups, oldest, held, edi, ofReturns };
  });
  const backup = (name: string) => {
    const row = rows.backups.find((one) => one.name === name);
    return row && Number(row.value);
  };
  const deliveries = new Map(rows.deliveries.map(({ status, count }) => [status, count]));
  const { unread, ...webhooks } = rows.webhooks;
  return {
    orders: rows.orders.map((row) => ({ ...row, queue: row.queue! })),
    alerts: rows.alerts,
    webhooks: { ...webhooks, backlog: unread + (deliveries.get('PENDING') ?? 0), dead: deliveries.get('DEAD') ?? 0 },
    edi: rows.edi,
    held: rows.held,
    ofReturns: rows.ofReturns,
    bytes: await bytesOf(store),
    slots: await slotsOf(store),
    commitsWaiting: await commitsWaitingOf(store),
    clockOffsetMs: isPostgres(store.url) ? (await clockOffset(store, Date.now)).offsetMs : undefined,
    oldest: rows.oldest,
    lastBackupAt: backup(LAST_BACKUP),
    lastArchiveAt: isPostgres(store.url) ? (await archiveOf(store)).lastAt : undefined,
    backupEveryMs: backup(BACKUP_EVERY),
    schema,
    engine: store.engine,
  };
}

/** Returns the time of the oldest row of each kind in KEPT_FOR. The queries use indexes on time. */
async function oldestOf(db: Reader): Promise<Map<string, number>> {
  const { rows } = await sql<{ kind: string; at: number | null }>`
    select 'orders' as kind, (select min(ended_at) from fulfillment_orders where ended_at is not null) as at
    union all select 'events', (select min(e.at) from event_heads h
      join events e on e.client_id = h.client_id and e.position = h.gone + 1)
    union all select 'shipments', (select min(created_at) from inbound_shipments where status = 'CLOSED')
    union all select 'stock moves', (select min(first.at) from (
      select (select min(m.at) from stock_moves m where m.client_id = c.client_id) as at from clients c) first)
    union all select 'access events', (select at from access_events order by position limit 1)`.execute(db);
  return new Map(rows.flatMap(({ kind, at }) => (at === null ? [] : [[kind, at] as const])));
}

/**
 * Returns the time of the oldest event that a webhook keeps from deletion (docs/events.md#reading-the-feed), by the
 * state of the webhook. It is the event of the webhook's oldest pending delivery; if no delivery is pending, the next
 * event that the webhook sends. The query uses indexes of each client.
 */
async function heldOf(db: Reader): Promise<Map<string, number>> {
  const { rows } = await sql<{ state: string; at: number }>`
    select state, min(at) as at from (
      select case when w.enabled = 0 and w.disabled_reason is null then 'paused' when w.enabled = 0 then 'disabled'
          when w.failing_since is not null then 'failing' else 'sending' end as state,
        (select e.at from events e where e.client_id = w.client_id and e.position = coalesce(
          (select min(d.position) from webhook_deliveries d
            where d.client_id = w.client_id and d.webhook_id = w.webhook_id and d.status = 'PENDING'),
          w.position + 1)) as at
      from webhooks w
    ) as hooks where at is not null group by state`.execute(db);
  return new Map(rows.map(({ state, at }) => [state, at]));
}

async function bytesOf(store: Store): Promise<Figures['bytes']> {
  if (!isPostgres(store.url)) {
    const file = realSqliteFile(store.url);
    const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return { file: size(file), wal: size(`${file}-wal`) };
  }
  const { rows } = await store.read((db) =>
    sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db),
  );
  return { file: rows[0]!.bytes };
}

/**
 * Returns the replication slots; every role can read them. Returns an empty list if the query fails, as on compatible
 * engines without this view (docs/operating.md#metrics).
 */
async function slotsOf(store: Store): Promise<Figures['slots']> {
  if (!isPostgres(store.url)) return [];
  const { rows } = await store
    .read((db) =>
      sql<{ slot: string; bytes: number }>`
        select slot_name as slot, cast(greatest(0, pg_wal_lsn_diff(
            case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end, restart_lsn)) as bigint) as bytes
        from pg_replication_slots where restart_lsn is not null`.execute(db),
    )
    .catch(() => ({ rows: [] }));
  return rows;
}

async function commitsWaitingOf(store: Store): Promise<number | undefined> {
  if (!isPostgres(store.url)) return undefined;
  const { rows } = await store.read((db) =>
    sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event = 'SyncRep'`.execute(db),
  );
  return rows[0]!.count;
}

type Values = readonly (readonly [Record<string, string>, number])[];

/** A gauge whose values are computed from the figures. A gauge without values is absent from the metrics. */
interface GaugeRow {
  name: string;
  help: string;
  labels?: readonly string[];
  /** Returns the values; `now` is in epoch milliseconds. */
  values: (all: Figures, now: number) => Values;
}

/** Returns the value of a gauge without labels; nothing for an unknown value. */
const only = (value: number | undefined): Values => (value === undefined ? [] : [[{}, value]]);
/** Converts a time or duration in milliseconds to seconds, for a gauge without labels. */
const seconds = (ms: number | undefined): Values => only(ms === undefined ? undefined : ms / 1000);
/** Returns a value for each entry; the key of the entry is the value of the label. */
const each = (label: string, entries: Iterable<readonly [string, number]>): Values =>
  [...entries].map(([value, figure]) => [{ [label]: value }, figure]);
const eachSecond = (label: string, entries: ReadonlyMap<string, number>): Values =>
  each(
    label,
    [...entries].map(([value, ms]) => [value, ms / 1000]),
  );
/** Returns the count of each row as a value; the fields `labels` of the row are its labels. */
const counted = <Row extends { count: number } & Record<Label, string>, Label extends string>(
  labels: readonly Label[],
  rows: readonly Row[],
): Values => rows.map((row) => [Object.fromEntries(labels.map((label) => [label, row[label]])), row.count]);

function summed<Row extends { count: number }>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.count);
  return sums;
}

const GAUGES: readonly GaugeRow[] = [
  {
    name: 'backroom_orders',
    help: 'Open orders by queue and by age since their fulfillment order date',
    labels: ['queue', 'age'],
    values: ({ orders }) => counted(['queue', 'age'], orders),
  },
  {
    name: 'backroom_orders_late',
    help: 'Open orders whose current step has expired, by queue',
    labels: ['queue'],
    values: ({ alerts }) =>
      each(
        'queue',
        summed(
          alerts.filter(({ type }) => type.endsWith('_EXPIRED')),
          ({ queue }) => queue,
        ),
      ),
  },
  {
    name: 'backroom_alerts_open',
    help: 'Open alerts by type',
    labels: ['type'],
    values: ({ alerts }) =>
      each(
        'type',
        summed(alerts, ({ type }) => type),
      ),
  },
  {
    name: 'backroom_webhooks',
    help: 'Webhooks by state: enabled, failing (enabled, no attempt of the last batch succeeded), disabled (by the service: all attempts failed for three days or longer, or 410)',
    labels: ['state'],
    values: ({ webhooks: { enabled, failing, disabled } }) =>
      each('state', Object.entries({ enabled, failing, disabled })),
  },
  {
    name: 'backroom_webhook_backlog',
    help: 'Events that are still to be sent to enabled webhooks, and deliveries that wait for a retry',
    values: ({ webhooks }) => only(webhooks.backlog),
  },
  {
    name: 'backroom_webhook_dead_letters',
    help: 'Deliveries that were given up and can be replayed',
    values: ({ webhooks }) => only(webhooks.dead),
  },
  {
    name: 'backroom_edi_interchanges_total',
    help: 'X12 interchanges that are kept, by direction and status',
    labels: ['direction', 'status'],
    values: ({ edi }) => counted(['direction', 'status'], edi.counts),
  },
  {
    name: 'backroom_edi_oldest_waiting_seconds',
    help: 'Age of the oldest X12 interchange that waits to be taken to its partner; 0 if none waits',
    values: ({ edi }, now) => seconds(edi.waitingAt === undefined ? 0 : Math.max(0, now - edi.waitingAt)),
  },
  {
    name: 'backroom_webhook_held_timestamp_seconds',
    help: 'Time of the oldest event that is still to be delivered to a webhook, by state of the webhook: sending, failing, disabled (by failures), paused',
    labels: ['state'],
    values: ({ held }) => eachSecond('state', held),
  },
  {
    name: 'backroom_returns',
    help: 'Returns by kind and state',
    labels: ['kind', 'state'],
    values: ({ ofReturns }) => counted(['kind', 'state'], ofReturns.returns),
  },
  {
    name: 'backroom_refunds',
    help: 'Refunds that are not done, by status: DUE, FAILED',
    labels: ['status'],
    values: ({ ofReturns }) => each('status', Object.entries(ofReturns.refunds)),
  },
  {
    name: 'backroom_refund_oldest_timestamp_seconds',
    help: 'When the oldest refund without an outcome became due; absent if there is none',
    values: ({ ofReturns }) => seconds(ofReturns.oldestDue),
  },
  {
    name: 'backroom_refund_late_timestamp_seconds',
    help: 'When the first refund without an outcome is, or was, late by the setting refundHours; absent if there is none',
    values: ({ ofReturns }) => seconds(ofReturns.lateFrom),
  },
  {
    name: 'backroom_return_held_units',
    help: 'Units of returns that wait for a decision',
    values: ({ ofReturns }) => only(ofReturns.heldUnits),
  },
  {
    name: 'backroom_return_held_oldest_timestamp_seconds',
    help: 'Since when the oldest unit of a return waits for a decision; absent if there is none',
    values: ({ ofReturns }) => seconds(ofReturns.oldestHeld),
  },
  {
    name: 'backroom_database_bytes',
    help: 'Size of the database: file is the data, wal the write-ahead log of SQLite; without wal on PostgreSQL',
    labels: ['part'],
    values: ({ bytes }) => each('part', Object.entries(bytes)),
  },
  {
    name: 'backroom_database_wal_held_bytes',
    help: 'PostgreSQL: write-ahead log that the server cannot remove because a replication slot still needs it, by slot',
    labels: ['slot'],
    values: ({ slots }) =>
      each(
        'slot',
        slots.map(({ slot, bytes }) => [slot, bytes]),
      ),
  },
  {
    name: 'backroom_database_commits_waiting',
    help: 'PostgreSQL with synchronous replication: commits of all processes that wait for a standby now',
    values: ({ commitsWaiting }) => only(commitsWaiting),
  },
  {
    name: 'backroom_clock_offset_seconds',
    help: 'Time by which the clock of this machine is ahead of the database server; absent on SQLite',
    values: ({ clockOffsetMs }) => seconds(clockOffsetMs),
  },
  {
    name: 'backroom_last_backup_timestamp_seconds',
    help: 'End of the last backup by `backroom backup` or before a migration; absent before the first',
    values: ({ lastBackupAt }) => seconds(lastBackupAt),
  },
  {
    name: 'backroom_last_archive_timestamp_seconds',
    help: 'PostgreSQL: when the server last archived a part of its write-ahead log; absent if it archives nothing or its last try failed',
    values: ({ lastArchiveAt }) => seconds(lastArchiveAt),
  },
  {
    name: 'backroom_backup_interval_seconds',
    help: 'Interval of `backroom backup --every`; absent where it does not run',
    values: ({ backupEveryMs }) => seconds(backupEveryMs),
  },
  {
    name: 'backroom_oldest_timestamp_seconds',
    help: 'Time of the oldest row that is kept, by kind of data: the end of orders, events, closed shipments, stock moves, access events',
    labels: ['kind'],
    values: ({ oldest }) => eachSecond('kind', oldest),
  },
  {
    name: 'backroom_build_info',
    help: 'Always 1; the labels are the versions in use',
    labels: ['version', 'node', 'engine', 'schema'],
    values: ({ engine, schema }) => [
      [{ version: VERSION, node: process.versions.node, engine, schema: String(schema) }, 1],
    ],
  },
];

/** Registers the gauges. While the database does not respond, these gauges have no values, but the other metrics do. */
export function registerInstallationMetrics(
  registry: Registry,
  store: Store,
  config: KeptFor,
  now: () => number,
): void {
  let latest: { at: number; read: Promise<Figures | undefined>; late: Promise<Figures | undefined> } | undefined;
  let known: { at: number; figures: Figures | undefined } | undefined;
  const read = async (at: number) => {
    const figures = await readFigures(store, at).catch(() => undefined);
    known = { at, figures };
    return figures;
  };
  const figures = () => {
    const at = now();
    if (latest === undefined || at - latest.at >= CACHE_MS || at < latest.at) {
      const before = known !== undefined && known.at <= at && at - known.at < KNOWN_MS ? known.figures : undefined;
      latest = { at, read: read(at), late: sleep(PATIENCE_MS, before, { ref: false }) };
    }
    return Promise.race([latest.read, latest.late]);
  };
  for (const { name, help, labels = [], values } of GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      // Every worker process reads the same database, so the largest value of all processes is correct.
      aggregator: 'max',
      registers: [registry],
      async collect() {
        this.reset();
        const all = await figures();
        const found = all === undefined ? [] : values(all, now());
        for (const [own, value] of found) this.set(own, value);
        // After a reset, a gauge without labels has the value 0. An unknown value must be absent instead.
        if (found.length === 0 && labels.length === 0) this.remove();
      },
    });
  }
  registerRetention(registry, config);
  registerConnections(registry, store);
}

function registerRetention(registry: Registry, config: KeptFor): void {
  const retention = new Gauge({
    name: 'backroom_retention_seconds',
    help: 'Retention by the settings of this process, by kind of data; absent for a kind that is kept for ever',
    labelNames: ['kind'] as const,
    aggregator: 'max',
    registers: [registry],
  });
  for (const [kind, setting] of Object.entries(RETENTION)) {
    const days = config[setting];
    if (days !== undefined) retention.set({ kind }, (days * DAY_MS) / 1000);
  }
}

function registerConnections(registry: Registry, store: Store): void {
  new Gauge({
    name: 'backroom_database_connections',
    help: 'Connections to the database of this process by state: open, idle; waiting counts requests that wait for a connection (SQLite: requests in the queue)',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      const { open, idle, waiting } = store.connections();
      for (const [state, count] of Object.entries({ open, idle, waiting })) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'backroom_database_replica_up',
    help: 'PostgreSQL with DATABASE_READ_URL: 1 while the replica serves reads of this process, 0 while the primary serves them because the replica fails; absent without a replica',
    aggregator: 'min',
    registers: [registry],
    collect() {
      const { isReplicaUp } = store.connections();
      if (isReplicaUp === undefined) this.remove();
      else this.set(isReplicaUp ? 1 : 0);
    },
  });
}
