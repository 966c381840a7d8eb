/**
 * Expressions that have the value of a column but are in no index (docs/storage.md#plans-of-sqlite). SQLite has no
 * statistics and expects that every index of a client leads to few rows. It therefore prefers an index in the sort
 * order of the statement, with all rows of the client, to the index of the wanted rows. Use these expressions in place
 * of the columns of an index that SQLite must not use.
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
