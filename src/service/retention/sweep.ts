/**
 * Removes rows whose time is over, a batch a transaction (docs/decisions/298). A sweep walks along an index by time from where its
 * last batch ended, so what may not go yet is passed by; at the end it rests and begins anew.
 */
import type { Config } from '../../platform/config.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { DueKind } from '../../platform/due-kind.ts';
import type { Reader } from '../../platform/storage/db.ts';
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

export interface Sweep<R extends Mark> {
  /** A label of the metrics of the scheduler. */
  name: string;
  /** How long rows are kept; undefined: for ever. */
  days: (config: Config) => number | undefined;
  /** Rows of a transaction. */
  batch: number;
  /** The oldest rows up to an instant, behind `after`. One statement. */
  find: (db: Reader, upTo: number, after: R | undefined, limit: number) => Promise<R[]>;
  /** Removes those of the rows that may go. */
  remove: (ctx: Ctx, rows: readonly R[], upTo: number) => Promise<Removed>;
  /** Whether customers' data goes with them: then it leaves the files too. */
  isPersonal?: true;
}

/** The sweep as what the scheduler knows; each scheduler has its own, for it keeps its place. */
export function sweeping<R extends Mark>({ name, days, batch, find, remove, isPersonal }: Sweep<R>): DueKind {
  let after: R | undefined;
  let restsUntil = 0;
  return {
    name,
    upkeepEveryMs: GO_ON_MS,
    due: async (db, now, _limit, config) => {
      const kept = days(config);
      if (kept === undefined || now < restsUntil) return [];
      const [first] = await find(db, now - kept * DAY_MS, after, 1);
      // Nobody waits for it: everything else that is due comes first.
      if (first !== undefined) return [{ at: now, clientId: first.clientId, id: first.id }];
      if (after !== undefined) restsUntil = now + REST_MS;
      after = undefined;
      return [];
    },
    run: async ({ write, removed, blanked, config, ports }) => {
      const upTo = ports.now() - days(config)! * DAY_MS;
      const { last, counts } = await write(async (ctx) => {
        const rows = await find(ctx.db, upTo, after, batch);
        return { last: rows.at(-1), counts: rows.length === 0 ? {} : await remove(ctx, rows, upTo) };
      });
      if (last === undefined) return false;
      after = last;
      for (const [kind, count] of Object.entries(counts)) removed(kind, count);
      if (isPersonal === true && Object.values(counts).some((count) => count > 0)) blanked();
      return true;
    },
  };
}
