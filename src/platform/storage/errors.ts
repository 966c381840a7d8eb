/**
 * The store cannot do the work now and kept nothing of it: the caller may send the same again. The edge answers 503
 * (docs/decisions/001). `cause` is the engine's own error.
 */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}

/**
 * The connection broke or the disk failed during the commit: the work may be done or not, so nobody may say that nothing
 * was changed. The caller repeats it under the same Idempotency-Key, or looks.
 */
export class OutcomeUnknown extends StorageUnavailable {}

/** The engine takes changes and does not keep them: no standby that must have them answers. */
export class Stalled extends StorageUnavailable {}

/** Why a database is not ready (docs/operating.md#health). */
export const UNREADY = {
  unreachable: 'The database does not answer.',
  full: 'The disk of the database is full.',
  read_only: 'The database takes no writes: DATABASE_URL leads to a standby, or to a database that is read only.',
  commits_wait: 'Commits wait for a synchronous standby, and none answers.',
  stopped: 'Writing has stopped after an error of the disk; restart when it is fixed.',
} as const;
export type Unready = keyof typeof UNREADY;

/** What `ping` rejects with. */
export class NotReady extends StorageUnavailable {
  readonly reason: Unready;

  constructor(reason: Unready, options?: ErrorOptions) {
    super(UNREADY[reason], options);
    this.reason = reason;
  }
}

/**
 * What a job read has been changed by another since, as a guarded statement shows: the store runs the job again, so that it
 * decides anew. Where one writer runs its jobs in turn it cannot come.
 */
export class Contended extends Error {
  override readonly name = 'Contended';
}

export const ONE_STATEMENT = 'This read() was said to be of one statement, and that was made: leave `single` out.';

const UNIQUE = new Set([
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_ROWID',
  '23505',
]);

/** Codes that mean the engine or its disk failed, not the statement. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|PROTOCOL|NOMEM|CORRUPT|NOTADB)(_|$)/;

/** After these a later fsync proves nothing about earlier writes, or the file itself is in doubt. */
const STOPS_WRITING = /^SQLITE_(IOERR|CORRUPT|NOTADB)(_|$)/;

/**
 * The same for PostgreSQL: connection lost or refused, server starting or stopping, out of connections, memory or disk,
 * read only after a fail-over, statement or lock time-out, a transaction that waited for us too long.
 */
const POSTGRES_UNAVAILABLE =
  /^(08|53|57P|58|25006|25P03|55P03|57014|XX00[12]|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT)/;

/** The transaction is to be run again: so says the server (serialization failure, deadlock), or the job itself. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Contended || /^(40001|40P01)$/.test(codeOf(error));
}

/** True when the error says that a row with this primary or unique key exists already, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE.has(codeOf(error));
}

/** True when the server knows no such column, or knows it and does not support it. */
export function isUnknownColumn(error: unknown): boolean {
  return /^(42703|0A000)$/.test(codeOf(error));
}

/** True when another connection holds the lock: worth another try. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_BUSY(_|$)/.test(codeOf(error));
}

/** So long a write that found no room is news. Longer than a readiness probe waits, so that every prober hears of it. */
export const FULL_MS = 5_000;

/** True when there is no room: of the disk, or within the size that the file may have. */
export function isFull(error: unknown): boolean {
  return /^(SQLITE_FULL(_|$)|53100$)/.test(codeOf(error));
}

export function stopsWriting(error: unknown): boolean {
  return STOPS_WRITING.test(codeOf(error));
}

/** What an operator can do something about, in the words of a start, a command or the log; callers hear that it is not available. */
const SENTENCES: Record<string, string> = {
  25006: 'The database takes no writes: let DATABASE_URL lead to the primary, not to a standby.',
  53100: 'The disk of the database is full: make room on the database server.',
  53300: 'The database has no connection left: raise max_connections, or lower DATABASE_POOL of its clients.',
  SQLITE_FULL: 'The disk of the database is full: make room where its file is.',
};

/** An error of the engine or its disk as `StorageUnavailable`; every other error unchanged. */
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
