#!/usr/bin/env node
/**
 * The executable: bounds the heap, keeps compiled code for the next start, runs the command and ends with its exit
 * code.
 */
import module from 'node:module';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import v8 from 'node:v8';

interface Heap {
  /**
   * Size in MB of each half of the young generation. With Node's default of 64, a service that handles reads uses 190
   * MB of memory instead of 130.
   */
  youngMb: number;
  /**
   * Percent by which the old generation can grow beyond its size after a collection. Without this limit, V8 sometimes
   * doubles the old generation.
   */
  growth: number;
  /** Whether the garbage collector runs without threads of its own. */
  isAlone?: boolean;
}

/**
 * Heap of the commands that serve requests. These commands allocate many objects. With 4 MB instead of 8, a write of
 * many lines takes 2 to 3 % more CPU.
 */
const SERVICE: Heap = { youngMb: 8, growth: 30 };
const HEAP: Readonly<Record<string, Heap>> = {
  serve: SERVICE,
  demo: SERVICE,
  // An import keeps two cores busy. On a machine without further cores, the collector's threads cost an eighth of the
  // speed.
  import: { youngMb: 16, growth: 70, isAlone: availableParallelism() <= 2 },
};

// Only the user of the process can read the files that a command writes: databases, backups, exports and reject files
// hold customers' data.
process.umask(0o077);
// Containers, tests and worker processes start this file, so the version of Node is checked here too. The program is
// imported later, because an older Node fails while it links the imports.
module.createRequire(import.meta.url)('../scripts/require-node.cjs');
const heap = HEAP[process.argv[2] ?? ''];
if (heap !== undefined) {
  startWith(heap);
  v8.setFlagsFromString(`--heap-growing-percent=${heap.growth}`);
}
// The cache is in the user's own folder, because a process that can write there can already run code as the user. If
// Node cannot use the folder, it keeps no cache.
module.enableCompileCache(process.env['NODE_COMPILE_CACHE'] || join(cacheHome(), 'backroom'));
// The import follows the cache, so that the code of the program is cached too.
const { run } = await import('./service/cli/program.ts');
process.exitCode = await run(process.argv);

/**
 * Restarts the process with the flags of its heap, because Node accepts these flags only at the start. The process id
 * stays the same, and the restart takes 35 ms. Does nothing on Windows, in a worker process (its leader passes the
 * flags), and if the operator has set `--max-semi-space-size`.
 */
function startWith({ youngMb, isAlone = false }: Heap): void {
  const own = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
  if (process.execve === undefined || process.connected || /semi.space/.test(own)) return;
  const flags = [`--max-semi-space-size=${youngMb}`, ...(isAlone ? ['--single-threaded-gc'] : []), ...process.execArgv];
  process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], process.env);
}

function cacheHome(): string {
  return process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
}
