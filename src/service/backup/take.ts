/** Takes one backup of a database of either engine. */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../platform/config.ts';
import type { Ports } from '../../platform/ports.ts';
import { copyPrivate, syncFolder } from '../../platform/private-files.ts';
import { fitSecret, openSecret, previousSecretFile, type SecretConfig, secretFile } from '../../platform/secrets.ts';
import type { Reader, Store, Writer } from '../../platform/storage/db.ts';
import { currentVersion, pendingMigrations } from '../../platform/storage/migrate.ts';
import { sumsOf } from '../../platform/storage/sums.ts';
import { formatDateTime } from '../../platform/time.ts';
import { BACKUP_EVERY, LAST_BACKUP } from '../web/installation-metrics.ts';
import { contentOf, contentOfFile, countsOf } from './content.ts';
import {
  differences,
  digestOf,
  isSameFile as isUnchanged,
  manifestFile,
  readManifest,
  writeManifest,
} from './manifest.ts';

/** A finished backup. */
export interface Taken {
  file: string;
  manifestFile: string;
  /** Path of the copy of the key that encrypts PINs; absent if the key is in BACKROOM_SECRET or missing. */
  secretFile?: string;
  /** Hash of the content. */
  digest: string;
  /** Date-time in UTC; the backup contains every write that was acknowledged before this time. */
  takenAt: string;
  bytes: number;
  /** Number of rows by table, for the tables whose rows a report counts. */
  counts: Record<string, number>;
}

/** Maximum wait for the work of a stopped backup to end. */
const SETTLE_MS = 2_000;

/** The form of a backup: an SQLite file, or a dump of PostgreSQL. */
type Form = 'sqlite' | 'dump';

/**
 * Returns the form of a backup. PostgreSQL is dumped if `pg_dump` is installed, unless the caller wants a portable
 * backup.
 */
export async function formOf(store: Store, isPortable: boolean): Promise<Form> {
  if (store.engine === 'sqlite' || isPortable) return 'sqlite';
  const { hasDump } = await import('./postgres-programs.ts');
  return (await hasDump()) ? 'dump' : 'sqlite';
}

/** Returns the path of the backup, then the paths of the files that can be beside it. */
export function filesOf(backup: string): string[] {
  return [backup, manifestFile(backup), secretFile(backup), previousSecretFile(backup)];
}

/** The copy that is not complete yet, and the files of SQLite beside it. */
export function copyingFilesOf(backup: string): string[] {
  return ['', '-wal', '-shm', '-journal', '.partial', '.partial-journal'].map((end) => `${backup}.copying${end}`);
}

/** All files, except keys, that a backup leaves when its process is killed. */
export function leftFilesOf(backup: string): string[] {
  return [...copyingFilesOf(backup), manifestFile(backup), `${manifestFile(backup)}.partial`];
}

const KEY_FILES = [secretFile, previousSecretFile];

/**
 * Returns the file that a backup to `file` would replace; undefined if there is none. A run that was killed leaves
 * copies of the present key and, beside its incomplete copy, a manifest. The next run can replace these files, so they
 * are not returned.
 */
export function findReplaced({ secret, databaseUrl }: SecretConfig, file: string): string | undefined {
  const isPresentKey = (keyOf: (place: string) => string) =>
    secret === undefined && isSameFile(keyOf(databaseUrl), keyOf(file));
  return [
    file,
    ...(existsSync(`${file}.copying`) ? [] : [manifestFile(file)]),
    ...KEY_FILES.flatMap((keyOf) => (isPresentKey(keyOf) ? [] : [keyOf(file)])),
  ].find((path) => existsSync(path));
}

