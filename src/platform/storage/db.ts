/** Opens the database of a URL. */

import { openSqlite } from './sqlite.ts';
import type { Store, StoreOptions } from './store.ts';
import type { Tables } from './tables.ts';
import { isPostgres } from './url.ts';

export {
  Contended,
  isUniqueViolation,
  NotReady,
  OutcomeUnknown,
  StorageUnavailable,
  UNREADY,
  type Unready,
} from './errors.ts';
export type { OnCommit, Reader, ReadOptions, Store, StoreOptions, Watched, Writer } from './store.ts';

/**
 * Opens `sqlite:PATH` (relative to the working directory; file and folder are made when missing) or `postgres://...`. It
 * does not migrate: see `migrate.ts`. Rejects with a plain sentence for a URL that cannot be served.
 */
export async function openStore<DB = Tables>(url: string, options: StoreOptions = {}): Promise<Store<DB>> {
  if (!isPostgres(url)) return openSqlite<DB>(url, options);
  // Its driver is a tenth of a start, for those who have it.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres<DB>(url, options);
}
