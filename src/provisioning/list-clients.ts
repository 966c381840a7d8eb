import { PageQuery, pageBody, pageLimit, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { Client, toClient } from './client.ts';

/** Lists the clients of the installation. */
export const listClients = readOperation({
  id: 'listClients',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients',
  summary: 'List the clients of the installation',
  description:
    'Returns the clients of the installation in the order of their ids, one page at a time. Send `next` as `after` to get the next page.',
  access: { auth: 'operator', permission: 'installation' },
  message: {
    query: PageQuery,
    replies: { 200: { description: 'A page.', schema: pageSchema('clients', Client) } },
    errors: 'problem',
  },
  run: {
    stale: true,
    async handle({ db }, { query }) {
      // Crosses tenants: the operator's list of all clients except trainings (docs/decisions/190).
      const rows = await db
        .selectFrom('clients')
        .selectAll()
        .where('client_id', '>', query.after ?? '')
        .where((eb) =>
          eb.not(
            eb.exists(
              eb.selectFrom('trainings as t').select('t.slot').whereRef('t.client_id', '=', 'clients.client_id'),
            ),
          ),
        )
        .orderBy('client_id')
        .limit(pageLimit(query))
        .execute();
      return reply(
        200,
        pageBody('clients', query, rows, toClient, (row) => row.client_id),
      );
    },
  },
  example: { path: '/operator/v1/clients' },
});
