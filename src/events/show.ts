/** An event of the feed as JSON text. Its data goes out as it was recorded, digit for digit. */
import type { EventRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';

export const SHOWN_COLUMNS = [
  'event_id',
  'at',
  'type',
  'resource_type',
  'resource_id',
  'position',
  'sequence',
  'actor',
  'data',
  // Not in the text, but in the headers of a delivery.
  'request_id',
  'trace',
] as const;

/** A row whose position was given. */
export type ShownRow = Pick<EventRow, (typeof SHOWN_COLUMNS)[number]>;

/** The fields of an event, without the braces around them, so that others may stand before. */
export function eventText(row: ShownRow): string {
  const members = {
    position: row.position,
    eventId: row.event_id,
    type: row.type,
    at: formatDateTime(row.at),
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    sequence: row.sequence,
    actor: shownActor(row.actor),
  };
  return `${JSON.stringify(members).slice(1, -1)},"data":${row.data}`;
}

/** What the service does by itself is done by `system`, whichever part of it did. */
function shownActor(actor: string): string {
  return actor.startsWith('system') ? 'system' : actor;
}
