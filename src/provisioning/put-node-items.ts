import { findItemIds } from '../items/find.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { Contended } from '../platform/storage/db.ts';
import { NodeItemsPut, NodeItemsSet } from './node-item.ts';
import { setNodeItem, unknownItem } from './put-node-item.ts';
import { say } from './sentences.ts';

/** Sets the data of many items at a node with one message (docs/how-to/connect-an-erp.md#6-feed-prices-and-places). */
export const putNodeItems = writeOperation({
  id: 'putNodeItems',
  since: '0.4.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/items',
  summary: 'Set price, location and stock of many items at a node',
  description:
    'Overwrites the data of up to 500 items at a node. Each item changes as with the PUT of one item. Items that the message does not name do not change. The message is accepted or rejected as a whole, and the response lists every unknown item. Each changed item has its own event.',
  events: ['nodeItem.released', 'nodeItem.created', 'nodeItem.changed'],
  access: {
    auth: 'operatorOrApiKey',
    group: 'stock',
    permission: ['stock.adjust', 'installation'],
    wholeClient: 'allStores',
  },
  message: {
    body: NodeItemsPut,
    replies: { 200: { description: 'The items are set.', schema: NodeItemsSet } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules(ctx, { body: { items = [] }, clientId }, errors) {
      const ids = items.map((one) => one?.itemId);
      const known = await findItemIds(ctx, clientId, [...new Set(ids.filter((id) => id !== undefined))]);
      const seen = new Set<string>();
      for (const [index, itemId] of ids.entries()) {
        if (itemId === undefined) continue;
        const pointer = `/items/${index}/itemId`;
        if (!known.has(itemId)) errors.add(pointer, 'exists', unknownItem(itemId, clientId));
        else if (seen.has(itemId))
          errors.add(
            pointer,
            'unique',
            say('item {itemId} is in the message twice; send it once', { itemId: JSON.stringify(itemId) }),
          );
        seen.add(itemId);
      }
    },
    async handle(ctx, { params: { nodeId }, clientId, body: { items } }) {
      const count = { created: 0, changed: 0, unchanged: 0 };
      // All messages lock their items in the same order, so that two messages cannot deadlock.
      for (const one of items.toSorted((a, b) => (a.itemId < b.itemId ? -1 : 1))) {
        const set = await setNodeItem(ctx, { clientId, nodeId, itemId: one.itemId }, one);
        // After this error, the rules run again and reject the message.
        if (set === undefined) throw new Contended('Another request deleted one of these items.');
        count[set.isNew ? 'created' : set.isChanged ? 'changed' : 'unchanged'] += 1;
      }
      return reply(200, count);
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/items',
    body: {
      items: [
        { itemId: '21-SOAP-LAV', retailPrice: 24.99, pickLocation: 'AISLE-4' },
        { itemId: '21-MUG-WHT', onHand: 12 },
      ],
    },
  },
});
