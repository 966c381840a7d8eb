/** Exports items, nodes, orders, shipments and stock as lines of NDJSON that an import accepts. */

import { contactsOf } from '../../kernel/orders.ts';
import { PLACE_COLUMNS } from '../../kernel/stock.ts';
import { STOCK_PLACES } from '../../kernel/stock-terms.ts';
import type { OrderIntake } from '../../orders/intake-schema.ts';
import { numeric } from '../../platform/decimal.ts';
import { parseJson, stringifyJson } from '../../platform/message/json.ts';
import type { Store } from '../../platform/storage/db.ts';
import type {
  CheckinPackageItemRow,
  CheckinPackageRow,
  FulfillmentOrderRow,
  OrderLineRow,
} from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import { toNode } from '../../provisioning/node.ts';
import { messageOf } from '../../receiving/content.ts';
import type { ShipmentType } from '../../receiving/schema.ts';
import { findShipment, lineDocs, readHeaderDoc } from '../../receiving/store.ts';

export const EXPORT_KINDS = ['items', 'orders', 'nodes', 'inbound', 'stock'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** Number of orders whose lines are read together. */
const ORDERS_AT_ONCE = 100;

/**
 * Yields one line for each object, sorted by the key of the objects, without line ends. An item in `stock` has one line
 * for each place with units. @throws Error if the client does not exist.
 */
export async function* exportLines(store: Store, kind: ExportKind, clientId: string): AsyncGenerator<string> {
  const client = await store.read((db) =>
    db.selectFrom('clients').select('client_id').where('client_id', '=', clientId).executeTakeFirst(),
  );
  if (client === undefined) throw new Error(`There is no client ${JSON.stringify(clientId)}.`);
  if (kind === 'items') yield* items(store, clientId);
  else if (kind === 'nodes') yield* nodes(store, clientId);
  else if (kind === 'inbound') yield* shipments(store, clientId);
  else if (kind === 'stock') yield* stock(store, clientId);
  else yield* orders(store, clientId);
}

async function* items(store: Store, clientId: string): AsyncGenerator<string> {
  const query = await store.read(async (db) =>
    db.selectFrom('items').select('doc').where('client_id', '=', clientId).orderBy('item_id').compile(),
  );
  for await (const { doc } of store.stream(query)) yield doc;
}

async function* nodes(store: Store, clientId: string): AsyncGenerator<string> {
  const query = await store.read(async (db) =>
    db.selectFrom('nodes').selectAll().where('client_id', '=', clientId).orderBy('node_id').compile(),
  );
  for await (const row of store.stream(query)) yield stringifyJson(toNode(row));
}

/**
 * Returns the orders that were sent to intake. The order of a re-source request has units of an earlier order, which is
 * exported with all its units.
 */
async function* orders(store: Store, clientId: string): AsyncGenerator<string> {
  const query = await store.read(async (db) =>
    db
      .selectFrom('fulfillment_orders')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('resourced_from', 'is', null)
      .orderBy('fulfillment_order_id')
      .compile(),
  );
  let waiting: FulfillmentOrderRow[] = [];
  for await (const row of store.stream(query)) {
    waiting.push(row);
    if (waiting.length < ORDERS_AT_ONCE) continue;
    yield* await withParts(store, clientId, waiting);
    waiting = [];
  }
  yield* await withParts(store, clientId, waiting);
}

/**
 * Returns shipments in the form in which they were announced, without later changes. Header and lines of a shipment are
 * read in one snapshot, because a replacement writes both under the same number. A shipment that was deleted after the
 * start of the export is left out.
 */
async function* shipments(store: Store, clientId: string): AsyncGenerator<string> {
  const query = await store.read(async (db) =>
    db
      .selectFrom('inbound_shipments')
      .select(['seller_id', 'type', 'number'])
      .where('client_id', '=', clientId)
      .where('type', '<>', 'BLIND')
      .orderBy('seller_id')
      .orderBy('type')
      .orderBy('number')
      .compile(),
  );
  for await (const { seller_id: sellerId, type, number } of store.stream(query)) {
    const message = await store.read(async (db) => {
      const row = await findShipment(db, { clientId, sellerId, type, number });
      return row && messageOf(type as ShipmentType, readHeaderDoc(row.doc).header, await lineDocs(db, row));
    });
    if (message !== undefined) yield stringifyJson({ sellerId, ...message });
  }
}

/** Returns units by place at nodes that keep stock. An item without units is exported with 0 on the shelf. */
async function* stock(store: Store, clientId: string): AsyncGenerator<string> {
  const query = await store.read(async (db) =>
    db
      .selectFrom('stock_levels as level')
      .innerJoin('nodes as node', (join) =>
        join.onRef('node.client_id', '=', 'level.client_id').onRef('node.node_id', '=', 'level.node_id'),
      )
      .selectAll('level')
      .where('level.client_id', '=', clientId)
      .where('node.stock', '=', 'KEPT')
      .orderBy('level.node_id')
      .orderBy('level.item_id')
      .compile(),
  );
  for await (const level of store.stream(query)) {
    const all = STOCK_PLACES.map((place) => ({ place, quantity: level[PLACE_COLUMNS[place]] }));
    const there = all.filter(({ quantity }) => quantity > 0);
    for (const { place, quantity } of there.length > 0 ? there : all.slice(0, 1)) {
      yield stringifyJson({ nodeId: level.node_id, itemId: level.item_id, place, quantity });
    }
  }
}

/**
 * Lines and packages can be read in another snapshot than their order. Of their exported fields, only gift messages
 * change after intake. An order without lines was deleted meanwhile, and is left out.
 */
async function withParts(store: Store, clientId: string, rows: readonly FulfillmentOrderRow[]): Promise<string[]> {
  const ids = store.dialect.listOf(
    rows.map((row) => row.fulfillment_order_id),
    'text',
  );
  const parts = await store.read(async (db) => {
    const of = {
      lines: db.selectFrom('order_lines').where('client_id', '=', clientId),
      packages: db.selectFrom('checkin_packages').where('client_id', '=', clientId),
      items: db.selectFrom('checkin_package_items').where('client_id', '=', clientId),
    };
    return {
      lines: await of.lines.where('fulfillment_order_id', 'in', ids).selectAll().orderBy('line_index').execute(),
      packages: await of.packages
        .where('fulfillment_order_id', 'in', ids)
        .selectAll()
        .orderBy('package_index')
        .execute(),
      items: await of.items
        .where('fulfillment_order_id', 'in', ids)
        .selectAll()
        .orderBy('package_index')
        .orderBy('line_index')
        .execute(),
    };
  });
  const byOrder = <R extends { fulfillment_order_id: string }>(list: readonly R[]) =>
    Map.groupBy(list, (row) => row.fulfillment_order_id);
  const [lines, packages, items] = [byOrder(parts.lines), byOrder(parts.packages), byOrder(parts.items)];
  return rows.flatMap((row) => {
    const id = row.fulfillment_order_id;
    const own = lines.get(id);
    return own === undefined ? [] : stringifyJson(toIntake(row, own, packages.get(id) ?? [], items.get(id) ?? []));
  });
}

/**
 * Returns the order in the form of its intake, without its PIN. It has no `exchangeOf`, because an export has no
 * returns and the intake rejects an order whose return does not exist. Contacts, gift messages and other fields that a
 * change of the order replaced have their present values; quantities are those of the intake.
 */
function toIntake(
  row: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  packages: readonly CheckinPackageRow[],
  items: readonly CheckinPackageItemRow[],
): Omit<OrderIntake, 'status' | 'queueId'> {
  const { customer, proxyDetails, destinations, billToAddress, shippingAddress, shipFromAddress } = contactsOf(row);
  const inStore = row.in_store === 1;
  return {
    fulfillmentOrderId: row.fulfillment_order_id,
    omsOrderId: row.oms_order_id,
    webOrderId: row.web_order_id,
    ...(row.external_order_number !== null && { externalOrderNumber: row.external_order_number }),
    ...(row.external_order_number2 !== null && { externalOrderNumber2: row.external_order_number2 }),
    storeId: row.store_id,
    nodeId: row.node_id,
    fulfillmentType: row.fulfillment_type as OrderIntake['fulfillmentType'],
    orderDate: formatDateTime(row.order_date),
    fulfillmentOrderDate: formatDateTime(row.fulfillment_order_date),
    ...(row.expected_delivery_date !== null && { expectedDeliveryDate: formatDateTime(row.expected_delivery_date) }),
    currency: row.currency,
    carrier: row.carrier,
    service: row.service,
    shipMethod: row.ship_method,
    customer,
    ...(proxyDetails && { proxyDetails }),
    destinations,
    billToAddress,
    shippingAddress,
    ...(shipFromAddress && { shipFromAddress }),
    lines: lines.map(toLine),
    headerCharges: numeric(row.header_charges),
    headerTax: numeric(row.header_tax),
    ...(row.cash_on_delivery !== null && { cashOnDelivery: numeric(row.cash_on_delivery) }),
    carrierException: row.carrier_exception === 1,
    ...(inStore && { inStore }),
    ...(packages.length > 0 && !inStore && { packages: packages.map((one) => toPackage(one, items, lines)) }),
  };
}

function toLine(line: OrderLineRow): OrderIntake['lines'][number] {
  return {
    webLineId: line.web_line_id,
    itemId: line.item_id,
    quantity: line.ordered,
    unitPrice: numeric(line.unit_price),
    charges: numeric(line.charges),
    tax: numeric(line.tax),
    ...(line.instructions !== null && {
      instructions: parseJson(line.instructions),
    }),
  };
}

type IntakePackage = NonNullable<OrderIntake['packages']>[number];

function toPackage(
  one: CheckinPackageRow,
  items: readonly CheckinPackageItemRow[],
  lines: readonly OrderLineRow[],
): IntakePackage {
  const own = items.filter((item) => item.package_index === one.package_index);
  return {
    checkInPackageId: one.check_in_package_id,
    trackingNumber: one.tracking_number,
    ...(one.weight !== null && { weight: parseJson(one.weight) }),
    ...(one.volume !== null && { volume: parseJson(one.volume) }),
    items: own.map((item) => ({
      webLineId: lines[item.line_index]!.web_line_id,
      quantity: item.quantity,
    })),
  };
}
