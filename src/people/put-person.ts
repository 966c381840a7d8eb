import { recordAccess } from '../events/record.ts';
import { SALT_BYTES } from '../platform/hashing.ts';
import { denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors } from '../platform/http/put.ts';
import type { PersonRow } from '../platform/storage/tables.ts';
import { passwordFaults } from '../shared/passwords.ts';
import { endSessions } from '../shared/sessions.ts';
import { findPerson, toPerson } from './person.ts';
import { Person, PersonPut } from './schema.ts';

/** Makes a person of the operator, or overwrites it. */
export const putPerson = writeOperation({
  id: 'putPerson',
  method: 'PUT',
  path: '/operator/v1/people/{userId}',
  auth: 'operator',
  permission: 'installation',
  fresh: true,
  repeat: { adds: 'with `password`, another change: the person is signed out everywhere again' },
  summary: 'Make or change a person of the operator',
  description: `Makes a person of the operator, or overwrites it: somebody who signs in beside the operator keys, with the role \`operator\`. What is left out of password, state
and language stays. Who is disabled or gets another password is signed out everywhere. Nobody changes oneself.`,
  body: PersonPut,
  replies: {
    200: { description: 'The person as it is now.', schema: Person },
    201: { description: 'The person was made.', schema: Person },
  },
  errors: 'problem',
  prepare: async ({ body }, randomBytes, { hashing }) =>
    body.password === undefined ? undefined : hashing.hash(body.password, randomBytes(SALT_BYTES)),
  async rules({ db }, { params: { userId }, body: { password } }, errors) {
    errors.addAll(pathIdErrors('userId', userId, 64));
    if (password !== undefined) errors.addAll(passwordFaults('/password', password));
    const known = await findPerson(db, userId);
    if (known === undefined && password === undefined) {
      errors.add('/password', 'required', 'password is missing; a new person needs one');
    }
    return known;
  },
  async handle(ctx, { params: { userId }, body, prepared: hash, found: before }) {
    if (ctx.actor.kind === 'user' && ctx.actor.session?.userId === userId) {
      throw denied('nobody changes oneself; ask another person of the operator');
    }
    const values = {
      name: body.name,
      password_hash: hash ?? before?.password_hash ?? '',
      state: body.state ?? before?.state ?? ('ACTIVE' as const),
      language: body.language ?? before?.language ?? null,
      updated_at: ctx.now,
    };
    const row: PersonRow = { client_id: '', user_id: userId, created_at: ctx.now, ...before, ...values };
    await ctx.db
      .insertInto('people')
      .values(row)
      .onConflict((conflict) => conflict.columns(['client_id', 'user_id']).doUpdateSet(values))
      .execute();
    if (hash !== undefined || row.state === 'DISABLED') await endSessions(ctx.db, '', userId);
    const type = before === undefined ? 'person.created' : 'person.changed';
    await recordAccess(ctx, '', type, {
      userId,
      state: row.state,
      ...(hash !== undefined && { password: 'replaced' }),
    });
    return reply(before === undefined ? 201 : 200, toPerson(row));
  },
});
