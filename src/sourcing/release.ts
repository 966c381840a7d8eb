import { record } from '../events/record.ts';
import { itemBlocksOf, unblockItem } from '../kernel/item-blocks.ts';
import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';

export const releaseNodeItem = writeOperation({
  id: 'releaseNodeItem',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}/hold',
  auth: 'operatorOrApiKey',
  group: 'supervise',
  permission: 'decline',
  repeat: 'rejected',
  summary: 'Free an item that a node holds',
  description:
    'An item that a node declined gets no new orders there until the node’s declinePolicy frees it; this frees it now, whatever the ' +
    'policy was.',
  replies: { 204: { description: 'Freed' } },
  refusals: { 404: 'There is no such client or node, or the node does not hold the item.' },
  errors: 'problem',
  async handle(ctx, { params: { nodeId, itemId }, clientId }) {
    const place = { client_id: clientId, node_id: nodeId };
    const hold = await itemBlocksOf(ctx, place).where('item_id', '=', itemId).executeTakeFirst();
    const freed = hold && (await unblockItem(ctx.db, place, itemId, 'RELEASE'));
    if (freed === undefined) {
      const [item, node] = [itemId.slice(0, 60), nodeId].map((one) => JSON.stringify(one));
      throw notFound(`Node ${node} does not hold item ${item}.`);
    }
    await record(ctx, freed);
    return reply(204);
  },
});
