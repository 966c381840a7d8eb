/** Finds items that may match a search, by indexes alone: by code, by word, or in the order of their ids. */
import type { ReadCtx } from '../platform/ctx.ts';
import type { Reader } from '../platform/storage/db.ts';
import { statement } from '../platform/storage/statement.ts';
import { catalogOf, rangeOf } from '../shared/item-id.ts';
import { findItemsOfCode } from './find.ts';
import { selectPending, wordsOf } from './terms.ts';

/** Maximum number of words in one search. Further words are ignored. */
const WORDS_MAX = 8;
/** Maximum number of ids that one statement reads for a list of candidates. The next page continues after these ids. */
const WINDOW = 1_000;
/** Maximum number of indexed words that a search looks up for one prefix. A prefix of more words is a broad prefix. */
const COMPLETIONS_MAX = 30;
/** Maximum number of rows that a search reads at once for a broad prefix. */
const BROAD_MAX = 5_000;

/**
 * The filters of an item search. Indexes support `code`, `q` and `catalogs`; the other filters are applied to the
 * rows.
 */
interface Sought {
  q?: string | undefined;
  code?: string | undefined;
  /** Only items of these catalogs; undefined means all catalogs of the client. */
  catalogs?: readonly string[] | undefined;
  type?: string | undefined;
  status?: string | undefined;
}

/** Sorted ids after `after`. The list has every matching item up to `end`; without `end`, up to its own last id. */
interface Candidates {
  ids: readonly string[];
  /** Whether no matching item follows these ids. */
  isLast: boolean;
  end?: string;
}

/**
 * Returns the next ids after `after` that may match; the caller checks the items. A code gives all items with this
 * code. Words give the items with the rarest word, and items whose terms are not yet written. Without words, or if all
 * words are broad prefixes of too many rows, the function returns the next items of the client. Except for a code, a
 * statement reads at most `WINDOW` ids, or `BROAD_MAX` rows for a broad prefix.
 */
export async function candidates(
  ctx: ReadCtx,
  clientId: string,
  query: Sought,
  after: string,
  pageSize: number,
): Promise<Candidates> {
  const { q, code, catalogs, type, status } = query;
  if (code !== undefined) {
    const ids = await findItemsOfCode(ctx, clientId, code);
    return { ids: ids.filter((id) => id > after), isLast: true };
  }
  const words = wordsIn(q);
  // The search text has no letter or digit, so no item matches.
  if (q !== undefined && words.length === 0) return { ids: [], isLast: true };
  const isFiltered = type !== undefined || status !== undefined || words.length > 1;
  const one = isFiltered ? WINDOW : pageSize + 1;
  const found =
    words.length > 0 && (await ofWords(ctx.db, clientId, words, after, catalogs === undefined ? one : WINDOW));
  if (found) return catalogs === undefined ? found : ofCatalogs(found, catalogs, isFiltered ? WINDOW : pageSize + 1);
  const limit = words.length > 0 ? WINDOW : one;
  const ids: string[] = [];
  for (const { first, before } of rangesOf(catalogs)) {
    if (ids.length === limit) break;
    const range = { clientId, after: after > first ? after : first, before, limit: limit - ids.length };
    if (range.after >= before) continue;
    for (const row of await selectIds(ctx.db, range)) ids.push(row.item_id);
  }
  return { ids, isLast: ids.length < limit };
}

/** Returns the first `most` candidates of catalogs. The id of an item begins with its catalog, so no item is read. */
function ofCatalogs({ ids, isLast }: Candidates, catalogs: readonly string[], most: number): Candidates {
  const own = ids.filter((id) => catalogs.includes(catalogOf(id)));
  if (own.length > most) return { ids: own.slice(0, most), isLast: false };
  const end = ids.at(-1);
  return { ids: own, isLast, ...(end !== undefined && { end }) };
}

/** Returns the ranges of the itemIds of catalogs, sorted. The ids of a range are between `first` and `before`. */
function rangesOf(catalogs: readonly string[] | undefined): { first: string; before: string }[] {
  if (catalogs === undefined) return [{ first: '', before: '\u{10ffff}' }];
  return [...new Set(catalogs)].map(rangeOf).sort((a, b) => (a.first < b.first ? -1 : 1));
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

/** Returns the distinct words of a search text, at most WORDS_MAX. */
export function wordsIn(q: string | undefined): string[] {
  return [...new Set(wordsOf(q ?? ''))].slice(0, WORDS_MAX);
}

/**
 * Returns the items with the rarest of the words, and items whose terms are not yet written. The caller checks all
 * words. Returns undefined if all words are prefixes of too many rows.
 */
async function ofWords(
  db: Reader,
  clientId: string,
  words: readonly string[],
  after: string,
  limit: number,
): Promise<Candidates | undefined> {
  let best: { terms: string[]; count: number } | undefined;
  for (const word of words) {
    const terms = await completionsOf(db, clientId, `w${word}`);
    // Skips a broad prefix, because counting the items of all its words takes too long.
    if (terms === undefined) continue;
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
  for (const term of best?.terms ?? []) lists.push(await selectSome(db, { clientId, term, after, limit }));
  if (best === undefined) {
    const broad = await ofRarest(db, clientId, words, after);
    if (broad === undefined) return undefined;
    lists.push(broad.slice(0, limit));
  }
  // After the last id of a truncated list, more ids can match. The result therefore ends with the smallest last id of the
  // truncated lists.
  const ends = lists.filter((rows) => rows.length === limit).map((rows) => rows.at(-1)!.item_id);
  if (pending.length === WINDOW) ends.push(pending.at(-1)!.item_id);
  lists.push(pending);
  const end = ends.sort()[0];
  const ids = [...new Set(lists.flatMap((rows) => rows.map((row) => row.item_id)))].sort();
  return { ids: end === undefined ? ids : ids.filter((id) => id <= end), isLast: end === undefined };
}

/** Returns all items after `after` with the rarest of the prefixes, sorted; undefined if each has too many rows. */
export async function ofRarest(db: Reader, clientId: string, words: readonly string[], after: string) {
  let best: { item_id: string }[] | undefined;
  for (const word of words) {
    const limit = best?.length ?? BROAD_MAX;
    const rows = await selectBroad(db, { clientId, from: `w${word}`, before: `w${word}\u{10ffff}`, limit });
    if (rows.length < limit) best = rows;
  }
  const ids = best && [...new Set(best.map((row) => row.item_id))].filter((id) => id > after).sort();
  return ids?.map((item_id) => ({ item_id }));
}

const selectBroad = statement(
  (db, { clientId, from, before, limit }: { clientId: string; from: string; before: string; limit: number }) =>
    db
      .selectFrom('item_terms')
      .select('item_id')
      .where('client_id', '=', clientId)
      .where('term', '>=', from)
      .where('term', '<', before)
      .limit(limit),
);

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

/**
 * Returns the indexed words with a prefix; undefined if there are more than COMPLETIONS_MAX. Each word takes one index
 * lookup, even if many items have it.
 */
async function completionsOf(db: Reader, clientId: string, start: string): Promise<string[] | undefined> {
  const terms: string[] = [];
  for (let from = start; ; ) {
    const [next] = await selectTerm(db, { clientId, from });
    if (next === undefined || !next.term.startsWith(start)) return terms;
    if (terms.length === COMPLETIONS_MAX) return undefined;
    terms.push(next.term);
    from = `${next.term}\u{1}`;
  }
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
