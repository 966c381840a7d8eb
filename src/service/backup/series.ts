/** A series of backups: takes verified copies at an interval and keeps the newest. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../platform/config.ts';
import type { Ports } from '../../platform/ports.ts';
import { syncFolder } from '../../platform/private-files.ts';
import type { Store } from '../../platform/storage/db.ts';
import { SchemaMismatch } from '../../platform/storage/migrate.ts';
import { takeLock } from '../../platform/storage/serving.ts';
import { isPostgres, realSqliteFile } from '../../platform/storage/url.ts';
import { formatDateTime, MINUTE_MS } from '../../platform/time.ts';
import {
  copyingFilesOf,
  filesOf,
  formOf,
  hasRun,
  leftFilesOf,
  noteBackup,
  noteEndOfSeries,
  noteFailedStart,
  noteSeries,
  type Taken,
  takeBackup,
} from './take.ts';

export interface Series {
  folder: string;
  everyMs: number;
  /** Number of copies that are kept. */
  keep: number;
  /** On PostgreSQL: whether to write SQLite files even if `pg_dump` is installed. */
  isPortable?: boolean;
}

/** Opens the database for one copy, then closes it, so that the database is not open between copies. */
type Open = <T>(work: (opened: { config: Config; ports: Ports; store: Store }) => Promise<T>) => Promise<T>;

export interface Copy extends Taken {
  /** Time that the copy took. */
  ms: number;
  /** Number of copies in the folder now. */
  kept: number;
  /** Number of old copies that were removed. */
  removed: number;
}

interface Caller {
  /** The signal that ends the series. */
  signal: AbortSignal;
  /** Called when the folder is locked, before the first copy. */
  onBegin: () => void;
  onCopy: (copy: Copy) => void;
  onFailure: (error: Error, retryMs: number) => void;
  /** Called when the metrics do not know of the series or its newest copy, because the database accepts no writes. */
  onUnrecorded: (error: Error) => void;
}

/** Names of copies differ from names of single backups, so that only copies are removed. */
const COPY = /^copy-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(?:db|dump)/;

/** Free bytes that must remain on the disk after a copy. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** Maximum wait before a failed copy is retried. */
const RETRY_MS = MINUTE_MS;

/**
 * Takes copies until the signal is aborted. The first copy is taken immediately, or one interval after the newest copy
 * in the folder. A failed copy is reported and retried; if the first copy fails, the series ends.
 * @throws Error if another process copies into the folder, or the database has become newer than this program.
 */
export async function takeCopies(open: Open, series: Series, caller: Caller): Promise<void> {
  const { folder, everyMs } = series;
  let giveBack: ReturnType<typeof takeLock>;
  try {
    mkdirSync(folder, { recursive: true });
    giveBack = takeLock(join(folder, '.copies'));
  } catch (error) {
    // A series that cannot use its folder, for example on a full or read-only disk, counts as late. An error of the
    // database is ignored here, so that the user sees the error of the folder.
    await open(({ store }) => noteFailedStart(store)).catch(() => undefined);
    throw error;
  }
  if (giveBack === undefined)
    throw new Error(`Another process copies into ${folder}: use a separate folder for each series.`);
  try {
    caller.onBegin();
    let wait = await open(async ({ store, ports }) => {
      if (copiesIn(folder).length > 0 || (await hasRun(store)))
        await noteSeries(store, everyMs).catch(caller.onUnrecorded);
      return dueIn(series, ports.now());
    });
    for (let isFirst = true; await paused(wait, caller.signal); isFirst = false) {
      try {
        const copy = await takeCopy(open, series, caller.onUnrecorded);
        wait = everyMs - copy.ms;
        caller.onCopy(copy);
      } catch (error) {
        if (isFirst || error instanceof SchemaMismatch) throw error;
        wait = Math.min(everyMs, RETRY_MS);
        caller.onFailure(error as Error, wait);
      }
    }
    await open(({ store }) => noteEndOfSeries(store)).catch(caller.onUnrecorded);
  } finally {
    giveBack();
  }
}

/**
 * Waits `ms` milliseconds, or until the signal is aborted. Returns false if the signal is aborted and the series must
 * end.
 */
