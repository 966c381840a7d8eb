/**
 * Deletes rows at the end of their retention, one batch per transaction (docs/decisions/298). A sweep follows an index
 * by time and continues after the last batch, so it skips rows that cannot be deleted yet. At the end it pauses, then
 * starts from the beginning.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Config } from '../../platform/config.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { DueKind } from '../../platform/due-kind.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { Tables } from '../../platform/storage/tables.ts';
import { DAY_MS, isPaused } from '../../platform/time.ts';

/** Pause between two searches of a sweep, and its pause at the end of the index. */
const GO_ON_MS = 60_000;
const REST_MS = 600_000;

/** The position of a row in the index. Rows of the same instant are sorted by client and id. */
export interface Mark {
  at: number;
  clientId: string;
  id: string;
}

/** Number of deleted rows by kind of data. */
export type Removed = Readonly<Record<string, number>>;

type Walk<R extends Mark> = (db: Reader, upTo: number, after: R | undefined, limit: number) => Promise<R[]>;

export interface Sweep<R extends Mark> {
  /** Label of the sweep in the metrics of the scheduler. */
  name: string;
  /** Returns the retention in days; undefined if the rows are kept forever. */
  days: (config: Config) => number | undefined;
  /** Number of rows per transaction. */
  batch: number;
  /** Finds, in one statement, the oldest rows whose time is at most `upTo`, beginning after the mark `after`. */
  find: Walk<R>;
  /** Deletes the rows that can still be deleted. Other transactions can have changed rows since they were found. */
  remove: (ctx: Ctx, rows: readonly R[], upTo: number) => Promise<Removed>;
  /** Whether the rows have personal data, which must also be removed from the database files. */
  isPersonal?: true;
}

/** Returns the sweep as a kind of the scheduler. A sweep stores its position, so each scheduler needs its own sweep. */
export function sweeping<R extends Mark>({ name, days, batch, find, remove, isPersonal }: Sweep<R>): DueKind {
  let after: R | undefined;
  let found: R[] = [];
  let restsUntil = 0;
  return {
    name,
    upkeepEveryMs: GO_ON_MS,
    due: async (db, now, _limit, config) => {
      const kept = days(config);
      if (kept === undefined || isPaused(now, restsUntil, REST_MS)) return [];
      found = await find(db, now - kept * DAY_MS, after, batch);
      const [first] = found;
      // The rows get the present time as their due time, so all other due work has an earlier time and is done first.
      if (first !== undefined) return [{ at: now, clientId: first.clientId, id: first.id }];
      if (after !== undefined) restsUntil = now + REST_MS;
      after = undefined;
      return [];
    },
    run: async ({ write, removed, anonymized, config, ports }) => {
      const upTo = ports.now() - days(config)! * DAY_MS;
      const rows = found;
      found = [];
      if (rows.length === 0) return false;
      const counts = await write((ctx) => remove(ctx, rows, upTo));
      after = rows.at(-1);
      for (const [kind, count] of Object.entries(counts)) removed(kind, count);
      if (isPersonal === true && Object.values(counts).some((count) => count > 0)) anonymized();
      return true;
    },
  };
}

/**
 * Returns a function that reads a table along its index by time, with one statement per batch. `columns` are the
 * columns of the index in their order, the time first. `only` is the condition of a partial index. Crosses tenants:
 * only the age matters (docs/decisions/190).
 */
export function along<T extends keyof Tables, const C extends Record<keyof Mark, keyof Tables[T] & string>>(
  table: T,
  columns: C,
  only: RawBuilder<SqlBool> = sql`true`,
): Walk<RowOf<T, C>> {
  const fields = Object.keys(columns) as (keyof C & string)[];
  const index = sql.join(fields.map((field) => sql.ref(columns[field] as string)));
  const shown = sql.join(fields.map((field) => sql`${sql.ref(columns[field] as string)} as ${sql.ref(field)}`));
  const time = sql.ref(columns.at);
  return async (db, upTo, after, limit) => {
    const behind =
      after === undefined ? only : sql`${only} and ${time} >= ${after.at} and (${index}) > (${placeOf(after, fields)})`;
    const { rows } = await sql<RowOf<T, C>>`select ${shown} from ${sql.table(table)}
      where ${time} <= ${upTo} and ${behind} order by ${index} limit ${limit}`.execute(db);
    return rows;
  };
}

type RowOf<T extends keyof Tables, C extends Record<keyof Mark, keyof Tables[T]>> = Mark & {
  [F in keyof C]: NonNullable<Tables[T][C[F] & keyof Tables[T]]>;
};

function placeOf<R>(row: R, fields: readonly (keyof R)[]) {
  return sql.join(fields.map((field) => sql`${row[field]}`));
}
