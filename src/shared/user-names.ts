import type { ReadCtx } from '../platform/ctx.ts';

/** Returns the names of users of a client by user id. A user id that only another system knows has no name. */
export async function findNames(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  userIds: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['user_id', 'name'])
    .where('client_id', '=', clientId)
    .where('user_id', 'in', dialect.listOf(ids, 'text'))
    .execute();
  return new Map(rows.map((row) => [row.user_id, row.name]));
}
