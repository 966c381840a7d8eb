/** A shipment as a value: its announcement by key, and the sums of each key. No database, no clock. */
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';
import { added, arrived, type KeyState, NO_SUMS, type Sums, sumsOf, UNTOUCHED } from './sums.ts';

/** Columns that name the rows of a shipment. */
export type ShipmentKeys = Pick<InboundShipmentRow, 'client_id' | 'seller_id' | 'type' | 'number'>;

export function keysOfShipment({ client_id, seller_id, type, number }: ShipmentKeys): ShipmentKeys {
  return { client_id, seller_id, type, number };
}

/** Returns the name of a shipment in events: type, seller and number. It is unique within a client. */
export function resourceIdOf({ type, seller_id, number }: Pick<ShipmentKeys, 'type' | 'seller_id' | 'number'>): string {
  return `${type}/${seller_id}/${number}`;
}

/** Returns the name of a shipment in records, responses and the data of events. */
export function nameOf({ type, number, seller_id: sellerId }: ShipmentKeys) {
  return { type, number, sellerId };
}

/** An announced line. */
export interface AnnouncedLine {
  /** '' means no carton. */
  cartonId: string;
  itemId: string;
  clientItemId: string;
  lineNumber: string | undefined;
  quantity: number;
  trailerNumber: string | undefined;
  /** The unit cost, with the digits as sent. */
  itemCost: string;
  /** The attribute PONumber of the line, otherwise the ShipmentNumber of the ASN. */
  purchaseOrder: string | undefined;
}

/** The units that are counted together: a carton and item of an ASN, or an item of a PO. */
export interface Key {
  id: string;
  cartonId: string;
  itemId: string;
  clientItemId: string;
  lineNumbers: readonly string[];
  /** The number of the line, if it is equal in all lines of the key. */
  lineNumber?: string | undefined;
  announced: number;
  /** The unit cost, if it is equal in all lines of the key. */
  itemCost?: string | undefined;
}

/** The content of an announcement. */
export interface Announced {
  lines: readonly AnnouncedLine[];
  /** The keys by their ids, in the order of the lines. */
  keys: ReadonlyMap<string, Key>;
  /** Keys of each carton, in the order of the lines. */
  cartons: ReadonlyMap<string, readonly Key[]>;
}

/**
 * Returns the id of a key. Ids of cartons and items can contain any character, so the id of a key begins with the
 * length of the carton id.
 */
export function keyId(cartonId: string, itemId: string): string {
  return `${cartonId.length}:${cartonId}${itemId}`;
}

/** Returns an announcement: the lines, and their units grouped by key. */
export function announcedOf(lines: readonly AnnouncedLine[]): Announced {
  const keys = new Map<string, Key & { lineNumbers: string[] }>();
  const cartons = new Map<string, Key[]>();
  for (const { cartonId, itemId, clientItemId, lineNumber, quantity, itemCost } of lines) {
    const id = keyId(cartonId, itemId);
    let key = keys.get(id);
    if (key === undefined) {
      key = { id, cartonId, itemId, clientItemId, lineNumbers: [], lineNumber, announced: 0, itemCost };
      keys.set(id, key);
      if (cartonId !== '') {
        const own = cartons.get(cartonId);
        if (own === undefined) cartons.set(cartonId, [key]);
        else own.push(key);
      }
    }
    key.announced += quantity;
    if (key.itemCost !== itemCost) key.itemCost = undefined;
    if (key.lineNumber !== lineNumber) key.lineNumber = undefined;
    if (lineNumber !== undefined) key.lineNumbers.push(lineNumber);
  }
  return { lines, keys, cartons };
}

/** A shipment, its announcement, and its sums. */
export interface Shipment {
  row: InboundShipmentRow;
  announced: Announced;
  /** Sums of the keys with receipts, approvals or matches. */
  states: ReadonlyMap<string, KeyState>;
  /** Touched keys that were not announced: first the stored keys, ordered by carton and item, then new keys. */
  others: ReadonlyMap<string, Key>;
  /** Catalogs of the client, the longest id first: an item id is `<catalog>-<clientItemId>`. */
  catalogIds: readonly string[];
}

/** Returns the key of a carton and item, announced or not. */
export function keyOf(
  { announced, others, catalogIds }: Pick<Shipment, 'announced' | 'others' | 'catalogIds'>,
  cartonId: string,
  itemId: string,
): Key {
  const id = keyId(cartonId, itemId);
  const known = announced.keys.get(id) ?? others.get(id);
  if (known !== undefined) return known;
  const catalogId = catalogIds.find((one) => itemId.startsWith(`${one}-`));
  const clientItemId = catalogId === undefined ? itemId : itemId.slice(catalogId.length + 1);
  return { id, cartonId, itemId, clientItemId, lineNumbers: [], announced: 0 };
}

export function keyState({ states }: Pick<Shipment, 'states'>, key: Key): KeyState {
  return states.get(key.id) ?? UNTOUCHED;
}

/** Yields all keys, the announced keys first. */
export function* allKeys({ announced, others }: Pick<Shipment, 'announced' | 'others'>): Generator<Key> {
  yield* announced.keys.values();
  yield* others.values();
}

/** Returns the sums of a key in the state of its shipment. */
export function sumsOfKey(shipment: Shipment, key: Key): Sums {
  return sumsOf(key.announced, keyState(shipment, key), shipment.row.status);
}

/** Returns the sums of a carton. An unannounced carton has only the units that arrived in it. */
export function sumsOfCarton(shipment: Shipment, cartonId: string): Sums {
  const announced = shipment.announced.cartons.get(cartonId) ?? [];
  const others = [...shipment.others.values()].filter((key) => key.cartonId === cartonId);
  return [...announced, ...others].reduce((sums, key) => added(sums, sumsOfKey(shipment, key)), NO_SUMS);
}

/** Returns the arrived and open units of a shipment. */
export function unitsOf({ row, announced, states }: Shipment): { received: number; open: number } {
  let received = 0;
  let open = row.total_units;
  for (const [id, state] of states) {
    received += arrived(state);
    open -= Math.min(announced.keys.get(id)?.announced ?? 0, arrived(state));
  }
  return { received, open: row.status === 'CLOSED' ? 0 : open };
}

/** Returns the fields that name a key in responses and events. */
export function showKey({ cartonId, itemId, clientItemId, lineNumbers }: Key) {
  return { ...(cartonId !== '' && { cartonId }), itemId, clientItemId, lineNumbers: [...lineNumbers] };
}
