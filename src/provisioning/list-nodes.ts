import { PageQuery, pageReply, pageSchema } from '../platform/http/list-page.ts';
import { readOperation } from '../platform/http/operation.ts';
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
  handle({ db, actor: { nodeIds = null } }, { clientId, query }) {
    const all = db.selectFrom('nodes').selectAll().where('client_id', '=', clientId);
    const seen = nodeIds === null ? all : all.where('node_id', 'in', [...nodeIds]);
    return pageReply('nodes', query, seen, 'node_id', toNode);
  },
});
