/** Actions of leads, managers and the operator for a user: a one-time PIN, a badge, signing out everywhere. */
import { recordAccess } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { SALT_BYTES } from '../platform/hashing.ts';
import { denied, notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import { quote } from '../platform/message/words.ts';
import { covers } from '../platform/roles.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { UserRow } from '../platform/storage/tables.ts';
import { endSessions, endUnchosen } from '../shared/sessions.ts';
import { forgetAttempts } from './attempts.ts';
import { makeBadge } from './badges.ts';
import { makePin, ONE_TIME_MS } from './pins.ts';
import { GivenBadge, GivenPin } from './schema.ts';
import { say } from './sentences.ts';

/** Gives a user a one-time PIN. */
export const givePin = writeOperation({
  id: 'givePin',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/users/{userId}/pin',
  summary: 'Give a user a one-time PIN',
  description:
    'Makes a one-time PIN for a user. The response shows it once; it is valid for 24 hours and must be changed at its first use. The old PIN becomes invalid, and a lock of the PIN ends. Sessions in which an earlier one-time PIN was not replaced end, too. You need all permissions and nodes of the user. You cannot give a PIN to yourself.',
  access: { auth: 'operator', permission: ['supervise', 'people'], fresh: true },
  message: {
    replies: { 201: { description: 'The PIN.', schema: GivenPin } },
    refusals: { 404: 'There is no such user.' },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another PIN: the previous PIN becomes invalid' },
    prepare: async ({ params: { userId }, clientId }, randomBytes, { store, actor, hashing, sealer }) => {
      // This check comes before the hash, because hashes for rejected requests would delay the sign-ins of all clients.
      await store.read((db) => mustBeBelow({ db, actor }, clientId, userId));
      const pin = makePin(randomBytes);
      const [key] = sealer.userPinKeys(clientId, userId);
      return { pin, hash: await hashing.hash({ kind: 'client', key: clientId }, pin, randomBytes(SALT_BYTES), key) };
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
      await endUnchosen(ctx.db, clientId, userId);
      await recordAccess(ctx, clientId, 'user.pinReset', about(user));
      return reply(201, { pin });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/users/ana/pin' },
});

/** Gives a user a badge. */
export const giveBadge = writeOperation({
  id: 'giveBadge',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/users/{userId}/badge',
  summary: 'Give a user a badge',
  description:
    'Makes the text of a badge for a printed Code 128 card: 16 random characters that the response shows once. The old badge becomes invalid. A badge replaces the login when a device is unlocked; the PIN is still required.',
  access: { auth: 'operator', permission: 'people', fresh: true },
  message: {
    replies: { 201: { description: 'The badge.', schema: GivenBadge } },
    refusals: { 404: 'There is no such user.' },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another badge: the previous badge becomes invalid' },
    async handle(ctx, { params: { userId }, clientId }) {
      const user = await mustBeBelow(ctx, clientId, userId);
      const badge = await makeBadge(ctx, user);
      return reply(201, { badge });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/users/ana/badge' },
});

/** Signs a user out everywhere. */
export const endUserSessions = writeOperation({
  id: 'endUserSessions',
  since: '0.3.0',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/users/{userId}/sessions',
  summary: 'Sign a user out everywhere',
  description:
    'Ends every session of a user immediately, in all processes. The tickets of the user’s queued work on devices become invalid.',
  access: { auth: 'operator', permission: 'people', fresh: true },
  message: {
    replies: { 204: { description: 'All sessions of the user have ended.' } },
    refusals: { 404: 'There is no such user.' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { userId }, clientId }) {
      const user = await mustBeBelow(ctx, clientId, userId);
      const sessions = await endSessions(ctx.db, clientId, userId);
      await recordAccess(ctx, clientId, 'user.signedOut', { ...about(user), sessions });
      return reply(204);
    },
  },
  example: { path: '/operator/v1/clients/TOWN/users/ana/sessions' },
});

function about({ user_id, node_ids }: UserRow) {
  return { userId: user_id, nodeIds: readJson(node_ids) };
}

/**
 * Returns the user, after a check that the caller has permission to manage this user.
 * @throws Refusal 404 if there is no such user; 403 for the caller's own user, and for a user with permissions or nodes
 * that the caller lacks.
 */
async function mustBeBelow(
  { db, actor }: { db: Reader; actor: Ctx['actor'] },
  clientId: string,
  userId: string,
): Promise<UserRow> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const isOwn = actor.kind === 'user' && actor.clientId !== undefined;
  const { permissions = [], nodeIds = null, session } = actor;
  if (isOwn && session?.userId === userId)
    throw denied(say('you cannot use this operation for yourself; ask a lead or manager'));
  if (user === undefined)
    throw notFound(
      say('There is no user {userId} of client {clientId}.', { userId: quote(userId), clientId: quote(clientId) }),
    );
  if (isOwn && !covers({ permissions, nodeIds }, user.role, readJson(user.node_ids))) {
    throw denied(say('the user has a role or nodes that you do not have'));
  }
  return user;
}
