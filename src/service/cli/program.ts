/** Runs the commands of the program. Handles signals and closed pipes. */
import { Command, CommanderError } from 'commander';
import { Refusal } from '../../platform/http/errors.ts';
import { createLog } from '../../platform/log.ts';
import { systemPorts } from '../../platform/ports.ts';
import { VERSION } from '../../platform/version.ts';
import { Failed, type Io, WrongUsage } from './io.ts';

/** Each command loads only its own module, which shortens its start. */
const COMMANDS: Record<string, () => Promise<{ add: (program: Command, io: Io) => void }>> = {
  serve: () => import('./serve.ts'),
  demo: async () => ({ add: (await import('./demo.ts')).addDemo }),
  migrate: () => import('./migrate.ts'),
  copy: () => import('./copy.ts'),
  import: () => import('./import.ts'),
  export: () => import('./export.ts'),
  key: () => import('./key.ts'),
  user: () => import('./user.ts'),
  badges: () => import('./badges.ts'),
  secret: () => import('./secret.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  doctor: () => import('./doctor.ts'),
  edi: () => import('./edi.ts'),
  forget: () => import('./forget.ts'),
  'support-bundle': () => import('./support-bundle.ts'),
  schema: () => import('./schema.ts'),
  partitions: () => import('./partitions.ts'),
  version: () => import('./version.ts'),
};

/** Time after which a stopped command ends even if some of its work still runs. */
const LEFT_MS = 1_000;

/** The line after an error of usage. */
const HINT = '(add --help for commands and options)';

/**
 * Commands that the first signal stops gracefully; the second signal ends the process. The first signal ends every
 * other command at once, without its `finally` blocks, because these commands leave no customers' data and no child
 * process behind.
 */
const STOPS_GRACEFULLY = ['serve', 'demo', 'copy', 'import', 'export', 'backup', 'restore', 'edi run'];

const stop = new AbortController();
const [, , command = '', subcommand] = process.argv;
const isGraceful = [command, `${command} ${subcommand}`].some((one) => STOPS_GRACEFULLY.includes(one));
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  // Without a handler, the signal ends the process even during a long statement of SQLite. Only the first process of a
  // container (pid 1) needs a handler, because the kernel sends it no signal without one.
  if (!isGraceful && process.pid !== 1) continue;
  process.on(signal, () => {
    if (!isGraceful || stop.signal.aborted) process.exit(1);
    stop.abort();
  });
}
// The reader of a pipe can close it early (`| head`), and a file can be on a full disk.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`backroom: Standard output cannot be written: ${error.message}\n`);
  process.exit(1);
});

const io: Io = {
  env: process.env,
  out: process.stdout,
  err: process.stderr,
  signal: stop.signal,
  onHangUp: (listener) => process.on('SIGHUP', listener),
  ports: ({ logLevel }) => systemPorts(createLog(logLevel)),
};

/**
 * Runs the command of `argv`. Returns the exit code: 2 for wrong arguments, the code of a `Failed`, 1 for any other
 * error.
 */
export async function run(argv: string[]): Promise<number> {
  const program = new Command('backroom');
  program
    .description(
      'Order fulfillment and item master for retailers. Settings come from the environment (docs/operating.md).',
    )
    .version(VERSION)
    .addHelpText('after', '\nExample:\n  backroom serve');
  const called = COMMANDS[argv[2] ?? ''];
  for (const load of called === undefined ? Object.values(COMMANDS) : [called]) (await load()).add(program, io);
  catchExits(program);
  try {
    await program.parseAsync(argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Failed) return error.exitCode;
    if (error instanceof WrongUsage) {
      process.stderr.write(`error: ${error.message}\n${HINT}\n`);
      return 2;
    }
    process.stderr.write(`backroom: ${sentence(error)}\n`);
    return 1;
  } finally {
    // Unfinished work of the command, such as the rows of a stopped backup, does not keep the process running.
    if (stop.signal.aborted) setTimeout(() => process.exit(), LEFT_MS).unref();
  }
}

/**
 * By default, Commander ends the process before the database is closed. Here, Commander must throw an error instead.
 */
function catchExits(command: Command): void {
  command.exitOverride();
  command.showHelpAfterError(HINT);
  for (const child of command.commands) catchExits(child);
}

function sentence(error: unknown): string {
  if (error instanceof Refusal) {
    const errors = error.options.errors ?? [];
    return errors.length > 1
      ? [error.message, ...errors.map((fault) => `  - ${String(fault.message)}`)].join('\n')
      : error.message;
  }
  if (!(error instanceof Error)) return String(error);
  // An error of these classes is a bug, so its stack is shown.
  const isBug = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isBug ? (error.stack ?? error.message) : error.message;
}
