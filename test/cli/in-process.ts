/** Runs a command in this process, on a database that the test has open. */
import { Command } from 'commander';
import { createLog } from '../../src/platform/log.ts';
import { systemPorts } from '../../src/platform/ports.ts';
import { Failed, type Io } from '../../src/service/cli/io.ts';
import type { Ended } from './support.ts';

/** As the executable would end, with the exit codes of `src/service/cli/program.ts`. */
export async function perform(
  add: (program: Command, io: Io) => void,
  env: Record<string, string>,
  args: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<Ended> {
  const text = { out: '', err: '' };
  const collect = (stream: keyof typeof text) => ({
    write(said: string) {
      text[stream] += said;
    },
  });
  const program = new Command();
  add(program, {
    env,
    out: collect('out'),
    err: collect('err'),
    signal,
    ports: () => systemPorts(createLog('silent')),
  } as never);
  try {
    await program.parseAsync(['node', 'backroom', ...args]);
    return { code: 0, ...text };
  } catch (error) {
    if (error instanceof Failed) return { code: error.exitCode, ...text };
    return { code: 1, ...text, err: `${text.err}${(error as Error).message}` };
  }
}
