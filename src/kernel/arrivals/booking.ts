/**
 * Books units of a shipment: computes the entries, the sums of the keys and the stock moves. A draft collects the
 * bookings of one plan. The stock moves are computed from the entries, so that the ledger agrees with the entries.
 */
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';
import type { StockMove, StockSpot } from '../stock-terms.ts';
import {
  type Booking,
  type CartonWork,
  type Change,
  type Entry,
  type Fact,
  type Place,
  withColumns,
} from './action.ts';
import { cartonState, isDone, UNTAKEN } from './carton-states.ts';
import { type Key, keyOf, keyState, type Shipment, sumsOfCarton, unitsOf } from './shipment.ts';
import { type InboundAction, stateAfter } from './states.ts';
import {
  approved,
  arrived,
  type Booked,
  booked,
  holdUnits,
  type KeyState,
  KINDS,
  type Kind,
  NOTHING,
  type Tolerance,
  unitsToHold,
} from './sums.ts';

/** The source of the units of an entry: the supplier, HELD (a decision), or the place of an earlier receipt. */
type From = 'SUPPLIER' | 'HELD' | Place;

/** A shipment whose sums a plan changes. */
export interface Draft extends Shipment {
  states: Map<string, KeyState>;
  others: Map<string, Key>;
  booked: { entry: Entry; from: From }[];
  touched: Map<string, Key>;
}

export function draftOf(shipment: Shipment): Draft {
  return {
    ...shipment,
    states: new Map(shipment.states),
    others: new Map(shipment.others),
    booked: [],
    touched: new Map(),
  };
}

/** Returns the key of a carton and item. A new unannounced key is added to the draft. */
export function draftKey(draft: Draft, cartonId: string, itemId: string): Key {
  const key = keyOf(draft, cartonId, itemId);
  if (!draft.announced.keys.has(key.id)) draft.others.set(key.id, key);
  return key;
}

/**
 * Books units from the supplier. Negative units are returned to the supplier. The caller has checked that no sum
 * falls below zero.
 */
export function add(draft: Draft, entries: readonly Entry[]): void {
  const parts = new Map<Entry, Entry[]>();
  // Book entries with negative good units last, so that they can remove good units that other entries of the key have
  // added.
  for (const entry of entries.toSorted((a, b) => Number(a.units.good < 0) - Number(b.units.good < 0))) {
    const own = byPlace(draft, entry);
    for (const { key, units, place } of own) {
      set(draft, key, booked(keyState(draft, key), units, place === 'STAGE' ? units.good : 0));
    }
    parts.set(entry, own);
  }
  for (const entry of entries.flatMap((one) => parts.get(one)!)) draft.booked.push({ entry, from: 'SUPPLIER' });
}

/**
 * Splits an entry by place. Negative good units are removed from the place of the entry first, and the rest from the
 * other place.
 */
function byPlace(draft: Draft, entry: Entry): Entry[] {
  const { key, units, reason, place } = entry;
  const there = goodAt(draft, key, place);
  if (units.good + there >= 0) return [entry];
  const other = place === 'SHELF' ? 'STAGE' : 'SHELF';
  if (there === 0) return [{ ...entry, place: other }];
  const rest = { ...NOTHING, good: units.good + there };
  return [
    { ...entry, units: { ...units, good: -there } },
    { key, units: rest, reason, place: other },
  ];
}

/** Books decisions on held units. */
export function decide(
  draft: Draft,
  entry: Omit<Entry, 'units'> & { units: Omit<Booked, 'held'> },
  tolerance: Tolerance,
): void {
  const { key, units, place } = entry;
  const limits = { announced: key.announced, tolerance };
  set(draft, key, approved(keyState(draft, key), units, limits, place === 'STAGE' ? units.good : 0));
  const held = -(units.good + units.damaged + units.refused);
  draft.booked.push({ entry: { ...entry, units: { ...units, held } }, from: 'HELD' });
}

/**
 * Marks units of all touched keys as held if they exceed the announced quantity and the tolerance
 * (docs/receiving.md#more-than-announced-and-not-announced). Good units of this booking are marked first, beginning
 * with the last entry, then units of earlier bookings, SHELF before STAGE. The units of earlier bookings get one entry
 * per place.
 */
export function hold(draft: Draft, tolerance: Tolerance): void {
  for (const key of draft.touched.values()) {
    let left = unitsToHold(key.announced, keyState(draft, key), tolerance);
    for (const one of draft.booked.toReversed()) {
      const { units, place } = one.entry;
      if (one.entry.key.id !== key.id || units.good <= 0) continue;
      const part = holdAt(draft, key, place, Math.min(left, units.good));
      one.entry = { ...one.entry, units: { ...units, good: units.good - part, held: units.held + part } };
      left -= part;
    }
    for (const place of ['SHELF', 'STAGE'] as const) {
      const part = holdAt(draft, key, place, left);
      if (part === 0) continue;
      draft.booked.push({ entry: { key, units: { ...NOTHING, good: -part, held: part }, place }, from: place });
      left -= part;
    }
  }
}

