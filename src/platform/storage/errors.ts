/**
 * Error of a store that cannot do the work now and has stored nothing of the work: the caller can send the request
 * again. The response is 503 (docs/decisions/001). `cause` is the error of the engine.
 */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}

/**
 * The connection broke or the disk failed during the commit, so the work may or may not be done. The caller retries
 * with the same Idempotency-Key, or reads the state.
 */
export class OutcomeUnknown extends StorageUnavailable {}

/** The engine accepts changes but cannot commit them, because no required standby responds. */
export class Stalled extends StorageUnavailable {}

/** Reasons why a database is not ready (docs/operating.md#health). */
export const UNREADY = {
  unreachable: 'The database does not respond.',
  full: 'The disk of the database is full.',
  read_only: 'The database accepts no writes: DATABASE_URL leads to a standby, or to a database that is read only.',
  commits_wait: 'Commits wait for a synchronous standby, and none responds.',
  stopped: 'Writing has stopped after a disk error; fix the disk, then restart.',
} as const;
export type Unready = keyof typeof UNREADY;

/** The error of `ping`. */
export class NotReady extends StorageUnavailable {
  readonly reason: Unready;

  constructor(reason: Unready, options?: ErrorOptions) {
    super(UNREADY[reason], options);
    this.reason = reason;
  }
}

/**
 * A guarded statement found that another job has changed the rows that this job has read. The store runs the job again.
 * This never happens on an engine with one writer.
 */
export class Contended extends Error {
  override readonly name = 'Contended';
}

export const ONE_STATEMENT = 'This read() has `single` and has run its one statement already: leave `single` out.';

const UNIQUE = new Set([
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_ROWID',
  '23505',
]);

/** Codes of errors whose cause is the engine or its disk, not the statement. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|PROTOCOL|NOMEM|CORRUPT|NOTADB)(_|$)/;

/**
 * After these errors, the file can be damaged, or a later successful fsync does not prove that earlier writes are
 * stored.
 */
const STOPS_WRITING = /^SQLITE_(IOERR|CORRUPT|NOTADB)(_|$)/;

/**
 * PostgreSQL codes that make the store unavailable: connection lost or rejected; server starting or stopping; out of
 * connections, memory or disk; read only after a fail-over; timeout of a statement, a lock or an idle transaction.
 */
const POSTGRES_UNAVAILABLE =
  /^(08|53|57P|58|25006|25P03|55P03|57014|XX00[12]|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT)/;

/** True if SQLite found that a file is damaged, or not a database. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)(_|$)/.test(codeOf(error));
}

/** True if the transaction must run again: the server (serialization failure, deadlock) or the job asks for it. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Contended || /^(40001|40P01)$/.test(codeOf(error));
}

/** True if a row with this primary or unique key exists already, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE.has(codeOf(error));
}

/** True if a row refers to a missing row; PostgreSQL only. On SQLite, no concurrent writer can cause this error. */
export function isForeignKeyViolation(error: unknown): boolean {
  return codeOf(error) === '23503';
}

/** True if the server does not know or does not support the column. */
export function isUnknownColumn(error: unknown): boolean {
  return /^(42703|0A000)$/.test(codeOf(error));
}

/** True if another connection holds the lock, so a retry can succeed. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_BUSY(_|$)/.test(codeOf(error));
}

/**
 * For this time after a write found the disk full, the readiness probe reports the full disk. The readiness
 * probe of deploy/kubernetes comes every 5 s, so it reports the full disk at least once.
 */
export const FULL_MS = 5_000;

/** True if the disk is full, or the file has reached its maximum size. */
export function isFull(error: unknown): boolean {
  return /^(SQLITE_FULL(_|$)|53100$)/.test(codeOf(error));
}

export function stopsWriting(error: unknown): boolean {
  return STOPS_WRITING.test(codeOf(error));
}

/** Messages of errors that an operator can fix. The start, a command or the log shows them; callers get only 503. */
const SENTENCES: Record<string, string> = {
  25006: 'The database accepts no writes: point DATABASE_URL to the primary, not to a standby.',
  53100: 'The disk of the database is full: free some space on the database server.',
  53300: 'The database has no connection left: raise max_connections, or lower DATABASE_POOL of its clients.',
  SQLITE_FULL: 'The disk of the database is full: free some space on the disk of its file.',
};

/**
 * Returns `StorageUnavailable` for an error of the engine or its disk and for a retryable error. Returns other errors
 * unchanged.
 */
export function translated(error: unknown): unknown {
  const code = codeOf(error);
  return UNAVAILABLE.test(code) || POSTGRES_UNAVAILABLE.test(code) || isRetryable(error)
    ? unavailable(SENTENCES[code] ?? 'The database could not do this work.', error)
    : error;
}

export function unavailable(sentence: string, cause?: unknown): StorageUnavailable {
  return cause === undefined ? new StorageUnavailable(sentence) : new StorageUnavailable(sentence, { cause });
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
