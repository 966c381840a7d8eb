/** A search for a part of a text, with the same result on both engines. */
import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the condition that a text contains `part`. Upper and lower case of ASCII letters are equal, and `%` and `_`
 * have no special meaning. The condition names its escape character, because PostgreSQL has a default (`\`) and SQLite
 * has none.
 * @param column a text column or expression
 */
export function contains(column: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  // `lower` of a parameter uses the default collation of the database, which can change other letters than that of the
  // column.
  const lower = part.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return sql<boolean>`lower(${column}) like ${`%${lower.replaceAll(/[!%_]/g, '!$&')}%`} escape '!'`;
}
