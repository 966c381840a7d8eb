/** Commands of goods in at the first node: announced, received by carton and by pieces, corrected, approved, closed, matched. */
import fc from 'fast-check';
import type { Answer } from '../service.ts';
import { Arrival, type Key, KINDS, type Units } from './arrivals.ts';
import { type Command, often, type Rule, rule, seldom } from './command.ts';
import type { Model } from './model.ts';
import { itemId, skuOf, type World } from './world.ts';

/** The warehouse of the first node. */
export const WAREHOUSE = 'ST1';

const numbers = { asn: fc.constantFrom(0, 0, 1) };
const sku = { sku: fc.nat(2) };
/** Cartons of a shipment; the last one is not announced. `isOther`: a carton of the other shipment. */
const cartons = { carton: fc.constantFrom(0, 0, 1, 1, 2), isOther: seldom };

interface OfCarton {
  asn: number;
  carton: number;
  isOther: boolean;
}

const numberOf = (asn: number) => `ASN-${asn}`;
const blindOf = (blind: number) => `BLIND-${blind}`;
const cartonOf = ({ asn, carton, isOther }: OfCarton) => `A${isOther ? 1 - asn : asn}C${carton}`;

const nodePath = ({ id }: World) => `/operator/v1/clients/${id}/nodes/${id}-1`;
const pathOf = (world: World, asn: number) => `${nodePath(world)}/inbound/ASN/${numberOf(asn)}`;
const blindPath = (world: World, blind: number) => `${nodePath(world)}/inbound/BLIND/${blindOf(blind)}`;

/** Ids of the caller; a command that is sent again under its key is the same request. */
let ids = 0;
const freshId = () => `g${++ids}`;

const near = { near: often };

/** With `near` a shipment that it is for; where there is none, the command is left out. */
function meant<C extends { asn: number; near?: boolean }>(
  model: Model,
  command: C,
  isFor: (arrival: Arrival) => boolean,
): C | undefined {
  const named = model.asns.get(command.asn);
  if (command.near !== true || (named !== undefined && isFor(named))) return command;
  const other = [...model.asns].find(([, arrival]) => isFor(arrival));
  return other === undefined ? undefined : { ...command, asn: other[0] };
}

const isOpen = ({ state }: Arrival) => state !== 'CLOSED';
const hasHeld = (arrival: Arrival) => isOpen(arrival) && arrival.keys.some((key) => key.held > 0);

interface Shown {
  state: string;
  sums: { keys: ({ cartonId?: string; itemId: string } & Record<string, number>)[] };
}

const MEMBERS = ['announced', ...KINDS, 'over', 'short', 'open'] as const;

