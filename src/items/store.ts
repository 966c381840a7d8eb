/**
 * Rows of items. `doc` is the item as a read answers it, byte for byte, so a read passes it through; a write compares, keeps
 * custom attributes, guards by the revision and records what changed.
 */

import { type Effect, recordAll } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { type FieldError, fieldError } from '../platform/message/validate.ts';
import { Pace } from '../platform/pace.ts';
import { Contended } from '../platform/storage/db.ts';
import type { Columns } from '../platform/storage/dialect.ts';
import { insertRows } from '../platform/storage/insert.ts';
import type { ItemRow } from '../platform/storage/tables.ts';
import { BundleGraph } from './bundles.ts';
import { itemText } from './canonical.ts';
import { type Change, changesBetween } from './changes.ts';
import type { CheckedItem } from './check.ts';
import { findRows, parseItem, type Stored } from './find.ts';
import { joined } from './merge.ts';
import { ELEMENT_KEYS } from './rules.ts';
import type { Item } from './schema.ts';
import { LIST_MAX } from './sub-types.ts';
import { changesTerms, TERM_FORM, TERMS_PENDING, type TermChange, termsOf, writeTerms } from './terms.ts';

/** As `findItems`, and nobody else changes these items until the transaction ends: for a write that builds on what they hold. */
export async function lockItems(
  source: ItemWriteCtx,
  clientId: string,
  itemIds: readonly string[],
): Promise<Map<string, Item>> {
  const rows = await findRows(source, clientId, itemIds, 'lock');
  return new Map([...rows].map(([itemId, row]) => [itemId, parseItem(row.doc)]));
}

/** What became of one item of a write. */
export type ItemOutcome =
  | { itemId: string; outcome: 'created' | 'updated' | 'unchanged'; text: string }
  | { itemId: string; outcome: 'refused'; errors: readonly FieldError[] };

/** What a write of items needs; every Ctx has it. */
export type ItemWriteCtx = Pick<Ctx, 'db' | 'dialect' | 'now' | 'newId' | 'actor' | 'requestId'>;

/**
 * Writes checked items of a client in the caller's transaction, in their order, with few statements however many. An item that
 * stays the same leaves no trace. An item is refused alone where the bundles already stored forbid it. The words of new items without
 * `terms` are written later (`makeTerms`), their codes now.
 * @throws Contended when another writer changed one of the items at the same time: the store runs the write again.
 */
export async function putItems(
  ctx: ItemWriteCtx,
  clientId: string,
  items: readonly CheckedItem[],
): Promise<ItemOutcome[]> {
  const before = await findRows(
    ctx,
    clientId,
    items.map(({ itemId }) => itemId),
  );
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
    const { text, changes, errors } = stored === undefined ? asNew(checked) : over(stored.doc, checked);
    // Nearly no item is a bundle, and awaiting nothing costs as much as a statement.
    const all = checked.contents.length === 0 ? errors : [...errors, ...(await bundles.errorsOf(checked))];
    if (all.length > 0) {
      outcomes.push({ itemId, outcome: 'refused', errors: all });
      continue;
    }
    if (stored !== undefined && changes.length === 0) {
      outcomes.push({ itemId, outcome: 'unchanged', text: stored.doc });
      continue;
    }
    // An item written twice in one batch is one row, one revision further than the one in the table.
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
  await writeRows(ctx, [...rows.values()]);
  await writeTerms(ctx, clientId, [...terms.values()]);
  await recordAll(ctx, effects);
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

/** The revision guards the row: it must be the one that was read. */
const IF_UNCHANGED = `on conflict (client_id, item_id) do update
  set revision = excluded.revision, doc = excluded.doc, updated_at = excluded.updated_at
  where items.revision = excluded.revision - 1`;

async function writeRows(ctx: ItemWriteCtx, rows: readonly ItemRow[]): Promise<void> {
  const written = await insertRows(ctx, 'items', ITEM_COLUMNS, rows, IF_UNCHANGED);
  if (written !== rows.length) {
    throw new Contended('Another writer changed one of these items.');
  }
}

/** What a write makes of an item. */
interface Written {
  text: string;
  changes: readonly Change[];
  errors: readonly FieldError[];
}

function asNew({ text }: CheckedItem): Written {
  return { text, changes: NONE, errors: NONE };
}

const NONE: readonly never[] = [];

function over(doc: string, checked: CheckedItem): Written {
  // Its attributes are those stored, so joining them changes nothing.
  if (checked.text === doc) return asNew(checked);
  const old = parseItem(doc);
  const item = withAttributes(checked, old);
  const text = itemText(item);
  return { text, changes: changesBetween(old, item), errors: attributeErrors(item) };
}

/** Custom attributes survive every write: those sent change or join those stored (docs/decisions/012-attributes-survive.md). */
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
  const words = `the item would have ${count} custom attributes; it can have ${LIST_MAX}, so delete some with operationType delete`;
  return [fieldError('/customDynamicAttributes', 'maxItems', words, LIST_MAX)];
}

/** Deletes an item and keeps it in its history. False when there is none. */
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
