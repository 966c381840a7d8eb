import { PageQuery, pageBody, pageLimit, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { UserRow } from '../platform/storage/tables.ts';
import { worksAt } from '../shared/works-at.ts';
import { identitiesOf } from './identities.ts';
import { toUser, User } from './user.ts';

/** Lists the users of a client. */
export const listUsers = readOperation({
  id: 'listUsers',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/users',
  summary: 'List the users of a client',
  description:
    'Returns the users of a client in the order of their ids, one page at a time, without passwords. Send `next` as `after` to get the next page.',
  access: { auth: 'operator', permission: 'people' },
  message: {
    query: PageQuery,
    replies: { 200: { description: 'A page.', schema: pageSchema('users', User) } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    stale: true,
    async handle({ db, actor: { nodeIds = null } }, { clientId, query }) {
      const all = db
        .selectFrom('users')
        .selectAll()
        .where('client_id', '=', clientId)
        .where('user_id', '>', query.after ?? '')
        .orderBy('user_id')
        .limit(pageLimit(query));
      const rows = await (nodeIds === null ? all : all.where(worksAt(nodeIds))).execute();
      const ids = rows.map((row) => row.user_id);
      const identities = await identitiesOf(db, clientId, ids);
      const show = (row: UserRow) => toUser(row, identities.get(row.user_id));
      return reply(
        200,
        pageBody('users', query, rows, show, (row) => row.user_id),
      );
    },
  },
  example: { path: '/operator/v1/clients/TOWN/users' },
});
