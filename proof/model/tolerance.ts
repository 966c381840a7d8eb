/** The model of the client's tolerances for receiving and for counts. */
import { arrived, type Key } from './goods.ts';
import type { Tolerance } from './terms.ts';

const EXACT: Tolerance = { percent: 0, units: 0 };

/** Returns the allowed difference for `of` units. */
export function within(of: number, { percent, units }: Tolerance = EXACT): number {
  return Math.max(Math.floor((of * percent) / 100), units);
}

/** Returns the allowed difference for a key. Goods that were not announced have no tolerance. */
function withinKey({ announced }: Key, tolerance?: Tolerance): number {
  return announced === 0 ? 0 : within(announced, tolerance);
}

/** Returns the units that arrived in excess of the announced quantity plus the tolerance. */
export function excess(key: Key, over?: Tolerance): number {
  return Math.max(0, arrived(key) - key.announced - withinKey(key, over));
}

/** Returns the excess units without a decision. */
export function undecided(key: Key, over?: Tolerance): number {
  return Math.max(0, excess(key, over) - key.decided);
}

/** Returns the undecided excess units that are not held. */
export function beyond(key: Key, over?: Tolerance): number {
  return Math.max(0, undecided(key, over) - key.held);
}

/**
 * Returns whether the key is short or over by more than the tolerance, so that a close needs a reason. `brought` are
 * the units that the ASNs of a purchase order brought: they are not missing.
 */
export function isOff(key: Key, { over, short }: { over?: Tolerance; short?: Tolerance }, brought: number): boolean {
  const more = arrived(key) - key.announced;
  return more > withinKey(key, over) || -more - brought > withinKey(key, short);
}
