/** Runs a command in this process, on a database that the test has open. */
import { Command } from 'commander';
import { createLog } from '../../src/platform/log.ts';
import { systemPorts } from '../../src/platform/ports.ts';
import { Failed, type Io, WrongUsage } from '../../src/service/cli/io.ts';
import type { Ended } from './support.ts';

/** The output so far. */
export interface Said {
  out: string;
  err: string;
}

/** Returns the environment of a command and its output so far. `now` is the clock of the command. */
export function ioOf(
  env: Record<string, string>,
  { signal = new AbortController().signal, now }: { signal?: AbortSignal; now?: () => number } = {},
): { io: Io; said: Said } {
  const said = { out: '', err: '' };
  const collect = (stream: keyof Said) => ({
    write(text: string) {
      said[stream] += text;
    },
  });
  const ports = () => ({ ...systemPorts(createLog('silent')), ...(now && { now }) });
  return {
    io: { env, out: collect('out'), err: collect('err'), signal, onHangUp: () => undefined, ports } as never,
    said,
  };
}

/**
 * Runs a command and returns its output and exit code: 0, the code of a `Failed`, 2 after wrong usage, or 1 after any
 * other error.
 */
export async function perform(
  add: (program: Command, io: Io) => void,
  env: Record<string, string>,
  args: readonly string[],
  surroundings: Parameters<typeof ioOf>[1] = {},
): Promise<Ended> {
  const { io, said } = ioOf(env, surroundings);
  const program = new Command();
  add(program, io);
  try {
    await program.parseAsync(['node', 'backroom', ...args]);
    return { code: 0, ...said };
  } catch (error) {
    if (error instanceof Failed) return { code: error.exitCode, ...said };
    const code = error instanceof WrongUsage ? 2 : 1;
    return { code, ...said, err: `${said.err}${(error as Error).message}` };
  }
}
