/** The right to serve an SQLite file, which one process has at a time (docs/decisions/093). */
import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { isBusy } from './errors.ts';
import { isPostgres, sqliteFile } from './url.ts';

/**
 * Takes the right to serve the database, for as long as the process lives or until the answer is called. It is a lock of the
 * operating system on `<database>.serve`, so it ends with the process, however that ends. On PostgreSQL, which many may
 * serve, it does nothing.
 * @throws Error with a sentence and `whatToDo` while another process serves the file.
 */
export function takeServing(databaseUrl: string, whatToDo: string = ONE_SERVES): () => void {
  if (isPostgres(databaseUrl)) return () => undefined;
  const file = sqliteFile(databaseUrl);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const giveBack = takeLock(`${onePath(file)}.serve`);
  if (giveBack !== undefined) return giveBack;
  throw new Error(`${file} is served by another process. ${whatToDo}`);
}

const ONE_SERVES =
  'SQLite is served by one: stop that one first, or move to PostgreSQL (backroom copy) to have several.';

/**
 * Takes a lock of the operating system on a file, which is made and stays, until the process ends or the answer is called.
 * Returns undefined while another process has it.
 */
export function takeLock(file: string): (() => void) | undefined {
  // Its owner's alone from the beginning, whatever the umask is.
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

/** The same file by whatever links it is named. */
function onePath(file: string): string {
  return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
}
