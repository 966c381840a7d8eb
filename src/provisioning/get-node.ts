import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { Node, toNode } from './node.ts';

/** Reads a node. */
export const getNode = readOperation({
  id: 'getNode',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}',
  auth: 'operator',
  permission: 'any',
  summary: 'Read a node',
  description: 'Answers a node as it is stored; the answer may be sent back with PUT.',
  replies: { 200: { description: 'The node.', schema: Node } },
  refusals: { 404: 'There is no such client or node.' },
  errors: 'problem',
  async handle({ db }, { params: { nodeId }, clientId }) {
    const row = await db
      .selectFrom('nodes')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('node_id', '=', nodeId)
      .executeTakeFirst();
    if (row === undefined) throw notFound(`There is no node ${quote(nodeId)} of client ${JSON.stringify(clientId)}.`);
    return reply(200, toNode(row));
  },
});
