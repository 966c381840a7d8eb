/** Brings a database to this program's schema and its rows to this program's form. */
import { rewriteTerms } from '../items/terms.ts';
import { rewriteKeys } from '../orders/rewrite-keys.ts';
import { applyMigrations, type MigrateOptions } from '../platform/storage/migrate.ts';
import type { Migration } from '../platform/storage/migration.ts';

/** The migration that made the table of terms. */
const TERMS_SINCE = 21;

/**
 * Applies the migrations (as `applyMigrations`), then makes filter keys and terms of an older form anew; with a `directory` of
 * migrations of its own only the former. Returns the migrations it applied itself.
 */
export async function migrate(url: string, options: MigrateOptions): Promise<Migration[]> {
  const applied = await applyMigrations(url, options);
  if (options.directory !== undefined) return applied;
  await rewriteKeys(url);
  // Of items that a release without terms wrote, before their codes are scanned. Words of imported items are made while serving.
  if (applied.some(({ number }) => number <= TERMS_SINCE)) await rewriteTerms(url);
  return applied;
}
