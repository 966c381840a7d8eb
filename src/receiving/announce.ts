/** Stores an ASN or PO: checks the rules that its schema cannot express, and writes its rows. */
import { record } from '../events/record.ts';
import { findItemIds } from '../items/find.ts';
import { type CartonIds, fromCartons } from '../kernel/arrivals/cartons.ts';
import { resourceIdOf } from '../kernel/arrivals/shipment.ts';
import { insertShipment } from '../kernel/arrivals/write.ts';
import { findSettings } from '../kernel/settings.ts';
import type { Ctx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { statement } from '../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { itemIdOf } from '../shared/item-id.ts';
import { EVENT_LINES_MAX } from '../shared/limits.ts';
import { type Content, contentOf, differences } from './content.ts';
import { insertOrders } from './orders.ts';
import type { Reading } from './reading.ts';
import { checkKnown, itemsIn, type Known, namesIn } from './rules.ts';
import type { Header, Line, ShipmentType } from './schema.ts';
import {
  cartonsOf,
  expectedOn,
  findShipment,
  headerDoc,
  insertCartons,
  insertLines,
  lineDocs,
  readHeaderDoc,
  trailersOf,
} from './store.ts';

/** A message of valid form. */
export interface Message {
  type: ShipmentType;
  number: string;
  header: Header;
  lines: readonly Line[];
  content: Content;
}

/** Returns the message of a reading, with the texts to store; undefined if the reading has errors. */
export async function messageIn(reading: Reading): Promise<Message | undefined> {
  const { type, number, errors } = reading;
  if (type === undefined || errors.count > 0) return undefined;
  const header = reading.header as typeof reading.header & Header;
  const lines = reading.lines as readonly Line[];
  return { type, number, header, lines, content: await contentOf(header, lines) };
}

/**
 * Stores one message in the transaction of `ctx`: the shipment with its lines and cartons, or nothing. Returns the row
 * of the shipment. If the number was announced before with the same content, the function writes nothing and returns
 * the stored row. `replaced` is the shipment that the message corrects, if it was voided in this transaction.
 * @throws Refusal 400 with every error of `reading`, before any write.
 */
export async function announce(
  ctx: Ctx,
  { clientId, sellerId }: { clientId: string; sellerId: string },
  reading: Reading,
  message: Message | undefined,
  replaced?: InboundShipmentRow,
): Promise<InboundShipmentRow> {
  const before = message && (await findStored(ctx, { clientId, sellerId }, reading, message));
  if (before !== undefined) return before;
  const checked = await checkMessage(ctx, { clientId, sellerId }, reading, message);
  const inserted = await insertMessage(ctx, { clientId, sellerId }, checked, replaced);
  if (inserted !== undefined) return inserted;
  // Another transmission of the number was committed after the lookup above.
  const other = await findStored(ctx, { clientId, sellerId }, reading, checked.message);
  if (other === undefined) throw reading.errors.refusal(checked.message.number);
  return other;
}

/** A message that complies with every rule, with its store and warehouse. */
interface CheckedMessage {
  message: Message;
  catalogId: string;
  storeId: string;
  nodeId: string;
}

/**
 * Checks a message with the stored data. It does not check whether the number is free.
 * @throws Refusal 400 with every error of `reading`
 */
export async function checkMessage(
  ctx: Ctx,
  { clientId, sellerId }: { clientId: string; sellerId: string },
  reading: Reading,
  message: Message | undefined,
): Promise<CheckedMessage> {
  const known = await lookUp(ctx, clientId, sellerId, reading);
  await checkKnown(reading, sellerId, known);
  if (message !== undefined) await checkCartons(ctx, { clientId, sellerId }, message, reading);
  if (message === undefined || known.store === undefined || known.warehouse === undefined || reading.errors.count > 0) {
    throw reading.errors.refusal(reading.number);
  }
  return { message, ...known.store, nodeId: known.warehouse.nodeId };
}

/**
 * Writes the rows of a message and its event. Returns the row; undefined if the number is in use. `replaced` is the
 * shipment that the message corrects.
 */
export async function insertMessage(
  ctx: Ctx,
  { clientId, sellerId }: { clientId: string; sellerId: string },
  { message: { type, number, header, lines, content }, catalogId, storeId, nodeId }: CheckedMessage,
  replaced?: InboundShipmentRow,
): Promise<InboundShipmentRow | undefined> {
  const cartonIds = cartonsOf(lines);
  const units = lines.reduce((sum, line) => sum + line.shippedQuantity, 0);
  const row: InboundShipmentRow = {
    client_id: clientId,
    seller_id: sellerId,
    type,
    number,
    message_id: ctx.newId(),
    store_id: storeId,
    node_id: nodeId,
    receiving_warehouse_id: header.receivingWarehouseId,
    status: 'EXPECTED',
    revision: 1,
    content_hash: content.hash,
    doc: headerDoc({ catalogId, header: content.header }, lines),
    total_lines: lines.length,
    total_units: units,
    created_at: ctx.now,
    expected_on: expectedOn(header),
    // A correction does not move the goods, so the time of arrival remains. If the warehouse changes, the goods have not
    // arrived there.
    arrived_at: replaced?.node_id === nodeId ? replaced.arrived_at : null,
    received_units: 0,
    open_units: units,
    cartons: type === 'ASN' ? cartonIds.size : 0,
    cartons_done: 0,
    completed_at: null,
    receipts: 0,
    statements: 0,
    matched_to: null,
  };
  if (!(await insertShipment(ctx.db, row))) return undefined;
  await insertLines(ctx.db, ctx.dialect, row, lines, content.lines, (item) => itemIdOf(catalogId, item));
  await insertCartons(ctx.db, ctx.dialect, row, cartonIds);
  await insertOrders(ctx.db, ctx.dialect, row, header, lines);
  await recordTransmission(ctx, row, lines, (item) => itemIdOf(catalogId, item));
  return row;
}

/** Adds an error for each carton that is on another open ASN, unless the setting `duplicateCartons` is WARN. */
async function checkCartons(
  ctx: Ctx,
  { clientId, sellerId }: { clientId: string; sellerId: string },
  { type, number, lines }: Message,
  reading: Reading,
): Promise<void> {
  if (type !== 'ASN' || (await findSettings(ctx.db, clientId)).receiving.duplicateCartons === 'WARN') return;
  // Without the lock, neither of two concurrent ASNs with the same carton would find the other.
  await lockClient(ctx.db, { clientId });
  const ids = ctx.dialect.listText([...cartonsOf(lines)]);
  const others = (await selectTaken(ctx.db, { clientId, ids })).filter(
    (one) => one.number !== number || one.seller_id !== sellerId,
  );
  const taken = new Map(others.map((one) => [one.carton_id, one]));
  for (const [index, { cartonId }] of lines.entries()) {
    const other = taken.get(cartonId ?? '');
    if (other === undefined || reading.errors.overflows) continue;
    const isCovered = allows(ctx.actor.storeIds, other.store_id!) && allows(ctx.actor.nodeIds, other.node_id);
    const name = isCovered ? `ASN ${JSON.stringify(other.number)}` : 'another ASN';
    const sentence = `carton ${JSON.stringify(cartonId)} is already announced by ${name}, which is not closed; give each carton its own number`;
    reading.errors.add(reading.linePlace(index, 'cartonId'), 'unique', sentence, 'CARTON_ALREADY_ANNOUNCED');
  }
}

const lockClient = statement((db, { clientId }: { clientId: string }, dialect) =>
  db.selectFrom('clients').select('client_id').where('client_id', '=', clientId).modifyEnd(dialect.forNoKeyUpdate),
);

const selectTaken = statement((db, wanted: CartonIds, dialect) =>
  fromCartons(db, wanted, dialect)
    .select(['carton.carton_id', 'carton.seller_id', 'carton.number', 'shipment.store_id', 'shipment.node_id'])
    .where('carton.type', '=', 'ASN')
    .where('shipment.status', '<>', 'CLOSED')
    .orderBy('carton.carton_id')
    .orderBy('carton.number', 'desc'),
);

/** Maximum number of items that one statement looks up. */
const ITEMS_TOGETHER = 2_000;

/** Looks up the store, the warehouse and the items of a message. One statement reads up to 2,000 items. */
async function lookUp(ctx: Ctx, clientId: string, sellerId: string, reading: Reading): Promise<Known> {
  const { db, actor, dialect } = ctx;
  const { storeCode, warehouseId } = namesIn(reading);
  const store =
    storeCode === undefined
      ? undefined
      : await db
          .selectFrom('stores')
          .select(['store_id as storeId', 'catalog_id as catalogId'])
          .where('client_id', '=', clientId)
          .where('seller_id', '=', sellerId)
          .where('store_code', '=', storeCode)
          .executeTakeFirst();
  const warehouse =
    warehouseId === undefined
      ? undefined
      : await db
          .selectFrom('nodes')
          .select('node_id as nodeId')
          .where('client_id', '=', clientId)
          .where('receiving_warehouse_id', '=', warehouseId)
          .executeTakeFirst();
  const ownStore = store !== undefined && allows(actor.storeIds, store.storeId) ? store : undefined;
  const ownWarehouse = warehouse !== undefined && allows(actor.nodeIds, warehouse.nodeId) ? warehouse : undefined;
  if (ownStore === undefined) return { store: ownStore, warehouse: ownWarehouse, itemIds: undefined };
  const items = await itemsIn(reading);
  const wanted = [...new Set(items.map(({ clientItemId }) => itemIdOf(ownStore.catalogId, clientItemId)))];
  const itemIds = new Set<string>();
  for (let first = 0; first < wanted.length; first += ITEMS_TOGETHER) {
    const some = await findItemIds({ db, dialect }, clientId, wanted.slice(first, first + ITEMS_TOGETHER));
    for (const itemId of some) itemIds.add(itemId);
  }
  return { store: ownStore, warehouse: ownWarehouse, itemIds };
}

/**
 * Returns the shipment that is stored under the number, if its content is the same. Other content adds an error with
 * the differences and the way to replace the stored shipment. If the caller has no access to that shipment, the error
 * does not show the differences.
 */
async function findStored(
  ctx: Ctx,
  { clientId, sellerId }: { clientId: string; sellerId: string },
  reading: Reading,
  message: Message,
): Promise<InboundShipmentRow | undefined> {
  const { type, number, content } = message;
  const stored = await findShipment(ctx.db, { clientId, sellerId, type, number });
  if (stored === undefined) return undefined;
  const isCovered = allows(ctx.actor.storeIds, stored.store_id!) && allows(ctx.actor.nodeIds, stored.node_id);
  if (isCovered && stored.content_hash === content.hash) return stored;
  const before = { header: readHeaderDoc(stored.doc).header, lines: await lineDocs(ctx.db, stored) };
  const found = isCovered ? await differences(before, content) : [];
  // An earlier release computed another hash for the same content.
  if (isCovered && found.length === 0) return stored;
  const what = isCovered ? found.join('; ') : 'it belongs to another store or warehouse';
  const [client, seller, name] = [clientId, sellerId, number].map(encodeURIComponent);
  const path = `/operator/v1/clients/${client}/inbound/${type}/${name}?sellerId=${seller}`;
  const hint = `send it under another number, or replace the stored one with this message (PUT ${path}) or void it (DELETE ${path})`;
  const sentence = `${type} ${JSON.stringify(number)} was transmitted before with other content (${what}); ${hint}`;
  const place = reading.headerPlace(type === 'ASN' ? 'asnNumber' : 'shipmentNumber');
  reading.errors.add(place, 'unique', sentence, 'NUMBER_ALREADY_USED');
  return undefined;
}

async function recordTransmission(
  ctx: Ctx,
  row: InboundShipmentRow,
  lines: readonly Line[],
  itemOf: (clientItemId: string) => string,
): Promise<void> {
  await record(ctx, {
    clientId: row.client_id,
    type: 'inbound.transmitted',
    resource: 'inbound',
    resourceId: resourceIdOf(row),
    revision: row.revision,
    data: {
      sellerId: row.seller_id,
      messageId: row.message_id,
      storeId: row.store_id!,
      nodeId: row.node_id,
      totalLines: row.total_lines,
      totalUnits: row.total_units,
      trailerNumbers: trailersOf(lines),
      lines: lines.slice(0, EVENT_LINES_MAX).map((line) => ({
        itemId: itemOf(line.clientItemId),
        shippedQuantity: line.shippedQuantity,
        trailerNumber: line.trailerNumber,
        ...(line.cartonId && { cartonId: line.cartonId }),
        ...(line.lineNumber !== undefined && { lineNumber: line.lineNumber }),
        ...(line.shippingComments !== undefined && { shippingComments: line.shippingComments }),
      })),
    },
  });
}
