/** Compares the clocks of this machine and of a database server. */
import { sql } from 'kysely';
import type { Store } from './store.ts';

/**
 * `offsetMs`: milliseconds by which this machine's clock is ahead of the database server's. `sureMs`: margin of error.
 */
export async function clockOffset(store: Store, now: () => number): Promise<{ offsetMs: number; sureMs: number }> {
  const since = now();
  const { rows } = await store.read(
    (db) => sql<{ at: number }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(db),
    { single: true },
  );
  const until = now();
  return { offsetMs: (since + until) / 2 - rows[0]!.at, sureMs: (until - since) / 2 };
}
