/**
 * Inserts of many rows. SQLite runs one prepared statement per row: this costs half as much as one statement for all
 * rows.
 */
import { CompiledQuery, type RawBuilder } from 'kysely';
import type { BoundText, Columns, Dialect } from './dialect.ts';
import type { Batch } from './handle.ts';
import { change } from './statement.ts';
import type { Writer } from './store.ts';
import type { Tables } from './tables.ts';

/** Numbers of rows in one statement. With few sizes there are few statement texts, so all of them stay prepared. */
const SIZES = [64, 16, 4, 1] as const;

type Computed = (dialect: Dialect) => Readonly<Record<string, RawBuilder<unknown>>>;

/** A row with values that both engines accept. */
export type RowValues<R> = { [K in keyof R]: string | number | null };

/**
 * Returns an insert of any number of rows into the given columns of a table; the other columns get their defaults. The
 * engine computes the columns of `computed`.
 */
export function insertInto<R extends RowValues<R>>(
  table: keyof Tables,
  columns: Columns<R>,
  computed: Computed = () => ({}),
): (ctx: { db: Writer; dialect: Dialect }, rows: readonly R[]) => Promise<void> {
  const names = namesOf(columns);
  const run = change((db, { rows }: { rows: BoundText }, dialect) => {
    const made = Object.entries(computed(dialect));
    return db
      .insertInto(table)
      .columns([...names, ...made.map(([name]) => name)] as never)
      .expression(
        dialect.rowsOf<R>(rows, columns).select(made.map(([name, value]) => value.as(name)) as never) as never,
      );
  });
  let each: CompiledQuery | undefined;
  return async ({ db, dialect }, rows) => {
    if (dialect.engine === 'sqlite') {
      each ??= CompiledQuery.raw(
        insertText(
          'sqlite',
          table,
          names,
          1,
          Object.entries(computed(dialect)).map(([name, value]) => [name, value.compile(db).sql]),
        ),
      );
      await runEach(db, each, rows, (row) => names.map((name) => row[name] ?? null));
    } else for (const some of portions(rows)) await run(db, { rows: dialect.rowsText(some, columns) });
  };
}

/**
 * Inserts rows like `insertInto`, but with one parameter for each value and in several statements. On PostgreSQL this
 * halves the cost of long texts, because `insertInto` writes them as JSON inside of JSON. `onConflict` is the clause
 * behind the values, as SQL for both engines. `table` and `onConflict` must come from the code, never from a message.
 * Returns the number of rows that were inserted or updated.
 */
export async function insertRows<R extends RowValues<R>>(
  { db, dialect }: { db: Writer; dialect: Dialect },
  table: keyof Tables,
  columns: Columns<R>,
  rows: readonly R[],
  onConflict = '',
): Promise<number> {
  const names = namesOf(columns);
  const values = (row: R) => names.map((name) => row[name] ?? null);
  if (dialect.engine === 'sqlite') {
    return await runEach(db, CompiledQuery.raw(textOf('sqlite', table, names, 1, onConflict)), rows, values);
  }
  let written = 0;
  for (let first = 0; first < rows.length; ) {
    const size = SIZES.find((one) => one <= rows.length - first)!;
    const parameters = rows.slice(first, first + size).flatMap(values);
    const text = textOf(dialect.engine, table, names, size, onConflict);
    const { numAffectedRows = 0n } = await db.executeQuery(CompiledQuery.raw(text, parameters));
    written += Number(numAffectedRows);
    first += size;
  }
  return written;
}

/** Runs one prepared statement of SQLite for each row; returns the number of changed rows. */
export async function runEach<R extends object>(
  db: Writer,
  statement: CompiledQuery,
  rows: readonly R[],
  values: (row: R) => unknown[],
): Promise<number> {
  let count = 0;
  for (const some of portions(rows)) {
    const batch: Batch = { ...statement, each: some.map(values) };
    count += Number((await db.executeQuery(batch)).numAffectedRows ?? 0n);
  }
  return count;
}

/** Names of columns in their order. */
export function namesOf<R>(columns: Columns<R>): (keyof R & string)[] {
  return Object.keys(columns) as (keyof R & string)[];
}

const texts = new Map<string, string>();

function textOf(engine: Dialect['engine'], table: string, names: readonly string[], size: number, onConflict: string) {
  const key = `${engine} ${size} ${table} ${names.join()} ${onConflict}`;
  let text = texts.get(key);
  if (text === undefined) {
    text = `${insertText(engine, table, names, size)} ${onConflict}`;
    texts.set(key, text);
  }
  return text;
}

/** The insert of `size` rows; `made` are computed columns with their SQL. */
function insertText(
  engine: Dialect['engine'],
  table: string,
  names: readonly string[],
  size: number,
  made: readonly [name: string, value: string][] = [],
): string {
  const place = (index: number) => (engine === 'postgres' ? `$${index + 1}` : '?');
  const row = (at: number) => {
    const given = names.map((_name, index) => place(at * names.length + index));
    return `(${[...given, ...made.map(([, value]) => value)].join(', ')})`;
  };
  const values = Array.from({ length: size }, (_unused, at) => row(at)).join(', ');
  const into = [...names, ...made.map(([name]) => name)].map((name) => `"${name}"`).join(', ');
  return `insert into "${table}" (${into}) values ${values}`;
}

/** Limits of one statement: a larger statement would block other requests of the process for too long. */
const PORTION_ROWS = 500;
const PORTION_CHARACTERS = 500_000;

/** Rows in portions, each for one statement. */
export function portions<R extends object>(rows: readonly R[]): R[][] {
  const all: R[][] = [];
  let size = 0;
  for (const row of rows) {
    const own = sizeOf(row);
    const current = all.at(-1);
    const fits = current !== undefined && current.length < PORTION_ROWS && size + own <= PORTION_CHARACTERS;
    if (fits) current.push(row);
    else all.push([row]);
    size = fits ? size + own : own;
  }
  return all;
}

function sizeOf(row: object): number {
  let size = 0;
  for (const name in row) {
    const value: unknown = row[name as keyof typeof row];
    size += typeof value === 'string' ? value.length : 8;
  }
  return size;
}
