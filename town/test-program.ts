/**
 * The program that tests and campaigns start as a process. It is the bundle of the package, which starts in a third of
 * the time of the sources. It is built on first use and cached in `node_modules/.cache/backroom-program`, for each
 * state of the sources.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.ts';
import { keptFolder, pruneBeside } from './kept.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Files and folders that the program expects next to its folder, as in a package or a checkout. */
const BESIDE = ['package.json', 'contract', 'docs', 'examples', 'scripts', 'node_modules'];
/** The server with planted bugs, which is bundled in addition to the program. */
const PLANTED = { 'planted-server': 'town/planted-server.ts' };
const LOOK_MS = 50;

export interface TestProgram {
  /** The main file of `backroom`. */
  main: string;
  /** The bundled `town/planted-server.ts`. */
  plantedServer: string;
  /** The cache of compiled code. All processes share it, because they load the same files. */
  env: { NODE_COMPILE_CACHE: string };
}

let known: TestProgram | undefined;

/** Returns the program. If the sources have changed, blocks until it is built. */
export function testProgram(): TestProgram {
  if (known !== undefined) return known;
  const sources = ['src/**/*.{ts,sql}', ...Object.values(PLANTED), 'package-lock.json', 'town/bundle.ts'];
  const folder = keptFolder('backroom-program', sources);
  if (!existsSync(folder)) {
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), folder], { cwd: ROOT, stdio: 'inherit' });
  }
  pruneBeside(folder);
  const [main, plantedServer, compiled] = ['main.js', 'planted-server.js', 'compiled'].map((name) =>
    join(folder, 'dist', name),
  );
  known = { main: main!, plantedServer: plantedServer!, env: { NODE_COMPILE_CACHE: compiled! } };
  return known;
}

/** Builds the folder, or waits for another process to build it. */
async function build(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
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

/**
 * Returns true if this process has taken the lock. Removes a lock whose owner has ended, so that the next call can take
 * it.
 */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    const owner = Number(readFileSync(lock, 'utf8'));
    // A new lock is empty until its owner has written its process id.
    if (owner > 0) process.kill(owner, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') rmSync(lock, { force: true });
  }
  return false;
}

async function buildAlone(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  // The files have the layout of the package, because the program looks for files next to its folder.
  await bundleProgram(join(draft, 'dist'), PLANTED);
  for (const name of BESIDE) symlinkSync(join(ROOT, name), join(draft, name));
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process has built the same folder in the meantime.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(process.argv[2]!);