function isSameFile(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

/**
 * Returns the backup in an SQLite file if it is unchanged and has the present rows and keys of the database; otherwise
 * undefined. The caller must prevent writes meanwhile.
 */
export async function findPresent({ secret, databaseUrl }: SecretConfig, file: string): Promise<Taken | undefined> {
  const manifest = existsSync(file) ? readManifest(file) : undefined;
  if (manifest === undefined || !(await isUnchanged(manifest, file))) return undefined;
  const keys = secret === undefined ? KEY_FILES.filter((keyOf) => existsSync(keyOf(databaseUrl))) : [];
  if (!keys.every((keyOf) => isSameFile(keyOf(databaseUrl), keyOf(file)))) return undefined;
  if (differences(manifest, await contentOf(databaseUrl)).length > 0) return undefined;
  return {
    file,
    manifestFile: manifestFile(file),
    ...(keys.length > 0 && { secretFile: secretFile(file) }),
    digest: digestOf(manifest),
    takenAt: manifest.takenAt,
    bytes: manifest.file.bytes,
    counts: countsOf(manifest),
  };
}

/**
 * Copies a database of this or an older schema to a new file, with its manifest and the key of its PINs beside it. The
 * copy is verified, and all three files are on disk, before the backup gets its final name. A file of that name is thus
 * always a complete backup.
 * @throws SchemaMismatch if a newer program has migrated the database.
 * @throws Error if the backup would replace a file, the copy is damaged, or the key does not fit.
 * @throws Error if a sharding engine has spread the tables, or `signal` is aborted before the copy is complete.
 */
export async function takeBackup(
  store: Store,
  config: Config,
  file: string,
  { now }: Pick<Ports, 'now'>,
  asked?: Form,
  signal?: AbortSignal,
): Promise<Taken> {
  mustBeWhole(store);
  // Rejects the database of a newer program: the manifest would lack its new tables.
  await pendingMigrations(store);
  const form = asked ?? (await formOf(store, false));
  const replaced = findReplaced(config, file);
  if (replaced !== undefined) {
    const fix = replaced === file ? '' : ` Move it to its backup, or name another file than ${file}.`;
    throw new Error(`${replaced} exists already; a backup never replaces a file.${fix}`);
  }
  const hasKeyFile = config.secret === undefined && existsSync(secretFile(config.databaseUrl));
  // Check the key first: the PINs of a backup cannot be read without it. If the key is lost, a backup is still taken.
  if (hasKeyFile || config.secret !== undefined) await openSecret(config, store, fitSecret);
  const copying = `${file}.copying`;
  const newKeys = hasKeyFile ? KEY_FILES.map((keyOf) => keyOf(file)).filter((path) => !existsSync(path)) : [];
  try {
    if (hasKeyFile) await copyKeys(config.databaseUrl, file);
    await rm(copying, { force: true });
    const takenAt = formatDateTime(now());
    const work = form === 'dump' ? dump(store, copying, signal) : copyFile(store, copying, now, signal);
    const content = await unlessAborted(
      work,
      signal,
      'The backup was stopped before it was complete. No file was kept.',
    );
    const engine = form === 'dump' ? 'postgres' : 'sqlite';
    const manifest = await writeManifest(file, copying, { engine, takenAt, ...content });
    await rename(copying, file);
    await syncFolder(dirname(file));
    return {
      file,
      manifestFile: manifestFile(file),
      ...(hasKeyFile && { secretFile: secretFile(file) }),
      digest: digestOf(content),
      takenAt,
      bytes: manifest.file.bytes,
      counts: countsOf(content),
    };
  } catch (error) {
    for (const left of [...leftFilesOf(file), ...newKeys]) await rm(left, { force: true });
    if (!isDiskFull(error)) throw error;
    throw new Error(
      `The disk of the backup is full: free some space in ${dirname(resolve(file))}, or name a file on another disk.`,
      { cause: error },
    );
  }
}

/**
 * Whether a disk of this machine was full. The error of a store has the error of SQLite as its cause; `SHMSIZE` means
 * that the disk is full when the copy is opened.
 */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /^(ENOSPC|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/.test(String((error as NodeJS.ErrnoException).code)) ||
    isDiskFull(error.cause)
  );
}

/** Rejects a sharded store: its servers have no common snapshot. @throws Error */
function mustBeWhole(store: Store): void {
  if (!store.dialect.isSharded) return;
  throw new Error(
    'A sharding engine spreads this database over servers, and a dump of it is not consistent. Archive the log of every server (docs/scale.md), or stop the service and run backroom copy to an SQLite file or another database, which compares all rows.',
  );
}

/**
 * Rejects with `sentence` when the signal is aborted. The work gets up to SETTLE_MS to end before its files are
 * removed; work that only reads can continue.
 */
