/**
 * Does work that has become due. Each due row has its due time, so due work survives restarts of the scheduler. Several
 * schedulers can share one database: the condition in the statement of a kind lets only one of them do each piece of
 * work. Each piece is a separate transaction, so another write waits for at most one piece.
 */

import { PERSONAL_TABLES } from '../../orders/anonymize.ts';
import type { Config } from '../../platform/config.ts';
import { type Actor, makeCtx } from '../../platform/ctx.ts';
import type { Due } from '../../platform/due.ts';
import type { DueKind, Parts } from '../../platform/due-kind.ts';
import type { Ports } from '../../platform/ports.ts';
import type { Sealer } from '../../platform/secrets.ts';
import type { Reader, Store } from '../../platform/storage/db.ts';
import { HOUR_MS, isPaused, MINUTE_MS } from '../../platform/time.ts';
import type { Tracing } from '../../platform/tracing.ts';
import { REMOVED_KINDS } from '../retention/kinds.ts';
import { dueKinds } from './kinds.ts';

const LOOK_EVERY_MS = 1_000;
/** Number of rows of a kind that are read together. */
const BATCH = 100;
/**
 * Maximum number of rows that are processed in a tick. If there are more, the next tick begins after AGAIN_AFTER_MS.
 */
const TICK_MAX = 500;
const AGAIN_AFTER_MS = 20;
/** Failed work is retried after 1 s, 2 s, 4 s and so on, at the latest after ten minutes. */
const FIRST_DELAY_MS = 1_000;
const LAST_DELAY_MS = 600_000;
/** A failure is forgotten if its work was not due again for this time: a request or another process has ended it. */
const FORGET_AFTER_MS = 3_600_000;

/**
 * Interval of the vacuums of one installation on PostgreSQL, and the pause of a process between two attempts to claim a
 * vacuum.
 */
const VACUUM_EVERY_MS = HOUR_MS;
const VACUUM_AGAIN_MS = 10 * MINUTE_MS;
/** Name of the row with the time of the last vacuum, in epoch milliseconds. */
const LAST_VACUUM = 'lastVacuumAt';

const SCHEDULER: Actor = { kind: 'system', id: 'system:scheduler' };

export interface SchedulerOptions {
  config: Config;
  ports: Ports;
  store: Store;
  sealer: Sealer;
  kinds?: readonly DueKind[];
  tracing?: Tracing | undefined;
}

/** Counts and lag of a kind, for the metrics. */
export interface KindState {
  done: number;
  /**
   * Number of rows that this scheduler found, but for which there was nothing to do now, mostly because another
   * scheduler processed them.
   */
  missed: number;
  failed: number;
  /** The time since the oldest due row became due, at the last read of due rows. */
  lagMs: number;
}

interface Found extends Due {
  kind: DueKind;
}

export class Scheduler {
  readonly #parts: Parts;
  readonly #kinds: readonly DueKind[];
  readonly #states = new Map<string, KindState>();
  readonly #removed = new Map<string, number>(REMOVED_KINDS.map((kind) => [kind, 0]));
  /** Number of failures of failed work, and the time of the next attempt. */
  readonly #failures = new Map<string, { times: number; at: number }>();
  readonly #lookedAt = new Map<DueKind, number>();
  /** Monotonic time of the start or of the last failed read; undefined before the start. */
  #servesSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether the next search begins after AGAIN_AFTER_MS, because waiting work can now be done. */
  #isHurried = false;
  #running: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #hasAnonymized = false;
  /** The running vacuum, and the time before which this process begins no further vacuum. */
  #vacuum: Promise<void> | undefined;
  #vacuumAfter = 0;
  readonly #stopping = new AbortController();

