/** Brings a database to this program's schema and its rows to this program's form. */
import { rewriteTerms } from '../items/terms.ts';
import { rewriteKeys } from '../orders/rewrite-keys.ts';
import { applyMigrations, type MigrateOptions } from '../platform/storage/migrate.ts';
import type { Migration } from '../platform/storage/migration.ts';

/**
 * Applies the migrations (as `applyMigrations`), then makes filter keys and terms of an older form anew; with a `directory` of
 * migrations of its own only the former. Returns the migrations it applied itself.
 */
export async function migrate(url: string, options: MigrateOptions): Promise<Migration[]> {
  const applied = await applyMigrations(url, options);
  if (options.directory !== undefined) return applied;
  await rewriteKeys(url);
  await rewriteTerms(url);
  return applied;
}
