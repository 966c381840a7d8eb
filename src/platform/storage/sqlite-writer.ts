/**
 * The one writer and its queue (docs/decisions/001). Jobs run strictly one after another. Jobs that wait together share
 * one commit, each except the first in a savepoint, and no caller gets a result before the commit.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery, QueryResult } from 'kysely';
import { Pace } from '../pace.ts';
import {
  asError,
  FULL_MS,
  isBusy,
  isFull,
  NotReady,
  OutcomeUnknown,
  type StorageUnavailable,
  stopsWriting,
  translated,
  unavailable,
} from './errors.ts';
import { ofThisRequest } from './spans.ts';
import { kyselyOver, lockHeld, type SqliteConnection } from './sqlite-connection.ts';
import type { OnCommit, Writer } from './store.ts';
import type { TableVersions } from './table-versions.ts';

/** A group is closed when it has `GROUP_JOBS` jobs or is `GROUP_MS` old, so that its first job does not wait long. */
const GROUP_JOBS = 32;
const GROUP_MS = 5;

/** Shorter turns of the event loop count as idle. */
const IDLE_TURN_MS = 0.05;

interface Job<DB> {
  readonly fn: (tx: Writer<DB>, onCommit: OnCommit) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly since: number;
}

/** The outcome of a job; `reply` is called when the transaction has ended. */
interface Outcome<DB> {
  readonly job: Job<DB>;
  readonly reply: () => void;
  readonly hooks: readonly (() => void)[];
  /** Whether the job failed and the transaction of the group was rolled back. */
  readonly endsGroup: boolean;
}

export interface WriterOptions {
  lockWaitMs: number;
  jobTimeoutMs: number;
  onError: (error: unknown) => void;
}

export class SqliteWriter<DB> {
  readonly #connection: SqliteConnection;
  readonly #versions: TableVersions;
  readonly #options: WriterOptions;
  readonly #queue: Job<DB>[] = [];
  readonly #deadline: Deadline;
  #draining: Promise<void> | undefined;
  /** The error that ended the transaction of the open group. */
  #lost: Error | undefined;
  #stopped: StorageUnavailable | undefined;
  #fullAt = Number.NEGATIVE_INFINITY;
  #closing = false;

  constructor(connection: SqliteConnection, versions: TableVersions, options: WriterOptions) {
    this.#connection = connection;
    this.#versions = versions;
    this.#options = options;
    this.#deadline = new Deadline(options.jobTimeoutMs);
  }

  /** The error that stopped writing; undefined while writing works. */
  get stopped(): StorageUnavailable | undefined {
    return this.#stopped;
  }

  /**
   * True if a write failed in the last seconds because the disk is full. Later writes are still tried, so writing
   * resumes when the disk has space.
   */
  get isFull(): boolean {
    return performance.now() - this.#fullAt < FULL_MS;
  }

  /** Number of jobs that wait for their turn. */
  get waiting(): number {
    return this.#queue.length;
  }

  write<T>(fn: (tx: Writer<DB>, onCommit: OnCommit) => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(unavailable('The store is closed.'));
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    return new Promise<T>((resolve, reject) => {
      const since = performance.now();
      this.#queue.push({ fn: ofThisRequest(fn), resolve: resolve as (value: unknown) => void, reject, since });
      this.#draining ??= this.#drain();
    });
  }

  /** Accepts no more jobs and resolves when the queue is done. */
  async finish(): Promise<void> {
    this.#closing = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Jobs that arrive before the event loop is idle join the group. Measured in one process on ext4, two statements
      // per job: 4,400 writes/s for 1 client, 28,000 to 35,000 for 16, 37,000 to 48,000 for 64.
      await letOthersArrive();
      if (await this.#begin()) await this.#group();
    }
    this.#draining = undefined;
  }

