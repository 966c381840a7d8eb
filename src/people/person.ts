/** People of the operator: their rows, and what responses show of them. */
import type { Reader } from '../platform/storage/db.ts';
import type { PersonRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Person } from './schema.ts';

/** A person of the operator, or undefined. */
export function findPerson(db: Reader, userId: string): Promise<PersonRow | undefined> {
  return db
    .selectFrom('people')
    .selectAll()
    .where('client_id', '=', '')
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** A person without the password. */
export function toPerson(row: PersonRow): Person {
  return {
    userId: row.user_id,
    name: row.name,
    state: row.state,
    ...(row.language !== null && { language: row.language }),
    createdAt: formatDateTime(row.created_at),
    updatedAt: formatDateTime(row.updated_at),
  };
}
