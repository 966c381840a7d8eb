import { type Command, InvalidArgumentError } from 'commander';
import { takeSeries } from './backup-series.ts';
import { everyOf } from './every.ts';
import { withStore } from './installation.ts';
import { type Io, print, printJson } from './io.ts';
import { digestOf, manifestFile } from './manifest.ts';
import { countsOf, noteBackup, takeBackup } from './take-backup.ts';

const KEEP = 96;
const KEEP_MAX = 10_000;

interface Options {
  every?: number;
  keep?: number;
  json?: true;
}

export function add(program: Command, io: Io): void {
  program
    .command('backup')
    .argument(
      '<file>',
      'new file; beside it FILE.manifest.json says what it holds, FILE.secret gets the key of the PINs',
    )
    .description('Copy the database as it is now, while the service goes on, and verify the copy.')
    .option('--every <time>', 'go on: a copy into the folder FILE each 10s to 7d, such as 15m', everyFrom)
    .option('--keep <count>', `with --every: how many copies stay (default: ${KEEP})`, keepFrom)
    .option('--json', 'one JSON line, with --every one for each copy')
    .addHelpText(
      'after',
      '\nExample:\n  backroom backup /backups/backroom-monday.db\n  backroom backup /backups/shop --every 15m --keep 96',
    )
    .action((file: string, options: Options) => run(io, file, options));
}

function everyFrom(text: string): number {
  const ms = everyOf(text);
  if (ms === undefined) throw new InvalidArgumentError('It is a time from 10s to 7d, such as 30s, 15m, 6h or 1d.');
  return ms;
}

function keepFrom(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= KEEP_MAX) return count;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${KEEP_MAX}.`);
}

async function run(io: Io, file: string, { every, keep, json }: Options): Promise<void> {
  if (every !== undefined) {
    return takeSeries(io, { folder: file, everyMs: every, keep: keep ?? KEEP, ...(json && { json }) });
  }
  if (keep !== undefined) throw new Error('--keep goes with --every; a single backup removes no other.');
  // Of whatever schema the database is: the backup comes before the upgrade.
  const { taken, isSet } = await withStore(
    io,
    async ({ store, config, ports }) => {
      const taken = await takeBackup(store, config, file, ports);
      // On PostgreSQL something else may be the backup: an alert on the age of a single dump would deceive.
      if (store.engine === 'sqlite') await noteBackup(store, ports.now());
      return { taken, isSet: config.secret !== undefined };
    },
    { schema: 'any' },
  );
  const { manifest } = taken;
  const digest = digestOf(manifest);
  if (json) {
    const files = { file, secretFile: taken.secretFile ?? null, manifestFile: manifestFile(file) };
    printJson(io, { ...files, digest, takenAt: manifest.takenAt, counts: countsOf(manifest.tables) });
    return;
  }
  print(io, `${file} is complete and verified.`);
  print(io, `${manifestFile(file)} proves what it holds: ${digest}`);
  print(io, whereKeyIs(taken.secretFile, isSet));
}

function whereKeyIs(secret: string | undefined, isSet: boolean): string {
  if (secret !== undefined) return `${secret} holds the key of the PINs.`;
  if (isSet) return 'The key of the PINs is in BACKROOM_SECRET; keep it too.';
  return 'There is no key file beside the database: without the key of the PINs this backup cannot be served.';
}
