/**
 * Whether rows are as they were: for what is kept of them where other processes write too. PostgreSQL gives each version of a
 * row the number of the transaction that wrote it, so a statement can carry the proof along with what it is asked for.
 */

import { CompiledQuery } from 'kysely';
import { lru } from '../lru.ts';
import type { Reader, RowKey, RowState } from './store.ts';

/** Rows are no longer as they were: what was kept of them is to be read again. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
}

/** How `rows` are in the snapshot of `db`; PostgreSQL only. */
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

/** What was made last of a state: the same is asked with it again and again. */
const made = new WeakMap<RowState, { of: string; text: string; parameters: readonly string[] }>();

/** The select with the state of `rows` in each of its rows, and in one row where it has none. */
export function withState({ sql, parameters }: Statement, state: RowState): Statement {
  let known = made.get(state);
  if (known?.of !== sql) {
    const own = expression(state.rows, parameters.length + 1);
    known = { of: sql, text: textWith(sql, own.text), parameters: own.parameters };
    made.set(state, known);
  }
  return { sql: known.text, parameters: [...parameters, ...known.parameters] };
}

/** One string for all states of the same shape: what is prepared is found by it. */
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

/** The rows of the select itself. @throws Outdated when the state is another one. */
export function provedRows(found: Record<string, unknown>[], { state }: RowState): Record<string, unknown>[] {
  if (found[0]?.[STATE] !== state) throw new Outdated('What was kept of these rows is out of date.');
  return found.filter((row) => row[IS_ROW] === true);
}

/** One text for all; null when one of them is not there. */
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
