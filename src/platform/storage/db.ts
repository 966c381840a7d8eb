/** Opens the database of a URL. */

import { openSqlite } from './sqlite.ts';
import type { Store, StoreOptions } from './store.ts';
import type { Tables } from './tables.ts';
import { isPostgres } from './url.ts';

export {
  Contended,
  isForeignKeyViolation,
  isUniqueViolation,
  NotReady,
  OutcomeUnknown,
  StorageUnavailable,
  UNREADY,
  type Unready,
} from './errors.ts';
export type { OnCommit, Reader, ReadOptions, Store, StoreOptions, Watched, Writer } from './store.ts';

/**
 * Opens `sqlite:PATH` (relative to the working directory; creates missing file and folder) or `postgres://...`. It does
 * not migrate: see `migrate.ts`. Rejects with a message for the operator if the URL cannot be opened.
 */
export async function openStore<DB = Tables>(url: string, options: StoreOptions = {}): Promise<Store<DB>> {
  if (!isPostgres(url)) return openSqlite<DB>(url, options);
  // Loading the driver takes a tenth of the start time, so only PostgreSQL loads it.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres<DB>(url, options);
}

/** Opens a database, runs `work` with it, and closes it. */
export async function useStore<T>(url: string, options: StoreOptions, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url, options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
