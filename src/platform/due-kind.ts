/** A kind of work that becomes due, as the scheduler asks for it. */
import type { Config } from './config.ts';
import type { Ctx } from './ctx.ts';
import type { Due } from './due.ts';
import type { Ports } from './ports.ts';
import type { Reader, Store } from './storage/db.ts';
import type { Tracing } from './tracing.ts';

export interface Parts {
  config: Config;
  ports: Ports;
  store: Store;
  /** One write transaction, in the name of the scheduler, at `ports.now()`. */
  write: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;
  /** Where spans are sent. */
  tracing?: Tracing | undefined;
  /** A customer was forgotten: what is overwritten must leave the files too. */
  blanked: () => void;
  /** Rows were removed because their time is over: for the metrics. */
  removed: (kind: string, rows: number) => void;
}

export interface DueKind {
  /** One word or two; a label of the metrics. */
  name: string;
  /** What is done by the way: nobody waits for it, and it is looked for no oftener than this. */
  upkeepEveryMs?: number;
  /** There is always more of it while anybody writes: it is looked for once a tick, not until there is none. */
  neverEnds?: true;
  /** What is due at `now`, the oldest first, at most `limit`. One statement. */
  due: (db: Reader, now: number, limit: number, config: Config) => Promise<Due[]>;
  /** When the first thing after an instant becomes due. One statement. Not asked of upkeep. */
  next?: (db: Reader, after: number) => Promise<Due | undefined>;
  /** Does it; returns whether this one did, or somebody else was quicker. */
  run: (parts: Parts, due: Due) => Promise<boolean>;
}
