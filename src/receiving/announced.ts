/** What a shipment announces, by key. A message never changes, so it is read once for its id and kept. */
import type { ReadCtx } from '../platform/ctx.ts';
import { type Lru, lru } from '../platform/lru.ts';
import type { Reader } from '../platform/storage/db.ts';
import { statement } from '../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { readHeaderDoc } from './store.ts';

/** A line as it was announced. */
interface AnnouncedLine {
  /** '' is no carton. */
  cartonId: string;
  itemId: string;
  clientItemId: string;
  lineNumber: string | undefined;
  quantity: number;
  trailerNumber: string | undefined;
  /** Its attribute PONumber, else the ShipmentNumber of the ASN. */
  purchaseOrder: string | undefined;
}

/** What is received together: of an ASN a carton and item, of a PO an item. */
export interface Key {
  id: string;
  cartonId: string;
  itemId: string;
  clientItemId: string;
  lineNumbers: readonly string[];
  announced: number;
}

export interface Announced {
  lines: readonly AnnouncedLine[];
  /** In the order of the lines. */
  keys: ReadonlyMap<string, Key>;
  /** Keys of each carton; in the order of the lines. */
  cartons: ReadonlyMap<string, readonly Key[]>;
}

/** Ids have any characters, so the length tells where the first ends. */
export function keyId(cartonId: string, itemId: string): string {
  return `${cartonId.length}:${cartonId}${itemId}`;
}

/** Lines kept in memory, of all shipments of an installation together: about 1 KB each. */
const KEPT_LINES = 20_000;
const kept = new WeakMap<object, Lru<string, Announced>>();

function keptOf(config: object): Lru<string, Announced> {
  let own = kept.get(config);
  if (own === undefined) {
    own = lru(KEPT_LINES, { weigh: ({ lines }) => lines.length + 1 });
    kept.set(config, own);
  }
  return own;
}

export type AnnouncedCtx = Pick<ReadCtx, 'db' | 'config'>;

/** What a shipment announces; nothing for goods without papers. */
export async function findAnnounced({ db, config }: AnnouncedCtx, row: InboundShipmentRow): Promise<Announced> {
  const own = keptOf(config);
  const before = own.get(row.message_id);
  if (before !== undefined) return before;
  const lines = row.type === 'BLIND' ? [] : await findLines(db, row);
  const announced = { lines, ...keysOf(lines) };
  // Of a shipment that is all there hardly anybody asks again.
  if (row.open_units > 0 && row.status !== 'CLOSED') own.set(row.message_id, announced);
  return announced;
}

/** Nothing more is expected of a shipment: what it announces need not be kept, and is collected while it is young. */
export function forgetAnnounced({ config }: AnnouncedCtx, row: InboundShipmentRow): void {
  keptOf(config).delete(row.message_id);
}

async function findLines(db: Reader, row: InboundShipmentRow): Promise<AnnouncedLine[]> {
  const { shipmentNumber } = JSON.parse(readHeaderDoc(row.doc).header) as { shipmentNumber?: string };
  const rows = await selectLines(db, {
    clientId: row.client_id,
    sellerId: row.seller_id,
    type: row.type,
    number: row.number,
  });
  return rows.map((line): AnnouncedLine => {
    const doc = JSON.parse(line.doc) as LineDoc;
    return {
      cartonId: row.type === 'ASN' ? (line.carton_id ?? '') : '',
      itemId: line.item_id,
      clientItemId: doc.clientItemId,
      lineNumber: doc.lineNumber || undefined,
      quantity: line.quantity,
      trailerNumber: doc.trailerNumber || undefined,
      purchaseOrder: row.type === 'ASN' ? purchaseOrderOf(doc, shipmentNumber) : undefined,
    };
  });
}

/** What is read of a line. */
export interface LineDoc {
  clientItemId: string;
  lineNumber?: string;
  trailerNumber?: string;
  detailExtendedAttributes?: { extendedAttributes?: { name: string; value?: string }[] };
}

/** The purchase order that a line of an ASN delivers: its attribute PONumber, else the ASN's ShipmentNumber. */
export function purchaseOrderOf(
  line: Pick<LineDoc, 'detailExtendedAttributes'>,
  shipmentNumber: string | undefined,
): string | undefined {
  const own = line.detailExtendedAttributes?.extendedAttributes?.find(({ name }) => name === 'PONumber')?.value;
  return own || shipmentNumber || undefined;
}

const selectLines = statement(
  (db, { clientId, sellerId, type, number }: { clientId: string; sellerId: string; type: string; number: string }) =>
    db
      .selectFrom('inbound_lines')
      .select(['carton_id', 'item_id', 'quantity', 'doc'])
      .where('client_id', '=', clientId)
      .where('seller_id', '=', sellerId)
      .where('type', '=', type)
      .where('number', '=', number)
      .orderBy('line_index'),
);

function keysOf(lines: readonly AnnouncedLine[]): Omit<Announced, 'lines'> {
  const keys = new Map<string, Key & { lineNumbers: string[] }>();
  const cartons = new Map<string, Key[]>();
  for (const { cartonId, itemId, clientItemId, lineNumber, quantity } of lines) {
    const id = keyId(cartonId, itemId);
    let key = keys.get(id);
    if (key === undefined) {
      key = { id, cartonId, itemId, clientItemId, lineNumbers: [], announced: 0 };
      keys.set(id, key);
      if (cartonId !== '') {
        const own = cartons.get(cartonId);
        if (own === undefined) cartons.set(cartonId, [key]);
        else own.push(key);
      }
    }
    key.announced += quantity;
    if (lineNumber !== undefined) key.lineNumbers.push(lineNumber);
  }
  return { keys, cartons };
}
