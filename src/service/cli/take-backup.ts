/** Takes one backup of a database of either engine. */
import { chmodSync, existsSync } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../platform/config.ts';
import { loadSecret, otherSecret, secretFile } from '../../platform/secrets.ts';
import type { Store } from '../../platform/storage/db.ts';
import { currentVersion, pendingMigrations } from '../../platform/storage/migrate.ts';
import { type Sum, sumsOf } from '../../platform/storage/sums.ts';
import { formatDateTime } from '../../platform/time.ts';
import { BACKUP_EVERY, LAST_BACKUP } from '../web/installation-metrics.ts';
import { mustFit } from './installation.ts';
import { contentOf, type Manifest, manifestFile, writeManifest } from './manifest.ts';
import { COUNTED, verifyDatabase } from './verify.ts';

/**
 * Notes for the metrics when a backup was finished, and with `everyMs` how often one is due; the database of an older release
 * is left as it is.
 */
export async function noteBackup(store: Store, now: number, everyMs?: number): Promise<void> {
  const due = everyMs === undefined ? {} : { [BACKUP_EVERY]: String(everyMs) };
  await note(store, { [LAST_BACKUP]: String(now), ...due });
}

/** Notes that no series of backups is due any more. */
export async function noteEndOfSeries(store: Store): Promise<void> {
  await note(store, { [BACKUP_EVERY]: undefined });
}

async function note(store: Store, values: Record<string, string | undefined>): Promise<void> {
  if ((await pendingMigrations(store)).length > 0) return;
  await store.write(async (tx) => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) {
        await tx.deleteFrom('installation').where('client_id', '=', '').where('name', '=', name).execute();
        continue;
      }
      await tx
        .insertInto('installation')
        .values({ client_id: '', name, value })
        .onConflict((conflict) => conflict.columns(['client_id', 'name']).doUpdateSet({ value }))
        .execute();
    }
  });
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
 * @throws Error when the file exists, the copy is damaged, the key at hand is not the database's, or a sharding engine has spread it.
 */
export async function takeBackup(
  store: Store,
  config: Config,
  file: string,
  { now }: { now: () => number },
): Promise<Taken> {
  mustBeWhole(store);
  if (existsSync(file)) throw new Error(`${file} exists already; a backup never replaces a file.`);
  // The key first: a backup without it would be one whose PINs cannot be read, one with another key would deceive.
  const key = secretFile(config.databaseUrl);
  const copied = config.secret === undefined && existsSync(key);
  if (copied) {
    await mustFit(store, loadSecret(config), otherSecret(config));
    for (const end of keyEnds(key)) {
      await copyKey(key + end, `${file}.secret${end}`);
    }
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
    const left = [
      copying,
      manifestFile(file),
      `${manifestFile(file)}.partial`,
      ...(copied ? keyEnds(key).map((end) => `${file}.secret${end}`) : []),
    ];
    for (const one of left) await rm(one, { force: true });
    throw error;
  }
}

/** @throws Error where rows are on several servers, of which no snapshot is of one instant. */
function mustBeWhole(store: Store): void {
  if (!store.dialect.isSharded) return;
  throw new Error(
    'A sharding engine spreads this database over servers, and a dump of it is not of one instant. Archive the log of every server (docs/scale.md), or stop the service and run backroom copy to an SQLite file or another database, which compares all rows.',
  );
}

async function copySqlite(store: Store, to: string) {
  await store.backup(to);
  chmodSync(to, 0o600);
  await verifyDatabase(to);
  return contentOf(`sqlite:${to}`);
}

/** The copy is on disk before the backup has its name. */
async function copyKey(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const handle = await open(to, 'r+');
  try {
    await handle.chmod(0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Ends of the names of a key file and of the key that was, where it is kept. */
export function keyEnds(key: string): string[] {
  return ['', '.previous'].filter((end) => existsSync(key + end));
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

/** What was renamed in it survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
