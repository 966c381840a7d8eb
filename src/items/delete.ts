import { reply, writeOperation } from '../platform/http/operation.ts';
import { requireCatalog } from './access.ts';
import { itemNotFound } from './read.ts';
import { deleteItemRow } from './store.ts';

/** Deletes one item (docs/interface.md#delete-an-item). */
export const deleteItem = writeOperation({
  id: 'deleteItem',
  since: '0.1.0',
  method: 'DELETE',
  path: '/item-service/clients/{clientId}/items/{itemId}',
  summary: 'Delete an item',
  description:
    'Deletes an item. Orders with the item do not prevent this, because orders keep a copy. The history of the item remains readable. A later PUT of the same itemId creates a new item.',
  events: ['item.deleted'],
  access: { auth: 'basic', group: 'items', permission: 'items.write', wholeClient: 'allNodes' },
  message: {
    replies: { 204: { description: 'Deleted; no body.' } },
    refusals: { 404: 'The client has no such item.' },
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { params: { itemId }, clientId }) {
      await requireCatalog(ctx.db, ctx.actor, clientId, itemId);
      if (!(await deleteItemRow(ctx, clientId, itemId))) throw itemNotFound(itemId, clientId);
      return reply(204);
    },
  },
  example: { after: ['getNodeItem', 'readItemHistory'], path: '/item-service/clients/TOWN/items/21-DEMO-1' },
});
