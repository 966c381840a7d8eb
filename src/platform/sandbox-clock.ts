/**
 * The clock of a sandbox: time stands still until it is moved, and on the way to the new time everything that becomes due is
 * done at its own instant. With seeded identifiers the same requests give the same events, byte for byte.
 */
import type { Due } from './due.ts';
import type { Reader, Store } from './storage/db.ts';

/** What the ports of a sandbox read the time from, in epoch milliseconds. */
export interface ManualClock {
  now: number;
}

/** The part of the scheduler that moves with the clock. */
interface Work {
  /** The first thing that becomes due after an instant. */
  next: (db: Reader, after: number) => Promise<(Due & { kind: string }) | undefined>;
  runDue: () => Promise<unknown>;
}

export class Sandbox {
  readonly #clock: ManualClock;
  readonly #scheduler: Work;
  readonly #store: Store;
  readonly #settled: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  /** `settled` resolves when what was started and not waited for (sending to webhooks) is done. */
  constructor(clock: ManualClock, scheduler: Work, store: Store, settled: () => Promise<void>) {
    this.#clock = clock;
    this.#scheduler = scheduler;
    this.#store = store;
    this.#settled = settled;
  }

  get now(): number {
    return this.#clock.now;
  }

  /** What becomes due next; undefined where nothing does. */
  next(db: Reader): ReturnType<Work['next']> {
    return this.#scheduler.next(db, this.#clock.now);
  }

  /**
   * Moves the time, one mover after another, to the instant that `targetOf` gives for the time and the next due instant then;
   * what it throws is the mover's answer, and nothing has moved. A `signal` ends the way where it is.
   */
  advance(targetOf: (now: number, next: number | undefined) => number, signal: AbortSignal): Promise<void> {
    const moved = this.#last.then(() => this.#advance(targetOf, signal));
    this.#last = moved.catch(() => undefined);
    return moved;
  }

  async #advance(targetOf: (now: number, next: number | undefined) => number, signal: AbortSignal): Promise<void> {
    await this.#runDue();
    const target = targetOf(this.#clock.now, await this.#nextAt());
    for (let next = await this.#nextAt(); next !== undefined && next <= target; next = await this.#nextAt()) {
      if (signal.aborted) return;
      this.#clock.now = next;
      await this.#runDue();
    }
    this.#clock.now = target;
    await this.#runDue();
  }

  async #runDue(): Promise<void> {
    await this.#scheduler.runDue();
    await this.#settled();
  }

  async #nextAt(): Promise<number | undefined> {
    return (await this.#store.read((db) => this.next(db)))?.at;
  }
}
