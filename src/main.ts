#!/usr/bin/env node
/** The executable: bounds the heap, keeps compiled code for the next start, runs the command and ends with its exit code. */
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** On an older one the database driver brings the process down without a word. */
const NODE_LEAST = 24;

/**
 * Megabytes of a half of the young generation, of the commands that make much garbage. Left to itself Node takes up to 64, and a
 * service under reads 190 in all instead of 145; what a write costs does not differ by what can be seen. An operator's own `--max-semi-space-size` is left alone.
 */
const YOUNG_MB: Readonly<Record<string, number>> = { serve: 4, demo: 4, import: 16 };

if (Number.parseInt(process.versions.node, 10) < NODE_LEAST) {
  process.stderr.write(`backroom: Node.js ${NODE_LEAST} or newer is needed; this is ${process.versions.node}.\n`);
  process.exit(1);
}
boundHeap(YOUNG_MB[process.argv[2] ?? '']);
// In the user's own folder: whoever can write there can run code as the user anyway. Where it cannot be made, nothing is kept.
module.enableCompileCache(process.env['NODE_COMPILE_CACHE'] ?? join(cacheHome(), 'backroom'));
// Loaded after that, so that it is kept too.
const { run } = await import('./cli/program.ts');
process.exitCode = await run(process.argv);

/**
 * Only a start can say it, so the process becomes the same program with the flag: the same process id, 35 ms. Not on Windows;
 * workers get the flags of their leader.
 */
function boundHeap(megabytes: number | undefined): void {
  const own = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
  if (megabytes === undefined || process.execve === undefined || process.connected || /semi.space/.test(own)) return;
  const flags = [`--max-semi-space-size=${megabytes}`, ...process.execArgv];
  process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], process.env);
}

function cacheHome(): string {
  return process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
}
