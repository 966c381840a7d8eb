/** Brings the schema and the rows of a database to the form that this program needs. */
import { rewriteTerms } from '../items/terms.ts';
import { rewriteKeys } from '../orders/rewrite-keys.ts';
import { applyMigrations, type MigrateOptions } from '../platform/storage/migrate.ts';
import type { Migration } from '../platform/storage/migration.ts';

/** The migration that created the table of search terms. */
const TERMS_SINCE = 21;

/**
 * Applies the migrations (see `applyMigrations`), then rebuilds filter keys and search terms of an older form. With a
 * `directory` of other migrations, it applies only the migrations of that folder. Returns the applied migrations,
 * without those that another process applied.
 */
export async function migrate(url: string, options: MigrateOptions): Promise<Migration[]> {
  const applied = await applyMigrations(url, options);
  if (options.directory !== undefined) return applied;
  await rewriteKeys(url);
  // An earlier release stored items without search terms. The migration builds these terms, so that scans find the codes
  // of the items. The service builds the terms of imported items later.
  if (applied.some(({ number }) => number <= TERMS_SINCE)) await rewriteTerms(url);
  return applied;
}
