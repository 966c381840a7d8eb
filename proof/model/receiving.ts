/** Commands that receive at the first node: cartons as a whole and by pieces, goods of purchase orders, and corrections. */
import fc from 'fast-check';
import type { Answer } from '../service.ts';
import { type Arrival, type Key, KINDS, type Units } from './arrivals.ts';
import { type Command, often, type Rule, rule, seldom } from './command.ts';
import type { Model } from './model.ts';
import {
  arrivalOf,
  asns,
  CLOSED,
  deliveriesOf,
  freshId,
  isOpen,
  meant,
  type Named,
  named,
  near,
  numberOf,
  pathOf,
  type Shown,
  shownState,
  stateAndSums,
} from './shipments.ts';
import { itemId, type World } from './world.ts';

const sku = { sku: fc.nat(2) };
/** Who receives. */
export const by = { by: fc.constantFrom('ann', 'ann', 'bob') };
/** Cartons of a shipment; the last one is not announced. `isOther`: a carton of the other shipment. */
const cartons = { carton: fc.constantFrom(0, 0, 1, 1, 2), isOther: seldom };

interface OfCarton {
  asn: number;
  carton: number;
  isOther: boolean;
}

const cartonOf = ({ asn, carton, isOther }: OfCarton) => `A${isOther ? 1 - asn : asn}C${carton}`;

interface ScanCarton extends OfCarton {
  as: string;
  isUnannounced: boolean;
  near?: boolean;
  by?: string;
}

/** Units of a kind, and nothing of the others. */
const unitsAs = (as: string, units: number): Units => ({
  good: as === 'GOOD' ? units : 0,
  damaged: as === 'DAMAGED' ? units : 0,
  refused: as === 'REFUSED' ? units : 0,
  held: as === 'HELD' ? units : 0,
});

const scanCarton = rule<ScanCarton, Shown>({
  weight: 5,
  members: fc.record({
    ...asns,
    ...cartons,
    ...near,
    ...by,
    as: fc.constantFrom('GOOD', 'GOOD', 'GOOD', 'DAMAGED', 'REFUSED', 'HELD'),
    isUnannounced: seldom,
  }),
  fit: (model, command) => meant(model, command, isOpen),
  send: (world, command) =>
    receipt(world, command, {
      cartons: [{ cartonId: cartonOf(command), as: command.as, reason: 'SEEN' }],
      ...(command.isUnannounced && { unannounced: true }),
    }),
  expect(model, { as, isUnannounced, by = 'ann', ...command }) {
    const { asn } = command;
    const arrival = arrivalOf(model, { asn });
    if (arrival === undefined) return { status: 404 };
    if (!isOpen(arrival)) return CLOSED;
    const id = cartonOf(command);
    if (arrival.isTaken(id, model.now)) return { status: 409 };
    const isOwn = arrival.announced.includes(id);
    if (!isOwn && !isUnannounced) return { status: 409, code: 'UNANNOUNCED' };
    // Of a carton of the other shipment comes what that one announces.
    const content = isOwn ? arrival : arrivalOf(model, { asn: 1 - asn });
    const keys = (content?.ofCarton(id) ?? []).filter(({ announced }) => announced > 0);
    const touched: Key[] = [];
    for (const { sku, announced } of keys) {
      const key = arrival.key(id, sku);
      const open = Math.max(0, announced - key.good - key.damaged - key.refused - key.held);
      if (open === 0) continue;
      arrival.add(key, unitsAs(as, open), 'SHELF', by);
      if (as === 'DAMAGED') key.isReasoned = true;
      touched.push(key);
    }
    arrival.hold(touched, model.settings, by);
    Object.assign(arrival.carton(id), { whole: as, holder: null, heldUntil: 0 });
    arrival.settle([id]);
    return received(model, { asn });
  },
  shows: shownState,
});

interface CountPieces extends OfCarton {
  sku: number;
  units: Units;
  isStaged: boolean;
  isUnannounced: boolean;
  /** An item of the carton, where it has one. */
  fits: boolean;
  near?: boolean;
  by?: string;
}

export const amount = fc.record({
  good: fc.constantFrom(0, 1, 1, 2, 3),
  damaged: fc.constantFrom(0, 0, 1),
  refused: fc.constantFrom(0, 0, 1),
  held: fc.constantFrom(0, 0, 0, 1),
});

