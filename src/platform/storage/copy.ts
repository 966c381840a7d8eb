/**
 * Copies an installation from one store to another, of whichever engines: table by table in the order of foreign keys, rows
 * in the order of their primary keys. What the target has already is compared, so a copy that broke off goes on.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ColumnType } from './dialect.ts';
import { readMigrations } from './migrate.ts';
import type { Store, Writer } from './store.ts';
import type { Tables } from './tables.ts';

/** A batch is written when it has this many rows or characters. */
const BATCH_ROWS = 1_000;
const BATCH_CHARACTERS = 4_000_000;

type Value = string | number | null;
type Row = Record<string, Value>;

interface Table {
  name: string;
  columns: { name: string; type: ColumnType }[];
  key: string[];
}

/** Number of rows and SHA-256 of all of them, in the order of the primary key. */
interface Sum {
  rows: number;
  hash: string;
}

export interface CopiedTable {
  table: string;
  /** Rows that this run wrote. */
  copied: number;
  from: Sum;
  to: Sum;
  same: boolean;
}

/** The target has rows that the source has not, or other ones under the same key; nothing was written. */
export class OtherData extends Error {
  override readonly name = 'OtherData';
}

export interface CopyOptions {
  signal?: AbortSignal;
  /** Hears of every table when its rows are written; the copy goes on when it is done. */
  onTable?: (table: string, copied: number) => unknown;
}

/**
 * Copies every table but that of the migrations; both stores are at the same migration. Afterwards all rows of both are
 * read again and compared by count and hash: a source that was written to meanwhile shows as a difference.
 * @throws OtherData before anything is written; the signal's reason when it is aborted between two batches.
 */
export async function copyStore(from: Store, to: Store, options: CopyOptions = {}): Promise<CopiedTable[]> {
  const tables: Table[] = [];
  for (const name of tableNames()) tables.push(await tableOf(from, name));
  for (const table of tables) await mustBePart(from, to, table);
  const copied: number[] = [];
  for (const table of tables) {
    const rows = await copyTable(from, to, table, options.signal);
    await options.onTable?.(table.name, rows);
    copied.push(rows);
  }
  const results: CopiedTable[] = [];
  for (const [index, table] of tables.entries()) {
    const sums = { from: await sumOf(from, table), to: await sumOf(to, table) };
    results.push({
      table: table.name,
      copied: copied[index]!,
      ...sums,
      same: sums.from.rows === sums.to.rows && sums.from.hash === sums.to.hash,
    });
  }
  return results;
}

/** The tables that the migrations make, in their order: a table stands after those that it refers to. */
export function tableNames(): string[] {
  const names = new Set<string>();
  for (const { text } of readMigrations()) {
    for (const [, made, dropped, old, name] of text.matchAll(TABLE_STEP)) {
      names.delete(dropped ?? old ?? '');
      names.add(made ?? name ?? '');
    }
  }
  names.delete('');
  return [...names];
}

const TABLE_STEP = /^(?:create table (\w+)|drop table (\w+)|alter table (\w+) rename to (\w+))/gm;

async function tableOf(store: Store, name: string): Promise<Table> {
  const { rows } = await store.read((db) => store.dialect.columnsOf(name).execute(db));
  const key = rows.filter((column) => column.key > 0).sort((a, b) => a.key - b.key);
  return {
    name,
    columns: rows.map((column) => ({ name: column.name, type: typeOf(column.type) })),
    key: key.map((column) => column.name),
  };
}

function typeOf(type: string): ColumnType {
  if (type === 'text') return 'text';
  return type === 'real' || type === 'double precision' ? 'real' : 'integer';
}

// Crosses tenants: a copy is of the whole installation (docs/decisions/190).
async function* rowsOf(store: Store, table: Table): AsyncGenerator<Row> {
  const columns = table.columns.map((column) => sql.ref(column.name));
  const key = table.key.map((column) => sql.ref(column));
  const query = await store.read((db) =>
    Promise.resolve(
      sql<Row>`/* copy */ select ${sql.join(columns)} from ${sql.table(table.name)} order by ${sql.join(key)}`.compile(
        db,
      ),
    ),
  );
  yield* store.stream(query);
}

/** Pairs the rows of both sides that have the same key, in the order of the keys. */
async function* pairs(from: Store, to: Store, table: Table): AsyncGenerator<[Row | undefined, Row | undefined]> {
  const sides = [rowsOf(from, table), rowsOf(to, table)] as const;
  try {
    let [left, right] = [await next(sides[0]), await next(sides[1])];
    while (left !== undefined || right !== undefined) {
      const order = left === undefined ? 1 : right === undefined ? -1 : compareKeys(table, left, right);
      yield [order <= 0 ? left : undefined, order >= 0 ? right : undefined];
      if (order <= 0) left = await next(sides[0]);
      if (order >= 0) right = await next(sides[1]);
    }
  } finally {
    for (const side of sides) await side.return(undefined);
  }
}

async function next(rows: AsyncGenerator<Row>): Promise<Row | undefined> {
  const result = await rows.next();
  return result.done === true ? undefined : result.value;
}

/** As both engines order them: numbers by value, texts by their UTF-8 bytes. */
function compareKeys(table: Table, a: Row, b: Row): number {
  for (const column of table.key) {
    const [left, right] = [a[column]!, b[column]!];
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
    if (order !== 0) return order;
  }
  return 0;
}

/** Refuses a target with anything in the table that the source has not. */
async function mustBePart(from: Store, to: Store, table: Table): Promise<void> {
  const first = await next(rowsOf(to, table));
  if (first === undefined) return;
  for await (const [left, right] of pairs(from, to, table)) {
    if (right === undefined) continue;
    const isSame = left !== undefined && line(table, left) === line(table, right);
    if (!isSame) {
      const key = table.key.map((column) => right[column]).join(', ');
      const what = left === undefined ? 'a row that the source has not' : 'another row than the source';
      throw new OtherData(`The target has ${what}: ${table.name} (${key}). Copy into an empty database.`);
    }
  }
}

async function copyTable(from: Store, to: Store, table: Table, signal?: AbortSignal): Promise<number> {
  let copied = 0;
  let batch: Row[] = [];
  let characters = 0;
  const flush = async () => {
    signal?.throwIfAborted();
    const rows = batch;
    if (rows.length > 0) await to.write((tx) => insert(tx, to, table, rows));
    copied += rows.length;
    batch = [];
    characters = 0;
  };
  for await (const [left, right] of pairs(from, to, table)) {
    if (left === undefined || right !== undefined) continue;
    batch.push(left);
    characters += line(table, left).length;
    if (batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await flush();
  }
  await flush();
  return copied;
}

async function insert(tx: Writer, store: Store, table: Table, rows: readonly Row[]): Promise<void> {
  const columns = Object.fromEntries(table.columns.map(({ name, type }) => [name, type]));
  const source = store.dialect.rowsOf(rows, columns);
  await tx
    .insertInto(table.name as keyof Tables)
    .columns(Object.keys(columns) as never)
    .expression(source as never)
    .execute();
}

async function sumOf(store: Store, table: Table): Promise<Sum> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const row of rowsOf(store, table)) {
    hash.update(`${line(table, row)}\n`);
    rows += 1;
  }
  return { rows, hash: hash.digest('hex') };
}

function line(table: Table, row: Row): string {
  return JSON.stringify(table.columns.map(({ name }) => row[name]));
}
