import { beforeExport, EXPORT_RULES, exportReply, exportSchema } from '../events/export.ts';
import { readOperation } from '../platform/http/operation.ts';
import { identifier, object, Type } from '../platform/schema.ts';
import { rangeOf } from '../shared/item-id.ts';
import { catalogsOf } from './access.ts';
import { parseItem } from './find.ts';

/** Maximum number of items in one part. An item can have about 100 kB. */
const PART = 100;

/** Exports the items of a client (docs/api.md#exports). */
export const exportItems = readOperation({
  id: 'exportItems',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/export/items',
  summary: 'Export all items',
  description: `Returns every item of a client in its stored form, sorted by itemId.\n\n${EXPORT_RULES}\n- A credential that is limited to stores gets the items of their catalogs.`,
  access: { auth: 'operatorOrApiKey', group: 'items', permission: 'items.read' },
  message: {
    query: object({
      after: Type.Optional(
        identifier(40, { description: 'Begins after this itemId. Send the last `next` that you have' }),
      ),
    }),
    replies: {
      200: {
        description: 'The items, one per line.',
        schema: exportSchema('item', '21-MUG-WHT', { itemId: '21-MUG-WHT', clientItemId: 'MUG-WHT' }),
      },
    },
    refusals: { 404: 'There is no such client.', 429: 'Too many exports of the client are open.' },
    errors: 'problem',
    produces: 'lines',
  },
  run: {
    before: beforeExport,
    handle: (ctx, { clientId, query }) =>
      exportReply(ctx, {
        clientId,
        after: query.after,
        read: async ({ db, actor }, after = '') => {
          const catalogs = await catalogsOf(db, actor, clientId);
          const rows = await db
            .selectFrom('items')
            .select(['item_id', 'doc'])
            .where('client_id', '=', clientId)
            .where('item_id', '>', after)
            .$if(catalogs !== undefined, (own) =>
              own.where((eb) =>
                eb.or(
                  catalogs!
                    .map(rangeOf)
                    .map(({ first, before }) => eb.and([eb('item_id', '>=', first), eb('item_id', '<', before)])),
                ),
              ),
            )
            .orderBy('item_id')
            .limit(PART)
            .execute();
          const records = rows.map(({ item_id: next, doc }) => ({ next, item: parseItem(doc) }));
          return { records, isLast: rows.length < PART };
        },
      }),
  },
  example: { path: '/operator/v1/clients/TOWN/export/items' },
});
