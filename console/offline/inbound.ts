/**
 * An inbound shipment on this device: the last state from the service, with unsent receipts applied. Sums are kept by
 * key (carton and item of an ASN, item of a PO), as in the service. Differences of two keys never cancel each other
 * out.
 */

import type { components } from '../../contract/client.d.ts';

type Schemas = components['schemas'];

/** A shipment in the form of the service. */
export type Shipment = Schemas['NodeInbound'];
/** Units of a key, carton, item or shipment. `announced + over = good + damaged + refused + held + short + open`. */
export type Sums = Schemas['InboundSums'];
/** Sums of one key: the units of an item, or of an item in a carton. */
export type KeySums = Schemas['InboundKeySums'];
export type Carton = Shipment['cartons'][number];
export type Receipt = Schemas['InboundBookedReceipt'];
export type Statement = Schemas['InboundStatement'];
/** An open order of the node that needs the units received just now. It is a hint, not a reservation. */
export type Wanted = NonNullable<Receipt['wanted']>[number];

/** The destinations of units: for sale, damaged, back with the driver, undecided. */
export const BUCKETS = ['good', 'damaged', 'refused', 'held'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Units of one key that a receipt booked; negative if the receipt undoes another receipt. */
export interface Booked extends Partial<Record<Bucket, number>> {
  cartonId?: string;
  itemId: string;
  clientItemId?: string;
  /** The place of the good units. An undo removes them from there. */
  to?: 'SHELF' | 'STAGE';
}

/** Units of a key as the user counts them. */
export interface CountLine extends Booked {
  reason?: string;
  /** Bin of the good units. */
  location?: string;
}

/** A carton that is received as a whole. */
export interface WholeScan {
  cartonId: string;
  as: 'GOOD' | 'DAMAGED' | 'REFUSED' | 'HELD';
  reason?: string;
  to?: 'SHELF' | 'STAGE';
  location?: string;
}

const BUCKET_OF: Record<WholeScan['as'], Bucket> = {
  GOOD: 'good',
  DAMAGED: 'damaged',
  REFUSED: 'refused',
  HELD: 'held',
};

/** The content of a receipt as this device knows it. */
export interface Doing {
  cartons?: readonly WholeScan[];
  lines?: readonly CountLine[];
}

/** Returns the units that a receipt books, by key: the open units of whole cartons, and the counted units. */
export function bookedBy({ sums }: Shipment, { cartons = [], lines = [] }: Doing): Booked[] {
  const whole = cartons.flatMap(({ cartonId, as, to }) =>
    sums.keys
      .filter((key) => key.cartonId === cartonId && key.open > 0)
      .map(({ itemId, clientItemId, open }) => ({
        cartonId,
        itemId,
        clientItemId,
        [BUCKET_OF[as]]: open,
        ...(to !== undefined && { to }),
      })),
  );
  const counted = lines.map(({ reason: _, location: _bin, ...line }) => line);
  return [...whole, ...counted];
}

/** Returns the lines of the receipt that undoes these units. */
export function takenBack(booked: readonly Booked[]): Booked[] {
  return booked.map(({ cartonId, itemId, to, ...rest }) => ({
    ...(cartonId !== undefined && { cartonId }),
    itemId,
    ...(to !== undefined && { to }),
    ...Object.fromEntries(BUCKETS.flatMap((one) => ((rest[one] ?? 0) === 0 ? [] : [[one, -rest[one]!]]))),
  }));
}

/** Returns the units that a receipt of the service booked. */
export function bookedIn({ lines }: Receipt): Booked[] {
  return lines.map(({ cartonId, itemId, clientItemId, good, damaged, refused, held, to }) => ({
    ...(cartonId !== undefined && { cartonId }),
    itemId,
    clientItemId,
    good,
    damaged,
    refused,
    held,
    ...(to !== undefined && { to }),
  }));
}

/** Returns the arrived units of a key, in any state. */
export function arrivedOf({ good, damaged, refused, held }: Sums): number {
  return good + damaged + refused + held;
}

/**
 * The arrived units by item id for each list `orders`. The map is kept, because a purchase order can have thousands of
 * items.
 */
const arrivedByItem = new WeakMap<object, Map<string, number>>();

/** Returns the units of an item that arrived with the shipment and, for a purchase order, with its ASNs. */
export function allArrivedOf({ orders }: Pick<Shipment, 'orders'>, item: Sums & { itemId: string }): number {
  if (orders === undefined) return arrivedOf(item);
  let known = arrivedByItem.get(orders);
  if (known === undefined) {
    known = new Map(orders.map(({ itemId, arrived }) => [itemId, arrived]));
    arrivedByItem.set(orders, known);
  }
  return known.get(item.itemId) ?? arrivedOf(item);
}

/**
 * Returns the sums of an item or key without the open and short units that the ASNs of a purchase order brought. A
 * purchase order has one key for each item.
 */
export function withoutBrought<S extends Sums & { itemId: string }>(of: Pick<Shipment, 'orders'>, item: S): S {
  const brought = allArrivedOf(of, item) - arrivedOf(item);
  return { ...item, open: Math.max(0, item.open - brought), short: Math.max(0, item.short - brought) };
}

/** Returns the sums of a shipment without the units that the ASNs of a purchase order brought. */
export function totalWithoutBrought(shipment: Pick<Shipment, 'orders' | 'sums'>): Sums {
  const { keys, total } = shipment.sums;
  return shipment.orders === undefined ? total : summed(keys.map((key) => withoutBrought(shipment, key)));
}

/** Returns a statement whose short units do not include those that the ASNs of a purchase order brought. */
export function statementWithoutBrought(statement: Statement): Statement {
  const lines = statement.lines.map((line) => ({ ...line, short: line.short - (line.broughtByAsns ?? 0) }));
  return {
    ...statement,
    lines,
    totals: { ...statement.totals, short: lines.reduce((sum, { short }) => sum + short, 0) },
  };
}

const NONE: Sums = { announced: 0, good: 0, damaged: 0, refused: 0, held: 0, over: 0, short: 0, open: 0 };

/**
 * Returns the shipment with a receipt that the service does not have yet. It shows the units as counted; the service
 * may hold units beyond the tolerance.
 */
export function withDoing(shipment: Shipment, doing: Doing, by: { userId: string; at: number }): Shipment {
  const whole = new Map((doing.cartons ?? []).map((one) => [one.cartonId, one.as]));
  const counted = new Set((doing.lines ?? []).flatMap(({ cartonId }) => cartonId ?? []));
  const next = withBooked(shipment, bookedBy(shipment, doing));
  const known = new Set(shipment.cartons.map(({ cartonId }) => cartonId));
  // A carton that no line announces is UNEXPECTED, as in the service, also if it is received whole.
  const fresh = [...new Set([...whole.keys(), ...counted])]
    .filter((id) => !known.has(id))
    .map((cartonId): Carton => ({ cartonId, state: 'UNEXPECTED' }));
  const since = new Date(by.at).toISOString();
  const cartons = [...shipment.cartons, ...fresh].map((carton): Carton => {
    const as = whole.get(carton.cartonId);
    if (as !== undefined && carton.state !== 'UNEXPECTED')
      return { cartonId: carton.cartonId, state: as === 'DAMAGED' || as === 'REFUSED' ? as : 'RECEIVED' };
    if (!counted.has(carton.cartonId) || (carton.state !== 'EXPECTED' && carton.state !== 'COUNTING')) return carton;
    const isDone = next.sums.keys.every((key) => key.cartonId !== carton.cartonId || key.open === 0);
    return isDone
      ? { cartonId: carton.cartonId, state: 'RECEIVED' }
      : { cartonId: carton.cartonId, state: 'COUNTING', holder: carton.holder ?? { userId: by.userId, since } };
  });
  return { ...next, state: 'RECEIVING', cartons };
}

/** Returns the shipment without the units of a receipt. */
export function withoutBooked(shipment: Shipment, booked: readonly Booked[]): Shipment {
  const next = withBooked(shipment, takenBack(booked));
  const touched = new Set(booked.flatMap(({ cartonId }) => cartonId ?? []));
  const cartons = next.cartons.map((carton): Carton => {
    if (!touched.has(carton.cartonId) || carton.state === 'UNEXPECTED') return carton;
    const keys = next.sums.keys.filter(({ cartonId }) => cartonId === carton.cartonId);
    if (keys.every((key) => arrivedOf(key) === 0)) return { cartonId: carton.cartonId, state: 'EXPECTED' };
    if (carton.state !== 'RECEIVED') return carton;
    return { ...carton, state: keys.some(({ open }) => open > 0) ? 'COUNTING' : 'RECEIVED' };
  });
  return { ...next, cartons };
}

function withBooked(shipment: Shipment, booked: readonly Booked[]): Shipment {
  const { sums } = shipment;
  const keys = sums.keys.map((key) => ({ ...key }));
  const orders = shipment.orders?.map((order) => {
    const own = booked.filter(({ itemId }) => itemId === order.itemId);
    const units = own.flatMap((one) => BUCKETS.map((bucket) => one[bucket] ?? 0));
    return { ...order, arrived: units.reduce((sum, quantity) => sum + quantity, order.arrived) };
  });
  for (const one of booked) {
    let key = keys.find(({ cartonId, itemId }) => cartonId === one.cartonId && itemId === one.itemId);
    if (key === undefined) {
      const { cartonId, itemId, clientItemId = itemId } = one;
      key = { ...NONE, ...(cartonId !== undefined && { cartonId }), itemId, clientItemId, lineNumbers: [] };
      keys.push(key);
    }
    for (const bucket of BUCKETS) key[bucket] += one[bucket] ?? 0;
    key.open = Math.max(0, key.announced - arrivedOf(key));
    key.over = Math.max(0, arrivedOf(key) - key.announced);
  }
  return {
    ...shipment,
    ...(orders !== undefined && { orders }),
    sums: {
      keys,
      cartons: groups(keys, 'cartonId').map(([cartonId, own]) => ({ cartonId, ...own })),
      items: groups(keys, 'itemId').map(([itemId, own]) => ({ itemId, ...own })),
      total: summed(keys),
    },
  };
}

function groups(keys: readonly KeySums[], by: 'cartonId' | 'itemId'): [string, Sums][] {
  const named = keys.filter((key) => key[by] !== undefined);
  return [...Map.groupBy(named, (key) => key[by]!)].map(([name, own]) => [name, summed(own)]);
}

function summed(keys: readonly KeySums[]): Sums {
  const total = { ...NONE };
  for (const key of keys) for (const name of Object.keys(NONE) as (keyof Sums)[]) total[name] += key[name];
  return total;
}

/** Fields of the response to a receipt. */
interface ReceiptReply {
  receipt?: Receipt;
  sums?: Shipment['sums'];
  state?: Shipment['state'];
}

/**
 * Returns the shipment after the response to a receipt: receipt, sums and state from the response, all other fields
 * from `after`.
 */
export function withReply(shipment: Shipment, after: Shipment, reply: ReceiptReply): Shipment {
  const { receipt, sums = after.sums, state = after.state } = reply;
  const known = receipt === undefined || shipment.receipts.some(({ receiptId }) => receiptId === receipt.receiptId);
  return {
    ...after,
    sums,
    state,
    complete: sums.total.open === 0,
    receipts: known ? shipment.receipts : [...shipment.receipts, receipt],
  };
}
