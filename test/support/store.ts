/**
 * Chooses the engine for the whole suite: SQLite files, or databases on the PostgreSQL server of TEST_DATABASE_URL
 * (`npm run test:postgres` starts one).
 */
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type CompiledQuery, sql } from 'kysely';
import { describe, vi } from 'vitest';
import { openStore, type Store, type StoreOptions } from '../../src/platform/storage/db.ts';
import { migrate } from '../../src/service/migrate.ts';
import { keptFile } from './kept.ts';
import { lendDatabase, rowsOf, type TableRows, TEST_DATABASE_URL, takeBack } from './postgres.ts';

/** The engine of this run. */
export const ENGINE = TEST_DATABASE_URL === undefined ? 'sqlite' : 'postgres';

// Each worker has a folder in the folder of the run, which teardown deletes.
const folder = mkdtempSync(join(tmpdir(), 'store-'));

let files = 0;
let template: Promise<string> | undefined;

/** Returns the path of a migrated SQLite file without rows. */
function migrated(): Promise<string> {
  return keptFile('migrated.db', async (file) => {
    await migrate(`sqlite:${file}`, { now: () => 0 });
  });
}

/** Returns the URL of a new SQLite database without tables. Its file is deleted when the run ends. */
export function freshUrl(): string {
  return `sqlite:${join(folder, `${++files}.db`)}`;
}

/** A long timeout for hanging jobs: a busy machine must not turn a large write into a 503. */
const PATIENT = { jobTimeoutMs: 60_000 };

/**
 * Opens a migrated store on its own database with the content of the file `from` (from `writeContent`); default: empty.
 * `close()` deletes an SQLite database, and returns a PostgreSQL database to the pool of the worker. The end of the run
 * deletes every database. On SQLite the store has one reading connection unless `options` has another number. Opening
 * four connections, the default, takes a fifth of the time of a small test.
 */
export async function openTestStore(options: StoreOptions = {}, from?: string): Promise<Store> {
  if (ENGINE === 'postgres') {
    const url = await lendDatabase(from === undefined ? [] : contentOf(from));
    const store = await openStore(url, { connections: 5, ...PATIENT, ...options });
    return afterClose(store, () => takeBack(url));
  }
  if (from === undefined) template ??= migrated();
  const url = freshUrl();
  const file = url.slice('sqlite:'.length);
  copyFileSync(from ?? (await template!), file);
  chmodSync(file, 0o600);
  const store = await openStore(url, { readers: 1, ...PATIENT, ...options });
  return afterClose(store, () => {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  });
}

const contents = new Map<string, TableRows[]>();

function contentOf(file: string): TableRows[] {
  let content = contents.get(file);
  if (content === undefined) {
    content = JSON.parse(readFileSync(file, 'utf8')) as TableRows[];
    contents.set(file, content);
  }
  return content;
}

/** Writes the content of a store to a file, for `openTestStore({}, file)`. */
export async function writeContent(store: Store, file: string): Promise<void> {
  if (store.engine === 'sqlite') await store.backup(file);
  else writeFileSync(file, JSON.stringify(await rowsOf(store.url)));
}

/** Closes a store and keeps its content for `openTestStore({}, file)`. */
export async function keepTestStore(store: Store): Promise<string> {
  const file = `${freshUrl().slice('sqlite:'.length)}.kept`;
  await writeContent(store, file);
  await store.close();
  return file;
}

/** Returns all committed data: on SQLite the bytes of the file and its WAL, on PostgreSQL every row of every table. */
export async function everythingStored(store: Store): Promise<Buffer> {
  if (store.engine === 'sqlite') {
    const file = store.url.slice('sqlite:'.length);
    return Buffer.concat([readFileSync(file), readFileSync(`${file}-wal`)]);
  }
  return Buffer.from(JSON.stringify(await rowsStored(store)));
}

