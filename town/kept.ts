/**
 * A cache in `node_modules/.cache` for results that depend only on the sources. It has one folder for each state of the
 * sources.
 */
import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Maximum number of states of one name in the cache. It is not 1, because a concurrent run may use an older state. */
const STATES_KEPT = 4;

/**
 * Returns the folder in `node_modules/.cache/NAME` for the current content of the matching files and this version of
 * Node.js.
 */
export function keptFolder(name: string, patterns: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync([...patterns], { cwd: ROOT }).toSorted()) {
    const content = readFileSync(join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return join(ROOT, 'node_modules/.cache', name, hash.digest('hex').slice(0, 16));
}

/** Marks a folder as the most recently used, and removes the least recently used folders. */
export function pruneBeside(folder: string): void {
  const cache = dirname(folder);
  const now = new Date();
  utimesSync(folder, now, now);
  const age = (name: string) => statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const states = readdirSync(cache)
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .toSorted((a, b) => age(b) - age(a));
  for (const old of states.slice(STATES_KEPT)) rmSync(join(cache, old), { recursive: true, force: true });
}
