/** The last sequence numbers of resources whose events were all deleted (`event_sequences`). */
import type { Ctx } from '../platform/ctx.ts';

/** Deletes the sequence numbers of deleted resources, which have no further events. */
export async function removeSequences(
  { db, dialect }: Pick<Ctx, 'db' | 'dialect'>,
  clientId: string,
  type: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('event_sequences')
    .where('client_id', '=', clientId)
    .where('resource_type', '=', type)
    .where('resource_id', 'in', dialect.listOf(ids, 'text'))
    .execute();
}
