/** From when on the items of an order may be allocated (docs/decisions/155). */

import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime, isPlainDate, parseDateTime } from '../platform/time.ts';
import type { Snapshot, StreetDate } from '../shared/snapshot.ts';
import { boundsOfDay, type Calendar } from '../sla/calendar.ts';
import { State } from './states.ts';

/** A street date and the instant at which it begins at a node. */
export interface Held extends StreetDate {
  until: number;
}

/** The latest street date of lines after `now`, if there is one; a plain day begins when it begins at the node. */
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

/** The field `heldUntil` of an order that is held, as replies and events show it. */
export function heldUntil({ status, due_at: dueAt }: Pick<FulfillmentOrderRow, 'status' | 'due_at'>): {
  heldUntil?: string;
} {
  return status === State.HELD && dueAt !== null ? { heldUntil: formatDateTime(dueAt) } : {};
}
