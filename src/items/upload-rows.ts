/** Reads an uploaded CSV file as checked items. It needs no database, so it can run in a thread. */
import { BrokenCsv, type CsvRecord, readRecords } from '../platform/csv.ts';
import { type FieldError, fieldError } from '../platform/message/validate.ts';
import type { ClientRow } from '../platform/storage/tables.ts';
import { settingsOf } from '../shared/client-settings.ts';
import { type CheckedItem, capped, checkItem } from './check.ts';
import { headerErrors, itemReader, separatorOf } from './csv.ts';
import type { ItemOwner } from './rules.ts';
import { say } from './sentences.ts';

/** Maximum number of records in one upload. */
export const UPLOAD_RECORDS_MAX = 1000;
/** Maximum number of columns in one upload. An item with ten elements in every list has about 400. */
export const UPLOAD_COLUMNS_MAX = 500;

/** The client of the items, with its settings. */
export type UploadOwner = ItemOwner & Pick<ClientRow, 'settings'>;

/** A record of the file, as plain data. */
export interface UploadedRow {
  /** Line of the file on which the record begins. */
  line: number;
  key: string;
  errors: readonly FieldError[];
  checked: CheckedItem | undefined;
}

/** The records of a file, or the reason to reject the whole file. */
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
    return refused(fieldError('', 'csv', say('the file has no records; send a header and at least one record')));
  }
  if (rest.length > UPLOAD_RECORDS_MAX) return { refused: 'records' };
  const names = header.fields;
  if (names.length > UPLOAD_COLUMNS_MAX) return refused(tooManyColumns(names.length));
  const errors = headerErrors(names);
  if (errors.length > 0) return { refused: 'errors', ...capped(errors) };
  return { rows: checkedRows(names, rest, client) };
}

function checkedRows(names: readonly string[], records: readonly CsvRecord[], client: UploadOwner): UploadedRow[] {
  const settings = settingsOf(client);
  const read = itemReader(names);
  const first = new Map<string, number>();
  return records.map(({ fields, line }) => {
    const { item, errors } = read(fields);
    const { itemId } = item;
    const key = typeof itemId === 'string' ? itemId.slice(0, 60) : `line ${line}`;
    const more = [...widthErrors(names.length, fields.length), ...errors];
    const earlier = typeof itemId === 'string' ? first.get(itemId) : undefined;
    if (earlier !== undefined)
      more.push(
        fieldError(
          '/itemId',
          'duplicate',
          say("'itemId' is already on line {line}; send an item once", { line: earlier }),
        ),
      );
    else if (typeof itemId === 'string') first.set(itemId, line);
    const validated = checkItem(client, settings, item, () => more);
    return { line, key, errors: validated.errors, checked: validated.checked };
  });
}

function refused(error: FieldError): UploadReading {
  return { refused: 'errors', errors: [error], total: 1 };
}

function tooManyColumns(count: number): FieldError {
  const words = say('the file has {count} columns; send at most {max}, and use an import for wider files', {
    count,
    max: UPLOAD_COLUMNS_MAX,
  });
  return fieldError('', 'columns', words, UPLOAD_COLUMNS_MAX);
}

function widthErrors(columns: number, cells: number): FieldError[] {
  if (columns === cells) return [];
  return [
    fieldError(
      '',
      'csv',
      say('the record has {cells} cells, but the header has {columns}; quote cells that contain a separator', {
        cells,
        columns,
      }),
    ),
  ];
}

function textOf(content: Uint8Array): string | FieldError {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return fieldError('', 'encoding', say('the file is not valid UTF-8; save it as UTF-8'));
  }
  return text.includes('\0')
    ? fieldError('', 'character', say('the file contains NUL characters; send a CSV text'))
    : text;
}

function recordsOf(text: string): CsvRecord[] | FieldError {
  try {
    // Reads the header, the maximum number of records and one more record, which shows that the file has too many.
    return [...readRecords(text, separatorOf(text)).take(UPLOAD_RECORDS_MAX + 2)];
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    return fieldError('', 'csv', say('the file is not a CSV: {reason}', { reason: error.reason }));
  }
}
