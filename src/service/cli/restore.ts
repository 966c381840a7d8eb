import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../platform/config.ts';
import { loadSecret, otherSecret, previousSecretFile, secretFile, WrongSecret } from '../../platform/secrets.ts';
import { openStore } from '../../platform/storage/db.ts';
import { currentVersion, isMade, readMigrations } from '../../platform/storage/migrate.ts';
import { isPostgres, placeOf, sqliteFile } from '../../platform/storage/url.ts';
import { mustFit } from './installation.ts';
import { Failed, type Io, print, printJson } from './io.ts';
import {
  type Content,
  contentOf,
  differences,
  isSameFile,
  type Manifest,
  manifestFile,
  readManifest,
} from './manifest.ts';
import { countsOf, keyEnds, syncFolder } from './take-backup.ts';
import { countRows, verifyDatabase } from './verify.ts';

interface Options {
  verify?: true;
  inPlace?: true;
  force?: true;
  json?: true;
}

/** The exit code where a backup is whole, but nothing says what it held. */
const NOT_PROVEN = 3;

/** What a look at a backup, or at what was restored from it, has found. */
interface Outcome {
  schema: number;
  /** Migrations it lacks. */
  pending: number;
  counts: Record<string, number>;
  /** What its manifest says is otherwise; undefined without a manifest. */
  differs: string[] | undefined;
  /** Whether the database holds the backup now, whatever was found. */
  isFilled: boolean;
  /** False where the bytes of the backup have changed, whatever its rows say. */
  sameFile?: boolean;
}

export function add(program: Command, io: Io): void {
  program
    .command('restore')
    .argument('<file>', 'a backup; FILE.secret beside it is restored too, FILE.manifest.json says what it held')
    .description(
      'Put a backup in the place of the database, and prove by hashes that it is the same. Stop the service first.',
    )
    .option('--verify', 'only check the backup, change nothing')
    .option('--in-place', 'with --verify: compare the database that DATABASE_URL names, restored by whatever means')
    .option('--force', 'also replace a database that holds data')
    .option('--json', 'one JSON line')
    .addHelpText(
      'after',
      '\nExit codes: 0 restored, or proven; 1 damaged, different, or not restored; 3 with --verify: whole, but without a manifest.',
    )
    .addHelpText('after', '\nExample:\n  backroom restore /backups/backroom-monday.db --verify')
    .action((file: string, options: Options) => run(io, file, options));
}

async function run(io: Io, file: string, options: Options): Promise<void> {
  if (options.inPlace === true && options.verify !== true) {
    throw new Error('--in-place compares and changes nothing: say --verify --in-place.');
  }
  const found = await look(io, file, options);
  const differs = found.differs ?? [];
  const isWhole = differs.length === 0 && found.sameFile !== false;
  const restored = found.isFilled;
  if (options.json) {
    const { schema: version, pending, counts, sameFile } = found;
    const proven = found.differs === undefined ? null : isWhole;
    printJson(io, {
      file,
      restored,
      version,
      pending,
      counts,
      proven,
      differs,
      ...(sameFile === false && { sameFile }),
    });
  } else {
    for (const line of describe(found)) print(io, line);
    for (const line of differs) print(io, `DIFFERENT ${line}`);
    print(io, sentenceOf(file, found, options));
    if (restored && differs.length === 0) print(io, await whatNext(io));
  }
  // A backup whose rows are all the same is as good as it was.
  if (options.verify === true ? !isWhole : differs.length > 0) throw new Failed('The backup and its manifest differ.');
  if (options.verify === true && found.differs === undefined) throw new Failed('There is no manifest.', NOT_PROVEN);
}

async function look(io: Io, file: string, options: Options): Promise<Outcome> {
  const manifest = readManifest(file);
  if (options.inPlace === true) {
    if (manifest === undefined) throw new Error(`There is no ${manifestFile(file)} to compare with.`);
    return compared(manifest, await contentOf(loadConfig(io.env).databaseUrl));
  }
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const isDump = manifest === undefined ? await beginsWith(file, 'PGDMP') : manifest.engine === 'postgres';
  if (options.verify !== true) {
    const { databaseUrl } = loadConfig(io.env);
    if (isPostgres(databaseUrl) !== isDump) {
      const [is, other] = isDump ? ['PostgreSQL', 'SQLite'] : ['SQLite', 'PostgreSQL'];
      throw new Error(
        `${file} is a backup of ${is}, and DATABASE_URL names a database of ${other}. Restore it into one of ${is}, then run backroom copy.`,
      );
    }
    return isDump ? restoreDump(io, file, manifest) : restore(io, file, manifest, options.force === true);
  }
  const sameFile = manifest === undefined ? {} : { sameFile: await isSameFile(manifest, file) };
  // What a dump holds only a server can tell: of the file its own hash.
  if (isDump) return { ...dumpOutcome(manifest), ...sameFile };
  return { ...(await lookAt(file, manifest)), ...sameFile };
}

function dumpOutcome(manifest: Manifest | undefined): Outcome {
  if (manifest === undefined) return { schema: 0, pending: 0, counts: {}, differs: undefined, isFilled: false };
  return { ...compared(manifest, manifest), differs: [] };
}

/** An SQLite file against its manifest. */
async function lookAt(file: string, manifest: Manifest | undefined): Promise<Outcome> {
  const { version, pending, counts } = await verifyDatabase(file);
  const differs = manifest === undefined ? undefined : differences(manifest, await contentOf(`sqlite:${file}`));
  return { schema: version, pending, counts, differs, isFilled: false };
}

function compared(manifest: Content, found: Content): Outcome {
  const pending = Math.max(0, readMigrations().length - found.schema);
  const differs = differences(manifest, found);
  return { schema: found.schema, pending, counts: countsOf(found.tables), differs, isFilled: false };
}

