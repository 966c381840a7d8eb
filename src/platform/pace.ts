/**
 * Splits long work into turns, because a request that occupies the event loop delays all others (docs/decisions/173).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time that a piece of work can occupy the event loop. */
const TURN_MS = 10;

/** Timer of one piece of work; call `rest` between its parts. */
export class Pace {
  #since = performance.now();

  /** Whether the work has used its share of this turn. */
  get isDue(): boolean {
    return performance.now() - this.#since > TURN_MS;
  }

  /** Waits for the next turn of the event loop if this turn is used up. */
  async rest(): Promise<void> {
    if (!this.isDue) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
