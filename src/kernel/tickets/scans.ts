/** Saved progress of a ticket. Rows are only added; an undone scan remains but does not count. */
import type { Reader } from '../../platform/storage/db.ts';
import type { Columns } from '../../platform/storage/dialect.ts';
import { insertInto } from '../../platform/storage/insert.ts';
import type { PickTicketScanRow } from '../../platform/storage/tables.ts';

/** The progress of one item. */
export interface Progress {
  picked: number;
  canceled: number;
  /** The reason of the latest scan that has a reason; null if no scan has a reason. */
  reason: string | null;
}

/** Returns all scans of a ticket in the order in which they were saved. */
export function findScans(db: Reader, clientId: string, pickTicketId: string): Promise<PickTicketScanRow[]> {
  return db
    .selectFrom('pick_ticket_scans')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .orderBy('position')
    .execute();
}

/** Returns the sums of scans, by item number. An undo counts even if it arrived before the scan that it undoes. */
export function progressOf(scans: readonly PickTicketScanRow[]): Map<number, Progress> {
  const undone = new Set(scans.map((scan) => scan.undoes));
  const progress = new Map<number, Progress>();
  for (const scan of scans) {
    if (scan.undoes !== null || undone.has(scan.scan_id)) continue;
    const { picked, canceled, reason } = progress.get(scan.id) ?? { picked: 0, canceled: 0, reason: null };
    progress.set(scan.id, {
      picked: picked + scan.picked,
      canceled: canceled + scan.canceled,
      reason: scan.reason ?? reason,
    });
  }
  return progress;
}

/** Returns the progress of a ticket so far, by item number. */
export async function findProgress(db: Reader, clientId: string, pickTicketId: string): Promise<Map<number, Progress>> {
  return progressOf(await findScans(db, clientId, pickTicketId));
}

const COLUMNS: Columns<PickTicketScanRow> = {
  client_id: 'text',
  pick_ticket_id: 'text',
  scan_id: 'text',
  position: 'integer',
  id: 'integer',
  picked: 'integer',
  canceled: 'integer',
  reason: 'text',
  undoes: 'text',
  user_id: 'text',
  at: 'integer',
};

/** Adds scans. */
export const insertScans = insertInto('pick_ticket_scans', COLUMNS);
