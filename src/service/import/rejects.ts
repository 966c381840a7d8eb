/**
 * The reject file: every rejected row with all of its reasons, as CSV or NDJSON, so that the rows can be corrected and
 * imported. A resumed run cuts the file at the committed position, so the file contains each row once.
 */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { csvLine } from '../../platform/csv.ts';
import { parseJson, stringifyJson } from '../../platform/message/json.ts';
import { isRecord } from '../../platform/message/record.ts';
import { type Reason, type RowReader, type SourceRow, shown } from './rows.ts';
import { NOT_SHOWN, type Seals } from './sealed.ts';

/** The column or field that holds the reasons. */
export const REASONS = 'reject_reasons';

export interface Refused {
  row: SourceRow;
  reasons: readonly Reason[];
}

/**
 * Returns the path of the reject file: `<input>.<kind>.<client>.<store>.<run>.rejects.csv`, or `.ndjson` for JSON
 * input, without the store if the run has none. The file is in the folder of the input, or in `folder`; for standard
 * input, `folder` is the working folder. The name has the first part of the run's id, because an input of another day
 * or folder may have the same name.
 */
export function rejectPath(
  input: string,
  run: { kind: string; clientId: string; storeId: string; importId: string },
  reader: Pick<RowReader, 'format'>,
  folder: string | undefined = isStream(input) ? '.' : undefined,
): string {
  const ids = [run.clientId, run.storeId]
    .filter((id) => id !== '')
    .map((id) => id.replaceAll(/[^\p{L}\p{N}._-]/gu, '_'));
  const parts = [
    basename(input).replace(/\.gz$/i, ''),
    run.kind,
    ...ids,
    run.importId.slice(0, 8),
    'rejects',
    reader.format === 'csv' ? 'csv' : 'ndjson',
  ];
  return join(folder ?? dirname(input), parts.join('.'));
}

/**
 * Checks that the reject file can be made, before the first row is imported. Otherwise the first rejected row would end
 * the import, perhaps after hours. @throws Error if the folder does not exist or cannot be written
 */
export function requireFolder(rejectFile: string): void {
  const folder = dirname(rejectFile);
  const info = statSync(folder, { throwIfNoEntry: false });
  if (info?.isDirectory() !== true)
    throw new Error(`There is no folder ${folder} for the reject file; name another one with --rejects.`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new Error(`The reject file cannot be written to ${folder}; name another folder with --rejects.`);
  }
}

/** Whether the path names an open file of the process, in whose folder no file can be made. */
const isStream = (path: string): boolean => /^\/(?:dev\/(?:stdin$|fd\/)|proc\/[^/]+\/fd\/)/.test(path);

/**
 * Changes the file only in `write`. The caller holds the row of the run there, so that a second process that imports
 * the same file cannot damage the rejects of the first.
 */
export class RejectFile {
  readonly path: string;
  readonly #reader: RowReader;
  readonly #seals: Seals;

  constructor(path: string, reader: RowReader, seals: Seals) {
    this.path = path;
    this.#reader = reader;
    this.#seals = seals;
  }

  /**
   * Checks that the file has the rows that the run has committed, which end at `position`. @throws Error if the file is
   * missing or was edited
   */
  check(position: number): void {
    if (position === 0) return;
    const wrong = existsSync(this.path) ? !this.#hasRowEnd(position) && 'was changed' : 'is missing';
    if (wrong === false) return;
    throw new Error(
      `${this.path} ${wrong}, so the import cannot resume. Restore the file, or start again with --again.`,
    );
  }

  #hasRowEnd(position: number): boolean {
    const file = openSync(this.path, 'r');
    try {
      const last = Buffer.alloc(1);
      return readSync(file, last, 0, 1, position - 1) === 1 && last[0] === 10;
    } finally {
      closeSync(file);
    }
  }

  /** Returns the content for rejected rows that follow the first `position` bytes of the file. */
  contentOf(refused: readonly Refused[], position: number): Buffer {
    if (refused.length === 0) return Buffer.alloc(0);
    const start = position === 0 && this.#reader.format === 'csv' ? this.#start() : '';
    return Buffer.from(start + refused.map((one) => this.#line(one)).join(''));
  }

  /**
   * Cuts the file at `position` bytes, which removes the rows of batches that were not committed, and appends `content`.
   * At position 0, it replaces the file of an earlier run. The content is on disk when the method returns. The method is
   * synchronous, because it runs inside the write that commits the position, and a write must await only its
   * transaction.
   */
  write(position: number, content: Buffer): void {
    if (position === 0) rmSync(this.path, { force: true });
    else this.check(position);
    if (content.length === 0 && (position === 0 || statSync(this.path).size === position)) return;
    if (position > 0) chmodSync(this.path, 0o600);
    const file = openSync(this.path, position === 0 ? 'wx' : 'r+', 0o600);
    try {
      ftruncateSync(file, position);
      for (let done = 0; done < content.length; )
        done += writeSync(file, content, done, content.length - done, position + done);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  get #delimiter(): string {
    return this.#reader.delimiter ?? ',';
  }

  /**
   * Returns the header line. It has the byte order mark of the input, without which Excel would read the file in another
   * encoding and break its letters.
   */
  #start(): string {
    return (this.#reader.hasMark === true ? '\ufeff' : '') + csvLine(this.#header(), this.#delimiter);
  }

  /** Returns the columns of the input and the column of the reasons, which replaces the column of an earlier import. */
  #header(): string[] {
    return [...(this.#reader.columns ?? []).filter((name) => name !== REASONS), REASONS];
  }

  #line({ row, reasons }: Refused): string {
    if (this.#reader.format === 'csv')
      return csvLine(this.#csvFields(row, cellOf(words(row, reasons).join(' | '))), this.#delimiter);
    // A row that another thread has read has no `value` here.
    const value = row.prepared !== undefined && row.value === undefined ? parseJson(row.bytes) : row.value;
    return `${stringifyJson({ ...(isRecord(value) ? this.#fields(value) : { reject_text: this.#text(row) }), [REASONS]: words(row, reasons) })}\n`;
  }

  #fields(value: object): object {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#seals.seal(name, one)]));
  }

  #text(row: SourceRow): string {
    return this.#seals.names.size > 0 ? NOT_SHOWN : shown(row.bytes);
  }

  /**
   * Returns the cells of a row. A row whose fields do not match the columns is written as text into the first column.
   */
  #csvFields(row: SourceRow, reasons: string): string[] {
    const columns = this.#reader.columns ?? [];
    if (row.fields === undefined)
      return [this.#text(row), ...Array<string>(this.#header().length - 2).fill(''), reasons];
    const sealed = row.fields.map((field, index) => String(this.#seals.seal(columns[index] ?? '', field)));
    return [...sealed.filter((_, index) => columns[index] !== REASONS), reasons];
  }
}

/**
 * Quotes a reason that begins like a formula. Reasons contain names from the file, and a spreadsheet must not run them.
 */
function cellOf(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function words(row: SourceRow, reasons: readonly Reason[]): string[] {
  return reasons.map(({ code, message }) => `${code}: ${message} (row ${row.number})`);
}
