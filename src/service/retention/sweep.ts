/**
 * Removes rows whose time is over, a batch a transaction (docs/decisions/298). A sweep walks along an index by time from where its
 * last batch ended, so what may not go yet is passed by; at the end it rests and begins anew.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Config } from '../../platform/config.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { DueKind } from '../../platform/due-kind.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { Tables } from '../../platform/storage/tables.ts';
import { DAY_MS } from '../../platform/time.ts';

/** A sweep that has more to do goes on after so long, and rests for so long when it has seen everything. */
const GO_ON_MS = 60_000;
const REST_MS = 600_000;

/** A row by which something is found; those of one instant are in the order of their clients and ids. */
export interface Mark {
  at: number;
  clientId: string;
  id: string;
}

/** How many of each kind of data were removed. */
export type Removed = Readonly<Record<string, number>>;

type Walk<R extends Mark> = (db: Reader, upTo: number, after: R | undefined, limit: number) => Promise<R[]>;

export interface Sweep<R extends Mark> {
  /** A label of the metrics of the scheduler. */
  name: string;
  /** How long rows are kept; undefined: for ever. */
  days: (config: Config) => number | undefined;
  /** Rows of a transaction. */
  batch: number;
  /** The oldest rows up to an instant, behind `after`, in one statement. */
  find: Walk<R>;
  /** Removes those of the rows that may still go: they were found before this transaction, and somebody else may have been quicker. */
  remove: (ctx: Ctx, rows: readonly R[], upTo: number) => Promise<Removed>;
  /** Whether customers' data goes with them: then it leaves the files too. */
  isPersonal?: true;
}

/** The sweep as what the scheduler knows; each scheduler has its own, for it keeps its place. */
export function sweeping<R extends Mark>({ name, days, batch, find, remove, isPersonal }: Sweep<R>): DueKind {
  let after: R | undefined;
  let found: R[] = [];
  let restsUntil = 0;
  return {
    name,
    upkeepEveryMs: GO_ON_MS,
    due: async (db, now, _limit, config) => {
      const kept = days(config);
      if (kept === undefined || now < restsUntil) return [];
      found = await find(db, now - kept * DAY_MS, after, batch);
      const [first] = found;
      // Nobody waits for it: everything else that is due comes first.
      if (first !== undefined) return [{ at: now, clientId: first.clientId, id: first.id }];
      if (after !== undefined) restsUntil = now + REST_MS;
      after = undefined;
      return [];
    },
    run: async ({ write, removed, blanked, config, ports }) => {
      const upTo = ports.now() - days(config)! * DAY_MS;
      const rows = found;
      found = [];
      if (rows.length === 0) return false;
      const counts = await write((ctx) => remove(ctx, rows, upTo));
      after = rows.at(-1);
      for (const [kind, count] of Object.entries(counts)) removed(kind, count);
      if (isPersonal === true && Object.values(counts).some((count) => count > 0)) blanked();
      return true;
    },
  };
}

/**
 * Walks a table along its index by time, in one statement a batch. `columns` are those of the index in their order, the time
 * first; `only` is the condition of a partial index. Crosses tenants: age is all it asks (docs/decisions/190).
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
