/**
 * An inbound shipment on this device: what the service said last, and what receipts that are not sent yet will make of it. Sums are kept
 * by key (carton and item of an ASN, item of a PO) as the service keeps them; nothing is netted across keys.
 */

import type { components } from '../../contract/client.d.ts';

type Schemas = components['schemas'];

/** A shipment as the service shows it. */
export type Shipment = Schemas['NodeInbound'];
/** Units of a key, carton, item or shipment. `announced + over = good + damaged + refused + held + short + open`. */
export type Sums = Schemas['InboundSums'];
/** Sums of one key. */
export type KeySums = Schemas['InboundKeySums'];
export type Carton = Shipment['cartons'][number];
export type Receipt = Schemas['InboundBookedReceipt'];
export type Statement = Schemas['InboundStatement'];
/** An open order of the node that wants what has just come: a hint, no reservation. */
export type Wanted = NonNullable<Receipt['wanted']>[number];

/** Where units go: for sale, kept but broken, back with the driver, undecided. */
export const BUCKETS = ['good', 'damaged', 'refused', 'held'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Units of one key that a receipt booked; negative in one that takes another back. */
export interface Booked extends Partial<Record<Bucket, number>> {
  cartonId?: string;
  itemId: string;
  clientItemId?: string;
  /** Where the good ones were put: they are taken back from there. */
  to?: 'SHELF' | 'STAGE';
}

/** Units of a key as a person counts them. */
export interface CountLine extends Booked {
  reason?: string;
  /** Bin in which the good ones lie. */
  location?: string;
}

/** A carton that is taken as it is. */
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

/** What a receipt is, as far as this device knows. */
export interface Doing {
  cartons?: readonly WholeScan[];
  lines?: readonly CountLine[];
}

/** The units that a receipt books, by key: what is open of whole cartons, and what is counted. */
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

/** The lines of the receipt that takes these back. */
export function takenBack(booked: readonly Booked[]): Booked[] {
  return booked.map(({ cartonId, itemId, to, ...rest }) => ({
    ...(cartonId !== undefined && { cartonId }),
    itemId,
    ...(to !== undefined && { to }),
    ...Object.fromEntries(BUCKETS.flatMap((one) => ((rest[one] ?? 0) === 0 ? [] : [[one, -rest[one]!]]))),
  }));
}

/** What a receipt of the service booked. */
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

/** What arrived of a key, wherever it went. */
export function arrivedOf({ good, damaged, refused, held }: Sums): number {
  return good + damaged + refused + held;
}

const NONE: Sums = { announced: 0, good: 0, damaged: 0, refused: 0, held: 0, over: 0, short: 0, open: 0 };

/** The shipment with a receipt that the service does not have yet. It shows units as they were counted; what is beyond the tolerance the service holds. */
export function withDoing(shipment: Shipment, doing: Doing, by: { userId: string; at: number }): Shipment {
  const whole = new Map((doing.cartons ?? []).map((one) => [one.cartonId, one.as]));
  const counted = new Set((doing.lines ?? []).flatMap(({ cartonId }) => cartonId ?? []));
  const next = withBooked(shipment, bookedBy(shipment, doing));
  const known = new Set(shipment.cartons.map(({ cartonId }) => cartonId));
  const fresh = [...counted]
    .filter((id) => !known.has(id))
    .map((cartonId): Carton => ({ cartonId, state: 'UNEXPECTED' }));
  const since = new Date(by.at).toISOString();
  const cartons = [...shipment.cartons, ...fresh].map((carton): Carton => {
    const as = whole.get(carton.cartonId);
    if (as !== undefined)
      return { cartonId: carton.cartonId, state: as === 'DAMAGED' || as === 'REFUSED' ? as : 'RECEIVED' };
    if (!counted.has(carton.cartonId) || (carton.state !== 'EXPECTED' && carton.state !== 'COUNTING')) return carton;
    const isDone = next.sums.keys.every((key) => key.cartonId !== carton.cartonId || key.open === 0);
    return isDone
      ? { cartonId: carton.cartonId, state: 'RECEIVED' }
      : { cartonId: carton.cartonId, state: 'COUNTING', holder: carton.holder ?? { userId: by.userId, since } };
  });
  return { ...next, state: 'RECEIVING', cartons };
}

/** The shipment without what a receipt had booked. */
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

/** The shipment after the response to a receipt: its own sums, and the states of the cartons as far as they follow. */
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
