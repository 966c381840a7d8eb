/** Days and hours at a node. */

import { HOUR_MS } from '../platform/time.ts';
import type { Calendar } from '../sla/calendar.ts';
import { boundsOfDay, dayText } from '../sla/calendar.ts';

/** Offsets of all zones are whole quarters of an hour, so no quarter lies in two hours. */
export const QUARTER_MS = HOUR_MS / 4;

/** The hour of the day at a node, 0 to 23; where clocks are put back, one hour comes twice. */
export function hourAt({ zone }: Calendar, instant: number): number {
  const { day, offset } = zone.stretchFrom(instant);
  return Math.floor((instant + offset - day * 24 * HOUR_MS) / HOUR_MS);
}

/** The day so many days later. */
export function dayAfter(date: string, days: number): string {
  return dayText(Math.round(Date.parse(`${date}T00:00:00Z`) / (24 * HOUR_MS)) + days);
}

/** First instant of a day at a node, and of the day after `days`. */
export function boundsOf(calendar: Calendar, date: string, days = 1): { from: number; to: number } {
  return { from: boundsOfDay(calendar, date).from, to: boundsOfDay(calendar, dayAfter(date, days - 1)).to };
}
