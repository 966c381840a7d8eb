/** Purchase orders and the ASNs that deliver them: ordered, announced, arrived. */
import { arrived } from '../kernel/inbound.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { Reader, Writer } from '../platform/storage/db.ts';
import type { Dialect } from '../platform/storage/dialect.ts';
import { insertInto } from '../platform/storage/insert.ts';
import { statement } from '../platform/storage/statement.ts';
import type { ClientRow, InboundOrderRow, InboundShipmentRow } from '../platform/storage/tables.ts';
import { type AnnouncedCtx, findAnnounced, keyId, purchaseOrderOf } from './announced.ts';
import type { Header, Line } from './schema.ts';
import { keyState, type Loaded, loadShipment } from './shipment.ts';

interface OfPo {
  clientId: string;
  sellerId: string;
  poNumber: string;
}

const selectAsns = statement((db, { clientId, sellerId, poNumber }: OfPo) =>
  db
    .selectFrom('inbound_orders as po')
    .innerJoin('inbound_shipments as asn', (join) =>
      join
        .onRef('asn.client_id', '=', 'po.client_id')
        .onRef('asn.seller_id', '=', 'po.seller_id')
        .onRef('asn.number', '=', 'po.asn_number')
        .on('asn.type', '=', 'ASN'),
    )
    .selectAll('asn')
    .where('po.client_id', '=', clientId)
    .where('po.seller_id', '=', sellerId)
    .where('po.po_number', '=', poNumber)
    .orderBy('asn.number'),
);

function findAsns(db: Reader, po: InboundShipmentRow): Promise<InboundShipmentRow[]> {
  return selectAsns(db, { clientId: po.client_id, sellerId: po.seller_id, poNumber: po.number });
}

/** Numbers of the ASNs that deliver a purchase order and are not closed. */
export async function findOpenAsns(db: Reader, po: InboundShipmentRow): Promise<string[]> {
  const rows = await findAsns(db, po);
  return rows.filter(({ status }) => status !== 'CLOSED').map(({ number }) => number);
}

/** By item: units ordered, announced by the ASNs of the order, and arrived by them or without one. */
export async function threeWay(
  ctx: AnnouncedCtx,
  client: Pick<ClientRow, 'catalog_ids'>,
  po: Loaded,
): Promise<{ itemId: string; ordered: number; announced: number; arrived: number }[]> {
  const items = new Map<string, { ordered: number; announced: number; arrived: number }>();
  const of = (itemId: string) => {
    const known = items.get(itemId) ?? { ordered: 0, announced: 0, arrived: 0 };
    items.set(itemId, known);
    return known;
  };
  for (const key of [...po.announced.keys.values(), ...po.others.values()]) {
    const item = of(key.itemId);
    item.ordered += key.announced;
    item.arrived += arrived(keyState(po, key));
  }
  for (const asn of await findAsns(ctx.db, po.row)) {
    const loaded = await loadShipment(ctx, client, asn);
    const left = new Map([...loaded.states].map(([id, state]) => [id, arrived(state)]));
    const last = lastLines(loaded);
    for (const [index, line] of loaded.announced.lines.entries()) {
      const id = keyId(line.cartonId, line.itemId);
      const all = left.get(id) ?? 0;
      // Lines of one carton and item are filled in their order; what is over is of the last of them.
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

function lastLines({ announced }: Loaded): Map<string, number> {
  return new Map(announced.lines.map(({ cartonId, itemId }, index) => [keyId(cartonId, itemId), index]));
}

const insertOrderRows = insertInto<InboundOrderRow>('inbound_orders', {
  client_id: 'text',
  seller_id: 'text',
  po_number: 'text',
  asn_number: 'text',
});

/** Keeps which purchase orders an ASN delivers, each once. */
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

/** Forgets the purchase orders of an ASN that is about to be deleted. */
export async function deleteOrders(ctx: Pick<Ctx, 'db' | 'config'>, row: InboundShipmentRow): Promise<void> {
  if (row.type !== 'ASN') return;
  const { db } = ctx;
  const { lines } = await findAnnounced(ctx, row);
  for (const poNumber of new Set(lines.flatMap(({ purchaseOrder }) => purchaseOrder ?? []))) {
    await db
      .deleteFrom('inbound_orders')
      .where('client_id', '=', row.client_id)
      .where('seller_id', '=', row.seller_id)
      .where('po_number', '=', poNumber)
      .where('asn_number', '=', row.number)
      .execute();
  }
}
