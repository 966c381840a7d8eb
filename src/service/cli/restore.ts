import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../platform/config.ts';
import { loadSecret, secretFile, WrongSecret } from '../../platform/secrets.ts';
import { openStore } from '../../platform/storage/db.ts';
import { currentVersion } from '../../platform/storage/migrate.ts';
import { isPostgres, sqliteFile } from '../../platform/storage/url.ts';
import { mustFit } from './installation.ts';
import { type Io, print, printJson } from './io.ts';
import { countRows, type Verified, verifyDatabase } from './verify.ts';

interface Options {
  verify?: true;
  force?: true;
  json?: true;
}

export function add(program: Command, io: Io): void {
  program
    .command('restore')
    .argument('<file>', 'a backup; FILE.secret beside it is restored too')
    .description('Put a backup in the place of the database. Stop the service first.')
    .option('--verify', 'only check the backup, change nothing')
    .option('--force', 'also replace a database that holds data')
    .option('--json', 'one JSON line')
    .addHelpText('after', '\nExample:\n  backroom restore /backups/backroom-monday.db --verify')
    .action((file: string, options: Options) => run(io, file, options));
}

async function run(io: Io, file: string, options: Options): Promise<void> {
  const verified = await verifyDatabase(file);
  if (options.verify !== true) await restore(io, file, options.force === true);
  if (options.json) {
    printJson(io, { file, restored: options.verify !== true, ...verified });
    return;
  }
  for (const line of describe(verified)) print(io, line);
  if (options.verify === true) print(io, 'The backup is whole.');
  else if (await isKeyThere(io)) print(io, 'The backup is in place; start the service.');
  else {
    print(io, 'The backup is in place, the key of its PINs is not.');
    print(io, 'Put the key file beside the database (or set BACKROOM_SECRET) before you start the service.');
  }
}

/** Whether the restored database goes with the key that stands here. */
async function isKeyThere(io: Io): Promise<boolean> {
  const config = loadConfig(io.env);
  const store = await openStore(config.databaseUrl, { readers: 1 });
  try {
    if (config.secret === undefined && !existsSync(secretFile(config.databaseUrl))) return false;
    await mustFit(store, loadSecret(config), config.previousSecret);
    return true;
  } catch (error) {
    if (error instanceof WrongSecret) return false;
    throw error;
  } finally {
    await store.close();
  }
}

function describe({ version, pending, counts }: Verified): string[] {
  const behind = pending > 0 ? `, ${pending} behind this program: the next start brings it up` : '';
  return [`schema ${version}${behind}`, ...Object.entries(counts).map(([table, rows]) => `${table}: ${rows}`)];
}

async function restore(io: Io, file: string, force: boolean): Promise<void> {
  const config = loadConfig(io.env);
  if (isPostgres(config.databaseUrl)) {
    throw new Error('A PostgreSQL database is restored with pg_restore, and filled from a file with backroom copy.');
  }
  const target = sqliteFile(config.databaseUrl);
  if (existsSync(target)) await mustBeFree(config.databaseUrl, target, force);
  await mkdir(dirname(target), { recursive: true });
  const partial = `${target}.restoring`;
  await copyPrivate(file, partial);
  const secret = `${file}.secret`;
  if (config.secret === undefined && existsSync(secret)) {
    await copyPrivate(secret, secretFile(config.databaseUrl));
  }
  // What is in the log of the old database must not be played into the new one.
  for (const end of ['-wal', '-shm']) await rm(target + end, { force: true });
  await rename(partial, target);
  await sync(dirname(target));
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

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
