/** Changes of the state of a return that only its events record. */
import { findEventsOf } from '../../events/of-resource.ts';
import type { ReadCtx } from '../../platform/ctx.ts';
import type { ReturnRow } from '../../platform/storage/tables.ts';

const CHANGES = ['return.canceled', 'return.expired', 'return.reopened'];

/** Reads the events of the cancellations, expiries and reopenings of returns of a client, the oldest of each first. */
export async function findStateChanges(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  returns: readonly Pick<ReturnRow, 'return_id' | 'status' | 'created_at'>[],
) {
  const changed = returns.filter(({ status }) => status !== 'REQUESTED');
  if (changed.length === 0) return [];
  const ids = dialect.listText(changed.map((row) => row.return_id));
  const since = Math.min(...changed.map((row) => row.created_at));
  return await findEventsOf(db, { clientId, type: 'return', ids, since, types: dialect.listText(CHANGES) });
}
