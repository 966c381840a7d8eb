/** What a database URL names. */
import { resolve } from 'node:path';

/** Whether the URL is one of PostgreSQL. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** The file of `sqlite:PATH`; throws a sentence for any other URL. */
export function sqliteFile(url: string): string {
  const path = /^sqlite:(.+)$/s.exec(url)?.[1]?.trim();
  if (path === undefined || path === '') {
    throw new Error('The database URL must be sqlite:PATH or postgres://..., such as sqlite:data/backroom.db.');
  }
  if (path.startsWith(':')) throw new Error('The database must be a file: several connections share it.');
  return resolve(path);
}
