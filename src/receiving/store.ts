/** Rows of inbound shipments: the one place of this slice that knows the tables' shape. */
import { decimalText } from '../platform/decimal.ts';
import type { Reader, Writer } from '../platform/storage/db.ts';
import type { Dialect } from '../platform/storage/dialect.ts';
import { insertInto } from '../platform/storage/insert.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { ambiguousNumber } from './inbound-refusals.ts';
import type { Header, InboundType, Line } from './schema.ts';

/** What is kept of the header: as sent, and the catalog its items were found in. */
export interface StoredHeader {
  catalogId: string;
  header: string;
}

/** Most trailers that a shipment is listed with. */
const TRAILERS_SHOWN = 20;

/** The `doc` column of a shipment. */
export function headerDoc({ catalogId, header }: StoredHeader, lines: readonly Line[]): string {
  const trailers = JSON.stringify(trailersOf(lines));
  return `{"catalogId":${JSON.stringify(catalogId)},"trailerNumbers":${trailers},"header":${header}}`;
}

/** The trailers of lines, each once, in the order in which they come; the first of them. */
export function trailersOf(lines: readonly Line[]): string[] {
  return [...new Set(lines.map((line) => line.trailerNumber))].slice(0, TRAILERS_SHOWN);
}

/** Reads the `doc` column of a shipment; the header has no numbers, so its text is the same as it was. */
export function readHeaderDoc(doc: string): StoredHeader {
  const { catalogId, header } = JSON.parse(doc) as { catalogId: string; header: unknown };
  return { catalogId, header: JSON.stringify(header) };
}

/** What names a shipment; without a seller there may be several of them. */
export interface ShipmentKey {
  clientId: string;
  sellerId?: string | undefined;
  type: InboundType;
  number: string;
}

/** The shipments of a number, in the order of their sellers. */
async function findShipments(db: Reader, key: ShipmentKey): Promise<InboundShipmentRow[]> {
  const { clientId, sellerId, type, number } = key;
  let rows = db
    .selectFrom('inbound_shipments')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('type', '=', type)
    .where('number', '=', number);
  if (sellerId !== undefined) rows = rows.where('seller_id', '=', sellerId);
  return rows.orderBy('seller_id').execute();
}

/**
 * The one shipment of a number; undefined where there is none.
 * @throws Refusal 409 AMBIGUOUS_NUMBER where several sellers have it and none was named.
 */
export async function findShipment(db: Reader, key: ShipmentKey): Promise<InboundShipmentRow | undefined> {
  const rows = await findShipments(db, key);
  if (rows.length > 1) throw ambiguousNumber(key.type, key.number, rows);
  return rows[0];
}

/** The lines' texts in their order. */
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

/** What events call a shipment: no two of a client have the same. */
export function resourceIdOf({
  type,
  seller_id,
  number,
}: Pick<InboundShipmentRow, 'type' | 'seller_id' | 'number'>): string {
  return `${type}/${seller_id}/${number}`;
}

/** Inserts the root row unless the number is taken; the primary key decides a race. Returns whether it went in. */
export async function insertShipment(db: Writer, row: InboundShipmentRow): Promise<boolean> {
  const done = await db
    .insertInto('inbound_shipments')
    .values(row)
    .onConflict((on) => on.doNothing())
    .executeTakeFirst();
  return done.numInsertedOrUpdatedRows === 1n;
}

/** The day on which a shipment is expected, as its sender wrote it. */
export function expectedOn({ shipmentReceiptDate }: Header): string {
  return shipmentReceiptDate.slice(0, 10);
}

/** Deletes a shipment, its lines and cartons while nothing was received against it. Returns whether it went. */
export async function deleteExpected(db: Writer, row: InboundShipmentRow): Promise<boolean> {
  const gone = await db
    .deleteFrom('inbound_shipments')
    .where('client_id', '=', row.client_id)
    .where('seller_id', '=', row.seller_id)
    .where('type', '=', row.type)
    .where('number', '=', row.number)
    .where('status', '=', 'EXPECTED')
    .executeTakeFirst();
  return gone.numDeletedRows === 1n;
}

/** Forgets the cartons of a shipment that is about to be deleted: they are found by its lines. */
export async function deleteCartons(db: Writer, row: InboundShipmentRow): Promise<void> {
  if (row.type === 'BLIND') return;
  await db
    .deleteFrom('inbound_cartons')
    .where('client_id', '=', row.client_id)
    .where('seller_id', '=', row.seller_id)
    .where('type', '=', row.type)
    .where('number', '=', row.number)
    .where((eb) =>
      eb(
        'carton_id',
        'in',
        eb
          .selectFrom('inbound_lines as line')
          .select('line.carton_id')
          .where('line.client_id', '=', row.client_id)
          .where('line.seller_id', '=', row.seller_id)
          .where('line.type', '=', row.type)
          .where('line.number', '=', row.number)
          .where('line.carton_id', 'is not', null)
          .$narrowType<{ carton_id: string }>(),
      ),
    )
    .execute();
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

/** Rows made and inserted together. */
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

/** The cartons of a message, each once. */
export function cartonsOf(lines: readonly Line[]): Set<string> {
  return new Set(lines.flatMap(({ cartonId }) => (cartonId === undefined || cartonId === '' ? [] : [cartonId])));
}

/** Keeps the cartons of a shipment, each once, so that a scan finds them. */
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

/** A shipment as the operator's list shows it. */
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

/** A shipment that was transmitted before they were kept has none. */
function trailersIn({ doc }: InboundShipmentRow): { trailerNumbers?: string[] } {
  const { trailerNumbers } = JSON.parse(doc) as { trailerNumbers?: string[] };
  return trailerNumbers === undefined ? {} : { trailerNumbers };
}
