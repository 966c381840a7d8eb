/** Pages of the operator's lists, in the order of the identifiers (keyset paging). */
import { type SelectQueryBuilder, sql } from 'kysely';
import { identifier, list, object, type Static, type TSchema, Type, text } from '../schema.ts';
import type { Tables } from '../storage/tables.ts';
import { type Reply, reply } from './operation.ts';
import { PAGE_SIZE_MAX, wholeParam } from './page.ts';

const LIMIT_DEFAULT = 50;

/** `limit` of a list: at least 1, default 50. */
export function limitParam(records = 'records', max = PAGE_SIZE_MAX) {
  return wholeParam(`Maximum number of ${records} in the page`, { min: 1, max, default: LIMIT_DEFAULT });
}

/** Query of every list: `limit` 1 to 500 (default 50), `after` the last identifier that the caller has read. */
export const PageQuery = object({
  limit: limitParam(),
  after: Type.Optional(
    identifier(64, { description: 'Begins after this identifier. Send `next` of the previous page' }),
  ),
});
export type PageQuery = Static<typeof PageQuery>;

/**
 * Returns the schema of a query parameter under its old name. The service reads the parameter under the name `now`, and
 * the response has the header Deprecation (docs/api.md#old-names). `schema` must be a new object, because it is
 * changed.
 */
export function oldName<S extends TSchema>(now: string, schema: S): S {
  return Object.assign(schema, { 'x-now': now, deprecated: true, description: `Old name of \`${now}\`` });
}

/**
 * Query of a list that had `pageSize` and `lastRecordId` before 0.4.0. `after` returns the schema of the identifier.
 */
export function listParams<A extends TSchema>(records: string, after: (description: string) => A, max = PAGE_SIZE_MAX) {
  return {
    limit: limitParam(records, max),
    after: after('Begins after this value. Send `next` of the previous page'),
    pageSize: oldName('limit', limitParam(records, max)),
    lastRecordId: oldName('after', after('')),
  };
}

/** Schema of `next` in the response of a list with `listParams`, also under its old name. */
export function nextFields(max: number) {
  return {
    next: Type.Optional(text(1, max, { description: 'Value of `after` for the next page; absent on the last page' })),
    lastRecordId: Type.Optional(text(1, max, { description: 'Old name of `next`', deprecated: true })),
  };
}

/** Returns the values of the fields that `nextFields` declares. */
export function nextOf(id: string): { next: string; lastRecordId: string } {
  return { next: id, lastRecordId: id };
}

/** Maximum number of records of a page. */
export function limitOf({ limit }: { limit?: string }): number {
  return limit === undefined ? LIMIT_DEFAULT : Number(limit);
}

/** Schema of a page: the records under `name`, and `next` of at most `nextMax` characters if there are more. */
export function pageSchema<N extends string, S extends Type.TSchema>(name: N, item: S, nextMax = 64) {
  return object({
    [name]: list(item, { max: PAGE_SIZE_MAX }),
    next: Type.Optional(
      text(1, nextMax, { description: 'Value of `after` for the next page; absent on the last page' }),
    ),
  });
}

/** Selects the rows of a page from `all` and returns the response; `id` is the identifying column. */
export async function pageReply<T extends keyof Tables, Row>(
  name: string,
  query: PageQuery,
  all: SelectQueryBuilder<Tables, T, Row>,
  id: keyof Row & string,
  show: (row: Row) => object,
): Promise<Reply> {
  const rows = await all
    .where(sql.ref<string>(id), '>', query.after ?? '')
    .orderBy(sql.ref(id))
    .limit(pageLimit(query))
    .execute();
  return reply(
    200,
    pageBody(name, query, rows, show, (row) => String(row[id])),
  );
}

/** Rows to select: one more than the page, to see whether there is a next page. */
export function pageLimit(query: PageQuery): number {
  return limitOf(query) + 1;
}

/** The body of the response, from at most `pageLimit` rows. */
export function pageBody<Row>(
  name: string,
  query: PageQuery,
  rows: readonly Row[],
  show: (row: Row) => object,
  idOf: (row: Row) => string,
): Record<string, unknown> {
  const limit = limitOf(query);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { [name]: page.map(show), ...(rows.length > limit && last !== undefined && { next: idOf(last) }) };
}
