import { chmodSync, existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { loadSecret, secretFile } from '../secrets.ts';
import type { Store } from '../storage/db.ts';
import { mustFit, withStore } from './installation.ts';
import { type Io, print, printJson } from './io.ts';
import { verifyDatabase } from './verify.ts';

export function add(program: Command, io: Io): void {
  program
    .command('backup')
    .argument('<file>', 'new file; beside it FILE.secret gets the key of the PINs')
    .description('Copy the database as it is now, while the service goes on, and verify the copy.')
    .option('--json', 'one JSON line')
    .addHelpText('after', '\nExample:\n  backroom backup /backups/backroom-monday.db')
    .action((file: string, options: { json?: true }) => run(io, file, options));
}

async function run(io: Io, file: string, { json }: { json?: true }): Promise<void> {
  // Of whatever schema the database is: the backup comes before the upgrade.
  const { taken, isSet } = await withStore(
    io,
    async ({ store, config }) => {
      if (store.engine === 'postgres') {
        throw new Error('A PostgreSQL database is backed up with pg_dump; see docs/operating.md.');
      }
      return { taken: await takeBackup(store, config, file), isSet: config.secret !== undefined };
    },
    { schema: 'any' },
  );
  const { counts } = await verifyDatabase(file);
  if (json) printJson(io, { file, secretFile: taken.secretFile ?? null, counts });
  else {
    print(io, `${file} is complete and verified.`);
    print(io, whereKeyIs(taken.secretFile, isSet));
  }
}

/** A backup that was taken, and the copy of the key of the PINs where there is one. */
export interface Taken {
  file: string;
  secretFile?: string;
}

/**
 * Copies an SQLite database of any schema to a new file, and the key of its PINs to FILE.secret.
 * @throws Error when the file exists, or the key at hand is not the database's.
 */
export async function takeBackup(store: Store, config: Config, file: string): Promise<Taken> {
  if (existsSync(file)) throw new Error(`${file} exists already; a backup never replaces a file.`);
  // The key first: a backup without it would be one whose PINs cannot be read, one with another key would deceive.
  const key = secretFile(config.databaseUrl);
  const copied = config.secret === undefined && existsSync(key);
  if (copied) {
    await mustFit(store, loadSecret(config));
    await copyFile(key, `${file}.secret`);
    chmodSync(`${file}.secret`, 0o600);
  }
  await store.backup(file);
  chmodSync(file, 0o600);
  return { file, ...(copied && { secretFile: `${file}.secret` }) };
}

function whereKeyIs(secret: string | undefined, isSet: boolean): string {
  if (secret !== undefined) return `${secret} holds the key of the PINs.`;
  if (isSet) return 'The key of the PINs is in BACKROOM_SECRET; keep it too.';
  return 'There is no key file beside the database: without the key of the PINs this backup cannot be served.';
}
