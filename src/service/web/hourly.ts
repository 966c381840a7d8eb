/** Counts that the metrics read at most once an hour, because a count reads rows that are kept for years. */
import type { Reader, Store } from '../../platform/storage/db.ts';
import { HOUR_MS } from '../../platform/time.ts';

/**
 * Returns a function that counts at most once an hour for each opened database, and otherwise returns the last counts.
 */
export function hourly<T>(count: (db: Reader) => Promise<T>): (db: Reader, store: Store, now: number) => Promise<T> {
  const known = new WeakMap<Store, { at: number; counts: T }>();
  return async (db, store, now) => {
    const last = known.get(store);
    // Counts with a later time are of a clock that was ahead.
    if (last !== undefined && now >= last.at && now - last.at < HOUR_MS) return last.counts;
    const counts = await count(db);
    known.set(store, { at: now, counts });
    return counts;
  };
}
