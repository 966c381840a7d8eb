import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors, repeatErrors } from '../platform/http/put.ts';
import { hashPassword } from '../platform/secrets.ts';
import type { Writer } from '../platform/storage/db.ts';
import type { UserRow } from '../platform/storage/tables.ts';
import { answerPut, stays, toUser, unknownIdErrors } from './rows.ts';
import { LIMITS, User, UserPut } from './schema.ts';

const SALT_BYTES = 16;

/** Makes a user of the console, or overwrites it (docs/decisions/023). */
export const putUser = writeOperation({
  id: 'putUser',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/users/{userId}',
  auth: 'operator',
  summary: 'Make or change a user',
  description:
    'Makes a user of the console, or overwrites it. The password has 8 to 200 characters, is kept as a scrypt hash and never shown; for a user that exists it may be left out and stays. `nodeIds` are the nodes where the user works, none means every node of the client.',
  body: UserPut,
  replies: {
    200: { description: 'The user as it is now.', schema: User },
    201: { description: 'The user was made.', schema: User },
  },
  refusals: { 404: 'There is no such client.' },
  errors: 'problem',
  // scrypt takes about 50 ms, too long to hold the writer.
  prepare: async ({ body }, randomBytes) =>
    body.password === undefined ? undefined : hashPassword(body.password, randomBytes(SALT_BYTES)),
  async rules({ db }, { params: { userId }, clientId, body: { password, nodeIds } }, errors) {
    errors.addAll(pathIdErrors('userId', userId, LIMITS.userId));
    const known = await find(db, clientId, userId);
    if (known === undefined && password === undefined) {
      errors.add('/password', 'required', 'password is missing; a new user needs one');
    }
    errors.addAll(repeatErrors('/nodeIds', nodeIds));
    errors.addAll(await unknownIdErrors(db, 'nodes', clientId, '/nodeIds', nodeIds));
    return known;
  },
  async handle(ctx, { params: { userId }, clientId, body, prepared: passwordHash, found: known }) {
    const { db } = ctx;
    const values = { name: body.name, role: body.role, node_ids: JSON.stringify(body.nodeIds), updated_at: ctx.now };
    if (known === undefined && passwordHash !== undefined) {
      const row = { client_id: clientId, user_id: userId, password_hash: passwordHash, ...values, created_at: ctx.now };
      const made = await db
        .insertInto('users')
        .values(row)
        .onConflict((on) => on.doNothing())
        .executeTakeFirstOrThrow();
      if (made.numInsertedOrUpdatedRows === 1n) return answerPut(ctx, 'user', clientId, userId, undefined, toUser(row));
    }
    // Made by another request a moment ago: then this one changes the user.
    const before = known ?? (await find(db, clientId, userId))!;
    const after = { ...before, ...values, password_hash: passwordHash ?? before.password_hash };
    if (passwordHash === undefined && stays(toUser(before), toUser(after))) return reply(200, toUser(before));
    await db.updateTable('users').set(after).where('client_id', '=', clientId).where('user_id', '=', userId).execute();
    const also = passwordHash === undefined ? {} : { password: 'replaced' };
    return answerPut(ctx, 'user', clientId, userId, toUser(before), toUser(after), also);
  },
});

function find(db: Writer, clientId: string, userId: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}