const countPieces = rule<CountPieces, Shown>({
  weight: 5,
  members: fc.record({
    ...asns,
    ...cartons,
    ...sku,
    ...near,
    ...by,
    units: amount,
    isStaged: seldom,
    isUnannounced: seldom,
    fits: often,
  }),
  fit(model, command) {
    const found = meant(model, command, isOpen);
    if (found === undefined) return undefined;
    const own = arrivalOf(model, { asn: found.asn })?.ofCarton(cartonOf(found))[0];
    return found.fits && own !== undefined ? { ...found, sku: own.sku } : found;
  },
  send: (world, command) => receiptOfLine(world, command, { ...command, cartonId: cartonOf(command) }),
  expect(model, command) {
    const { asn, sku, units, isUnannounced, by = 'ann' } = command;
    const id = cartonOf(command);
    const refused = refusedLine(model, { asn }, sku, units);
    if (refused !== undefined) return refused;
    const arrival = arrivalOf(model, { asn })!;
    if (arrival.carton(id).whole !== null) return { status: 409, code: 'CARTON_ALREADY_RECEIVED' };
    if (!arrival.isAnnounced(id, sku) && !isUnannounced) return { status: 409, code: 'UNANNOUNCED' };
    book(model, arrival, arrival.key(id, sku), command);
    arrival.countedBy(id, model.now, by);
    arrival.settle([id]);
    return received(model, { asn });
  },
  shows: shownState,
});

interface ReceivePo extends Booked {
  asn: number;
  sku: number;
  isUnannounced: boolean;
  /** Names a carton, which a purchase order has not. */
  hasCarton: boolean;
  fits: boolean;
  near?: boolean;
}

/** Goods of a purchase order without an ASN; where one is open, they need to be said to be unannounced. */
const receivePo = rule<ReceivePo, Shown>({
  weight: 5,
  members: fc.record({
    asn: fc.nat(1),
    ...sku,
    ...near,
    ...by,
    units: amount,
    isStaged: seldom,
    isUnannounced: fc.boolean(),
    hasCarton: fc.constantFrom(false, false, false, false, false, false, false, true),
    fits: often,
  }),
  fit(model, command) {
    const found = meant(model, { ...command, of: 'PO' as const }, isOpen);
    const keys = found && arrivalOf(model, found)?.keys;
    if (found === undefined || !found.fits || keys === undefined) return found;
    return { ...found, sku: keys[found.sku % keys.length]!.sku };
  },
  send: (world, command) =>
    receiptOfLine(world, { ...command, of: 'PO' }, { ...command, ...(command.hasCarton && { cartonId: 'A0C0' }) }),
  expect(model, command) {
    const { asn, sku, units, isUnannounced, hasCarton } = command;
    const po = { of: 'PO' as const, asn };
    const arrival = arrivalOf(model, po);
    if (hasCarton && arrival !== undefined) return { status: 400, code: 'INVALID_REQUEST' };
    const refused = refusedLine(model, po, sku, units);
    if (refused !== undefined || arrival === undefined) return refused ?? { status: 404 };
    const isDelivered = deliveriesOf(model, numberOf(po)).some(isOpen);
    if (!isUnannounced && (isDelivered || !arrival.isAnnounced('', sku))) return { status: 409, code: 'UNANNOUNCED' };
    book(model, arrival, arrival.key('', sku), command);
    return received(model, po);
  },
  shows: shownState,
});

interface Booked {
  units: Units;
  isStaged: boolean;
  by?: string;
}

function book(model: Model, arrival: Arrival, key: Key, { units, isStaged, by = 'ann' }: Booked): void {
  arrival.add(key, units, isStaged ? 'STAGE' : 'SHELF', by);
  if (units.damaged > 0) key.isReasoned = true;
  arrival.hold([key], model.settings, by);
}

/** Why a line of a receipt is refused before anybody asks what was announced. */
export function refusedLine(model: Model, one: Named, sku: number, units: Units) {
  const arrival = arrivalOf(model, one);
  if (KINDS.every((kind) => units[kind] === 0)) return { status: 400 };
  if (arrival === undefined) return { status: 404 };
  // What was announced or received once is known, also when its item has gone since.
  if (!model.items.has(sku) && !arrival.keys.some((key) => key.sku === sku)) return { status: 400 };
  return isOpen(arrival) ? undefined : CLOSED;
}

interface SentLine extends Booked {
  cartonId?: string;
  sku: number;
  isUnannounced?: boolean;
}

