/** Booking what arrived: entries, the sums they lead to, and the moves of stock that they are. */
import {
  approved,
  type Booked,
  booked,
  cartonState,
  holdUnits,
  isDone,
  type KeyState,
  KINDS,
  type Kind,
  NOTHING,
  type Tolerance,
  unitsToHold,
  type WholeAs,
} from '../kernel/inbound.ts';
import { postStock, type StockMove, type StockSpot } from '../kernel/stock.ts';
import type { Ctx } from '../platform/ctx.ts';
import { insertInto, insertRows } from '../platform/storage/insert.ts';
import { change, statement } from '../platform/storage/statement.ts';
import type {
  InboundCartonWorkRow,
  InboundEntryRow,
  InboundReceiptRow,
  InboundShipmentRow,
  InboundSumRow,
} from '../platform/storage/tables.ts';
import { forgetAnnounced, type Key } from './announced.ts';
import { keyState, keysOfShipment, type Loaded, type ShipmentKeys, sumsOfCarton, unitsOf } from './shipment.ts';

type Place = 'SHELF' | 'STAGE';

/** How units of a key are booked. */
export interface Entry {
  key: Key;
  units: Booked;
  reason?: string | undefined;
  place: Place;
  location?: string | undefined;
}

/** An entry, and where its units come from: the supplier, HELD by a decision, or the place where an earlier receipt put them. */
interface BookedEntry {
  entry: Entry;
  from: 'SUPPLIER' | 'HELD' | Place;
}

/** What is being booked of one shipment. It changes the sums of what was loaded, and nothing in the database before `save`. */
export class Booking {
  readonly loaded: Loaded;
  readonly #cause: string;
  readonly #booked: BookedEntry[] = [];
  readonly #touched = new Map<string, Key>();

  constructor(loaded: Loaded, cause: 'RECEIPT' | 'CORRECTION' | 'APPROVAL' | 'MATCH') {
    this.loaded = loaded;
    this.#cause = cause;
  }

  /** What is said of the booking. Of each entry the place is the one where its good units go to or come from. */
  get entries(): readonly Entry[] {
    return this.#booked.map(({ entry }) => entry);
  }

  /** The same in the ledger: moves follow from the entries, so both name the same places. */
  get moves(): Omit<StockMove, 'userId'>[] {
    return this.#booked.flatMap((one) => this.#movesOf(one));
  }

  /** Books units that came from the supplier, or (negative) go back. The caller has seen that no sum falls below zero. */
  add(...entries: readonly Entry[]): void {
    const parts = new Map<Entry, Entry[]>();
    // Good units that come are there before others of their key are taken back.
    for (const entry of entries.toSorted((a, b) => Number(a.units.good < 0) - Number(b.units.good < 0))) {
      parts.set(entry, this.#apply(entry));
    }
    for (const entry of entries.flatMap((one) => parts.get(one)!)) this.#booked.push({ entry, from: 'SUPPLIER' });
  }

  #apply(entry: Entry): Entry[] {
    const parts = this.#byPlace(entry);
    for (const { key, units, place } of parts) {
      this.#set(key, booked(keyState(this.loaded, key), units, place === 'STAGE' ? units.good : 0));
    }
    return parts;
  }

