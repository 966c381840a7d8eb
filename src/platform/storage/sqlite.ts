/** The store on SQLite: one writer, a few readers, and a separate connection for each stream and backup. */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { BackupMetadata } from 'better-sqlite3';
import type { CompiledQuery } from 'kysely';
import { Pace } from '../pace.ts';
import { syncFolder } from '../private-files.ts';
import { sqliteDialect } from './dialect.ts';
import { asError, NotReady, ONE_STATEMENT, translated, unavailable } from './errors.ts';
import { showStatement } from './handle.ts';
import { kyselyOver, openReader, openWriter, type SqliteConnection, whileBusy } from './sqlite-connection.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import type { Connections, OnCommit, Reader, ReadOptions, Store, StoreOptions, Watched, Writer } from './store.ts';
import { TableVersions } from './table-versions.ts';
import { sqliteFile } from './url.ts';

/** Number of rows that a stream reads before it yields to the event loop. */
const STREAM_TURN_ROWS = 200;

/** Pause between attempts to empty the WAL while others read. */
const CHECKPOINT_PAUSE_MS = 20;

/** Number of pages of 8 KiB that a backup copies (about 1 ms) before it yields to the event loop. */
const BACKUP_STEP_PAGES = 200;

const HANDLE_IS_DEAD = 'This read() has ended and its handle cannot be used any more. Is an await missing?';

export async function openSqlite<DB>(url: string, options: StoreOptions): Promise<Store<DB>> {
  const { readers = 4, lockWaitMs = 10_000, jobTimeoutMs = 10_000, onError = warn } = options;
  const file = sqliteFile(url);
  const connection = await openWriter(file, lockWaitMs);
  try {
    // Keeps the old pages of a savepoint in memory. By default, SQLite writes these pages to a file if they exceed 64
    // KiB.
    connection.raw.pragma('temp_store = memory');
    return new SqliteStore<DB>(url, file, connection, { readers, lockWaitMs, jobTimeoutMs, onError });
  } catch (error) {
    connection.raw.close();
    throw error;
  }
}

function warn(error: unknown): void {
  process.emitWarning(asError(error));
}

class SqliteStore<DB> implements Store<DB> {
  readonly engine = 'sqlite';
  readonly dialect = sqliteDialect;
  readonly provesRows = false;
  readonly url: string;
  readonly #file: string;
  readonly #lockWaitMs: number;
  readonly #connection: SqliteConnection;
  readonly #writer: SqliteWriter<DB>;
  readonly #readers: ReaderPool;
  /** The connection that only `ping` uses. */
  readonly #probe: SqliteConnection;
  readonly #tables: TableVersions;
  readonly #streams = new Set<() => void>();
  readonly #backups = new Set<Promise<void>>();
  #closing: Promise<void> | undefined;

  constructor(
    url: string,
    file: string,
    connection: SqliteConnection,
    options: Required<Omit<StoreOptions, 'connections' | 'readUrl' | 'randomBytes'>>,
  ) {
    this.url = url;
    this.#file = file;
    this.#lockWaitMs = options.lockWaitMs;
    this.#connection = connection;
    // A commit on this connection does not change `data_version`; commits of other connections do.
    const others = connection.raw.prepare('pragma data_version').pluck();
    this.#tables = new TableVersions(onceATurn(() => others.get()));
    this.#writer = new SqliteWriter<DB>(connection, this.#tables, options);
    this.#readers = new ReaderPool(Array.from({ length: options.readers }, () => openReader(file)));
    this.#probe = openReader(file);
  }

  write<T>(fn: (tx: Writer<DB>, onCommit: OnCommit) => Promise<T>): Promise<T> {
    return this.#writer.write(fn);
  }

  async read<T>(fn: (db: Reader<DB>) => Promise<T>, { single = false }: ReadOptions = {}): Promise<T> {
    this.#mustBeOpen();
    const connection = await this.#readers.take();
    let open = true;
    const db = kyselyOver<DB>((query) => {
      if (!open) throw new Error(single ? ONE_STATEMENT : HANDLE_IS_DEAD);
      if (single) open = false;
      return connection.execute(query);
    }, new Pace());
    try {
      if (!single) connection.run('begin');
      return await fn(db);
    } catch (error) {
      throw translated(error);
    } finally {
      open = false;
      try {
        if (!single && connection.raw.inTransaction) connection.run('commit');
      } finally {
        // The connection is returned even if the commit fails on a damaged file; otherwise `close` would wait forever.
        this.#readers.giveBack(connection);
      }
    }
  }

