/** Reads the file of `edi check`, and says what a file is that is not X12. */
import { createReadStream } from 'node:fs';
import type { Finding } from '../../platform/x12/findings.ts';
import { Failed, type Io } from './io.ts';

const MIB = 1024 * 1024;
/** Largest file that is checked. */
const READ_MAX = 32 * MIB;
/** Largest file that the service takes unless it is set otherwise. */
export const TAKEN_MAX = 8 * MIB;
/** Exit code: the file is no X12 or cannot be read. */
export const NOT_X12 = 2;
/** Bytes that are searched for an ISA behind others. */
const SEARCHED = 65_536;
/** Share of control characters from which bytes are binary. */
const BINARY = 0.1;

/** The bytes of a file, pipe or device; `-` is standard input. Throws `Failed` with a message on standard error. */
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

/** Says on standard error that a file cannot be read. */
export function unreadable(io: Io, file: string, error: unknown): Failed {
  const { code = '', message } = error as NodeJS.ErrnoException;
  io.err.write(`backroom: cannot read ${file}: ${REASONS[code] ?? message}\n`);
  return new Failed('The file cannot be read.', NOT_X12);
}

const COMPRESSED = 'It is compressed. Uncompress it first.';
const UTF_16 = 'It looks like UTF-16. Save it as plain text: iconv -f UTF-16 -t UTF-8 FILE';
const SIGNED = 'It looks encrypted or signed (PKCS #7). Decrypt it first.';
const HEADERS = 'It looks like a message of AS2, mail or HTTP. Check only the X12 part, without headers.';

/** Beginnings of files of other kinds (one character a byte), and what to do with them. */
const KINDS: readonly (readonly [beginning: string | RegExp, fix: string])[] = [
  ['\x1f\x8b', 'It is compressed (gzip). Uncompress it: gunzip -c FILE | backroom edi check -'],
  ['PK\x03\x04', 'It is a ZIP archive, or a file of Excel or Word. Check the X12 file in it.'],
  ['BZh', COMPRESSED],
  ['\xfd7zXZ', COMPRESSED],
  ['\x28\xb5\x2f\xfd', COMPRESSED],
  ['%PDF', 'It is a PDF. Send the data as X12.'],
  ['\xff\xfe', UTF_16],
  ['\xfe\xff', UTF_16],
  ['I\0S\0', UTF_16],
  ['\0I\0S', UTF_16],
  ['\xc9\xe2\xc1', 'It looks like EBCDIC. Transfer it as text, or convert it: iconv -f IBM1047 -t UTF-8 FILE'],
  ['-----BEGIN PGP', 'It is encrypted or signed (PGP). Decrypt it first.'],
  ['-----BEGIN', SIGNED],
  [/^0[\x80-\x84]/, SIGNED],
  [/^(?:MIME-Version|Content-[A-Za-z-]+|Received|From|AS2-[A-Za-z]+)\s*:|^HTTP\/\d/i, HEADERS],
  ['SVNB', 'It is Base64. Decode it: base64 -d FILE | backroom edi check -'],
  [/^UN[AB]/, 'It looks like EDIFACT, which is not read. Send X12.'],
  ['STX=', 'It looks like TRADACOMS, which is not read. Send X12.'],
  [
    /^<(?:!doctype html|html)/i,
    'It is an HTML page, such as the error page of a gateway. Open it to see what it says.',
  ],
  ['<', 'It looks like XML. Send X12.'],
  [/^[[{]/, 'It looks like JSON. Send X12.'],
  [/^["']/, 'It begins with a quotation mark. Send the X12 without quotes.'],
  [/^(?:GS|ST)[^A-Za-z0-9\s]/, 'Its ISA segment is missing. Send the file with its envelope, from ISA to IEA.'],
  [/^isa[^A-Za-z0-9\s]/i, 'Write the ids of segments in capital letters: ISA.'],
];

/** The finding NO_ENVELOPE with the fix for this kind of file. */
export function withFix(found: Finding, bytes: Buffer): Finding {
  const cure = fixFor(found, bytes.subarray(0, SEARCHED).toString('latin1'));
  return cure === undefined ? found : { ...found, cure };
}

function fixFor({ offset, raw }: Finding, text: string): string | undefined {
  if (raw === '') return text === '' ? 'Check that the program that writes the file has closed it.' : undefined;
  const start = text.slice(offset);
  if (/^ISA/.test(start)) return undefined;
  const kind = KINDS.find(([beginning]) =>
    typeof beginning === 'string' ? start.startsWith(beginning) : beginning.test(start),
  );
  if (kind !== undefined) return kind[1];
  const isa = text.search(/ISA([^A-Za-z0-9\s])..\1/);
  if (isa !== -1) return `Leave out the first ${isa} bytes: an ISA segment begins behind them.`;
  const controls = Array.from(start).filter((character) => character < ' ' && !/\s/.test(character)).length;
  return controls > start.length * BINARY
    ? 'It looks like binary data, perhaps encrypted. Send plain text.'
    : undefined;
}

/** The finding in words, for people. */
export function explained({ message, raw, cure }: Finding): string {
  return [`${message}.`, ...(raw === '' ? [] : [`  ${raw}`, '  ^']), `Fix: ${cure}`].join('\n');
}
