/** Writes the JSON text of an event of the feed. The data is the recorded text, so its numbers keep every digit. */
import { sql } from 'kysely';
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

/** Position of an event, and the size of its data in bytes. Both engines know the size without reading the data. */
export const SIZE_COLUMNS = ['position', sql<number>`octet_length(data)`.as('bytes')] as const;
export interface Sized {
  position: number | null;
  bytes: number;
}

/**
 * Maximum bytes of the data of events that are read together. Most events are small, but `inbound.voided` has a whole
 * ASN. A page of 500 such events would be longer than the longest string of JavaScript.
 */
const TOGETHER_MAX = 8 * 1024 * 1024;

/** Returns the number of the first events that are read together: as many as fit into the maximum, but at least one. */
export function readTogether(sizes: readonly Pick<Sized, 'bytes'>[]): number {
  let sum = 0;
  for (const [index, { bytes }] of sizes.entries()) {
    sum += bytes;
    if (sum > TOGETHER_MAX && index > 0) return index;
  }
  return sizes.length;
}

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
