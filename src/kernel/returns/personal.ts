/** The returns of an order with their personal data, for the export of a customer's data. */
import { readJson } from '../../platform/json-column.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { formatDateTime } from '../../platform/time.ts';
import { showLine, showRefund } from './events.ts';
import { findReceipts, findRefunds, findReturnLines, selectReturnsOf } from './subject.ts';

/** Returns the returns of an order, the oldest first, with customerRef, notes, reasons, receipts and refunds. */
export async function personalReturnsOf(db: Reader, clientId: string, orderId: string): Promise<object[]> {
  const rows = await selectReturnsOf(db, clientId, orderId)
    .selectAll()
    .orderBy('created_at')
    .orderBy('return_id')
    .execute();
  const all: object[] = [];
  for (const row of rows) {
    const lines = await findReturnLines(db, row);
    const receipts = await findReceipts(db, row);
    const refunds = await findRefunds(db, row);
    all.push({
      returnId: row.return_id,
      number: row.number,
      storeId: row.store_id,
      state: row.status,
      createdAt: formatDateTime(row.created_at),
      customerRef: row.customer_ref,
      note: row.note,
      overrideReason: row.override_reason,
      trackingNumber: row.tracking_number,
      lines: lines.map((line) => ({ ...showLine(line), note: line.note })),
      receipts: receipts.map((one) => ({
        receiptId: one.receipt_id,
        at: formatDateTime(one.at),
        userId: one.user_id,
        lines: readJson(one.lines),
      })),
      refunds: refunds.map(showRefund),
    });
  }
  return all;
}
