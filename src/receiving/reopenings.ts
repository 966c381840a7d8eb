/** Reads the reopenings of a shipment from its events, because no table stores them. */

import { resourceIdOf } from '../kernel/arrivals/shipment.ts';
import { parseJson } from '../platform/message/json.ts';
import type { Reader } from '../platform/storage/db.ts';
import { statement } from '../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';

/** Returns the reopenings of a shipment, the oldest first. */
export async function findReopenings(db: Reader, row: InboundShipmentRow) {
  // Each close writes a statement. A shipment without a statement, or a closed shipment with one statement, was never
  // reopened.
  if (row.statements === 0 || (row.statements === 1 && row.status === 'CLOSED')) return [];
  const of = { clientId: row.client_id, id: resourceIdOf(row), since: row.created_at };
  // Events get positions when the feed is read, so the latest events may have none.
  const events = [...(await selectPlaced(db, of)), ...(await selectUnplaced(db, of))];
  return events.map(({ at, data }) => {
    const { userId, reason } = parseJson(data) as { userId: string; reason: string };
    return { userId, at: formatDateTime(at), reason };
  });
}

interface Of {
  clientId: string;
  id: string;
  since: number;
}

const selectPlaced = statement((db, of: Of) =>
  reopeningsOf(db, of).where('sequence', 'is not', null).orderBy('sequence'),
);

const selectUnplaced = statement((db, of: Of) =>
  reopeningsOf(db, of).where('position', 'is', null).orderBy('written').orderBy('event_id'),
);

/** Selects the events since the announcement: an older shipment, now deleted, may have had the same number. */
function reopeningsOf(db: Reader, { clientId, id, since }: Of) {
  return db
    .selectFrom('events')
    .select(['at', 'data'])
    .where('client_id', '=', clientId)
    .where('resource_type', '=', 'inbound')
    .where('resource_id', '=', id)
    .where('type', '=', 'inbound.reopened')
    .where('at', '>=', since);
}
