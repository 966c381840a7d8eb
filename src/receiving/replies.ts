/** Builds the parts of responses that show a shipment, its receipts and its statements. */

import type { ReceiptDoc } from '../kernel/arrivals/action.ts';
import { findStatements } from '../kernel/arrivals/records.ts';
import { allKeys, keyOf, type Shipment, showKey, sumsOfKey } from '../kernel/arrivals/shipment.ts';
import { added, NO_SUMS, type Sums } from '../kernel/arrivals/sums.ts';
import { readJson } from '../platform/json-column.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { InboundEntryRow, InboundReceiptRow, InboundShipmentRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { showClock } from '../shared/device-time.ts';
import type { InboundReceived, InboundStatement, ShipmentSums } from './receipt-schema.ts';

/** Returns the sums of a shipment: per key, carton and item, and in total. */
export function showSums(shipment: Shipment): ShipmentSums {
  const keys: ShipmentSums['keys'] = [];
  const cartons = new Map<string, Sums>();
  const items = new Map<string, Sums>();
  let total = NO_SUMS;
  for (const key of allKeys(shipment)) {
    const sums = sumsOfKey(shipment, key);
    keys.push({ ...showKey(key), ...sums });
    if (key.cartonId !== '') cartons.set(key.cartonId, added(cartons.get(key.cartonId) ?? NO_SUMS, sums));
    items.set(key.itemId, added(items.get(key.itemId) ?? NO_SUMS, sums));
    total = added(total, sums);
  }
  return {
    keys,
    cartons: [...cartons].map(([cartonId, sums]) => ({ cartonId, ...sums })),
    items: [...items].map(([itemId, sums]) => ({ itemId, ...sums })),
    total,
  };
}

/** Returns the sums and the state of a shipment. */
export function showState(shipment: Shipment) {
  return { sums: showSums(shipment), state: shipment.row.status };
}

/** Returns one entry of a receipt or approval, for responses. */
export function showEntry(shipment: Shipment, row: InboundEntryRow): InboundReceived['lines'][number] {
  return {
    ...showKey(keyOf(shipment, row.carton_id, row.item_id)),
    good: row.good,
    damaged: row.damaged,
    refused: row.refused,
    held: row.held,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.good !== 0 && { to: row.place }),
    ...(row.location !== null && { location: row.location }),
  };
}

/** Returns a receipt or match, for responses. */
export function showReceipt(
  shipment: Shipment,
  row: InboundReceiptRow,
  entries: readonly InboundEntryRow[],
): InboundReceived {
  const doc = readJson(row.doc) as ReceiptDoc & Partial<Pick<InboundReceived, 'cartons'>>;
  return {
    receiptId: row.receipt_id,
    userId: row.user_id,
    at: formatDateTime(row.at),
    ...showClock({ at: row.at, ...(doc.deviceAt !== undefined && { deviceAt: doc.deviceAt }) }),
    ...(row.corrects !== null && { corrects: row.corrects }),
    ...(doc.unannounced && { unannounced: true as const }),
    ...(doc.matched && { matched: doc.matched }),
    cartons: doc.cartons ?? [],
    lines: entries.map((entry) => showEntry(shipment, entry)),
  };
}

/** Returns every statement of a shipment, the oldest first. */
export async function showStatements(db: Reader, row: InboundShipmentRow): Promise<InboundStatement[]> {
  const docs = row.statements === 0 ? [] : await findStatements(db, row);
  return docs.map((doc) => readJson(doc) as InboundStatement);
}
