/** A search for a part of a text, with the same result on both engines. */
import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the condition that a text contains `part` as written, whatever its case. The condition names the escape sign,
 * because the default is `\` on PostgreSQL and SQLite has no default.
 * @param column a text column or expression
 */
export function contains(column: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${column}) like lower(${`%${part.replaceAll(/[!%_]/g, '!$&')}%`}) escape '!'`;
}
