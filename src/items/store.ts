/**
 * Writes the rows of items. `doc` is the response of a read, byte for byte. A write compares the sent item with the
 * stored item, keeps stored custom attributes, checks the revision and records the changes.
 */

import { type Effect, recordAll } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { type FieldError, fieldError } from '../platform/message/validate.ts';
import { Pace } from '../platform/pace.ts';
import { Contended } from '../platform/storage/db.ts';
import type { Columns } from '../platform/storage/dialect.ts';
import { insertRows } from '../platform/storage/insert.ts';
import type { ItemRow } from '../platform/storage/tables.ts';
import { updateRows } from '../platform/storage/update.ts';
import { BundleGraph } from './bundles.ts';
import { itemText } from './canonical.ts';
import { type Change, changesBetween } from './changes.ts';
import type { CheckedItem } from './check.ts';
import { findCatalogs, findRows, parseItem, type Stored } from './find.ts';
import { joined } from './merge.ts';
import { catalogError, ELEMENT_KEYS } from './rules.ts';
import type { Item } from './schema.ts';
import { say } from './sentences.ts';
import { LIST_MAX } from './sub-types.ts';
import { changesTerms, TERM_FORM, TERMS_PENDING, type TermChange, termsOf, writeTerms } from './terms.ts';

/**
 * Finds items like `findItems` and locks them until the transaction ends, for a write that depends on their content.
 */
export async function lockItems(
  source: ItemWriteCtx,
  clientId: string,
  itemIds: readonly string[],
): Promise<Map<string, Item>> {
  const rows = await findRows(source, clientId, itemIds, 'lock');
  return new Map([...rows].map(([itemId, row]) => [itemId, parseItem(row.doc)]));
}

/** The outcome of one item of a write. */
export type ItemOutcome =
  | { itemId: string; outcome: 'created' | 'updated' | 'unchanged'; text: ItemRow['doc'] }
  | { itemId: string; outcome: 'refused'; errors: readonly FieldError[] };

/** The part of the context that writes of items need. */
export type ItemWriteCtx = Pick<Ctx, 'db' | 'dialect' | 'now' | 'newId' | 'actor' | 'requestId'>;

/**
 * Writes checked items of a client in the caller's transaction, in order, with few statements for any number of items.
 * An unchanged item is not written. An item that conflicts with stored bundles, or would have too many custom
 * attributes, is rejected, as is an item of a catalog that the client does not have any more: uploads and imports check
 * items before, perhaps hours ago. New items without `terms` get their codes now and their words later (`makeTerms`).
 * @throws Contended if another writer changed one of the items; the store then runs the write again
 */
export async function putItems(
  ctx: ItemWriteCtx,
  clientId: string,
  items: readonly CheckedItem[],
): Promise<ItemOutcome[]> {
  const catalogs = await findCatalogs(ctx.db, clientId);
  const ids = items.map(({ itemId }) => itemId);
  // The check of a bundle locks the client. All writers lock items first, as a merge does; other orders can deadlock.
  const hasBundle = items.some(({ contents }) => contents.length > 0);
  const before = await findRows(ctx, clientId, ids, hasBundle ? 'lock' : undefined);
  const bundles = new BundleGraph(ctx, clientId);
  const rows = new Map<string, ItemRow>();
  const terms = new Map<string, TermChange>();
  const effects: Effect[] = [];
  const outcomes: ItemOutcome[] = [];
  const pace = new Pace();
  for (const checked of items) {
    if (pace.isDue) await pace.rest();
    const { itemId } = checked;
    const stored: Stored | undefined = rows.get(itemId) ?? before.get(itemId);
    if (!catalogs.includes(checked.catalogId)) {
      outcomes.push({ itemId, outcome: 'refused', errors: [catalogError(catalogs)] });
      continue;
    }
    const { text, changes, errors } = stored === undefined ? asNew(checked) : over(stored.doc, checked);
    // Items that are not bundles skip the `await`, because an `await` costs as much as a statement.
    const all = checked.contents.length === 0 ? errors : [...errors, ...(await bundles.errorsOf(checked))];
    if (all.length > 0) {
      outcomes.push({ itemId, outcome: 'refused', errors: all });
      continue;
    }
    if (stored !== undefined && changes.length === 0) {
      outcomes.push({ itemId, outcome: 'unchanged', text: stored.doc });
      continue;
    }
    // An item that occurs twice in a batch is one row with one new revision.
    const revision = (before.get(itemId)?.revision ?? 0) + 1;
    const outcome = stored === undefined ? 'created' : 'updated';
    bundles.put(checked);
    const isPending = checked.terms === undefined && !before.has(itemId);
    const known = terms.get(itemId);
    if (stored === undefined || known !== undefined || changesTerms(changes)) {
      const from = known?.before ?? (stored === undefined ? NONE : termsOf(parseItem(stored.doc)));
      const after = isPending ? checked.codeTerms : (checked.terms ?? termsOf(parseItem(text)));
      terms.set(itemId, { itemId, before: from, after });
    }
    rows.set(itemId, {
      client_id: clientId,
      item_id: itemId,
      revision,
      doc: text,
      created_at: stored?.created_at ?? ctx.now,
      updated_at: ctx.now,
      term_form: isPending ? TERMS_PENDING : TERM_FORM,
    });
    effects.push({
      clientId,
      type: `item.${outcome}`,
      resource: 'item',
      resourceId: itemId,
      revision,
      data: { changes },
    });
    outcomes.push({ itemId, outcome, text });
  }
  await writeRows(ctx, clientId, [...rows.values()]);
  await writeTerms(ctx, clientId, [...terms.values()]);
  await recordAll(ctx, effects);
  // On PostgreSQL, the removal of a catalog blocks writes of items, so it can be complete only now.
  const later = await findCatalogs(ctx.db, clientId);
  if (catalogs.some((catalogId) => !later.includes(catalogId))) throw new Contended('A catalog was removed.');
  return outcomes;
}

