/**
 * The words and codes by which items are found (docs/decisions/232). An item with `term_form` 0 waits for its words: a search compares
 * such items with their documents, until `makeTerms` has written them.
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
import type { Item } from './schema.ts';

export const TERM_FORM = 1;

/** The form of an item whose words are still to be written. */
export const TERMS_PENDING = 0;

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
function textOf({ description = '', productTitle = '', brand }: Pick<Item, 'description' | 'productTitle' | 'brand'>) {
  const names = brand?.descriptions?.map((one) => one.description ?? '') ?? [];
  return [description, productTitle, brand?.name ?? '', ...names].join(' ');
}

/** Whether an item has words that begin with each of these. */
export function hasWords(item: Item, words: readonly string[]): boolean {
  const own = wordsOf(textOf(item));
  return words.every((word) => own.some((one) => one.startsWith(word)));
}

/** The terms of an item, each once. */
export function termsOf(item: Item): string[] {
  const words = wordsOf(textOf(item)).map((word) => `w${word}`);
  return [...new Set([...words, ...codeTermsOf(item)])];
}

/** Those of its bar codes only. */
export function codeTermsOf({ upcs = [] }: Pick<Item, 'upcs'>): string[] {
  return [...new Set(upcs.map(({ upc }) => `c${codeForm(upc)}`))];
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

/** So many items of one term are one statement of SQLite: a fourth less of a processor than a statement for each of them. */
const LIST_FROM = 3;

const INSERT_LIST = CompiledQuery.raw(
  'insert into item_terms (client_id, term, item_id) select ?, ?, value from json_each(?) where true on conflict do nothing',
);

/** In the order of the key: neighbours are written together. */
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

/** Term and item of the bound rows, in each engine's words. */
function removedColumns(dialect: Dialect) {
  return dialect.engine === 'sqlite'
    ? [sql<string>`value ->> 1`.as('term'), sql<string>`value ->> 2`.as('item_id')]
    : [sql<string>`elements.term`.as('term'), sql<string>`elements.item_id`.as('item_id')];
}

/** Items of a client that wait for their words, in the order of their ids. */
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

/** The first item of any client that waits for its words. */
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

/** Items of one transaction while others write too: some 10 ms. */
const BATCH = 100;
/** While nobody else does. */
const BATCH_ALONE = 500;

/** Writes the terms of all items that wait for them, in batches of one transaction each; returns how many items. */
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

/** Writes the terms of the first items that wait for them, of one client: a sharding engine locks no rows of several. */
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
