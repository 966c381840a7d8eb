/**
 * Databases on the PostgreSQL of TEST_DATABASE_URL. Making one takes 100 ms, so a worker keeps those it has made, and a test
 * gets one that was emptied. Workers meet only at the template. All of them go when the run ends.
 */
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { spreadDatabase } from '../../scripts/citus/cluster.ts';
import { readMigrations } from '../../src/platform/storage/migrate.ts';
import { postgresText } from '../../src/platform/storage/postgres-migrate.ts';
import { tableNames } from '../../src/platform/storage/sums.ts';
import { migrate } from '../../src/service/migrate.ts';

export const TEST_DATABASE_URL = process.env['TEST_DATABASE_URL'] || undefined;

/** Servers over which databases are spread: `npx node scripts/citus.ts --suite` names them. */
const NODES = process.env['TEST_CITUS_NODES']?.split(' ') ?? [];

/** Any number: workers that find no template wait on it for the one that makes it. */
const TEMPLATE_LOCK = 5_512_907;

const schema = readMigrations().map((migration) => postgresText(migration.text));
const TEMPLATE = `backroom_template_${createHash('sha256').update(schema.join('\n')).digest('hex').slice(0, 12)}`;

/** In the order of foreign keys: what is referred to first. */
const TABLES = tableNames();

const free: string[] = [];
let template: Promise<void> | undefined;

/** The rows of a table, as a JSON array. */
export interface TableRows {
  table: string;
  rows: string;
}

/** The same server, another database. */
export function databaseUrl(name: string): string {
  const url = new URL(TEST_DATABASE_URL!);
  url.pathname = `/${name}`;
  return url.href;
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

/** Runs statements on the server's own database, where databases are made and dropped. */
export function administer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  return connected(TEST_DATABASE_URL!, work);
}

function makeTemplate(): Promise<void> {
  return administer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const found = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE]);
    if (found.rowCount === 1) return;
    // Under its name only when it is complete: a run that was killed leaves no half template.
    await client.query(`drop database if exists ${TEMPLATE}_new with (force)`);
    await client.query(`create database ${TEMPLATE}_new`);
    await migrate(databaseUrl(`${TEMPLATE}_new`), { now: () => 0 });
    await client.query(`alter database ${TEMPLATE}_new rename to ${TEMPLATE}`);
  });
}

/** The databases of a run begin with this; the folder of the run names it. */
function prefixOf(folder: string): string {
  return `backroom_test_${createHash('sha256').update(folder).digest('hex').slice(0, 8)}_`;
}

/** A new database: empty of tables, or with the schema. */
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

/** A migrated database of which no other test knows, with these rows, else empty. */
export async function lendDatabase(content: readonly TableRows[] = []): Promise<string> {
  const url = free.pop() ?? (await makeDatabase('schema'));
  if (content.length > 0) {
    await connected(url, async (client) => {
      await client.query('begin');
      for (const { table, rows } of content) {
        await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [rows]);
      }
      await client.query('commit');
    });
  }
  return url;
}

/** Empties a database and keeps it for the next test; one whose tables a test has changed is not used again. */
export async function takeBack(url: string): Promise<void> {
  const backwards = TABLES.toReversed().map((table) => `delete from ${table};`);
  const isEmptied = await connected(url, (client) => client.query(backwards.join('\n'))).then(
    () => true,
    () => false,
  );
  if (isEmptied) free.push(url);
}

/** The rows of a database, in the order of foreign keys. */
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
