/**
 * The temporary folder of one run of the suite; teardown deletes it. The folder is in memory if TMPDIR is not set and
 * enough memory is free. The tests commit several hundred thousand times, and no test depends on the durability of a
 * disk.
 */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDatabasesOf } from './postgres.ts';

const IN_MEMORY = '/dev/shm';
/** Bytes that must be free in memory. A full run needs about a third of them. */
const ROOM = 3 * 1024 ** 3;

function place(): string {
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Workers inherit `TMPDIR`. */
export function setup(): void {
  const folder = mkdtempSync(join(place(), 'backroom-test-'));
  // Servers that run as another user have their folders in this folder.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
}

export async function teardown(): Promise<void> {
  const folder = process.env['TMPDIR']!;
  await dropDatabasesOf(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