function sentenceOf(file: string, { differs, sameFile, isFilled }: Outcome, { verify, inPlace }: Options): string {
  const isProven = differs?.length === 0;
  if (inPlace === true) {
    return isProven
      ? 'The database holds what the backup held: every row of every table.'
      : `The database is not what ${manifestFile(file)} says. Was it served after the restore?`;
  }
  if (differs === undefined) {
    const whole = `There is no ${manifestFile(file)}, so nothing proves that its rows are those that were backed up`;
    return verify === true ? `The backup can be read. ${whole}.` : `${whole}.`;
  }
  if (!isProven && isFilled) {
    return 'The database is filled, and is not what was backed up. Do not serve it: drop it, and restore another backup into an empty one.';
  }
  if (!isProven) {
    const kept = verify === true ? '' : ' Nothing was changed.';
    return `The backup is not what it was.${kept} Take another one; to restore it as it is, move ${manifestFile(file)} away.`;
  }
  if (sameFile === false) return `The bytes of ${file} are not those that were written. Take another backup.`;
  return verify === true
    ? 'The backup is whole: every row of every table is the same as when it was taken.'
    : 'Every row of every table is the same as when the backup was taken.';
}

async function whatNext(io: Io): Promise<string> {
  if (await isKeyThere(io)) return 'The backup is in place; start the service.';
  return [
    'The backup is in place, the key of its PINs is not.',
    'Put the key file beside the database (or set BACKROOM_SECRET) before you start the service.',
  ].join('\n');
}

/** Fills an empty database; what it then holds is read again. */
async function restoreDump(io: Io, file: string, manifest: Manifest | undefined): Promise<Outcome> {
  const { databaseUrl } = loadConfig(io.env);
  if (await isMade(databaseUrl)) {
    throw new Error(
      `${placeOf(databaseUrl)} holds tables; make an empty database (createdb) and restore into that one.`,
    );
  }
  const { restoreFrom } = await import('./postgres-programs.ts');
  await restoreFrom(databaseUrl, file);
  const found = await contentOf(databaseUrl);
  return {
    ...compared(manifest ?? found, found),
    ...(manifest === undefined && { differs: undefined }),
    isFilled: true,
  };
}

/** Whether the restored database goes with the key that stands here. */
async function isKeyThere(io: Io): Promise<boolean> {
  const config = loadConfig(io.env);
  const store = await openStore(config.databaseUrl, { readers: 1 });
  try {
    if (config.secret === undefined && !existsSync(secretFile(config.databaseUrl))) return false;
    await mustFit(store, loadSecret(config), otherSecret(config));
    return true;
  } catch (error) {
    if (error instanceof WrongSecret) return false;
    throw error;
  } finally {
    await store.close();
  }
}

function describe({ schema, pending, counts }: Outcome): string[] {
  if (schema === 0) return [];
  const behind = pending > 0 ? `, ${pending} behind this program: the next start brings it up` : '';
  return [`schema ${schema}${behind}`, ...Object.entries(counts).map(([table, rows]) => `${table}: ${rows}`)];
}

/** Copies the backup beside the database, looks at the copy, and only then puts it in the place of the database. */
async function restore(io: Io, file: string, manifest: Manifest | undefined, force: boolean): Promise<Outcome> {
  const config = loadConfig(io.env);
  // A damaged one is told before anything else.
  await verifyDatabase(file);
  const target = sqliteFile(config.databaseUrl);
  if (existsSync(target)) await mustBeFree(config.databaseUrl, target, force);
  await mkdir(dirname(target), { recursive: true });
  const partial = `${target}.restoring`;
  try {
    await copyPrivate(file, partial);
    const found = await lookAt(partial, manifest);
    if ((found.differs ?? []).length > 0) return found;
    const secret = `${file}.secret`;
    if (config.secret === undefined && existsSync(secret)) {
      await rm(previousSecretFile(config.databaseUrl), { force: true });
      for (const end of keyEnds(secret)) await copyPrivate(secret + end, secretFile(config.databaseUrl) + end);
    }
    // What is in the log of the old database must not be played into the new one.
    for (const end of ['-wal', '-shm']) await rm(target + end, { force: true });
    await rename(partial, target);
    await syncFolder(dirname(target));
    return { ...found, isFilled: true };
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(partial + end, { force: true });
  }
}

/** Refuses a database that holds data (unless forced), and always one that a service has open. */
async function mustBeFree(url: string, target: string, force: boolean): Promise<void> {
  // A service keeps the write-ahead log open; the last one to close removes it.
  if (existsSync(`${target}-wal`)) {
    const store = await openStore(url, { readers: 1 });
    await store.close();
    if (existsSync(`${target}-wal`)) throw new Error(`${target} is open in another process; stop the service first.`);
  }
  if (force) return;
  const store = await openStore(url, { readers: 1 });
  try {
    const rows = (await currentVersion(store)) === 0 ? {} : await countRows(store);
    if (Object.values(rows).some((count) => count > 0)) {
      throw new Error(
        `${target} holds data; restore into an empty place (DATABASE_URL), or say --force to replace it.`,
      );
    }
  } finally {
    await store.close();
  }
}

/** Copies to a file that nobody else may read from its first byte on, whatever the mode of the source; it is on disk then. */
async function copyPrivate(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  const target = await open(to, 'wx', 0o600);
  try {
    for await (const chunk of createReadStream(from)) await target.writeFile(chunk as Buffer);
    await target.sync();
  } finally {
    await target.close();
  }
}

async function beginsWith(file: string, text: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(text.length), 0, text.length, 0);
    return buffer.toString('latin1') === text;
  } finally {
    await handle.close();
  }
}
