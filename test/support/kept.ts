/** Files that cost seconds to make and follow from the sources alone: kept from run to run, shared by all workers. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KEPT = join(ROOT, 'node_modules/.cache/backroom-tests');
/** States of the sources. */
const STATES_KEPT = 4;

let state: string | undefined;

/** Folder of the sources as they are. */
function folder(): string {
  state ??= join(KEPT, hashOfSources());
  return state;
}

function hashOfSources(): string {
  const hash = createHash('sha256').update(process.version);
  const files = [...globSync('src/**/*.{ts,sql,json}', { cwd: ROOT }), 'package-lock.json'];
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

/**
 * The path of a kept file. `make` writes it, and what belongs to it beside it, where there is none. Workers that come at once may both
 * make it; one of the two is kept.
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
  prune();
  return file;
}

/** A run beside this one may use a state that is old; one that is gone is made again. */
function prune(): void {
  const age = (name: string) => statSync(join(KEPT, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const states = readdirSync(KEPT).toSorted((a, b) => age(b) - age(a));
  for (const old of states.slice(STATES_KEPT)) rmSync(join(KEPT, old), { recursive: true, force: true });
}
