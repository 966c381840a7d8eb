/**
 * The doors to the database (docs/storage.md#doors): `read` and `write`, and `stream` for what is larger than memory.
 * A slice sees nothing else of the storage, so it cannot tell which engine answers.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Tables } from './tables.ts';

/** A row by its key. */
export interface RowKey {
  table: keyof Tables;
  key: Readonly<Record<string, string>>;
}

/** Rows, and how they were. */
export interface RowState {
  rows: readonly RowKey[];
  state: string;
}

/** What a read may do. A `Writer` is also a `Reader`, so a query function that takes a `Reader` serves both. */
export type Reader<DB = Tables> = Pick<
  Kysely<DB>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'case' | 'fn' | 'dynamic' | 'executeQuery' | 'getExecutor'
>;

/** The only handle of a write job. The job is one transaction already: `tx.transaction()` is refused. */
export type Writer<DB = Tables> = Kysely<DB>;

/** Runs `hook` after the job's commit, in order; never when the job is refused. It must not throw and cannot await. */
export type OnCommit = (hook: () => void) => void;

export interface ReadOptions {
  /** An answer that is some seconds old does no harm: a read replica may give it, where there is one. */
  stale?: boolean;
  /** `fn` makes one statement, which is a snapshot by itself: no transaction goes around it. A second one is refused. */
  single?: boolean;
  /**
   * With `single`, where the store `provesRows`: the statement carries the proof that these rows are still as they were. It
   * is refused with `Outdated` when they are not.
   */
  unchanged?: RowState;
}

/** Tables that are watched. */
export interface Watched {
  /**
   * Changes when one of them may have been changed. What goes along with its parent (`on delete cascade`) is not seen: watch
   * the parent too.
   */
  readonly version: number;
}

export interface Store<DB = Tables> {
  readonly engine: 'sqlite' | 'postgres';
  /** As given to `openStore`. */
  readonly url: string;
  readonly dialect: Dialect;

  /**
   * Returns from one consistent snapshot of what is committed; waits while every reading connection is taken. On
   * PostgreSQL `fn` may run again from its beginning (a connection that broke), so it changes nothing outside.
   */
  read<T>(fn: (db: Reader<DB>) => Promise<T>, options?: ReadOptions): Promise<T>;

  /** Whether a read can prove rows unchanged; where not, `version` does. */
  readonly provesRows: boolean;

  /**
   * One job, all or nothing. Settles only after the commit of its group: a value means it is on disk. `fn` awaits
   * nothing but `tx` (a nested `write` would wait for itself). On PostgreSQL it may run again from its beginning after a
   * rollback (deadlock, broken connection), so it changes nothing outside but through `onCommit`, whose hooks are those of
   * the run that was committed. Errors: `fn`'s own, after rollback; `StorageUnavailable` when the group was lost, the lock
   * was not had in `lockWaitMs`, the server cannot be reached, or writing has stopped; its kind `OutcomeUnknown` when the
   * connection broke or the disk failed during the commit, so that the work may be done.
   */
  write<T>(fn: (tx: Writer<DB>, onCommit: OnCommit) => Promise<T>): Promise<T>;

  /** The rows of a compiled select one at a time, from one snapshot, on a connection of their own. */
  stream<T>(query: CompiledQuery<T>): AsyncIterable<T>;

  /**
   * Copies the database as it is now to a new file, while others write. The file appears under its name only when it is
   * complete. Progress is in pages.
   */
  backup(toFile: string, onProgress?: (done: number, total: number) => void): Promise<void>;

  /**
   * Removes from the files what was overwritten or deleted before: what the database no longer answers is then in no byte of
   * them. On SQLite the log is moved into the file and emptied, with `rewrite` the file is made anew, for what releases before
   * 0.2 left in it; on PostgreSQL these tables are vacuumed, with `rewrite` fully. Returns false when others were reading all
   * the time, so that the log could not be emptied.
   */
  scrub(tables: readonly (keyof DB & string)[], options?: { rewrite?: boolean }): Promise<boolean>;

  /**
   * A number that changes when anything was committed, by whomever: the proof a cache needs (docs/decisions/090). What another
   * process commits shows in the next turn of the event loop, so that whoever asks after it sees it.
   */
  version(): number;

  /**
   * The version of some tables only. It is brought up to date by `version()`, so ask for that one first. Undefined where nothing
   * tells what others have committed: there a cache would be empty at each question, so keep none.
   */
  watch(tables: readonly (keyof DB & string)[]): Watched | undefined;

  /**
   * Rejects with `NotReady` when the file cannot be read, writing has stopped, or a write found no room in the last five
   * seconds; on PostgreSQL also when the server does not answer in two, takes no writes, or while commits wait for a standby.
   */
  ping(): Promise<void>;

  /** Connections of this process, and how many requests wait for one (on SQLite also writes that wait for the writer). */
  connections(): Connections;

  /** Takes no new work, finishes what was accepted, ends open streams, then closes. May be called again. */
  close(): Promise<void>;
}

export interface Connections {
  open: number;
  idle: number;
  waiting: number;
}

export interface StoreOptions {
  /** Reading connections; default 4. */
  readers?: number;
  /** PostgreSQL: connections of the pool; default 10. */
  connections?: number;
  /** PostgreSQL: URL of a read replica for reads that may be stale; it has a pool of the same size. */
  readUrl?: string;
  /** How long a write waits for another process's lock, in milliseconds; default 10,000. */
  lockWaitMs?: number;
  /** How long one job may run before it is rolled back, in milliseconds; default 10,000. */
  jobTimeoutMs?: number;
  /** PostgreSQL: spreads jobs that collided before they run again; default: the system's randomness. */
  randomBytes?: (size: number) => Buffer;
  /** Hears of errors that reach no caller (a hook that throws); default: a process warning. */
  onError?: (error: unknown) => void;
}
