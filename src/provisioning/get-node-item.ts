import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { NodeItem, toNodeItem } from './node-item.ts';
import { say } from './sentences.ts';

/** Reads the data of an item at a node. */
export const getNodeItem = readOperation({
  id: 'getNodeItem',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}',
  summary: 'Read the data of an item at a node',
  description: 'Returns the data of an item at a node as it is stored. You can send the response back with PUT.',
  access: { auth: 'operator', permission: ['stock.read', 'items.read'] },
  message: {
    replies: { 200: { description: 'The item at the node.', schema: NodeItem } },
    refusals: { 404: 'There is no such client or node, or the node has no data of the item.' },
    errors: 'problem',
  },
  run: {
    async handle({ db }, { params: { nodeId, itemId }, clientId }) {
      const row = await db
        .selectFrom('node_items')
        .selectAll()
        .where('client_id', '=', clientId)
        .where('node_id', '=', nodeId)
        .where('item_id', '=', itemId)
        .executeTakeFirst();
      if (row === undefined)
        throw notFound(
          say('Node {nodeId} has no data of item {itemId}.', { nodeId: JSON.stringify(nodeId), itemId: quote(itemId) }),
        );
      return reply(200, toNodeItem(row));
    },
  },
  example: { after: ['putNodeItem'], path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/items/21-DEMO-1' },
});
