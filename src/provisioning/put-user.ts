import { recordAccess } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { SALT_BYTES } from '../platform/hashing.ts';
import { denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors, repeatErrors } from '../platform/http/put.ts';
import { covers, permissionsOf } from '../platform/roles.ts';
import type { Writer } from '../platform/storage/db.ts';
import type { UserRow } from '../platform/storage/tables.ts';
import { passwordFaults } from '../shared/passwords.ts';
import { endSessions } from '../shared/sessions.ts';
import { type Identity, identitiesOf, identityErrors, saveIdentities } from './identities.ts';
import { answerPut, LIMITS, stays, unknownIdErrors } from './resource.ts';
import { toUser, User, UserPut } from './user.ts';

/** Names under which the service itself acts; so may no user be named. */
const RESERVED: readonly string[] = ['lease', 'system'];

const putUserAs = (source: 'request' | 'import') =>
  writeOperation({
    id: 'putUser',
    method: 'PUT',
    path: '/operator/v1/clients/{clientId}/users/{userId}',
    auth: 'operator',
    permission: 'people',
    fresh: true,
    repeat: { adds: 'with `password`, another change: the user is signed out everywhere again' },
    summary: 'Make or change a user',
    description: `Makes a user of the console, or overwrites it. \`nodeIds\` are the nodes where the user works, none means every node of the client. A password has at least
12 characters, or at least 8 and is not a common one; it is kept as an argon2id hash and never shown. What is left out of password, state and language
stays. A user who is disabled, who gets another password or a role with more permissions is signed out everywhere. A manager gives no role
and no node that the manager lacks, and nobody changes oneself. \`lease\`, \`system\` and names with \`:\` are not users: the service acts under them.`,
    body: UserPut,
    replies: {
      200: { description: 'The user as it is now.', schema: User },
      201: { description: 'The user was made.', schema: User },
    },
    refusals: { 404: 'There is no such client.', 409: 'An identity is linked to another user.' },
    errors: 'problem',
    // A hash takes some 45 ms, too long to hold the writer.
    prepare: async ({ body }, randomBytes, { hashing }) =>
      body.password === undefined ? undefined : hashing.hash(body.password, randomBytes(SALT_BYTES)),
    async rules({ db }, { params: { userId }, clientId, body: { password, nodeIds, identities } }, errors) {
      errors.addAll(pathIdErrors('userId', userId, LIMITS.userId));
      const known = await find(db, clientId, userId);
      if (known === undefined && (RESERVED.includes(userId.toLowerCase()) || userId.includes(':'))) {
        errors.add(
          'path:userId',
          'reserved',
          'lease, system and names with a colon stand for the service itself; take another name',
        );
      }
      const signsInOtherwise = source === 'import' || (identities !== undefined && identities.length > 0);
      if (known === undefined && password === undefined && !signsInOtherwise) {
        errors.add('/password', 'required', 'password is missing; a new user needs one, or identities to sign in with');
      }
      if (password !== undefined) errors.addAll(passwordFaults('/password', password));
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
        node_ids: JSON.stringify(body.nodeIds),
        ...(body.state !== undefined && { state: body.state }),
        ...(body.language !== undefined && { language: body.language }),
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
          return answerPut(ctx, 'user', clientId, userId, undefined, toUser(row, sorted(identities)));
        }
      }
      // Made by another request a moment ago: then this one changes the user.
      const before = known ?? (await find(db, clientId, userId))!;
      mustCover(ctx, before);
      const after = { ...before, ...values, password_hash: passwordHash ?? before.password_hash };
      const linked = (await identitiesOf(db, clientId, [userId])).get(userId) ?? [];
      const identities = sorted(body.identities ?? linked);
      const [shownBefore, shownAfter] = [toUser(before, linked), toUser(after, identities)];
      if (passwordHash === undefined && stays(shownBefore, shownAfter)) return reply(200, shownBefore);
      await saveIdentities(ctx, clientId, userId, linked, identities);
      await db
        .updateTable('users')
        .set({ ...values, password_hash: after.password_hash })
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .execute();
      await afterChange(ctx, clientId, before, after);
      const also = passwordHash === undefined ? {} : { password: 'replaced' };
      return answerPut(ctx, 'user', clientId, userId, shownBefore, shownAfter, also);
    },
  });

/** Makes a user of the console, or overwrites it (docs/decisions/023). */
export const putUser = putUserAs('request');

/** The same for a file of users: it has no passwords, and who gets in how is said afterwards (docs/decisions/224). */
export const importUser = putUserAs('import');

/** Identities in the order in which they are shown. */
function sorted(identities: readonly Identity[]): Identity[] {
  const key = ({ providerId, subject }: Identity) => `${providerId}\0${subject}`;
  return identities.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Ends the sessions of a user who must not go on with them: disabled, with another password, or with more rights than before. */
async function afterChange(ctx: Ctx, clientId: string, before: UserRow, after: UserRow): Promise<void> {
  const userId = after.user_id;
  if (before.role !== after.role || before.node_ids !== after.node_ids) {
    const data = { userId, from: before.role, to: after.role, nodeIds: JSON.parse(after.node_ids) as string[] };
    await recordAccess(ctx, clientId, 'user.roleChanged', data);
  }
  const had = permissionsOf(before.role);
  const gains = permissionsOf(after.role).some((one) => !had.includes(one));
  const isDisabled = after.state === 'DISABLED';
  if (!(isDisabled || gains || before.password_hash !== after.password_hash)) return;
  await endSessions(ctx.db, clientId, userId);
}

/** @throws Refusal 403 where somebody gives what he lacks, or changes himself. An operator's key gives everything. */
function mustGive({ actor }: Ctx, userId: string, role: string, nodeIds: readonly string[]): void {
  if (actor.kind !== 'user') return;
  const { clientId, permissions = [], nodeIds: own = null, session } = actor;
  // People of the operator give every role of clients.
  if (clientId === undefined) return;
  if (session?.userId === userId) throw denied('nobody changes oneself; ask another manager');
  if (!covers({ permissions, nodeIds: own }, role, nodeIds)) {
    throw denied('you give only roles and nodes that you have yourself');
  }
}

/** @throws Refusal 403 where the user has more than whoever changes it. */
function mustCover(ctx: Ctx, { user_id, role, node_ids }: UserRow): void {
  mustGive(ctx, user_id, role, JSON.parse(node_ids) as string[]);
}

function find(db: Writer, clientId: string, userId: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}
