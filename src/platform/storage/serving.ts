/** The lock that lets only one process at a time serve an SQLite file (docs/decisions/093). */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { isBusy } from './errors.ts';
import { isPostgres, realSqliteFile, sqliteFile } from './url.ts';

/**
 * Takes the lock for serving the database, until the process ends or the returned function is called. It is a lock of
 * the operating system on `<database>.serve`, so the lock ends with the process, even if the process is killed. On
 * PostgreSQL, which many processes can serve, it does nothing.
 * @throws Error with `whatToDo` in its message while another process serves the file.
 */
export function takeServing(databaseUrl: string, whatToDo: string = ONE_SERVES): () => void {
  if (isPostgres(databaseUrl)) return () => undefined;
  const file = sqliteFile(databaseUrl);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const giveBack = takeLock(`${realSqliteFile(databaseUrl)}.serve`);
  if (giveBack !== undefined) return giveBack;
  throw new Error(`${file} is served by another process. ${whatToDo}`);
}

const ONE_SERVES =
  'Only one process can serve SQLite: stop that process first, or move to PostgreSQL (backroom copy) to have several.';

/**
 * Takes a lock of the operating system on a file, until the process ends or the returned function is called. The file
 * is created if it is missing, and never removed. Returns undefined while another process has the lock.
 */
export function takeLock(file: string): (() => void) | undefined {
  // The file is created with mode 600: with the default mode of the process, other users could read it.
  closeSync(openSync(file, 'a', 0o600));
  const lock = new Database(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    return undefined;
  }
  return () => {
    lock.close();
  };
}
