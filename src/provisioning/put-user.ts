import { recordAccess } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { SALT_BYTES } from '../platform/hashing.ts';
import { denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors, repeatErrors } from '../platform/http/put.ts';
import { readJson } from '../platform/json-column.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { quote } from '../platform/message/words.ts';
import { covers, permissionsOf } from '../platform/roles.ts';
import type { Writer } from '../platform/storage/db.ts';
import type { UserRow } from '../platform/storage/tables.ts';
import { passwordErrors } from '../shared/passwords.ts';
import { endSessions, forgetWrongPasswords } from '../shared/sessions.ts';
import { languageColumn } from '../shared/user-language.ts';
import { type Identity, identitiesOf, identityErrors, saveIdentities } from './identities.ts';
import { answerPut, LIMITS, stays, unknownIdErrors } from './resource.ts';
import { say } from './sentences.ts';
import { toUser, User, UserPut } from './user.ts';

/** Names under which the service acts; no user can have them. */
const RESERVED: readonly string[] = ['lease', 'system'];

const putUserAs = (source: 'request' | 'import') =>
  writeOperation({
    id: 'putUser',
    since: '0.1.0',
    method: 'PUT',
    path: '/operator/v1/clients/{clientId}/users/{userId}',
    summary: 'Create or change a user',
    description: `Creates a user of the console or overwrites it. \`nodeIds\` are the nodes where the user works; without nodeIds the user works at every node of the client. A password has at least
12 characters, or at least 8 if it is not a common one; it is stored as an argon2id hash and never shown. Password, state and language do not change
if they are left out. An empty \`language\` removes the language. A user who is disabled, or gets another password or a role with more permissions, is
signed out everywhere. Another password also ends the lock after wrong passwords. A manager can grant only roles and nodes that the manager has, and cannot change their own user. \`lease\`, \`system\` and names with \`:\` are reserved for the service.`,
    events: ['user.created', 'user.changed'],
    access: { auth: 'operator', permission: 'people', fresh: true },
    message: {
      body: UserPut,
      hasPassword: true,
      replies: {
        200: { description: 'The user as it is now.', schema: User },
        201: { description: 'The user was created.', schema: User },
      },
      refusals: { 404: 'There is no such client.', 409: 'An identity is linked to another user.' },
      errors: 'problem',
    },
    run: {
      repeat: { adds: 'another change if it has `password`: the user is signed out everywhere again' },
      // A hash takes about 45 ms, too long to block the writer.
      prepare: async ({ clientId, body }, randomBytes, { hashing }) =>
        body.password === undefined
          ? undefined
          : hashing.hash({ kind: 'client', key: clientId }, body.password, randomBytes(SALT_BYTES)),
      async rules({ db }, { params: { userId }, clientId, body: { password, nodeIds, identities } }, errors) {
        errors.addAll(pathIdErrors('userId', userId, LIMITS.userId));
        const known = await find(db, clientId, userId);
        if (known === undefined && (RESERVED.includes(userId.toLowerCase()) || userId.includes(':'))) {
          errors.add(
            'path:userId',
            'reserved',
            say('lease, system and names with a colon are reserved for the service; choose another name'),
          );
        }
        const signsInOtherwise = source === 'import' || (identities !== undefined && identities.length > 0);
        if (known === undefined && password === undefined && !signsInOtherwise) {
          errors.add(
            '/password',
            'required',
            say('password is missing; a new user needs a password, or identities to sign in with'),
          );
        }
        if (password !== undefined) errors.addAll(passwordErrors('/password', password));
        errors.addAll(repeatErrors('/nodeIds', nodeIds));
        errors.addAll(await unknownIdErrors(db, 'nodes', clientId, '/nodeIds', nodeIds));
        errors.addAll(await identityErrors(db, clientId, identities));
        return known;
      },
      async handle(ctx, { params: { userId }, clientId, body, prepared: passwordHash, found: known }) {
        const { db } = ctx;
        mustGive(ctx, userId, body.role, body.nodeIds);
        if (known !== undefined) mustCover(ctx, known);
        const values = {
          name: body.name,
          role: body.role,
          node_ids: stringifyJson(body.nodeIds),
          ...(body.state !== undefined && { state: body.state }),
          // An empty text removes the language. `null` cannot remove it, because `null` counts as a field that was not sent.
          ...languageColumn(body),
          updated_at: ctx.now,
        };
        if (known === undefined) {
          const row: UserRow = {
            client_id: clientId,
            user_id: userId,
            password_hash: passwordHash ?? '',
            state: 'ACTIVE',
            language: null,
            pin_hash: null,
            pin_once_until: null,
            badge_hash: null,
            ...values,
            created_at: ctx.now,
          };
          const made = await db
            .insertInto('users')
            .values(row)
            .onConflict((on) => on.doNothing())
            .executeTakeFirstOrThrow();
          if (made.numInsertedOrUpdatedRows === 1n) {
            const { identities = [] } = body;
            await saveIdentities(ctx, clientId, userId, [], identities);
            await recordAccess(ctx, clientId, 'user.created', { userId, role: row.role, nodeIds: body.nodeIds });
            return answerPut(ctx, 'user', clientId, userId, undefined, toUser(row, sorted(identities)));
          }
        }
        // If another request has just created the user, this request changes it.
        const before = known ?? (await find(db, clientId, userId))!;
        mustCover(ctx, before);
        const after = { ...before, ...values, password_hash: passwordHash ?? before.password_hash };
        const linked = (await identitiesOf(db, clientId, [userId])).get(userId) ?? [];
        const identities = sorted(body.identities ?? linked);
        const [shownBefore, shownAfter] = [toUser(before, linked), toUser(after, identities)];
        if (passwordHash === undefined && stays(shownBefore, shownAfter)) return reply(200, shownBefore);
        const isLinkedAnew = await saveIdentities(ctx, clientId, userId, linked, identities);
        await db
          .updateTable('users')
          .set({ ...values, ...(passwordHash !== undefined && { password_hash: passwordHash }) })
          .where('client_id', '=', clientId)
          .where('user_id', '=', userId)
          .execute();
        if (passwordHash !== undefined) await forgetWrongPasswords(db, clientId, userId);
        await afterChange(ctx, clientId, before, after);
        if (isLinkedAnew)
          await recordAccess(ctx, clientId, 'user.identitiesChanged', { userId, nodeIds: body.nodeIds });
        const also = passwordHash === undefined ? {} : { password: 'replaced' };
        return answerPut(ctx, 'user', clientId, userId, shownBefore, shownAfter, also);
      },
    },
    example: {
      path: '/operator/v1/clients/TOWN/users/noor',
      body: { name: 'Noor', password: 'tide-and-sand-7', role: 'associate', nodeIds: ['TOWN-Store001'] },
    },
  });

