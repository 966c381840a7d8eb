import { recordAccess } from '../events/record.ts';
import { denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { removeSignIns } from '../shared/sessions.ts';
import { people } from './person.ts';
import { say } from './sentences.ts';

/** Removes a person of the operator. */
export const deletePerson = writeOperation({
  id: 'deletePerson',
  since: '0.3.0',
  method: 'DELETE',
  path: '/operator/v1/people/{userId}',
  summary: 'Remove a person of the operator',
  description:
    'Removes a person of the operator and ends the sessions of the person. Their recorded actions remain. You cannot remove yourself.',
  access: { auth: 'operator', permission: 'installation', fresh: true },
  message: {
    replies: { 204: { description: 'The person is removed.' } },
    refusals: { 404: 'There is no such person.' },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { params: { userId } }) {
      if (ctx.actor.kind === 'user' && ctx.actor.session?.userId === userId) {
        throw denied(say('you cannot remove yourself; ask another person of the operator'));
      }
      const removed = await ctx.db
        .deleteFrom('people')
        .where('client_id', '=', '')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      if (removed.numDeletedRows === 0n) throw people.missing('', userId);
      await removeSignIns(ctx.db, '', userId);
      await recordAccess(ctx, '', 'person.removed', { userId });
      return reply(204);
    },
  },
  example: { path: '/operator/v1/people/otto' },
});
