/** Parts of a database URL. */
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Whether the URL names a PostgreSQL database. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/**
 * Whether the PostgreSQL driver can read the URL. The driver also accepts spaces, and `USER@/DATABASE` for a socket.
 */
export function isReadablePostgres(url: string): boolean {
  return isPostgres(url) && URL.canParse(readable(url));
}

/** The parameters after the `?` of a PostgreSQL URL. */
export function postgresParameters(url: string): URLSearchParams {
  return new URL(readable(url)).searchParams;
}

const readable = (url: string): string => url.replace('@/', '@socket/').replaceAll(' ', '%20');

/** The URL without its password, for messages and logs. */
export function shownUrl(url: string): string {
  if (!isPostgres(url)) return url;
  if (!URL.canParse(url)) return 'postgres://...';
  const shown = new URL(url);
  shown.password = '';
  shown.searchParams.delete('password');
  return shown.href;
}

/** The database in messages: the SQLite file, or the URL without its password. */
export function placeOf(url: string): string {
  return isPostgres(url) ? shownUrl(url) : sqliteFile(url);
}

/** The file of `sqlite:PATH`. @throws Error for any other URL. */
export function sqliteFile(url: string): string {
  const path = /^sqlite:(.+)$/s.exec(url)?.[1]?.trim();
  if (path === undefined || path === '') {
    throw new Error('The database URL must be sqlite:PATH, such as sqlite:data/backroom.db.');
  }
  if (path.startsWith(':')) throw new Error('The database must be a file, because several connections share it.');
  return resolve(path);
}

/**
 * The file of `sqlite:PATH` without symbolic links. SQLite puts its log beside this file, and links to the same file
 * share a lock. The folder must exist.
 */
export function realSqliteFile(url: string): string {
  return realFile(sqliteFile(url));
}

/** Follows also a link whose target does not exist yet: SQLite creates the target, for example on a new disk. */
function realFile(file: string): string {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return realpathSync(file);
  const place = join(realpathSync(dirname(file)), basename(file));
  const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? realFile(resolve(dirname(place), readlinkSync(place))) : place;
}
