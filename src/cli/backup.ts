import { chmodSync, existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { secretFile } from '../secrets.ts';
import { withInstallation } from './installation.ts';
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
  const secret = await withInstallation(io, async ({ store, config }) => {
    if (store.engine === 'postgres') {
      throw new Error('A PostgreSQL database is backed up with pg_dump; see docs/operating.md.');
    }
    if (existsSync(file)) throw new Error(`${file} exists already; a backup never replaces a file.`);
    // The key first: a backup without it would be one whose PINs cannot be read.
    const key = secretFile(config.databaseUrl);
    const copied = config.secret === undefined && existsSync(key);
    if (copied) {
      await copyFile(key, `${file}.secret`);
      chmodSync(`${file}.secret`, 0o600);
    }
    await store.backup(file);
    chmodSync(file, 0o600);
    return copied ? `${file}.secret` : undefined;
  });
  const { counts } = await verifyDatabase(file);
  if (json) printJson(io, { file, secretFile: secret ?? null, counts });
  else {
    print(io, `${file} is complete and verified.`);
    print(
      io,
      secret === undefined
        ? 'The key of the PINs is in BACKROOM_SECRET; keep it too.'
        : `${secret} holds the key of the PINs.`,
    );
  }
}