  /** Good units that are taken back leave the place that the entry says, as far as they are there, and else the other one. */
  #byPlace(entry: Entry): Entry[] {
    const { key, units, reason, place } = entry;
    const there = this.#goodAt(key, place);
    if (units.good + there >= 0) return [entry];
    const other = place === 'SHELF' ? 'STAGE' : 'SHELF';
    if (there === 0) return [{ ...entry, place: other }];
    const rest = { ...NOTHING, good: units.good + there };
    return [
      { ...entry, units: { ...units, good: -there } },
      { key, units: rest, reason, place: other },
    ];
  }

  /** Decides held units. */
  decide(entry: Omit<Entry, 'units'> & { units: Omit<Booked, 'held'> }): void {
    const { key, units, place } = entry;
    this.#set(key, approved(keyState(this.loaded, key), units, place === 'STAGE' ? units.good : 0));
    const held = -(units.good + units.damaged + units.refused);
    this.#booked.push({ entry: { ...entry, units: { ...units, held } }, from: 'HELD' });
  }

  /**
   * Holds what exceeds announced and tolerance, of all keys that were booked: good units of this booking, the last ones first,
   * which are held from the start; then those of earlier bookings, the ones on the shelf first, each as an entry of its own.
   */
  hold(tolerance: Tolerance): void {
    for (const key of this.#touched.values()) {
      let left = unitsToHold(key.announced, keyState(this.loaded, key), tolerance);
      for (const one of this.#booked.toReversed()) {
        const { units, place } = one.entry;
        if (one.entry.key.id !== key.id || units.good <= 0) continue;
        const part = this.#holdAt(key, place, Math.min(left, units.good));
        one.entry = { ...one.entry, units: { ...units, good: units.good - part, held: units.held + part } };
        left -= part;
      }
      for (const place of ['SHELF', 'STAGE'] as const) {
        const part = this.#holdAt(key, place, left);
        if (part === 0) continue;
        this.#booked.push({ entry: { key, units: { ...NOTHING, good: -part, held: part }, place }, from: place });
        left -= part;
      }
    }
  }

  /** Holds good units of a key that are in a place, at most so many; returns how many. */
  #holdAt(key: Key, place: Place, most: number): number {
    const quantity = Math.min(most, this.#goodAt(key, place));
    if (quantity > 0) {
      this.#set(key, holdUnits(keyState(this.loaded, key), quantity, place === 'STAGE' ? quantity : 0));
    }
    return quantity;
  }

  get touched(): readonly Key[] {
    return [...this.#touched.values()];
  }

  #set(key: Key, state: KeyState): void {
    this.loaded.states.set(key.id, state);
    this.#touched.set(key.id, key);
  }

  /** Good units of a key in a place, as far as its receipts say. */
  #goodAt(key: Key, place: Place): number {
    const { good, staged } = keyState(this.loaded, key);
    return place === 'STAGE' ? staged : good - staged;
  }

  #movesOf({ entry: { key, units, place }, from }: BookedEntry): Omit<StockMove, 'userId'>[] {
    const [lineNumber] = key.lineNumbers;
    const spots: Record<Kind, StockSpot> = { good: place, damaged: 'DAMAGED', refused: 'SUPPLIER', held: 'HELD' };
    return KINDS.filter((kind) => units[kind] !== 0 && spots[kind] !== from).map((kind) => ({
      itemId: key.itemId,
      ...(units[kind] > 0 ? { from, to: spots[kind] } : { from: spots[kind], to: from }),
      quantity: Math.abs(units[kind]),
      cause: this.#cause,
      reference: this.loaded.row.number,
      ...(lineNumber !== undefined && { lineNumber }),
    }));
  }
}

/** What a booking is, beside its entries. */
export interface Fact {
  kind: InboundReceiptRow['kind'];
  id: string;
  userId: string;
  at: number;
  corrects?: string | undefined;
  hash: string;
  doc: object;
}

/** What is known of a carton that a booking touches. */
export type CartonWork = Pick<
  InboundCartonWorkRow,
  'carton_id' | 'state' | 'whole_as' | 'receipt_id' | 'user_id' | 'since' | 'holder_until'
>;

/** What was written of a booking: the shipment as it is now, and whether it became complete by it. */
export interface Saved {
  row: InboundShipmentRow;
  isCompleted: boolean;
  fact: InboundReceiptRow;
  entries: readonly InboundEntryRow[];
}

/** Writes a booking: fact, entries, sums, cartons, and the row of the shipment. */
export async function saveBooking(
  ctx: Ctx,
  booking: Booking,
  fact: Fact,
  cartons: ReadonlyMap<string, CartonWork>,
): Promise<Saved> {
  const { loaded } = booking;
  const before = loaded.row;
  const keys = keysOfShipment(before);
  const position = before.receipts + 1;
  const told: InboundReceiptRow = {
    ...keys,
    position,
    kind: fact.kind,
    receipt_id: fact.id,
    user_id: fact.userId,
    at: fact.at,
    created_at: ctx.now,
    corrects: fact.corrects ?? null,
    content_hash: fact.hash,
    doc: JSON.stringify(fact.doc),
  };
  await insertReceipt(ctx, [told]);
  const entries = booking.entries.map((entry, index) => entryRow(keys, position, index, entry));
  await insertEntries(ctx, entries);
  await saveSums(ctx, booking);
  const { done, more } = await saveCartons(ctx, loaded, cartons);
  const { received, open } = unitsOf(loaded);
  const isCompleted = before.completed_at === null && open === 0 && before.total_units > 0;
  const row: InboundShipmentRow = {
    ...before,
    status: 'RECEIVING',
    revision: before.revision + 1,
    receipts: position,
    received_units: received,
    open_units: open,
    cartons: before.cartons + more,
    cartons_done: before.cartons_done + done,
    completed_at: isCompleted ? ctx.now : before.completed_at,
  };
  await updateShipment(ctx, row);
  if (open === 0) forgetAnnounced(ctx, row);
  await postStock(
    ctx,
    { clientId: before.client_id, nodeId: before.node_id },
    // What comes is there before anything is taken: else the ledger would count in what it seems to lack.
    booking.moves
      .toSorted((a, b) => Number(a.from !== 'SUPPLIER') - Number(b.from !== 'SUPPLIER'))
      .map((move) => ({ ...move, userId: fact.userId })),
  );
  loaded.row = row;
  return { row, isCompleted, fact: told, entries };
}

