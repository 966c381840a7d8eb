import { chmodSync, existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { loadSecret, secretFile } from '../secrets.ts';
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
  const { secret, isSet } = await withStore(io, async ({ store, config }) => {
    if (store.engine === 'postgres') {
      throw new Error('A PostgreSQL database is backed up with pg_dump; see docs/operating.md.');
    }
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
    return { secret: copied ? `${file}.secret` : undefined, isSet: config.secret !== undefined };
  });
  const { counts } = await verifyDatabase(file);
  if (json) printJson(io, { file, secretFile: secret ?? null, counts });
  else {
    print(io, `${file} is complete and verified.`);
    print(io, whereKeyIs(secret, isSet));
  }
}

function whereKeyIs(secret: string | undefined, isSet: boolean): string {
  if (secret !== undefined) return `${secret} holds the key of the PINs.`;
  if (isSet) return 'The key of the PINs is in BACKROOM_SECRET; keep it too.';
  return 'There is no key file beside the database: without the key of the PINs this backup cannot be served.';
}
