/** Compares purchase orders with the ASNs that deliver them: ordered, announced and arrived units. */
import { sql } from 'kysely';
import type { Ctx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { BoundText } from '../../platform/storage/dialect.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { ClientRow, InboundShipmentRow } from '../../platform/storage/tables.ts';
import { type AnnouncedCtx, purchaseOrderOf } from './announced.ts';
import { loadShipment, seesShipment } from './locked.ts';
import { type AnnouncedLine, allKeys, keyId, keyState, type Shipment } from './shipment.ts';
import { arrived } from './sums.ts';

/** Selects purchase orders (`po`) with the ASNs that deliver them (`asn`). */
const fromAsns = (db: Reader) =>
  db
    .selectFrom('inbound_orders as po')
    .innerJoin('inbound_shipments as asn', (join) =>
      join
        .onRef('asn.client_id', '=', 'po.client_id')
        .onRef('asn.seller_id', '=', 'po.seller_id')
        .on('asn.type', '=', 'ASN')
        .onRef('asn.number', '=', 'po.asn_number'),
    );

/** Returns the ASNs that deliver a purchase order. */
function findAsns(db: Reader, po: InboundShipmentRow): Promise<InboundShipmentRow[]> {
  return selectAsns(db, { clientId: po.client_id, sellerId: po.seller_id, poNumber: po.number });
}

const selectAsns = statement(
  (db, { clientId, sellerId, poNumber }: { clientId: string; sellerId: string; poNumber: string }) =>
    fromAsns(db)
      .selectAll('asn')
      .where('po.client_id', '=', clientId)
      .where('po.seller_id', '=', sellerId)
      .where('po.po_number', '=', poNumber)
      .orderBy('asn.number'),
);

/**
 * Returns the numbers of the open ASNs with which the caller can receive goods of a purchase order at the node of the
 * order. An ASN of another node does not count, because only that node can receive the ASN.
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
    const { announced, states } = await loadShipment(ctx, client, asn);
    const ofKeys = new Map([...states].map(([id, state]) => [id, arrived(state)]));
    for (const [line, own] of arrivedByLine(announced.lines, ofKeys)) {
      if (line.purchaseOrder !== po.row.number) continue;
      const item = of(line.itemId);
      item.announced += line.quantity;
      item.arrived += own;
    }
  }
  return [...items].map(([itemId, sums]) => ({ itemId, ...sums }));
}

/**
 * Yields each line of an ASN with the units of its key that arrived for it. Lines of one carton and item are filled in
 * order; excess units go to the last line.
 */
function* arrivedByLine<L extends Pick<AnnouncedLine, 'cartonId' | 'itemId' | 'quantity'>>(
  lines: readonly L[],
  ofKeys: ReadonlyMap<string, number>,
): Generator<[L, number]> {
  const left = new Map(ofKeys);
  const last = new Map(lines.map(({ cartonId, itemId }, index) => [keyId(cartonId, itemId), index]));
  for (const [index, line] of lines.entries()) {
    const id = keyId(line.cartonId, line.itemId);
    const all = left.get(id) ?? 0;
    const own = last.get(id) === index ? all : Math.min(all, line.quantity);
    left.set(id, all - own);
    yield [line, own];
  }
}

/**
 * Returns the units of each item that arrived with the ASNs of a purchase order. Reads only the lines of items with
 * open units, because an ASN can deliver many orders.
 */
export async function findBrought(
  { db, dialect }: Pick<Ctx, 'db' | 'dialect'>,
  po: Shipment,
): Promise<Map<string, number>> {
  const brought = new Map<string, number>();
  const { client_id: clientId, seller_id: sellerId, number } = po.row;
  const open = [...allKeys(po)].filter((key) => arrived(keyState(po, key)) < key.announced);
  if (open.length === 0) return brought;
  const itemIds = dialect.listText([...new Set(open.map(({ itemId }) => itemId))]);
  const of = { clientId, sellerIds: dialect.listText([sellerId]), numbers: dialect.listText([number]), itemIds };
  for (const { itemId, arrived: own } of await findAsnLines(db, of))
    brought.set(itemId, (brought.get(itemId) ?? 0) + own);
  return brought;
}

/** Items of purchase orders: ids of sellers, numbers of the orders and ids of the items, encoded by `dialect.listText`. */
interface OrderedItems {
  clientId: string;
  sellerIds: BoundText;
  numbers: BoundText;
  itemIds: BoundText;
}

/**
 * Returns the lines with these items that ASNs have for the purchase orders, each with the `number` of its order and
 * the units that arrived for it. An ASN can deliver several orders, so the line shows to which of them it belongs.
 */
export async function findAsnLines(db: Reader, of: OrderedItems) {
  const ofAsns = Map.groupBy(await selectAsnLines(db, of), ({ sellerId, number, asn }) =>
    JSON.stringify([sellerId, number, asn]),
  );
  return [...ofAsns.values()].flatMap((lines) => {
    const ofKeys = new Map(lines.map(({ cartonId, itemId, arrived }) => [keyId(cartonId, itemId), arrived]));
    return [...arrivedByLine(lines, ofKeys)]
      .filter(
        ([{ doc, asn_doc, number }]) =>
          purchaseOrderOf(readJson(doc), readJson(asn_doc).header.shipmentNumber) === number,
      )
      .map(([line, own]) => ({ ...line, arrived: own }));
  });
}

const selectAsnLines = statement((db, { clientId, sellerIds, numbers, itemIds }: OrderedItems, dialect) =>
  fromAsns(db)
    .innerJoin('inbound_lines as line', (join) =>
      join
        .onRef('line.client_id', '=', 'asn.client_id')
        .onRef('line.seller_id', '=', 'asn.seller_id')
        .onRef('line.type', '=', 'asn.type')
        .onRef('line.number', '=', 'asn.number'),
    )
    .leftJoin('inbound_sums as sums', (join) =>
      join
        .onRef('sums.client_id', '=', 'line.client_id')
        .onRef('sums.seller_id', '=', 'line.seller_id')
        .onRef('sums.type', '=', 'line.type')
        .onRef('sums.number', '=', 'line.number')
        .on((on) => on('sums.carton_id', '=', on.fn.coalesce('line.carton_id', on.val(''))))
        .onRef('sums.item_id', '=', 'line.item_id'),
    )
    .select([
      'po.seller_id as sellerId',
      'po.po_number as number',
      'asn.number as asn',
      'asn.status',
      'asn.doc as asn_doc',
      (eb) => eb.fn.coalesce('line.carton_id', eb.val('')).as('cartonId'),
      'line.item_id as itemId',
      'line.quantity',
      'line.doc',
      sql<number>`coalesce(sums.good + sums.damaged + sums.refused + sums.held, 0)`.as('arrived'),
    ])
    .where('po.client_id', '=', clientId)
    .where('po.seller_id', 'in', dialect.listOf<string>(sellerIds, 'text'))
    .where('po.po_number', 'in', dialect.listOf<string>(numbers, 'text'))
    .where('line.item_id', 'in', dialect.listOf<string>(itemIds, 'text'))
    .orderBy('asn.number')
    .orderBy('line.line_index'),
);

/**
 * Whether a row of `inbound_shipments` is covered by ASNs. An EXPECTED purchase order is covered if its ASNs together
 * have at least as many units: these ASNs are the expected shipments. An open ASN counts with all of its units, and a
 * closed ASN with its arrived units, so that no line must be read (docs/receiving.md#purchase-orders-and-their-asns).
 */
export const isCovered = sql<boolean>`(inbound_shipments.type = 'PO' and inbound_shipments.status = 'EXPECTED'
  and inbound_shipments.total_units <= coalesce((
  select sum(case when asn.status = 'CLOSED' then asn.received_units else asn.total_units end)
  from inbound_orders as po
  join inbound_shipments as asn on asn.client_id = po.client_id and asn.seller_id = po.seller_id
    and asn.type = 'ASN' and asn.number = po.asn_number
  where po.client_id = inbound_shipments.client_id and po.seller_id = inbound_shipments.seller_id
    and po.po_number = inbound_shipments.number), 0))`;
