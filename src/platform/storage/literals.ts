import { type RawBuilder, sql } from 'kysely';

/** Returns a list of literals. A condition on bound values does not match the condition of a partial index. */
export function literals(...values: readonly (string | number)[]): RawBuilder<unknown> {
  return sql.join(values.map((value) => sql.lit(value)));
}
