import { badRequest } from '../platform/http/errors.ts';
import { writeOperation } from '../platform/http/operation.ts';
import { mismatch } from '../platform/message/agree.ts';
import { isRecord } from '../platform/message/record.ts';
import { FIELD_ERRORS_MAX, type FieldError, fieldError, valid } from '../platform/message/validate.ts';
import { object, oneOf, ref, Type } from '../platform/schema.ts';
import { Contended } from '../platform/storage/db.ts';
import { settingsOf } from '../shared/client-settings.ts';
import { requireCatalog } from './access.ts';
import { checkItem, checkPatch } from './check.ts';
import type { Item } from './schema.ts';
import { say } from './sentences.ts';
import { lockItems, putItems } from './store.ts';

const MergeQuery = object({
  merge: Type.Optional(
    oneOf(['true', 'false'], { description: 'true: fields that are absent or null keep their value' }),
  ),
  merged: Type.Optional(oneOf(['true', 'false'], { description: 'Other name of `merge`' })),
});

/** Creates or overwrites one item, or merges into it (docs/interface.md#item-writes). */
export const putItem = writeOperation({
  id: 'putItem',
  since: '0.1.0',
  method: 'PUT',
  path: '/item-service/clients/{clientId}/items/{itemId}',
  summary: 'Create, overwrite or merge an item',
  description:
    'Creates an item, or overwrites it as a whole, and returns it.\n\n' +
    '- Without `merge` the service deletes fields that you do not send. Custom attributes remain unless you send them with operationType delete.\n' +
    '- With `?merge=true` absent and null fields keep their values. Objects merge field by field. Lists are replaced, except upcs, ' +
    'bundleItems and customDynamicAttributes: their elements merge by key, and operationType delete removes one. ' +
    'An element of fulfillmentTypeEligibilities replaces the eligibility of its type; other types keep theirs.\n' +
    '- `If-Match` is ignored, as in every operation of the interface: the last write is kept.',
  events: ['item.created', 'item.updated'],
  access: { auth: 'basic', group: 'items', permission: 'items.write', wholeClient: 'allNodes' },
  message: {
    ownAgreement: true,
    query: MergeQuery,
    body: Type.Union([ref<Item>('Item'), ref<Partial<Item>>('ItemPatch')]),
    // The query decides which of the two schemas applies, so `handle` validates. This function only removes the unknown
    // fields that a lenient client has sent.
    parse: (raw, validate, isLenient) => {
      if (!isLenient) return valid(raw as Item);
      const { value, ignored, ignoredTotal } = validate(raw);
      return { ...valid(value as Item), ignored, ignoredTotal };
    },
    replies: {
      200: { description: 'The item as it is now. The item existed before the request.', schema: ref<Item>('Item') },
      201: { description: 'The item was created.', schema: ref<Item>('Item') },
    },
    refusals: {
      409: 'Another request changed the item at the same time, or one with this Idempotency-Key is still running.',
    },
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { itemId }, clientId, client, query, body }) {
      await requireCatalog(ctx.db, ctx.actor, clientId, itemId);
      const settings = settingsOf(client);
      const isMerge = query.merge === 'true' || query.merged === 'true';
      const base = isMerge ? (await lockItems(ctx, clientId, [itemId])).get(itemId) : undefined;
      const validated = isMerge
        ? checkPatch(client, settings, base, body, (whole) => pathErrors(whole, itemId))
        : checkItem(client, settings, body, (item) => pathErrors(item, itemId));
      const spelling = spellingErrors(query);
      if (validated.checked === undefined || spelling.length > 0) {
        const errors = [...spelling, ...validated.errors];
        throw badRequest(
          errors.slice(0, FIELD_ERRORS_MAX),
          typeof validated.total === 'number' ? errors.length : validated.total,
        );
      }
      const result = (await putItems(ctx, clientId, [validated.checked]))[0]!;
      // If another request created the item in the meantime, the merge runs again with the stored item.
      if (isMerge && base === undefined && result.outcome === 'updated') throw new Contended('The item was created.');
      if (result.outcome === 'refused') throw badRequest(result.errors);
      return { status: result.outcome === 'created' ? 201 : 200, text: result.text };
    },
  },
  example: {
    path: '/item-service/clients/TOWN/items/21-DEMO-1',
    body: {
      catalogId: '21',
      clientId: 'TOWN',
      clientItemId: 'DEMO-1',
      itemId: '21-DEMO-1',
      description: 'Enamel pot',
      salesClass: 'stock',
      styleId: 'POT',
      taxCode: '76800',
      type: 'MERCH',
      unitCost: { currency: 'USD', value: 12.5 },
    },
  },
});

/**
 * Returns an error if `merge` and `merged` differ. The two names mean one parameter, so a request can send both names
 * with the same value.
 */
function spellingErrors({ merge, merged }: { merge?: string; merged?: string }): FieldError[] {
  if (merge === undefined || merged === undefined || merge === merged) return [];
  const message = say(
    "'merge' and 'merged' are two names of one parameter; send only one of them, or the same value in both",
  );
  return [fieldError('query:merged', 'contradiction', message)];
}

/** Compares the itemId of path and body. `rules.ts` compares the clientId. */
function pathErrors(item: unknown, itemId: string): FieldError[] {
  return isRecord(item) ? mismatch('/itemId', item.itemId, itemId, 'itemId') : [];
}
