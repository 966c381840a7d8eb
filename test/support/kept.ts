/** A cache of files that take seconds to make and depend only on the sources. All workers and later runs share it. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keptFolder, pruneBeside } from '../../town/kept.ts';

let state: string | undefined;

/** Returns the cache folder for the current state of the sources. */
function folder(): string {
  state ??= keptFolder('backroom-tests', ['src/**/*.{ts,sql,json}', 'package-lock.json']);
  return state;
}

/**
 * Returns the path of a cached file. If the file does not exist, `make` writes it, and can write further files next to
 * it. Two workers can run `make` at the same time; the cache keeps the result of one of them.
 */
export async function keptFile(name: string, make: (file: string) => Promise<void>): Promise<string> {
  const file = join(folder(), name, 'content');
  if (existsSync(file)) return file;
  mkdirSync(folder(), { recursive: true });
  const draft = mkdtempSync(join(folder(), '.draft-'));
  try {
    await make(join(draft, 'content'));
    renameSync(draft, dirname(file));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(file)) throw error;
  }
  pruneBeside(folder());
  return file;
}
