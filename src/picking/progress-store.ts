/** Saved progress of a ticket: rows that are only ever added. An undone scan stays, and no longer counts. */
import type { Reader } from '../platform/storage/db.ts';
import type { Columns } from '../platform/storage/dialect.ts';
import { insertInto } from '../platform/storage/insert.ts';
import type { PickTicketScanRow } from '../platform/storage/tables.ts';

/** What has been done of one item. */
export interface Progress {
  picked: number;
  canceled: number;
  /** The reason given last. */
  reason: string | null;
}

/** All scans of a ticket in the order in which they were saved. */
export function findScans(db: Reader, clientId: string, pickTicketId: string): Promise<PickTicketScanRow[]> {
  return db
    .selectFrom('pick_ticket_scans')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .orderBy('position')
    .execute();
}

/** What scans come to, by item number. An undo counts whether it came before or after the scan that it takes back. */
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

/** What has been done of a ticket so far, by item number. */
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
