/** `backup --every`: a verified copy every so often, the newest ones kept, and said what a lost disk would cost. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../platform/storage/db.ts';
import { SchemaMismatch } from '../../platform/storage/migrate.ts';
import { takeLock } from '../../platform/storage/serving.ts';
import { isPostgres, sqliteFile } from '../../platform/storage/url.ts';
import { formatDateTime, MINUTE_MS, SECOND_MS } from '../../platform/time.ts';
import { inWords } from './every.ts';
import { type Opened, withStore } from './installation.ts';
import { type Io, print, printJson } from './io.ts';
import { digestOf } from './manifest.ts';
import { noteBackup, noteEndOfSeries, syncFolder, type Taken, takeBackup } from './take-backup.ts';

export interface Series {
  folder: string;
  everyMs: number;
  /** How many copies stay. */
  keep: number;
  json?: true;
}

/** Not the names of single backups: what somebody else put here is never removed. */
const COPY = /^copy-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(?:db|dump)/;

/** Left on the disk beside a copy. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** After a copy that failed the next try comes within this. */
const RETRY_MS = MINUTE_MS;

/**
 * Copies until it is told to stop. The first copy comes at once, or when it is due after the newest that is there. A copy that
 * cannot be taken is said and tried again; one that fails at the start ends the command.
 * @throws Error when another process copies into the folder, or the database has become newer than this program.
 */
export async function takeSeries(io: Io, series: Series): Promise<void> {
  const { folder, everyMs, keep } = series;
  mkdirSync(folder, { recursive: true });
  const giveBack = takeLock(join(folder, '.copies'));
  if (giveBack === undefined)
    throw new Error(`Another process copies into ${folder}: give each series a folder of its own.`);
  try {
    if (series.json !== true) {
      print(io, `A copy every ${inWords(everyMs)}, the newest ${keep} are kept (${inWords(everyMs * keep)}).`);
      print(
        io,
        `With the disk of the database at most what was written in ${inWords(everyMs)} and the time of a copy is lost.`,
      );
    }
    let wait = (await dueIn(io, series)) ?? 0;
    for (let isFirst = true; await paused(wait, io.signal); isFirst = false) {
      const began = performance.now();
      try {
        await round(io, series);
        wait = everyMs - (performance.now() - began);
      } catch (error) {
        if (isFirst || error instanceof SchemaMismatch) throw error;
        wait = Math.min(everyMs, RETRY_MS);
        io.err.write(`backroom: no copy was taken, next try in ${inWords(wait)}: ${(error as Error).message}\n`);
      }
    }
    await withStore(io, ({ store }) => noteEndOfSeries(store), { schema: 'any' });
  } finally {
    giveBack();
  }
}

/** False when it was told to stop. */
async function paused(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/** Milliseconds until the copy after the newest; undefined where there is none. A start again and again makes no more copies. */
function dueIn(io: Io, { folder, everyMs }: Series): Promise<number | undefined> {
  return withStore(
    io,
    ({ ports }) => {
      const newest = copiesIn(folder).at(-1);
      if (newest === undefined) return Promise.resolve(undefined);
      const due = takenAt(newest) + everyMs - ports.now();
      // A clock that was put back.
      return Promise.resolve(due > everyMs ? 0 : due);
    },
    { schema: 'any' },
  );
}

async function round(io: Io, series: Series): Promise<void> {
  const { folder, keep } = series;
  const began = performance.now();
  const { taken, bytes } = await withStore(
    io,
    async (opened) => {
      await removeLeft(folder);
      await mustHaveRoom(opened.store, folder);
      const taken = await takeBackup(opened.store, opened.config, freeName(opened, folder), opened.ports);
      await noteBackup(opened.store, opened.ports.now(), series.everyMs);
      return { taken, bytes: taken.manifest.file.bytes };
    },
    { schema: 'any' },
  );
  const removed = await removeOld(folder, keep);
  say(io, series, taken, { bytes, seconds: (performance.now() - began) / SECOND_MS, removed });
}

function freeName({ store, ports }: Opened, folder: string): string {
  const at = formatDateTime(ports.now()).slice(0, 19).replaceAll(/[-:]/g, '');
  return join(folder, `copy-${at}Z.${store.engine === 'sqlite' ? 'db' : 'dump'}`);
}

function say(io: Io, series: Series, taken: Taken, done: { bytes: number; seconds: number; removed: number }): void {
  const { manifest, file } = taken;
  const { bytes, removed } = done;
  const seconds = Number(done.seconds.toFixed(1));
  const kept = copiesIn(series.folder).length;
  if (series.json) {
    printJson(io, { file, takenAt: manifest.takenAt, digest: digestOf(manifest), bytes, seconds, kept, removed });
    return;
  }
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  print(
    io,
    `${file}: ${size} in ${seconds} s, verified, ${kept} kept. Lost with the disk: what is written after ${manifest.takenAt}.`,
  );
}

/** Copies that are whole, the oldest first: their files got their names last. */
function copiesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.(?:db|dump)$/.test(name) && COPY.test(name))
    .sort();
}

function takenAt(name: string): number {
  const [, year, month, day, hour, minute, second] = COPY.exec(name)!.map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

/** Removes what a copy has left that was killed; nobody else copies into the folder. */
async function removeLeft(folder: string): Promise<void> {
  const whole = new Set(copiesIn(folder));
  for (const name of readdirSync(folder)) {
    const copy = COPY.exec(name)?.[0];
    if (
      copy !== undefined &&
      !(whole.has(copy) && /^(?:|\.secret(?:\.previous)?|\.manifest\.json)$/.test(name.slice(copy.length)))
    ) {
      await rm(join(folder, name), { force: true });
    }
  }
}

/** Removes all but the newest `keep`, each copy before what stands beside it. */
async function removeOld(folder: string, keep: number): Promise<number> {
  const old = copiesIn(folder).slice(0, -keep);
  for (const name of old) {
    for (const end of ['', '.manifest.json', '.secret', '.secret.previous'])
      await rm(join(folder, name + end), { force: true });
  }
  if (old.length > 0) await syncFolder(folder);
  return old.length;
}

/** @throws Error where a copy would fill the disk. The old copies stay: an old one is worth more than none. */
async function mustHaveRoom({ url }: Store, folder: string): Promise<void> {
  if (isPostgres(url)) return;
  const size = (end: string) => statSync(sqliteFile(url) + end, { throwIfNoEntry: false })?.size ?? 0;
  const { bavail, bsize } = await statfs(folder);
  const needed = size('') + size('-wal') + SPARE_BYTES;
  if (bavail * bsize >= needed) return;
  const [free, wanted] = [bavail * bsize, needed].map((bytes) => Math.round(bytes / 1_000_000));
  throw new Error(
    `${folder} has ${free} MB left and a copy needs ${wanted} MB: free some space, or keep fewer copies (--keep).`,
  );
}