/** Returns the rows of every table, sorted by content. */
export function rowsStored(store: Store): Promise<[table: string, rows: Record<string, unknown>[]][]> {
  return store.read(async (db) => {
    const tables = await (store.engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' order by name`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
            where table_schema = current_schema() order by 1`
    ).execute(db);
    const all: [string, Record<string, unknown>[]][] = [];
    for (const { name } of tables.rows) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
      const inOrder = rows.map((row) => JSON.stringify(row)).sort();
      all.push([name, inOrder.map((row) => JSON.parse(row) as Record<string, unknown>)]);
    }
    return all;
  });
}

/**
 * Returns a digest of the rows of each table, whatever their order: two digests differ if a row differs. On PostgreSQL,
 * which computes the digest, this is ten times as fast as `rowsStored`.
 */
export function digestsOf(store: Store): Promise<Map<string, string>> {
  if (store.engine === 'sqlite') return digestsOnSqlite(store);
  return store.read(async (db) => {
    const tables = await sql<{ name: string }>`select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(db);
    const each = tables.rows.map(
      ({ name }) => sql`select ${sql.lit(name)} as name,
        md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as digest from ${sql.table(name)} t`,
    );
    const { rows } = await sql<{ name: string; digest: string }>`${sql.join(each, sql` union all `)}`.execute(db);
    return new Map(rows.map(({ name, digest }) => [name, digest]));
  });
}

function digestsOnSqlite(store: Store): Promise<Map<string, string>> {
  return store.read(async (db) => {
    const tables = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(db);
    const digests = new Map<string, string>();
    for (const { name } of tables.rows) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
      digests.set(name, JSON.stringify(rows.map((row) => JSON.stringify(row)).sort()));
    }
    return digests;
  });
}

/**
 * Returns the engine's plan for a query. On PostgreSQL, sequential scans, bitmap scans and sorts are disabled, because
 * PostgreSQL prefers them for small tables even if an index fits.
 */
export function planOf(store: Store, query: CompiledQuery): Promise<{ text: string; sorts: boolean }> {
  return store.read(async (db) => {
    const explain = (words: string) =>
      db.executeQuery<Record<string, string>>({ ...query, sql: `${words} ${query.sql}` });
    if (store.engine === 'sqlite') {
      const text = (await explain('explain query plan')).rows.map((row) => row['detail']).join('\n');
      return { text, sorts: text.includes('TEMP B-TREE') };
    }
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await sql.raw(`set local enable_${way} = off`).execute(db);
    const text = (await explain('explain')).rows.map((row) => row['QUERY PLAN']).join('\n');
    return { text, sorts: /\bSort\b/.test(text) };
  });
}

/** Tests of features that only SQLite has; `because` is the reason. Skipped on PostgreSQL. */
export function describeSqliteOnly(because: string, name: string, tests: () => void): void {
  describe.skipIf(ENGINE === 'postgres')(ENGINE === 'postgres' ? `${name} (SQLite only: ${because})` : name, tests);
}

/** Tests of features that only PostgreSQL has. Skipped on SQLite; run them with `npm run test:postgres`. */
export function describePostgresOnly(name: string, tests: () => void): void {
  describe.skipIf(ENGINE === 'sqlite')(name, tests);
}

/**
 * Waits until at least this number of transactions wait for locks of other transactions. SQLite shows no locks, so on
 * SQLite this function waits for 300 ms, in which the requests reach the single writer. @throws Error after 10 s
 */
export async function untilBlocked(store: Store, transactions = 1): Promise<void> {
  if (store.engine === 'sqlite') {
    await setTimeout(300);
    return;
  }
  const waiting = sql<{ count: number }>`select count(*) as count from pg_locks l join pg_stat_activity using (pid)
    where not l.granted and datname = current_database()`;
  await vi.waitFor(
    async () => {
      const { rows } = await store.read((db) => waiting.execute(db));
      const { count } = rows[0]!;
      if (count < transactions) throw new Error(`${count} of ${transactions} transactions wait for a lock`);
    },
    { timeout: 10_000 },
  );
}

function afterClose(store: Store, then: () => void | Promise<void>): Store {
  const close = store.close.bind(store);
  let closing: Promise<void> | undefined;
  store.close = () => {
    closing ??= close().then(then);
    return closing;
  };
  return store;
}
