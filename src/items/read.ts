import { notFound, type Refusal } from '../platform/http/errors.ts';
import { readOperation } from '../platform/http/operation.ts';
import { ref } from '../platform/schema.ts';
import { catalogOf } from '../shared/item-id.ts';
import { findItemText } from './find.ts';
import type { Item } from './schema.ts';
import { say } from './sentences.ts';

/** The response is the stored text, byte for byte. */
export const readItem = readOperation({
  id: 'readItem',
  since: '0.1.0',
  method: 'GET',
  path: '/item-service/stores/{storeId}/items/{itemId}',
  summary: 'Read an item',
  description:
    'Returns an item of the store’s catalog. Fields without a value are absent; booleans, status and eligibilities are always present. You can send the response back with PUT.',
  access: { auth: 'basic', group: 'items', permission: 'items.read' },
  message: {
    replies: { 200: { description: 'The item.', schema: ref<Item>('Item') } },
    refusals: {
      404: 'The catalog of the store has no such item.',
      500: 'Unexpected error; the log has it under the request id.',
    },
  },
  run: {
    stale: true,
    single: true,
    fastPath: ['items'],
    async handle({ db }, { params: { itemId }, clientId, store }) {
      const text = catalogOf(itemId) === store.catalog_id ? await findItemText(db, clientId, itemId) : undefined;
      if (text === undefined) throw itemNotFound(itemId, clientId);
      return { status: 200, text };
    },
  },
  example: { path: '/item-service/stores/TOWN_US/items/21-MUG-WHT' },
});

/** Returns the 404 of an item that the client does not have (docs/interface.md#error-record). */
export function itemNotFound(itemId: string, clientId: string): Refusal {
  return notFound(
    say('Item {itemId} of client {clientId} was not found; an itemId has the form <catalogId>-<clientItemId>.', {
      itemId: itemId.slice(0, 60),
      clientId,
    }),
  );
}
