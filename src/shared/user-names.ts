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

/** Returns the names of the users and the purposes of the credentials of a client by actor, written as in events. */
export async function findActorNames(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (kind: string) => [
    ...new Set(actors.flatMap((actor) => (actor.startsWith(kind) ? actor.slice(kind.length) : []))),
  ];
  const users = await findNames({ db, dialect }, clientId, idsOf('user:'));
  const credentials = await db
    .selectFrom('credentials')
    .select(['credential_id', 'label'])
    .where('client_id', '=', clientId)
    .where('credential_id', 'in', dialect.listOf(idsOf('credential:'), 'text'))
    .orderBy('credential_id')
    .execute();
  return new Map([
    ...Array.from(users, ([userId, name]) => [`user:${userId}`, name] as const).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    ),
    ...credentials.map((row) => [`credential:${row.credential_id}`, row.label] as const),
  ]);
}
