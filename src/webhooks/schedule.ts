/** The schedule of retries, in milliseconds (docs/events.md#webhooks). */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/time.ts';

/**
 * Waits after the first, second, ... attempt. Together they are just under a day. If the attempt after the last wait
 * fails, the delivery is dead.
 */
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

/**
 * Maximum share by which a wait is shortened at random, so that simultaneous failures are not retried at the same time.
 */
const JITTER = 0.2;

/** Maximum wait that a receiver can request with Retry-After. */
const RETRY_AFTER_HEADER_MAX_MS = HOUR_MS;

/**
 * Maximum pause of a webhook after consecutive batches without a success. The pauses are 1 s, 2 s, 4 s and so on, up to
 * this maximum. A receiver can request a longer pause with Retry-After.
 */
const PAUSE_MAX_MS = 5 * MINUTE_MS;

/** A failed batch disables the webhook if the first failure since the last success is at least this long ago. */
export const DISABLE_AFTER_MS = 72 * HOUR_MS;

/**
 * Duration of the lease of a run, longer than a batch of attempts. If the process dies, another run can begin after
 * this time.
 */
export const LEASE_MS = 2 * MINUTE_MS;

/**
 * Maximum time from now to the end of a pause or lease, and to the next attempt of a delivery. A later time was written
 * while a clock was ahead, and does not count. Each maximum has an extra minute, because the clocks of two machines
 * differ a little.
 */
export const PAUSED_AT_MOST_MS = RETRY_AFTER_HEADER_MAX_MS + MINUTE_MS;
export const WAITS_AT_MOST_MS = RETRY_AFTER_MS.at(-1)! + MINUTE_MS;

/** Time in seconds for which the old secret stays valid after a rotation: default and maximum. */
export const OVERLAP_DEFAULT_S = 86_400;
export const OVERLAP_MAX_S = 7 * 86_400;

/**
 * Returns the time of the next attempt after `attempts` attempts; undefined after the last attempt. A receiver can
 * request a longer wait, `askedMs`. `random` is at least 0 and below 1.
 */
export function nextAttemptAt(now: number, attempts: number, random: number, askedMs = 0): number | undefined {
  const wait = RETRY_AFTER_MS[attempts - 1];
  if (wait === undefined) return undefined;
  return now + Math.max(Math.round(wait * (1 - JITTER * random)), Math.min(askedMs, RETRY_AFTER_HEADER_MAX_MS));
}

/**
 * Returns the time of the next run after `failures` consecutive batches without a success. The receiver can request a
 * longer pause, `askedMs`.
 */
export function pauseUntil(now: number, failures: number, askedMs = 0): number {
  const wait = Math.min(SECOND_MS * 2 ** Math.min(failures - 1, 20), PAUSE_MAX_MS);
  return now + Math.max(wait, Math.min(askedMs, RETRY_AFTER_HEADER_MAX_MS));
}
