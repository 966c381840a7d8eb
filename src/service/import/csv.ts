/**
 * Reads CSV records from lines. An import can continue after any record, and broken quotes cost only one line
 * (docs/decisions/071).
 */
import { isUtf8 } from 'node:buffer';
import { readRecord } from '../../platform/csv.ts';
import { PEEK } from './bytes.ts';
import type { Reason } from './mapping-api.ts';
import type { Piece } from './record-splitter.ts';

export interface CsvRecord {
  end: number;
  bytes: Buffer;
  fields?: string[];
  error?: Reason;
}

export interface CsvHeader {
  columns: string[];
  delimiter: string;
  /** Whether the file begins with a byte order mark. */
  hasMark: boolean;
  /** Position of the first byte after the header. */
  end: number;
}

const QUOTE = '"';
const NOT_UTF8: Reason = { code: 'UNREADABLE', message: 'The row is not valid UTF-8.' };
const NUL: Reason = { code: 'UNREADABLE', message: 'The row contains a NUL character.' };
const BAD_QUOTES: Reason = {
  code: 'UNREADABLE',
  message: 'The quotes of the row are broken: a quoted field must end with a quote before the next separator.',
};

/** Reads the columns of a file from its first bytes. @throws Error if the header cannot be used. */
export function readCsvHeader(head: Buffer, path: string): CsvHeader {
  const hasMark = head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
  const newline = head.indexOf(10);
  if (newline === -1 && head.length >= PEEK)
    throw new Error(`The header of ${path} is longer than 64 KiB; remove columns that the import does not need.`);
  const end = newline === -1 ? head.length : newline + 1;
  const bytes = head.subarray(hasMark ? 3 : 0, newline === -1 ? head.length : newline);
  const text = bytes.toString('utf8').replace(/\r$/, '');
  // ASCII text in UTF-16 is also valid UTF-8, but with a NUL in each character.
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new Error(`The header of ${path} is not UTF-8; save the file as UTF-8.`);
  if (text.trim() === '') throw new Error(`${path} has no header; its first line must name the columns.`);
  const delimiter = [',', ';', '\t'].find((sign) => text.includes(sign)) ?? ',';
  const header = readRecord(text, 0, delimiter);
  if (typeof header === 'string') throw new Error(`The quotes in the header of ${path} are broken.`);
  const names = header.fields.map((name) => name.trim());
  const bad = names.find((name, index) => name === '' || names.indexOf(name) !== index);
  if (bad !== undefined) {
    throw new Error(bad === '' ? `A column of ${path} has no name.` : `The column ${bad} of ${path} occurs twice.`);
  }
  return { columns: names, delimiter, hasMark, end };
}

/**
 * Joins lines into records. If the quotes of a record are broken or never close, only its first line is lost: reading
 * continues with the next line.
 */
export async function* cutCsvRecords(
  lines: AsyncGenerator<Piece[]>,
  delimiter: string,
  max: number,
): AsyncGenerator<CsvRecord[]> {
  let waiting: Piece[] = [];
  for await (const batch of lines) {
    const queue = waiting.length === 0 ? batch : [...waiting, ...batch];
    const { records, rest } = gather(queue, delimiter, max, false);
    waiting = rest;
    if (records.length > 0) yield records;
  }
  const { records } = gather(waiting, delimiter, max, true);
  if (records.length > 0) yield records;
}

function gather(queue: readonly Piece[], delimiter: string, max: number, last: boolean) {
  const records: CsvRecord[] = [];
  let at = 0;
  while (at < queue.length) {
    const line = queue[at]!;
    if (line.error !== undefined || !line.bytes.includes(QUOTE)) {
      if (line.bytes.length > 0) records.push(plainRecord(line, delimiter));
      at++;
      continue;
    }
    const taken = quotedRecord(queue, at, delimiter, max, last);
    if (taken === 'waits') return { records, rest: queue.slice(at) };
    records.push(taken.record);
    at += taken.lines;
  }
  return { records, rest: [] };
}

function plainRecord(line: Piece, delimiter: string): CsvRecord {
  const error = line.error ?? textError(line.bytes);
  if (error !== undefined) return { end: line.end, bytes: line.bytes, error };
  return { end: line.end, bytes: line.bytes, fields: line.bytes.toString('utf8').split(delimiter) };
}

/** Reads a record that begins at `at` and can span several lines. */
function quotedRecord(queue: readonly Piece[], at: number, delimiter: string, max: number, last: boolean) {
  const first = queue[at]!;
  const alone = (error: Reason) => ({ record: { end: first.end, bytes: first.bytes, error }, lines: 1 });
  let size = 0;
  let text = '';
  for (let next = at; next < queue.length; next++) {
    const line = queue[next]!;
    size += line.bytes.length + 1;
    const error = line.error ?? textError(line.bytes);
    if (error !== undefined) return alone(next === at ? error : BAD_QUOTES);
    if (size > max) return alone(BAD_QUOTES);
    text += next === at ? line.bytes.toString('utf8') : `\n${line.bytes.toString('utf8')}`;
    // Only a line with a quote can close the field.
    if (next > at && !line.bytes.includes(QUOTE)) continue;
    const record = readRecord(text, 0, delimiter);
    if (record === 'broken') return alone(BAD_QUOTES);
    if (record !== 'open') {
      const bytes = next === at ? first.bytes : Buffer.from(text);
      return { record: { end: line.end, bytes, fields: record.fields }, lines: next - at + 1 };
    }
  }
  return last ? alone(BAD_QUOTES) : 'waits';
}

function textError(bytes: Buffer): Reason | undefined {
  if (!isUtf8(bytes)) return NOT_UTF8;
  return bytes.includes(0) ? NUL : undefined;
}
