/** A search for a part of a text, with the same result on both engines. */
import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the condition that a text contains `part`. Upper and lower case of ASCII letters are equal, and `%` and `_`
 * have no special meaning. The condition names its escape character, because PostgreSQL has a default (`\`) and SQLite
 * has none.
 * @param column a text column or expression
 */
export function contains(column: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  return like(column, `%${literal(part)}%`);
}

/** Returns the condition that a text begins with `start`, compared as in `contains`. */
export function startsWith(column: RawBuilder<unknown>, start: string): RawBuilder<boolean> {
  return like(column, `${literal(start)}%`);
}

function literal(part: string): string {
  // `lower` of a parameter uses the default collation of the database. This collation can change other letters than the
  // collation of the column does.
  const lower = part.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower.replaceAll(/[!%_]/g, '!$&');
}

function like(column: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${column}) like ${pattern} escape '!'`;
}