const ITEM_COLUMNS: Columns<ItemRow> = {
  client_id: 'text',
  item_id: 'text',
  revision: 'integer',
  doc: 'text',
  created_at: 'integer',
  updated_at: 'integer',
  term_form: 'integer',
};

type Rewritten = Pick<ItemRow, 'item_id' | 'revision' | 'doc' | 'updated_at'> & { seen: number };

/** Updates each row only if its revision has not changed since it was read. */
const updateItems = updateRows<Rewritten>(
  'items',
  { item_id: 'text', seen: 'integer', revision: 'integer', doc: 'text', updated_at: 'integer' },
  { key: ['item_id'], guard: { revision: 'seen' } },
);

/**
 * Writes rows with their new revisions. Revision 1 means that there was no row; otherwise the stored row must still
 * have the previous revision.
 */
async function writeRows(ctx: ItemWriteCtx, clientId: string, rows: readonly ItemRow[]): Promise<void> {
  // Two writers of the same items in different orders would deadlock.
  const inOrder = rows.toSorted((a, b) => (a.item_id < b.item_id ? -1 : 1));
  const fresh = inOrder.filter(({ revision }) => revision === 1);
  const known = inOrder.filter(({ revision }) => revision > 1);
  // Known rows are updated and not upserted: an upsert would insert an item again that was deleted since the read.
  const written =
    (await insertRows(ctx, 'items', ITEM_COLUMNS, fresh, 'on conflict (client_id, item_id) do nothing')) +
    (await updateItems(
      ctx,
      clientId,
      known.map((row) => ({ ...row, seen: row.revision - 1 })),
    ));
  if (written !== rows.length) {
    throw new Contended('Another writer changed one of these items.');
  }
}

/** The result of applying a write to an item. */
interface Written {
  text: ItemRow['doc'];
  changes: readonly Change[];
  errors: readonly FieldError[];
}

function asNew({ text }: CheckedItem): Written {
  return { text, changes: NONE, errors: NONE };
}

const NONE: readonly never[] = [];

function over(doc: ItemRow['doc'], checked: CheckedItem): Written {
  // The sent text equals the stored text, attributes included, so merging the attributes changes nothing.
  if (checked.text === doc) return asNew(checked);
  const old = parseItem(doc);
  const item = withAttributes(checked, old);
  const text = itemText(item);
  return { text, changes: changesBetween(old, item), errors: attributeErrors(item) };
}

/**
 * Merges the sent custom attributes into the stored attributes, because every write keeps stored attributes
 * (docs/interface.md#item-writes).
 */
function withAttributes({ text, removedAttributes }: CheckedItem, old: Item): Item {
  const item = parseItem(text);
  const stored = old.customDynamicAttributes;
  if (stored === undefined) return item;
  const sent = [
    ...(item.customDynamicAttributes ?? []),
    ...removedAttributes.map((name) => ({ name, operationType: 'delete' as const })),
  ];
  const attributes = joined(ELEMENT_KEYS.customDynamicAttributes!, stored, sent) as Item['customDynamicAttributes'];
  return { ...item, ...(attributes && { customDynamicAttributes: attributes }) };
}

function attributeErrors(item: Item): FieldError[] {
  const count = item.customDynamicAttributes?.length ?? 0;
  if (count <= LIST_MAX) return [];
  const words = say(
    'the item would have {count} custom attributes; the maximum is {max}. Delete some with operationType delete',
    { count, max: LIST_MAX },
  );
  return [fieldError('/customDynamicAttributes', 'maxItems', words, LIST_MAX)];
}

/** Deletes an item and records it in its history. Returns false if there is no such item. */
export async function deleteItemRow(ctx: ItemWriteCtx, clientId: string, itemId: string): Promise<boolean> {
  const row = await ctx.db
    .deleteFrom('items')
    .where('client_id', '=', clientId)
    .where('item_id', '=', itemId)
    .returning(['revision', 'doc'])
    .executeTakeFirst();
  if (row === undefined) return false;
  const item = parseItem(row.doc);
  await writeTerms(ctx, clientId, [{ itemId, before: termsOf(item), after: NONE }]);
  const changes = [{ path: '', from: item }];
  const effect = {
    clientId,
    type: 'item.deleted',
    resource: 'item',
    resourceId: itemId,
    revision: row.revision,
    data: { changes },
  } as const;
  await recordAll(ctx, [effect]);
  return true;
}
