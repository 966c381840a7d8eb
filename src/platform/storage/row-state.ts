/**
 * Proves that cached rows are unchanged although other processes write. PostgreSQL stores in each version of a row the
 * number of the transaction that wrote it. A statement returns the numbers of the cached rows together with its result;
 * equal numbers are the proof.
 */

import { CompiledQuery } from 'kysely';
import { lru } from '../lru.ts';
import type { Reader, RowKey, RowState } from './store.ts';

/** Cached rows have changed and must be read again. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
}

/** The state of `rows` in the snapshot of `db`, on PostgreSQL only; undefined if one of the rows does not exist. */
export async function stateOf(db: Reader, rows: readonly RowKey[]): Promise<RowState | undefined> {
  const { text, parameters } = expression(rows, 1);
  const { rows: found } = await db.executeQuery<{ state: string | null }>(
    CompiledQuery.raw(`select ${text} as state`, parameters),
  );
  const state = found[0]?.state;
  return state == null ? undefined : { rows, state };
}

const STATE = 'state of rows';
const IS_ROW = 'is row';

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

const TEXTS_MAX = 1_000;
const texts = lru<string, string>(TEXTS_MAX);

/** The last statement with each state. It is kept, because the same statement usually runs again. */
const made = new WeakMap<RowState, { of: string; text: string; parameters: readonly string[] }>();

/**
 * Adds the present state of the cached rows to each row of a select. A select without rows then returns one row with
 * that state.
 */
export function withState({ sql, parameters }: Statement, state: RowState): Statement {
  let known = made.get(state);
  if (known?.of !== sql) {
    const own = expression(state.rows, parameters.length + 1);
    known = { of: sql, text: textWith(sql, own.text), parameters: own.parameters };
    made.set(state, known);
  }
  return { sql: known.text, parameters: [...parameters, ...known.parameters] };
}

/**
 * Returns the same string for all states of the same shape, because prepared statements are looked up by their text.
 */
function textWith(sql: string, state: string): string {
  const name = `${state} ${sql}`;
  let text = texts.get(name);
  if (text === undefined) {
    text =
      `select p.*, t.* from (select ${state} as "${STATE}") as p ` +
      `left join lateral (select true as "${IS_ROW}", o.* from (${sql}) as o) as t on true`;
    texts.set(name, text);
  }
  return text;
}

/** Returns the rows of the original select. @throws Outdated if the state has changed. */
export function provedRows(found: Record<string, unknown>[], { state }: RowState): Record<string, unknown>[] {
  if (found[0]?.[STATE] !== state) throw new Outdated('The cached copy of these rows is out of date.');
  return found.filter((row) => row[IS_ROW] === true);
}

/** The state of all rows as one text; null if one of the rows does not exist. */
function expression(rows: readonly RowKey[], first: number): { text: string; parameters: string[] } {
  const parameters: string[] = [];
  const parts = rows.map(({ table, key }) => {
    const conditions = Object.entries(key).map(([column, value]) => {
      parameters.push(value);
      return `"${column}" = $${first + parameters.length - 1}`;
    });
    return `(select xmin::text from "${table}" where ${conditions.join(' and ')})`;
  });
  return { text: parts.join(" || ' ' || "), parameters };
}
