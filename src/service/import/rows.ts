/**
 * Reads the rows of an input file in batches. An unreadable row gets a reason, and reading continues after it.
 * Positions are bytes of the unpacked content, so reading can start after any row.
 */
import { isUtf8 } from 'node:buffer';
import { JSON_LIMITS, JsonError, type JsonLimits, parseJson } from '../../platform/message/json.ts';
import { type ByteSource, type InputFile, openBytes } from './bytes.ts';
import { type CsvRecord, cutCsvRecords, readCsvHeader } from './csv.ts';
import type { Reason } from './mapping-api.ts';
import { cutJsonElements, cutLines, type Piece, wholeContent } from './record-splitter.ts';
import type { Prepared } from './sink.ts';

export type { Reason };

export interface SourceRow {
  /** Number of the row, from 1. The header of a CSV file is not counted. */
  number: number;
  /** Position of the first byte after the row. */
  end: number;
  /**
   * The object of columns (CSV: texts) or the JSON value; undefined if the row is unreadable, or was read by another
   * thread.
   */
  value: unknown;
  /** The errors and the content that the sink prepared without the database; absent if the row was not prepared. */
  prepared?: Prepared;
  /** For CSV: the fields in the order of the columns; absent if the row is unreadable. */
  fields?: readonly string[];
  /** The bytes of the row in the file. A row that is too long has only its first bytes here. */
  bytes: Buffer;
  error?: Reason;
}

type Format = 'csv' | 'ndjson' | 'list' | 'object';

/** Cuts the bytes of a file into rows, except CSV, whose records can have several lines. */
const CUT = { ndjson: cutLines, list: cutJsonElements, object: wholeContent };

/**
 * Maximum number of bytes of a row of every kind except shipments; a longer row is rejected. It equals the default of
 * BODY_LIMIT.
 */
export const ROW_BYTES_MAX = 2 * 1024 * 1024;

export interface RowReader {
  format: Format;
  /** For CSV: the columns, their delimiter, and whether the file begins with a byte order mark. */
  columns?: readonly string[];
  delimiter?: string;
  hasMark?: boolean;
  /** Reads rows from `position` on. The first of them has the number `firstNumber`. */
  read: (position: number, firstNumber: number) => { batches: AsyncGenerator<SourceRow[]>; progress: () => number };
}

export interface RowLimits {
  /** Maximum number of bytes of a row; a longer row is rejected. */
  rowBytes: number;
  /** Limits of one JSON row: the number of values and field names together, and the number of fields of an object. */
  tokens: JsonLimits;
}

export const ROW_LIMITS: RowLimits = { rowBytes: ROW_BYTES_MAX, tokens: JSON_LIMITS };

/**
 * Returns the reader of a file. The content of the file determines the format. If the content is ambiguous, the name of
 * the file determines it.
 */
export function openRows(file: InputFile, { rowBytes, tokens }: RowLimits = ROW_LIMITS): RowReader {
  const format = formatOf(file);
  if (format !== 'csv') {
    return {
      format,
      read: (position, firstNumber) => {
        const source = openBytes(file, position);
        const pieces = CUT[format](source.chunks, position, rowBytes);
        return { batches: jsonRows(pieces, firstNumber, tokens), progress: source.progress };
      },
    };
  }
  const header = readCsvHeader(file.head, file.path);
  return {
    format,
    columns: header.columns,
    delimiter: header.delimiter,
    hasMark: header.hasMark,
    read: (position, firstNumber) => {
      const start = Math.max(position, header.end);
      const source: ByteSource = openBytes(file, start);
      const lines = cutLines(source.chunks, start, rowBytes);
      const records = cutCsvRecords(lines, header.delimiter, rowBytes);
      return { batches: csvRows(records, header.columns, firstNumber), progress: source.progress };
    },
  };
}

/**
 * Detects the format. `[` begins a JSON list. Other files are NDJSON if their name ends with `.ndjson` or `.jsonl`.
 * Otherwise `{` begins NDJSON if the first line is a complete value, and one JSON object if not. All other files are
 * CSV.
 */
function formatOf(file: Pick<InputFile, 'head' | 'path'>): Format {
  const text = file.head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (text.startsWith('[')) return 'list';
  if (!text.startsWith('{')) return /\.(ndjson|jsonl)(\.gz)?$/i.test(file.path) ? 'ndjson' : 'csv';
  if (/\.(ndjson|jsonl)(\.gz)?$/i.test(file.path)) return 'ndjson';
  const newline = text.indexOf('\n');
  const firstLine = newline === -1 ? text : text.slice(0, newline);
  try {
    JSON.parse(firstLine);
    return 'ndjson';
  } catch {
    return 'object';
  }
}

async function* jsonRows(
  pieces: AsyncGenerator<Piece[]>,
  firstNumber: number,
  limits: JsonLimits,
): AsyncGenerator<SourceRow[]> {
  let number = firstNumber;
  for await (const batch of pieces) {
    const rows: SourceRow[] = [];
    for (const piece of batch) {
      if (piece.bytes.length === 0 && piece.error === undefined) continue;
      rows.push(jsonRow(piece, number++, limits));
    }
    if (rows.length > 0) yield rows;
  }
}

function jsonRow({ bytes, end, error }: Piece, number: number, limits: JsonLimits): SourceRow {
  if (error !== undefined) return { number, end, bytes, value: undefined, error };
  try {
    return { number, end, bytes, value: parseJson(bytes, limits) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { number, end, bytes, value: undefined, error: { code: 'UNREADABLE', message: error.message } };
  }
}

async function* csvRows(
  records: AsyncGenerator<CsvRecord[]>,
  columns: readonly string[],
  firstNumber: number,
): AsyncGenerator<SourceRow[]> {
  let number = firstNumber;
  for await (const batch of records) {
    const rows = batch.map((record) => csvRow(record, columns, number++));
    if (rows.length > 0) yield rows;
  }
}

function csvRow(record: CsvRecord, columns: readonly string[], number: number): SourceRow {
  const row = { number, end: record.end, value: undefined, bytes: record.bytes };
  const { fields } = record;
  if (record.error !== undefined || fields === undefined) {
    return { ...row, error: record.error ?? { code: 'UNREADABLE', message: 'The row cannot be read.' } };
  }
  if (fields.length !== columns.length) {
    const message = `The row has ${fields.length} fields, the header has ${columns.length}.`;
    return { ...row, error: { code: 'COLUMN_COUNT', message } };
  }
  const value: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let index = 0; index < columns.length; index++) value[columns[index]!] = fields[index]!;
  return { ...row, value, fields };
}

/** Returns a row of any encoding as readable text. */
export function shown(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
}