/** Writes the columns of a shipment that change. */
export async function updateShipment({ db }: Pick<Ctx, 'db'>, row: InboundShipmentRow): Promise<void> {
  await writeShipment(db, row);
}

const writeShipment = change((db, row: InboundShipmentRow) =>
  db
    .updateTable('inbound_shipments')
    .set({
      status: row.status,
      revision: row.revision,
      arrived_at: row.arrived_at,
      receipts: row.receipts,
      received_units: row.received_units,
      open_units: row.open_units,
      cartons: row.cartons,
      cartons_done: row.cartons_done,
      completed_at: row.completed_at,
      statements: row.statements,
      matched_to: row.matched_to,
    })
    .where('client_id', '=', row.client_id)
    .where('seller_id', '=', row.seller_id)
    .where('type', '=', row.type)
    .where('number', '=', row.number),
);

function entryRow(keys: ShipmentKeys, position: number, index: number, entry: Entry): InboundEntryRow {
  const { key, units, reason, place, location } = entry;
  return {
    ...keys,
    position,
    entry_index: index,
    carton_id: key.cartonId,
    item_id: key.itemId,
    good: units.good,
    damaged: units.damaged,
    refused: units.refused,
    held: units.held,
    reason: reason ?? null,
    place,
    location: location ?? null,
  };
}

const OF_INBOUND = { client_id: 'text', seller_id: 'text', type: 'text', number: 'text' } as const;

const insertReceipt = insertInto<InboundReceiptRow>('inbound_receipts', {
  ...OF_INBOUND,
  position: 'integer',
  kind: 'text',
  receipt_id: 'text',
  user_id: 'text',
  at: 'integer',
  created_at: 'integer',
  corrects: 'text',
  content_hash: 'text',
  doc: 'text',
});

const insertEntries = insertInto<InboundEntryRow>('inbound_entries', {
  ...OF_INBOUND,
  position: 'integer',
  entry_index: 'integer',
  carton_id: 'text',
  item_id: 'text',
  good: 'integer',
  damaged: 'integer',
  refused: 'integer',
  held: 'integer',
  reason: 'text',
  place: 'text',
  location: 'text',
});

const SUM_COLUMNS = {
  ...OF_INBOUND,
  carton_id: 'text',
  item_id: 'text',
  good: 'integer',
  damaged: 'integer',
  refused: 'integer',
  held: 'integer',
  staged: 'integer',
  decided: 'integer',
} as const;

/** The shipment is locked, so sums are written as they are. */
async function saveSums(ctx: Ctx, { loaded, touched }: Booking): Promise<void> {
  const keys = keysOfShipment(loaded.row);
  const rows = touched.map((key): InboundSumRow => {
    const { good, damaged, refused, held, staged, decided } = keyState(loaded, key);
    return { ...keys, carton_id: key.cartonId, item_id: key.itemId, good, damaged, refused, held, staged, decided };
  });
  await insertRows<InboundSumRow>(
    ctx,
    'inbound_sums',
    SUM_COLUMNS,
    rows,
    `on conflict (client_id, seller_id, type, number, carton_id, item_id) do update set ${assigned(['good', 'damaged', 'refused', 'held', 'staged', 'decided'])}`,
  );
}

const CARTON_COLUMNS = {
  ...OF_INBOUND,
  carton_id: 'text',
  state: 'text',
  whole_as: 'text',
  receipt_id: 'text',
  user_id: 'text',
  since: 'integer',
  holder_until: 'integer',
} as const;

