import { reply, writeOperation } from '../platform/http/operation.ts';
import { requireCatalog } from './access.ts';
import { itemNotFound } from './read.ts';
import { deleteItemRow } from './store.ts';

/** Deletes one item (docs/interface.md#delete-an-item). */
export const deleteItem = writeOperation({
  id: 'deleteItem',
  method: 'DELETE',
  path: '/item-service/clients/{clientId}/items/{itemId}',
  auth: 'basic',
  group: 'items',
  permission: 'items.write',
  wholeClient: 'allNodes',
  repeat: 'rejected',
  summary: 'Delete an item',
  description:
    'Deletes an item. Always allowed: orders keep their copy of what they need. Its history stays readable; a later PUT of the same itemId makes a new item.',
  replies: { 204: { description: 'Deleted; no body.' } },
  refusals: { 404: 'The client has no such item.' },
  async handle(ctx, { params: { itemId }, clientId }) {
    await requireCatalog(ctx.db, ctx.actor, clientId, itemId);
    if (!(await deleteItemRow(ctx, clientId, itemId))) throw itemNotFound(itemId, clientId);
    return reply(204);
  },
});
