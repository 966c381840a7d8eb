import { PageQuery, pageBody, pageLimit, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { Node, toNode } from './node.ts';

/** Lists the nodes of a client. */
export const listNodes = readOperation({
  id: 'listNodes',
  stale: true,
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes',
  auth: 'operator',
  permission: 'any',
  summary: 'List the nodes of a client',
  description:
    'Answers the nodes of a client in the order of their identifiers, a page at a time: `next` is the `after` of the next page.',
  query: PageQuery,
  replies: { 200: { description: 'A page.', schema: pageSchema('nodes', Node) } },
  refusals: { 404: 'There is no such client.' },
  errors: 'problem',
  async handle({ db, actor: { nodeIds = null } }, { clientId, query }) {
    const all = db
      .selectFrom('nodes')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('node_id', '>', query.after ?? '')
      .orderBy('node_id')
      .limit(pageLimit(query));
    const rows = await (nodeIds === null ? all : all.where('node_id', 'in', [...nodeIds])).execute();
    return reply(
      200,
      pageBody('nodes', query, rows, toNode, (row) => row.node_id),
    );
  },
});
