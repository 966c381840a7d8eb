/**
 * The processes of a machine that is played on this one: those whose working directory lies in its folder. PostgreSQL's leave
 * the process group that started them and overwrite their environment, but not where they work.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const KILLED_WITHIN_MS = 10_000;

/** Numbers of the processes that work in `folder` or below it; with `names` only programs that are called so. */
export function processesIn(folder: string, names?: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => pid !== process.pid && worksIn(pid, folder))
    .filter((pid) => names === undefined || names.includes(nameOf(pid)));
}

/** Signals all of them, and those they start meanwhile. */
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

/** kill -9 of all of them; answers when none is left. @throws Error when one stays. */
export async function killAll(folder: string): Promise<void> {
  for (const until = performance.now() + KILLED_WITHIN_MS; ; ) {
    const left = processesIn(folder);
    if (left.length === 0) return;
    if (performance.now() > until) throw new Error(`Processes ${left.join(', ')} of ${folder} do not end.`);
    for (const pid of left) kill(pid, 'SIGKILL');
    await sleep(20);
  }
}

/** Signals a process, which may have ended. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has.
  }
}

function worksIn(pid: number, folder: string): boolean {
  const place = attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? '';
  // Of one that has ended there is none, though its parent has not heard of it yet.
  return place === folder || place.startsWith(`${folder}/`);
}

/** As `ps` shows it: a script has its own name, not that of its interpreter. */
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
