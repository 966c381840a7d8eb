/** The scenes of the campaign `faults` on SQLite. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { SmallDisk } from '../../town/disk.ts';
import { fileOf } from '../../town/small-town.ts';
import type { Scene } from './scene.ts';
import { injectErrors } from './stage.ts';

const LOCK_WAIT_MS = 300;

export const sqliteScenes: readonly Scene[] = [
  {
    name: 'the disk is full, then there is room again',
    needs: 'mount',
    failsCommits: true,
    async play({ open, folder, random }) {
      const disk = SmallDisk.make(join(folder, 'small'), 24);
      try {
        const stage = await open(`sqlite:${join(disk.folder, 'backroom.db')}`);
        await sleep(random() * 100);
        const filler = join(disk.folder, 'filler');
        fill(filler);
        await stage.refuses();
        await stage.tells(503, 200);
        rmSync(filler);
        await stage.recovers();
        await stage.end();
        await stage.remove();
      } finally {
        disk.remove();
      }
    },
  },
  {
    name: 'the file may not grow any more',
    planted: { maxPages: 120 },
    async play({ open, database }) {
      const stage = await open(await database());
      await stage.refuses();
      await stage.tells(503, 200);
      await stage.restart();
      await stage.recovers();
      await stage.end();
    },
  },
  {
    name: 'the disk loses writes (fsync returns EIO)',
    needs: 'strace',
    failsCommits: true,
    async play({ open, database, random }) {
      const stage = await open(await database());
      await sleep(random() * 100);
      const heal = await injectErrors(stage.pid, 'fsync,fdatasync', 'EIO');
      await stage.refuses();
      await stage.tells(503, 'maybe');
      await heal();
      // A failed fsync can lose data, so the service does not recover by itself.
      await stage.tells(503, 'maybe');
      await stage.restart();
      await stage.recovers();
      await stage.end();
    },
  },
  {
    name: 'the disk rejects writes (pwrite returns EIO)',
    needs: 'strace',
    failsCommits: true,
    async play({ open, database, random }) {
      const stage = await open(await database());
      await sleep(random() * 100);
      const heal = await injectErrors(stage.pid, 'pwrite64', 'EIO');
      await stage.refuses();
      await stage.tells(503, 'maybe');
      await heal();
      await stage.restart();
      await stage.recovers();
      await stage.end();
    },
  },
  {
    name: 'another process holds the lock for long',
    planted: { lockWaitMs: LOCK_WAIT_MS },
    async play({ open, database, random }) {
      const stage = await open(await database());
      const other = new Database(fileOf(stage.url), { timeout: 1 });
      try {
        await takeLock(other);
        await stage.refuses();
        await stage.tells(200, 200);
        await sleep(random() * LOCK_WAIT_MS);
      } finally {
        other.close();
      }
      await stage.recovers();
      await stage.end();
    },
  },
];

async function takeLock(database: Database.Database): Promise<void> {
  for (;;) {
    try {
      database.exec('begin immediate');
      return;
    } catch {
      await sleep(1);
    }
  }
}

/** Fills all free space with a file. */
export function fill(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (const size of [1_048_576, 4_096]) {
      const block = Buffer.alloc(size);
      while (writeAll(handle, block));
    }
  } finally {
    closeSync(handle);
  }
}

function writeAll(handle: number, block: Buffer): boolean {
  try {
    return writeSync(handle, block) === block.length;
  } catch {
    return false;
  }
}

/** Returns the reason why this machine cannot make system calls fail; undefined if it can. */
export function whyNoStrace(): string | undefined {
  try {
    execFileSync('strace', ['-qq', '-e', 'inject=getppid:error=EPERM', '-o', '/dev/null', 'true'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `strace is not installed or not allowed: ${(error as Error).message.trim().replaceAll('\n', ' ')}`;
  }
}