  constructor({ config, ports, store, sealer, kinds = dueKinds(), tracing }: SchedulerOptions) {
    const write: Parts['write'] = (work) =>
      store.write((db, onCommit) =>
        work(makeCtx({ config, ports, store, sealer }, { db, actor: SCHEDULER, onCommit })),
      );
    const anonymized = () => {
      this.#hasAnonymized = true;
    };
    const removed = (kind: string, rows: number) => {
      this.#removed.set(kind, (this.#removed.get(kind) ?? 0) + rows);
    };
    const soon = () => {
      if (this.#isHurried) return;
      this.#isHurried = true;
      if (this.#timer !== undefined && !this.#isStopped) this.#plan(AGAIN_AFTER_MS);
    };
    this.#parts = { config, ports, store, write, tracing, anonymized, removed, soon };
    this.#kinds = kinds;
    for (const { name } of kinds) this.#states.set(name, { done: 0, missed: 0, failed: 0, lagMs: 0 });
  }

  /** Counts and lags by the name of the kind. */
  get states(): ReadonlyMap<string, Readonly<KindState>> {
    return this.#states;
  }

  /** Number of rows that were deleted at the end of their retention, by kind of data. */
  get removed(): ReadonlyMap<string, number> {
    return this.#removed;
  }

  /** Looks for due work every second, until `stop`. */
  start(): void {
    // The files may still contain anonymized data: an earlier process can have ended before it removed this data.
    this.#hasAnonymized = true;
    this.#servesSince = performance.now();
    this.#plan(LOOK_EVERY_MS);
  }

  #plan(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#tick();
    }, waitMs).unref();
  }

  async #tick(): Promise<void> {
    this.#isHurried = false;
    const count = await this.runDue(TICK_MAX);
    if (!this.#isStopped) this.#plan(this.#waitAfter(count));
  }

  #waitAfter(count: number): number {
    return count < TICK_MAX && !this.#isHurried ? LOOK_EVERY_MS : AGAIN_AFTER_MS;
  }

  /** Stops new work. Resolves when the running work is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#running;
    await this.#vacuum;
  }

  /**
   * Does due work in the order of its due time, at most `max` pieces, including work that becomes due in the meantime.
   * Returns the number of pieces that it tried; it tries each piece once. The promise never rejects: a failure is
   * logged, and the work is retried later.
   */
  async runDue(max = Number.POSITIVE_INFINITY): Promise<number> {
    const tried = new Set<string>();
    const looked = new Set<DueKind>();
    while (tried.size < max && this.#goesOn()) {
      const found = (await this.#find(looked)).filter((due) => !tried.has(keyOf(due)));
      if (found.length === 0) break;
      for (const due of found.slice(0, max - tried.size)) {
        if (!this.#goesOn()) break;
        tried.add(keyOf(due));
        await this.#run(due);
      }
    }
    if (this.#hasAnonymized && this.#parts.store.engine === 'sqlite') await this.#scrub();
    else if (this.#hasAnonymized) this.#vacuumSoon();
    return tried.size;
  }

  /** Begins a vacuum on PostgreSQL. It can take minutes, so due work does not wait for it. */
  #vacuumSoon(): void {
    const now = this.#parts.ports.now();
    if (this.#vacuum !== undefined || isPaused(now, this.#vacuumAfter, VACUUM_AGAIN_MS) || this.#isStopped) return;
    this.#vacuumAfter = now + VACUUM_AGAIN_MS;
    const work = async () => {
      if ((await this.#claimsVacuum(now)) && !(await this.#scrub())) await this.#returnClaim(now);
    };
    this.#vacuum = work()
      .catch((error: unknown) => {
        this.#parts.ports.log.warn(
          { err: error },
          'the scheduler could not begin a vacuum, or not note that it failed; it tries again',
        );
      })
      .finally(() => {
        this.#vacuum = undefined;
      });
  }

  /**
   * Whether this process does the vacuum of this hour. Only one process does it, although all processes anonymize
   * orders. A later vacuum than the next one is of a process whose clock was ahead.
   */
  async #claimsVacuum(now: number): Promise<boolean> {
    const claim = await this.#parts.store.write((tx) =>
      tx
        .insertInto('installation')
        .values({ client_id: '', name: LAST_VACUUM, value: String(now) })
        .onConflict((conflict) =>
          conflict
            .columns(['client_id', 'name'])
            .doUpdateSet({ value: String(now) })
            .where((eb) =>
              eb.or([
                eb('installation.value', '<=', String(now - VACUUM_EVERY_MS)),
                eb('installation.value', '>', String(now + VACUUM_EVERY_MS)),
              ]),
            ),
        )
        .executeTakeFirstOrThrow(),
    );
    return claim.numInsertedOrUpdatedRows === 1n;
  }

  /** Gives the claim of a failed or stopped vacuum back, so that another process can vacuum now. */
  async #returnClaim(claimedAt: number): Promise<void> {
    await this.#parts.store.write((tx) =>
      tx
        .updateTable('installation')
        .set({ value: '0' })
        .where('client_id', '=', '')
        .where('name', '=', LAST_VACUUM)
        .where('value', '=', String(claimedAt))
        .execute(),
    );
  }

  /**
   * Removes anonymized data from the database files. Returns false if it failed or was stopped. If open reads of other
   * connections prevent the removal on SQLite, the next tick tries again. On PostgreSQL, a role that does not own the
   * tables leaves the removal to autovacuum.
   */
  async #scrub(): Promise<boolean> {
    const { store, ports } = this.#parts;
    // Orders that are anonymized meanwhile need another scrub.
    this.#hasAnonymized = false;
    try {
      const isClean = await store.scrub(PERSONAL_TABLES, { signal: this.#stopping.signal });
      this.#hasAnonymized ||= !isClean && store.engine === 'sqlite';
      if (!isClean && store.engine === 'postgres')
        ports.log.warn(
          'anonymized data stays in the database files until autovacuum removes it, because the role does not own the tables',
        );
      return true;
    } catch (error) {
      this.#hasAnonymized = true;
      if (this.#isStopped) return false;
      ports.log.warn(
        { err: error },
        'anonymized data could not be removed from the database files; the scheduler tries again',
      );
      return false;
    }
  }

  #goesOn(): boolean {
    return !this.#isStopped;
  }

  /** Returns the first work that becomes due after the instant `after`. Kinds without `next` (upkeep) are left out. */
  async next(db: Reader, after: number): Promise<(Due & { kind: string }) | undefined> {
    let first: (Due & { kind: string }) | undefined;
    for (const { name, next } of this.#kinds) {
      const due = await next?.(db, after);
      if (due !== undefined && (first === undefined || due.at < first.at)) first = { ...due, kind: name };
    }
    return first;
  }

  /**
   * Returns the oldest due work, sorted by due time, without failed work that waits for its next attempt. Upkeep is
   * read only at its interval.
   */
  async #find(looked: Set<DueKind>): Promise<Found[]> {
    const { store, ports, config } = this.#parts;
    const now = ports.now();
    for (const [key, { at }] of this.#failures) if (at < now - FORGET_AFTER_MS) this.#failures.delete(key);
    const all: Found[] = [];
    for (const kind of this.#kinds) {
      if (!this.#isToLookFor(kind, looked, now)) continue;
      try {
        // The limit grows with the failures, so that failed work does not hide the rows after it.
        const limit = BATCH + this.#failures.size;
        const read = await store.read((db) => kind.due(db, now, limit, config), { single: true });
        const due = this.#isInGrace(kind) ? [] : read;
        this.#states.get(kind.name)!.lagMs = due[0] === undefined ? 0 : Math.max(0, now - due[0].at);
        for (const one of due) if (!this.#isDelayed({ ...one, kind }, now)) all.push({ ...one, kind });
      } catch (error) {
        if (kind.graceMs !== undefined && this.#servesSince !== undefined) this.#servesSince = performance.now();
        ports.log.warn({ err: error, kind: kind.name }, 'the scheduler could not read due work; it tries again');
      }
    }
    return all.sort((a, b) => a.at - b.at);
  }

  #isInGrace({ graceMs = 0 }: DueKind): boolean {
    return this.#servesSince !== undefined && performance.now() < this.#servesSince + graceMs;
  }

  #isToLookFor(kind: DueKind, looked: Set<DueKind>, now: number): boolean {
    if (kind.upkeepEveryMs === undefined) return true;
    if (looked.has(kind)) return kind.neverEnds !== true;
    const last = this.#lookedAt.get(kind);
    // If a clock was ahead and is corrected, `last` is in the future. Upkeep must not wait until that time.
    if (last !== undefined && now >= last && now < last + kind.upkeepEveryMs) return false;
    this.#lookedAt.set(kind, now);
    looked.add(kind);
    return true;
  }

  async #run(due: Found): Promise<void> {
    const state = this.#states.get(due.kind.name)!;
    const { log, now } = this.#parts.ports;
    try {
      if (await due.kind.run(this.#parts, due)) state.done++;
      else state.missed++;
      this.#failures.delete(failureKeyOf(due));
    } catch (error) {
      state.failed++;
      const times = (this.#failures.get(failureKeyOf(due))?.times ?? 0) + 1;
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (times - 1), LAST_DELAY_MS);
      this.#failures.set(failureKeyOf(due), { times, at: now() + delay });
      const { clientId, id, kind } = due;
      log.error({ err: error, kind: kind.name, clientId, id, times }, 'due work failed; the scheduler tries again');
    }
  }

  #isDelayed(due: Found, now: number): boolean {
    const failure = this.#failures.get(failureKeyOf(due));
    return failure !== undefined && isPaused(now, failure.at, LAST_DELAY_MS);
  }
}

function keyOf({ kind, clientId, id, at }: Found): string {
  return `${kind.name}\n${clientId}\n${id}\n${at}`;
}

/**
 * Returns the key under which the failures of due work are counted. The key does not contain the due time, because for
 * some work each search returns the present time. For background work it contains no id, because each batch has another
 * id.
 */
function failureKeyOf({ kind, clientId, id }: Found): string {
  return `${kind.name}\n${clientId}\n${kind.upkeepEveryMs === undefined ? id : ''}`;
}
