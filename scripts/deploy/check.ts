/** Functions for the checks of `npm run verify:deploy`. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../town/free-port.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
/** The folder with the files that operators copy. */
export const DEPLOY = join(ROOT, 'deploy');

/** A check and the programs that it requires. */
export interface Check {
  name: string;
  /** Programs that the check requires. */
  tools: readonly string[];
  /** The flag of a check that takes several minutes. Without the flag, the check is skipped. */
  flag?: string;
  /** Runs the check; returns a line for the report. @throws Error if the check fails. */
  run: (scratch: string) => Promise<string | undefined>;
}

/** A failed check. */
class Fault extends Error {
  override readonly name = 'Fault';
}

/** Throws with the given sentence unless the condition is true. */
export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Fault(otherwise);
}

/** Whether a program is in PATH or in Debian's folders for the superuser. */
export function hasTool(name: string): boolean {
  const path = [process.env['PATH'], '/usr/sbin', '/sbin'].join(delimiter);
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { env: { ...process.env, PATH: path } }).status === 0;
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: string;
}

/** Runs a program to its end. Any exit code is accepted. */
export function ran(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const env = { ...process.env, ...options.env };
  env.PATH = [env.PATH, '/usr/sbin', '/sbin'].join(delimiter);
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      { cwd: options.cwd ?? ROOT, env, maxBuffer: 256 << 20 },
      (error, out, err) => {
        if (error !== null && typeof error.code !== 'number') reject(error);
        else resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
      },
    );
    // A program that ends before it has read its input causes an error here. The error is ignored.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}

/** Returns the standard output of a program. Throws if the program fails. */
export async function outputOf(command: string, args: readonly string[], options?: RunOptions): Promise<string> {
  const { code, out, err } = await ran(command, args, options);
  must(code === 0, `${command} ${args.join(' ')} ended with ${code}: ${(err + out).trim().slice(-2_000)}`);
  return out;
}

/** Runs a function with a temporary folder, which is deleted at the end. */
export async function withScratch<R>(name: string, work: (folder: string) => Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), `backroom-deploy-${name}-`));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program that runs until it is stopped. */
export interface Running {
  child: ChildProcess;
  /** Returns the output so far, of both streams. */
  said: () => string;
  /** Stops the program. Resolves with its exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export function started(command: string, args: readonly string[], options: RunOptions = {}): Running {
  const env = { ...process.env, ...options.env };
  env.PATH = [env.PATH, '/usr/sbin', '/sbin'].join(delimiter);
  const child = spawn(command, args, { cwd: options.cwd ?? ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', (error) => {
      text += String(error);
      resolve(null);
    });
  });
  return {
    child,
    said: () => text,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

const PATIENCE_MS = 60_000;

/** Waits until a condition is true. Throws if `running` ends first, or after PATIENCE_MS. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, running?: Running): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    const isOver = running !== undefined && (running.child.exitCode !== null || running.child.signalCode !== null);
    must(!isOver && Date.now() < end, `${what} did not come: ${running?.said().trim().slice(-2_000) ?? ''}`);
    await sleep(50);
  }
}

export interface Service extends Running {
  /** Address of the port itself, without the path of PUBLIC_URL. */
  address: string;
  port: number;
}

/** Starts the service of this checkout, with a new database below `scratch`. */
export async function serve(scratch: string, env: Record<string, string> = {}): Promise<Service> {
  const port = await freePort();
  const running = started(process.execPath, [join(ROOT, 'src/main.ts'), 'serve'], {
    env: { DATABASE_URL: `sqlite:${join(scratch, 'backroom.db')}`, PORT: String(port), ...env },
  });
  await until(() => running.said().includes('"listening on'), 'the line "listening on"', running);
  return { ...running, port, address: `http://127.0.0.1:${port}` };
}
