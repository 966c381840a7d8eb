/** Rows of announcements: shipments as they were sent, their lines and cartons. */
import { seesShipment, selectNamed } from '../kernel/arrivals/locked.ts';
import { ambiguousNumber } from '../kernel/arrivals/rejections.ts';
import type { Actor } from '../platform/ctx.ts';
import { decimalText } from '../platform/decimal.ts';
import { readJson } from '../platform/json-column.ts';
import type { Reader, Writer } from '../platform/storage/db.ts';
import type { Dialect } from '../platform/storage/dialect.ts';
import { insertInto } from '../platform/storage/insert.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Header, InboundType, Line } from './schema.ts';

/** The stored header: its JSON text, and the catalog of its items. */
export interface StoredHeader {
  catalogId: string;
  header: string;
}

/** Maximum number of trailers in the summary of a shipment. */
const TRAILERS_SHOWN = 20;

/** Returns the `doc` column of a shipment. */
export function headerDoc({ catalogId, header }: StoredHeader, lines: readonly Line[]): InboundShipmentRow['doc'] {
  const trailers = JSON.stringify(trailersOf(lines));
  return `{"catalogId":${JSON.stringify(catalogId)},"trailerNumbers":${trailers},"header":${header}}` as InboundShipmentRow['doc'];
}

/** Returns the first distinct trailer numbers of the lines, in the order of the lines. */
export function trailersOf(lines: readonly Line[]): string[] {
  return [...new Set(lines.map((line) => line.trailerNumber))].slice(0, TRAILERS_SHOWN);
}

/** Reads the `doc` column of a shipment. The header has no numbers, so parsing keeps its text. */
export function readHeaderDoc(doc: InboundShipmentRow['doc']): StoredHeader {
  const { catalogId, header } = readJson(doc);
  return { catalogId, header: JSON.stringify(header) };
}

/** The name of a shipment; without a seller, several shipments may match. */
export interface ShipmentKey {
  clientId: string;
  sellerId?: string | undefined;
  type: InboundType;
  number: string;
}

/**
 * Returns the shipment with a number, or undefined. With `actor`, it ignores shipments to which the caller has no
 * access.
 * @throws Refusal 409 AMBIGUOUS_NUMBER if several sellers use the number and `sellerId` is missing.
 */
export async function findShipment(
  db: Reader,
  { clientId, sellerId, type, number }: ShipmentKey,
  actor?: Actor,
): Promise<InboundShipmentRow | undefined> {
  const found = await selectNamed(db, { clientId, type, number });
  const rows = found.filter(
    (row) =>
      (sellerId === undefined || row.seller_id === sellerId) && (actor === undefined || seesShipment(actor, row)),
  );
  if (rows.length > 1) throw ambiguousNumber(type, number, rows);
  return rows[0];
}

/** Returns the texts of the lines, in order. */
export async function lineDocs(db: Reader, row: InboundShipmentRow): Promise<string[]> {
  const rows = await db
    .selectFrom('inbound_lines')
    .select('doc')
    .where('client_id', '=', row.client_id)
    .where('seller_id', '=', row.seller_id)
    .where('type', '=', row.type)
    .where('number', '=', row.number)
    .orderBy('line_index')
    .execute();
  return rows.map(({ doc }) => doc);
}

/** Returns the expected day of arrival, as the sender wrote it. */
export function expectedOn({ shipmentReceiptDate }: Header): string {
  return shipmentReceiptDate.slice(0, 10);
}

const LINE_COLUMNS = {
  client_id: 'text',
  seller_id: 'text',
  type: 'text',
  number: 'text',
  line_index: 'integer',
  carton_id: 'text',
  item_id: 'text',
  quantity: 'integer',
  item_cost: 'text',
  doc: 'text',
} as const;

/** Number of rows that are built and inserted together. */
const LINES_TOGETHER = 500;

/** Inserts all lines. `docs` are their texts, in the same order. */
export async function insertLines(
  db: Writer,
  dialect: Dialect,
  { client_id, seller_id, type, number }: InboundShipmentRow,
  lines: readonly Line[],
  docs: readonly string[],
  itemIdOf: (clientItemId: string) => string,
): Promise<void> {
  for (let first = 0; first < lines.length; first += LINES_TOGETHER) {
    const rows = lines.slice(first, first + LINES_TOGETHER).map((line, index) => ({
      client_id,
      seller_id,
      type,
      number,
      line_index: first + index,
      carton_id: line.cartonId === undefined || line.cartonId === '' ? null : line.cartonId,
      item_id: itemIdOf(line.clientItemId),
      quantity: line.shippedQuantity,
      item_cost: decimalText(line.itemCost),
      doc: docs[first + index]!,
    }));
    await insertRows({ db, dialect }, rows);
  }
}

const insertRows = insertInto('inbound_lines', LINE_COLUMNS);

const CARTON_COLUMNS = {
  client_id: 'text',
  carton_id: 'text',
  seller_id: 'text',
  type: 'text',
  number: 'text',
} as const;

const insertCartonRows = insertInto('inbound_cartons', CARTON_COLUMNS);

/** Returns the distinct carton ids of the lines. */
export function cartonsOf(lines: readonly Line[]): Set<string> {
  return new Set(lines.flatMap(({ cartonId }) => (cartonId === undefined || cartonId === '' ? [] : [cartonId])));
}

/** Stores the cartons of a shipment, each once, so that a scan finds them. */
export async function insertCartons(
  db: Writer,
  dialect: Dialect,
  { client_id, seller_id, type, number }: InboundShipmentRow,
  cartonIds: ReadonlySet<string>,
): Promise<void> {
  if (cartonIds.size === 0) return;
  const rows = [...cartonIds].map((carton_id) => ({ client_id, carton_id, seller_id, type, number }));
  await insertCartonRows({ db, dialect }, rows);
}

/** Returns a shipment for the operator's list. */
export function toSummary(row: InboundShipmentRow) {
  return {
    type: row.type,
    sellerId: row.seller_id,
    number: row.number,
    messageId: row.message_id,
    status: row.status,
    state: row.status,
    ...(row.store_id !== null && { storeId: row.store_id }),
    nodeId: row.node_id,
    receivingWarehouseId: row.receiving_warehouse_id,
    totalLines: row.total_lines,
    totalUnits: row.total_units,
    ...trailersIn(row),
    transmittedAt: formatDateTime(row.created_at),
  };
}

/** Returns the field with the trailers of a shipment. A shipment that an earlier release stored has no such field. */
function trailersIn({ doc }: InboundShipmentRow): { trailerNumbers?: string[] } {
  const { trailerNumbers } = readJson(doc);
  return trailerNumbers === undefined ? {} : { trailerNumbers };
}

/**
 * Returns the fields with the interchange and the partner that announced a shipment. Returns no fields if the shipment
 * did not come by EDI.
 */
export async function cameByEdi(db: Reader, { client_id, seller_id, type, number, message_id }: InboundShipmentRow) {
  if (type === 'BLIND') return {};
  const link = await db
    .selectFrom('edi_shipments')
    .select(['interchange_id', 'partner_id'])
    .where('client_id', '=', client_id)
    .where('seller_id', '=', seller_id)
    .where('type', '=', type)
    .where('number', '=', number)
    .where('message_id', '=', message_id)
    .executeTakeFirst();
  return link === undefined ? {} : { edi: { interchangeId: link.interchange_id, partnerId: link.partner_id } };
}
