/**
 * Expressions that have the value of a column, but that no index has. SQLite has no statistics, and takes every index of
 * a client for a few rows. So it prefers an index in the order of the statement, with all rows of the client, to the
 * index of the wanted rows (docs/storage.md#plans-of-sqlite). Write the columns of the wrong index with these.
 */
import { type RawBuilder, sql } from 'kysely';

/** Returns a column with text. */
export function textWithoutIndex(column: string): RawBuilder<string> {
  return sql<string>`${sql.ref(column)} || ''`;
}

/** Returns a column with a number. */
export function numberWithoutIndex(column: string): RawBuilder<number> {
  return sql<number>`${sql.ref(column)} + 0`;
}
