/** Runs the executable in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { testProgram } from '../../town/test-program.ts';

/**
 * The test files of a worker share this module. So the folder is deleted at the end of the run
 * (test/support/run-folder.ts), not at the end of a test file.
 */
export const folder = mkdtempSync(join(tmpdir(), 'backroom-cli-'));
const children = new Set<ChildProcess>();
/** Kills the processes that a failed test left running; otherwise the run would wait for them. */
const killChildren = () => {
  for (const child of children) child.kill('SIGKILL');
};
afterAll(killChildren);
process.once('exit', killChildren);

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Returns the settings of an installation with its own database. */
export function settings(name: string): Record<string, string> {
  return { DATABASE_URL: `sqlite:${join(folder, name)}`, LOG_LEVEL: 'info', PORT: '0' };
}

/** Starts the program; `under` is a command that runs it, such as setpriv. */
export function launch(
  env: Record<string, string>,
  args: readonly string[],
  input = '',
  under: readonly string[] = [],
): { child: ChildProcess; ended: Promise<Ended> } {
  const program = testProgram();
  const [command, ...rest] = [...under, process.execPath, program.main, ...args];
  const child = spawn(command!, rest, {
    env: { PATH: process.env.PATH, ...program.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  child.stdin.end(input);
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, ...text }));
  });
  return { child, ended };
}

export function backroom(env: Record<string, string>, args: readonly string[], input = ''): Promise<Ended> {
  return launch(env, args, input).ended;
}

/** Starts the service. Returns its address, and functions that send a signal to it and stop it. */
export async function serve(env: Record<string, string>): Promise<{
  address: string;
  tell: (signal: NodeJS.Signals) => void;
  stop: (signal?: NodeJS.Signals) => Promise<Ended>;
}> {
  const { child, ended } = launch(env, ['serve']);
  const address = await new Promise<string>((resolve, reject) => {
    let seen = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      const found = /"address":"(https?:[^"]+)"/.exec(seen)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ out, err }) => reject(new Error(`it ended: ${out}${err}`)));
  });
  return {
    address,
    tell: (signal) => child.kill(signal),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
