/** Verifies a backup, compares a database with it, and restores it. */
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../platform/config.ts';
import { copyPrivate, syncFolder } from '../../platform/private-files.ts';
import { fitSecret, openSecret, previousSecretFile, secretFile, WrongSecret } from '../../platform/secrets.ts';
import { copyStore } from '../../platform/storage/copy.ts';
import { type Store, useStore } from '../../platform/storage/db.ts';
import { applyMigrations, currentVersion, isMade, readMigrations } from '../../platform/storage/migrate.ts';
import { isPostgres, placeOf, sqliteFile } from '../../platform/storage/url.ts';
import { type Content, contentOf, contentOfFile, countRows, countsOf, verifyFile } from './content.ts';
import { differences, isSameFile, type Manifest, manifestFile, readManifest } from './manifest.ts';
import { copyKeys } from './take.ts';

/** Time limit of a batch, long enough for slow disks and distant servers. */
const BATCH_MS = 60_000;

/** The result of verifying or restoring a backup, or of comparing a database with a backup. */
export interface Outcome {
  schema: number;
  /** Number of missing migrations. */
  pending: number;
  counts: Record<string, number>;
  /** Differences from the manifest; undefined without a manifest. */
  differs: string[] | undefined;
  /** Whether the backup was restored. */
  restored: boolean;
  /** False if the bytes of the backup have changed, even if its rows are equal. */
  sameFile?: boolean;
}

function outcomeOf(found: Content, manifest: Content | undefined, restored = false): Outcome {
  return {
    schema: found.schema,
    pending: Math.max(0, readMigrations().length - found.schema),
    counts: countsOf(found),
    differs: manifest && differences(manifest, found),
    restored,
  };
}

/** Compares a database with the manifest of a backup. It does not matter how the database was restored. */
export async function compareDatabase(file: string, databaseUrl: string): Promise<Outcome> {
  const manifest = readManifest(file);
  if (manifest === undefined) throw new Error(`There is no ${manifestFile(file)} to compare with.`);
  return outcomeOf(await contentOf(databaseUrl), manifest);
}

/** Reads a backup and compares it with its manifest. It changes nothing. */
export async function verifyBackup(file: string): Promise<Outcome> {
  const { manifest, isDump } = await find(file);
  const outcome = isDump ? outcomeOfDump(manifest) : outcomeOf(await contentOfFile(file), manifest);
  return manifest === undefined ? outcome : { ...outcome, sameFile: await isSameFile(manifest, file) };
}

/** Only a server can read a dump, so only the hash of the file is checked. */
function outcomeOfDump(manifest: Manifest | undefined): Outcome {
  if (manifest === undefined) return { schema: 0, pending: 0, counts: {}, differs: undefined, restored: false };
  return outcomeOf(manifest, manifest);
}

/**
 * Replaces the database with a backup and compares the result with the manifest. An SQLite file with differences is not
 * restored.
 * @throws Error if a dump is restored into SQLite, the backup is damaged, the PostgreSQL database has tables, or the
 * SQLite database is in use or has data. With `force`, the SQLite database can have data.
 */
export async function restoreBackup(file: string, config: Config, force: boolean): Promise<Outcome> {
  const { manifest, isDump } = await find(file);
  if (isDump && !isPostgres(config.databaseUrl)) {
    throw new Error(
      `${file} is a backup of PostgreSQL, but DATABASE_URL names a database of SQLite. Restore it into one of PostgreSQL, then run backroom copy.`,
    );
  }
  if (isDump) return outcomeOf(await fillFromDump(file, config.databaseUrl), manifest, true);
  // Damage is reported before anything is copied.
  await verifyFile(file);
  if (isPostgres(config.databaseUrl)) return fillFromFile(file, config.databaseUrl, manifest);
  await mustBeFree(config.databaseUrl, force);
  return replaceFile(file, config, manifest);
}

