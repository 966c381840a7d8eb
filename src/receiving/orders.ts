/** Stores which purchase orders an ASN delivers. */
import { purchaseOrderOf } from '../kernel/arrivals/announced.ts';
import type { Writer } from '../platform/storage/db.ts';
import type { Dialect } from '../platform/storage/dialect.ts';
import { insertInto } from '../platform/storage/insert.ts';
import type { InboundOrderRow, InboundShipmentRow } from '../platform/storage/tables.ts';
import type { Header, Line } from './schema.ts';

const insertOrderRows = insertInto<InboundOrderRow>('inbound_orders', {
  client_id: 'text',
  seller_id: 'text',
  po_number: 'text',
  asn_number: 'text',
});

/** Stores the purchase orders that an ASN delivers, each once. */
export async function insertOrders(
  db: Writer,
  dialect: Dialect,
  { client_id, seller_id, type, number }: InboundShipmentRow,
  header: Header,
  lines: readonly Line[],
): Promise<void> {
  if (type !== 'ASN') return;
  const orders = new Set(lines.flatMap((line) => purchaseOrderOf(line as never, header.shipmentNumber) ?? []));
  const rows = [...orders].map((po_number) => ({ client_id, seller_id, po_number, asn_number: number }));
  if (rows.length > 0) await insertOrderRows({ db, dialect }, rows);
}
