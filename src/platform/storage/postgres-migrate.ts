/** Migrations on PostgreSQL: the same text with the types of that engine, under one advisory lock. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isRetryable, translated } from './errors.ts';
import { APPLIED, type Applied, type Migration } from './migration.ts';
import { connectAlone, postgresSettings, WITHOUT_LIMITS } from './postgres-connection.ts';
import { needed, OlderServes } from './rolling.ts';
import { HAS_CATALOG, NO_MIGRATION, SPREAD_TABLES } from './spread.ts';

/** An arbitrary key of the advisory lock on which starting processes wait for each other. */
const LOCK = 8_217_364;

/** Attempts of a migration after deadlocks with serving processes, and the pause between two attempts. */
const ATTEMPTS = 30;
const PAUSE_MS = 200;

/** The options of `applyMigrations`. */
interface MigrateOptions {
  now: () => number;
  lockWaitMs: number;
  force: boolean;
}

/**
 * Applies the migrations that `pending` returns, each in one transaction. Each transaction takes the lock itself,
 * because a pooler may switch to another connection after a transaction.
 */
export async function migratePostgres(
  url: string,
  known: readonly Migration[],
  pending: (known: readonly Migration[], applied: readonly Applied[]) => Migration[],
  options: MigrateOptions,
): Promise<Migration[]> {
  const client = await connectAlone(postgresSettings(url, options));
  const done: Migration[] = [];
  try {
    for (let attempt = 1; ; ) {
      try {
        const applied = await applyNext(client, known, pending, { ...options, isFirst: done.length === 0 });
        if (applied === undefined) return done;
        done.push(applied);
        attempt = 1;
      } catch (error) {
        // The migration and a serving process can deadlock.
        if (!isRetryable(error) || attempt >= ATTEMPTS) throw error;
        attempt += 1;
        await client.query('rollback');
        await sleep(PAUSE_MS);
      }
    }
  } catch (error) {
    throw translated(error);
  } finally {
    await client.end();
  }
}

const STATE = `select to_regclass('migrations') is not null as "isMade",
  current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

/** Applies the next migration in one transaction; returns undefined if no migration is left. */
async function applyNext(
  client: pg.Client,
  known: readonly Migration[],
  pending: (known: readonly Migration[], applied: readonly Applied[]) => Migration[],
  options: MigrateOptions & { isFirst: boolean },
): Promise<Migration | undefined> {
  await client.query('begin');
  // Building an index may take longer than the statement timeout of the service.
  await client.query(WITHOUT_LIMITS);
  // A pooler may have removed the lock timeout from the settings of the connection.
  await client.query(`set local lock_timeout = ${Math.round(options.lockWaitMs)}`);
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
  const { rows } = await client.query<{ isMade: boolean; isReadOnly: boolean }>(STATE);
  const { isMade, isReadOnly } = rows[0]!;
  // If the table exists, the statement is skipped, so that a role without CREATE can start the service. On a standby
  // the statement runs, because it must fail there.
  if (!isMade || isReadOnly) {
    await client.query(
      `create table if not exists migrations (
        number bigint primary key, name text not null, hash text not null, applied_at bigint not null
      )`,
    );
  }
  const applied = await client.query<Applied>(APPLIED);
  const missing = pending(known, applied.rows);
  const next = missing[0];
  if (next !== undefined) {
    if (await isSpread(client)) throw new Error(NO_MIGRATION);
    if (options.isFirst && !options.force) await mustGoOn(client, missing);
    await client.query('alter table migrations add column if not exists needs bigint');
    await client.query('insert into migrations (number, name, hash, applied_at, needs) values ($1, $2, $3, $4, $5)', [
      next.number,
      next.name,
      next.hash,
      options.now(),
      needed([next.number]),
    ]);
    await client.query(postgresText(next.text));
  }
  await client.query('commit');
  return next;
}

/**
 * Programs connected to this database, by application name. The name of releases up to 0.2.0 has no migration number.
 */
const CONNECTED = `select substring(application_name from '^backroom/([0-9]+)$')::int as knows, host(client_addr) as address
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^backroom(/[0-9]+)?$'`;

/** @throws OlderServes if a connected process could not use the database after the pending migrations. */
async function mustGoOn(client: pg.Client, missing: readonly Migration[]): Promise<void> {
  const needs = needed(missing.map(({ number }) => number));
  if (needs === 0) return;
  const connected = await client.query<{ knows: number | null; address: string | null }>(CONNECTED);
  const older = connected.rows.filter(({ knows }) => (knows ?? 0) < needs);
  if (older.length === 0) return;
  const from = [...new Set(older.map(({ address }) => address ?? 'this machine'))].sort().join(', ');
  throw new OlderServes(
    `An older version uses the database: ${older.length} connections from ${from}. It cannot serve after this upgrade. Stop every process of the older version, then run backroom migrate again. Nothing was changed. If the connections belong to a pooler or to a machine that is gone, use backroom migrate --force.`,
  );
}

async function isSpread(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ hasCatalog: boolean }>(HAS_CATALOG);
  return rows[0]!.hasCatalog && (await client.query(SPREAD_TABLES)).rows.length > 0;
}

/**
 * The text of a migration for PostgreSQL. Integers are 64 bits wide. Texts compare by bytes as in SQLite, so the order
 * of keys is the same on both engines. Comments, `strict`, `without rowid` and lines that end with `-- SQLite only` are
 * removed.
 */
export function postgresText(text: string): string {
  return text
    .replace(/^.*-- SQLite only$/gm, '')
    .replace(/^--.*$/gm, '')
    .replace(/^((?:alter table \w+ add column)?\s+\w+) integer\b/gm, '$1 bigint')
    .replace(/^((?:alter table \w+ add column)?\s+\w+) text\b/gm, '$1 text collate "C"')
    .replace(/^\) strict(?:, without rowid)?;/gm, ');');
}
