#!/usr/bin/env node
/** The executable: bounds the heap, keeps compiled code for the next start, runs the command and ends with its exit code. */
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import v8 from 'node:v8';

/**
 * How the heap of the commands that make much garbage is bounded. `youngMb`: a half of the young generation; left to itself Node
 * takes up to 64, and a service under reads 190 in all instead of 130. With 4 a write of many lines takes 2 to 3 % more CPU. An
 * operator's own `--max-semi-space-size` is left alone. `growth`: percent by which the old generation may outgrow what a
 * collection left of it; left to itself V8 doubles it now and then, and the same service under the same reads has 130 MB or 165.
 */
const SERVICE = { youngMb: 8, growth: 30 };
const HEAP: Readonly<Record<string, { youngMb: number; growth: number }>> = {
  serve: SERVICE,
  demo: SERVICE,
  import: { youngMb: 16, growth: 70 },
};

// Whatever a command writes is the user's own: databases and backups hold customers' data, exports and reject files too.
process.umask(0o077);
// Not only in the command of the package: containers, tests and worker processes start this file. The program below is loaded later,
// because an older Node already fails while it links the imports.
module.createRequire(import.meta.url)('../scripts/require-node.cjs');
const heap = HEAP[process.argv[2] ?? ''];
if (heap !== undefined) {
  boundYoung(heap.youngMb);
  v8.setFlagsFromString(`--heap-growing-percent=${heap.growth}`);
}
// In the user's own folder: whoever can write there can run code as the user anyway. Where it cannot be made, nothing is kept.
module.enableCompileCache(process.env['NODE_COMPILE_CACHE'] || join(cacheHome(), 'backroom'));
// Loaded after that, so that it is kept too.
const { run } = await import('./service/cli/program.ts');
process.exitCode = await run(process.argv);

/**
 * Only a start can say it, so the process becomes the same program with the flag: the same process id, 35 ms. Not on Windows;
 * workers get the flags of their leader.
 */
function boundYoung(megabytes: number): void {
  const own = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
  if (process.execve === undefined || process.connected || /semi.space/.test(own)) return;
  const flags = [`--max-semi-space-size=${megabytes}`, ...process.execArgv];
  process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], process.env);
}

function cacheHome(): string {
  return process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
}
