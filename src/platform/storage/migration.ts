/** A migration, and the rows of applied migrations. */
import { readdirSync } from 'node:fs';

/** The folder of the migrations of this program. */
export const OWN_MIGRATIONS = new URL('./migrations/', import.meta.url);

export interface Migration {
  readonly number: number;
  /** The file's name without number and ending. */
  readonly name: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  readonly text: string;
}

export interface Applied {
  number: number;
  name: string;
  hash: string;
}

let own: number | undefined;

/** The number of the last migration of this program. */
export function ownSchema(): number {
  own ??= readdirSync(OWN_MIGRATIONS).filter((file) => file.endsWith('.sql')).length;
  return own;
}

/** The applied migrations, in order. */
export const APPLIED = 'select number, name, hash from migrations order by number';

/**
 * Selects the applied migrations with `needs`, a column that databases of older releases lack until their next
 * migration.
 */
export const ALL_OF_APPLIED = 'select * from migrations order by number';
