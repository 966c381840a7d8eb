import type { Command } from 'commander';
import { loadConfig } from '../../platform/config.ts';
import { manifestFile } from '../backup/manifest.ts';
import { compareDatabase, type JudgedKey, type Outcome, restoreBackup, verifyBackup } from '../backup/restore.ts';
import { Failed, type Io, print, printJson, WrongUsage } from './io.ts';

interface Options {
  verify?: true;
  inPlace?: true;
  force?: true;
  json?: true;
}

/** Exit code of `--verify` for a readable backup without a manifest. */
const NOT_PROVEN = 3;

export function add(program: Command, io: Io): void {
  program
    .command('restore')
    .argument('<file>', 'a backup; FILE.secret beside it is restored too, FILE.manifest.json lists its content')
    .description('Replace the database with a backup, and verify its content by hashes. Stop the service first.')
    .option('--verify', 'only check the backup, change nothing')
    .option('--in-place', 'with --verify: compare the database of DATABASE_URL, however it was restored')
    .option('--force', 'also replace a database that has data')
    .option('--json', 'print one JSON line')
    .addHelpText(
      'after',
      '\nExit codes: 0 restored or verified; 1 damaged, different, wrong key, or not restored; 3 with --verify: readable, but without a manifest.',
    )
    .addHelpText('after', '\nExample:\n  backroom restore /backups/backroom-monday.db --verify')
    .action((file: string, options: Options) => run(io, file, options));
}

async function run(io: Io, file: string, options: Options): Promise<void> {
  if (options.inPlace === true && options.verify !== true) {
    throw new WrongUsage('--in-place only compares: use --verify --in-place.');
  }
  const found = await look(io, file, options);
  const { schema: version, pending, counts, restored, differs = [], sameFile, key } = found;
  const isWhole = differs.length === 0 && sameFile !== false;
  if (options.json) {
    const proven = found.differs === undefined ? null : isWhole;
    const changed = sameFile === false && { sameFile };
    printJson(io, { file, restored, version, pending, counts, proven, differs, ...changed, key: key?.fit ?? null });
  } else {
    for (const line of describe(found)) print(io, line);
    for (const line of differs) print(io, `DIFFERENT ${line}`);
    print(io, sentenceOf(file, found, options));
    const isToServe = (restored || options.inPlace === true) && differs.length === 0;
    if (isToServe && counts['edi_partners']) print(io, skipSentence(pending));
    if (key !== undefined && differs.length === 0) print(io, keySentence(key, found, options));
  }
  if (key?.fit === 'wrong') throw new Failed('The key is wrong.');
  // A restore accepts changed bytes if the rows are equal; --verify does not.
  if (options.verify === true ? !isWhole : differs.length > 0) throw new Failed('The backup and its manifest differ.');
  if (options.verify === true && found.differs === undefined) throw new Failed('There is no manifest.', NOT_PROVEN);
}

function look(io: Io, file: string, { verify, inPlace, force }: Options): Promise<Outcome> {
  if (inPlace) return compareDatabase(file, loadConfig(io.env).databaseUrl, io.signal);
  return verify ? verifyBackup(file, io.signal) : restoreBackup(file, loadConfig(io.env), force === true, io.signal);
}

function sentenceOf(file: string, { differs, sameFile, restored, key }: Outcome, { verify, inPlace }: Options): string {
  const isProven = differs?.length === 0;
  if (inPlace === true) {
    return isProven
      ? 'The database has the content of the backup: every row of every table.'
      : `The database differs from ${manifestFile(file)}. Was it served after the restore?`;
  }
  if (differs === undefined) {
    const whole = `There is no ${manifestFile(file)}, so its rows cannot be compared with those that were backed up`;
    return verify === true ? `The backup can be read. ${whole}.` : `${whole}.`;
  }
  if (!isProven && restored) {
    return 'The database is filled, but differs from the backup. Do not serve it: drop it, and restore another backup into an empty database.';
  }
  if (!isProven) {
    const kept = verify === true ? '' : ' Nothing was changed.';
    return `The backup has changed since it was taken.${kept} Use another backup; to restore it as it is, move ${manifestFile(file)} away.`;
  }
  if (sameFile === false) return `The bytes of ${file} have changed since it was written. Take another backup.`;
  return verify === true && key?.fit !== 'wrong'
    ? 'The backup is whole: every row of every table is the same as when it was taken.'
    : 'Every row of every table is the same as when the backup was taken.';
}

function skipSentence(pending: number): string {
  const commands = `${pending > 0 ? 'backroom migrate, then ' : ''}backroom edi skip-numbers`;
  return `EDI partners may have files that the service wrote after the backup: run ${commands} once before you start the service.`;
}

function keySentence({ fit, place }: JudgedKey, { restored }: Outcome, { verify }: Options): string {
  if (fit === 'wrong') {
    const right =
      'the key with which the database was served when the backup was taken (during a key rotation, also the previous key)';
    if (restored)
      return `The database is filled, but ${place} is not its key: before you start the service, provide ${right}.`;
    const kept = verify === true ? '' : ' Nothing was changed.';
    return `${place} is not the key of this backup: its PINs and secrets cannot be decrypted.${kept} Provide ${right}${place.endsWith('.secret') ? `, or move ${place} away` : ''}.`;
  }
  if (verify === true) {
    return fit === 'fits'
      ? `${place} is the key of its PINs.`
      : `There is no ${place}, so the key of its PINs was not checked.`;
  }
  if (fit === 'fits') return 'The backup is in place; start the service.';
  return [
    'The backup is in place, but the key of its PINs is missing.',
    'Put the key file beside the database (or set BACKROOM_SECRET) before you start the service.',
  ].join('\n');
}

function describe({ schema, pending, counts }: Outcome): string[] {
  if (schema === 0) return [];
  const behind = pending > 0 ? `, ${pending} behind this program: the next start migrates it` : '';
  return [`schema ${schema}${behind}`, ...Object.entries(counts).map(([table, rows]) => `${table}: ${rows}`)];
}