async function find(file: string): Promise<{ manifest: Manifest | undefined; isDump: boolean }> {
  const manifest = readManifest(file);
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  return {
    manifest,
    isDump: manifest === undefined ? await beginsWith(file, 'PGDMP') : manifest.engine === 'postgres',
  };
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

async function mustBeEmpty(databaseUrl: string): Promise<void> {
  if (!(await isMade(databaseUrl))) return;
  throw new Error(`${placeOf(databaseUrl)} has tables; create an empty database (createdb) and restore into that one.`);
}

/** Fills an empty PostgreSQL database from an SQLite file, then reads the result back. */
async function fillFromFile(file: string, databaseUrl: string, manifest: Manifest | undefined): Promise<Outcome> {
  await mustBeEmpty(databaseUrl);
  const content = await contentOfFile(file);
  const found = outcomeOf(content, manifest);
  if (found.differs !== undefined && found.differs.length > 0) return found;
  const { schema } = content;
  await applyMigrations(databaseUrl, { now: Date.now, upTo: schema });
  await useStore(`sqlite:${file}`, { readers: 2 }, (from) =>
    useStore(databaseUrl, { connections: 2, jobTimeoutMs: BATCH_MS }, (to) => copyStore(from, to, { schema })),
  );
  return outcomeOf(await contentOf(databaseUrl), manifest ?? content, true);
}

/** Fills an empty database, then reads the result back. */
async function fillFromDump(file: string, databaseUrl: string): Promise<Content> {
  await mustBeEmpty(databaseUrl);
  const { restoreFrom } = await import('./postgres-programs.ts');
  await restoreFrom(databaseUrl, file);
  return contentOf(databaseUrl);
}

/** Rejects a database that another process has open. Without `force`, also rejects a database with data. */
async function mustBeFree(url: string, force: boolean): Promise<void> {
  const target = sqliteFile(url);
  if (!existsSync(target)) return;
  // The write-ahead log exists while a process has the database open. Opening and closing the database removes the log
  // of a killed process.
  if (existsSync(`${target}-wal`)) {
    await useStore(url, { readers: 1 }, () => Promise.resolve());
    if (existsSync(`${target}-wal`)) throw new Error(`${target} is open in another process; stop the service first.`);
  }
  if (force) return;
  const hasRows = async (store: Store) => Object.values(await countRows(store)).some((rows) => rows > 0);
  if (await useStore(url, { readers: 1 }, async (store) => (await currentVersion(store)) > 0 && hasRows(store))) {
    throw new Error(`${target} has data; restore to another path (DATABASE_URL), or replace it with --force.`);
  }
}

/** Copies the backup beside the database, compares the copy, and then replaces the database with it. */
async function replaceFile(file: string, config: Config, manifest: Manifest | undefined): Promise<Outcome> {
  const target = sqliteFile(config.databaseUrl);
  await mkdir(dirname(target), { recursive: true });
  const partial = `${target}.restoring`;
  try {
    await copyPrivate(file, partial);
    const found = outcomeOf(await contentOfFile(partial), manifest);
    if (found.differs !== undefined && found.differs.length > 0) return found;
    if (config.secret === undefined && existsSync(secretFile(file))) {
      await rm(previousSecretFile(config.databaseUrl), { force: true });
      await copyKeys(file, config.databaseUrl);
    }
    // The log of the old database must not be applied to the new database.
    for (const end of ['-wal', '-shm']) await rm(target + end, { force: true });
    await rename(partial, target);
    await syncFolder(dirname(target));
    return { ...found, restored: true };
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(partial + end, { force: true });
  }
}

/** Returns whether the configured key fits the restored database. */
export async function isKeyThere(config: Config): Promise<boolean> {
  if (config.secret === undefined && !existsSync(secretFile(config.databaseUrl))) return false;
  return useStore(config.databaseUrl, { readers: 1 }, (store) => openSecret(config, store, fitSecret)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof WrongSecret) return false;
      throw error;
    },
  );
}
