import { notFound, type Refusal } from '../platform/http/errors.ts';
import { readOperation } from '../platform/http/operation.ts';
import { ref } from '../platform/schema.ts';
import { catalogOf } from './access.ts';
import { findItemText } from './find.ts';
import type { Item } from './schema.ts';

/** Reads one item. The stored text goes out as it is. */
export const readItem = readOperation({
  id: 'readItem',
  stale: true,
  method: 'GET',
  path: '/item-service/stores/{storeId}/items/{itemId}',
  auth: 'basic',
  group: 'items',
  permission: 'items.read',
  summary: 'Read an item',
  description:
    'Answers an item of the store’s catalog. Fields without a value are left out; booleans, status and eligibilities are always there. What it answers may be sent back with PUT.',
  single: true,
  fastPath: ['items'],
  replies: { 200: { description: 'The item.', schema: ref<Item>('Item') } },
  refusals: {
    404: 'The catalog of the store has no such item.',
    500: 'Unexpected error; the log has it under the request id.',
  },
  async handle({ db }, { params: { itemId }, clientId, store }) {
    const text = catalogOf(itemId) === store.catalog_id ? await findItemText(db, clientId, itemId) : undefined;
    if (text === undefined) throw itemNotFound(itemId, clientId);
    return { status: 200, text };
  },
});

/** 404 that names the item and the client (docs/interface.md#error-record). */
export function itemNotFound(itemId: string, clientId: string): Refusal {
  return notFound(
    `Item ${itemId.slice(0, 60)} of client ${clientId} was not found; an itemId is <catalogId>-<clientItemId>.`,
  );
}
