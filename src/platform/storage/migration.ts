/** A migration, and what the database knows of those that were applied. */
import { readdirSync } from 'node:fs';

/** Where those of this program are. */
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

/** The number of the last migration that this program knows. */
export function ownSchema(): number {
  own ??= readdirSync(OWN_MIGRATIONS).filter((file) => file.endsWith('.sql')).length;
  return own;
}

/** The applied migrations, in order. */
export const APPLIED = 'select number, name, hash from migrations order by number';

/** The same with `needs`, which databases of older releases lack: it comes with the next migration. */
export const ALL_OF_APPLIED = 'select * from migrations order by number';
