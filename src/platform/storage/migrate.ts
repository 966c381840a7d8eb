/**
 * Numbered migrations, forward only. Each runs in one transaction that first inserts its number. If two processes start
 * at the same time, one applies the migration and the other finds it applied. See migrations/README.md.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { type Store, useStore } from './db.ts';
import { ALL_OF_APPLIED, APPLIED, type Applied, type Migration, OWN_MIGRATIONS } from './migration.ts';
import { needed } from './rolling.ts';
import { openWriter, type SqliteConnection, whileBusy } from './sqlite-connection.ts';
import { isPostgres, sqliteFile } from './url.ts';

/** The database does not fit this version of the program; the message has the fix. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

export interface MigrateOptions {
  /** The caller's clock, epoch milliseconds. */
  now: () => number;
  /** Folder of the migrations; default: the folder of this program. */
  directory?: URL;
  /** Number of the last migration to apply; default: all. */
  upTo?: number;
  /** Longest wait for another process that migrates, in milliseconds; default 60,000. */
  lockWaitMs?: number;
  /**
   * PostgreSQL: whether to migrate even if connected processes of an older version cannot serve afterwards; default
   * false.
   */
  force?: boolean;
}

/**
 * Brings the database of `url` (as for `openStore`) to the schema of this program and returns the migrations that this
 * call applied. Call it before `openStore`. Rejects with `SchemaMismatch` if the database is newer than the program or
 * an applied migration was changed. Rejects with `StorageUnavailable` if the lock is not available in time. On
 * PostgreSQL, rejects with `OlderServes` while programs are connected that could not serve afterwards.
 */
export async function applyMigrations(url: string, options: MigrateOptions): Promise<Migration[]> {
  const { now, directory = OWN_MIGRATIONS, upTo, lockWaitMs = 60_000, force = false } = options;
  return applyAll(url, readMigrations(directory).slice(0, upTo), { now, lockWaitMs, force });
}

async function applyAll(
  url: string,
  known: readonly Migration[],
  { now, lockWaitMs, force }: { now: () => number; lockWaitMs: number; force: boolean },
): Promise<Migration[]> {
  if (isPostgres(url)) {
    const { migratePostgres } = await import('./postgres-migrate.ts');
    return migratePostgres(url, known, pending, { now, lockWaitMs, force });
  }
  const connection = await openWriter(sqliteFile(url), lockWaitMs);
  try {
    const done: Migration[] = [];
    for (;;) {
      const applied = await locked(connection, lockWaitMs, () => applyNext(connection, known, now()));
      if (applied === undefined) return done;
      done.push(applied);
    }
  } finally {
    connection.raw.close();
  }
}

/** Whether a database exists at the URL, at any migration. The check creates no SQLite file. */
export async function isMade(url: string): Promise<boolean> {
  if (!isPostgres(url)) return existsSync(sqliteFile(url));
  return useStore(url, { connections: 1 }, async (store) => (await currentVersion(store)) > 0);
}

/**
 * The migrations of the folder that are not applied yet, in order. Rejects with `SchemaMismatch` like
 * `applyMigrations`.
 */
export async function pendingMigrations<DB>(store: Store<DB>, directory: URL = OWN_MIGRATIONS): Promise<Migration[]> {
  return pending(readMigrations(directory), await appliedMigrations(store));
}

/**
 * Whether this program can serve a database that a newer program has migrated: this program has every migration that
 * the newer migrations require.
 */
export function mayServeNewer<DB>(store: Store<DB>, directory: URL = OWN_MIGRATIONS): Promise<boolean> {
  const known = readMigrations(directory);
  return store.read(async (db) => {
    // Databases of older releases lack the column `needs`.
    const rows = (await sql.raw<Applied & { needs?: number | null }>(ALL_OF_APPLIED).execute(db)).rows;
    const isKnown = rows.slice(0, known.length).every(({ number, hash }) => known[number - 1]?.hash === hash);
    return isKnown && rows.slice(known.length).every(({ needs }) => needs != null && needs <= known.length);
  });
}

/** The number of the last applied migration; 0 for an empty database. */
export async function currentVersion<DB>(store: Store<DB>): Promise<number> {
  return (await appliedMigrations(store)).at(-1)?.number ?? 0;
}

function appliedMigrations<DB>(store: Store<DB>): Promise<readonly Applied[]> {
  return store.read(async (db) => {
    const table = await sql`${store.dialect.tableNamed('migrations')}`.execute(db);
    return table.rows.length === 0 ? [] : (await sql.raw<Applied>(APPLIED).execute(db)).rows;
  });
}

function applyNext(connection: SqliteConnection, known: readonly Migration[], now: number): Migration | undefined {
  connection.raw.exec(
    `create table if not exists migrations (
      number integer primary key, name text not null, hash text not null, applied_at integer not null
    ) strict`,
  );
  const applied = connection.execute<Applied>({ sql: APPLIED, parameters: [] }).rows;
  const next = pending(known, applied)[0];
  if (next === undefined) return undefined;
  // `needs` is the last migration that a program must have to serve this database; `mayServeNewer` reads it.
  const columns = connection.execute<{ name: string }>({ sql: 'pragma table_info(migrations)', parameters: [] }).rows;
  if (!columns.some(({ name }) => name === 'needs'))
    connection.raw.exec(`alter table migrations add column needs integer`);
  const parameters = [next.number, next.name, next.hash, now, needed([next.number])];
  connection.execute({
    sql: 'insert into migrations (number, name, hash, applied_at, needs) values (?, ?, ?, ?, ?)',
    parameters,
  });
  connection.raw.exec(next.text);
  return next;
}

/** Runs `work` in one transaction that holds the write lock from its beginning. */
async function locked<T>(connection: SqliteConnection, lockWaitMs: number, work: () => T): Promise<T> {
  await whileBusy(lockWaitMs, () => connection.run('begin immediate'));
  try {
    const result = work();
    connection.run('commit');
    return result;
  } finally {
    if (connection.raw.inTransaction) connection.run('rollback');
  }
}

function pending(known: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const last = applied.at(-1)?.number ?? 0;
  if (last > known.length) {
    throw new SchemaMismatch(
      `The database is at migration ${last}, this program knows ${known.length}: use the newer program. Nothing was changed.`,
    );
  }
  for (const { number, name, hash } of applied) {
    if (known[number - 1]?.hash !== hash) {
      throw new SchemaMismatch(
        `Migration ${number} (${name}) was changed after it was applied: restore its text and add a new migration instead.`,
      );
    }
  }
  return known.slice(last);
}

/** All migrations of a folder, in order; throws when the numbers are not 1, 2, 3, ... */
export function readMigrations(directory: URL = OWN_MIGRATIONS): Migration[] {
  const files = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return files.map((file, index) => {
    const [, number, name] = /^(\d{3})-([a-z0-9-]+)\.sql$/.exec(file) ?? [];
    if (name === undefined || Number(number) !== index + 1) {
      throw new Error(`${file}: migrations are named NNN-name.sql and numbered 001, 002, ... without a gap.`);
    }
    // Line ends of a checkout on Windows do not change the hash.
    const text = readFileSync(new URL(file, directory), 'utf8').replaceAll('\r\n', '\n');
    return { number: index + 1, name, hash: createHash('sha256').update(text).digest('hex'), text };
  });
}
