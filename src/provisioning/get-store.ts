import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { Store, toStore } from './store.ts';

/** Reads a web store. */
export const getStore = readOperation({
  id: 'getStore',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/stores/{storeId}',
  auth: 'operator',
  permission: 'any',
  summary: 'Read a web store',
  description: 'Answers a web store as it is stored; the answer may be sent back with PUT.',
  replies: { 200: { description: 'The store.', schema: Store } },
  refusals: { 404: 'There is no such client or store.' },
  errors: 'problem',
  async handle({ db }, { params: { storeId }, clientId }) {
    const row = await db
      .selectFrom('stores')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('store_id', '=', storeId)
      .executeTakeFirst();
    if (row === undefined) throw notFound(`There is no store ${quote(storeId)} of client ${JSON.stringify(clientId)}.`);
    return reply(200, toStore(row));
  },
});
