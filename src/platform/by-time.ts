/** Finds due work by an index on its time. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Due } from './due.ts';
import type { DueKind } from './due-kind.ts';
import type { Reader } from './storage/db.ts';
import type { Tables } from './storage/tables.ts';

/**
 * Returns the searches of a kind whose work is due at the time in the column `at`. `only` is the condition of a partial
 * index; it must be a literal, because with a bound value SQLite would read all rows. Crosses tenants: only the time
 * matters (docs/decisions/190).
 */
export function byTime<T extends keyof Tables>(
  table: T,
  columns: Record<'at' | 'id', keyof Tables[T] & string>,
  only: RawBuilder<SqlBool> = sql`true`,
): Required<Pick<DueKind, 'due' | 'next'>> {
  const [at, id] = [sql.ref(columns.at), sql.ref(columns.id)];
  const find = async (db: Reader, isWanted: RawBuilder<SqlBool>, limit: number) => {
    const { rows } = await sql<Due>`select ${at} as at, client_id as "clientId", ${id} as id from ${sql.table(table)}
      where ${isWanted} and ${only} order by ${at}, client_id, ${id} limit ${limit}`.execute(db);
    return rows;
  };
  return {
    due: (db, now, limit) => find(db, sql`${at} <= ${now}`, limit),
    next: async (db, after) => (await find(db, sql`${at} > ${after}`, 1))[0],
  };
}
