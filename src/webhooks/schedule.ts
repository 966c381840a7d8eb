/** When a delivery that failed is tried again, as data (docs/decisions/130). Times are milliseconds. */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/time.ts';

/** Waits after the first, second, ... attempt; after the last attempt a delivery is dead. Together just under a day. */
export const RETRY_AFTER_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  10 * HOUR_MS,
];

/** A wait is shortened by up to this part of it, so that what failed together does not come back together. */
const JITTER = 0.2;

/** Longest wait that a receiver may ask for with Retry-After. */
const RETRY_AFTER_HEADER_MAX_MS = HOUR_MS;

/** While nothing at all gets through, a webhook rests between runs: 1 s, 2 s, 4 s, at last this long. */
const PAUSE_MAX_MS = 5 * MINUTE_MS;

/** After so long without one success the service disables a webhook. */
export const DISABLE_AFTER_MS = 72 * HOUR_MS;

/** How long a run owns a webhook; one that died frees it then. Longer than a handful of attempts may take. */
export const LEASE_MS = 2 * MINUTE_MS;

/** The old secret signs too for so long after a rotation, unless the rotation says otherwise. */
export const OVERLAP_DEFAULT_S = 86_400;
export const OVERLAP_MAX_S = 7 * 86_400;

/** When to try again after `attempts` attempts, `random` from [0, 1); undefined: never. */
export function nextAttemptAt(now: number, attempts: number, random: number, askedMs = 0): number | undefined {
  const wait = RETRY_AFTER_MS[attempts - 1];
  if (wait === undefined) return undefined;
  return now + Math.max(Math.round(wait * (1 - JITTER * random)), Math.min(askedMs, RETRY_AFTER_HEADER_MAX_MS));
}

/** When to go on after `failures` runs in a row in which nothing got through. */
export function pauseUntil(now: number, failures: number, askedMs = 0): number {
  const wait = Math.min(SECOND_MS * 2 ** Math.min(failures - 1, 20), PAUSE_MAX_MS);
  return now + Math.max(wait, Math.min(askedMs, RETRY_AFTER_HEADER_MAX_MS));
}
