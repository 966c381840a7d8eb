/** Finds the end of the rows that are old enough to be deleted, for tables whose rows are deleted by position. */
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from './storage/db.ts';

interface Placed {
  position: number;
  at: number;
}

/**
 * Returns the position of the last old row among the first `limit` rows before the first young row; undefined if no row
 * can be deleted. An old row has a time of at most `upTo`. A time after `now` is from a clock that was ahead; such a row
 * does not keep the rows after it. A row from a clock that was behind does not delete the young rows before it.
 */
export async function lastOld(
  db: Reader,
  rows: RawBuilder<Placed>,
  { upTo, now, limit }: { upTo: number; now: number; limit: number },
): Promise<number | undefined> {
  const { rows: first } = await sql<Placed>`
    select position, at from (${rows}) as placed order by position limit ${limit}`.execute(db);
  const young = first.findIndex(({ at }) => at > upTo && at <= now);
  const last = (young === -1 ? first : first.slice(0, young)).findLast(({ at }) => at <= upTo);
  if (last !== undefined || young !== -1 || first.length < limit) return last?.position;
  // All of these rows have a time in the future, so the first other row decides.
  const end = first.at(-1)!.position;
  const { rows: later } = await sql<Placed>`
    select position, at from (${rows}) as placed where position > ${end} and at <= ${now}
    order by position limit 1`.execute(db);
  return later.some(({ at }) => at <= upTo) ? end : undefined;
}
