/**
 * The stored announcement of a shipment. The content of a message never changes, so announcements are cached by the id
 * of their message.
 */

import type { ReadCtx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import { type Lru, lru } from '../../platform/lru.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';
import { type Announced, type AnnouncedLine, announcedOf, keysOfShipment, type ShipmentKeys } from './shipment.ts';

/**
 * Maximum number of cached lines of all shipments together. This is enough for five shipments of the greatest size that
 * are received at the same time. A line takes about 0.7 kB.
 */
const KEPT_LINES = 100_000;
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

/** Returns the announcement of a shipment. It is empty for goods without papers. */
export async function findAnnounced({ db, config }: AnnouncedCtx, row: InboundShipmentRow): Promise<Announced> {
  const own = keptOf(config);
  const before = own.get(row.message_id);
  if (before !== undefined) return before;
  const announced = announcedOf(row.type === 'BLIND' ? [] : await findLines(db, row));
  // Complete and closed shipments are seldom read again, so they are not cached.
  if (row.open_units > 0 && row.status !== 'CLOSED') own.set(row.message_id, announced);
  return announced;
}

/** Removes a shipment from the cache. Call it when the shipment expects no more units. */
export function forgetAnnounced({ config }: Pick<AnnouncedCtx, 'config'>, row: InboundShipmentRow): void {
  keptOf(config).delete(row.message_id);
}

async function findLines(db: Reader, row: InboundShipmentRow): Promise<AnnouncedLine[]> {
  const { shipmentNumber } = readJson(row.doc).header;
  const rows = await selectLines(db, keysOfShipment(row));
  return rows.map((line): AnnouncedLine => {
    const doc = readJson(line.doc);
    return {
      cartonId: row.type === 'ASN' ? (line.carton_id ?? '') : '',
      itemId: line.item_id,
      clientItemId: doc.clientItemId,
      lineNumber: doc.lineNumber || undefined,
      quantity: line.quantity,
      itemCost: line.item_cost,
      trailerNumber: doc.trailerNumber || undefined,
      purchaseOrder: row.type === 'ASN' ? purchaseOrderOf(doc, shipmentNumber) : undefined,
    };
  });
}

declare module '../../platform/json-column.ts' {
  interface Shapes {
    InboundLine: LineDoc;
  }
}

/** The fields of a stored line that the service uses. */
export interface LineDoc {
  clientItemId: string;
  lineNumber?: string;
  trailerNumber?: string;
  detailExtendedAttributes?: { extendedAttributes?: { name: string; value?: string }[] };
}

/**
 * Returns the purchase order that an ASN line delivers: its attribute PONumber, otherwise the ShipmentNumber of the
 * ASN.
 */
export function purchaseOrderOf(
  line: Pick<LineDoc, 'detailExtendedAttributes'>,
  shipmentNumber: string | undefined,
): string | undefined {
  const own = line.detailExtendedAttributes?.extendedAttributes?.find(({ name }) => name === 'PONumber')?.value;
  return own || shipmentNumber || undefined;
}

const selectLines = statement((db, { client_id, seller_id, type, number }: ShipmentKeys) =>
  db
    .selectFrom('inbound_lines')
    .select(['carton_id', 'item_id', 'quantity', 'item_cost', 'doc'])
    .where('client_id', '=', client_id)
    .where('seller_id', '=', seller_id)
    .where('type', '=', type)
    .where('number', '=', number)
    .orderBy('line_index'),
);
