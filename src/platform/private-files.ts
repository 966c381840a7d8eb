/**
 * Writes files that only their owner can read, and makes renames durable. The files and the renames survive a crash of
 * the machine.
 */
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';

/** Writes a file of mode 600 durably. It replaces an existing file. */
export async function writePrivate(path: string, content: string | AsyncIterable<Buffer>): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Copies a file like `writePrivate`. */
export async function copyPrivate(from: string, to: string): Promise<void> {
  await writePrivate(to, chunksOf(from));
}

/** Opens the file only when it is read, so it is never left open. */
async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path);
}

/** Makes renames in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
