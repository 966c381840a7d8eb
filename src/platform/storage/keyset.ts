/** Pages of search results, in the order of a date and an id that never change (docs/api.md#paging). */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { ReadCtx } from '../ctx.ts';
import { type Cursor, type Page, RECORDS_MAX, type Records } from '../http/page.ts';
import type { Reader } from './store.ts';
import type { Tables } from './tables.ts';

/** A search: its table with every condition, without selected columns, and the two columns that sort it. */
export interface Search<T extends keyof Tables> {
  found: SelectQueryBuilder<Tables, T, object>;
  date: keyof Tables[T] & string;
  id: keyof Tables[T] & string;
}

/**
 * The statement of a page. Its keyset uses an index that ends in the primary key, so every page after a cursor costs
 * the same.
 */
export function selectRecords<T extends keyof Tables>(search: Search<T>, page: Page, limit: number) {
  const { found, date, id } = search;
  const rest = page.cursor === undefined ? found : found.where(compared(search, '>', page.cursor));
  return rest
    .selectAll()
    .orderBy(sql.ref(date))
    .orderBy(sql.ref(id))
    .limit(limit)
    .offset(page.cursor === undefined ? page.before : 0);
}

/**
 * Returns the records in which `lastRecordId` is looked up: all records of the store at the node, because the last
 * record may no longer match the filters. `names` has the names of a record and of its id in messages.
 */
export function recordsOf(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  { table, date, id }: { table: 'alerts' | 'fulfillment_orders' | 'pick_tickets'; date: string; id: string },
  place: { clientId: string; storeId: string; nodeId: string },
  names: Pick<Records, 'record' | 'id'>,
): Records {
  return {
    ...names,
    find: (ids): Promise<Cursor[]> =>
      // SQLite keeps the order of a cross join. Without the cross join, SQLite would read all records of the node. Kysely
      // cannot type a statement whose table varies, so the statement is typed with one of the tables.
      db
        .selectFrom(dialect.listOf(ids, 'text').as('wanted'))
        .crossJoin(table as 'alerts')
        .select([sql.ref<number>(date).as('at'), sql.ref<string>(id).as('id')])
        .where('client_id', '=', place.clientId)
        .where(sql.ref(id), '=', sql.ref('wanted.value'))
        .where('store_id', '=', place.storeId)
        .where('node_id', '=', place.nodeId)
        .execute(),
  };
}

/** The records of a page. */
export async function findRecords<T extends keyof Tables>(db: Reader, search: Search<T>, page: Page) {
  return (await findPart(db, search, page)).records;
}

/**
 * The records of a page, and the maximum number of records that the page can have. A page with fewer records ends the
 * search.
 */
async function findPart<T extends keyof Tables>(db: Reader, search: Search<T>, page: Page) {
  const limit = await limitOf(db, search, page);
  return { limit, records: limit === 0 ? [] : await selectRecords(search, page, limit).execute() };
}

/**
 * Returns the maximum number of records of a page. The page ends at the bound (`maxRecordsCount`) at the latest. The
 * number of records before the page comes from the page number or from a count up to the cursor, whichever is more.
 */
async function limitOf<T extends keyof Tables>(db: Reader, search: Search<T>, page: Page): Promise<number> {
  const { pageSize, bound, before, cursor } = page;
  if (bound === undefined) return pageSize;
  if (cursor === undefined) return room(pageSize, bound - before);
  return room(pageSize, bound - Math.max(before, await countUpTo(db, upTo(search, cursor), bound)));
}

const room = (pageSize: number, left: number) => Math.max(0, Math.min(pageSize, left));

/**
 * The records of a page, and the number of all records, counted only up to the bound to limit the cost. If the page is
 * not full, the search ends with this page. The function then counts only the records before the page, so a search
 * without an index reads its rows once.
 */
export async function findCounted<T extends keyof Tables>(db: Reader, search: Search<T>, page: Page) {
  const { bound = RECORDS_MAX, before, cursor } = page;
  const { limit, records } = await findPart(db, search, page);
  const isEnd = records.length < limit && (cursor !== undefined || records.length > 0 || before === 0);
  const earlier = async () => (cursor === undefined ? before : await countUpTo(db, upTo(search, cursor), bound + 1));
  const count = isEnd ? (await earlier()) + records.length : await countUpTo(db, search, bound + 1);
  return { records, totals: totalsOf(count, bound) };
}

function totalsOf(count: number, bound: number): { totalRecords: number; totalRecordsCapped?: true } {
  return count > bound ? { totalRecords: bound, totalRecordsCapped: true } : { totalRecords: count };
}

/** The search for the records up to a cursor. */
function upTo<T extends keyof Tables>(search: Search<T>, cursor: Cursor): Search<T> {
  return { ...search, found: search.found.where(compared(search, '<=', cursor)) };
}

async function countUpTo<T extends keyof Tables>(db: Reader, { found, id }: Search<T>, most: number): Promise<number> {
  const some = found.select(sql.ref(id).as('id')).limit(most).as('found');
  const { count } = await db
    .selectFrom(some)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function compared<T extends keyof Tables>({ date, id }: Search<T>, sign: '>' | '<=', cursor: Cursor) {
  return sql<SqlBool>`(${sql.ref(date)}, ${sql.ref(id)}) ${sql.raw(sign)} (${cursor.at}, ${cursor.id})`;
}