/** Sends a receipt of one line. */
export function receiptOfLine(world: World, one: Named & { by?: string }, line: SentLine): Promise<Answer> {
  const { cartonId, sku, units, isStaged, isUnannounced } = line;
  const to = isStaged && units.good > 0 && { to: 'STAGE' };
  const carton = cartonId !== undefined && { cartonId };
  return receipt(world, one, {
    lines: [{ ...carton, itemId: itemId(sku), ...units, reason: 'SEEN', ...to }],
    ...(isUnannounced === true && { unannounced: true }),
  });
}

async function receipt(world: World, one: Named & { by?: string }, body: object): Promise<Answer> {
  const sent = { receiptId: freshId(), userId: one.by ?? 'ann', ...body };
  const path = `${pathOf(world, one)}/receipts`;
  const answer = await world.call('POST', path, sent);
  if (answer.status !== 201) return answer;
  world.lastReceipt = { path, body: sent };
  // The first one is what corrections name.
  if (!world.receipts.has(numberOf(one))) world.receipts.set(numberOf(one), sent.receiptId);
  return answer;
}

export function received(model: Model, one: Named) {
  const arrival = arrivalOf(model, one)!;
  arrival.state = 'RECEIVING';
  arrival.receipts += 1;
  model.lastReceipt = numberOf(one);
  return { status: 201, shows: stateAndSums(arrival) };
}

interface Correct extends Named {
  /** Which of the keys that have units. */
  at: number;
  carton: string;
  sku: number;
  units: Units;
  near?: boolean;
}

/** Takes units of a key back, all of them or too many. */
const correct = rule<Correct, Shown>({
  weight: 3,
  members: fc.record({ ...named, ...near, at: fc.nat(3), units: amount, carton: fc.constant(''), sku: fc.constant(0) }),
  fit(model, command) {
    const found = meant(model, command, (one) => isOpen(one) && one.receipts > 0);
    const arrival = found && arrivalOf(model, found);
    if (found === undefined || arrival === undefined || arrival.receipts === 0) return undefined;
    const keys = arrival.keys.filter((one) => KINDS.some((kind) => one[kind] > 0));
    const key = keys[found.at % Math.max(1, keys.length)];
    if (key === undefined) return undefined;
    const isNear = command.near === true;
    const back = (kind: (typeof KINDS)[number]) =>
      isNear ? Math.min(key[kind], found.units[kind]) : found.units[kind];
    const units = { good: back('good'), damaged: back('damaged'), refused: back('refused'), held: back('held') };
    if (KINDS.every((kind) => units[kind] === 0)) return undefined;
    return { ...found, carton: key.carton, sku: key.sku, units };
  },
  send(world, command) {
    const { carton, sku, units } = command;
    const back = Object.fromEntries(KINDS.map((kind) => [kind, -units[kind]]));
    const lines = [{ ...(carton !== '' && { cartonId: carton }), itemId: itemId(sku), ...back }];
    const body = { receiptId: freshId(), userId: 'bob', corrects: world.receipts.get(numberOf(command)), lines };
    return world.call('POST', `${pathOf(world, command)}/receipts`, body);
  },
  expect(model, command) {
    const { carton, sku, units } = command;
    const arrival = arrivalOf(model, command)!;
    const key = arrival.find(carton, sku)!;
    if (!isOpen(arrival)) return CLOSED;
    if (KINDS.some((kind) => units[kind] > key[kind])) return { status: 400, code: 'BELOW_ZERO' };
    const back = { good: -units.good, damaged: -units.damaged, refused: -units.refused, held: -units.held };
    arrival.add(key, back, 'SHELF', 'bob');
    arrival.hold([key], model.settings, 'bob');
    arrival.settle([carton]);
    arrival.state = 'RECEIVING';
    arrival.receipts += 1;
    return { status: 201, shows: stateAndSums(arrival) };
  },
  shows: shownState,
});

/** The last receipt once more, from another device. */
const repeatReceipt = rule<object, Shown>({
  weight: 1,
  members: fc.constant({}),
  fit: ({ lastReceipt }, command) => (lastReceipt === undefined ? undefined : command),
  send: (world) => world.call('POST', world.lastReceipt!.path, world.lastReceipt!.body),
  expect: ({ arrivals, lastReceipt }) => ({ status: 200, shows: stateAndSums(arrivals.get(lastReceipt!)!) }),
  shows: shownState,
});

export const receiving: Record<string, Rule<Command>> = { scanCarton, countPieces, receivePo, correct, repeatReceipt };
