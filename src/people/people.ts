import { recordAccess } from '../events/record.ts';
import { denied, notFound } from '../platform/http/errors.ts';
import { PageQuery, pageReply, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply, writeOperation } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { endSessions, removePasskeys } from '../shared/sessions.ts';
import { findPerson, toPerson } from './person.ts';
import { Person } from './schema.ts';

/** Reads a person of the operator. */
export const getPerson = readOperation({
  id: 'getPerson',
  method: 'GET',
  path: '/operator/v1/people/{userId}',
  auth: 'operator',
  permission: 'installation',
  summary: 'Read a person of the operator',
  description: 'Responds with a person of the operator, without the password; the body may be sent back with PUT.',
  replies: { 200: { description: 'The person.', schema: Person } },
  refusals: { 404: 'There is no such person.' },
  errors: 'problem',
  async handle({ db }, { params: { userId } }) {
    const row = await findPerson(db, userId);
    if (row === undefined) throw nobody(userId);
    return reply(200, toPerson(row));
  },
});

/** Lists the people of the operator. */
export const listPeople = readOperation({
  id: 'listPeople',
  method: 'GET',
  path: '/operator/v1/people',
  auth: 'operator',
  permission: 'installation',
  summary: 'List the people of the operator',
  description:
    'Responds with the people of the operator in the order of their logins, a page at a time: `next` is the `after` of the next page.',
  query: PageQuery,
  replies: { 200: { description: 'A page.', schema: pageSchema('people', Person) } },
  errors: 'problem',
  handle({ db }, { query }) {
    const all = db.selectFrom('people').selectAll().where('client_id', '=', '');
    return pageReply('people', query, all, 'user_id', toPerson);
  },
});

/** Removes a person of the operator. */
export const deletePerson = writeOperation({
  id: 'deletePerson',
  method: 'DELETE',
  path: '/operator/v1/people/{userId}',
  auth: 'operator',
  permission: 'installation',
  fresh: true,
  repeat: 'rejected',
  summary: 'Remove a person of the operator',
  description:
    'Removes a person of the operator and ends its sessions. What it did stays recorded. Nobody removes oneself.',
  replies: { 204: { description: 'Removed.' } },
  refusals: { 404: 'There is no such person.' },
  errors: 'problem',
  async handle(ctx, { params: { userId } }) {
    if (ctx.actor.kind === 'user' && ctx.actor.session?.userId === userId) {
      throw denied('nobody removes oneself; ask another person of the operator');
    }
    const removed = await ctx.db
      .deleteFrom('people')
      .where('client_id', '=', '')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (removed.numDeletedRows === 0n) throw nobody(userId);
    await endSessions(ctx.db, '', userId);
    await removePasskeys(ctx.db, '', userId);
    await recordAccess(ctx, '', 'person.removed', { userId });
    return reply(204);
  },
});

function nobody(userId: string) {
  return notFound(`There is no person ${quote(userId)} of the operator.`);
}
