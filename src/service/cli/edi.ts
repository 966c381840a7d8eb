import { type Command, Option } from 'commander';
import type { RunOptions } from './edi-run.ts';
import { type Io, wholeFrom } from './io.ts';

const RUN_EXAMPLE =
  '\nExample:\n  backroom edi run --url https://backroom.example --api-key-file key --in from-partner --out to-partner';
const EXAMPLE = '\nExample:\n  backroom edi check ship-notice.x12';

/** Maximum of `--complete-after`. If an upload pauses longer than this, its gateway has failed. */
const COMPLETE_AFTER_MAX_S = 600;
const OVERTAKE_AFTER_MAX_S = 86_400;
const SKIP_MAX = 1_000_000;

export function add(program: Command, io: Io): void {
  const edi = program
    .command('edi')
    .description('Check EDI files (X12), exchange them with the service, and skip control numbers after a restore.')
    .addHelpText('after', EXAMPLE);
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
  edi
    .command('run')
    .description(
      'Serve two folders of an AS2 or SFTP gateway: send the files of the input folder to the service, and write files for partners into the output folder. Ends at SIGTERM. Run one process for each folder.',
    )
    .requiredOption('--url <url>', 'address of the service')
    .requiredOption('--api-key-file <file>', 'file with an apiKey of the client (group inbound)')
    .requiredOption(
      '--in <folder>',
      'folder with files from partners; sent ones move to done/DATE, rejected ones to failed',
    )
    .requiredOption('--out <folder>', 'folder for files to partners')
    .option(
      '--partner <partnerId>',
      'partner of both folders: files from others are quarantined, and only files for this partner are written',
    )
    .option(
      '--test-partner <partnerId>',
      'profile of usage T of the same partner: files for its tests are also written into the folder of --out',
    )
    .option('--state <folder>', 'folder for sent and rejected files, to which partners have no access (default: --in)')
    .option(
      '--complete-after <seconds>',
      `a file is complete when its size and time did not change for this time (1 to ${COMPLETE_AFTER_MAX_S}, default: 5)`,
      wholeFrom(1, COMPLETE_AFTER_MAX_S),
    )
    .option(
      '--overtake-after <seconds>',
      `later files wait for this time if a file gets errors while the service handles other requests (1 to ${OVERTAKE_AFTER_MAX_S}, default: 300)`,
      wholeFrom(1, OVERTAKE_AFTER_MAX_S),
    )
    .addHelpText('after', RUN_EXAMPLE)
    .action(async (options: RunOptions) => (await import('./edi-run.ts')).runFolders(io, options));
  edi
    .command('skip-numbers')
    .description(
      'Skip control numbers of every EDI partner. Run it once after a restore, so that no number is used a second time.',
    )
    .option(
      '--by <count>',
      `more than the number of files that a partner got after the backup (1 to ${SKIP_MAX})`,
      wholeFrom(1, SKIP_MAX),
      1_000,
    )
    .addHelpText('after', '\nExample:\n  backroom edi skip-numbers')
    .action(async (options: { by: number }) => (await import('./edi-numbers.ts')).skipNumbers(io, options));
}
