/**
 * Finds the user of an account at an identity provider, by provider and subject, never by e-mail address
 * (docs/how-to/sign-in-with-oidc.md#3-link-existing-users).
 */
import { record, recordAccess } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import { permissionsOf } from '../../platform/roles.ts';
import { Contended } from '../../platform/storage/db.ts';
import type { IdentityProviderRow, UserRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import { endSessions } from '../../shared/sessions.ts';
import { type Claims, mappedRole, nameOf } from './claims.ts';

/** Reasons to reject a sign-in although the provider has confirmed the account. */
export type NotLetIn = 'USER_UNKNOWN' | 'USER_DISABLED' | 'ROLE_MISSING';

/**
 * Finds or creates the user of a subject and sets the role from the claims, or returns the reason of a rejection. Only
 * a provider with `create_users` creates users.
 */
export async function userOf(ctx: Ctx, provider: IdentityProviderRow, claims: Claims): Promise<UserRow | NotLetIn> {
  const subject = claims['sub'] as string;
  const role = mappedRole(provider, claims);
  const known = await findUser(ctx, provider, subject);
  if (known === undefined) return makeUser(ctx, provider, subject, role, claims);
  if (known.state !== 'ACTIVE') return 'USER_DISABLED';
  if (provider.role_claim === null || role === known.role) return known;
  if (role === undefined) {
    const { client_id: clientId, user_id: userId } = known;
    const sessions = await endSessions(ctx.db, clientId, userId);
    if (sessions > 0)
      await recordAccess(ctx, clientId, 'user.signedOut', { userId, nodeIds: readJson(known.node_ids), sessions });
    return 'ROLE_MISSING';
  }
  return changeRole(ctx, known, role);
}

/**
 * Finds the user and locks the identity. A removal of the identity at the same time waits, and then ends the new
 * session.
 */
function findUser({ db, dialect }: Ctx, provider: IdentityProviderRow, subject: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('user_identities as i')
    .innerJoin('users as u', (join) =>
      join.onRef('u.client_id', '=', 'i.client_id').onRef('u.user_id', '=', 'i.user_id'),
    )
    .selectAll('u')
    .where('i.client_id', '=', provider.client_id)
    .where('i.provider_id', '=', provider.provider_id)
    .where('i.subject', '=', subject)
    .modifyEnd(dialect.forNoKeyUpdate)
    .executeTakeFirst();
}

async function changeRole(ctx: Ctx, user: UserRow, role: string): Promise<UserRow> {
  const { client_id: clientId, user_id: userId } = user;
  await ctx.db
    .updateTable('users')
    .set({ role, updated_at: ctx.now })
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .execute();
  // A change that adds permissions ends the earlier sessions of the user, as a PUT of a user does.
  const had = permissionsOf(user.role);
  if (permissionsOf(role).some((one) => !had.includes(one))) await endSessions(ctx.db, clientId, userId);
  const change = { from: user.role, to: role };
  await record(ctx, { clientId, type: 'user.changed', resource: 'user', resourceId: userId, data: { role: change } });
  await recordAccess(ctx, clientId, 'user.roleChanged', {
    userId,
    ...change,
    nodeIds: readJson(user.node_ids),
  });
  return { ...user, role, updated_at: ctx.now };
}

async function makeUser(
  ctx: Ctx,
  provider: IdentityProviderRow,
  subject: string,
  role: string | undefined,
  claims: Claims,
): Promise<UserRow | NotLetIn> {
  if (provider.create_users === 0) return 'USER_UNKNOWN';
  if (role === undefined) return 'ROLE_MISSING';
  const clientId = provider.client_id;
  const userId = `oidc-${ctx.newId()}`;
  const row: UserRow = {
    client_id: clientId,
    user_id: userId,
    name: nameOf(claims, userId),
    password_hash: '',
    role,
    node_ids: provider.node_ids,
    created_at: ctx.now,
    updated_at: ctx.now,
    state: 'ACTIVE',
    language: null,
    pin_hash: null,
    pin_once_until: null,
    badge_hash: null,
  };
  await ctx.db.insertInto('users').values(row).execute();
  const identity = { provider_id: provider.provider_id, subject, user_id: userId, created_at: ctx.now };
  const made = await ctx.db
    .insertInto('user_identities')
    .values({ client_id: clientId, ...identity })
    .onConflict((on) => on.doNothing())
    .executeTakeFirstOrThrow();
  if (made.numInsertedOrUpdatedRows !== 1n) throw new Contended('Another request linked this account to a user.');
  const nodeIds = readJson(row.node_ids);
  await recordAccess(ctx, clientId, 'user.created', { userId, role, nodeIds });
  const data = {
    clientId,
    userId,
    name: row.name,
    role,
    nodeIds,
    state: 'ACTIVE',
    createdAt: formatDateTime(ctx.now),
    updatedAt: formatDateTime(ctx.now),
  };
  await record(ctx, { clientId, type: 'user.created', resource: 'user', resourceId: userId, data });
  return row;
}
