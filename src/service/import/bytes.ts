/**
 * The bytes of an input file, plain or gzip, from a position in the unpacked content. The file can be larger than the
 * memory.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

const CHUNK = 256 * 1024;
/** Number of bytes of `InputFile.head`. The header of a CSV file must be shorter. */
export const PEEK = 64 * 1024;

export interface InputFile {
  path: string;
  /** Size on disk in bytes. */
  size: number;
  /** Whether the file is gzip, by its first two bytes, not by its name. */
  gzip: boolean;
  /** SHA-256 of the file on disk, hexadecimal. */
  hash: string;
  /** The first 64 KiB of the unpacked content. */
  head: Buffer;
}

export interface ByteSource {
  chunks: AsyncIterable<Buffer>;
  /** Share of the file on disk that has been read, 0 to 1. */
  progress: () => number;
}

/** Reads a file for its hash and its first bytes. Rejects with a message for the user if the file cannot be read. */
export async function inspectFile(path: string): Promise<InputFile> {
  const info = await stat(path).catch(() => undefined);
  if (info === undefined) throw new Error(`There is no file ${path}.`);
  if (!info.isFile()) throw new Error(`${path} is not a file.`);
  const gzip = await startsWithGzipMagic(path);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) hash.update(chunk as Buffer);
  const file = { path, size: info.size, gzip, hash: hash.digest('hex') };
  return { ...file, head: await readHead(file) };
}

/**
 * Opens the content from `position` on. A gzip file is unpacked from its beginning, and the bytes before `position` are
 * dropped.
 */
export function openBytes(file: Pick<InputFile, 'path' | 'size' | 'gzip'>, position: number): ByteSource {
  const start = file.gzip ? 0 : position;
  const raw = createReadStream(file.path, { start, highWaterMark: CHUNK });
  const progress = () => (file.size === 0 ? 1 : (start + raw.bytesRead) / file.size);
  if (!file.gzip) return { chunks: raw, progress };
  const unpacked = createGunzip({ chunkSize: CHUNK });
  // `pipeline` destroys `unpacked` with the error of either stream, so the reader gets the error from `unpacked`.
  pipeline(raw, unpacked, () => undefined);
  return { chunks: skip(unpacked, position, file.path), progress };
}

async function* skip(chunks: AsyncIterable<Buffer>, count: number, path: string): AsyncGenerator<Buffer> {
  let left = count;
  try {
    for await (const chunk of chunks) {
      const dropped = Math.min(left, chunk.length);
      left -= dropped;
      if (dropped < chunk.length) yield chunk.subarray(dropped);
    }
  } catch (error) {
    throw new Error(`${path} cannot be unpacked to its end: ${(error as Error).message}.`, { cause: error });
  }
}

async function startsWithGzipMagic(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

async function readHead(file: Pick<InputFile, 'path' | 'size' | 'gzip'>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of openBytes(file, 0).chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= PEEK) break;
  }
  return Buffer.concat(parts).subarray(0, PEEK);
}