/** Marks at most `most` good units of a key in a place as held. Returns their number. */
function holdAt(draft: Draft, key: Key, place: Place, most: number): number {
  const quantity = Math.min(most, goodAt(draft, key, place));
  if (quantity > 0) {
    set(draft, key, holdUnits(keyState(draft, key), quantity, place === 'STAGE' ? quantity : 0));
  }
  return quantity;
}

/** Returns the good units of a key in a place, according to its receipts. */
function goodAt(draft: Draft, key: Key, place: Place): number {
  const { good, staged } = keyState(draft, key);
  return place === 'STAGE' ? staged : good - staged;
}

function set(draft: Draft, key: Key, state: KeyState): void {
  draft.states.set(key.id, state);
  draft.touched.set(key.id, key);
}

/** Returns the change that a draft makes. `cartons` are the cartons of the booking, with their scans and holders. */
export function bookedChange(
  draft: Draft,
  {
    action,
    cause,
    fact,
    cartons,
  }: { action: InboundAction; cause: string; fact: Fact; cartons: readonly CartonWork[] },
  now: number,
): Change & { booking: Booking; isCompleted: boolean } {
  const { booked, touched, ...after } = draft;
  const { row } = draft;
  const settled = cartons.map((work) => settledCarton(draft, work));
  const { received, open } = unitsOf(draft);
  const isCompleted = row.completed_at === null && open === 0 && row.total_units > 0;
  const counts = cartons.map((before, index) => Number(isDone(settled[index]!.state)) - Number(isDone(before.state)));
  const came = settled.filter(
    ({ state }, index) => state === 'UNEXPECTED' && cartons[index]!.state !== 'UNEXPECTED',
  ).length;
  const columns: Partial<InboundShipmentRow> = {
    status: stateAfter(row.status, action),
    receipts: row.receipts + 1,
    received_units: received,
    open_units: open,
    cartons: row.cartons + came,
    cartons_done: row.cartons_done + counts.reduce((sum, count) => sum + count, 0),
    completed_at: isCompleted ? now : row.completed_at,
  };
  const moves = booked
    .flatMap((one) => movesOf(one, cause, row, fact))
    // Post incoming units first. Without them the ledger would have too few units for the other moves and post a
    // correction.
    .toSorted((a, b) => Number(a.from !== 'SUPPLIER') - Number(b.from !== 'SUPPLIER'));
  const entries = booked.map(({ entry }) => entry);
  return {
    shipment: withColumns(after, columns),
    write: 'update',
    booking: { fact, entries, touched: [...touched.values()], cartons: settled, moves },
    isCompleted,
  };
}

/**
 * Returns a carton after a booking. A correction that leaves open units cancels a whole scan: the carton can be counted
 * or scanned again. If corrections have removed all units of the carton, it has neither a scan nor a holder.
 */
function settledCarton(draft: Draft, work: CartonWork): CartonWork {
  const sums = sumsOfCarton(draft, work.carton_id);
  const isAnnounced = draft.announced.cartons.has(work.carton_id);
  if (arrived(sums) === 0) return { ...work, ...UNTAKEN, state: isAnnounced ? 'EXPECTED' : 'UNEXPECTED' };
  const isTakenBack = work.whole_as !== null && sums.open > 0;
  const state = cartonState(isAnnounced, sums, isTakenBack ? null : work.whole_as);
  // A completely counted carton has no holder.
  const isHeld = work.whole_as === null ? state === 'COUNTING' || state === 'UNEXPECTED' : !isTakenBack;
  return isHeld ? { ...work, state } : { ...work, ...UNTAKEN, state };
}

function movesOf(
  { entry: { key, units, reason, place }, from }: Draft['booked'][number],
  cause: string,
  { number: reference, seller_id: sellerId }: InboundShipmentRow,
  { id: receiptId, userId }: Fact,
): StockMove[] {
  const { lineNumber } = key;
  const receipt = { sellerId, receiptId, itemCost: key.itemCost };
  const spots: Record<Kind, StockSpot> = { good: place, damaged: 'DAMAGED', refused: 'SUPPLIER', held: 'HELD' };
  return KINDS.filter((kind) => units[kind] !== 0 && spots[kind] !== from).map((kind) => ({
    itemId: key.itemId,
    ...(units[kind] > 0 ? { from, to: spots[kind] } : { from: spots[kind], to: from }),
    quantity: Math.abs(units[kind]),
    cause,
    reference,
    ...(lineNumber !== undefined && { lineNumber }),
    ...(reason !== undefined && { reason }),
    userId,
    receipt,
  }));
}
