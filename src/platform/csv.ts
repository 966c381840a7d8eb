/** Reads and writes CSV (RFC 4180). */
import type { Sentence } from './message/sentence.ts';
import { type FieldError, fieldError } from './message/validate.ts';
import { say } from './sentences.ts';

const QUOTE = '"';
const LINE_FEED = '\n';

/** A record, and the line of the text on which it begins. */
export interface CsvRecord {
  fields: string[];
  line: number;
}

interface Parsed {
  fields: string[];
  /** Offset after the record and its line end. */
  end: number;
}

/**
 * Error of a record. `open`: a quoted field has no closing quote; `broken`: RFC 4180 does not permit a quote at this
 * place.
 */
type CsvError = 'open' | 'broken';

/**
 * Reads the record that begins at `at`. Text after a closing quote is an error. A quote inside an unquoted field is an
 * error if `isStrict`; otherwise it belongs to the field (`5" PIPE`).
 */
export function readRecord(text: string, at: number, delimiter: string, isStrict = false): Parsed | CsvError {
  const fields: string[] = [];
  const unquoted = new RegExp(`[^${delimiter}\n]*`, 'y');
  for (let from = at; ; ) {
    const isQuoted = text[from] === QUOTE;
    let end: number;
    if (isQuoted) {
      const close = closingQuote(text, from + 1);
      if (close === -1) return 'open';
      fields.push(text.slice(from + 1, close).replaceAll('""', QUOTE));
      end = text.startsWith('\r\n', close + 1) ? close + 2 : close + 1;
    } else {
      unquoted.lastIndex = from;
      const field = unquoted.exec(text)![0];
      if (isStrict && field.includes(QUOTE)) return 'broken';
      end = from + field.length;
      fields.push(text[end] === LINE_FEED && field.endsWith('\r') ? field.slice(0, -1) : field);
    }
    if (end === text.length) return { fields, end };
    if (text[end] === LINE_FEED) return { fields, end: end + 1 };
    if (text[end] !== delimiter) return 'broken';
    from = end + 1;
  }
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf(QUOTE, from);
  while (at !== -1 && text[at + 1] === QUOTE) at = text.indexOf(QUOTE, at + 2);
  return at;
}

/** Thrown for a text that is not valid CSV; `reason` names the line and the fix. */
export class BrokenCsv extends Error {
  readonly reason: Sentence;

  constructor(reason: Sentence) {
    super(String(reason));
    this.name = 'BrokenCsv';
    this.reason = reason;
  }
}

function broken(error: CsvError, line: number): BrokenCsv {
  return new BrokenCsv(
    error === 'open'
      ? say('line {line} begins a record whose last quoted cell does not end; close the cell with a quote', { line })
      : say(
          'line {line} begins a record with a quote in the wrong place; quote the whole cell, and double each quote inside it',
          { line },
        ),
  );
}

/**
 * Reads the records of a text with the lines on which they begin; skips empty lines.
 * @throws BrokenCsv if a quote is misplaced
 */
export function* readRecords(text: string, delimiter = ','): Generator<CsvRecord> {
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const record = readRecord(text, at, delimiter, true);
    if (typeof record === 'string') throw broken(record, line);
    const source = text.slice(at, record.end);
    if (source !== '\n' && source !== '\r\n') yield { fields: record.fields, line };
    line += source.split(LINE_FEED).length - 1;
    at = record.end;
  }
}

/** The form in which spreadsheets show and save a number of many digits, such as `4E+11` for a bar code. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d{2,}$/;

/**
 * Returns the error of a text cell with a number that a spreadsheet has shortened. The last digits of the number are
 * lost, so different bar codes can have the same text.
 */
export function shortenedError(pointer: string, cell: string): FieldError | undefined {
  if (!SHORTENED.test(cell)) return undefined;
  const words = say(
    'a spreadsheet has shortened the number to {cell}; format the column as text, enter the whole number, and save again',
    { cell },
  );
  return fieldError(pointer, 'csv', words);
}

/** Writes a record as one line of CSV, with the line end. */
export function csvLine(fields: readonly string[], delimiter: string): string {
  const written = fields.map((field) =>
    field.includes(QUOTE) || field.includes(delimiter) || /[\r\n]|^\s|\s$/.test(field)
      ? `"${field.replaceAll(QUOTE, '""')}"`
      : field,
  );
  return `${written.join(delimiter)}\n`;
}
