/**
 * The sum of a table: number of rows and hash, the same on both engines for the same rows. Rows are read one at a time
 * in the order of their primary key, so the size of a table does not matter for memory.
 */
import { createHash } from 'node:crypto';
import { type CompiledQuery, sql } from 'kysely';
import type { ColumnType } from './dialect.ts';
import { readMigrations } from './migrate.ts';
import type { Store } from './store.ts';

export type Row = Record<string, string | number | null>;

export interface Table {
  name: string;
  /** Columns, sorted by name, because migrations may have added them in another order on the other engine. */
  columns: { name: string; type: ColumnType }[];
  key: string[];
}

/** Number of rows, and SHA-256 of all rows in the order of the primary key. */
export interface Sum {
  rows: number;
  hash: string;
}

/** The source of rows: `Store.stream`, or a stream that reads an earlier snapshot. */
export type Stream = <T>(query: CompiledQuery<T>) => AsyncIterable<T>;

/**
 * The tables that the migrations up to `version` create, in order: a table comes after the tables that it refers to.
 */
export function tableNames(version = Number.POSITIVE_INFINITY): string[] {
  const names = new Set<string>();
  for (const { number, text } of readMigrations()) {
    if (number > version) break;
    for (const [, made, dropped, old, name] of text.matchAll(TABLE_STEP)) {
      names.delete(dropped ?? old ?? '');
      names.add(made ?? name ?? '');
    }
  }
  names.delete('');
  return [...names];
}

const TABLE_STEP = /^(?:create table (\w+)|drop table (\w+)|alter table (\w+) rename to (\w+))/gm;

/** Columns and key of a table in this database. */
export async function tableOf(store: Store, name: string): Promise<Table> {
  const { rows } = await store.read((db) => store.dialect.columnsOf(name).execute(db));
  const key = rows.filter((column) => column.key > 0).sort((a, b) => a.key - b.key);
  const columns = rows.map((column) => ({ name: column.name, type: typeOf(column.type) }));
  return {
    name,
    columns: columns.sort((a, b) => (a.name < b.name ? -1 : 1)),
    key: key.map((column) => column.name),
  };
}

function typeOf(type: string): ColumnType {
  if (type === 'text') return 'text';
  return type === 'real' || type === 'double precision' ? 'real' : 'integer';
}

// Crosses tenants: a copy and a backup are of the whole installation (docs/decisions/190).
/** Every row, in the order of the primary key. */
export async function* rowsOf(store: Store, table: Table, stream?: Stream): AsyncGenerator<Row> {
  const columns = table.columns.map((column) => sql.ref(column.name));
  const key = table.key.map((column) => sql.ref(column));
  const query = await store.read((db) =>
    Promise.resolve(
      sql<Row>`/* copy */ select ${sql.join(columns)} from ${sql.table(table.name)} order by ${sql.join(key)}`.compile(
        db,
      ),
    ),
  );
  yield* stream === undefined ? store.stream(query) : stream(query);
}

/** Returns the text of a row, for comparisons and hashes. */
export function lineOf(table: Table, row: Row): string {
  return JSON.stringify(table.columns.map(({ name }) => row[name]));
}

/** Computes the sum of rows that are added in the order of the primary key. */
export class Summing {
  readonly #table: Table;
  readonly #hash = createHash('sha256');
  #rows = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  add(row: Row): void {
    this.#hash.update(`${lineOf(this.#table, row)}\n`);
    this.#rows += 1;
  }

  end(): Sum {
    return { rows: this.#rows, hash: this.#hash.digest('hex') };
  }
}

export async function sumOf(store: Store, table: Table, stream?: Stream): Promise<Sum> {
  const summing = new Summing(table);
  for await (const row of rowsOf(store, table, stream)) summing.add(row);
  return summing.end();
}

/**
 * Returns the sums of every table of a database at the migration `version`, by name, except the table of the
 * migrations. A missing table is left out. On PostgreSQL pass a `stream` of one snapshot. Without a stream, each table
 * is read at a different time while others write.
 */
export async function sumsOf(store: Store, version: number, stream?: Stream): Promise<Record<string, Sum>> {
  const sums: Record<string, Sum> = {};
  for (const name of tableNames(version)) {
    const table = await tableOf(store, name);
    if (table.columns.length > 0) sums[name] = await sumOf(store, table, stream);
  }
  return sums;
}