async function paused(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/**
 * Returns the milliseconds until the next copy is due, counted from the newest copy. Frequent restarts therefore take
 * no additional copies.
 */
function dueIn({ folder, everyMs }: Series, now: number): number {
  const newest = copiesIn(folder).at(-1);
  if (newest === undefined) return 0;
  const due = takenAt(newest) + everyMs - now;
  // If the clock was set back, a copy is due now.
  return due > everyMs ? 0 : due;
}

async function takeCopy(
  open: Open,
  { folder, everyMs, keep, isPortable = false }: Series,
  onUnrecorded: Caller['onUnrecorded'],
): Promise<Copy> {
  const began = performance.now();
  const { removed, ...taken } = await open(async ({ store, config, ports }) => {
    await removeLeft(folder);
    const name = `copy-${formatDateTime(ports.now()).slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
    // Old copies are removed before the check of the space. Otherwise a smaller `--keep` could never free space.
    const surplus = await removeOld(folder, keep, name);
    await mustHaveRoom(store, folder);
    const form = await formOf(store, isPortable);
    const file = join(folder, `${name}.${form === 'sqlite' ? 'db' : 'dump'}`);
    const taken = await takeBackup(store, config, file, ports, form);
    const removed = surplus + (await removeOld(folder, keep, name));
    // The copy is complete, also if its time cannot be recorded.
    try {
      await noteBackup(store, ports.now());
      await noteSeries(store, everyMs);
    } catch (error) {
      onUnrecorded(error as Error);
    }
    return { ...taken, removed };
  });
  return { ...taken, ms: performance.now() - began, kept: copiesIn(folder).length, removed };
}

/** Returns the names of complete copies, the oldest first. An incomplete copy has another name. */
function copiesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => COPY.exec(name)?.[0] === name)
    .sort();
}

function takenAt(name: string): number {
  const [, year, month, day, hour, minute, second] = COPY.exec(name)!.map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

/**
 * Removes the files of a copy whose process was killed. The lock ensures that no other process copies into the folder.
 * Other files whose names begin as a copy, such as an encrypted one, are of the operator. Without their copy, its
 * manifest and keys belong to them.
 */
async function removeLeft(folder: string): Promise<void> {
  const whole = new Set(copiesIn(folder));
  const names = Map.groupBy(readdirSync(folder), (name) => COPY.exec(name)?.[0]);
  for (const [copy, own] of names) {
    if (copy === undefined || whole.has(copy)) continue;
    const ours = new Set([...leftFilesOf(copy), ...filesOf(copy)]);
    const left = own.every((name) => ours.has(name)) ? own : copyingFilesOf(copy);
    for (const name of left) await rm(join(folder, name), { force: true });
  }
}

/**
 * Removes all but the newest `keep` copies, each copy before the files beside it. Returns the number of removed copies.
 * `name` is the name of the copy that is being taken. Copies with a later name have the time of a clock that was ahead;
 * they count as the oldest.
 */
async function removeOld(folder: string, keep: number, name: string): Promise<number> {
  // A file name is `name` and an ending, and every ending sorts before `~`.
  const { late = [], early = [] } = Object.groupBy(copiesIn(folder), (copy) => (copy > `${name}~` ? 'late' : 'early'));
  const old = [...late, ...early].slice(0, -keep);
  for (const file of old.flatMap(filesOf)) await rm(join(folder, file), { force: true });
  if (old.length > 0) await syncFolder(folder);
  return old.length;
}

/**
 * Checks that the disk of an SQLite series has room for a copy and SPARE_BYTES. Does nothing on PostgreSQL.
 * @throws Error if the disk has too little room
 */
async function mustHaveRoom({ url }: Store, folder: string): Promise<void> {
  if (isPostgres(url)) return;
  const size = (end: string) => statSync(realSqliteFile(url) + end, { throwIfNoEntry: false })?.size ?? 0;
  const { bavail, bsize } = await statfs(folder);
  const needed = size('') + size('-wal') + SPARE_BYTES;
  if (bavail * bsize >= needed) return;
  const [free, wanted] = [bavail * bsize, needed].map((bytes) => Math.round(bytes / 1_000_000));
  throw new Error(
    `${folder} has ${free} MB left and a copy needs ${wanted} MB: free some space, or keep fewer copies (--keep).`,
  );
}
