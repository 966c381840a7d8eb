/** The interval of `backup --every`, and the age at which a copy is late. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/time.ts';

const UNITS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const EVERY_MIN_MS = 10 * SECOND_MS;
const EVERY_MAX_MS = 7 * UNITS.d;

/** Milliseconds of a text such as 30s, 15m, 6h or 1d, from 10 s to 7 d; undefined for other texts. */
export function everyOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * UNITS[unit as keyof typeof UNITS];
  return ms >= EVERY_MIN_MS && ms <= EVERY_MAX_MS ? ms : undefined;
}

/** A duration in words, for example `15 min`. */
export function inWords(ms: number): string {
  if (ms >= UNITS.d) return `${Number((ms / UNITS.d).toFixed(1))} d`;
  if (ms >= UNITS.h) return `${Number((ms / UNITS.h).toFixed(1))} h`;
  return ms >= UNITS.m ? `${Number((ms / UNITS.m).toFixed(1))} min` : `${Number((ms / SECOND_MS).toFixed(0))} s`;
}

/** Allowance for taking a copy, and for retrying a failed copy. */
const ALLOWANCE_MS = 5 * MINUTE_MS;

/**
 * Returns the age in milliseconds at which the newest copy is late, because a copy was missed. The alert
 * BackroomBackupLate has the same limit.
 */
export function lateAfter(everyMs: number): number {
  return 2 * everyMs + ALLOWANCE_MS;
}
