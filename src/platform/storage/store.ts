/**
 * The interface to the database (docs/storage.md#access-to-the-database): `read` and `write`, and `stream` for results
 * larger than memory. Slices have no other access to the database, so they do not depend on the engine.
 */
import type { CompiledQuery, Kysely } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Tables } from './tables.ts';

/** The key of a row. */
export interface RowKey {
  table: keyof Tables;
  key: Readonly<Record<string, string>>;
}

/** Rows, and the state that they had when they were read. */
export interface RowState {
  rows: readonly RowKey[];
  state: string;
}

/** The handle of a read. A `Writer` is also a `Reader`, so a query function that takes a `Reader` works with both. */
export type Reader<DB = Tables> = Pick<
  Kysely<DB>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'case' | 'fn' | 'dynamic' | 'executeQuery' | 'getExecutor'
>;

/** The only handle of a write job. The job is already one transaction: `tx.transaction()` throws. */
export type Writer<DB = Tables> = Kysely<DB>;

/**
 * Runs `hook` after the commit of the job, in order; never if the job fails. The hook must not throw and cannot await.
 */
export type OnCommit = (hook: () => void) => void;

export interface ReadOptions {
  /** Whether the result can be some seconds old. If there is a read replica, it serves such reads. */
  stale?: boolean;
  /**
   * Whether `fn` runs only one statement. The statement has its own snapshot and no transaction around it. A second
   * statement throws.
   */
  single?: boolean;
  /**
   * Set this only with `single`, on a store with `provesRows`. The statement then also checks that these rows are
   * unchanged, and throws `Outdated` if they have changed.
   */
  unchanged?: RowState;
}

/** Watched tables. */
export interface Watched {
  /**
   * A number that changes when one of the tables may have changed. Deletions by `on delete cascade` are not noticed, so
   * watch the parent table too.
   */
  readonly version: number;
}

export interface Store<DB = Tables> {
  readonly engine: 'sqlite' | 'postgres';
  /** The URL that was passed to `openStore`. */
  readonly url: string;
  readonly dialect: Dialect;

  /**
   * Runs `fn` on one consistent snapshot of the committed data; waits while every reading connection is in use. On
   * PostgreSQL `fn` may run again from its beginning (after a broken connection), so it must have no side effects.
   */
  read<T>(fn: (db: Reader<DB>) => Promise<T>, options?: ReadOptions): Promise<T>;

  /**
   * True if `read` supports the option `unchanged`. If false, compare `version()` to find out whether data has changed.
   */
  readonly provesRows: boolean;

  /**
   * Runs one job, all or nothing. Settles only after the commit of its group, so the changes of a job that returns a
   * value are on disk. `fn` must await only `tx` (a nested `write` would wait for itself). On PostgreSQL `fn` may run
   * again from its beginning after a rollback (deadlock, broken connection). It must therefore have side effects only
   * in `onCommit`; only the hooks of the committed run are called. Rejects after a rollback with the error of `fn`.
   * Rejects with `StorageUnavailable` if the group was lost, the job took longer than `jobTimeoutMs`, or the lock was
   * not available within `lockWaitMs`; also if the server cannot be reached or writing has stopped. Rejects with its
   * subclass `OutcomeUnknown` if the connection broke or the disk failed during the commit: the work may be done.
   */
  write<T>(fn: (tx: Writer<DB>, onCommit: OnCommit) => Promise<T>): Promise<T>;

  /** Yields the rows of a compiled select one at a time, from one snapshot, on a separate connection. */
  stream<T>(query: CompiledQuery<T>): AsyncIterable<T>;

  /**
   * Copies the present state of an SQLite database to a new file, while others write. The file gets its name only when
   * it is complete. Progress is in pages. On PostgreSQL it rejects: use pg_dump.
   */
  backup(toFile: string, onProgress?: (done: number, total: number) => void): Promise<void>;

  /**
   * Removes overwritten and deleted data from all bytes of the files. On SQLite, the log is moved into the file and
   * emptied; `rewrite` also rebuilds the file, because releases before 0.2 left such data in it. On PostgreSQL, the
   * `tables` are vacuumed; with `rewrite`, by `vacuum full`. Returns false if other connections were reading all the
   * time, so that the log could not be emptied; with a `signal`, it does not wait for them. On PostgreSQL, returns false
   * if the role does not own a table. With a `signal`, the vacuum waits for no lock, and it rejects if it skipped a
   * table. Aborting the signal ends the vacuum.
   */
  scrub(
    tables: readonly (keyof DB & string)[],
    options?: { rewrite?: boolean; signal?: AbortSignal },
  ): Promise<boolean>;

  /**
   * A number that changes with every commit of any process, for caches (docs/decisions/090). It shows a commit of
   * another process in the next turn of the event loop at the latest, so a request that arrives after the commit sees
   * the change.
   */
  version(): number;

  /**
   * The version of some tables only. `version()` updates it, so call `version()` first. Undefined if commits of other
   * processes cannot be noticed; do not cache in this case.
   */
  watch(tables: readonly (keyof DB & string)[]): Watched | undefined;

  /**
   * Rejects with `NotReady` if a write found the disk full in the last five seconds. On SQLite, also if the file cannot
   * be read or writing has stopped. On PostgreSQL, also if the server does not respond within two seconds, accepts no
   * writes, or commits wait for a standby.
   */
  ping(): Promise<void>;

  /**
   * Connections of this process, and the number of requests that wait for a connection (on SQLite also writes that wait
   * for the writer).
   */
  connections(): Connections;

  /** Accepts no new work, finishes accepted work, ends open streams, then closes. It can be called again. */
  close(): Promise<void>;
}

export interface Connections {
  open: number;
  idle: number;
  waiting: number;
  /** PostgreSQL with a read replica: false while the replica has failed and the primary serves its reads. */
  isReplicaUp?: boolean;
}

export interface StoreOptions {
  /** SQLite: number of reading connections; default 4. */
  readers?: number;
  /** PostgreSQL: number of connections of the pool; default 10. */
  connections?: number;
  /** PostgreSQL: URL of a read replica for reads that can be stale; it has a pool of the same size. */
  readUrl?: string;
  /** Longest wait of a write for the lock of another process, in milliseconds; default 10,000. */
  lockWaitMs?: number;
  /** Time limit of one job, after which it is rolled back, in milliseconds; default 10,000. */
  jobTimeoutMs?: number;
  /**
   * PostgreSQL: random bytes for the pause before a job runs again after a collision; default: the random source of the
   * system.
   */
  randomBytes?: (size: number) => Buffer;
  /** Called with errors that reach no caller (a hook that throws); default: a process warning. */
  onError?: (error: unknown) => void;
}
