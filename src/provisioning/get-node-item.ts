import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { NodeItem, toNodeItem } from './node-item.ts';

/** Reads what a node knows of an item. */
export const getNodeItem = readOperation({
  id: 'getNodeItem',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}',
  auth: 'operator',
  permission: ['stock.read', 'items.read'],
  summary: 'Read what a node knows of an item',
  description: 'Answers what a node knows of an item as it is stored; the answer may be sent back with PUT.',
  replies: { 200: { description: 'The item in the node.', schema: NodeItem } },
  refusals: { 404: 'There is no such client or node, or the node knows nothing of the item.' },
  errors: 'problem',
  async handle({ db }, { params: { nodeId, itemId }, clientId }) {
    const row = await db
      .selectFrom('node_items')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('node_id', '=', nodeId)
      .where('item_id', '=', itemId)
      .executeTakeFirst();
    if (row === undefined) throw notFound(`Node ${JSON.stringify(nodeId)} knows nothing of item ${quote(itemId)}.`);
    return reply(200, toNodeItem(row));
  },
});