  /** Takes the lock, waiting while another process has it. Returns false if no job is left in the queue. */
  async #begin(): Promise<boolean> {
    for (let pause = 2; this.#queue.length > 0; pause = Math.min(pause * 2, 50)) {
      try {
        this.#connection.run('begin immediate');
        this.#lost = undefined;
        return true;
      } catch (error) {
        if (isBusy(error)) {
          this.#refuseOverdue(error);
          await sleep(pause);
        } else {
          this.#refuseQueue(unavailable('The database could not begin a write.', error));
        }
      }
    }
    return false;
  }

  async #group(): Promise<void> {
    const began = performance.now();
    const outcomes: Outcome<DB>[] = [];
    do {
      const job = this.#queue.shift();
      if (job === undefined) break;
      outcomes.push(await this.#run(job, outcomes.length === 0));
    } while (
      this.#lost === undefined &&
      !outcomes[0]!.endsGroup &&
      outcomes.length < GROUP_JOBS &&
      performance.now() - began < GROUP_MS
    );
    if (outcomes[0]?.endsGroup !== true) this.#commit();
    this.#versions.ended();
    if (this.#lost === undefined) this.#answer(outcomes);
    else this.#refuseGroup(outcomes, this.#lost);
  }

  /**
   * Runs a job in a savepoint. The first job of a group has none, because a savepoint costs a copy of each page that
   * the job changes. If the first job fails, the transaction is rolled back and the group ends.
   */
  async #run(job: Job<DB>, isFirst: boolean): Promise<Outcome<DB>> {
    const hooks: (() => void)[] = [];
    try {
      if (!isFirst) this.#connection.run('savepoint job');
      const value = await this.#call(job, hooks);
      if (!isFirst) this.#connection.run('release job');
      return { job, reply: () => job.resolve(value), hooks, endsGroup: false };
    } catch (error) {
      this.#undo(error, isFirst);
      return { job, reply: () => job.reject(translated(error)), hooks: [], endsGroup: isFirst };
    }
  }

  /** Calls the job with a handle that is closed when the call ends, with or without an error. */
  async #call(job: Job<DB>, hooks: (() => void)[]): Promise<unknown> {
    let open = true;
    const check = () => {
      if (!open) throw new Error('This write() has ended and its handle cannot be used any more. Is an await missing?');
    };
    const tx = kyselyOver<DB>((query) => {
      check();
      return this.#execute(query);
    }, new Pace());
    const onCommit: OnCommit = (hook) => {
      check();
      hooks.push(hook);
    };
    try {
      return await this.#deadline.within(job.fn(tx, onCommit));
    } finally {
      open = false;
    }
  }

  #execute<R>(query: CompiledQuery): QueryResult<R> {
    // After the transaction of the group has ended, a statement would commit by itself, so every further statement fails.
    if (this.#lost !== undefined) throw this.#lost;
    try {
      this.#versions.note(query.sql);
      return this.#connection.execute<R>(query);
    } catch (error) {
      this.#note(error);
      if (!this.#connection.raw.inTransaction) this.#lost = asError(error);
      throw error;
    }
  }

  #undo(error: unknown, isFirst: boolean): void {
    if (this.#lost !== undefined) return;
    try {
      for (const text of isFirst ? ['rollback'] : ['rollback to job', 'release job']) this.#connection.run(text);
    } catch {
      this.#lost = asError(error);
    }
  }

  #commit(): void {
    if (this.#lost !== undefined) return;
    try {
      this.#connection.run('commit');
    } catch (error) {
      this.#note(error);
      // The changes of the group may be on the disk although the commit failed. After a restart, the database may have
      // them.
      this.#lost = stopsWriting(error)
        ? new OutcomeUnknown('The disk failed during the commit.', { cause: error })
        : asError(error);
    }
  }

  #note(error: unknown): void {
    if (isFull(error)) this.#fullAt = performance.now();
  }

  #answer(outcomes: readonly Outcome<DB>[]): void {
    for (const outcome of outcomes) outcome.reply();
    for (const hook of outcomes.flatMap((outcome) => outcome.hooks)) {
      try {
        hook();
      } catch (error) {
        queueMicrotask(() => this.#options.onError(error));
      }
    }
  }

  #refuseGroup(outcomes: readonly Outcome<DB>[], cause: unknown): void {
    const isUnknown = cause instanceof OutcomeUnknown;
    let stop = isUnknown || stopsWriting(cause);
    try {
      if (this.#connection.raw.inTransaction) this.#connection.run('rollback');
    } catch {
      stop = true;
    }
    const refusal = isUnknown ? cause : unavailable('The write could not be committed; it was rolled back.', cause);
    for (const { job } of outcomes) job.reject(refusal);
    if (!stop) return;
    // Writing stops until the next start. After a failed fsync, the page cache may have dropped the data, so the success of
    // a later fsync would prove nothing.
    this.#stopped = new NotReady('stopped', { cause });
    this.#refuseQueue(this.#stopped);
  }

  #refuseQueue(refusal: StorageUnavailable): void {
    for (const job of this.#queue.splice(0)) job.reject(refusal);
  }

  #refuseOverdue(cause: unknown): void {
    const oldest = performance.now() - this.#options.lockWaitMs;
    for (let job = this.#queue[0]; job !== undefined && job.since <= oldest; job = this.#queue[0]) {
      this.#queue.shift();
      job.reject(lockHeld(cause));
    }
  }
}

/**
 * Rejects if a job takes too long. Jobs run one at a time and share a timer: a timer per job would cost as much as a
 * statement.
 */
class Deadline {
  readonly #ms: number;
  readonly #timer: NodeJS.Timeout;
  #late: (() => void) | undefined;

  constructor(ms: number) {
    this.#ms = ms;
    this.#timer = setTimeout(() => this.#late?.(), ms).unref();
  }

  async within<T>(work: Promise<T>): Promise<T> {
    const late = new Promise<never>((_resolve, reject) => {
      this.#late = () =>
        reject(
          unavailable(
            `A write took longer than ${this.#ms} ms and was rolled back; nothing was changed.`,
            new Error('Either the machine is overloaded, or the job awaited something other than its own handle.'),
          ),
        );
    });
    this.#timer.refresh();
    try {
      return await Promise.race([work, late]);
    } finally {
      this.#late = undefined;
    }
  }
}

/**
 * Waits until the event loop is idle, at most for the time of a group. One turn is not enough, because it accepts only
 * one connection. If a group with its commit takes 10 ms, the service would then accept only a hundred connections per
 * second.
 */
async function letOthersArrive(): Promise<void> {
  const since = performance.now();
  for (let before = since; ; ) {
    await nextTurn();
    const now = performance.now();
    if (now - before < IDLE_TURN_MS || now - since > GROUP_MS) return;
    before = now;
  }
}
