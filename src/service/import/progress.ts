/** The row of `imports`, committed with each batch, so that an interrupted run can continue. */

import { createHash } from 'node:crypto';
import { readJson } from '../../platform/json-column.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import type { Reader, Store, Writer } from '../../platform/storage/db.ts';
import type { ImportRow } from '../../platform/storage/tables.ts';

/** Number of rows by result; `rowsRead` = `rowsImported` + the sum of `rowsRefused`. */
export interface Counts {
  rowsRead: number;
  rowsImported: number;
  /** Number of rejected rows by their first reason. */
  rowsRefused: Record<string, number>;
}

export interface Progress extends Counts {
  /** Position of the first byte after the last processed row. */
  position: number;
  /** Length of the reject file. */
  rejectPosition: number;
  finished: boolean;
}

export const NOTHING_YET: Progress = {
  position: 0,
  rejectPosition: 0,
  rowsRead: 0,
  rowsImported: 0,
  rowsRefused: {},
  finished: false,
};

/**
 * Returns the id of a run, a hash of `parts`: the kind, the client, the store (orders, shipments, and all kinds with a
 * mapping), the mapping and the content. Equal parts are the same run.
 */
export function importId(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);
}

export async function findProgress(store: Store, clientId: string, id: string): Promise<Progress | undefined> {
  const row = await store.read((db) => findRow(db, clientId, id));
  return (
    row && {
      position: row.position,
      rejectPosition: row.reject_position,
      rowsRead: row.rows_read,
      rowsImported: row.rows_imported,
      rowsRefused: readJson(row.rows_refused),
      finished: row.finished_at !== null,
    }
  );
}

/** A run of an import: its key (`clientId`, `importId`), and what it imports. */
export interface RunName {
  clientId: string;
  importId: string;
  kind: string;
  fileName: string;
}

/**
 * Writes the progress of a run if the row is still at `from`. Only the first batch makes the row. If two processes
 * import the same file, one of them fails here. A run that was forgotten in the meantime fails too.
 * @throws Error if another process has changed or deleted the row.
 */
export async function saveProgress(tx: Writer, run: RunName, from: Progress, to: Progress, now: number): Promise<void> {
  const key = { client_id: run.clientId, import_id: run.importId };
  const values = {
    position: to.position,
    reject_position: to.rejectPosition,
    rows_read: to.rowsRead,
    rows_imported: to.rowsImported,
    rows_refused: stringifyJson(to.rowsRefused),
    updated_at: now,
    finished_at: to.finished ? now : null,
  };
  const written =
    from === NOTHING_YET
      ? await tx
          .insertInto('imports')
          .values({ ...key, kind: run.kind, file_name: run.fileName, started_at: now, ...values })
          .onConflict((on) => on.doNothing())
          .returning('import_id')
          .executeTakeFirst()
      : await tx
          .updateTable('imports')
          .set(values)
          .where('client_id', '=', run.clientId)
          .where('import_id', '=', run.importId)
          .where('position', '=', from.position)
          .where('rows_read', '=', from.rowsRead)
          .returning('import_id')
          .executeTakeFirst();
  if (written === undefined) {
    throw new Error(
      `Another process imports ${run.fileName} at the same time, or has ended this run with --forget; this batch was rolled back.`,
    );
  }
}

/** Deletes a run, so that its file is imported from the beginning. */
export async function forgetProgress(store: Store, clientId: string, id: string): Promise<void> {
  await store.write((tx) =>
    tx.deleteFrom('imports').where('client_id', '=', clientId).where('import_id', '=', id).execute(),
  );
}

/** Deletes an interrupted run whose file is not imported any more. Returns undefined if there is no such run. */
export function forgetInterrupted(
  store: Store,
  clientId: string,
  id: string,
): Promise<Pick<ImportRow, 'kind' | 'file_name' | 'rows_read'> | undefined> {
  return store.write((tx) =>
    tx
      .deleteFrom('imports')
      .where('client_id', '=', clientId)
      .where('import_id', '=', id)
      .where('finished_at', 'is', null)
      .returning(['kind', 'file_name', 'rows_read'])
      .executeTakeFirst(),
  );
}

function findRow(db: Reader, clientId: string, id: string): Promise<ImportRow | undefined> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('import_id', '=', id)
    .executeTakeFirst();
}
