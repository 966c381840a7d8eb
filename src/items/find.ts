/** Reads items. */
import { sql } from 'kysely';
import type { Ctx } from '../platform/ctx.ts';
import { EMPTY_LIST, readJson } from '../platform/json-column.ts';
import { parseJson } from '../platform/message/json.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';
import type { ItemRow } from '../platform/storage/tables.ts';
import { codeForm } from '../shared/gs1.ts';
import type { Item } from './schema.ts';

export type Stored = Pick<ItemRow, 'item_id' | 'revision' | 'doc' | 'created_at'>;

/** The part of the context that queries of many items need. */
export type ItemSource = { db: Reader } & Pick<Ctx, 'dialect'>;

/** Returns the JSON text of an item, or undefined. */
export async function findItemText(db: Reader, clientId: string, itemId: string): Promise<ItemRow['doc'] | undefined> {
  const [row] = await selectDoc(db, { clientId, itemId });
  return row?.doc;
}

const selectDoc = statement((db, { clientId, itemId }: { clientId: string; itemId: string }) =>
  db.selectFrom('items').select('doc').where('client_id', '=', clientId).where('item_id', '=', itemId),
);

/** Returns an item, or undefined. */
export async function findItem(db: Reader, clientId: string, itemId: string): Promise<Item | undefined> {
  const text = await findItemText(db, clientId, itemId);
  return text === undefined ? undefined : parseItem(text);
}

/** Returns the items of a client among `itemIds`, by itemId, with one statement. Unknown ids are absent. */
export async function findItems(
  source: ItemSource,
  clientId: string,
  itemIds: readonly string[],
): Promise<Map<string, Item>> {
  const rows = await findRows(source, clientId, itemIds);
  return new Map([...rows].map(([itemId, row]) => [itemId, parseItem(row.doc)]));
}

/**
 * Returns an item as it was when it was deleted. Returns undefined for an item that was never deleted, or whose events
 * were removed (EVENT_DAYS).
 */
export async function findDeletedItem(db: Reader, clientId: string, itemId: string): Promise<Item | undefined> {
  const [row] = await selectDeleted(db, { clientId, itemId });
  if (row === undefined) return undefined;
  const { changes } = parseJson(row.data) as { changes: readonly { from: Item }[] };
  return changes[0]?.from;
}

const selectDeleted = statement((db, { clientId, itemId }: { clientId: string; itemId: string }) =>
  db
    .selectFrom('events')
    .select('data')
    .where('client_id', '=', clientId)
    // The type is a literal, because the partial index of item events does not match a bound value.
    .where('resource_type', '=', sql.lit('item'))
    .where('resource_id', '=', itemId)
    .where('type', '=', 'item.deleted')
    .orderBy('event_id', 'desc')
    .limit(1),
);

/** Returns the ids among `itemIds` that the client has, with one statement. */
export async function findItemIds(
  { db, dialect }: ItemSource,
  clientId: string,
  itemIds: readonly string[],
): Promise<Set<string>> {
  if (itemIds.length === 0) return new Set();
  const rows = await selectIds(db, { clientId, itemIds: dialect.listText([...new Set(itemIds)]) });
  return new Set(rows.map((row) => row.item_id));
}

const selectIds = statement((db, { clientId, itemIds }: { clientId: string; itemIds: BoundText }, dialect) =>
  db
    .selectFrom('items')
    .select('item_id')
    .where('client_id', '=', clientId)
    .where('item_id', 'in', dialect.listOf<string>(itemIds, 'text')),
);

export async function findRows(
  { db, dialect }: ItemSource,
  clientId: string,
  itemIds: readonly string[],
  lock?: 'lock',
): Promise<Map<string, Stored>> {
  if (itemIds.length === 0) return new Map();
  const query = db
    .selectFrom('items')
    .select(['item_id', 'revision', 'doc', 'created_at'])
    .where('client_id', '=', clientId)
    .where('item_id', 'in', dialect.listOf([...new Set(itemIds)], 'text'));
  const rows = await (lock ? query.orderBy('item_id').modifyEnd(dialect.forUpdate) : query).execute();
  return new Map(rows.map((row) => [row.item_id, row]));
}

export function parseItem(doc: ItemRow['doc']): Item {
  return parseJson(doc);
}

/**
 * Returns the URL of an item's main picture: the picture of type prod_main, otherwise the picture of view main,
 * otherwise the first picture.
 */
export function mainImageOf({ images = [] }: Pick<Item, 'images'>): string | undefined {
  const main = images.find(({ type }) => type === 'prod_main') ?? images.find(({ view }) => view === 'main');
  return (main ?? images[0])?.url;
}

/** Maximum number of items found by one bar code. */
const OF_CODE_MAX = 50;

/**
 * Returns the sorted ids of the items whose bar code, itemId or clientItemId is `code`. Leading zeros of a GTIN do not
 * count.
 */
export async function findItemsOfCode(source: ItemSource, clientId: string, code: string): Promise<string[]> {
  const byCode = await selectOfTerm(source.db, { clientId, term: `c${codeForm(code)}` });
  const byId = await findItemIds(source, clientId, await idsOfCode(source.db, clientId, code));
  return [...new Set([...byCode.map((row) => row.item_id), ...byId])].sort();
}

/** Returns the ids that an item with the itemId or clientItemId `code` can have. */
export async function idsOfCode(db: Reader, clientId: string, code: string): Promise<string[]> {
  const catalogs = await findCatalogs(db, clientId);
  return [code, ...catalogs.map((catalogId) => `${catalogId}-${code}`)];
}

/**
 * For each of the bar codes, returns the ids of the items that have it. A GTIN can have any length. One statement looks
 * up at most 2,000 codes.
 */
export async function findItemsOfBarCodes(
  { db, dialect }: ItemSource,
  clientId: string,
  codes: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const terms = [...new Set(codes.map(termOf))];
  for (let first = 0; first < terms.length; first += CODES_TOGETHER) {
    const some = dialect.listText(terms.slice(first, first + CODES_TOGETHER));
    for (const { term, item_id } of await selectOfTerms(db, { clientId, terms: some })) {
      found.set(term, [...(found.get(term) ?? []), item_id]);
    }
  }
  return new Map(codes.map((code) => [code, found.get(termOf(code)) ?? []]));
}

/** Maximum number of codes that one statement looks up. */
const CODES_TOGETHER = 2_000;

function termOf(code: string): string {
  return `c${codeForm(code)}`;
}

const selectOfTerms = statement((db, { clientId, terms }: { clientId: string; terms: BoundText }, dialect) =>
  db
    .selectFrom('item_terms')
    .select(['term', 'item_id'])
    .where('client_id', '=', clientId)
    .where('term', 'in', dialect.listOf<string>(terms, 'text'))
    .orderBy('term')
    .orderBy('item_id'),
);

const selectOfTerm = statement((db, { clientId, term }: { clientId: string; term: string }) =>
  db
    .selectFrom('item_terms')
    .select('item_id')
    .where('client_id', '=', clientId)
    .where('term', '=', term)
    .orderBy('item_id')
    .limit(OF_CODE_MAX),
);

/** Returns all catalogs of a client. */
export async function findCatalogs(db: ItemSource['db'], clientId: string): Promise<readonly string[]> {
  const [client] = await selectCatalogs(db, { clientId });
  return readJson(client?.catalog_ids ?? EMPTY_LIST);
}

const selectCatalogs = statement((db, { clientId }: { clientId: string }) =>
  db.selectFrom('clients').select('catalog_ids').where('client_id', '=', clientId),
);
