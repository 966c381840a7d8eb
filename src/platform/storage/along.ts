/** Selects along a partial index that SQLite would not use by itself. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Reader } from './store.ts';
import type { Tables } from './tables.ts';

/**
 * Selects from a table along a partial index. The condition of the index must be in the statement as a literal;
 * otherwise SQLite rejects the statement.
 */
export function along<T extends keyof Tables>(
  { db, dialect }: { db: Reader; dialect: Dialect },
  table: T,
  index: string,
): SelectQueryBuilder<Tables, T, object> {
  const alias = sql`${sql.raw(table)}${dialect.indexedBy(index)}`;
  return db.selectFrom(sql`${sql.table(table)}`.as<T>(alias));
}
