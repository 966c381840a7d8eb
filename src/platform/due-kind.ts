/** The interface between the scheduler and a kind of work that becomes due. */
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
  /** Runs a write transaction with the scheduler as its actor and `ports.now()` as its time. */
  write: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;
  /** Receives the spans of the work. */
  tracing?: Tracing | undefined;
  /** Call it after a customer was anonymized: the database files must then be cleaned of the overwritten data. */
  anonymized: () => void;
  /** Call it after rows were removed at the end of their retention, so that the metrics count the removed rows. */
  removed: (kind: string, rows: number) => void;
  /** Call it if work that had to wait can be done now: the scheduler then looks again after 20 ms. */
  soon: () => void;
}

export interface DueKind {
  /** Name of the kind, one or two words. It is a label of the metrics. */
  name: string;
  /** Interval at which the scheduler looks for background work; undefined: at every tick. */
  upkeepEveryMs?: number;
  /**
   * Whether each write can create new work of this kind. A search until no work is due might then never end, so the
   * scheduler searches only once per tick.
   */
  neverEnds?: true;
  /**
   * After a start and after an outage of the database, the scheduler does none of this work for this time; default 0.
   * In this time, devices send the work that they could not send before.
   */
  graceMs?: number;
  /** Finds the work due at `now`, the oldest first, at most `limit`, with one statement. */
  due: (db: Reader, now: number, limit: number, config: Config) => Promise<Due[]>;
  /** Finds the first work that becomes due after an instant, with one statement. Not used for background work. */
  next?: (db: Reader, after: number) => Promise<Due | undefined>;
  /**
   * Does the work. Returns false if there was nothing to do: another process has done the work, or a request has
   * changed the row. Also returns false if the work must wait until a later search.
   */
  run: (parts: Parts, due: Due) => Promise<boolean>;
}
