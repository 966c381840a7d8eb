/**
 * The words and codes by which items are found (docs/decisions/232). Who changes their form raises TERM_FORM; items with another one
 * are then brought up to date by `rewriteTerms`.
 */
import { sql } from 'kysely';
import { nameWords } from '../kernel/keys.ts';
import type { Ctx } from '../platform/ctx.ts';
import { parseJson } from '../platform/message/json.ts';
import { openStore, type Writer } from '../platform/storage/db.ts';
import type { BoundText, Columns, Dialect } from '../platform/storage/dialect.ts';
import { insertRows } from '../platform/storage/insert.ts';
import { change } from '../platform/storage/statement.ts';
import type { ItemTermRow } from '../platform/storage/tables.ts';
import type { Item } from './schema.ts';

export const TERM_FORM = 1;

/** Longer words are cut. */
const WORD_MAX = 30;

/** The forms of the words of a text: without case and accents, a word with parts as a whole and from each part on. */
export function wordsOf(text: string): string[] {
  return nameWords(text).flatMap((parts) => parts.map((_, from) => parts.slice(from).join('').slice(0, WORD_MAX)));
}

/** The form of a code: a number without the zeros in front, so that GTINs of 8, 12, 13 and 14 digits are the same. */
export function codeForm(code: string): string {
  const plain = code.trim();
  return /^\d+$/.test(plain) ? plain.replace(/^0+(?=\d)/, '') : plain;
}

/** The words of an item that a search looks for: of its description, its title and its brand. */
export function textOf({
  description = '',
  productTitle = '',
  brand,
}: Pick<Item, 'description' | 'productTitle' | 'brand'>) {
  const names = brand?.descriptions?.map((one) => one.description ?? '') ?? [];
  return [description, productTitle, brand?.name ?? '', ...names].join(' ');
}

/** The terms of an item, each once. */
export function termsOf(item: Item): string[] {
  const words = wordsOf(textOf(item)).map((word) => `w${word}`);
  const codes = (item.upcs ?? []).map(({ upc }) => `c${codeForm(upc)}`);
  return [...new Set([...words, ...codes])];
}

/** Whether a change of an item at one of these paths changes its terms. */
export function changesTerms(paths: readonly { path: string }[]): boolean {
  return paths.some(({ path }) => /^(?:$|\/(?:description|productTitle|brand|upcs)(?:\/|$))/.test(path));
}

/** The terms of an item before and after a write. */
export interface TermChange {
  itemId: string;
  before: readonly string[];
  after: readonly string[];
}

const COLUMNS: Columns<ItemTermRow> = { client_id: 'text', term: 'text', item_id: 'text' };

/** Writes what has changed of the terms of items. */
export async function writeTerms(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  clientId: string,
  changes: readonly TermChange[],
): Promise<void> {
  const added: ItemTermRow[] = [];
  const removed: ItemTermRow[] = [];
  for (const { itemId, before, after } of changes) {
    const row = (term: string) => ({ client_id: clientId, term, item_id: itemId });
    added.push(...after.filter((term) => !before.includes(term)).map(row));
    removed.push(...before.filter((term) => !after.includes(term)).map(row));
  }
  if (removed.length > 0) await deleteTerms(ctx.db, { clientId, rows: ctx.dialect.rowsText(removed, COLUMNS) });
  // In the order of the key: neighbours are written together.
  added.sort((a, b) => (a.term < b.term ? -1 : a.term > b.term ? 1 : 0));
  await insertRows(ctx, 'item_terms', COLUMNS, added, 'on conflict do nothing');
}

const deleteTerms = change((db, { clientId, rows }: { clientId: string; rows: BoundText }, dialect) =>
  db
    .deleteFrom('item_terms')
    .where('client_id', '=', clientId)
    .where((eb) =>
      eb(
        eb.refTuple('term', 'item_id'),
        'in',
        dialect.rowsOf<ItemTermRow>(rows, COLUMNS).clearSelect().select(removedColumns(dialect)).$castTo<never>(),
      ),
    ),
);

/** Term and item of the bound rows, in each engine's words. */
function removedColumns(dialect: Dialect) {
  return dialect.engine === 'sqlite'
    ? [sql<string>`value ->> 1`.as('term'), sql<string>`value ->> 2`.as('item_id')]
    : [sql<string>`elements.term`.as('term'), sql<string>`elements.item_id`.as('item_id')];
}

const BATCH = 500;

/** Makes the terms of items that an older release wrote, in batches of one transaction each; returns how many items. */
export async function rewriteTerms(url: string): Promise<number> {
  const store = await openStore(url, { readers: 1, connections: 1 });
  try {
    for (let count = 0; ; ) {
      const done = await store.write((tx) => rewriteBatch(tx, store.dialect));
      if (done === 0) return count;
      count += done;
    }
  } finally {
    await store.close();
  }
}

/** Of one client: a sharding engine locks no rows of several. */
async function rewriteBatch(tx: Writer, dialect: Dialect): Promise<number> {
  const first = await tx
    .selectFrom('items')
    .select('client_id')
    .where(sql<boolean>`term_form = 0`)
    .orderBy('client_id')
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return 0;
  const { client_id: clientId } = first;
  const items = await tx
    .selectFrom('items')
    .select(['item_id', 'doc'])
    .where('client_id', '=', clientId)
    .where(sql<boolean>`term_form = 0`)
    .orderBy('item_id')
    .limit(BATCH)
    .modifyEnd(dialect.forUpdate)
    .execute();
  const changes = items.map(({ item_id: itemId, doc }) => ({
    itemId,
    before: [],
    after: termsOf(parseJson(doc) as Item),
  }));
  await writeTerms({ db: tx, dialect }, clientId, changes);
  const ids = items.map((item) => item.item_id);
  await tx
    .updateTable('items')
    .set({ term_form: TERM_FORM })
    .where('client_id', '=', clientId)
    .where('item_id', 'in', dialect.listOf(ids, 'text'))
    .execute();
  return items.length;
}