/** Creates a user of the console, or overwrites it (docs/api.md#set-up-of-clients-stores-and-nodes). */
export const putUser = putUserAs('request');

/**
 * Like `putUser`, for a file of users without passwords: the sign-in is set up later
 * (docs/how-to/import-users.md#4-print-badges).
 */
export const importUser = putUserAs('import');

/** Sorts identities by provider and subject, the order in responses. */
function sorted(identities: readonly Identity[]): Identity[] {
  const key = ({ providerId, subject }: Identity) => `${providerId}\0${subject}`;
  return identities.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/**
 * Records changes of role, nodes, password and state in the access log. Ends the user's sessions if the user was
 * disabled, got another password, or gained permissions.
 */
async function afterChange(ctx: Ctx, clientId: string, before: UserRow, after: UserRow): Promise<void> {
  const userId = after.user_id;
  const nodeIds = readJson(after.node_ids);
  if (before.role !== after.role || before.node_ids !== after.node_ids) {
    await recordAccess(ctx, clientId, 'user.roleChanged', { userId, from: before.role, to: after.role, nodeIds });
  }
  const hasNewPassword = before.password_hash !== after.password_hash;
  if (hasNewPassword) await recordAccess(ctx, clientId, 'user.passwordReset', { userId, nodeIds });
  const had = permissionsOf(before.role);
  const gains = permissionsOf(after.role).some((one) => !had.includes(one));
  const isDisabled = after.state === 'DISABLED';
  if (before.state !== after.state) {
    await recordAccess(ctx, clientId, isDisabled ? 'user.disabled' : 'user.enabled', { userId, nodeIds });
  }
  if (!(isDisabled || gains || hasNewPassword)) return;
  await endSessions(ctx.db, clientId, userId);
}

/**
 * @throws Refusal 403 if the caller grants permissions or nodes that it lacks, or changes its own user. An operator key
 * can grant everything, and so can people of the operator.
 */
function mustGive(
  { actor }: Ctx,
  userId: string,
  role: string,
  nodeIds: readonly string[],
  lacking = say('you can grant only roles and nodes that you have yourself'),
): void {
  if (actor.kind !== 'user') return;
  const { clientId, permissions = [], nodeIds: own = null, session } = actor;
  // People of the operator can grant every role of clients.
  if (clientId === undefined) return;
  if (session?.userId === userId) throw denied(say('you cannot change your own user; ask another manager'));
  if (!covers({ permissions, nodeIds: own }, role, nodeIds)) {
    throw denied(lacking);
  }
}

/** @throws Refusal 403 if the user has permissions or nodes that the caller lacks, or if the user is the caller. */
function mustCover(ctx: Ctx, { user_id, role, node_ids }: UserRow): void {
  const lacking = say(
    'the login {userId} belongs to a user with a role or nodes that you do not have; choose another login, or ask a manager who has them',
    { userId: quote(user_id) },
  );
  mustGive(ctx, user_id, role, readJson(node_ids), lacking);
}

function find(db: Writer, clientId: string, userId: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}
