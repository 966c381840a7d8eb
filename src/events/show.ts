/** Writes the JSON text of an event of the feed. The data is the recorded text, so its numbers keep every digit. */
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
  // These two values are in the headers of a webhook delivery, not in the text of the event.
  'request_id',
  'trace',
] as const;

/** A row that has a position. */
export type ShownRow = Pick<EventRow, (typeof SHOWN_COLUMNS)[number]>;

/** Returns the JSON fields of an event without the surrounding braces, because callers add further fields. */
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

/** Replaces `system:…`, the actor of one part of the service, by `system`. */
function shownActor(actor: string): string {
  return actor.startsWith('system') ? 'system' : actor;
}
