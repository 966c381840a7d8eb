/** Inserts of many rows. On SQLite each is one prepared statement for one row, which costs half of any for many of them. */
import { CompiledQuery, type RawBuilder } from 'kysely';
import type { BoundText, Columns, Dialect } from './dialect.ts';
import type { Batch } from './handle.ts';
import { change } from './statement.ts';
import type { Writer } from './store.ts';
import type { Tables } from './tables.ts';

/** Rows of one statement; the few sizes keep the texts few, so that each stays prepared. */
const SIZES = [64, 16, 4, 1] as const;

type Computed = (dialect: Dialect) => Readonly<Record<string, RawBuilder<unknown>>>;

/** A row as both engines take it. */
export type RowValues<R> = { [K in keyof R]: string | number | null };

/**
 * An insert of rows, however many, into some columns of a table: the others have their defaults. What `computed` answers are columns
 * whose values the engine makes.
 */
export function insertInto<R extends RowValues<R>>(
  table: keyof Tables,
  columns: Columns<R>,
  computed: Computed = () => ({}),
): (ctx: { db: Writer; dialect: Dialect }, rows: readonly R[]) => Promise<void> {
  const run = change((db, { rows }: { rows: BoundText }, dialect) => {
    const made = Object.entries(computed(dialect));
    return db
      .insertInto(table)
      .columns([...namesOf(columns), ...made.map(([name]) => name)] as never)
      .expression(
        dialect.rowsOf<R>(rows, columns).select(made.map(([name, value]) => value.as(name)) as never) as never,
      );
  });
  return async (ctx, rows) => {
    const { db, dialect } = ctx;
    if (dialect.engine === 'sqlite') await insertEach(ctx, table, columns, rows, '', computed);
    else for (const some of portions(rows)) await run(db, { rows: dialect.rowsText(some, columns) });
  };
}

/**
 * The same with one parameter for each value, which on PostgreSQL costs half for long texts (the other writes them as JSON inside
 * of JSON), but several statements. `onConflict` is the clause behind the values, as SQL that both engines take; `table` and it come
 * from the code, never from a message. Returns how many rows were inserted or updated.
 */
export async function insertRows<R extends RowValues<R>>(
  ctx: { db: Writer; dialect: Dialect },
  table: keyof Tables,
  columns: Columns<R>,
  rows: readonly R[],
  onConflict = '',
): Promise<number> {
  const { db, dialect } = ctx;
  if (dialect.engine === 'sqlite') return await insertEach(ctx, table, columns, rows, onConflict);
  const names = namesOf(columns);
  let written = 0;
  for (let first = 0; first < rows.length; ) {
    const size = SIZES.find((one) => one <= rows.length - first)!;
    const parameters = rows.slice(first, first + size).flatMap((row) => names.map((name) => row[name] ?? null));
    const text = textOf(dialect.engine, table, names, size, onConflict);
    const { numAffectedRows = 0n } = await db.executeQuery(CompiledQuery.raw(text, parameters));
    written += Number(numAffectedRows);
    first += size;
  }
  return written;
}

async function insertEach<R extends RowValues<R>>(
  { db, dialect }: { db: Writer; dialect: Dialect },
  table: keyof Tables,
  columns: Columns<R>,
  rows: readonly R[],
  onConflict: string,
  computed: Computed = () => ({}),
): Promise<number> {
  const names = namesOf(columns);
  const made = Object.entries(computed(dialect)).map(([name, value]): [string, string] => [
    name,
    value.compile(db).sql,
  ]);
  const statement = CompiledQuery.raw(textOf(dialect.engine, table, names, 1, onConflict, made));
  let written = 0;
  for (const some of portions(rows)) {
    const batch: Batch = { ...statement, each: some.map((row) => names.map((name) => row[name] ?? null)) };
    written += Number((await db.executeQuery(batch)).numAffectedRows);
  }
  return written;
}

/** Names of columns in their order. */
export function namesOf<R>(columns: Columns<R>): (keyof R & string)[] {
  return Object.keys(columns) as (keyof R & string)[];
}

const texts = new Map<string, string>();

function textOf(
  engine: Dialect['engine'],
  table: string,
  names: readonly string[],
  size: number,
  onConflict: string,
  made: readonly [name: string, value: string][] = [],
) {
  const key = `${engine} ${size} ${table} ${names.join()} ${onConflict}`;
  let text = texts.get(key);
  if (text === undefined) {
    const place = (index: number) => (engine === 'postgres' ? `$${index + 1}` : '?');
    const row = (at: number) => {
      const given = names.map((_name, index) => place(at * names.length + index));
      return `(${[...given, ...made.map(([, value]) => value)].join(', ')})`;
    };
    const values = Array.from({ length: size }, (_unused, at) => row(at)).join(', ');
    const into = [...names, ...made.map(([name]) => name)].map((name) => `"${name}"`).join(', ');
    text = `insert into "${table}" (${into}) values ${values} ${onConflict}`;
    texts.set(key, text);
  }
  return text;
}

/** Of one statement: more of either would keep the process from answering others for too long. */
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
  for (const value of Object.values(row) as unknown[]) size += typeof value === 'string' ? value.length : 8;
  return size;
}
