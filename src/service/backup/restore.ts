/** Verifies a backup, compares a database with it, and restores it. */
import { constants, existsSync, realpathSync } from 'node:fs';
import { access, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../platform/config.ts';
import { copyPrivate, syncFolder } from '../../platform/private-files.ts';
import {
  fitSecret,
  openSecret,
  previousSecretFile,
  type SecretConfig,
  secretFile,
  WrongSecret,
} from '../../platform/secrets.ts';
import { copyStore } from '../../platform/storage/copy.ts';
import { type Store, useStore } from '../../platform/storage/db.ts';
import { isDamage } from '../../platform/storage/errors.ts';
import { applyMigrations, currentVersion, isMade, readMigrations } from '../../platform/storage/migrate.ts';
import { takeServing } from '../../platform/storage/serving.ts';
import { isPostgres, placeOf, realSqliteFile, sqliteFile } from '../../platform/storage/url.ts';
import { type Content, contentOf, contentOfFile, countRows, countsOf } from './content.ts';
import { differences, isSameFile, type Manifest, manifestFile, readManifest } from './manifest.ts';
import { copyKeys, unlessAborted } from './take.ts';

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
  /**
   * The key that was compared with the backup. Absent for the comparison of a database, for the check of a dump, and if
   * a restore found different rows.
   */
  key?: JudgedKey;
}

