/** Reads the file of `edi check`, and has the messages about a file that cannot be checked. */
import { createReadStream } from 'node:fs';
import type { Finding } from '../../platform/x12/findings.ts';
import { Failed, type Io } from './io.ts';

const MIB = 1024 * 1024;
/** Maximum size of a file that is checked. */
const READ_MAX = 32 * MIB;
/** Maximum size of a file for the service, by default. */
export const TAKEN_MAX = 8 * MIB;
/** Exit code: the file is not X12, or it cannot be read. */
export const NOT_X12 = 2;

/**
 * Returns the bytes of a file, pipe or device; `-` is standard input. Throws `Failed` after a message on standard
 * error.
 */
export async function readBytes(io: Io, file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const isInput = file === '-';
  if (isInput && process.stdin.isTTY) io.err.write('Paste the file, then press Ctrl-D.\n');
  const source = isInput ? process.stdin : createReadStream(file);
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > READ_MAX) break;
    }
  } catch (error) {
    throw unreadable(io, file, error);
  }
  if (bytes <= READ_MAX) return Buffer.concat(chunks);
  const limits = `Files of up to ${READ_MAX / MIB} MiB are checked; the service takes up to ${TAKEN_MAX / MIB} MiB.`;
  io.err.write(`${file} is too large. ${limits} Split it: each part begins with ISA and ends with IEA.\n`);
  throw new Failed('The file is too large.', NOT_X12);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; name one file',
  EACCES: 'you have no permission to read it',
};

/** Writes to standard error that a file cannot be read. Returns the error to throw. */
export function unreadable(io: Io, file: string, error: unknown): Failed {
  const { code = '', message } = error as NodeJS.ErrnoException;
  io.err.write(`backroom: cannot read ${file}: ${REASONS[code] ?? message}\n`);
  return new Failed('The file cannot be read.', NOT_X12);
}

/** The finding in words, for people. */
export function explained({ message, raw, cure }: Finding): string {
  return [`${message}.`, ...(raw === '' ? [] : [`  ${raw}`, '  ^']), `Fix: ${cure}`].join('\n');
}
