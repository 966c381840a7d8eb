/**
 * Writes files that only their owner can read, unless a mode is given. Their content survives a crash of the machine.
 * After `syncFolder`, their names and renames survive a crash, too.
 */
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';

/**
 * Writes a file of mode 600 (or `mode`) and syncs its content. Deletes an existing file or link first, so it never
 * writes through a link. `syncFolder` makes the name of the file durable.
 */
export async function writePrivate(
  path: string,
  content: string | Buffer | AsyncIterable<Buffer>,
  mode?: number,
): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    // The umask of the process takes bits from a mode that `open` gets.
    if (mode !== undefined) await file.chmod(mode);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Copies a file in the same way as `writePrivate` writes one. Rejects when `signal` is aborted; a part of the copy then
 * remains.
 */
export async function copyPrivate(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await writePrivate(to, chunksOf(from, signal));
}

/** Opens the file only when it is read, so it is never left open. */
async function* chunksOf(path: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  yield* createReadStream(path, signal && { signal });
}

/** Makes the names and renames of files in a folder durable. Windows cannot sync a folder; NTFS has a journal of names. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