export interface JudgedKey {
  /** Whether the key decrypts the secrets of the backup; `missing` if there is no key. */
  fit: 'fits' | 'wrong' | 'missing';
  /** Path of the key file, or `BACKROOM_SECRET` if the key is in this setting. */
  place: string;
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

/**
 * Compares a database with the manifest of a backup. It does not matter how the database was restored.
 * @throws Error if the backup has no manifest
 */
export async function compareDatabase(file: string, databaseUrl: string, signal?: AbortSignal): Promise<Outcome> {
  const manifest = readManifest(file);
  if (manifest === undefined) throw new Error(`There is no ${manifestFile(file)} to compare with.`);
  return outcomeOf(await unlessAborted(contentOf(databaseUrl), signal, CHECK_STOPPED), manifest);
}

const CHECK_STOPPED = 'The check was stopped before it was complete.';

/** Reads a backup and compares it with its manifest and its key file. It changes nothing. */
export async function verifyBackup(file: string, signal?: AbortSignal): Promise<Outcome> {
  const { manifest, isDump } = await find(file);
  const outcome = isDump ? outcomeOfDump(manifest) : await outcomeOfFile(file, manifest, signal);
  return manifest === undefined ? outcome : { ...outcome, sameFile: await isSameFile(manifest, file) };
}

function outcomeOfFile(file: string, manifest: Manifest | undefined, signal?: AbortSignal): Promise<Outcome> {
  const work = async (url: string) => {
    const found = outcomeOf(await contentOfFile(sqliteFile(url), file), manifest);
    return { ...found, key: await judgeKey(url, { databaseUrl: `sqlite:${file}`, secret: undefined }) };
  };
  return withWritable(file, work, CHECK_STOPPED, signal);
}

/**
 * Calls `work` with the database URL of the backup. SQLite opens a file in WAL mode only if it can write to the file
 * and its folder. A backup on a read-only disk is therefore first copied to the folder for temporary files. The copy is
 * always removed.
 * @throws Error with the sentence `stopped` if `signal` is aborted
 */
async function withWritable<T extends object>(
  file: string,
  work: (url: string) => Promise<T>,
  stopped: string,
  signal: AbortSignal | undefined,
): Promise<T> {
  const places = [file, dirname(resolve(file))].map((place) => access(place, constants.W_OK));
  if ((await Promise.allSettled(places)).every(({ status }) => status === 'fulfilled'))
    return unlessAborted(work(`sqlite:${file}`), signal, stopped);
  const folder = await mkdtemp(join(tmpdir(), 'backroom-restore-'));
  try {
    const copy = join(folder, 'backup.db');
    const copied = copyPrivate(file, copy, signal).then(() => work(`sqlite:${copy}`));
    return await unlessAborted(copied, signal, stopped);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Only a server can read a dump, so only the hash of the file is checked. */
function outcomeOfDump(manifest: Manifest | undefined): Outcome {
  if (manifest === undefined) return { schema: 0, pending: 0, counts: {}, differs: undefined, restored: false };
  return outcomeOf(manifest, manifest);
}

/**
 * Replaces the database with a backup and compares the result with the manifest. An SQLite file with differences or
 * with a wrong key is not restored. With `force`, the SQLite database can have data.
 * @throws Error if the backup is damaged, is a dump for SQLite, or is the database itself.
 * @throws Error if the PostgreSQL database has tables, the SQLite database is in use or has data, or `signal` is
 * aborted.
 */
export async function restoreBackup(
  file: string,
  config: Config,
  force: boolean,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { manifest, isDump } = await find(file);
  if (isDump && !isPostgres(config.databaseUrl)) {
    throw new Error(
      `${file} is a backup of PostgreSQL, but DATABASE_URL names a database of SQLite. Restore it into one of PostgreSQL, then run backroom copy.`,
    );
  }
  const { databaseUrl } = config;
  const stopped = `The restore was stopped. If ${placeOf(databaseUrl)} has tables now, drop it and create an empty database before you run the command again.`;
  if (isDump) {
    const content = await unlessAborted(fillFromDump(file, databaseUrl, signal), signal, stopped);
    return { ...outcomeOf(content, manifest, true), key: await judgeKey(databaseUrl, config) };
  }
  if (isPostgres(databaseUrl)) {
    return withWritable(file, (url) => fillFromFile(file, url, config, manifest, signal), stopped, signal);
  }
  // No service must start during the restore: it would continue to write to the replaced file.
  const giveBack = takeServing(databaseUrl, STOP_FIRST);
  try {
    mustBeAnother(file, databaseUrl);
    const isDamaged = await mustBeFree(databaseUrl, force);
    return await replaceFile(file, config, manifest, isDamaged, signal);
  } finally {
    giveBack();
  }
}

const STOP_FIRST = 'Stop the service, and run the command again. Nothing was changed.';

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

/** Rejects a backup that is the database itself, or the copy of a restore that was killed. */
function mustBeAnother(file: string, databaseUrl: string): void {
  const target = realSqliteFile(databaseUrl);
  // If the path of DATABASE_URL is a link, the restore puts the copy of the key beside the link. A backup of that name
  // would lose its key file.
  for (const replaced of [target, copyOf(target), copyOf(sqliteFile(databaseUrl))]) {
    if (existsSync(replaced) && realpathSync(replaced) === realpathSync(file)) {
      throw new Error(
        `A restore into ${target} replaces ${file} itself. Name a backup in another file, or set DATABASE_URL to another path. Nothing was changed.`,
      );
    }
  }
}

/** Fills an empty PostgreSQL database from an SQLite file, then reads the result back. */
async function fillFromFile(
  file: string,
  url: string,
  config: Config,
  manifest: Manifest | undefined,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { databaseUrl } = config;
  // Damage is reported before the database is looked at.
  const content = await contentOfFile(sqliteFile(url), file);
  await mustBeEmpty(databaseUrl);
  const found = outcomeOf(content, manifest);
  if (found.differs !== undefined && found.differs.length > 0) return found;
  const key = await judgeKey(url, config);
  if (key.fit === 'wrong') return { ...found, key };
  const { schema } = content;
  signal?.throwIfAborted();
  await applyMigrations(databaseUrl, { now: Date.now, upTo: schema });
  await useStore(url, { readers: 2 }, (from) =>
    useStore(databaseUrl, { connections: 2, jobTimeoutMs: BATCH_MS }, (to) =>
      copyStore(from, to, { schema, ...(signal && { signal }) }),
    ),
  );
  return { ...outcomeOf(await contentOf(databaseUrl), manifest ?? content, true), key };
}

/** Fills an empty database, then reads the result back. */
async function fillFromDump(file: string, databaseUrl: string, signal: AbortSignal | undefined): Promise<Content> {
  await mustBeEmpty(databaseUrl);
  const { restoreFrom } = await import('./postgres-programs.ts');
  await restoreFrom(databaseUrl, file, signal);
  return contentOf(databaseUrl);
}

/**
 * Rejects a database that another process has open. Without `force`, also rejects a database that has data or is
 * damaged. Returns whether it is damaged.
 */
async function mustBeFree(url: string, force: boolean): Promise<boolean> {
  const target = realSqliteFile(url);
  if (!existsSync(target)) return false;
  const hasRows = async (store: Store) => Object.values(await countRows(store)).some((rows) => rows > 0);
  const hasData = async (store: Store) => (await currentVersion(store)) > 0 && hasRows(store);
  try {
    // The write-ahead log exists while a process has the database open. Opening and closing the database removes the
    // log of a killed process.
    if (hasLog(target)) await useStore(url, { readers: 1 }, () => Promise.resolve());
    mustBeClosed(target);
    if (force || !(await useStore(url, { readers: 1 }, hasData))) return false;
  } catch (error) {
    if (!isDamage(error)) throw error;
    // The log of a damaged database remains, so it does not show whether another process has the database open.
    if (force) return true;
    throw new Error(`${target} is damaged, or not a database; replace it with --force.`, { cause: error });
  }
  throw new Error(`${target} has data; restore to another path (DATABASE_URL), or replace it with --force.`);
}

const hasLog = (target: string): boolean => existsSync(`${target}-wal`);

function mustBeClosed(target: string): void {
  if (hasLog(target)) throw new Error(`${target} is open in another process; stop the service first.`);
}

/** Returns the path of the copy that a restore makes beside the database. The copy later replaces the database. */
const copyOf = (target: string): string => `${target}.restoring`;

/**
 * Copies the backup and its key file beside the database, compares the copy, judges the key, and only then replaces the
 * database and its key file. If the path of the database is a link, the key file is beside the link.
 */
async function replaceFile(
  file: string,
  config: Config,
  manifest: Manifest | undefined,
  isDamaged: boolean,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { databaseUrl } = config;
  const target = realSqliteFile(databaseUrl);
  const partial = copyOf(target);
  const keyed = { ...config, databaseUrl: `sqlite:${copyOf(sqliteFile(databaseUrl))}` };
  await removeCopy(partial, keyed.databaseUrl);
  const copyAndJudge = async () => {
    await copyPrivate(file, partial, signal);
    const found = outcomeOf(await contentOfFile(partial, file), manifest);
    if (found.differs !== undefined && found.differs.length > 0) return { found, hasKey: false };
    signal?.throwIfAborted();
    const copies = config.secret === undefined ? await copyKeys(file, keyed.databaseUrl) : [];
    const hasKey = copies.includes(secretFile(keyed.databaseUrl));
    const judged = await judgeKey(`sqlite:${partial}`, hasKey ? keyed : config);
    return { found, hasKey, key: hasKey ? { ...judged, place: secretFile(file) } : judged };
  };
  try {
    const stopped = 'The restore was stopped. Nothing was changed.';
    const { found, hasKey, key } = await unlessAborted(copyAndJudge(), signal, stopped);
    if (key === undefined) return found;
    if (key.fit === 'wrong') return { ...found, key };
    // A command may have opened the database meanwhile. This cannot be seen for a damaged database (see `mustBeFree`).
    if (!isDamaged) mustBeClosed(target);
    // The log of the old database must not be applied to the new database.
    for (const end of ['-wal', '-shm']) await rm(target + end, { force: true });
    await rename(partial, target);
    if (hasKey) await moveKeys(keyed.databaseUrl, databaseUrl);
    await syncFolder(dirname(target));
    return { ...found, restored: true, key };
  } finally {
    await removeCopy(partial, keyed.databaseUrl);
  }
}

/** Replaces the key files of a database. A previous key that does not belong to the new key is removed. */
async function moveKeys(from: string, to: string): Promise<void> {
  await rename(secretFile(from), secretFile(to));
  if (existsSync(previousSecretFile(from))) await rename(previousSecretFile(from), previousSecretFile(to));
  else await rm(previousSecretFile(to), { force: true });
}

async function removeCopy(partial: string, keyUrl: string): Promise<void> {
  for (const left of [partial, `${partial}-wal`, `${partial}-shm`, secretFile(keyUrl), previousSecretFile(keyUrl)])
    await rm(left, { force: true });
}

/**
 * Compares the key with the fingerprint in a database. The key is in the setting BACKROOM_SECRET, or otherwise in the
 * key file; no key file is created.
 */
async function judgeKey(databaseUrl: string, keys: SecretConfig): Promise<JudgedKey> {
  const place = keys.secret === undefined ? secretFile(keys.databaseUrl) : 'BACKROOM_SECRET';
  if (keys.secret === undefined && !existsSync(place)) return { fit: 'missing', place };
  try {
    await useStore(databaseUrl, { readers: 1 }, (store) => openSecret(keys, store, fitSecret));
    return { fit: 'fits', place };
  } catch (error) {
    if (error instanceof WrongSecret) return { fit: 'wrong', place };
    throw error;
  }
}