  async *stream<T>(query: CompiledQuery<T>): AsyncGenerator<T> {
    this.#mustBeOpen();
    showStatement(query.sql);
    const connection = openReader(this.#file);
    let rows: IterableIterator<unknown> | undefined;
    const end = () => {
      if (!this.#streams.delete(end)) return;
      rows?.return?.();
      connection.raw.close();
    };
    this.#streams.add(end);
    try {
      rows = connection.raw.prepare(query.sql).iterate(query.parameters);
      for (let count = 1; ; count++) {
        const next = rows.next();
        if (next.done === true) return;
        yield next.value as T;
        if (count % STREAM_TURN_ROWS === 0) await nextTurn();
        // The store ended the stream, so the caller must get an error instead of an incomplete result.
        if (!connection.raw.open) throw unavailable('The store was closed before the stream ended.');
      }
    } catch (error) {
      throw translated(error);
    } finally {
      end();
    }
  }

  async backup(toFile: string, onProgress?: (done: number, total: number) => void): Promise<void> {
    this.#mustBeOpen();
    const work = this.#backup(resolve(toFile), onProgress);
    this.#backups.add(work);
    try {
      await work;
    } finally {
      this.#backups.delete(work);
    }
  }

  async scrub(
    _tables: readonly string[],
    { rewrite = false, signal }: { rewrite?: boolean; signal?: AbortSignal } = {},
  ): Promise<boolean> {
    this.#mustBeOpen();
    const { raw } = await openWriter(this.#file, this.#lockWaitMs);
    try {
      if (rewrite) {
        await whileBusy(this.#lockWaitMs, () => {
          raw.exec('vacuum');
        });
      }
      const until = performance.now() + this.#lockWaitMs;
      for (;;) {
        const [done] = raw.pragma('wal_checkpoint(truncate)') as { busy: number }[];
        if (done?.busy === 0) return true;
        if (signal !== undefined || performance.now() >= until) return false;
        await sleep(CHECKPOINT_PAUSE_MS);
      }
    } catch (error) {
      throw translated(error);
    } finally {
      raw.close();
    }
  }

  async #backup(toFile: string, onProgress: ((done: number, total: number) => void) | undefined): Promise<void> {
    if (existsSync(toFile)) throw new Error(`${toFile} exists already; a backup never replaces a file.`);
    const partial = `${toFile}.partial`;
    const clear = async () => {
      // If the disk is full, SQLite leaves the journal of the copy, so the journal is removed too.
      for (const end of ['', '-journal']) await rm(partial + end, { force: true });
    };
    await clear();
    const connection = openReader(this.#file);
    try {
      // The read transaction pins a snapshot. Without a snapshot, every concurrent write would restart the copy.
      connection.run('begin');
      connection.raw.prepare('select count(*) from sqlite_schema').get();
      const progress = ({ totalPages, remainingPages }: BackupMetadata) => {
        onProgress?.(totalPages - remainingPages, totalPages);
        return BACKUP_STEP_PAGES;
      };
      const { totalPages } = await connection.raw.backup(partial, { progress });
      await rename(partial, toFile);
      await syncFolder(dirname(toFile));
      onProgress?.(totalPages, totalPages);
    } catch (error) {
      await clear();
      throw translated(error);
    } finally {
      connection.raw.close();
    }
  }

  readonly version = (): number => this.#tables.version();

  readonly watch = (tables: readonly (keyof DB & string)[]): Watched => this.#tables.watch(tables);

  connections(): Connections {
    const { size, free, waiting } = this.#readers;
    return { open: size + 1, idle: free, waiting: waiting + this.#writer.waiting };
  }

  async ping(): Promise<void> {
    this.#mustBeOpen();
    if (this.#writer.stopped !== undefined) throw this.#writer.stopped;
    if (this.#writer.isFull) throw new NotReady('full');
    try {
      this.#probe.execute({ sql: 'select count(*) from sqlite_schema', parameters: [] });
    } catch (error) {
      throw new NotReady('unreachable', { cause: error });
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const end of this.#streams) end();
    await Promise.all([this.#writer.finish(), this.#readers.close(), Promise.allSettled(this.#backups)]);
    this.#probe.raw.close();
    // The writer closes last: the last connection moves the write-ahead log into the file, which needs write access.
    this.#connection.raw.close();
  }

  #mustBeOpen(): void {
    if (this.#closing !== undefined) throw unavailable('The store is closed.');
  }
}

/** Connections for reading, each used by one reader at a time, in the order of the requests. */
class ReaderPool {
  readonly #size: number;
  readonly #free: SqliteConnection[];
  readonly #waiting: ((connection: SqliteConnection) => void)[] = [];

  constructor(connections: SqliteConnection[]) {
    this.#size = connections.length;
    this.#free = connections;
  }

  get size(): number {
    return this.#size;
  }

  get free(): number {
    return this.#free.length;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  take(): SqliteConnection | Promise<SqliteConnection> {
    return this.#free.pop() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  giveBack(connection: SqliteConnection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(connection);
    else next(connection);
  }

  /** Waits for every reader, including those in the queue. */
  async close(): Promise<void> {
    for (let closed = 0; closed < this.#size; closed++) (await this.take()).raw.close();
  }
}

/**
 * Calls `ask` at most once in each turn of the event loop. The requests handled in a turn arrived before the turn
 * began, so a commit of another process after the call is later than all these requests.
 */
function onceATurn<T>(ask: () => T): () => T {
  let asked: { answer: T } | undefined;
  const forget = () => {
    asked = undefined;
  };
  return () => {
    if (asked === undefined) {
      asked = { answer: ask() };
      setImmediate(forget);
    }
    return asked.answer;
  };
}
