/**
 * Local time of a zone of the IANA database. Instants are epoch milliseconds. A local time is the epoch value that
 * shows the same clock time in UTC, so days and minutes are plain arithmetic.
 */

import { lru } from '../platform/lru.ts';
import { DAY_MS, MINUTE_MS } from '../platform/time.ts';

/** Maximum number of cached days per zone: about ten years. */
const KEPT_DAYS = 4_000;
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/;

/** The offsets of one UTC day, before and after a change of the clocks. No zone changes twice within a day. */
interface DayOffsets {
  before: number;
  after: number;
  /** First instant of `after`; without a change, the end of the day. */
  changesAt: number;
}

/** A part of one local day without a change of the clocks. */
export interface Stretch {
  /** Local day, counted from 1970-01-01. */
  day: number;
  /** First instant of the stretch. */
  from: number;
  /** First instant after the stretch. */
  to: number;
  /** Milliseconds that local time is ahead of UTC. */
  offset: number;
}

export class Zone {
  readonly #format: Intl.DateTimeFormat;
  readonly #days = lru<number, DayOffsets>(KEPT_DAYS);

  /** @throws RangeError for a zone that does not exist. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /** Returns the stretch from an instant to the end of its local day or to the next change of the clocks. */
  stretchFrom(instant: number): Stretch {
    const utcDay = Math.floor(instant / DAY_MS);
    const { before, after, changesAt } = this.#offsetsOf(utcDay);
    const offset = instant < changesAt ? before : after;
    const day = Math.floor((instant + offset) / DAY_MS);
    const dayEnds = (day + 1) * DAY_MS - offset;
    const evenUntil = instant < changesAt ? changesAt : (utcDay + 1) * DAY_MS;
    return { day, from: instant, to: Math.min(dayEnds, evenUntil), offset };
  }

  #offsetsOf(utcDay: number): DayOffsets {
    let found = this.#days.get(utcDay);
    if (found === undefined) {
      found = this.#readOffsets(utcDay * DAY_MS);
      this.#days.set(utcDay, found);
    }
    return found;
  }

  #readOffsets(start: number): DayOffsets {
    const before = this.#offsetAt(start);
    const after = this.#offsetAt(start + DAY_MS - 1);
    if (before === after) return { before, after, changesAt: start + DAY_MS };
    let [low, high] = [start, start + DAY_MS - 1];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return { before, after, changesAt: high };
  }

  #offsetAt(instant: number): number {
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(this.#format.format(instant)) ?? [];
    const size = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1000;
    return sign === '-' ? -size : size;
  }
}
