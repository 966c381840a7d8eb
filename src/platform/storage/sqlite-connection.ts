/**
 * One SQLite connection: its settings, its statement cache, its Kysely handle, and the wait for the lock of another
 * process.
 */

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import {
  type CompiledQuery,
  type Kysely,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely';
import { lru } from '../lru.ts';
import type { Pace } from '../pace.ts';
import { isBusy, unavailable } from './errors.ts';
import { type Batch, handleMaker } from './handle.ts';

/** Maximum number of prepared statements per connection. */
const CACHED_STATEMENTS = 500;

/** Page cache of a reading connection in kilobytes. */
const READER_CACHE_KB = 2_000;

/** Milliseconds that SQLite waits for a lock; short, because the wait blocks the event loop. `whileBusy` retries. */
const BUSY_TIMEOUT_MS = 5;

/** A checkpoint truncates the WAL file to this many bytes. */
const WAL_KEPT_BYTES = 64 * 1024 * 1024;

/** One SQLite connection with a cache of prepared statements by their text. */
export class SqliteConnection {
  readonly raw: Database.Database;
  readonly #statements = lru<string, Database.Statement>(CACHED_STATEMENTS);

  constructor(raw: Database.Database) {
    this.raw = raw;
  }

  /** Runs one statement, once or for each list of parameters in `each`. It is synchronous. */
  execute<R>(query: {
    readonly sql: string;
    readonly parameters: readonly unknown[];
    readonly each?: Batch['each'];
  }): QueryResult<R> {
    const statement = this.#prepared(query.sql);
    if (query.each !== undefined) {
      let count = 0;
      for (const parameters of query.each) count += statement.run(parameters).changes;
      return { rows: [], numAffectedRows: BigInt(count) };
    }
    if (statement.reader) return { rows: statement.all(query.parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Runs a statement that has neither parameters nor rows. */
  run(text: string): void {
    this.#prepared(text).run();
  }

  #prepared(text: string): Database.Statement {
    const cached = this.#statements.get(text);
    if (cached !== undefined) return cached;
    const statement = this.raw.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

/**
 * Opens the file for writing and sets it up (docs/storage.md#conventions-of-the-rows). Waits while another process does
 * the same. The page size is set before the journal mode, because it cannot change afterwards.
 */
export async function openWriter(file: string, lockWaitMs: number): Promise<SqliteConnection> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Mode 600 keeps other users out. SQLite gives the -wal and -shm files the same mode.
  closeSync(openSync(file, 'a', 0o600));
  const raw = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    await whileBusy(lockWaitMs, () => {
      raw.pragma('page_size = 8192');
      const mode = raw.pragma('journal_mode = WAL', { simple: true });
      if (mode !== 'wal') throw new Error(`SQLite cannot use write-ahead logging on ${file}: a local disk is needed.`);
      settings(raw);
      // Overwrites deleted content with zeros, so free pages hold no data of forgotten customers.
      raw.pragma('secure_delete = ON');
      raw.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
    });
    return new SqliteConnection(raw);
  } catch (error) {
    raw.close();
    throw error;
  }
}

/** Opens the existing file for reading only. */
export function openReader(file: string): SqliteConnection {
  const raw = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    settings(raw);
    // The operating system caches the pages of the file too, so the default of 16 MB per connection gains nothing.
    raw.pragma(`cache_size = -${READER_CACHE_KB}`);
    return new SqliteConnection(raw);
  } catch (error) {
    raw.close();
    throw error;
  }
}

function settings(raw: Database.Database): void {
  // The library defaults to NORMAL for WAL, which may lose acknowledged writes in a power cut.
  raw.pragma('synchronous = FULL');
  raw.pragma('foreign_keys = ON');
  raw.pragma('mmap_size = 0');
}

/**
 * Retries until no other process holds the lock, without blocking the event loop: pauses of 2 ms, doubled up to 50 ms.
 * Rejects with `StorageUnavailable` after `waitMs`.
 */
export async function whileBusy<T>(waitMs: number, attempt: () => T): Promise<T> {
  const since = performance.now();
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - since >= waitMs) throw lockHeld(error);
    }
    await sleep(pause);
  }
}

export function lockHeld(cause: unknown): Error {
  return unavailable('Another process holds the lock of the database.', cause);
}

/**
 * Writes parameters as `+?`, which has the same value and tells SQLite that no plan depends on it (docs/decisions/208).
 * For a bare `?` that is compared with a column, SQLite may check whether the value is 0 or 1, and then compiles the
 * statement again at each execution.
 */
class PlannedOnce extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }

  /** The limit is a number in the text, not a parameter, because the plan depends on it. */
  protected override visitLimit(node: LimitNode): void {
    const limit = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (typeof limit === 'number') this.append(`limit ${limit}`);
    else super.visitLimit(node);
  }
}

const makeHandle = handleMaker(new SqliteAdapter(), new PlannedOnce());

/**
 * A Kysely handle whose statements all go to `execute`, which is synchronous. Many statements in a row block the event
 * loop, so other work gets a turn between two of them when `pace` is due.
 */
export function kyselyOver<DB>(execute: <R>(query: CompiledQuery) => QueryResult<R>, pace: Pace): Kysely<DB> {
  return makeHandle<DB>(async <R>(query: CompiledQuery) => {
    if (pace.isDue) await pace.rest();
    return execute<R>(query);
  });
}
