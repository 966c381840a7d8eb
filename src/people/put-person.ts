import { recordAccess } from '../events/record.ts';
import { SALT_BYTES } from '../platform/hashing.ts';
import { denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors } from '../platform/http/put.ts';
import type { PersonRow } from '../platform/storage/tables.ts';
import { passwordErrors } from '../shared/passwords.ts';
import { endSessions, forgetWrongPasswords } from '../shared/sessions.ts';
import { languageColumn } from '../shared/user-language.ts';
import { people, toPerson } from './person.ts';
import { Person, PersonPut } from './schema.ts';
import { say } from './sentences.ts';

/** Creates or replaces a person of the operator. */
export const putPerson = writeOperation({
  id: 'putPerson',
  since: '0.3.0',
  method: 'PUT',
  path: '/operator/v1/people/{userId}',
  summary: 'Create or change a person of the operator',
  description: `Creates or replaces a person of the operator: a person who signs in with the role \`operator\`, in addition to callers with operator keys.

- \`password\`, \`state\` and \`language\` do not change if you leave them out. An empty \`language\` removes the language.
- Disabling the person or changing the password ends all of their sessions. Another password also ends the lock after wrong passwords.
- You cannot change yourself.`,
  access: { auth: 'operator', permission: 'installation', fresh: true },
  message: {
    body: PersonPut,
    hasPassword: true,
    replies: {
      200: { description: 'The person as it is now.', schema: Person },
      201: { description: 'The person was created.', schema: Person },
    },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another change if it has `password`: the person is signed out everywhere again' },
    prepare: async ({ body }, randomBytes, { hashing }) =>
      body.password === undefined
        ? undefined
        : hashing.hash({ kind: 'client', key: '' }, body.password, randomBytes(SALT_BYTES)),
    async rules({ db }, { params: { userId }, body: { password } }, errors) {
      errors.addAll(pathIdErrors('userId', userId, 64));
      if (password !== undefined) errors.addAll(passwordErrors('/password', password));
      const known = await people.find(db, '', userId);
      if (known === undefined && password === undefined) {
        errors.add('/password', 'required', say('password is missing; a new person needs a password'));
      }
      return known;
    },
    async handle(ctx, { params: { userId }, body, prepared: hash, found: before }) {
      if (ctx.actor.kind === 'user' && ctx.actor.session?.userId === userId) {
        throw denied(say('you cannot change yourself; ask another person of the operator'));
      }
      // Only fields in the message are written. Otherwise a message could undo another change of a field that it leaves
      // out.
      const values = {
        name: body.name,
        ...(hash !== undefined && { password_hash: hash }),
        ...(body.state !== undefined && { state: body.state }),
        ...languageColumn(body),
        updated_at: ctx.now,
      };
      if (before !== undefined && hash === undefined && isSame(before, { ...before, ...values })) {
        return reply(200, toPerson(before));
      }
      const fresh = { client_id: '', user_id: userId, password_hash: '', state: 'ACTIVE' as const, language: null };
      const row: PersonRow = await ctx.db
        .insertInto('people')
        .values({ ...fresh, created_at: ctx.now, ...values })
        .onConflict((conflict) => conflict.columns(['client_id', 'user_id']).doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow();
      if (hash !== undefined) await forgetWrongPasswords(ctx.db, '', userId);
      if (hash !== undefined || row.state === 'DISABLED') await endSessions(ctx.db, '', userId);
      const type = before === undefined ? 'person.created' : 'person.changed';
      await recordAccess(ctx, '', type, {
        userId,
        state: row.state,
        ...(hash !== undefined && { password: 'replaced' }),
      });
      return reply(before === undefined ? 201 : 200, toPerson(row));
    },
  },
  example: { path: '/operator/v1/people/otto', body: { name: 'Otto Lind', password: 'correct horse battery' } },
});

function isSame(before: PersonRow, { name, state, language }: PersonRow): boolean {
  return before.name === name && before.state === state && before.language === language;
}
