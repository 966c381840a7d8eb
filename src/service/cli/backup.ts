import { chmodSync, existsSync } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../platform/config.ts';
import { loadSecret, secretFile } from '../../platform/secrets.ts';
import type { Store } from '../../platform/storage/db.ts';
import { currentVersion, pendingMigrations } from '../../platform/storage/migrate.ts';
import { type Sum, sumsOf } from '../../platform/storage/sums.ts';
import { formatDateTime } from '../../platform/time.ts';
import { LAST_BACKUP } from '../web/installation-metrics.ts';
import { mustFit, withStore } from './installation.ts';
import { type Io, print, printJson } from './io.ts';
import { contentOf, digestOf, type Manifest, manifestFile, writeManifest } from './manifest.ts';
import { COUNTED, verifyDatabase } from './verify.ts';

export function add(program: Command, io: Io): void {
  program
    .command('backup')
    .argument(
      '<file>',
      'new file; beside it FILE.manifest.json says what it holds, FILE.secret gets the key of the PINs',
    )
    .description('Copy the database as it is now, while the service goes on, and verify the copy.')
    .option('--json', 'one JSON line')
    .addHelpText('after', '\nExample:\n  backroom backup /backups/backroom-monday.db')
    .action((file: string, options: { json?: true }) => run(io, file, options));
}

async function run(io: Io, file: string, { json }: { json?: true }): Promise<void> {
  // Of whatever schema the database is: the backup comes before the upgrade.
  const { taken, isSet } = await withStore(
    io,
    async ({ store, config, ports }) => {
      const taken = await takeBackup(store, config, file, ports);
      await noteBackup(store, ports.now());
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

/** Notes when the last backup was finished, for the metrics; the database of an older release is left as it is. */
export async function noteBackup(store: Store, now: number): Promise<void> {
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

/** A backup that was taken, what it holds, and the copy of the key of the PINs where there is one. */
export interface Taken {
  file: string;
  manifest: Manifest;
  secretFile?: string;
}

/**
 * Copies a database of any schema to a new file, with its manifest and the key of its PINs beside it. The file gets its name
 * when all three are on disk and the copy was verified, so a file of that name is a whole backup, whatever is killed when.
 * @throws Error when the file exists, the copy is damaged, or the key at hand is not the database's.
 */
export async function takeBackup(
  store: Store,
  config: Config,
  file: string,
  { now }: { now: () => number },
): Promise<Taken> {
  if (existsSync(file)) throw new Error(`${file} exists already; a backup never replaces a file.`);
  // The key first: a backup without it would be one whose PINs cannot be read, one with another key would deceive.
  const key = secretFile(config.databaseUrl);
  const copied = config.secret === undefined && existsSync(key);
  if (copied) {
    await mustFit(store, loadSecret(config), config.previousSecret);
    await copyFile(key, `${file}.secret`);
    chmodSync(`${file}.secret`, 0o600);
  }
  const copying = `${file}.copying`;
  try {
    await rm(copying, { force: true });
    const takenAt = formatDateTime(now());
    const content = await (store.engine === 'sqlite' ? copySqlite(store, copying) : dump(store, copying));
    const manifest = await writeManifest(file, copying, { engine: store.engine, takenAt, ...content });
    await rename(copying, file);
    await syncFolder(dirname(file));
    return { file, manifest, ...(copied && { secretFile: `${file}.secret` }) };
  } catch (error) {
    const left = [copying, manifestFile(file), `${manifestFile(file)}.partial`, ...(copied ? [`${file}.secret`] : [])];
    for (const one of left) await rm(one, { force: true });
    throw error;
  }
}

async function copySqlite(store: Store, to: string) {
  await store.backup(to);
  chmodSync(to, 0o600);
  await verifyDatabase(to);
  return contentOf(`sqlite:${to}`);
}

/** Program and manifest read the same snapshot. */
async function dump(store: Store, to: string) {
  const [{ withSnapshot }, { dumpTo }] = await Promise.all([
    import('../../platform/storage/postgres-snapshot.ts'),
    import('./postgres-programs.ts'),
  ]);
  const schema = await currentVersion(store);
  const tables = await withSnapshot(store.url, async (snapshot, stream) => {
    await dumpTo(store.url, to, snapshot);
    return sumsOf(store, schema, stream);
  });
  return { schema, tables };
}

/** Rows of the tables that a report names. */
export function countsOf(tables: Record<string, Sum>): Record<string, number> {
  const named = COUNTED.filter((table) => tables[table] !== undefined);
  return Object.fromEntries(named.map((table) => [table, tables[table]!.rows]));
}

function whereKeyIs(secret: string | undefined, isSet: boolean): string {
  if (secret !== undefined) return `${secret} holds the key of the PINs.`;
  if (isSet) return 'The key of the PINs is in BACKROOM_SECRET; keep it too.';
  return 'There is no key file beside the database: without the key of the PINs this backup cannot be served.';
}

/** What was renamed in it survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
