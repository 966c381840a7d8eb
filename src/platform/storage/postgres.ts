/**
 * The store on PostgreSQL 15 and newer: a pool of connections, one transaction per job, every statement prepared once
 * per connection. After a temporary failure (serialization failure, deadlock, a connection that broke before the
 * commit) the whole job runs again. If the server cannot do the work (unreachable, restarting, out of connections, read
 * only, too slow), the error is `StorageUnavailable`.
 */
import { randomBytes as systemBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, type Kysely, PostgresAdapter, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { type Dialect, postgresDialect, ShardedAdapter, shardedDialect } from './dialect.ts';
import {
  asError,
  FULL_MS,
  isFull,
  isRetryable,
  NotReady,
  ONE_STATEMENT,
  OutcomeUnknown,
  Stalled,
  type StorageUnavailable,
  translated,
  unavailable,
} from './errors.ts';
import { handleMaker, showStatement } from './handle.ts';
import { Commits, GaveUpWaiting } from './postgres-commits.ts';
import {
  execute,
  isConnectionLost,
  isStalePlan,
  postgresSettings,
  types,
  unreachable,
  WITHOUT_LIMITS,
  withoutLimit,
} from './postgres-connection.ts';
import { Replica } from './postgres-replica.ts';
import { hasRowVersions, lostStatement, mustKeepStatements, mustServe, mustTakeWrites } from './postgres-server.ts';
import { SharedConnections } from './postgres-shared.ts';
import { provedRows, withState } from './row-state.ts';
import type { Connections, OnCommit, Reader, ReadOptions, RowState, Store, StoreOptions, Writer } from './store.ts';

/**
 * Attempts of one job before the caller gets the error: `ATTEMPTS_LOST` if its connection broke, `ATTEMPTS` if its
 * transaction must run again or a plan was stale. After other errors, the job is not repeated.
 */
const ATTEMPTS = 8;
const ATTEMPTS_LOST = 3;

/** Number of rows per fetch of a stream. */
const STREAM_ROWS = 500;

/**
 * Idle connections stay open for `IDLE_MS`, because their statements are prepared. A connection ends after
 * `LIFETIME_S`, because the address of the server may have changed.
 */
const IDLE_MS = 300_000;
const LIFETIME_S = 3_600;

/** Time limit of a readiness probe. */
const PING_MS = 2_000;

/** Time limit of a read from the replica; after it, the read goes to the primary. */
const REPLICA_MS = 2_000;

/** SQLSTATE of a warning. */
const WARNING = '01000';
/** SQLSTATE of a lock that is not available. */
const LOCKED = '55P03';
const HANDLE_IS_DEAD = 'This transaction has ended and its handle cannot be used any more. Is an await missing?';

/**
 * Opens `postgres://...`.
 * @throws StorageUnavailable if the server cannot be reached; Unfit if the server, or the pooler in front of it, cannot
 * be used.
 */
export async function openPostgres<DB>(url: string, options: StoreOptions): Promise<Store<DB>> {
  const { jobTimeoutMs = 10_000, onError = (error) => process.emitWarning(asError(error)) } = options;
  const randomBytes = options.randomBytes ?? systemBytes;
  const primary = poolOf(url, options);
  const replica = options.readUrl === undefined ? undefined : poolOf(options.readUrl, options, REPLICA_MS);
  const store = new PostgresStore<DB>(url, primary, replica, { ...options, jobTimeoutMs, onError, randomBytes });
  try {
    const { isSharded } = await store.read(mustServe);
    store.serves({ isSharded, hasRowVersions: await store.read(hasRowVersions, { single: true }) });
    await mustKeepStatements(primary, randomBytes);
  } catch (error) {
    await store.close();
    // If the pooler shares connections, the first statement may find a statement of another client under its name.
    throw lostStatement(error) ?? error;
  }
  return store;
}

function poolOf(url: string, options: StoreOptions, connectMs?: number): pg.Pool {
  const pool = new pg.Pool({
    ...postgresSettings(url, options),
    ...(connectMs !== undefined && { connectionTimeoutMillis: connectMs }),
    // BEGIN and the first query of a read are sent together.
    pipeline: true,
    max: options.connections ?? 10,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: LIFETIME_S,
  });
  // The pool replaces a broken idle connection at the next use; without a listener its error would end the process.
  pool.on('error', () => undefined);
  // A connection that is in use without a query in flight needs a listener too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

interface Options extends StoreOptions {
  jobTimeoutMs: number;
  onError: (error: unknown) => void;
  randomBytes: (size: number) => Buffer;
}

class PostgresStore<DB> implements Store<DB> {
  readonly engine = 'postgres';
  readonly url: string;
  readonly #primary: pg.Pool;
  readonly #replica: pg.Pool | undefined;
  readonly #standby: Replica | undefined;
  #server = { isSharded: false, hasRowVersions: true };
  readonly #options: Options;
  readonly #shared: SharedConnections;
  readonly #sharedReplica: SharedConnections | undefined;
  readonly #commits: Commits;
  readonly #working = new Set<Promise<unknown>>();
  readonly #streams = new Set<() => void>();
  #version = 0;
  #fullAt = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | undefined;

  constructor(url: string, primary: pg.Pool, replica: pg.Pool | undefined, options: Options) {
    this.url = url;
    this.#primary = primary;
    this.#replica = replica;
    this.#options = options;
    this.#commits = new Commits(options.jobTimeoutMs);
    const shared = (pool: pg.Pool) =>
      new SharedConnections(() => this.#connect(pool), Math.ceil(pool.options.max / 2), this.#limitMs(pool));
    this.#shared = shared(primary);
    this.#sharedReplica = replica && shared(replica);
    this.#standby = replica && new Replica(() => this.#probe(replica));
  }

  /**
   * Sets the properties in which the engines of the family differ
   * (docs/scale.md#a-sharding-engine-of-the-postgresql-family).
   */
  serves(server: { isSharded: boolean; hasRowVersions: boolean }): void {
    this.#server = server;
  }

  get dialect(): Dialect {
    return this.#server.isSharded ? shardedDialect : postgresDialect;
  }

  get #handles(): Handles {
    return this.#server.isSharded ? shardedHandles : plainHandles;
  }

  /** False with a replica, because its rows can be older than those of the primary, and for engines without `xmin`. */
  get provesRows(): boolean {
    return this.#replica === undefined && this.#server.hasRowVersions;
  }

  async read<T>(
    fn: (db: Reader<DB>) => Promise<T>,
    { stale = false, single = false, unchanged }: ReadOptions = {},
  ): Promise<T> {
    const from = (pool: pg.Pool) =>
      this.#again(async () => {
        if (!single) return this.#readOnce(await this.#connect(pool), fn, this.#limitMs(pool));
        return readSingle(pool === this.#primary ? this.#shared : this.#sharedReplica!, this.#handles, fn, unchanged);
      });
    return this.#accepted(async () => {
      if (!stale || this.#standby?.isUp() !== true) return from(this.#primary);
      return from(this.#replica!).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        // The primary serves this read and all further reads until the replica responds.
        this.#standby!.fail();
        return from(this.#primary);
      });
    });
  }

  async write<T>(fn: (tx: Writer<DB>, onCommit: OnCommit) => Promise<T>): Promise<T> {
    return this.#accepted(async () => {
      this.#commits.mustGoOn();
      const { value, hooks } = await this.#again(async () => this.#writeOnce(await this.#connect(this.#primary), fn));
      this.#version += 1;
      for (const hook of hooks) {
        try {
          hook();
        } catch (error) {
          this.#options.onError(error);
        }
      }
      return value;
    });
  }

  async *stream<T>(query: CompiledQuery<T>): AsyncGenerator<T> {
    this.#mustBeOpen();
    showStatement(query.sql);
    // A stream has its own connection, because its reader may be slow and cursors do not work with pipelining.
    const client = new pg.Client(postgresSettings(this.url));
    client.on('error', () => undefined);
    const end = () => {
      this.#streams.delete(end);
      void client.end().catch(() => undefined);
    };
    this.#streams.add(end);
    try {
      await client.connect();
      await client.query(`begin; ${WITHOUT_LIMITS}`);
      const cursor = client.query(new Cursor<T>(query.sql, [...query.parameters], { types }));
      for (;;) {
        const rows = await cursor.read(STREAM_ROWS);
        if (rows.length === 0) return;
        for (const row of rows) {
          yield row;
          // The store ended the stream, so the caller must get an error instead of an incomplete result.
          if (!this.#streams.has(end)) throw unavailable('The store was closed before the stream ended.');
        }
      }
    } catch (error) {
      throw isConnectionLost(error) ? unavailable('The stream broke off.', error) : translated(error);
    } finally {
      end();
    }
  }

  connections(): Connections {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#primary;
    return { open, idle, waiting, ...(this.#standby !== undefined && { isReplicaUp: this.#standby.isUp() }) };
  }

  backup(): Promise<void> {
    return Promise.reject(new Error('A PostgreSQL database is backed up with pg_dump; see docs/operating.md.'));
  }

  async scrub(
    tables: readonly string[],
    { rewrite = false, signal }: { rewrite?: boolean; signal?: AbortSignal } = {},
  ): Promise<boolean> {
    this.#mustBeOpen();
    // PostgreSQL only warns when it skips a locked table or a table of another owner.
    const skipped = new Set<string | undefined>();
    const how = [...(rewrite ? ['full'] : []), ...(signal === undefined ? [] : ['skip_locked'])];
    try {
      await withoutLimit(this.url, async (client) => {
        client.on('notice', ({ code }) => skipped.add(code));
        // An abort ends the connection. The server still completes the vacuum of the present table.
        const end = () => void client.end();
        signal?.addEventListener('abort', end);
        try {
          for (const table of tables) {
            signal?.throwIfAborted();
            await client.query(`vacuum ${how.length > 0 ? `(${how.join(', ')}) ` : ''}"${table}"`);
          }
        } finally {
          signal?.removeEventListener('abort', end);
        }
      });
    } catch (error) {
      throw isConnectionLost(error) ? unavailable('The connection broke.', error) : translated(error);
    }
    if (skipped.has(LOCKED)) throw unavailable('Another process has locked a table that needs a vacuum.');
    return !skipped.has(WARNING);
  }

  // Other processes write without notice, so the version changes at each call (docs/decisions/090).
  readonly version = (): number => ++this.#version;

  readonly watch = (): undefined => undefined;

  async ping(): Promise<void> {
    this.#mustBeOpen();
    if (performance.now() - this.#fullAt < FULL_MS) throw new NotReady('full');
    const client = await this.#connect(this.#primary).catch((error: unknown) => {
      throw new NotReady('unreachable', { cause: error });
    });
    let broken: Error | undefined;
    let timer: NodeJS.Timeout | undefined;
    // The store has its own time limit, because a server that hangs does not apply its statement timeout.
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`No response in ${PING_MS} ms.`)), PING_MS);
    });
    try {
      const asked = Promise.all([this.#commits.refuseWhileWaiting(client), mustTakeWrites(client)]);
      await Promise.race([asked, late]);
    } catch (error) {
      if (error instanceof Stalled) throw new NotReady('commits_wait', { cause: error });
      // Every other error drops the connection. If the server has become a standby, a new connection then looks for the
      // primary.
      broken = asError(error);
      throw error instanceof NotReady ? error : new NotReady('unreachable', { cause: error });
    } finally {
      clearTimeout(timer);
      client.release(broken);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const end of this.#streams) end();
    // The work ends before the pool closes. Otherwise, callers that wait for a connection would wait forever.
    await Promise.allSettled(this.#working);
    await Promise.all([this.#primary.end(), this.#replica?.end()]);
  }

  #mustBeOpen(): void {
    if (this.#closing !== undefined) throw unavailable('The store is closed.');
  }

  async #accepted<T>(work: () => Promise<T>): Promise<T> {
    this.#mustBeOpen();
    const working = work();
    this.#working.add(working);
    try {
      return await working;
    } finally {
      this.#working.delete(working);
    }
  }

  async #connect(pool: pg.Pool): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      throw unreachable(error);
    }
  }

  /** Time limit of a read. */
  #limitMs(pool: pg.Pool): number {
    const { jobTimeoutMs } = this.#options;
    return pool === this.#primary ? jobTimeoutMs : Math.min(REPLICA_MS, jobTimeoutMs);
  }

  /** Reads one row from the replica; rejects if the replica does not respond in time. */
  async #probe(pool: pg.Pool): Promise<void> {
    await this.#readOnce(await this.#connect(pool), (db) => db.executeQuery(CompiledQuery.raw('select 1')), REPLICA_MS);
  }

  /**
   * Reads from one snapshot. It does not wait for BEGIN and COMMIT, so a read makes as many round trips as it has
   * statements.
   */
  async #readOnce<T>(client: pg.PoolClient, fn: (db: Reader<DB>) => Promise<T>, limitMs: number): Promise<T> {
    const job = new Job<DB>(client, this.#handles, limitMs);
    try {
      const begun = client.query('begin isolation level repeatable read read only');
      begun.catch(() => undefined);
      const value = await job.run(fn);
      await job.settled(begun);
      client.query('commit').catch(() => undefined);
      job.end();
      return value;
    } catch (error) {
      await job.undo(error);
      throw error;
    }
  }

  async #writeOnce<T>(
    client: pg.PoolClient,
    fn: (tx: Writer<DB>, onCommit: OnCommit) => Promise<T>,
  ): Promise<{ value: T; hooks: (() => void)[] }> {
    const hooks: (() => void)[] = [];
    const job = new Job<DB>(client, this.#handles, this.#options.jobTimeoutMs);
    try {
      await job.settled(this.#commits.mustStore(client));
      // Waits for BEGIN first: if BEGIN failed, a statement that was sent together with BEGIN would commit by itself.
      await job.settled(client.query('begin'));
      const value = await job.run((db) => fn(db, (hook) => hooks.push(hook)));
      await job.commit(this.#commits);
      job.end();
      return { value, hooks };
    } catch (error) {
      await job.undo(error);
      throw error;
    }
  }

  async #again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (isFull(error)) this.#fullAt = performance.now();
        // The server rolls back when the connection breaks. A break during the commit has its own error, because the
        // outcome is unknown.
        const isLost = isConnectionLost(error);
        const attempts = isStalePlan(error) || isRetryable(error) ? ATTEMPTS : isLost ? ATTEMPTS_LOST : 1;
        if (count >= attempts) {
          throw isLost ? unavailable('The connection to the database broke.', error) : translated(error);
        }
      }
      // The random factor prevents two jobs from colliding again.
      await sleep(2 ** count * (0.5 + this.#options.randomBytes(1)[0]! / 256));
    }
  }
}

type Handles = ReturnType<typeof handleMaker>;

/** One transaction on a connection of the pool; the connection is released in every case. */
class Job<DB> {
  readonly #client: pg.PoolClient;
  readonly #handles: Handles;
  readonly #timeoutMs: number;
  readonly #onBroken = (error: Error) => (this.#broken ??= error);
  #broken: Error | undefined;
  #isOpen = true;

  constructor(client: pg.PoolClient, handles: Handles, timeoutMs: number) {
    this.#client = client;
    this.#handles = handles;
    this.#timeoutMs = timeoutMs;
    client.on('error', this.#onBroken);
  }

  /** Calls `fn` with a handle that is closed when the call ends, with or without an error. */
  async run<T>(fn: (db: Kysely<DB>) => Promise<T>): Promise<T> {
    let waiting = 0;
    const settled = () => {
      waiting -= 1;
    };
    const handle = this.#handles<DB>((query) => {
      if (!this.#isOpen) return Promise.reject(new Error(HANDLE_IS_DEAD));
      const answer = execute(this.#client, query);
      waiting += 1;
      answer.then(settled, settled);
      return answer as never;
    });
    try {
      // If no statement is in flight, the job itself hangs: a bug that a retry does not fix.
      return await this.#within(fn(handle), (sentence) => (waiting > 0 ? unavailable(sentence) : new Error(sentence)));
    } finally {
      this.#isOpen = false;
    }
  }

  /** Waits for a result of the server, with a time limit: a server that hangs does not apply its own time limits. */
  settled<T>(result: Promise<T>): Promise<T> {
    return this.#within(result, unavailable);
  }

  async #within<T>(work: Promise<T>, late: (sentence: string) => Error): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        // The statement may still be running, so no other job can use the connection.
        this.#broken = late(`The job took longer than ${this.#timeoutMs} ms and was rolled back.`);
        reject(this.#broken);
      }, this.#timeoutMs);
    });
    try {
      return await Promise.race([work, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  async commit(commits: Commits): Promise<void> {
    let result: pg.QueryResult;
    try {
      result = await this.settled(commits.commit(this.#client, () => this.#client.query('commit')));
    } catch (error) {
      const isUnknown = this.#broken !== undefined || isConnectionLost(error) || error instanceof GaveUpWaiting;
      if (!isUnknown) throw error;
      commits.suspect();
      this.#broken ??= asError(error);
      throw new OutcomeUnknown('The connection to the database broke during the commit.', { cause: error });
    }
    // If the job ignored the error of a statement, the server rolls back at the commit and reports no error.
    if (result.command !== 'COMMIT') throw new Error('A statement of this job failed, so the job was rolled back.');
  }

  /** Rolls back, or drops the connection if that fails. */
  async undo(error: unknown): Promise<void> {
    if (isConnectionLost(error)) this.#broken ??= asError(error);
    if (this.#broken === undefined) {
      await this.settled(this.#client.query('rollback')).catch((failure: unknown) => (this.#broken = asError(failure)));
    }
    this.end();
  }

  end(): void {
    this.#client.removeListener('error', this.#onBroken);
    this.#client.release(this.#broken);
  }
}

/** Runs a read of one statement. The statement has its own snapshot, so it needs no transaction. */
async function readSingle<DB, T>(
  shared: SharedConnections,
  handles: Handles,
  fn: (db: Reader<DB>) => Promise<T>,
  unchanged: RowState | undefined,
): Promise<T> {
  let isOpen = true;
  const handle = handles<DB>(async <R>(query: CompiledQuery) => {
    if (!isOpen) throw new Error(ONE_STATEMENT);
    isOpen = false;
    if (unchanged === undefined) return shared.execute<R>(query);
    const { rows } = await shared.execute<Record<string, unknown>>(withState(query, unchanged));
    return { rows: provedRows(rows, unchanged) as R[] };
  });
  try {
    return await fn(handle);
  } finally {
    isOpen = false;
  }
}

function isUnavailable(error: unknown): error is StorageUnavailable {
  return error instanceof Error && error.name === 'StorageUnavailable';
}

const compiler = new PostgresQueryCompiler();
const plainHandles = handleMaker(new PostgresAdapter(), compiler);
const shardedHandles = handleMaker(new ShardedAdapter(), compiler);
