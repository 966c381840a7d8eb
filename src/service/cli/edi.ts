import { type Command, Option } from 'commander';
import type { Io } from './io.ts';

const EXAMPLE = '\nExample:\n  backroom edi check ship-notice.x12';

export function add(program: Command, io: Io): void {
  const edi = program.command('edi').description('Check EDI files (X12).').addHelpText('after', EXAMPLE);
  edi
    .command('check')
    .description(
      'Check an X12 file (856, 850, 860, 824, 861, 997) and print its structure, its findings, and the acknowledgment for its sender. Needs no server and no database. Exits with 1 on an error in the file, 2 if it is not X12.',
    )
    .argument('<file>', 'file to check; - for standard input')
    .addOption(new Option('--partner <file>', 'JSON file with the profile of the partner (docs/edi.md)'))
    .option('--json', 'print one JSON line')
    .addHelpText('after', EXAMPLE)
    .action(async (file: string, options: { partner?: string; json?: true }) =>
      (await import('./edi-check.ts')).check(io, file, options),
    );
}
