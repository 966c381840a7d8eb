/** An uploaded CSV file as items that are checked: by itself, without the database, so that a thread may do it. */
import { parse } from 'csv-parse/sync';
import { type FieldError, fieldError } from '../platform/message/validate.ts';
import { settingsOf } from '../shared/client-settings.ts';
import { type CheckedItem, capped, checkItem } from './check.ts';
import { headerErrors, itemReader } from './csv.ts';
import type { ItemOwner } from './rules.ts';

/** Most records of one upload. */
export const UPLOAD_RECORDS_MAX = 1000;
/** Most columns of one upload: an item with ten of everything has about 400. */
export const UPLOAD_COLUMNS_MAX = 500;

/** Whose items they are. */
export type UploadOwner = ItemOwner & { settings: string };

/** A record of the file; plain data. */
export interface UploadedRow {
  /** Line of the file on which the record begins. */
  line: number;
  key: string;
  errors: readonly FieldError[];
  checked: CheckedItem | undefined;
}

/** The records of a file, or why none of it is taken. */
export type UploadReading =
  | { rows: UploadedRow[] }
  | { refused: 'records' }
  | { refused: 'errors'; errors: readonly FieldError[]; total: number | string };

/** Reads a file as items of `client`. */
export function uploadRows(content: Uint8Array, client: UploadOwner): UploadReading {
  const text = textOf(content);
  if (typeof text !== 'string') return refused(text);
  const records = recordsOf(text);
  if (!Array.isArray(records)) return refused(records);
  const [header, ...rest] = records;
  if (header === undefined || rest.length === 0) {
    return refused(fieldError('', 'csv', 'the file has no records; send a header and at least one record'));
  }
  if (rest.length > UPLOAD_RECORDS_MAX) return { refused: 'records' };
  const names = header.record;
  if (names.length > UPLOAD_COLUMNS_MAX) return refused(tooManyColumns(names.length));
  const errors = headerErrors(names);
  if (errors.length > 0) return { refused: 'errors', ...capped(errors) };
  return { rows: checkedRows(names, rest, client) };
}

function checkedRows(names: readonly string[], records: readonly CsvRecord[], client: UploadOwner): UploadedRow[] {
  const settings = settingsOf(client);
  const read = itemReader(names);
  const first = new Map<string, number>();
  return records.map(({ record, line }) => {
    const { item, errors } = read(record);
    const { itemId } = item;
    const key = typeof itemId === 'string' ? itemId.slice(0, 60) : `line ${line}`;
    const more = [...widthErrors(names.length, record.length), ...errors];
    const earlier = typeof itemId === 'string' ? first.get(itemId) : undefined;
    if (earlier !== undefined)
      more.push(fieldError('/itemId', 'duplicate', `'itemId' is already on line ${earlier}; send an item once`));
    else if (typeof itemId === 'string') first.set(itemId, line);
    const validated = checkItem(client, settings, item, () => more);
    return { line, key, errors: validated.errors, checked: validated.checked };
  });
}

function refused(error: FieldError): UploadReading {
  return { refused: 'errors', errors: [error], total: 1 };
}

function tooManyColumns(count: number): FieldError {
  const words = `the file has ${count} columns; send at most ${UPLOAD_COLUMNS_MAX}, and use an import for wider files`;
  return fieldError('', 'columns', words, UPLOAD_COLUMNS_MAX);
}

function widthErrors(columns: number, cells: number): FieldError[] {
  if (columns === cells) return [];
  return [
    fieldError('', 'csv', `the record has ${cells} cells and the header ${columns}; quote cells that hold a comma`),
  ];
}

function textOf(content: Uint8Array): string | FieldError {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return fieldError('', 'encoding', 'the file is not valid UTF-8; save it as UTF-8');
  }
  return text.includes('\0') ? fieldError('', 'character', 'the file holds NUL characters; send a CSV text') : text;
}

interface CsvRecord {
  record: string[];
  line: number;
}

function recordsOf(text: string): CsvRecord[] | FieldError {
  const lines: number[] = [];
  try {
    const records = parse(text, {
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n'],
      skip_empty_lines: true,
      to: UPLOAD_RECORDS_MAX + 2,
      on_record: (record: string[], info) => {
        lines.push(info.lines - record.join('').split('\n').length + 1);
        return record;
      },
    });
    return records.map((record, index) => ({ record, line: lines[index]! }));
  } catch (error) {
    return fieldError('', 'csv', `the file is not a CSV: ${(error as Error).message.slice(0, 200)}`);
  }
}