export async function unlessAborted<T extends object>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  sentence: string,
): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, resolve: end } = Promise.withResolvers<undefined>();
  const stop = () => end(undefined);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  const content = await Promise.race([aborted, work]).finally(() => signal.removeEventListener('abort', stop));
  if (content !== undefined) return content;
  await Promise.race([work.catch(() => undefined), sleep(SETTLE_MS)]);
  throw new Error(sentence);
}

async function copyFile(store: Store, to: string, now: () => number, signal: AbortSignal | undefined) {
  if (store.engine === 'postgres') {
    const { copyPortable } = await import('./portable.ts');
    return copyPortable(store, to, { now });
  }
  await store.backup(to, () => signal?.throwIfAborted());
  chmodSync(to, 0o600);
  return contentOfFile(to);
}

/** Dumps PostgreSQL; the dump and the manifest read the same snapshot. */
async function dump(store: Store, to: string, signal: AbortSignal | undefined) {
  const [{ withSnapshot }, { dumpTo }] = await Promise.all([
    import('../../platform/storage/postgres-snapshot.ts'),
    import('./postgres-programs.ts'),
  ]);
  const schema = await currentVersion(store);
  const tables = await withSnapshot(store.url, async (snapshot, stream) => {
    await dumpTo(store.url, to, snapshot, signal);
    return sumsOf(store, schema, stream);
  });
  return { schema, tables };
}

/**
 * Copies the key file beside a database or backup, and the previous key if there is one. Returns the paths of the
 * copies.
 */
export async function copyKeys(from: string, to: string): Promise<string[]> {
  const copies: string[] = [];
  for (const keyOf of KEY_FILES) {
    if (!existsSync(keyOf(from))) continue;
    if (!isSameFile(keyOf(from), keyOf(to))) await copyPrivate(keyOf(from), keyOf(to));
    copies.push(keyOf(to));
  }
  return copies;
}

/**
 * Records the time of a backup for the metrics. A database of any release has this table, so a backup before an upgrade
 * counts, too.
 */
export async function noteBackup(store: Store, now: number): Promise<void> {
  await store.write(async (tx) => {
    await upsert(tx, LAST_BACKUP, String(now));
    await deleteRow(tx, ENDED_EVERY);
  });
}

/** Records the interval of a series of backups. The metrics and doctor use it to report that a copy is late. */
export async function noteSeries(store: Store, everyMs: number): Promise<void> {
  await store.write((tx) => upsert(tx, BACKUP_EVERY, String(everyMs)));
}

/** Name of the row with the interval of a series that SIGTERM ended. The next backup deletes it. */
const ENDED_EVERY = 'endedBackupEveryMs';

/** Records the end of a series of backups. */
export async function noteEndOfSeries(store: Store): Promise<void> {
  await store.write(async (tx) => {
    const every = await intervalIn(tx, BACKUP_EVERY);
    if (every === undefined) return;
    await upsert(tx, ENDED_EVERY, every);
    await deleteRow(tx, BACKUP_EVERY);
  });
}

/**
 * Returns whether a series of backups has run. Without an earlier run, a failed start, for example with a wrong folder,
 * does not count as a late series.
 */
export async function hasRun(store: Store): Promise<boolean> {
  return store.read(
    async (db) => ((await intervalIn(db, BACKUP_EVERY)) ?? (await intervalIn(db, ENDED_EVERY))) !== undefined,
  );
}

/** Records that a series cannot start. If SIGTERM ended its last run, the series is late after its interval. */
export async function noteFailedStart(store: Store): Promise<void> {
  await store.write(async (tx) => {
    const ended = await intervalIn(tx, ENDED_EVERY);
    if (ended !== undefined && (await intervalIn(tx, BACKUP_EVERY)) === undefined)
      await upsert(tx, BACKUP_EVERY, ended);
  });
}

async function intervalIn(db: Reader, name: string): Promise<string | undefined> {
  const rows = db.selectFrom('installation').select('value').where('client_id', '=', '').where('name', '=', name);
  return (await rows.executeTakeFirst())?.value;
}

async function deleteRow(tx: Writer, name: string): Promise<void> {
  await tx.deleteFrom('installation').where('client_id', '=', '').where('name', '=', name).execute();
}

async function upsert(tx: Writer, name: string, value: string): Promise<void> {
  await tx
    .insertInto('installation')
    .values({ client_id: '', name, value })
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'name']).doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute();
}
