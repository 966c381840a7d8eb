import type { ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { wholeParam } from '../platform/http/page.ts';
import { identifier, list, named, object, ref, type Static, Type, text } from '../platform/schema.ts';
import type { Reader } from '../platform/storage/db.ts';
import { statement } from '../platform/storage/statement.ts';
import { catalogOf, catalogsOf } from './access.ts';
import { findItems, findItemsOfCode, mainImageOf } from './find.ts';
import type { Item } from './schema.ts';
import { hasWords, selectPending, wordsOf } from './terms.ts';

const { Optional } = Type;

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 200;
/** Words of one search; more are not looked at. */
const WORDS_MAX = 8;
/** Items that one request looks through; the next page goes on behind them. */
const WINDOW = 1_000;
/** Words of the item master that a beginning of a word stands for. */
const COMPLETIONS_MAX = 30;

const ItemQuery = object({
  q: Optional(
    text(1, 200, {
      description: 'Words, each the beginning of a word of description, title or brand; case and accents do not matter',
    }),
  ),
  code: Optional(identifier(100, { description: 'A bar code in any length of GTIN, an itemId or a clientItemId' })),
  type: Optional(text(1, 100, { description: 'Only items of this type; case, space and underscore do not matter' })),
  status: Optional(text(1, 12, { description: 'Only items in this status: Active, Inactive or Discontinued' })),
  catalogId: Optional(identifier(4, { description: 'Only items of this catalog' })),
  pageSize: wholeParam('Most items of a page', { min: 1, max: PAGE_SIZE_MAX, default: PAGE_SIZE_DEFAULT }),
  lastRecordId: Optional(identifier(40, { description: 'Goes on after this itemId: lastRecordId of the page before' })),
});
type ItemQuery = Static<typeof ItemQuery>;

export const ListedItem = named(
  'ListedItem',
  object({
    itemId: text(1, 40),
    clientItemId: text(1, 40, { description: 'Identifier of the item at the client' }),
    catalogId: text(1, 4, { description: 'Catalog of the client that has the item' }),
    type: text(1, 100, { description: 'Kind of item, as it was written' }),
    status: text(1, 12, { description: 'Status of the item, as it was written' }),
    description: text(0, 255, { description: 'Description, else title; "" where the item has neither' }),
    brand: Optional(text(1, 255)),
    color: Optional(text(1, 4000)),
    size: Optional(text(1, 255)),
    style: Optional(text(1, 255)),
    imageUrl: Optional(text(1, 255, { description: 'Picture of the item' })),
    upcs: Type.Array(text(1, 255)),
  }),
);
export type ListedItem = Static<typeof ListedItem>;

export const ItemPage = named(
  'ItemPage',
  object({
    items: list(
      ref<ListedItem>('ListedItem'),
      { max: PAGE_SIZE_MAX },
      { description: 'Items of the page, in the order of their itemIds' },
    ),
    lastRecordId: Optional(
      text(1, 40, { description: 'Value of lastRecordId for the next page; left out where there is nothing more' }),
    ),
  }),
);

export const listItems = readOperation({
  id: 'listItems',
  stale: true,
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/items',
  auth: 'operatorOrApiKey',
  group: ['items', 'fulfillment'],
  permission: 'items.read',
  summary: 'List and search items',
  description:
    'Lists the items of a client in the order of their itemIds. All filters that are sent must hold. A page may have fewer items than pageSize, or none, although there are more: go on while the response has lastRecordId. So a search costs the same whatever it looks for. A credential narrowed to stores sees the items of their catalogs.',
  query: ItemQuery,
  replies: { 200: { description: 'A page, which may be empty.', schema: ItemPage } },
  refusals: { 404: 'There is no such client.' },
  errors: 'problem',
  async handle(ctx, { clientId, query }) {
    const catalogs = await catalogsOf(ctx.db, ctx.actor, clientId);
    const pageSize = Number(query.pageSize ?? PAGE_SIZE_DEFAULT);
    const after = query.lastRecordId ?? '';
    const { ids, isLast } = await candidates(ctx, clientId, query, after, pageSize);
    const found = await findItems(ctx, clientId, ids);
    const isWanted = filterOf(query, catalogs);
    const page: Item[] = [];
    let read = after;
    for (const itemId of ids) {
      if (page.length === pageSize) break;
      read = itemId;
      const item = found.get(itemId);
      if (item !== undefined && isWanted(item)) page.push(item);
    }
    const hasMore = !isLast || read !== (ids.at(-1) ?? read);
    return reply(200, { items: page.map(showItem), ...(hasMore && { lastRecordId: read }) });
  },
});

/** Ids behind `after`, in their order, among which are all items of the next page as far as they go. */
interface Candidates {
  ids: readonly string[];
  /** No other item can be behind them. */
  isLast: boolean;
}

async function candidates(
  ctx: ReadCtx,
  clientId: string,
  query: ItemQuery,
  after: string,
  pageSize: number,
): Promise<Candidates> {
  const { q, code, catalogId, type, status } = query;
  if (code !== undefined) {
    const ids = await findItemsOfCode(ctx, clientId, code);
    return { ids: ids.filter((id) => id > after), isLast: true };
  }
  const words = wordsIn(q);
  // Words without a letter or digit: no item has them.
  if (q !== undefined && words.length === 0) return { ids: [], isLast: true };
  const isFiltered = type !== undefined || status !== undefined || words.length > 1;
  const limit = isFiltered ? WINDOW : pageSize + 1;
  if (words.length > 0) return ofWords(ctx.db, clientId, words, after, catalogId === undefined ? limit : WINDOW);
  const first = catalogId === undefined ? '' : `${catalogId}-`;
  const rows = await selectIds(ctx.db, {
    clientId,
    after: after > first ? after : first,
    // The character behind the hyphen.
    before: catalogId === undefined ? '\u{10ffff}' : `${catalogId}.`,
    limit,
  });
  return { ids: rows.map((row) => row.item_id), isLast: rows.length < limit };
}

const selectIds = statement(
  (db, { clientId, after, before, limit }: { clientId: string; after: string; before: string; limit: number }) =>
    db
      .selectFrom('items')
      .select('item_id')
      .where('client_id', '=', clientId)
      .where('item_id', '>', after)
      .where('item_id', '<', before)
      .orderBy('item_id')
      .limit(limit),
);

function wordsIn(q: string | undefined): string[] {
  return [...new Set(wordsOf(q ?? ''))].slice(0, WORDS_MAX);
}

/** Items with the word that fewest items have, and those that wait for their words; both are compared with the items themselves. */
async function ofWords(
  db: Reader,
  clientId: string,
  words: readonly string[],
  after: string,
  limit: number,
): Promise<Candidates> {
  let best: { terms: string[]; count: number } | undefined;
  for (const word of words) {
    const terms = await completionsOf(db, clientId, `w${word}`);
    let count = 0;
    for (const term of terms) {
      if (best !== undefined && count >= best.count) break;
      count += (await selectSome(db, { clientId, term, after: '', limit: WINDOW })).length;
    }
    if (best === undefined || count < best.count) best = { terms, count };
    if (count === 0) break;
  }
  const pending = await selectPending(db, { clientId, after, limit: WINDOW });
  const lists = [];
  for (const term of best!.terms) lists.push(await selectSome(db, { clientId, term, after, limit }));
  // A list that is cut says nothing of what is behind its end.
  const ends = lists.filter((rows) => rows.length === limit).map((rows) => rows.at(-1)!.item_id);
  if (pending.length === WINDOW) ends.push(pending.at(-1)!.item_id);
  lists.push(pending);
  const end = ends.sort()[0];
  const ids = [...new Set(lists.flatMap((rows) => rows.map((row) => row.item_id)))].sort();
  return { ids: end === undefined ? ids : ids.filter((id) => id <= end), isLast: end === undefined };
}

const selectSome = statement(
  (db, { clientId, term, after, limit }: { clientId: string; term: string; after: string; limit: number }) =>
    db
      .selectFrom('item_terms')
      .select('item_id')
      .where('client_id', '=', clientId)
      .where('term', '=', term)
      .where('item_id', '>', after)
      .orderBy('item_id')
      .limit(limit),
);

/** The words that begin so, the first of them: each is found by one look into the index, however many items have it. */
async function completionsOf(db: Reader, clientId: string, start: string): Promise<string[]> {
  const terms: string[] = [];
  for (let from = start; terms.length < COMPLETIONS_MAX; ) {
    const [next] = await selectTerm(db, { clientId, from });
    if (next === undefined || !next.term.startsWith(start)) break;
    terms.push(next.term);
    from = `${next.term}\u{1}`;
  }
  return terms;
}

const selectTerm = statement((db, { clientId, from }: { clientId: string; from: string }) =>
  db
    .selectFrom('item_terms')
    .select('term')
    .where('client_id', '=', clientId)
    .where('term', '>=', from)
    .orderBy('client_id')
    .orderBy('term')
    .orderBy('item_id')
    .limit(1),
);

const plain = (text: string) => text.toLowerCase().replace(/[\s_]/g, '');

function filterOf(query: ItemQuery, catalogs: readonly string[] | undefined): (item: Item) => boolean {
  const { type, status, catalogId, q } = query;
  const words = wordsIn(q);
  return (item) => {
    const catalog = catalogOf(item.itemId);
    if (catalogs !== undefined && !catalogs.includes(catalog)) return false;
    if (catalogId !== undefined && catalog !== catalogId) return false;
    if (type !== undefined && plain(item.type) !== plain(type)) return false;
    if (status !== undefined && plain(item.status || 'Active') !== plain(status)) return false;
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
