/**
 * The terms (words and codes) by which searches find items (docs/decisions/232). The words of an item with `term_form`
 * 0 are not yet written. A search compares such items by their documents until `makeTerms` has written the words.
 */
import { CompiledQuery, sql } from 'kysely';
import { nameWords } from '../kernel/keys.ts';
import type { Ctx } from '../platform/ctx.ts';
import { parseJson } from '../platform/message/json.ts';
import { openStore, type Reader } from '../platform/storage/db.ts';
import type { BoundText, Columns, Dialect } from '../platform/storage/dialect.ts';
import { insertRows, runEach } from '../platform/storage/insert.ts';
import { change, statement } from '../platform/storage/statement.ts';
import type { ItemTermRow } from '../platform/storage/tables.ts';
import { codeForm } from '../shared/gs1.ts';
import type { Item } from './schema.ts';

export const TERM_FORM = 1;

/** The `term_form` of an item whose words are not yet written. */
export const TERMS_PENDING = 0;

/** Maximum length of a word. Longer words are truncated. */
const WORD_MAX = 30;

/**
 * Returns the normalized words of a text, without case and accents. A compound gives one word for each of its parts:
 * the text from this part to the end of the compound. So wi-fi gives wifi and fi.
 */
export function wordsOf(text: string): string[] {
  return nameWords(text).flatMap((parts) => parts.map((_, from) => parts.slice(from).join('').slice(0, WORD_MAX)));
}

/** Returns the searchable text of an item: description, title and brand. */
function textOf({ description = '', productTitle = '', brand }: Pick<Item, 'description' | 'productTitle' | 'brand'>) {
  const names = brand?.descriptions?.map((one) => one.description ?? '') ?? [];
  return [description, productTitle, brand?.name ?? '', ...names].join(' ');
}

/** Whether each of `words` is the beginning of a word of the item. */
export function hasWords(item: Item, words: readonly string[]): boolean {
  const own = wordsOf(textOf(item));
  return words.every((word) => own.some((one) => one.startsWith(word)));
}

/** Returns the terms of an item, without duplicates. */
export function termsOf(item: Item): string[] {
  const words = wordsOf(textOf(item)).map((word) => `w${word}`);
  return [...new Set([...words, ...codeTermsOf(item)])];
}

/** Returns the terms of an item's bar codes. */
export function codeTermsOf({ upcs = [] }: Pick<Item, 'upcs'>): string[] {
  return [...new Set(upcs.map(({ upc }) => `c${codeForm(upc)}`))];
}

/** Whether a change at one of these paths changes the terms of an item. */
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

/** Writes the changed terms of items. */
export async function writeTerms(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  clientId: string,
  changes: readonly TermChange[],
): Promise<void> {
  const added = new Map<string, string[]>();
  const removed: ItemTermRow[] = [];
  for (const { itemId, before, after } of changes) {
    for (const term of after) {
      if (before.includes(term)) continue;
      const ids = added.get(term);
      if (ids === undefined) added.set(term, [itemId]);
      else ids.push(itemId);
    }
    for (const term of before) {
      if (!after.includes(term)) removed.push({ client_id: clientId, term, item_id: itemId });
    }
  }
  if (removed.length > 0) await deleteTerms(ctx.db, { clientId, rows: ctx.dialect.rowsText(removed, COLUMNS) });
  await insertTerms(ctx, clientId, added);
}

/**
 * On SQLite, a term that at least this many items share is written with one statement. This takes a quarter less CPU
 * time than one statement per item.
 */
const LIST_FROM = 3;

const INSERT_LIST = CompiledQuery.raw(
  'insert into item_terms (client_id, term, item_id) select ?, ?, value from json_each(?) where true on conflict do nothing',
);

/** Inserts terms in the order of the key, so that neighboring index entries are written together. */
async function insertTerms(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  clientId: string,
  added: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const rows: ItemTermRow[] = [];
  const lists: { term: string; ids: string }[] = [];
  for (const term of [...added.keys()].sort()) {
    const ids = added.get(term)!;
    if (ctx.dialect.engine === 'sqlite' && ids.length >= LIST_FROM) lists.push({ term, ids: JSON.stringify(ids) });
    else for (const itemId of ids) rows.push({ client_id: clientId, term, item_id: itemId });
  }
  await runEach(ctx.db, INSERT_LIST, lists, ({ term, ids }) => [clientId, term, ids]);
  await insertRows(ctx, 'item_terms', COLUMNS, rows, 'on conflict do nothing');
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

/** Returns the columns of the bound rows, in the SQL of the engine. */
function removedColumns(dialect: Dialect) {
  return dialect.engine === 'sqlite'
    ? [sql<string>`value ->> 1`.as('term'), sql<string>`value ->> 2`.as('item_id')]
    : [sql<string>`elements.term`.as('term'), sql<string>`elements.item_id`.as('item_id')];
}

/** Items of a client whose words are not yet written, sorted by id. */
export const selectPending = statement(
  (db, { clientId, after, limit }: { clientId: string; after: string; limit: number }) =>
    db
      .selectFrom('items')
      .select('item_id')
      .where('client_id', '=', clientId)
      .where(sql<boolean>`term_form = 0`)
      .where('item_id', '>', after)
      .orderBy('item_id')
      .limit(limit),
);

/** Returns the first item of any client whose words are not yet written. */
export async function findPending(db: Reader): Promise<{ client_id: string; item_id: string } | undefined> {
  return db
    .selectFrom('items')
    .select(['client_id', 'item_id'])
    .where(sql<boolean>`term_form = 0`)
    .orderBy('client_id')
    .orderBy('item_id')
    .limit(1)
    .executeTakeFirst();
}

/** Items per transaction while the service runs. Such a transaction takes about 10 ms. */
const BATCH = 100;
/** Items per transaction while the service is stopped. */
const BATCH_ALONE = 500;

/** Writes all missing terms, one transaction per batch, and returns the number of items. */
export async function rewriteTerms(url: string): Promise<number> {
  const store = await openStore(url, { readers: 1, connections: 1 });
  try {
    for (let count = 0; ; ) {
      const done = await store.write((tx) => makeTerms({ db: tx, dialect: store.dialect }, BATCH_ALONE));
      if (done === 0) return count;
      count += done;
    }
  } finally {
    await store.close();
  }
}

/**
 * Writes the missing terms of the first items. All these items belong to one client, because a sharding engine cannot
 * lock rows of several clients in one transaction.
 */
export async function makeTerms({ db: tx, dialect }: Pick<Ctx, 'db' | 'dialect'>, limit = BATCH): Promise<number> {
  const first = await findPending(tx);
  if (first === undefined) return 0;
  const { client_id: clientId } = first;
  const items = await tx
    .selectFrom('items')
    .select(['item_id', 'doc'])
    .where('client_id', '=', clientId)
    .where(sql<boolean>`term_form = 0`)
    .orderBy('item_id')
    .limit(limit)
    .modifyEnd(dialect.forUpdate)
    .execute();
  const changes = items.map(({ item_id: itemId, doc }) => ({
    itemId,
    before: [],
    after: termsOf(parseJson(doc)),
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
