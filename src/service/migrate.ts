/** Brings the schema and the rows of a database up to this version. */
import { rewriteTerms } from '../items/terms.ts';
import { rewriteKeys } from '../orders/rewrite-keys.ts';
import { applyMigrations, type MigrateOptions } from '../platform/storage/migrate.ts';
import type { Migration } from '../platform/storage/migration.ts';

/** The migration that made the table of terms. */
const TERMS_SINCE = 21;

/**
 * Applies the migrations (see `applyMigrations`), then rebuilds filter keys and terms of an older form. With a
 * `directory` of other migrations it does only the former. Returns the migrations that it applied itself.
 */
export async function migrate(url: string, options: MigrateOptions): Promise<Migration[]> {
  const applied = await applyMigrations(url, options);
  if (options.directory !== undefined) return applied;
  await rewriteKeys(url);
  // Items of a release without terms need them before their codes are scanned. The service itself makes the words of
  // imported items.
  if (applied.some(({ number }) => number <= TERMS_SINCE)) await rewriteTerms(url);
  return applied;
}