/** Sums of keys by their names. */
function keysShown({ sums: { keys } }: Pick<Shown, 'sums'>): [string, ...number[]][] {
  return keys
    .map((key): [string, ...number[]] => [
      `${key.cartonId ?? ''}/${skuOf(key.itemId)}`,
      ...MEMBERS.map((member) => key[member]!),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

const stateAndSums = (arrival: Arrival) => [arrival.state, arrival.sums()];
const shownState = (body: Shown) => [body.state, keysShown(body)];

interface Announce {
  asn: number;
  lines: { sku: number; units: number }[];
}

const announce = rule<Announce, unknown>({
  weight: 3,
  members: fc.record({
    ...numbers,
    lines: fc.array(fc.record({ ...sku, units: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 2 }),
  }),
  send(world, { asn, lines }) {
    const detail = lines.map(({ sku, units }, index) => ({
      asnNumber: numberOf(asn),
      cartonId: `A${asn}C${index}`,
      clientItemId: `SKU${sku}`,
      shippedQuantity: units,
      itemCost: 1,
      trailerNumber: '1',
      receivingWarehouseId: WAREHOUSE,
    }));
    const header = {
      asnNumber: numberOf(asn),
      receivingType: 'A',
      receivingWarehouseId: WAREHOUSE,
      shipmentReceiptDate: '2026-03-20',
      shipperName: 'x',
      storeCode: '1',
    };
    const body = { asnData: [{ header, details: { detail } }] };
    return world.call('POST', `/poasn-manager-service/sellers/${world.id}-S/poasn/create`, body);
  },
  expect(model, { asn, lines }) {
    const content = JSON.stringify(lines);
    const before = model.asns.get(asn);
    if (before?.content === content) return { status: 200 };
    if (before !== undefined || lines.some((line) => !model.items.has(line.sku))) return { status: 400 };
    const keys = lines.map(({ sku, units }, index) => ({ carton: `A${asn}C${index}`, sku, units }));
    model.asns.set(asn, new Arrival(model.ledger, content, keys));
    return { status: 200 };
  },
});

const voidAsn = rule<{ asn: number }, unknown>({
  weight: 1,
  members: fc.record(numbers),
  send: ({ operator, id }, { asn }) => operator('DELETE', `/operator/v1/clients/${id}/inbound/ASN/${numberOf(asn)}`),
  expect({ asns }, { asn }) {
    const arrival = asns.get(asn);
    if (arrival === undefined) return { status: 404 };
    if (arrival.state !== 'EXPECTED') return { status: 409 };
    asns.delete(asn);
    return { status: 204 };
  },
});

const arriveAsn = rule<{ asn: number }, unknown>({
  weight: 1,
  members: fc.record(numbers),
  send: (world, { asn }) => world.call('POST', `${pathOf(world, asn)}/arrive`, { userId: 'ann' }),
  expect({ asns }, { asn }) {
    const arrival = asns.get(asn);
    return { status: arrival === undefined ? 404 : arrival.state === 'CLOSED' ? 409 : 204 };
  },
});

interface ScanCarton extends OfCarton {
  as: string;
  isUnannounced: boolean;
  near?: boolean;
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
    ...numbers,
    ...cartons,
    ...near,
    as: fc.constantFrom('GOOD', 'GOOD', 'GOOD', 'DAMAGED', 'REFUSED', 'HELD'),
    isUnannounced: seldom,
  }),
  fit: (model, command) => meant(model, command, isOpen),
  send: (world, command) =>
    receipt(world, command.asn, {
      cartons: [{ cartonId: cartonOf(command), as: command.as, reason: 'SEEN' }],
      ...(command.isUnannounced && { unannounced: true }),
    }),
  expect(model, command) {
    const { asn, as, isUnannounced } = command;
    const arrival = model.asns.get(asn);
    if (arrival === undefined) return { status: 404 };
    if (arrival.state === 'CLOSED') return { status: 409 };
    const id = cartonOf(command);
    if (arrival.isTaken(id, model.now)) return { status: 409 };
    const isOwn = arrival.announced.includes(id);
    if (!isOwn && !isUnannounced) return { status: 409 };
    // Of a carton of the other shipment comes what that one announces.
    const content = isOwn ? arrival : model.asns.get(1 - asn);
    const keys = (content?.ofCarton(id) ?? []).filter(({ announced }) => announced > 0);
    const touched: Key[] = [];
    for (const { sku, announced } of keys) {
      const key = arrival.key(id, sku);
      const open = Math.max(0, announced - key.good - key.damaged - key.refused - key.held);
      if (open === 0) continue;
      arrival.add(key, unitsAs(as, open), 'SHELF');
      if (as === 'DAMAGED') key.isReasoned = true;
      touched.push(key);
    }
    arrival.hold(touched);
    Object.assign(arrival.carton(id), { whole: as, heldUntil: null });
    arrival.settle([id]);
    model.lastReceipt = asn;
    return received(arrival);
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
}

const amount = fc.record({
  good: fc.constantFrom(0, 1, 1, 2, 3),
  damaged: fc.constantFrom(0, 0, 1),
  refused: fc.constantFrom(0, 0, 1),
  held: fc.constantFrom(0, 0, 0, 1),
});

const countPieces = rule<CountPieces, Shown>({
  weight: 5,
  members: fc.record({
    ...numbers,
    ...cartons,
    ...sku,
    ...near,
    units: amount,
    isStaged: seldom,
    isUnannounced: seldom,
    fits: often,
  }),
  fit(model, command) {
    const found = meant(model, command, isOpen);
    if (found === undefined) return undefined;
    const own = model.asns.get(found.asn)?.ofCarton(cartonOf(found))[0];
    return found.fits && own !== undefined ? { ...found, sku: own.sku } : found;
  },
  send(world, command) {
    const { units, isStaged, isUnannounced } = command;
    const to = isStaged && units.good > 0 && { to: 'STAGE' };
    const line = { cartonId: cartonOf(command), itemId: itemId(command.sku), ...units, reason: 'SEEN', ...to };
    return receipt(world, command.asn, { lines: [line], ...(isUnannounced && { unannounced: true }) });
  },
  expect(model, command) {
    const { asn, sku, units, isStaged, isUnannounced } = command;
    const arrival = model.asns.get(asn);
    const isNothing = KINDS.every((kind) => units[kind] === 0);
    // What was announced or received once is known, also when its item has gone since.
    const isKnown = model.items.has(sku) || arrival?.keys.some((key) => key.sku === sku) === true;
    if (isNothing) return { status: 400 };
    if (arrival === undefined) return { status: 404 };
    if (!isKnown) return { status: 400 };
    if (arrival.state === 'CLOSED') return { status: 409 };
    const id = cartonOf(command);
    if (arrival.carton(id).whole !== null) return { status: 409 };
    if (!arrival.isAnnounced(id, sku) && !isUnannounced) return { status: 409 };
    const key = arrival.key(id, sku);
    arrival.add(key, units, isStaged ? 'STAGE' : 'SHELF');
    if (units.damaged > 0) key.isReasoned = true;
    arrival.hold([key]);
    arrival.countedBy(id, model.now);
    arrival.settle([id]);
    model.lastReceipt = asn;
    return received(arrival);
  },
  shows: shownState,
});

async function receipt(world: World, asn: number, body: object): Promise<Answer> {
  const sent = { receiptId: freshId(), userId: 'ann', ...body };
  const answer = await world.call('POST', `${pathOf(world, asn)}/receipts`, sent);
  if (answer.status !== 201) return answer;
  world.lastReceipt = { asn, body: sent };
  // The first one is what corrections name.
  if (!world.receipts.has(asn)) world.receipts.set(asn, sent.receiptId);
  return answer;
}

function received(arrival: Arrival) {
  arrival.state = 'RECEIVING';
  arrival.receipts += 1;
  return { status: 201, shows: stateAndSums(arrival) };
}

interface Correct extends OfCarton {
  sku: number;
  units: Units;
  near?: boolean;
}

/** Takes units back, all of them or too many; where a key is known, of that one. */
const correct = rule<Correct, Shown>({
  weight: 3,
  members: fc.record({ ...numbers, ...cartons, ...sku, ...near, units: amount }),
  fit(model, command) {
    const found = meant(model, command, (one) => isOpen(one) && one.receipts > 0);
    const arrival = found && model.asns.get(found.asn);
    if (found === undefined || arrival === undefined || arrival.receipts === 0) return undefined;
    if (KINDS.every((kind) => found.units[kind] === 0)) return undefined;
    const key = arrival.ofCarton(cartonOf(found)).find((one) => KINDS.some((kind) => one[kind] > 0));
    if (key === undefined) return undefined;
    if (command.near !== true) return { ...found, sku: key.sku };
    const units = Object.fromEntries(KINDS.map((kind) => [kind, Math.min(key[kind], found.units[kind])])) as Units;
    return KINDS.every((kind) => units[kind] === 0) ? undefined : { ...found, sku: key.sku, units };
  },
  send(world, command) {
    const units = Object.fromEntries(KINDS.map((kind) => [kind, -command.units[kind]]));
    const line = { cartonId: cartonOf(command), itemId: itemId(command.sku), ...units };
    const body = { receiptId: freshId(), userId: 'bob', corrects: world.receipts.get(command.asn), lines: [line] };
    return world.call('POST', `${pathOf(world, command.asn)}/receipts`, body);
  },
  expect(model, command) {
    const { asn, sku, units } = command;
    const arrival = model.asns.get(asn)!;
    const id = cartonOf(command);
    const key = arrival.find(id, sku)!;
    if (arrival.state === 'CLOSED') return { status: 409 };
    if (KINDS.some((kind) => units[kind] > key[kind])) return { status: 400 };
    const back = { good: -units.good, damaged: -units.damaged, refused: -units.refused, held: -units.held };
    arrival.add(key, back, 'SHELF');
    arrival.hold([key]);
    arrival.settle([id]);
    return received(arrival);
  },
  shows: shownState,
});

/** The last receipt once more, from another device. */
const repeatReceipt = rule<object, Shown>({
  weight: 1,
  members: fc.constant({}),
  fit: ({ lastReceipt }, command) => (lastReceipt === undefined ? undefined : command),
  send(world) {
    const { asn, body } = world.lastReceipt!;
    return world.call('POST', `${pathOf(world, asn)}/receipts`, body);
  },
  expect: ({ asns, lastReceipt }) => ({ status: 200, shows: stateAndSums(asns.get(lastReceipt!)!) }),
  shows: shownState,
});

interface Approve extends OfCarton {
  to: 'good' | 'damaged' | 'refused';
  /** One unit more than are held. */
  isOver: boolean;
  near?: boolean;
}

const heldKey = (arrival: Arrival | undefined, command: Approve) => {
  const held = arrival?.keys.filter((key) => key.held > 0) ?? [];
  return held[command.carton % Math.max(1, held.length)];
};

const approveHeld = rule<Approve, Shown>({
  weight: 4,
  members: fc.record({
    ...numbers,
    ...cartons,
    ...near,
    to: fc.constantFrom<Approve['to']>('good', 'good', 'damaged', 'refused'),
    isOver: seldom,
  }),
  fit: (model, command) => meant(model, command, hasHeld),
  send(world, command) {
    const { asn, to, isOver } = command;
    const key = heldKey(world.model.asns.get(asn), command);
    const cartonId = key === undefined ? cartonOf(command) : key.carton;
    const line = {
      ...(cartonId !== '' && { cartonId }),
      itemId: itemId(key?.sku ?? 0),
      [to]: (key?.held ?? 0) + (isOver || key === undefined ? 1 : 0),
    };
    return world.call('POST', `${pathOf(world, asn)}/approve`, { approvalId: freshId(), userId: 'lee', lines: [line] });
  },
  expect(model, command) {
    const arrival = model.asns.get(command.asn);
    if (arrival === undefined) return { status: 404 };
    if (arrival.state !== 'RECEIVING') return { status: 409 };
    const key = heldKey(arrival, command);
    if (key === undefined || command.isOver) return { status: 400 };
    arrival.decide(key, { good: 0, damaged: 0, refused: 0, [command.to]: key.held });
    return { status: 200, shows: stateAndSums(arrival) };
  },
  shows: shownState,
});

interface Statement {
  lines: ({ cartonId?: string; itemId: string } & Record<string, number>)[];
}

const closeAsn = rule<{ asn: number; isReasoned: boolean; near?: boolean }, Statement>({
  weight: 3,
  members: fc.record({ ...numbers, ...near, isReasoned: often }),
  fit: (model, command) => meant(model, command, (one) => isOpen(one) && one.receipts > 0),
  send: (world, { asn, isReasoned }) =>
    world.call('POST', `${pathOf(world, asn)}/close`, {
      closeId: freshId(),
      userId: 'lee',
      ...(isReasoned && { reasons: [{ reason: 'AS_SEEN' }] }),
    }),
  expect({ asns }, { asn, isReasoned }) {
    const arrival = asns.get(asn);
    if (arrival === undefined) return { status: 404 };
    if (arrival.state === 'CLOSED') return { status: 409 };
    if (!isReasoned && arrival.needsReason()) return { status: 400 };
    if (arrival.keys.some((key) => key.held > 0)) return { status: 409 };
    arrival.state = 'CLOSED';
    arrival.statements += 1;
    return { status: 200, shows: arrival.sums() };
  },
  shows: ({ lines }) => keysShown({ sums: { keys: lines.map((line) => ({ ...line, open: 0 })) } } as never),
});

const reopenAsn = rule<{ asn: number; near?: boolean }, Shown>({
  weight: 2,
  members: fc.record({ ...numbers, ...near }),
  fit: (model, command) => meant(model, command, (one) => !isOpen(one)),
  send: (world, { asn }) => world.call('POST', `${pathOf(world, asn)}/reopen`, { userId: 'lee', reason: 'MORE' }),
  expect({ asns }, { asn }) {
    const arrival = asns.get(asn);
    if (arrival === undefined) return { status: 404 };
    if (arrival.state !== 'CLOSED') return { status: 409 };
    arrival.state = 'RECEIVING';
    return { status: 200, shows: stateAndSums(arrival) };
  },
  shows: shownState,
});

const blinds = { blind: fc.constantFrom(0, 1) };

const openBlind = rule<{ blind: number }, Shown>({
  weight: 1,
  members: fc.record(blinds),
  send: (world, { blind }) =>
    world.call('POST', `${nodePath(world)}/inbound/BLIND`, { number: blindOf(blind), userId: 'ann' }),
  expect({ blinds, ledger }, { blind }) {
    const before = blinds.get(blind);
    const arrival = before ?? new Arrival(ledger, '', []);
    blinds.set(blind, arrival);
    return { status: before === undefined ? 201 : 200, shows: stateAndSums(arrival) };
  },
  shows: shownState,
});

interface ReceiveBlind {
  blind: number;
  asn: number;
  carton: number | null;
  sku: number;
  units: Units;
}

const receiveBlind = rule<ReceiveBlind, Shown>({
  weight: 2,
  members: fc.record({
    ...blinds,
    ...numbers,
    ...sku,
    carton: fc.constantFrom(null, null, 0, 1),
    units: amount,
  }),
  fit: (model, command) => (model.blinds.has(command.blind) ? command : undefined),
  send(world, { blind, asn, carton, sku, units }) {
    const cartonId = carton !== null && { cartonId: `A${asn}C${carton}` };
    const lines = [{ ...cartonId, itemId: itemId(sku), ...units, reason: 'SEEN' }];
    return world.call('POST', `${blindPath(world, blind)}/receipts`, { receiptId: freshId(), userId: 'ann', lines });
  },
  expect({ blinds, items, now }, { blind, asn, carton, sku, units }) {
    const arrival = blinds.get(blind)!;
    const isKnown = items.has(sku) || arrival.keys.some((key) => key.sku === sku);
    if (KINDS.every((kind) => units[kind] === 0) || !isKnown) return { status: 400 };
    if (arrival.state === 'CLOSED') return { status: 409 };
    const id = carton === null ? '' : `A${asn}C${carton}`;
    arrival.add(arrival.key(id, sku), units, 'SHELF');
    arrival.countedBy(id, now);
    arrival.settle([id]);
    return received(arrival);
  },
  shows: shownState,
});

const match = rule<{ blind: number; asn: number; near?: boolean }, Shown>({
  weight: 2,
  members: fc.record({ ...blinds, ...numbers, ...near }),
  fit: (model, command) => (model.blinds.has(command.blind) ? meant(model, command, isOpen) : undefined),
  send: (world, { blind, asn }) =>
    world.call('POST', `${blindPath(world, blind)}/match`, { type: 'ASN', number: numberOf(asn) }),
  expect({ blinds, asns }, { blind, asn }) {
    const [from, to] = [blinds.get(blind)!, asns.get(asn)];
    if (to === undefined) return { status: 404 };
    if (from.matchedTo === asn) return { status: 200, shows: stateAndSums(to) };
    if (from.state === 'CLOSED' || to.state === 'CLOSED') return { status: 409 };
    from.matchInto(to);
    Object.assign(from, { state: 'CLOSED', matchedTo: asn });
    to.state = 'RECEIVING';
    return { status: 200, shows: stateAndSums(to) };
  },
  shows: shownState,
});

interface Read extends Shown {
  cartons: { cartonId: string; state: string }[];
}

const readAsn = rule<{ asn: number }, Read>({
  weight: 1,
  members: fc.record(numbers),
  send: (world, { asn }) => world.call('GET', pathOf(world, asn)),
  expect({ asns }, { asn }) {
    const arrival = asns.get(asn);
    return arrival === undefined
      ? { status: 404 }
      : { status: 200, shows: [stateAndSums(arrival), arrival.cartonStates()] };
  },
  shows: (body) => [shownState(body), body.cartons.map(({ cartonId, state }) => [cartonId, state]).sort()],
});

const readBlind = rule<{ blind: number }, Read>({
  weight: 1,
  members: fc.record(blinds),
  send: (world, { blind }) => world.call('GET', blindPath(world, blind)),
  expect({ blinds }, { blind }) {
    const arrival = blinds.get(blind);
    return arrival === undefined ? { status: 404 } : { status: 200, shows: stateAndSums(arrival) };
  },
  shows: shownState,
});

const listArrivals = rule<object, { inbound: { type: string; number: string; state: string }[] }>({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.call('GET', `${nodePath(world)}/inbound`),
  expect: ({ asns, blinds }) => ({
    status: 200,
    shows: [
      ...[...asns].map(([asn, { state }]) => `${numberOf(asn)} ${state}`),
      ...[...blinds].map(([blind, { state }]) => `${blindOf(blind)} ${state}`),
    ].sort(),
  }),
  shows: ({ inbound }) => inbound.map(({ number, state }) => `${number} ${state}`).sort(),
});

export const receiving: Record<string, Rule<Command>> = {
  announce,
  voidAsn,
  arriveAsn,
  scanCarton,
  countPieces,
  correct,
  repeatReceipt,
  approveHeld,
  closeAsn,
  reopenAsn,
  openBlind,
  receiveBlind,
  match,
  readAsn,
  readBlind,
  listArrivals,
};
