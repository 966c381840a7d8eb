/** Compares purchase orders with the ASNs that deliver them: ordered, announced and arrived units. */
import { type AnnouncedCtx, purchaseOrderOf } from '../kernel/arrivals/announced.ts';
import { loadShipment } from '../kernel/arrivals/locked.ts';
import { findAsns } from '../kernel/arrivals/orders.ts';
import { allKeys, keyId, keyState, type Shipment } from '../kernel/arrivals/shipment.ts';
import { arrived } from '../kernel/arrivals/sums.ts';
import type { Writer } from '../platform/storage/db.ts';
import type { Dialect } from '../platform/storage/dialect.ts';
import { insertInto } from '../platform/storage/insert.ts';
import type { ClientRow, InboundOrderRow, InboundShipmentRow } from '../platform/storage/tables.ts';
import type { Header, Line } from './schema.ts';

/**
 * Returns three numbers for each item of a purchase order: ordered units, units that the ASNs of the order announce,
 * and units that arrived with or without an ASN.
 */
export async function threeWay(
  ctx: AnnouncedCtx,
  client: Pick<ClientRow, 'catalog_ids'>,
  po: Shipment,
): Promise<{ itemId: string; ordered: number; announced: number; arrived: number }[]> {
  const items = new Map<string, { ordered: number; announced: number; arrived: number }>();
  const of = (itemId: string) => {
    const known = items.get(itemId) ?? { ordered: 0, announced: 0, arrived: 0 };
    items.set(itemId, known);
    return known;
  };
  for (const key of allKeys(po)) {
    const item = of(key.itemId);
    item.ordered += key.announced;
    item.arrived += arrived(keyState(po, key));
  }
  for (const asn of await findAsns(ctx.db, po.row)) {
    const shipment = await loadShipment(ctx, client, asn);
    const left = new Map([...shipment.states].map(([id, state]) => [id, arrived(state)]));
    const last = lastLines(shipment);
    for (const [index, line] of shipment.announced.lines.entries()) {
      const id = keyId(line.cartonId, line.itemId);
      const all = left.get(id) ?? 0;
      // Lines of one carton and item are filled in order; excess units go to the last line.
      const own = last.get(id) === index ? all : Math.min(all, line.quantity);
      left.set(id, all - own);
      if (line.purchaseOrder !== po.row.number) continue;
      const item = of(line.itemId);
      item.announced += line.quantity;
      item.arrived += own;
    }
  }
  return [...items].map(([itemId, sums]) => ({ itemId, ...sums }));
}

function lastLines({ announced }: Shipment): Map<string, number> {
  return new Map(announced.lines.map(({ cartonId, itemId }, index) => [keyId(cartonId, itemId), index]));
}

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
