/** What may differ without a word, and who may decide: settings of the client for goods in and counts, once more. */
import { arrived, type Key } from './arrivals.ts';

/** Percent is rounded down; the larger of both counts. */
export interface Tolerance {
  percent: number;
  units: number;
}

const EXACT: Tolerance = { percent: 0, units: 0 };

/** Units of so many that are within a tolerance. */
export function within(of: number, { percent, units }: Tolerance = EXACT): number {
  return Math.max(Math.floor((of * percent) / 100), units);
}

/** Of a key; what nobody announced has no tolerance. */
function withinKey({ announced }: Key, tolerance?: Tolerance): number {
  return announced === 0 ? 0 : within(announced, tolerance);
}

/** Units that came beyond what was announced and may differ, and that nobody has held or decided yet. */
export function beyond(key: Key, over?: Tolerance): number {
  return Math.max(0, arrived(key) - key.announced - withinKey(key, over) - key.held - key.decided);
}

/** Whether a close must say why a key is short or over. */
export function isOff(key: Key, { over, short }: { over?: Tolerance; short?: Tolerance }): boolean {
  const more = arrived(key) - key.announced;
  return more > withinKey(key, over) || -more > withinKey(key, short);
}
