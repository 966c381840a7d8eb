/** Street dates: the time from which the items of an order can be allocated (docs/interface.md#order-intake). */

import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime, isPlainDate, parseDateTime } from '../platform/time.ts';
import type { Snapshot, StreetDate } from '../shared/snapshot.ts';
import { boundsOfDay, type Calendar } from '../sla/calendar.ts';
import { State } from './states.ts';

/** A street date and the instant at which that day begins at a node. */
export interface Held extends StreetDate {
  until: number;
}

/**
 * Returns the latest street date of the lines if it is after `now`, otherwise undefined. A plain date begins at
 * midnight at the node.
 */
export function heldBy(
  lines: readonly Pick<Snapshot, 'streetDates'>[],
  calendar: Calendar,
  now: number,
): Held | undefined {
  let latest: Held | undefined;
  for (const { itemId, date } of lines.flatMap((line) => line.streetDates ?? [])) {
    const until = isPlainDate(date) ? boundsOfDay(calendar, date).from : parseDateTime(date);
    if (until > now && (latest === undefined || until > latest.until)) latest = { itemId, date, until };
  }
  return latest;
}

/** Returns the field `heldUntil` of a held order for responses and events. */
export function heldUntil({ status, due_at: dueAt }: Pick<FulfillmentOrderRow, 'status' | 'due_at'>): {
  heldUntil?: string;
} {
  return status === State.HELD && dueAt !== null ? { heldUntil: formatDateTime(dueAt) } : {};
}
