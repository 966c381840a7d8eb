import { type Command, InvalidArgumentError } from 'commander';
import { SECOND_MS } from '../../platform/time.ts';
import { type Copy, type Series, takeCopies } from '../backup/series.ts';
import { formOf, noteBackup, takeBackup } from '../backup/take.ts';
import { everyOf, inWords } from './every.ts';
import { withStore } from './installation.ts';
import { type Io, print, printJson, WrongUsage, wholeFrom } from './io.ts';

const KEEP = 96;
const KEEP_MAX = 10_000;

interface Options {
  every?: number;
  keep?: number;
  portable?: true;
  json?: true;
}

export function add(program: Command, io: Io): void {
  program
    .command('backup')
    .argument(
      '<file>',
      'new file; FILE.manifest.json beside it lists its content, FILE.secret gets the key that encrypts PINs and other secrets',
    )
    .description('Copy the database as it is now, while the service runs, and verify the copy.')
    .option('--every <time>', 'keep running: take a copy into the folder FILE every 10s to 7d, such as 15m', everyFrom)
    .option('--keep <count>', `with --every: number of copies to keep (default: ${KEEP})`, wholeFrom(1, KEEP_MAX))
    .option(
      '--portable',
      'PostgreSQL: write an SQLite file that both engines can restore; the default if pg_dump is not installed',
    )
    .option('--json', 'print one JSON line, with --every one line for each copy')
    .addHelpText(
      'after',
      '\nExample:\n  backroom backup /backups/backroom-monday.db\n  backroom backup /backups/shop --every 15m --keep 96',
    )
    .action((file: string, options: Options) => run(io, file, options));
}

function everyFrom(text: string): number {
  const ms = everyOf(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a time from 10s to 7d, such as 30s, 15m, 6h or 1d.');
  return ms;
}

async function run(io: Io, file: string, { every, keep, portable, json }: Options): Promise<void> {
  const isPortable = portable === true;
  if (every !== undefined)
    return takeSeries(io, { folder: file, everyMs: every, keep: keep ?? KEEP, isPortable, ...(json && { json }) });
  if (keep !== undefined)
    throw new WrongUsage('--keep needs --every, because a single backup removes no other backups.');
  // Any schema is accepted, because the backup is taken before an upgrade.
  const { taken, isSet, isDump, engine } = await withStore(
    io,
    async ({ store, config, ports }) => {
      const form = await formOf(store, isPortable);
      const taken = await takeBackup(store, config, file, ports, form, io.signal);
      await noteBackup(store, ports.now()).catch((error: unknown) => warnUnrecorded(io, error as Error));
      return { taken, isSet: config.secret !== undefined, isDump: form === 'dump', engine: store.engine };
    },
    { schema: 'any' },
  );
  const { secretFile = null, manifestFile, digest, takenAt, counts } = taken;
  if (json) {
    printJson(io, { file, secretFile, manifestFile, digest, takenAt, counts });
    return;
  }
  print(io, `${file} is complete and verified.`);
  if (engine === 'postgres' && !isDump) print(io, 'It is an SQLite file; restore it into PostgreSQL or SQLite.');
  print(io, `${manifestFile} proves its content: ${digest}`);
  print(io, whereKeyIs(secretFile, isSet));
}

/**
 * Warns that the database accepts no writes, so the finished backup cannot be recorded. The command still succeeds,
 * because such a database needs a backup most.
 */
function warnUnrecorded(io: Io, error: Error): void {
  io.err.write(
    `backroom: the database accepts no write, so the metrics do not know this backup or this series: ${error.message}\n`,
  );
}

function whereKeyIs(secret: string | null, isSet: boolean): string {
  if (secret !== null) return `${secret} has the key of PINs and other secrets.`;
  if (isSet) return 'The key of PINs and other secrets is in BACKROOM_SECRET; back it up too.';
  return 'There is no key file beside the database: this backup cannot be served without the key of PINs and other secrets.';
}

/** Takes copies until the process gets a signal, and reports how much data the loss of the disk would cost. */
export function takeSeries(io: Io, { json, ...series }: Series & Pick<Options, 'json'>): Promise<void> {
  const { everyMs, keep } = series;
  return takeCopies((work) => withStore(io, work, { schema: 'any' }), series, {
    signal: io.signal,
    onBegin() {
      if (json) return;
      print(io, `One copy every ${inWords(everyMs)}; the newest ${keep} are kept (${inWords(everyMs * keep)}).`);
      print(io, `If the disk fails, you lose at most the writes of ${inWords(everyMs)} plus the time of a copy.`);
    },
    onCopy: (copy) => (json ? printJson(io, lineOf(copy)) : print(io, sentenceOf(copy))),
    onUnrecorded: (error) => warnUnrecorded(io, error),
    onFailure(error, retryMs) {
      io.err.write(`backroom: no copy was taken, next try in ${inWords(retryMs)}: ${error.message}\n`);
    },
  });
}

function lineOf({ file, takenAt, digest, bytes, ms, kept, removed }: Copy) {
  return { file, takenAt, digest, bytes, seconds: secondsOf(ms), kept, removed };
}

function sentenceOf({ file, bytes, ms, kept, takenAt }: Copy): string {
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${file}: ${size} in ${secondsOf(ms)} s, verified, ${kept} kept. If the disk fails, you lose the writes after ${takenAt}.`;
}

const secondsOf = (ms: number): number => Number((ms / SECOND_MS).toFixed(1));
