/** Days and hours at a node. */

import { HOUR_MS } from '../platform/time.ts';
import type { Calendar } from '../sla/calendar.ts';
import { boundsOfDay, dayText } from '../sla/calendar.ts';

/** The offsets of all time zones are whole quarters of an hour, so a quarter never spans two local hours. */
export const QUARTER_MS = HOUR_MS / 4;

/** Returns the hour of the day at a node, 0 to 23. When clocks go back, one hour occurs twice. */
export function hourAt({ zone }: Calendar, instant: number): number {
  const { day, offset } = zone.stretchFrom(instant);
  return Math.floor((instant + offset - day * 24 * HOUR_MS) / HOUR_MS);
}

/**
 * Returns the first instant of the hour at a node that contains the instant. An hour that occurs twice has two first
 * instants.
 */
export function hourFrom({ zone }: Calendar, instant: number): number {
  const { offset } = zone.stretchFrom(instant);
  return Math.floor((instant + offset) / HOUR_MS) * HOUR_MS - offset;
}

/** Returns the date `days` days after a date. */
export function dayAfter(date: string, days: number): string {
  return dayText(Math.round(Date.parse(`${date}T00:00:00Z`) / (24 * HOUR_MS)) + days);
}

/** Returns the first instant of a day at a node, and the end of the last of `days` days. */
export function boundsOf(calendar: Calendar, date: string, days = 1): { from: number; to: number } {
  return { from: boundsOfDay(calendar, date).from, to: boundsOfDay(calendar, dayAfter(date, days - 1)).to };
}
