/**
 * Which programs may serve while a migration is applied, and after it: the one source of `backroom migrate`, the campaign
 * `upgrade` and docs/how-to/upgrade.md. How to write a migration: migrations/README.md.
 */

/** Programs of before fail at the first column that is added under them, so each migration up to this one stops them. */
const LAST_THAT_STOPS = 29;

/**
 * Later migrations that do more than add, with the last migration that a program must know to serve beside them: the number itself
 * stops every older program; a smaller one takes away what programs from there on no longer use.
 */
const NEEDS: Readonly<Record<number, number>> = {};

/** The last migration that a program must know to serve a database while these are applied and afterwards; 0: any program. */
export function needed(migrations: readonly number[]): number {
  return Math.max(0, ...migrations.map((number) => NEEDS[number] ?? (number <= LAST_THAT_STOPS ? number : 0)));
}

/** Programs of an older version are at work, which the migrations would break; the message says what to do. */
export class OlderServes extends Error {
  override readonly name = 'OlderServes';
}
