/** Child processes of a bench: services under load, the load generator, and their CPU time and memory. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../town/free-port.ts';
import type { Load, Measured } from './load.ts';

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A service under load. */
export interface Service {
  port: number;
  pid: number;
  /** Milliseconds from the start of the process to its first response. */
  readyMs: number;
  /** Returns the CPU seconds that the process has used in all its threads. */
  cpu: () => number;
  /** Returns the present and the highest resident memory, in MB. */
  memory: () => { now: number; peak: number };
  stop: () => Promise<void>;
}

export const OPERATOR_KEY = 'operator-key-of-the-benches';

/** Starts `backroom serve` like an operator, with the default log level. The log is discarded. */
export async function startBackroom(
  databaseUrl: string,
  main = MAIN,
  env: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<Service> {
  const extra = (process.env['BENCH_NODE_OPTIONS'] ?? '').split(' ').filter((option) => option !== '');
  return startService([...extra, ...options, main, 'serve'], '/livez', {
    DATABASE_URL: databaseUrl,
    BACKROOM_OPERATOR_KEY: OPERATOR_KEY,
    BACKROOM_SECRET: 'ab'.repeat(32),
    // With the default limit, the service would reject requests on a shared machine because of overload.
    MAX_WAIT_MS: '60000',
    ...env,
  });
}

/** Starts one of the bare counterparts of `bare.ts`. */
export function startBare(env: Record<string, string>): Promise<Service> {
  return startService([fileURLToPath(new URL('./bare.ts', import.meta.url))], '/ready', env);
}

/** Time limit for the start. On a busy machine, a start from sources takes minutes. */
const READY_WITHIN_MS = 180_000;

async function startService(args: readonly string[], readyPath: string, env: Record<string, string>): Promise<Service> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const readyMs = await firstAnswer(child, `http://127.0.0.1:${port}${readyPath}`, began);
  const pid = child.pid!;
  return { port, pid, readyMs, cpu: () => cpuSeconds(pid), memory: () => memoryOf(pid), stop: () => ended(child) };
}

async function firstAnswer(child: ChildProcess, url: string, began: number): Promise<number> {
  while (performance.now() - began < READY_WITHIN_MS) {
    if (child.exitCode !== null) throw new Error(`The process ended with ${child.exitCode} before its first response.`);
    try {
      const answer = await fetch(url);
      await answer.text();
      return performance.now() - began;
    } catch {
      await sleep(5);
    }
  }
  child.kill('SIGKILL');
  throw new Error(`${url} did not respond within ${READY_WITHIN_MS / 1000} s.`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}

const TICKS_PER_SECOND = 100;

/** Returns user and system time from /proc; NaN on systems without /proc. */
function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

function memoryOf(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
    return { now: kilobytes('VmRSS') / 1024, peak: kilobytes('VmHWM') / 1024 };
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}

/** A load generator process that runs several loads. */
export interface Generator {
  run: (load: Load) => Promise<Measured>;
  stop: () => Promise<void>;
}

export function startGenerator(): Generator {
  const child = fork(fileURLToPath(new URL('./load.ts', import.meta.url)), { execArgv: [] });
  return {
    run: (load) =>
      new Promise((resolve, reject) => {
        const onExit = () => reject(new Error('The load generator ended.'));
        child.once('exit', onExit);
        child.once('message', (measured) => {
          child.off('exit', onExit);
          resolve(measured as Measured);
        });
        child.send(load);
      }),
    stop: () => ended(child),
  };
}
