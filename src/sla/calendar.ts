/**
 * The opening times of a node: weekly hours, holidays, time zone and summer time. A node is open at an instant if its
 * local time is inside a span of that local day. The hour that summer time skips is therefore never open, and an open
 * hour that occurs twice in autumn is open both times.
 */

import { readJson } from '../platform/json-column.ts';
import { lru } from '../platform/lru.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import { DAY_MS, MINUTE_MS } from '../platform/time.ts';
import { type Stretch, Zone } from './zone.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    OpeningHours: OpeningSpan[];
  }
}

const WEEK = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;
/** The search for open time ends this long after its start: a later due time is set to this limit. */
const HORIZON_MS = 3_660 * DAY_MS;

export interface OpeningSpan {
  dayOfWeek: (typeof WEEK)[number];
  /** Local time `hh:mm` at which the span begins. */
  opens: string;
  /** The span ends before this local time `hh:mm`; `24:00` is midnight. */
  closes: string;
}

/** A span of a day in milliseconds of local time since midnight. */
interface Span {
  opens: number;
  closes: number;
}

export interface Calendar {
  zone: Zone;
  /** Sorted spans of each day of the week, from Sunday; null: always open except on holidays. */
  week: readonly (readonly Span[])[] | null;
  /** Local days, counted from 1970-01-01. */
  holidays: ReadonlySet<number>;
}

/** The columns of a node that define its calendar. */
export type CalendarRow = Pick<NodeRow, 'time_zone' | 'opening_hours' | 'holidays'>;

const KEPT_CALENDARS = 1_000;
const calendars = lru<string, Calendar>(KEPT_CALENDARS);
const zones = new Map<string, Zone>();

/** Returns the calendar of a node. Calendars are cached by content. */
export function calendarOf(node: CalendarRow): Calendar {
  const key = `${node.time_zone}\n${node.opening_hours}\n${node.holidays}`;
  let calendar = calendars.get(key);
  if (calendar === undefined) {
    calendar = makeCalendar(node.time_zone, readJson(node.opening_hours), readJson(node.holidays));
    calendars.set(key, calendar);
  }
  return calendar;
}

/**
 * Makes a calendar of opening hours (an empty list: always open) and holidays `YYYY-MM-DD`.
 * @throws RangeError for an unknown zone
 */
export function makeCalendar(timeZone: string, hours: readonly OpeningSpan[], holidays: readonly string[]): Calendar {
  let zone = zones.get(timeZone);
  if (zone === undefined) {
    zone = new Zone(timeZone);
    zones.set(timeZone, zone);
  }
  const spansOf = (dayOfWeek: string) =>
    hours
      .filter((span) => span.dayOfWeek === dayOfWeek)
      .map(({ opens, closes }) => ({ opens: clockMs(opens), closes: clockMs(closes) }))
      .sort((a, b) => a.opens - b.opens);
  const week = hours.length === 0 ? null : WEEK.map(spansOf);
  return { zone, week, holidays: new Set(holidays.map(dayNumber)) };
}

/**
 * Returns the first instant at which the node has been open for `minutes` since `from`, in epoch milliseconds; at most
 * `HORIZON_MS` after `from`, unless the node is always open.
 */
export function addOpenMinutes(calendar: Calendar, from: number, minutes: number): number {
  let left = minutes * MINUTE_MS;
  if (calendar.week === null && calendar.holidays.size === 0) return from + left;
  const horizon = from + HORIZON_MS;
  for (let at = from; at < horizon; ) {
    const stretch = calendar.zone.stretchFrom(at);
    for (const { opens, closes } of openIn(calendar, stretch)) {
      if (closes - opens >= left) return opens + left;
      left -= closes - opens;
    }
    at = stretch.to;
  }
  return horizon;
}

/**
 * Returns the instant itself if its local day has opening hours, otherwise the closing time of the next day with
 * opening hours; at most `HORIZON_MS` later.
 */
export function onOpenDay(calendar: Calendar, instant: number): number {
  const { day } = calendar.zone.stretchFrom(instant);
  if (spansOn(calendar, day).length > 0) return instant;
  let end: { day: number; at: number } | undefined;
  for (let at = instant; at < instant + HORIZON_MS; ) {
    const stretch = calendar.zone.stretchFrom(at);
    if (end !== undefined && stretch.day !== end.day) return end.at;
    const last = openIn(calendar, stretch).at(-1);
    if (last !== undefined) end = { day: stretch.day, at: last.closes };
    at = stretch.to;
  }
  return end?.at ?? instant + HORIZON_MS;
}

/** Returns the first instants of a local day `YYYY-MM-DD` and of the next day. */
export function boundsOfDay(calendar: Calendar, date: string): { from: number; to: number } {
  const day = dayNumber(date);
  return { from: startOf(calendar.zone, day), to: startOf(calendar.zone, day + 1) };
}

/** Returns the local day of an instant at a node, as YYYY-MM-DD. */
export function dayAt({ zone }: Calendar, instant: number): string {
  return dayText(zone.stretchFrom(instant).day);
}

/**
 * Returns the instant of a local day `YYYY-MM-DD` that has the same time of day as another instant. If the clocks skip
 * this time, returns the instant of the change. If the time occurs twice, returns the first instant.
 */
export function sameTimeOn({ zone }: Calendar, date: string, instant: number): number {
  const own = zone.stretchFrom(instant);
  const local = dayNumber(date) * DAY_MS + (instant + own.offset - own.day * DAY_MS);
  let stretch = zone.stretchFrom(startOf(zone, dayNumber(date)));
  while (stretch.to + stretch.offset <= local) stretch = zone.stretchFrom(stretch.to);
  return Math.max(stretch.from, local - stretch.offset);
}

/** Formats a day, counted from 1970-01-01, as YYYY-MM-DD. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function startOf(zone: Zone, day: number): number {
  // Every zone is less than a day ahead of UTC, so the search starts one day before.
  let stretch = zone.stretchFrom((day - 1) * DAY_MS);
  while (stretch.day < day) stretch = zone.stretchFrom(stretch.to);
  return stretch.from;
}

/** Returns the open spans within a stretch, in order. */
function openIn(calendar: Calendar, { day, from, to, offset }: Stretch): { opens: number; closes: number }[] {
  const midnight = day * DAY_MS - offset;
  return spansOn(calendar, day)
    .map(({ opens, closes }) => ({ opens: Math.max(from, midnight + opens), closes: Math.min(to, midnight + closes) }))
    .filter(({ opens, closes }) => opens < closes);
}

const ALL_DAY: readonly Span[] = [{ opens: 0, closes: DAY_MS }];

function spansOn({ week, holidays }: Calendar, day: number): readonly Span[] {
  if (holidays.has(day)) return [];
  return week === null ? ALL_DAY : week[(day + FIRST_WEEKDAY) % 7]!;
}

function clockMs(clock: string): number {
  return (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))) * MINUTE_MS;
}

function dayNumber(date: string): number {
  const [year, month, day] = date.split('-').map(Number);
  return Date.UTC(year!, month! - 1, day) / DAY_MS;
}
