/** What leads, managers and the operator do for a user: a first PIN, a badge, signing out everywhere. */
import { recordAccess } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { SALT_BYTES } from '../platform/hashing.ts';
import { denied, notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { covers } from '../platform/roles.ts';
import type { UserRow } from '../platform/storage/tables.ts';
import { endSessions } from '../shared/sessions.ts';
import { forgetAttempts } from './attempts.ts';
import { makeBadge } from './badges.ts';
import { makePin, ONE_TIME_MS } from './pins.ts';
import { GivenBadge, GivenPin } from './schema.ts';

/** Gives a user a one-time PIN. */
export const givePin = writeOperation({
  id: 'givePin',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/users/{userId}/pin',
  auth: 'operator',
  permission: ['supervise', 'people'],
  fresh: true,
  repeat: { adds: 'another PIN: the one before is void' },
  summary: 'Give a user a one-time PIN',
  description:
    'Makes a PIN that is shown once, is good for 24 hours and must be changed at its first use. The PIN before dies, and a lock of the PIN ends. It is for users whose role and nodes you have yourself, and not for yourself.',
  replies: { 201: { description: 'The PIN.', schema: GivenPin } },
  refusals: { 404: 'There is no such user.' },
  errors: 'problem',
  prepare: async ({ params: { userId }, clientId }, randomBytes, { hashing, sealer }) => {
    const pin = makePin(randomBytes);
    const [key] = sealer.userPinKeys(clientId, userId);
    return { pin, hash: await hashing.hash(pin, randomBytes(SALT_BYTES), key) };
  },
  async handle(ctx, { params: { userId }, clientId, prepared: { pin, hash } }) {
    const user = await mustBeBelow(ctx, clientId, userId);
    await ctx.db
      .updateTable('users')
      .set({ pin_hash: hash, pin_once_until: ctx.now + ONE_TIME_MS })
      .where('client_id', '=', clientId)
      .where('user_id', '=', userId)
      .execute();
    await forgetAttempts(ctx.db, { clientId, kind: 'PIN', subject: userId });
    await recordAccess(ctx, clientId, 'user.pinReset', about(user));
    return reply(201, { pin });
  },
});

/** Gives a user a badge. */
export const giveBadge = writeOperation({
  id: 'giveBadge',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/users/{userId}/badge',
  auth: 'operator',
  permission: 'people',
  fresh: true,
  repeat: { adds: 'another badge: the one before is void' },
  summary: 'Give a user a badge',
  description:
    'Makes the text of a badge, 16 random characters that are shown once, for a printed Code 128 card. The badge before dies. A badge stands for the login when a device is unlocked; the PIN is still asked for.',
  replies: { 201: { description: 'The badge.', schema: GivenBadge } },
  refusals: { 404: 'There is no such user.' },
  errors: 'problem',
  async handle(ctx, { params: { userId }, clientId }) {
    const user = await mustBeBelow(ctx, clientId, userId);
    const badge = await makeBadge(ctx, user);
    return reply(201, { badge });
  },
});

/** Signs a user out everywhere. */
export const endUserSessions = writeOperation({
  id: 'endUserSessions',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/users/{userId}/sessions',
  auth: 'operator',
  permission: 'people',
  fresh: true,
  repeat: 'same',
  summary: 'Sign a user out everywhere',
  description:
    'Ends every session of a user at once, on all processes, and the tickets of what it has queued on devices.',
  replies: { 204: { description: 'Signed out.' } },
  refusals: { 404: 'There is no such user.' },
  errors: 'problem',
  async handle(ctx, { params: { userId }, clientId }) {
    const user = await mustBeBelow(ctx, clientId, userId);
    const sessions = await endSessions(ctx.db, clientId, userId);
    await recordAccess(ctx, clientId, 'user.signedOut', { ...about(user), sessions });
    return reply(204);
  },
});

function about({ user_id, node_ids }: UserRow) {
  return { userId: user_id, nodeIds: JSON.parse(node_ids) as string[] };
}

/** @throws Refusal 404 without such a user; 403 for oneself, and for a user with rights or nodes that the caller lacks. */
async function mustBeBelow({ db, actor }: Ctx, clientId: string, userId: string): Promise<UserRow> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const isOwn = actor.kind === 'user' && actor.clientId !== undefined;
  const { permissions = [], nodeIds = null, session } = actor;
  if (isOwn && session?.userId === userId) throw denied('nobody does this for oneself; ask a lead or manager');
  if (user === undefined) throw notFound(`There is no user ${quote(userId)} of client ${quote(clientId)}.`);
  if (isOwn && !covers({ permissions, nodeIds }, user.role, JSON.parse(user.node_ids) as string[])) {
    throw denied('the user has a role or nodes that you do not have');
  }
  return user;
}
