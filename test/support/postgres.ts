/**
 * Databases on the PostgreSQL of TEST_DATABASE_URL. Creating a database takes 100 ms, so each worker keeps a pool of
 * databases and empties a database before reuse. Workers share only the template. The end of the run drops all
 * databases of the run.
 */
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { readMigrations } from '../../src/platform/storage/migrate.ts';
import { postgresText } from '../../src/platform/storage/postgres-migrate.ts';
import { tableNames } from '../../src/platform/storage/sums.ts';
import { migrate } from '../../src/service/migrate.ts';
import { spreadDatabase } from '../../town/citus-cluster.ts';
import { endPools, keepPools } from './postgres-pools.ts';

export const TEST_DATABASE_URL = process.env['TEST_DATABASE_URL'] || undefined;

/** Citus servers over which each database is distributed. `npx node proof/citus.ts --suite` sets the variable. */
const NODES = process.env['TEST_CITUS_NODES']?.split(' ') ?? [];

/** Key of an advisory lock (an arbitrary number): one worker creates the template while the others wait. */
const TEMPLATE_LOCK = 5_512_907;

const schema = readMigrations().map((migration) => postgresText(migration.text));
const TEMPLATE = `backroom_template_${createHash('sha256').update(schema.join('\n')).digest('hex').slice(0, 12)}`;

/** Tables in the order of their foreign keys, referenced tables first. */
const TABLES = tableNames();

/**
 * Number of tests that a database serves; then a new database replaces it. No vacuum runs, so deleted rows fill a
 * database.
 */
const LENDINGS = 100;

interface Lent {
  url: string;
  /** Connection that fills and empties the database. A connection that has read the catalog is ten times faster. */
  keeper: pg.Client;
  lendings: number;
}

const free: Lent[] = [];
const lent = new Map<string, Lent>();
let template: Promise<void> | undefined;

/** The rows of a table, as a JSON array. */
export interface TableRows {
  table: string;
  rows: string;
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(name: string): string {
  const url = new URL(TEST_DATABASE_URL!);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Returns the URL of the same database through the socket of the server. Returns the given URL if `npm run
 * test:postgres` has not named the folder of the socket.
 */
function throughSocket(url: string): string {
  const folder = process.env['TEST_DATABASE_SOCKET'];
  return folder === undefined || folder === '' ? url : `${url}?host=${encodeURIComponent(folder)}`;
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs statements on the maintenance database of the server, to create and drop databases. */
export function administer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  return connected(TEST_DATABASE_URL!, work);
}

function makeTemplate(): Promise<void> {
  return administer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const found = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE]);
    if (found.rowCount === 1) return;
    // The template is renamed after it is complete, so a killed run leaves no incomplete template.
    await client.query(`drop database if exists ${TEMPLATE}_new with (force)`);
    await client.query(`create database ${TEMPLATE}_new`);
    await migrate(databaseUrl(`${TEMPLATE}_new`), { now: () => 0 });
    await client.query(`alter database ${TEMPLATE}_new rename to ${TEMPLATE}`);
  });
}

/** Returns the prefix of the databases of a run, derived from the folder of the run. */
function prefixOf(folder: string): string {
  return `backroom_test_${createHash('sha256').update(folder).digest('hex').slice(0, 8)}_`;
}

/** Creates a database, without tables or with the schema. */
export async function makeDatabase(content: 'nothing' | 'schema' = 'nothing'): Promise<string> {
  const name = `${prefixOf(tmpdir())}${randomBytes(6).toString('hex')}`;
  if (NODES.length > 0 && content === 'schema') return spreadDatabase(NODES, name);
  if (content === 'schema') {
    template ??= makeTemplate();
    await template;
  }
  await administer((client) =>
    client.query(`create database ${name}${content === 'schema' ? ` template ${TEMPLATE}` : ''}`),
  );
  return databaseUrl(name);
}

/** Returns the URL of a migrated database for one test, with these rows or empty. */
export async function lendDatabase(content: readonly TableRows[] = []): Promise<string> {
  const database = free.pop() ?? (await makeLent());
  const { url, keeper } = database;
  database.lendings += 1;
  lent.set(url, database);
  if (content.length > 0) {
    await keeper.query('begin');
    for (const { table, rows } of content) {
      const name = `fill ${table}`;
      const text = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`;
      await keeper.query({ name, text, values: [rows] });
    }
    await keeper.query('commit');
  }
  return url;
}

async function makeLent(): Promise<Lent> {
  const url = throughSocket(await makeDatabase('schema'));
  const keeper = new pg.Client({ connectionString: url });
  keeper.on('error', () => undefined);
  await keeper.connect();
  keepPools(url);
  return { url, keeper, lendings: 0 };
}

/**
 * Empties a database and keeps it for the next test. Closes its connections instead if it was lent `LENDINGS` times, or
 * if it cannot be emptied because a test changed its tables.
 */
export async function takeBack(url: string): Promise<void> {
  const database = lent.get(url)!;
  lent.delete(url);
  const backwards = TABLES.toReversed().map((table) => `delete from ${table};`);
  const isEmptied = await database.keeper.query(backwards.join('\n')).then(
    () => true,
    () => false,
  );
  if (isEmptied && database.lendings < LENDINGS) {
    free.push(database);
    return;
  }
  await Promise.all([database.keeper.end(), endPools(url)]);
}

/** Returns the rows of a database, in the order of foreign keys. */
export async function rowsOf(url: string): Promise<TableRows[]> {
  return connected(url, async (client) => {
    const all: TableRows[] = [];
    for (const table of TABLES) {
      const { rows } = await client.query<{ rows: string | null }>(`select json_agg(t)::text as rows from ${table} t`);
      if (rows[0]!.rows !== null) all.push({ table, rows: rows[0]!.rows });
    }
    return all;
  });
}

/** Drops every database of the run that has this folder. */
export async function dropDatabasesOf(folder: string): Promise<void> {
  if (TEST_DATABASE_URL === undefined) return;
  const servers = NODES.length > 0 ? NODES : [TEST_DATABASE_URL];
  for (const server of servers) {
    await connected(server, async (client) => {
      const found = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
        `${prefixOf(folder)}%`,
      ]);
      for (const { datname } of found.rows) await client.query(`drop database if exists ${datname} with (force)`);
    });
  }
}
