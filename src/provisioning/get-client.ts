import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { Client, toClient } from './client.ts';
import { say } from './sentences.ts';

/** Reads a client. */
export const getClient = readOperation({
  id: 'getClient',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}',
  summary: 'Read a client',
  description: 'Returns a client as it is stored. You can send the response back with PUT.',
  access: { auth: 'operator', permission: ['installation', 'people', 'client'] },
  message: {
    replies: { 200: { description: 'The client.', schema: Client } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    async handle({ db }, { params: { clientId } }) {
      const row = await db.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst();
      if (row === undefined) throw notFound(say('There is no client {clientId}.', { clientId: quote(clientId) }));
      return reply(200, toClient(row));
    },
  },
  example: { path: '/operator/v1/clients/NEXT' },
});
