/**
 * The store on PostgreSQL 15 and newer: a pool of connections, one transaction a job, every statement prepared once a
 * connection. What the server refuses for a moment (serialization failure, deadlock) is tried again; what it cannot do at
 * all (unreachable, restarting, out of connections, too slow) is `StorageUnavailable`.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, type Kysely, PostgresAdapter, PostgresQueryCompiler, type QueryResult } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import type { OnCommit, Reader, Store, StoreOptions, Writer } from './db.ts';
import { postgresDialect } from './dialect.ts';
import { asError, isRetryable, OutcomeUnknown, translated, unavailable } from './errors.ts';
import { handleMaker } from './handle.ts';

/** Tries of one job before the server's refusal goes to the caller. */
const ATTEMPTS = 8;

/** Rows fetched at once by a stream. */
const STREAM_ROWS = 500;

// Every integer of the schema is an epoch time, a count or a number of ours: all within the safe integers.
const INT8 = 20;
const NUMERIC = 1700;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format ?? 'text')) as never,
};

/** Settings of every connection to `url`. */
export function postgresSettings(
  url: string,
  options: Pick<StoreOptions, 'lockWaitMs' | 'jobTimeoutMs'> = {},
): pg.PoolConfig {
  const { lockWaitMs = 10_000, jobTimeoutMs = 10_000 } = options;
  return {
    connectionString: url,
    types,
    application_name: 'backroom',
    connectionTimeoutMillis: 5_000,
    statement_timeout: jobTimeoutMs,
    lock_timeout: lockWaitMs,
    idle_in_transaction_session_timeout: jobTimeoutMs * 2,
    keepAlive: true,
  };
}

export async function openPostgres<DB>(url: string, options: StoreOptions): Promise<Store<DB>> {
  const { onError = (error) => process.emitWarning(asError(error)) } = options;
  const pool = new pg.Pool({ ...postgresSettings(url, options), max: options.connections ?? 10 });
  // An idle connection that breaks is replaced by the pool at the next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  const store = new PostgresStore<DB>(url, pool, { jobTimeoutMs: options.jobTimeoutMs ?? 10_000, onError });
  try {
    await store.ping();
  } catch (error) {
    await pool.end();
    throw error;
  }
  return store;
}

interface Options {
  jobTimeoutMs: number;
  onError: (error: unknown) => void;
}

class PostgresStore<DB> implements Store<DB> {
  readonly engine = 'postgres';
  readonly dialect = postgresDialect;
  readonly url: string;
  readonly #pool: pg.Pool;
  readonly #options: Options;
  #version = 0;
  #closing: Promise<void> | undefined;

  constructor(url: string, pool: pg.Pool, options: Options) {
    this.url = url;
    this.#pool = pool;
    this.#options = options;
  }

  async read<T>(fn: (db: Reader<DB>) => Promise<T>): Promise<T> {
    return this.#again(async () => {
      const client = await this.#connect();
      return this.#transaction(client, 'begin isolation level repeatable read read only', (db) => fn(db));
    });
  }

  async write<T>(fn: (tx: Writer<DB>, onCommit: OnCommit) => Promise<T>): Promise<T> {
    const { value, hooks } = await this.#again(async () => {
      const hooks: (() => void)[] = [];
      const client = await this.#connect();
      const value = await this.#transaction(client, 'begin', (db) => fn(db, (hook) => hooks.push(hook)));
      return { value, hooks };
    });
    this.#version += 1;
    for (const hook of hooks) {
      try {
        hook();
      } catch (error) {
        this.#options.onError(error);
      }
    }
    return value;
  }

  async *stream<T>(query: CompiledQuery<T>): AsyncGenerator<T> {
    const client = await this.#connect();
    let broken: Error | undefined;
    try {
      const cursor = client.query(new Cursor<T>(query.sql, [...query.parameters], { types } as never));
      try {
        for (;;) {
          const rows = await cursor.read(STREAM_ROWS);
          if (rows.length === 0) return;
          yield* rows;
        }
      } finally {
        await cursor.close();
      }
    } catch (error) {
      broken = asError(error);
      throw translated(error);
    } finally {
      client.release(broken);
    }
  }

  backup(): Promise<void> {
    return Promise.reject(new Error('A PostgreSQL database is backed up with pg_dump; see docs/operating.md.'));
  }

  version(): number {
    // Other processes write too, so nothing proves freshness here: what depends on it must not be cached (decision 6).
    return ++this.#version;
  }

  async ping(): Promise<void> {
    const client = await this.#connect();
    let broken: Error | undefined;
    try {
      await client.query('select 1');
    } catch (error) {
      broken = asError(error);
      throw unavailable('The database does not answer.', error);
    } finally {
      client.release(broken);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#closing !== undefined) throw unavailable('The store is closed.');
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw unavailable('The database cannot be reached.', error);
    }
  }

  /** Runs `work` between `begin` and commit on a connection that is given back whatever happens. */
  async #transaction<T>(client: pg.PoolClient, begin: string, work: (db: Kysely<DB>) => Promise<T>): Promise<T> {
    let broken: Error | undefined;
    let committing = false;
    let open = true;
    const onBroken = (error: Error) => (broken = error);
    client.on('error', onBroken);
    const db = kyselyOver<DB>((query) => {
      if (!open)
        return Promise.reject(
          new Error('This transaction has ended; its handle cannot be used any more. Is an await missing?'),
        );
      return execute(client, query);
    });
    try {
      await client.query(begin);
      const value = await withTimeout(work(db), this.#options.jobTimeoutMs);
      committing = true;
      await client.query('commit');
      return value;
    } catch (error) {
      const lost = broken ?? (isConnectionLost(error) ? asError(error) : undefined);
      if (lost === undefined) {
        await client.query('rollback').catch((failure: unknown) => (broken = asError(failure)));
      } else {
        broken = lost;
        if (committing)
          throw new OutcomeUnknown('The connection to the database broke during the commit.', { cause: error });
      }
      throw error;
    } finally {
      open = false;
      client.removeListener('error', onBroken);
      client.release(broken);
    }
  }

  async #again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isRetryable(error) || count === ATTEMPTS) throw translated(error);
      }
      // Two jobs that collided must not meet again at the same moment.
      await sleep(2 ** count * (0.5 + Math.random()));
    }
  }
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The job took longer than ${ms} ms and was rolled back.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const code = 'code' in error ? String(error.code) : '';
  return /^(08|57P)/.test(code) || /^(ECONN|EPIPE|ETIMEDOUT)/.test(code) || /Connection terminated/.test(error.message);
}

const names = new Map<string, string>();
const NAMES_MAX = 2_000;

/** A prepared statement's name: the hash of its text, so that the server plans each text once a connection. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= NAMES_MAX) names.clear();
    name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    names.set(text, name);
  }
  return name;
}

async function execute<R>(client: pg.PoolClient, query: CompiledQuery): Promise<QueryResult<R>> {
  const result = await client.query({
    name: nameOf(query.sql),
    text: query.sql,
    values: [...query.parameters],
    types,
  } as never);
  const { rows, rowCount, command } = result as unknown as pg.QueryResult;
  if (command === 'SELECT') return { rows: rows as R[] };
  return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
}

const kyselyOver = handleMaker(new PostgresAdapter(), new PostgresQueryCompiler());
