/**
 * The program that tests and campaigns start as a process: the bundle of the package, which starts in a third of the time. It is
 * built when it is first asked for and kept for each state of the sources in `node_modules/.cache/backroom-program`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/backroom-program');
/** What the program finds beside itself in a package or a checkout. */
const BESIDE = ['package.json', 'contract', 'docs', 'examples', 'scripts', 'node_modules'];
/** Servers of the campaigns with a planted bug. */
const PLANTED = { 'planted-server': 'proof/support/planted-server.ts' };
/** A build that nothing has used for a day is removed by the next one. */
const KEPT_MS = 86_400_000;
const LOOK_MS = 50;

export interface TestProgram {
  /** What `backroom` runs. */
  main: string;
  /** `proof/support/planted-server.ts`. */
  plantedServer: string;
  /** Where its processes keep compiled code: they all load the same. */
  env: { NODE_COMPILE_CACHE: string };
}

let known: TestProgram | undefined;

/** The program, built if the sources have changed. Blocks until it is there. */
export function testProgram(): TestProgram {
  if (known !== undefined) return known;
  const folder = join(CACHE, fingerprint());
  if (existsSync(folder)) {
    const now = new Date();
    utimesSync(folder, now, now);
  } else {
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), folder], { cwd: ROOT, stdio: 'inherit' });
  }
  const [main, plantedServer, compiled] = ['main.js', 'planted-server.js', 'compiled'].map((name) =>
    join(folder, 'dist', name),
  );
  known = { main: main!, plantedServer: plantedServer!, env: { NODE_COMPILE_CACHE: compiled! } };
  return known;
}

function fingerprint(): string {
  const sources = globSync('src/**/*.{ts,sql}', { cwd: ROOT }).sort();
  const hash = createHash('sha256').update(process.version);
  for (const file of [...sources, ...Object.values(PLANTED), 'package-lock.json', 'scripts/bundle.ts']) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds the folder, or waits for the process that is building it. */
async function build(folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const lock = `${folder}.lock`;
  while (!existsSync(folder)) {
    if (!takeLock(lock)) {
      await sleep(LOOK_MS);
      continue;
    }
    try {
      if (!existsSync(folder)) await buildAlone(folder);
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

/** Whether this process may build. A lock whose owner has died is removed. */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    const owner = Number(readFileSync(lock, 'utf8'));
    // Between creation and the first write the file is empty.
    if (owner > 0) process.kill(owner, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') rmSync(lock, { force: true });
  }
  return false;
}

async function buildAlone(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  // As in the package: the program looks for what is beside its folder.
  await bundleProgram(join(draft, 'dist'), PLANTED);
  for (const name of BESIDE) symlinkSync(join(ROOT, name), join(draft, name));
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process was quicker; its files are the same.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  for (const name of readdirSync(CACHE)) {
    const other = join(CACHE, name);
    if (Date.now() - statSync(other).mtimeMs > KEPT_MS) rmSync(other, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(process.argv[2]!);
