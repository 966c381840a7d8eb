/**
 * The reject file: every rejected row with all of its reasons, as CSV or NDJSON, so that the rows can be corrected and
 * imported. A resumed run cuts the file at the committed position, so the file contains each row once.
 */

import { chmodSync, closeSync, existsSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
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
 * Returns the path of the reject file: `<input>.<kind>.<client>.<store>.rejects.csv`, or `.ndjson` for JSON input. The
 * name of a run without a store has no `<store>`. The file is in the folder of the input, or in `folder`. In `folder`,
 * the name also has a part of the run's id, because several inputs can have the same name. For standard input, `folder`
 * is the working folder.
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
    ...(folder === undefined ? [] : [run.importId.slice(0, 8)]),
    'rejects',
    reader.format === 'csv' ? 'csv' : 'ndjson',
  ];
  return join(folder ?? dirname(input), parts.join('.'));
}

/** Whether the path names an open file of the process, in whose folder no file can be made. */
const isStream = (path: string): boolean => /^\/(?:dev\/(?:stdin$|fd\/)|proc\/[^/]+\/fd\/)/.test(path);

export class RejectFile {
  readonly path: string;
  readonly #reader: RowReader;
  readonly #seals: Seals;
  #position: number;
  #file: number | undefined;

  /**
   * Cuts the file of an earlier run at `position` bytes, or deletes it if `position` is 0. A new file is created with
   * the first rejected row.
   */
  constructor(path: string, reader: RowReader, seals: Seals, position: number) {
    this.path = path;
    this.#reader = reader;
    this.#seals = seals;
    this.#position = position;
    if (position === 0) rmSync(path, { force: true });
    else if (existsSync(path)) this.#cut();
    else
      throw new Error(
        `${path} is missing, so the import cannot resume. Restore the file, or start again with --again.`,
      );
  }

  /** Number of bytes that are durably on disk. */
  get position(): number {
    return this.#position;
  }

  /**
   * Appends rows, and returns the new position when the rows are on disk. The method is synchronous, because it runs
   * inside the write that commits the position, and a write must await only its transaction.
   */
  append(refused: readonly Refused[]): number {
    if (refused.length === 0) return this.#position;
    const header =
      this.#position === 0 && this.#reader.format === 'csv' ? csvLine(this.#header(), this.#delimiter) : '';
    const bytes = Buffer.from(header + refused.map((one) => this.#line(one)).join(''));
    this.#file ??= openSync(this.path, 'a', 0o600);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    fsyncSync(this.#file);
    this.#position += bytes.length;
    return this.#position;
  }

  /** Removes the rows of a batch that was not committed. `position` is the position of the last commit. */
  backTo(position: number): void {
    if (this.#position === position) return;
    if (this.#file !== undefined) ftruncateSync(this.#file, position);
    this.#position = position;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  get #delimiter(): string {
    return this.#reader.delimiter ?? ',';
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

  #cut(): void {
    chmodSync(this.path, 0o600);
    const file = openSync(this.path, 'r+');
    try {
      ftruncateSync(file, this.#position);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
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
