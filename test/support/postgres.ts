/**
 * Databases on the PostgreSQL of TEST_DATABASE_URL. Making one takes 100 ms, so a test file keeps those it has made, and a
 * test gets one that was emptied. Workers meet only at the template.
 */
import { createHash, randomBytes } from 'node:crypto';
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

const made: string[] = [];
const free: string[] = [];
const kept = new Map<string, { table: string; rows: string }[]>();
let template: Promise<void> | undefined;

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

/** A new database of this test file: empty of tables, or with the schema. */
export async function makeDatabase(content: 'nothing' | 'schema' = 'nothing'): Promise<string> {
  const name = `backroom_test_${randomBytes(6).toString('hex')}`;
  made.push(name);
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

/** A migrated database that nobody else uses, with what was kept under the name `from`, else empty. */
export async function lendDatabase(from?: string): Promise<string> {
  const url = free.pop() ?? (await makeDatabase('schema'));
  if (from !== undefined) {
    await connected(url, async (client) => {
      await client.query('begin');
      for (const { table, rows } of kept.get(from)!) {
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

/** Keeps the rows of a database; the answer names them. */
export async function keepRows(url: string): Promise<string> {
  const tables = await connected(url, async (client) => {
    const all: { table: string; rows: string }[] = [];
    for (const table of TABLES) {
      const { rows } = await client.query<{ rows: string | null }>(`select json_agg(t)::text as rows from ${table} t`);
      if (rows[0]!.rows !== null) all.push({ table, rows: rows[0]!.rows });
    }
    return all;
  });
  const name = `rows ${kept.size + 1}`;
  kept.set(name, tables);
  return name;
}

/** Drops every database of this test file. */
export async function dropDatabases(): Promise<void> {
  if (made.length === 0) return;
  const names = made.splice(0);
  for (const server of NODES.length > 0 ? NODES : [TEST_DATABASE_URL!]) {
    await connected(server, async (client) => {
      for (const name of names) await client.query(`drop database if exists ${name} with (force)`);
    });
  }
}
