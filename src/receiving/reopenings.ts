/** Reads the reopenings of a shipment from its events, because no table stores them. */
import { findEventsOf } from '../events/of-resource.ts';
import { resourceIdOf } from '../kernel/arrivals/shipment.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { parseJson } from '../platform/message/json.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';

/** Returns the reopenings of a shipment, the oldest first. */
export async function findReopenings({ db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>, row: InboundShipmentRow) {
  // Each close writes a statement. A shipment without a statement, or a closed shipment with one statement, was never
  // reopened.
  if (row.statements === 0 || (row.statements === 1 && row.status === 'CLOSED')) return [];
  const of = { clientId: row.client_id, type: 'inbound', since: row.created_at };
  const [ids, types] = [dialect.listText([resourceIdOf(row)]), dialect.listText(['inbound.reopened'])];
  const events = await findEventsOf(db, { ...of, ids, types });
  return events.map(({ at, data }) => {
    const { userId, reason } = parseJson(data) as { userId: string; reason: string };
    return { userId, at: formatDateTime(at), reason };
  });
}
