/** Reads the events of resources, for facts that no table stores. */

import type { Reader } from '../platform/storage/db.ts';
import type { BoundText, Dialect } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';

interface Of {
  clientId: string;
  /** Type of the resources. */
  type: string;
  ids: BoundText;
  /** Types of the events. */
  types: BoundText;
  /** Time of the earliest event. An older resource, now deleted, may have had the same id. */
  since: number;
}

/** Returns the events of resources, the oldest of each first, as long as the feed keeps them. */
export async function findEventsOf(db: Reader, of: Of) {
  // Events get positions when the feed is read, so the latest events may have none.
  return [...(await selectPlaced(db, of)), ...(await selectUnplaced(db, of))];
}

const selectPlaced = statement((db, of: Of, dialect) =>
  eventsOf(db, of, dialect).where('sequence', 'is not', null).orderBy('sequence'),
);

const selectUnplaced = statement((db, of: Of, dialect) =>
  eventsOf(db, of, dialect).where('position', 'is', null).orderBy('written').orderBy('event_id'),
);

function eventsOf(db: Reader, { clientId, type, ids, types, since }: Of, dialect: Dialect) {
  return db
    .selectFrom('events')
    .select(['event_id', 'type', 'at', 'actor', 'data'])
    .where('client_id', '=', clientId)
    .where('resource_type', '=', type)
    .where('resource_id', 'in', dialect.listOf<string>(ids, 'text'))
    .where('type', 'in', dialect.listOf<string>(types, 'text'))
    .where('at', '>=', since);
}
