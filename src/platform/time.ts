/**
 * Reads date-times of messages in the forms of ISO 8601 with an offset (docs/api.md#dates), and writes them in UTC.
 * Instants are epoch milliseconds.
 */

import type { Sentence } from './message/sentence.ts';
import { say } from './sentences.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/i;
/** The forms of RFC 3339, in which date-times are stored. */
const WHOLE = /^.{10}T.{8}(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
export const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The instant of `YYYY-MM-DDThh:mm[:ss[.fraction]]` with `Z` or an offset (`+hh:mm`, `+hhmm`, `+hh`), in epoch
 * milliseconds; finer fractions are cut off. `t` and `z` can be in lower case, and a comma can replace the point.
 * Throws `RangeError` for other forms, dates that do not exist, and instants or years outside 1970 to 9999.
 */
export function parseDateTime(text: string): number {
  const instant = instantOf(text);
  if (instant === undefined) throw new RangeError('not a date-time with an offset, years 1970 to 9999');
  return instant;
}

/** `YYYY-MM-DDThh:mm:ss+00:00` of an instant in epoch milliseconds. Throws `RangeError` outside 1970 to 9999. */
export function formatDateTime(ms: number): string {
  if (!(ms >= 0 && ms <= LAST_INSTANT)) throw new RangeError('an instant outside the years 1970 to 9999');
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
}

/**
 * Whether a pause that ends at `until` still goes on. A pause that would last longer than `longestMs` began while the
 * clock was ahead, and is over.
 */
export function isPaused(now: number, until: number, longestMs: number): boolean {
  return now < until && until <= now + longestMs;
}

/**
 * Returns the start of the second of an instant. Responses show instants by the second, so orders store seconds and
 * filters compare seconds.
 */
export function wholeSecond(text: string): number {
  return Math.floor(parseDateTime(text) / SECOND_MS) * SECOND_MS;
}

/** Whether `parseDateTime` reads `text`. */
export function isDateTime(text: string): boolean {
  return instantOf(text) !== undefined;
}

/** Whether `text` is a valid date `YYYY-MM-DD` from 1970 to 9999, or a valid date-time with a UTC offset. */
export function isIsoDate(text: string): boolean {
  const day = DATE.exec(text);
  return day ? dayOf(day) !== undefined : isDateTime(text);
}

/** Whether `text` is a valid date `YYYY-MM-DD` from 1970 to 9999. */
export function isPlainDate(text: string): boolean {
  const day = DATE.exec(text);
  return day !== null && dayOf(day) !== undefined;
}

/**
 * The stored form of a date: a date-time gets seconds, `T`, `Z` and the minutes of its offset, and keeps its offset and
 * fraction. Dates and other texts stay unchanged.
 */
export function plainForm(text: string): string {
  const parts = WHOLE.test(text) ? null : DATE_TIME.exec(text);
  if (parts === null) return text;
  const [, year, month, day, hour, minute, second = '00', fraction, sign, offsetHour, offsetMinute = '00'] = parts;
  const offset = sign === undefined ? 'Z' : `${sign}${offsetHour}:${offsetMinute}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}${offset}`;
}

/** The fix for a text that looks like a date-time, as the end of a sentence; empty if there is no hint. */
export function dateTimeHint(text: string): Sentence | '' {
  if (/^\d{4}-\d\d-\d\d +\d/.test(text)) return say('; write T between the day and the time');
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.,]*$/i.test(text)) return say('; add Z or the offset, like +00:00');
  return '';
}

function instantOf(text: string): number | undefined {
  const parts = DATE_TIME.exec(text);
  const day = parts ? dayOf(parts) : undefined;
  if (!parts || day === undefined) return undefined;
  const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6] ?? 0)];
  const [offsetHour, offsetMinute] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const millis = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (parts[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const instant = day + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millis;
  return instant >= 0 && instant <= LAST_INSTANT ? instant : undefined;
}

function dayOf(parts: RegExpExecArray): number | undefined {
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (year < 1970 || month < 1 || month > 12 || day < 1) return undefined;
  const ms = Date.UTC(year, month - 1, day);
  // Date.UTC carries 30 February over into March.
  return new Date(ms).getUTCDate() === day ? ms : undefined;
}
