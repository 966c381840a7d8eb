/**
 * Checks for work that has stopped: events, webhooks, imports, backups. Crosses tenants: doctor examines the whole
 * installation (docs/decisions/190).
 */
import { sql } from 'kysely';
import type { Store } from '../../platform/storage/db.ts';
import { DAY_MS, formatDateTime, HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import { deliveriesInLog, isOver } from '../../webhooks/store.ts';
import { type Archive, archiveOf } from '../backup/archive.ts';
import type { ImportKind } from '../import/mapping.ts';
import { BACKUP_EVERY, LAST_BACKUP } from '../web/installation-metrics.ts';
import { type Finding, finding, type Trouble } from './doctor-finding.ts';
import { inWords, lateAfter } from './every.ts';

/** Age at which waiting work is a problem. A running service does this work within seconds. */
const STUCK_MS = 10 * MINUTE_MS;

/** An event that is further in the future than this shows a wrong clock on the machine that wrote it. */
const AHEAD_MS = 5_000;

/** Maximum age of the last backup without a series: one day, and two hours to take the backup. */
const BACKUP_MS = 26 * HOUR_MS;

/** Maximum number of rows that one query returns for a finding. */
const NAMED = 3;

/**
 * Kinds whose rows replace stored rows. For these kinds, a complete import of another file with the same name corrects
 * an interrupted import. Files of other kinds add rows: an `orders.csv` of another day does not have the missing
 * orders.
 */
const REPLACING: readonly ImportKind[] = ['items', 'nodes', 'node-items', 'users'];

/**
 * Checks for interrupted imports. An interrupted import ends by its next run or by `import --forget`. For the kinds in
 * `REPLACING`, a complete import of a file with the same name ends it too.
 */
export async function importsFinding(store: Store, now: number): Promise<Finding> {
  const stale = await store.read((db) =>
    db
      .selectFrom('imports as i')
      .select(['i.client_id', 'i.import_id', 'i.kind', 'i.file_name', 'i.rows_read'])
      .where('i.finished_at', 'is', null)
      .where('i.updated_at', '<', now - HOUR_MS)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('imports as later')
              .select('later.import_id')
              .whereRef('later.client_id', '=', 'i.client_id')
              .whereRef('later.kind', '=', 'i.kind')
              .where('later.kind', 'in', REPLACING)
              .whereRef('later.file_name', '=', 'i.file_name')
              .whereRef('later.finished_at', '>=', 'i.updated_at'),
          ),
        ),
      )
      .execute(),
  );
  const troubles = stale.map(({ client_id: clientId, import_id: id, kind, file_name: file, rows_read: rows }) => ({
    found: `${kind} of ${file} (client ${clientId}) stopped after row ${rows}`,
    fix: `run it again, or end it with backroom import --forget ${id} --client ${clientId}`,
  }));
  return finding('imports', troubles, 'no import is unfinished', 'warning');
}

/**
 * Checks for events that have waited too long for a position in the feed. Also checks for feeds that have gaps, end too
 * early, or end in the future.
 */
export async function eventFindings(store: Pick<Store, 'read'>, now: number): Promise<Finding[]> {
  const waiting = await store.read((db) =>
    db
      .selectFrom('events')
      .select((eb) => ['client_id', eb.fn.countAll<number>().as('count'), eb.fn.min('at').as('since')])
      .where('position', 'is', null)
      .groupBy('client_id')
      .having((eb) => eb.fn.min('at'), '<', now - STUCK_MS)
      .orderBy('client_id')
      .limit(NAMED)
      .execute(),
  );
  const beyond = await store.read((db) =>
    sql<{ clientId: string; position: number }>`
      select e.client_id as "clientId", max(e.position) as position
      from events e left join event_heads h on h.client_id = e.client_id
      where e.position > coalesce(h.position, 0) or e.position <= h.gone
      group by e.client_id limit ${sql.lit(NAMED)}`.execute(db),
  );
  const gaps = await store.read((db) =>
    sql<{ clientId: string; missing: number }>`
      select * from (
        select h.client_id as "clientId", h.position - h.gone - (select count(*) from events e
          where e.client_id = h.client_id and e.position > h.gone and e.position <= h.position) as missing
        from event_heads h
      ) feeds where missing <> 0
      order by 1 limit ${sql.lit(NAMED)}`.execute(db),
  );
  const ahead = await store.read((db) =>
    sql<{ clientId: string; at: number }>`
      select e.client_id as "clientId", e.at
      from event_heads h join events e on e.client_id = h.client_id and e.position = h.position
      where e.at > ${now + AHEAD_MS} order by e.at desc limit ${sql.lit(NAMED)}`.execute(db),
  );
  return [
    finding(
      'events to come',
      waiting.map(({ client_id: clientId, count, since }) => ({
        found: `${count} events of client ${clientId} have waited for their place in the feed since ${formatDateTime(since)}`,
        fix: 'start the service; if it runs, look for "event positions" in its log',
      })),
      'every event has its place in the feed',
      'warning',
    ),
    finding(
      'places of events',
      [
        ...beyond.rows.map(({ clientId, position }) => ({
          found: `the feed of client ${clientId} does not include its event ${position}`,
          fix: 'restore a backup or ask for help',
        })),
        ...gaps.rows.map(({ clientId, missing }) => ({
          found: `${missing} events of client ${clientId} are missing in its feed`,
          fix: 'restore a backup or ask for help',
        })),
        ...ahead.rows.map(({ clientId, at }) => ({
          found: `the last event of client ${clientId} is from ${formatDateTime(at)}, which is in the future`,
          fix: 'use NTP to synchronize the clock of every machine that runs the service',
        })),
      ],
      'each feed has every event up to its end, and no event is in the future',
      beyond.rows.length + gaps.rows.length > 0 ? 'error' : 'warning',
    ),
  ];
}

