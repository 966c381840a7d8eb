import { limitOf, listParams, nextFields, nextOf } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { identifier, list, named, object, ref, type Static, Type, text } from '../platform/schema.ts';
import { plainName } from '../shared/client-settings.ts';
import { catalogOf } from '../shared/item-id.ts';
import { catalogsOf } from './access.ts';
import { candidates, wordsIn } from './candidates.ts';
import { findCatalogs, findItems, mainImageOf } from './find.ts';
import type { Item } from './schema.ts';
import { hasWords } from './terms.ts';

const { Optional } = Type;

const ITEMS_MAX = 200;

const ItemQuery = object({
  q: Optional(
    text(1, 200, {
      description:
        'Prefixes of words in the description, title or brand. All of them must match. Case and accents do not matter',
    }),
  ),
  code: Optional(identifier(100, { description: 'A bar code in any length of GTIN, an itemId or a clientItemId' })),
  type: Optional(
    text(1, 100, { description: 'Only items of this type; case, spaces, hyphens and underscores do not matter' }),
  ),
  status: Optional(text(1, 12, { description: 'Only items in this status: Active, Inactive or Discontinued' })),
  catalogId: Optional(identifier(4, { description: 'Only items of this catalog' })),
  ...listParams('items', (description) => Optional(identifier(40, { description })), ITEMS_MAX),
});
type ItemQuery = Static<typeof ItemQuery>;

export const ListedItem = named(
  'ListedItem',
  object({
    itemId: text(1, 40),
    clientItemId: text(1, 40, { description: 'Identifier of the item at the client' }),
    catalogId: text(1, 4, { description: 'Catalog of the client that has the item' }),
    type: text(1, 100, { description: 'Type of the item, as stored' }),
    status: text(1, 12, { description: 'Status of the item, as stored' }),
    description: text(0, 255, {
      description: 'Description of the item; its title if it has no description; "" if it has neither',
    }),
    brand: Optional(text(1, 255)),
    color: Optional(text(1, 4000)),
    size: Optional(text(1, 255)),
    style: Optional(text(1, 255)),
    imageUrl: Optional(text(1, 255, { description: 'Address of a picture of the item' })),
    upcs: Type.Array(text(1, 255)),
  }),
);
export type ListedItem = Static<typeof ListedItem>;

export const ItemPage = named(
  'ItemPage',
  object({
    items: list(
      ref<ListedItem>('ListedItem'),
      { max: ITEMS_MAX },
      { description: 'Items of the page, in the order of their itemIds' },
    ),
    ...nextFields(40),
  }),
);

export const listItems = readOperation({
  id: 'listItems',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/items',
  summary: 'List and search items',
  description:
    'Lists the items of a client that match every filter you send, sorted by itemId.\n\n' +
    '- A page may have fewer items than `limit`, or none, although more follow, because each request examines a limited number of ' +
    'items. Continue while the response has `next`.\n' +
    '- A credential that is limited to stores sees only the items of their catalogs.',
  access: { auth: 'operatorOrApiKey', group: ['items', 'fulfillment'], permission: 'items.read' },
  message: {
    query: ItemQuery,
    replies: { 200: { description: 'A page, which may be empty.', schema: ItemPage } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    stale: true,
    async handle(ctx, { clientId, query }) {
      const catalogs = await catalogsOf(ctx.db, ctx.actor, clientId);
      const all = catalogs === undefined ? [] : await findCatalogs(ctx.db, clientId);
      const limit = limitOf(query);
      const after = query.after ?? '';
      const { ids, isLast, end } = await candidates(
        ctx,
        clientId,
        { ...query, catalogs: soughtOf(query, catalogs, all) },
        after,
        limit,
      );
      const found = await findItems(ctx, clientId, ids);
      const isWanted = filterOf(query, catalogs);
      const page: Item[] = [];
      let read = after;
      for (const itemId of ids) {
        if (page.length === limit) break;
        read = itemId;
        const item = found.get(itemId);
        if (item !== undefined && isWanted(item)) page.push(item);
      }
      const isAll = read === (ids.at(-1) ?? read);
      if (isAll && end !== undefined) read = end;
      const hasMore = !isLast || !isAll;
      return reply(200, { items: page.map(showItem), ...(hasMore && nextOf(read)) });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/items?q=mug' },
});

/**
 * Returns the catalogs to search: the catalog of the query, or none if the caller has no access to it. Without a
 * catalog in the query, returns the catalogs of the caller; undefined if these are all catalogs of the client.
 */
function soughtOf(
  { catalogId }: ItemQuery,
  own: readonly string[] | undefined,
  all: readonly string[],
): readonly string[] | undefined {
  if (catalogId !== undefined) return own === undefined || own.includes(catalogId) ? [catalogId] : [];
  return own === undefined || all.every((one) => own.includes(one)) ? undefined : own;
}

function filterOf(query: ItemQuery, catalogs: readonly string[] | undefined): (item: Item) => boolean {
  const { type, status, catalogId, q } = query;
  const words = wordsIn(q);
  return (item) => {
    const catalog = catalogOf(item.itemId);
    if (catalogs !== undefined && !catalogs.includes(catalog)) return false;
    if (catalogId !== undefined && catalog !== catalogId) return false;
    if (type !== undefined && plainName(item.type) !== plainName(type)) return false;
    if (status !== undefined && plainName(item.status || 'Active') !== plainName(status)) return false;
    return hasWords(item, words);
  };
}

function showItem(item: Item): ListedItem {
  const { color, sizes, brand, styleId } = item;
  const brandName = brand?.name || brand?.descriptions?.find((one) => one.description)?.description;
  const colorName = color?.descriptions[0]?.description || color?.code;
  const size = sizes?.[0]?.description || sizes?.[0]?.code;
  const imageUrl = mainImageOf(item);
  return {
    itemId: item.itemId,
    clientItemId: item.clientItemId,
    catalogId: item.catalogId,
    type: item.type,
    status: item.status || 'Active',
    description: item.description || item.productTitle || '',
    ...(brandName && { brand: brandName }),
    ...(colorName && { color: colorName }),
    ...(size && { size }),
    ...(styleId && { style: styleId }),
    ...(imageUrl !== undefined && { imageUrl }),
    upcs: (item.upcs ?? []).map(({ upc }) => upc),
  };
}
