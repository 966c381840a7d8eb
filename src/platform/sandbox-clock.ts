/**
 * The clock of a sandbox. Its time changes only when a caller moves it. A move stops at each time at which work becomes
 * due and runs the work. With seeded identifiers, the same requests give the same events, byte for byte.
 */
import type { Due } from './due.ts';
import type { Reader, Store } from './storage/db.ts';

/** The time of a sandbox's ports, in epoch milliseconds. */
export interface ManualClock {
  now: number;
}

/** The part of the scheduler that the clock uses. */
interface Work {
  /** The first work that becomes due after an instant. */
  next: (db: Reader, after: number) => Promise<(Due & { kind: string }) | undefined>;
  runDue: () => Promise<unknown>;
}

export class Sandbox {
  readonly #clock: ManualClock;
  readonly #scheduler: Work;
  readonly #store: Store;
  readonly #settled: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  /** @param settled resolves when all background work (webhooks and mails) is done. */
  constructor(clock: ManualClock, scheduler: Work, store: Store, settled: () => Promise<void>) {
    this.#clock = clock;
    this.#scheduler = scheduler;
    this.#store = store;
    this.#settled = settled;
  }

  get now(): number {
    return this.#clock.now;
  }

  /** The next work that becomes due; undefined if there is none. */
  next(db: Reader): ReturnType<Work['next']> {
    return this.#scheduler.next(db, this.#clock.now);
  }

  /**
   * Moves the time to the result of `targetOf`, which gets the present time and the time of the next due work. Moves
   * run one after the other. If `targetOf` throws, the caller gets the error and the time does not move. An aborted
   * `signal` stops the move at the time it has reached.
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
