/** A migration, and what the database knows of those that were applied. */

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

/** The applied migrations, in order. */
export const APPLIED = 'select number, name, hash from migrations order by number';