/** Writes cartons with the states that their sums now have. Answers how many more are done, and how many came in addition. */
async function saveCartons(
  ctx: Ctx,
  loaded: Loaded,
  cartons: ReadonlyMap<string, CartonWork>,
): Promise<{ done: number; more: number }> {
  let [done, more] = [0, 0];
  const keys = keysOfShipment(loaded.row);
  const rows = [...cartons.values()].map((before): InboundCartonWorkRow => {
    const work = settled(loaded, before);
    done += Number(isDone(work.state)) - Number(isDone(before.state));
    if (work.state === 'UNEXPECTED' && before.state !== 'UNEXPECTED') more += 1;
    return { ...keys, ...work };
  });
  await insertRows<InboundCartonWorkRow>(
    ctx,
    'inbound_carton_work',
    CARTON_COLUMNS,
    rows.sort((a, b) => (a.carton_id < b.carton_id ? -1 : 1)),
    `on conflict (client_id, seller_id, type, number, carton_id) do update set ${assigned(['state', 'whole_as', 'receipt_id', 'user_id', 'since', 'holder_until'])}`,
  );
  return { done, more };
}

const assigned = (names: readonly string[]) => names.map((name) => `${name} = excluded.${name}`).join(', ');

/** A carton after a booking: where nothing is left of it, nobody holds it and no scan has taken it. */
function settled(loaded: Loaded, work: CartonWork): CartonWork {
  const sums = sumsOfCarton(loaded, work.carton_id);
  const isAnnounced = loaded.announced.cartons.has(work.carton_id);
  const isEmpty = sums.good + sums.damaged + sums.refused + sums.held === 0;
  const released = { whole_as: null, receipt_id: null, user_id: null, since: null, holder_until: null };
  if (isEmpty) return { ...work, ...released, state: isAnnounced ? 'EXPECTED' : 'UNEXPECTED' };
  const state = cartonState(isAnnounced, sums, work.whole_as);
  // Whoever counted it to its end holds it no more.
  const isHeld = work.whole_as !== null || state === 'COUNTING' || state === 'UNEXPECTED';
  return isHeld ? { ...work, state } : { ...work, ...released, state };
}

const EXPECTED = {
  state: 'EXPECTED',
  whole_as: null,
  receipt_id: null,
  user_id: null,
  since: null,
  holder_until: null,
} as const;

/** The cartons of these ids as they are now; one that nobody touched is EXPECTED. */
export async function findCartonWork(
  ctx: Pick<Ctx, 'dialect'> & { db: Parameters<typeof selectCartons>[0] },
  keys: ShipmentKeys,
  ids: readonly string[],
): Promise<Map<string, CartonWork>> {
  const found = new Map<string, CartonWork>(ids.map((id) => [id, { carton_id: id, ...EXPECTED }]));
  if (ids.length === 0) return found;
  const rows = await selectCartons(ctx.db, { ...keysOfShipment(keys), ids: ctx.dialect.listText(ids) });
  for (const row of rows) found.set(row.carton_id, row);
  return found;
}

const selectCartons = statement(
  (db, { client_id, seller_id, type, number, ids }: ShipmentKeys & { ids: string }, dialect) =>
    db
      .selectFrom('inbound_carton_work')
      .select(['carton_id', 'state', 'whole_as', 'receipt_id', 'user_id', 'since', 'holder_until'])
      .where('client_id', '=', client_id)
      .where('seller_id', '=', seller_id)
      .where('type', '=', type)
      .where('number', '=', number)
      .where('carton_id', 'in', dialect.listOf<string>(ids as never, 'text')),
);

/** All cartons of a shipment that somebody touched, by id. */
export async function findAllCartonWork(
  db: Parameters<typeof selectAllCartons>[0],
  keys: ShipmentKeys,
): Promise<Map<string, CartonWork>> {
  const rows = await selectAllCartons(db, keysOfShipment(keys));
  return new Map(rows.map((row) => [row.carton_id, row]));
}

const selectAllCartons = statement((db, { client_id, seller_id, type, number }: ShipmentKeys) =>
  db
    .selectFrom('inbound_carton_work')
    .select(['carton_id', 'state', 'whole_as', 'receipt_id', 'user_id', 'since', 'holder_until'])
    .where('client_id', '=', client_id)
    .where('seller_id', '=', seller_id)
    .where('type', '=', type)
    .where('number', '=', number)
    .orderBy('carton_id'),
);

/** What all units of a carton that are open are booked as. */
export function wholeUnits(as: WholeAs, open: number): Booked {
  return {
    good: as === 'GOOD' ? open : 0,
    damaged: as === 'DAMAGED' ? open : 0,
    refused: as === 'REFUSED' ? open : 0,
    held: as === 'HELD' ? open : 0,
  };
}
