import { record } from '../events/record.ts';
import { itemBlocksOf, unblockItem } from '../kernel/item-blocks.ts';
import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { say } from './sentences.ts';

export const releaseNodeItem = writeOperation({
  id: 'releaseNodeItem',
  since: '0.1.0',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}/hold',
  summary: 'End the hold of an item at a node',
  description:
    'Ends the hold of an item at a node now, for every declinePolicy. The node then takes new orders for the item again.',
  events: ['nodeItem.released'],
  access: { auth: 'operatorOrApiKey', group: 'supervise', permission: 'decline' },
  message: {
    replies: { 204: { description: 'The hold has ended' } },
    refusals: { 404: 'There is no such client or node, or there is no hold on the item at this node.' },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { params: { nodeId, itemId }, clientId }) {
      const place = { client_id: clientId, node_id: nodeId };
      const hold = await itemBlocksOf(ctx, place).where('item_id', '=', itemId).executeTakeFirst();
      const freed = hold && (await unblockItem(ctx.db, place, itemId, 'RELEASE'));
      if (freed === undefined) {
        const [item, node] = [itemId.slice(0, 60), nodeId].map((one) => JSON.stringify(one));
        throw notFound(say('There is no hold on item {item} at node {node}.', { node, item }));
      }
      await record(ctx, freed);
      return reply(204);
    },
  },
  example: {
    after: ['listNodeItemHolds'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/items/21-MUG-WHT/hold',
  },
});
