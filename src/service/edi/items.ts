/** Finds the items of the product ids in a set, and their costs in purchase orders. */
import { findItemIds, findItemsOfBarCodes, type ItemSource } from '../../items/find.ts';
import { Pace } from '../../platform/pace.ts';
import type { BoundText } from '../../platform/storage/dialect.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { Segment } from '../../platform/x12/tokens.ts';
import { itemIdOf } from '../../shared/item-id.ts';
import type { Mapping } from './draft.ts';
import type { Location } from './header.ts';
import type { Profile } from './partner-schema.ts';
import { type Meaning, type Place, type Value, valueAt } from './places.ts';

/** Maximum number of items that one statement looks up. */
const ITEMS_TOGETHER = 2_000;

/** The product ids of a line: pairs of qualifier and value, beginning at the element `first`. */
export interface ProductIds {
  segment: Segment;
  first: number;
}

/** Returns the catalog of the store of a location; undefined if there is no such store. */
export async function catalogOf(
  { source, clientId }: Pick<Mapping, 'source' | 'clientId'>,
  location: Pick<Location, 'sellerId' | 'storeCode'> | undefined,
): Promise<string | undefined> {
  if (source === undefined || location === undefined) return undefined;
  const { sellerId, storeCode } = location;
  const row = await source.db
    .selectFrom('stores')
    .select('catalog_id')
    .where('client_id', '=', clientId)
    .where('seller_id', '=', sellerId)
    .where('store_code', '=', storeCode)
    .executeTakeFirst();
  return row?.catalog_id;
}

/**
 * Returns the clientItemId of each line: the first agreed product id for which an item is found. For a line without an
 * item, adds NO_ITEM_ID, ITEM_NOT_FOUND or AMBIGUOUS_ITEM. Without a catalog, items are not looked up,
 * and only an agreed clientItemId counts.
 */
export async function itemsOf(
  source: ItemSource | undefined,
  meaning: Meaning,
  { clientId, profile, catalogId }: { clientId: string; profile: Profile; catalogId: string | undefined },
  lines: readonly ProductIds[],
): Promise<(Value | undefined)[]> {
  const pace = new Pace();
  const sent: SentId[][] = [];
  for (const line of lines) {
    if (pace.isDue) await pace.rest();
    const ids = agreedIds(line, profile);
    sent.push(ids);
    if (ids.length > 0) continue;
    const { segment } = line;
    const qualifiers = profile.items.map(({ qualifier }) => qualifier).join(', ');
    meaning.add('NO_ITEM_ID', { segment }, `${segment.id} has no product id with an agreed qualifier: ${qualifiers}`);
  }
  if (source === undefined || catalogId === undefined)
    return sent.map((ids) => ids.find(({ is }) => is === 'CLIENT_ITEM_ID')?.id);
  const texts = { CLIENT_ITEM_ID: new Set<string>(), BAR_CODE: new Set<string>() };
  for (const ids of sent) for (const { is, id } of ids) texts[is].add(id.value);
  const known = await knownItems(source, clientId, catalogId, texts.CLIENT_ITEM_ID);
  const byCode = await findItemsOfBarCodes(source, clientId, [...texts.BAR_CODE]);
  const ofCatalog = clientItemIds(byCode, itemIdOf(catalogId, ''));
  return sent.map((ids) => {
    let ambiguous: Place | undefined;
    for (const { is, id } of ids) {
      if (is === 'CLIENT_ITEM_ID' && known.has(id.value)) return id;
      const [value, another] = (is === 'BAR_CODE' && ofCatalog.get(id.value)) || NONE;
      if (value !== undefined && another === undefined) return { ...id, value };
      if (another !== undefined) ambiguous ??= id;
    }
    const first = ids[0]?.id;
    if (first === undefined) return undefined;
    const names = ids.map(({ qualifier, id }) => `${qualifier} ${id.value}`).join(', ');
    if (ambiguous !== undefined) meaning.add('AMBIGUOUS_ITEM', ambiguous, `Several items have the bar code: ${names}`);
    else meaning.add('ITEM_NOT_FOUND', first, `No item of catalog ${catalogId} has one of the ids: ${names}`);
    return undefined;
  });
}

const NONE: readonly string[] = [];

/**
 * Returns the clientItemIds of a catalog by bar code. They are computed once, because many lines have the same bar
 * code.
 */
function clientItemIds(byCode: ReadonlyMap<string, readonly string[]>, prefix: string) {
  const found = new Map<string, readonly string[]>();
  for (const [code, itemIds] of byCode) {
    const ids = itemIds.filter((itemId) => itemId.startsWith(prefix)).map((itemId) => itemId.slice(prefix.length));
    found.set(code, ids);
  }
  return found;
}

interface SentId {
  qualifier: string;
  is: Profile['items'][number]['is'];
  id: Value;
}

/** Returns the ids of a line that have an agreed qualifier, the preferred qualifier first. */
function agreedIds({ segment, first }: ProductIds, { items }: Profile): SentId[] {
  const ids: SentId[] = [];
  for (const { qualifier, is } of items) {
    for (let at = first; at + 1 < segment.elements.length; at += 2) {
      const id = segment.elements[at] === qualifier ? valueAt(segment, at + 1) : undefined;
      if (id !== undefined) ids.push({ qualifier, is, id });
    }
  }
  return ids;
}

async function knownItems(
  source: ItemSource,
  clientId: string,
  catalogId: string,
  ids: ReadonlySet<string>,
): Promise<Set<string>> {
  const wanted = [...ids].map((id) => itemIdOf(catalogId, id));
  const known = new Set<string>();
  const prefix = itemIdOf(catalogId, '');
  for (let first = 0; first < wanted.length; first += ITEMS_TOGETHER) {
    const some = await findItemIds(source, clientId, wanted.slice(first, first + ITEMS_TOGETHER));
    for (const itemId of some) known.add(itemId.slice(prefix.length));
  }
  return known;
}

/**
 * The existing purchase orders of a seller, with the cost of each item. If several lines have the item, the cost of the
 * first line counts.
 */
interface OrderCosts {
  has: (number: string) => boolean;
  of: (number: string, itemId: string) => string | undefined;
}

export async function orderCosts(
  source: ItemSource | undefined,
  clientId: string,
  sellerId: string,
  numbers: readonly string[],
): Promise<OrderCosts> {
  const costs = new Map<string, string>();
  const known = new Set<string>();
  if (source !== undefined && numbers.length > 0) {
    const { db, dialect } = source;
    const rows = await selectCosts(db, { clientId, sellerId, numbers: dialect.listText([...new Set(numbers)]) });
    for (const { number, item_id, item_cost } of rows) {
      known.add(number);
      const key = `${number}\n${item_id}`;
      if (!costs.has(key)) costs.set(key, item_cost);
    }
  }
  return { has: (number) => known.has(number), of: (number, itemId) => costs.get(`${number}\n${itemId}`) };
}

const selectCosts = statement(
  (db, { clientId, sellerId, numbers }: { clientId: string; sellerId: string; numbers: BoundText }, dialect) =>
    db
      .selectFrom('inbound_lines')
      .select(['number', 'item_id', 'item_cost'])
      .where('client_id', '=', clientId)
      .where('seller_id', '=', sellerId)
      .where('type', '=', 'PO')
      .where('number', 'in', dialect.listOf<string>(numbers, 'text'))
      .orderBy('number')
      .orderBy('line_index'),
);
