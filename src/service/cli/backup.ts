import { chmodSync, existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Config } from '../../platform/config.ts';
import { loadSecret, secretFile } from '../../platform/secrets.ts';
import type { Store } from '../../platform/storage/db.ts';
import { pendingMigrations } from '../../platform/storage/migrate.ts';
import { LAST_BACKUP } from '../web/installation-metrics.ts';
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
  const { taken, counts, isSet } = await withStore(
    io,
    async ({ store, config, ports }) => {
      if (store.engine === 'postgres') {
        throw new Error('A PostgreSQL database is backed up with pg_dump; see docs/operating.md.');
      }
      const taken = await takeBackup(store, config, file);
      const { counts } = await verifyDatabase(file);
      await noteBackup(store, ports.now());
      return { taken, counts, isSet: config.secret !== undefined };
    },
    { schema: 'any' },
  );
  if (json) printJson(io, { file, secretFile: taken.secretFile ?? null, counts });
  else {
    print(io, `${file} is complete and verified.`);
    print(io, whereKeyIs(taken.secretFile, isSet));
  }
}

/** Notes when the last backup was finished, for the metrics; the database of an older release is left as it is. */
async function noteBackup(store: Store, now: number): Promise<void> {
  if ((await pendingMigrations(store)).length > 0) return;
  const row = { client_id: '', name: LAST_BACKUP, value: String(now) };
  await store.write((tx) =>
    tx
      .insertInto('installation')
      .values(row)
      .onConflict((conflict) => conflict.columns(['client_id', 'name']).doUpdateSet({ value: row.value }))
      .execute(),
  );
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
    await mustFit(store, loadSecret(config), config.previousSecret);
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
