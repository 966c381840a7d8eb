/** Days at a node. */
import { DAY_MS } from '../platform/time.ts';
import type { Calendar } from '../sla/calendar.ts';

/** The day at a node that an instant lies in, as YYYY-MM-DD. */
export function dayAt({ zone }: Calendar, instant: number): string {
  return new Date(zone.stretchFrom(instant).day * DAY_MS).toISOString().slice(0, 10);
}
