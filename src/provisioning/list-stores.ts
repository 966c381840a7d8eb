import { PageQuery, pageReply, pageSchema } from '../platform/http/list-page.ts';
import { readOperation } from '../platform/http/operation.ts';
import { Store, toStore } from './store.ts';

/** Lists the web stores of a client. */
export const listStores = readOperation({
  id: 'listStores',
  stale: true,
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/stores',
  auth: 'operator',
  permission: 'any',
  summary: 'List the web stores of a client',
  description:
    'Answers the web stores of a client in the order of their identifiers, a page at a time: `next` is the `after` of the next page.',
  query: PageQuery,
  replies: { 200: { description: 'A page.', schema: pageSchema('stores', Store) } },
  refusals: { 404: 'There is no such client.' },
  errors: 'problem',
  handle({ db }, { clientId, query }) {
    const all = db.selectFrom('stores').selectAll().where('client_id', '=', clientId);
    return pageReply('stores', query, all, 'store_id', toStore);
  },
});
