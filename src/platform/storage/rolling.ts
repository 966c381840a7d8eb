/**
 * Rules that decide which programs can serve during and after a migration. `backroom migrate`, the campaign `upgrade`
 * and docs/how-to/upgrade.md use them. See migrations/README.md.
 */

/**
 * Each migration up to this number stops all programs that lack the migration, because they fail at the first column
 * that the migration adds.
 */
const LAST_THAT_STOPS = 29;

/**
 * Later migrations that do not only add tables or columns, each with the last migration that a program must know to
 * serve. If a migration requires itself, it stops every older program. If it requires an earlier migration, programs
 * that know the earlier migration continue to serve.
 */
const NEEDS: Readonly<Record<number, number>> = {
  // Migration 35 allows more values in a CHECK and adds nullable columns, so the statements of release 0.3.0 work on
  // it.
  35: 29,
  // Migration 42 replaces hashes of anonymized orders, as an anonymization does.
  42: 29,
  // Migration 45 drops an index of SQLite, which only one process serves, and an index that migration 42 has replaced.
  45: 29,
};

/**
 * Returns the last migration that a program must know to serve a database while these migrations are applied and
 * afterwards; 0: any program can serve.
 */
export function needed(migrations: readonly number[]): number {
  return Math.max(0, ...migrations.map((number) => NEEDS[number] ?? (number <= LAST_THAT_STOPS ? number : 0)));
}

/** Connected programs of an older version could not serve after the migrations; the message has the fix. */
export class OlderServes extends Error {
  override readonly name = 'OlderServes';
}
