/** Compares the schema of the database with the schema that this program's migrations create. */
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Store } from '../../platform/storage/db.ts';
import { readMigrations } from '../../platform/storage/migrate.ts';
import { ALL_OF_APPLIED } from '../../platform/storage/migration.ts';
import { HAS_CATALOG } from '../../platform/storage/spread.ts';

/** A table or index of the schema. */
interface Part {
  type: 'table' | 'index';
  name: string;
  table: string;
  text: string;
}

/** Table of applied migrations. No migration creates it; the migration runner does. */
const MIGRATIONS = 'migrations';

/** Returns the schema that the migrations create. */
function expected(): { parts: Part[]; columns: Map<string, string[]> } {
  const memory = new Database(':memory:');
  try {
    for (const { text } of readMigrations()) memory.exec(text);
    const parts = memory.prepare(PARTS).all() as Part[];
    const columns = parts
      .filter(({ type }) => type === 'table')
      .map(({ name }): [string, string[]] => {
        const rows = memory.pragma(`table_info(${name})`) as { name: string }[];
        return [name, rows.map((column) => column.name)];
      });
    return { parts, columns: new Map(columns) };
  } finally {
    memory.close();
  }
}

const PARTS = `select type, name, tbl_name as "table", sql as text from sqlite_master
  where type in ('table', 'index') and sql is not null and name not like 'sqlite_%' order by type, name`;

type Readable = Pick<Store, 'read' | 'engine'>;

/** Returns one sentence for each part of the schema that is missing or different in the database. */
export async function schemaFaults(store: Readable): Promise<string[]> {
  const wanted = expected();
  return [
    ...(await missingRows(store)),
    ...(store.engine === 'sqlite' ? await sqliteFaults(store, wanted.parts) : await serverFaults(store, wanted)),
  ];
}

/**
 * Finds missing rows of migrations. Without these rows, the program would take the database for a database of an older
 * release.
 */
async function missingRows(store: Readable): Promise<string[]> {
  const { rows } = await store.read((db) => sql.raw<{ number: number }>(ALL_OF_APPLIED).execute(db));
  const applied = new Set(rows.map(({ number }) => number));
  const last = Math.max(readMigrations().length, ...applied);
  return Array.from({ length: last }, (_, index) => index + 1)
    .filter((number) => !applied.has(number))
    .map((number) => `the row of migration ${number} is missing`);
}

async function sqliteFaults(store: Readable, wanted: readonly Part[]): Promise<string[]> {
  const { rows } = await store.read((db) => sql.raw<Part>(PARTS).execute(db));
  const found = new Map(rows.map((part) => [part.name, plain(part.text)]));
  return wanted.flatMap(({ type, name, text }) => {
    if (name === MIGRATIONS) return [];
    const there = found.get(name);
    if (there === undefined) return [`${type} ${name} is missing`];
    return there === plain(text) ? [] : [`${type} ${name} differs from the result of its migrations`];
  });
}

/** Normalizes the text of a table or index, because SQLite can store case, quotes and white space in another form. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/["`[\]]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .trim();
}

/**
 * PostgreSQL does not store the text of a CREATE TABLE statement, so only the names of tables, columns and indexes are
 * compared.
 */
async function serverFaults(
  store: Readable,
  { parts, columns }: { parts: readonly Part[]; columns: ReadonlyMap<string, readonly string[]> },
): Promise<string[]> {
  const { there, indexes, changed } = await store.read(async (db) => {
    const all = await sql<{ table: string; name: string }>`select table_name::text as "table", column_name::text as name
      from information_schema.columns where table_schema = current_schema()`.execute(db);
    const made = await sql<{
      name: string;
    }>`select indexname::text as name from pg_indexes where schemaname = current_schema()`.execute(db);
    const partitioned = await sql<{ name: string }>`select c.relname::text as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and c.relkind = 'p'`.execute(db);
    const spread = await sql.raw<{ hasCatalog: boolean }>(HAS_CATALOG).execute(db);
    return {
      there: Map.groupBy(all.rows, ({ table }) => table),
      indexes: new Set(made.rows.map(({ name }) => name)),
      changed: {
        tables: new Set(partitioned.rows.map(({ name }) => name)),
        isSpread: spread.rows[0]?.hasCatalog === true,
      },
    };
  });
  const faults: string[] = [];
  for (const [table, names] of columns) {
    const found = there.get(table)?.map(({ name }) => name);
    if (found === undefined) faults.push(`table ${table} is missing`);
    else
      faults.push(...names.filter((name) => !found.includes(name)).map((name) => `column ${table}.${name} is missing`));
  }
  for (const { type, name, table, text } of parts) {
    // The indexes of partitioned tables are not compared, and with a sharding engine no unique index is compared. A
    // unique index of such a table must also include the partition or distribution column, so it differs.
    const isOther = changed.tables.has(table) || (changed.isSpread && /^create unique index/i.test(text));
    if (type === 'index' && !isOther && !indexes.has(name)) faults.push(`index ${name} is missing`);
  }
  return faults;
}
