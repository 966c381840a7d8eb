/** Brings a database to this program's schema and its rows to this program's form. */
import { rewriteKeys } from '../orders/rewrite-keys.ts';
import { applyMigrations, type MigrateOptions } from '../platform/storage/migrate.ts';
import type { Migration } from '../platform/storage/migration.ts';

/**
 * Applies the migrations (as `applyMigrations`), then makes filter keys of an older form anew; with a `directory` of
 * migrations of its own only the former. Returns the migrations it applied itself.
 */
export async function migrate(url: string, options: MigrateOptions): Promise<Migration[]> {
  const applied = await applyMigrations(url, options);
  if (options.directory === undefined) await rewriteKeys(url);
  return applied;
}
