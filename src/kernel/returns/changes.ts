/** Changes of the state of a return that only its events record. */
import { findEventsOf } from '../../events/of-resource.ts';
import type { ReadCtx } from '../../platform/ctx.ts';
import type { ReturnRow } from '../../platform/storage/tables.ts';

const CHANGES = ['return.canceled', 'return.expired', 'return.reopened'];

/** Reads the events of the cancellations, expiries and reopenings of a return, the oldest first. */
export async function findStateChanges(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  {
    client_id: clientId,
    return_id: id,
    status,
    created_at: since,
  }: Pick<ReturnRow, 'client_id' | 'return_id' | 'status' | 'created_at'>,
) {
  if (status === 'REQUESTED') return [];
  return await findEventsOf(db, { clientId, type: 'return', id, since, types: dialect.listText(CHANGES) });
}
