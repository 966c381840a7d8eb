import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { worksAt } from '../shared/works-at.ts';
import { identitiesOf } from './identities.ts';
import { say } from './sentences.ts';
import { toUser, User } from './user.ts';

/** Reads a user. */
export const getUser = readOperation({
  id: 'getUser',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/users/{userId}',
  summary: 'Read a user',
  description:
    'Returns a user without the password. You can send the response back with PUT; the password does not change.',
  access: { auth: 'operator', permission: 'people' },
  message: {
    replies: { 200: { description: 'The user.', schema: User } },
    refusals: { 404: 'There is no such client or user.' },
    errors: 'problem',
  },
  run: {
    async handle({ db, actor: { nodeIds = null } }, { params: { userId }, clientId }) {
      const all = db.selectFrom('users').selectAll().where('client_id', '=', clientId).where('user_id', '=', userId);
      const row = await (nodeIds === null ? all : all.where(worksAt(nodeIds))).executeTakeFirst();
      if (row === undefined)
        throw notFound(
          say('There is no user {userId} of client {clientId}.', {
            userId: quote(userId),
            clientId: JSON.stringify(clientId),
          }),
        );
      return reply(200, toUser(row, (await identitiesOf(db, clientId, [userId])).get(userId)));
    },
  },
  example: { path: '/operator/v1/clients/TOWN/users/noor' },
});
