/**
 * Copies an installation from one store to another, of any engines: table by table in the order of foreign keys, rows
 * in the order of their primary keys. Rows that the target already has are compared, so an interrupted copy can
 * continue.
 */

import type { Store, Writer } from './store.ts';
import { lineOf as line, type Row, rowsOf, type Sum, sumOf, type Table, tableNames, tableOf } from './sums.ts';
import type { Tables } from './tables.ts';

/** Maximum number of rows and of characters in a batch. */
const BATCH_ROWS = 1_000;
const BATCH_CHARACTERS = 4_000_000;

export interface CopiedTable {
  table: string;
  /** Number of rows that this run wrote. */
  copied: number;
  from: Sum;
  to: Sum;
  same: boolean;
}

/** The target has rows that the source lacks, or different rows with the same key. Nothing was written. */
export class OtherData extends Error {
  override readonly name = 'OtherData';
}

export interface CopyOptions {
  signal?: AbortSignal;
  /** The migration of both stores; default: the last migration of this program. */
  schema?: number;
  /** Called for every table when its rows are written. The copy waits until the call has ended. */
  onTable?: (table: string, copied: number) => unknown;
}

/**
 * Copies every table except the table of the migrations; both stores must be at the same migration. Afterwards the
 * function compares all rows by count and hash, so writes to the source during the copy show as a difference.
 * @throws OtherData before anything is written; the reason of the signal if it aborts between two batches.
 */
export async function copyStore(from: Store, to: Store, options: CopyOptions = {}): Promise<CopiedTable[]> {
  const tables: Table[] = [];
  for (const name of tableNames(options.schema)) tables.push(await tableOf(from, name));
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

/** Compares the keys of two rows in the same way as both engines: numbers by value, texts by their UTF-8 bytes. */
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

/** @throws OtherData if a row of the target's table is missing in the source, or differs from the row of the source. */
async function mustBePart(from: Store, to: Store, table: Table): Promise<void> {
  const first = await next(rowsOf(to, table));
  if (first === undefined) return;
  for await (const [left, right] of pairs(from, to, table)) {
    if (right === undefined) continue;
    const isSame = left !== undefined && line(table, left) === line(table, right);
    if (!isSame) {
      const key = table.key.map((column) => right[column]).join(', ');
      const what = left === undefined ? 'a row that the source lacks' : 'a row that differs from the source';
      throw new OtherData(`The target has ${what}: ${table.name} (${key}). Copy into an empty database.`);
    }
  }
}

function copyTable(from: Store, to: Store, table: Table, signal?: AbortSignal): Promise<number> {
  return writeRows(to, table, missing(from, to, table), signal);
}

/** The rows that the target lacks. */
async function* missing(from: Store, to: Store, table: Table): AsyncGenerator<Row> {
  for await (const [left, right] of pairs(from, to, table)) {
    if (left !== undefined && right === undefined) yield left;
  }
}

/**
 * Writes rows in batches; returns their number. Rejects with the reason of the signal if it aborts between two batches.
 */
export async function writeRows(
  to: Store,
  table: Table,
  rows: AsyncIterable<Row>,
  signal?: AbortSignal,
): Promise<number> {
  let copied = 0;
  let batch: Row[] = [];
  let characters = 0;
  const flush = async () => {
    signal?.throwIfAborted();
    const full = batch;
    if (full.length > 0) await to.write((tx) => insert(tx, to, table, full));
    copied += full.length;
    batch = [];
    characters = 0;
  };
  for await (const row of rows) {
    batch.push(row);
    characters += line(table, row).length;
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