interface Hook {
  clientId: string;
  id: string;
  enabled: number;
  reason: string | null;
  failingSince: number | null;
  waitsSince: number | null;
}

/**
 * Checks for webhooks that the service has disabled, or that fail or wait, and for deliveries that the service has
 * given up.
 */
export async function webhooksFinding(store: Store, now: number): Promise<Finding> {
  const { hooks, dead } = await store.read(async (db) => {
    const { rows } = await sql<Hook>`
      select * from (
        select w.client_id as "clientId", w.webhook_id as id, w.enabled, w.disabled_reason as reason,
          w.failing_since as "failingSince",
          case when w.enabled = 1 and ${isOver('w.paused_until', now)} then coalesce(
            (select min(d.due_at) from webhook_deliveries d
              where d.client_id = w.client_id and d.webhook_id = w.webhook_id and d.due_at is not null),
            (select e.at from events e where e.client_id = w.client_id and e.position = w.position + 1)
          ) end as "waitsSince"
        from webhooks w
      ) hooks
      where reason is not null or (enabled = 1 and "failingSince" < ${now - HOUR_MS}) or "waitsSince" < ${now - STUCK_MS}
      order by "clientId", id limit ${sql.lit(NAMED)}`.execute(db);
    const given = await deliveriesInLog(db)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('d.status', '=', 'DEAD')
      .executeTakeFirstOrThrow();
    return { hooks: rows, dead: given.count };
  });
  const troubles = hooks.map(hookTrouble);
  if (dead > 0) troubles.push({ found: `${dead} deliveries were given up`, fix: 'replay them (docs/events.md)' });
  return finding('webhooks', troubles, 'no webhook is switched off, fails or waits', 'warning');
}

function hookTrouble({ clientId, id, reason, failingSince, waitsSince }: Hook): Trouble {
  const name = `webhook ${id} of client ${clientId}`;
  if (reason !== null) {
    return { found: `${name} was switched off (${reason})`, fix: 'repair its receiver, then set enabled again' };
  }
  if (failingSince !== null) {
    const since = formatDateTime(failingSince);
    return { found: `${name} has failed since ${since}`, fix: 'read its deliveries and repair its receiver' };
  }
  const found = `${name} has had due deliveries and sent none since ${formatDateTime(waitsSince!)}`;
  return { found, fix: 'start the service; if it runs, look for "webhooks" in its log' };
}

/**
 * Compares the last copy of a series with the interval of the series. Without a series, it checks the archive of
 * PostgreSQL's log, or, without an archive, that the last backup is at most 26 hours old.
 */
export async function backupsFinding(store: Store, now: number): Promise<Finding> {
  const { told, made } = await store.read(async (db) => {
    const rows = await db
      .selectFrom('installation')
      .select(['name', 'value'])
      .where('client_id', '=', '')
      .where('name', 'in', [LAST_BACKUP, BACKUP_EVERY])
      .execute();
    const first = await sql<{ at: number }>`select min(applied_at) as at from migrations`.execute(db);
    return { told: new Map(rows.map(({ name, value }) => [name, Number(value)])), made: first.rows[0]!.at };
  });
  const [last, every] = [told.get(LAST_BACKUP), told.get(BACKUP_EVERY)];
  if (last !== undefined && every !== undefined) {
    const found = `the last copy was taken at ${formatDateTime(last)}; a copy is due every ${inWords(every)}`;
    return finding('backups', now - last > lateAfter(every) ? [{ found, fix: LATE }] : [], found, 'warning');
  }
  const archive = store.engine === 'postgres' ? await archiveOf(store) : { isOn: false };
  if (archive.isOn) return archiveFinding(archive);
  if (last !== undefined) {
    const found = `the last backroom backup was taken at ${formatDateTime(last)}`;
    const troubles = now - last > BACKUP_MS ? [{ found, fix: 'take a backup every night (backroom backup FILE)' }] : [];
    return finding('backups', troubles, found, 'warning');
  }
  const found =
    store.engine === 'postgres'
      ? 'no backroom backup was ever taken, and the server does not archive its log'
      : 'no backroom backup was ever taken';
  const troubles = now - made > DAY_MS ? [{ found, fix: 'take a backup every night (backroom backup FILE)' }] : [];
  return finding('backups', troubles, found, 'warning');
}

const LATE = 'start backroom backup --every again, or read its log; if you no longer want copies, end it with SIGTERM';

/** Checks the archive of the WAL, which point-in-time recovery needs. */
function archiveFinding({ failedAt, lastAt }: Archive): Finding {
  const found =
    failedAt !== undefined
      ? `the server has failed to archive its log since ${formatDateTime(failedAt)}`
      : `the server archives its log${lastAt === undefined ? '' : `, last at ${formatDateTime(lastAt)}`}`;
  const fix = 'look for archive_command in the log of PostgreSQL';
  return finding('backups', failedAt === undefined ? [] : [{ found, fix }], found, 'warning');
}
