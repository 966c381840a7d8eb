/**
 * Long work in turns: an event loop that one request keeps for a fifth of a second answers nobody meanwhile
 * (docs/decisions/173).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long a piece of work may keep the event loop. */
const TURN_MS = 10;

/** The pace of one piece of work: asks between its parts whether others are to be let in. */
export class Pace {
  #since = performance.now();

  /** Whether the work has had its share of this turn. */
  get isDue(): boolean {
    return performance.now() - this.#since > TURN_MS;
  }

  /** Lets everybody else have a turn where one is due. */
  async rest(): Promise<void> {
    if (!this.isDue) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
