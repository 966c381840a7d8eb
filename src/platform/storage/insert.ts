import { CompiledQuery } from 'kysely';
import type { Columns, Dialect } from './dialect.ts';
import type { Writer } from './store.ts';

/** Rows of one statement; the few sizes keep the texts few, so that each stays prepared. */
const SIZES = [64, 16, 4, 1] as const;

/**
 * Inserts rows with one parameter for each value, which for long texts costs half of `rowsOf` (that writes them as JSON inside
 * of JSON). `onConflict` is the clause behind the values, as SQL that both engines take; `table` and it come from the code,
 * never from a message. Returns how many rows were inserted or updated.
 */
export async function insertRows<R extends { [K in keyof R]: string | number | null }>(
  { db, dialect }: { db: Writer; dialect: Dialect },
  table: string,
  columns: Columns<R>,
  rows: readonly R[],
  onConflict = '',
): Promise<number> {
  const names = Object.keys(columns) as (keyof R & string)[];
  let written = 0;
  for (let first = 0; first < rows.length; ) {
    const size = SIZES.find((one) => one <= rows.length - first)!;
    const parameters: unknown[] = [];
    for (const row of rows.slice(first, first + size)) for (const name of names) parameters.push(row[name]);
    const text = textOf(dialect.engine, table, names, size, onConflict);
    const { numAffectedRows = 0n } = await db.executeQuery(CompiledQuery.raw(text, parameters));
    written += Number(numAffectedRows);
    first += size;
  }
  return written;
}

const texts = new Map<string, string>();

function textOf(engine: Dialect['engine'], table: string, names: readonly string[], size: number, onConflict: string) {
  const key = `${engine} ${size} ${table} ${names.join()} ${onConflict}`;
  let text = texts.get(key);
  if (text === undefined) {
    const place = (index: number) => (engine === 'postgres' ? `$${index + 1}` : '?');
    const row = (at: number) => `(${names.map((_name, index) => place(at * names.length + index)).join(', ')})`;
    const values = Array.from({ length: size }, (_unused, at) => row(at)).join(', ');
    text = `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values ${values} ${onConflict}`;
    texts.set(key, text);
  }
  return text;
}
