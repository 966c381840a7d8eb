/** What a database URL names. */
import { resolve } from 'node:path';

/** Whether the URL is one of PostgreSQL. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** A URL as it may be shown and logged: without the password. */
export function shownUrl(url: string): string {
  if (!isPostgres(url)) return url;
  if (!URL.canParse(url)) return 'postgres://...';
  const shown = new URL(url);
  shown.password = '';
  shown.searchParams.delete('password');
  return shown.href;
}

/** What a sentence calls the database: SQLite's file, or the URL without its password. */
export function placeOf(url: string): string {
  return isPostgres(url) ? shownUrl(url) : sqliteFile(url);
}

/** The file of `sqlite:PATH`; throws a sentence for any other URL. */
export function sqliteFile(url: string): string {
  const path = /^sqlite:(.+)$/s.exec(url)?.[1]?.trim();
  if (path === undefined || path === '') {
    throw new Error('The database URL must be sqlite:PATH, such as sqlite:data/backroom.db.');
  }
  if (path.startsWith(':')) throw new Error('The database must be a file: several connections share it.');
  return resolve(path);
}
