/** Backup and restore of PostgreSQL with its own programs, from the search path. */
import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Whether `pg_dump` is in the search path. */
export function hasDump(): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('pg_dump', ['--version'], { stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}

/** Dumps a snapshot to a file of mode 600, durably. */
export async function dumpTo(url: string, file: string, snapshot: string): Promise<void> {
  await perform('pg_dump', url, [
    '--format=custom',
    '--no-owner',
    '--no-privileges',
    `--snapshot=${snapshot}`,
    `--file=${file}`,
  ]);
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Fills an empty database from a dump, completely or not at all. */
export function restoreFrom(url: string, file: string): Promise<void> {
  return perform('pg_restore', url, ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges', file]);
}

/**
 * Runs one of PostgreSQL's programs on the database.
 * @throws Error with the message of the program, or with the package to install.
 */
function perform(program: string, url: string, args: readonly string[]): Promise<void> {
  // A password in the arguments would be visible in the list of processes.
  const shown = new URL(url);
  const password = decodeURIComponent(shown.password);
  shown.password = '';
  return new Promise((resolve, reject) => {
    const child = spawn(program, [`--dbname=${shown.href}`, '--no-password', ...args], {
      env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${String(chunk)}`.slice(-2_000);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'ENOENT' ? 'it is not installed; install the client programs of PostgreSQL' : error.message;
      reject(new Error(`${program} cannot be started: ${why}.`, { cause: error }));
    });
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} failed: ${said.trim()}`));
    });
  });
}
