/** Compares purchase orders with the ASNs that deliver them: ordered, announced and arrived units. */
import { sql } from 'kysely';
import type { Ctx } from '../../platform/ctx.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { ClientRow, InboundShipmentRow } from '../../platform/storage/tables.ts';
import type { AnnouncedCtx } from './announced.ts';
import { loadShipment, seesShipment } from './locked.ts';
import { allKeys, keyId, keyState, type Shipment } from './shipment.ts';
import { arrived } from './sums.ts';

/** Returns the ASNs that deliver a purchase order. */
function findAsns(db: Reader, po: InboundShipmentRow): Promise<InboundShipmentRow[]> {
  return selectAsns(db, { clientId: po.client_id, sellerId: po.seller_id, poNumber: po.number });
}

const selectAsns = statement(
  (db, { clientId, sellerId, poNumber }: { clientId: string; sellerId: string; poNumber: string }) =>
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

/**
 * Returns the numbers of the open ASNs with which the caller can receive goods of a purchase order at its node. An ASN of
 * another node does not count, because only that node can receive it.
 */
export async function findOpenAsns(
  { db, actor }: Pick<Ctx, 'db' | 'actor'>,
  po: InboundShipmentRow,
): Promise<string[]> {
  const rows = await findAsns(db, po);
  return rows
    .filter((row) => row.status !== 'CLOSED' && row.node_id === po.node_id && seesShipment(actor, row))
    .map(({ number }) => number);
}

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

/** Returns the units of each item of a purchase order that arrived with its ASNs. */
export async function findBrought(
  ctx: AnnouncedCtx,
  client: Pick<ClientRow, 'catalog_ids'>,
  po: Shipment,
): Promise<Map<string, number>> {
  const own = new Map<string, number>();
  for (const key of allKeys(po)) own.set(key.itemId, (own.get(key.itemId) ?? 0) + arrived(keyState(po, key)));
  const orders = await threeWay(ctx, client, po);
  return new Map(orders.map(({ itemId, arrived: all }) => [itemId, all - (own.get(itemId) ?? 0)]));
}

/**
 * Whether a row of `inbound_shipments` is not covered by ASNs. An EXPECTED purchase order is covered if its ASNs together
 * have at least as many units: these ASNs are the expected shipments. An ASN counts with all of its units, so that no
 * line must be read (docs/receiving.md#purchase-orders-and-their-asns).
 */
export const isNotCovered = sql<boolean>`(inbound_shipments.type <> 'PO' or inbound_shipments.status <> 'EXPECTED'
  or inbound_shipments.total_units > coalesce((
  select sum(asn.total_units) from inbound_orders as po
  join inbound_shipments as asn on asn.client_id = po.client_id and asn.seller_id = po.seller_id
    and asn.type = 'ASN' and asn.number = po.asn_number
  where po.client_id = inbound_shipments.client_id and po.seller_id = inbound_shipments.seller_id
    and po.po_number = inbound_shipments.number), -1))`;
