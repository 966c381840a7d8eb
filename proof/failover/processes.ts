/**
 * Finds and signals the processes of a simulated machine, by their working directory, which is in the folder of the
 * machine. The processes of PostgreSQL leave the process group of their parent and overwrite their environment, but
 * keep their working directory.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const KILLED_WITHIN_MS = 10_000;

/**
 * Returns the ids of the processes whose working directory is in `folder`; with `names`, only of programs with these
 * names.
 */
export function processesIn(folder: string, names?: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => pid !== process.pid && worksIn(pid, folder))
    .filter((pid) => names === undefined || names.includes(nameOf(pid)));
}

/** Sends a signal to the processes in `folder`, and to processes that they start in the meantime. */
export function signalAll(folder: string, signal: NodeJS.Signals, names?: readonly string[]): void {
  const signaled = new Set<number>();
  for (;;) {
    const fresh = processesIn(folder, names).filter((pid) => !signaled.has(pid));
    if (fresh.length === 0) return;
    for (const pid of fresh) {
      signaled.add(pid);
      kill(pid, signal);
    }
  }
}

/**
 * Sends kill -9 to the processes in `folder`; resolves when all have ended. @throws Error if one still runs after 10 s.
 */
export async function killAll(folder: string): Promise<void> {
  for (const until = performance.now() + KILLED_WITHIN_MS; ; ) {
    const left = processesIn(folder);
    if (left.length === 0) return;
    if (performance.now() > until) throw new Error(`Processes ${left.join(', ')} of ${folder} do not end.`);
    for (const pid of left) kill(pid, 'SIGKILL');
    await sleep(20);
  }
}

/** Sends a signal to a process, which may have ended. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}

function worksIn(pid: number, folder: string): boolean {
  const place = attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? '';
  // An ended process has no working directory, even before its parent has reaped it.
  return place === folder || place.startsWith(`${folder}/`);
}

/** Returns the name as in `ps`. A script has the name of its file, not the name of its interpreter. */
function nameOf(pid: number): string {
  return (attempt(() => readFileSync(`/proc/${pid}/comm`, 'utf8')) ?? '').trim();
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
