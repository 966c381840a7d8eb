/**
 * Commands of stock: manual moves and reads of the ledger. This file also compares the levels that a consumer computes
 * from stock events with the levels of the service.
 */
import fc from 'fast-check';
import type { StockLevel } from '../../src/stock/schema.ts';
import { randomOf } from '../../town/random.ts';
import { fold, type ToldLevel } from '../support/goods-rules.ts';
import { heldAt } from './backs.ts';
import { type Command, often, type Rule, rule } from './command.ts';
import { KEPT, PLACES, type Place } from './ledger.ts';
import type { Model } from './model.ts';
import { NODES, type Node } from './things.ts';
import { itemId, nodeOf, skuOf, type World } from './world.ts';

const sku = { sku: fc.nat(2) };

export const pathOf = (world: World, node: Node = 1) => `/operator/v1/clients/${world.id}/nodes/${nodeOf(world, node)}`;

let ids = 0;
export const freshId = () => `s${++ids}`;

const unitsOf = ({ shelf, staged, damaged, held, missing, reserved }: ToldLevel) => [
  shelf,
  staged,
  damaged,
  held,
  missing,
  reserved,
];

export async function levels(world: World, node: Node): Promise<StockLevel[]> {
  // A read has no Idempotency-Key, so the key of the command is removed during the read.
  const { key } = world;
  world.key = undefined;
  const answer = await world.call('GET', `${pathOf(world, node)}/stock`);
  world.key = key;
  return (answer.body as { stock: StockLevel[] }).stock;
}

const readStock = rule<{ node: Node }, { stock: StockLevel[] }>({
  weight: 2,
  members: fc.record({ node: fc.constantFrom(...NODES) }),
  send: (world, { node }) => world.call('GET', `${pathOf(world, node)}/stock`),
  expect: (model, { node }) => ({ status: 200, shows: model.ledger.shown(node, model.sorted()) }),
  shows: ({ stock }) =>
    stock
      .filter((level) => unitsOf(level).some((units) => units !== 0))
      .map((level) => [skuOf(level.itemId), ...unitsOf(level)]),
});

interface MoveByHand {
  sku: number;
  near?: boolean;
  from: string;
  to: string;
  units: number;
}

const WAYS = [
  ['STAGE', 'SHELF'],
  ['SHELF', 'STAGE'],
  ['SHELF', 'DAMAGED'],
  ['DAMAGED', 'SUPPLIER'],
  ['HELD', 'SHELF'],
  ['MISSING', 'SHELF'],
  ['SHELF', 'COUNT'],
  ['COUNT', 'SHELF'],
  ['SHELF', 'SUPPLIER'],
];

const moveByHand = rule<MoveByHand, { stock: StockLevel[] }>({
  weight: 4,
  members: fc
    .record({ ...sku, way: fc.constantFrom(...WAYS), units: fc.integer({ min: 1, max: 3 }), near: often })
    .map(({ way, ...others }) => ({ ...others, from: way[0]!, to: way[1]! })),
  fit(model, command) {
    if (command.near !== true) return command;
    const one = [command.sku, 0, 1, 2].find((sku) => command.units <= unitsThere(model, { ...command, sku }));
    return one === undefined ? undefined : { ...command, sku: one };
  },
  send: (world, { sku, from, to, units }) =>
    world.call('POST', `${pathOf(world)}/stock/moves`, {
      moveId: freshId(),
      userId: 'cleo',
      lines: [{ itemId: itemId(sku), from, to, quantity: units, reason: 'SEEN' }],
    }),
  expect(model, { sku, from, to, units }) {
    const { ledger, items } = model;
    const level = ledger.of(1, sku);
    if (!items.has(sku) && !level.isKept) return { status: 400 };
    if (units > unitsThere(model, { sku, from, units })) return { status: 400 };
    const type = to === 'SUPPLIER' ? 51 : from === 'COUNT' || to === 'COUNT' ? 61 : undefined;
    ledger.move(1, sku, from, to, units, { ...(type !== undefined && { type }) });
    return { status: 201, shows: placesOf(model, sku) };
  },
  shows: ({ stock: [level] }) => unitsOf(level!).slice(0, PLACES.length),
});

/** Adds units to the second node by a manual move, because there are no counts of this node. */
const findUnits = rule<{ sku: number; units: number }, unknown>({
  weight: 1,
  members: fc.record({ ...sku, units: fc.integer({ min: 1, max: 4 }) }),
  send: (world, { sku, units }) =>
    world.call('POST', `${pathOf(world, 2)}/stock/moves`, {
      moveId: freshId(),
      userId: 'cleo',
      lines: [{ itemId: itemId(sku), from: 'COUNT', to: 'SHELF', quantity: units, reason: 'FOUND' }],
    }),
  expect({ ledger, items }, { sku, units }) {
    if (!items.has(sku) && !ledger.of(2, sku).isKept) return { status: 400 };
    ledger.move(2, sku, 'COUNT', 'SHELF', units);
    return { status: 201 };
  },
});

/**
 * Returns the units that can be moved. On STAGE, these are the units that belong to no order; on HELD, those that wait
 * for no decision at a shipment or a return.
 */
function unitsThere(model: Model, { sku, from, units }: Pick<MoveByHand, 'sku' | 'from' | 'units'>): number {
  const level = model.ledger.of(1, sku);
  if (from === 'HELD') return Math.max(0, level.HELD - undecidedUnits(model, sku));
  return from === 'COUNT' ? units : from === 'STAGE' ? Math.max(0, level.loose) : level[from as Place];
}

function undecidedUnits({ arrivals, backs }: Model, sku: number): number {
  const keys = [...arrivals.values()].flatMap((arrival) => arrival.keys).filter((key) => key.sku === sku);
  const atShipments = keys.reduce((sum, { held }) => sum + held, 0);
  return backs.reduce((sum, back) => {
    const lines = back.lines.filter((line) => line.sku === sku);
    return lines.reduce((units, line) => units + heldAt(back, line, 1), sum);
  }, atShipments);
}

const placesOf = ({ ledger }: Model, sku: number) => PLACES.map((place) => ledger.of(1, sku)[place]);

interface Moves {
  moves: { from: string; to: string; quantity: number }[];
}

/** Reads the moves of an item and compares their sums. */
const readMoves = rule<{ sku: number }, Moves>({
  weight: 1,
  members: fc.record(sku),
  send: (world, { sku }) => world.call('GET', `${pathOf(world)}/stock/${itemId(sku)}/moves?pageSize=500`),
  // The level of an item and its ledger remain when the item is deleted.
  expect: (model, { sku }) =>
    model.items.has(sku) || model.ledger.of(1, sku).isKept
      ? { status: 200, shows: placesOf(model, sku) }
      : { status: 404 },
  shows: ({ moves }) =>
    PLACES.map((place) =>
      moves.reduce(
        (units, { from, to, quantity }) => units + (to === place ? quantity : from === place ? -quantity : 0),
        0,
      ),
    ),
});

interface Transactions {
  transactions: { type: number; itemId: string; quantity: number }[];
}

const transactions = rule<object, Transactions>({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.call('GET', `${pathOf(world)}/stock/transactions?pageSize=500`),
  expect: ({ ledger }) => ({ status: 200, shows: sums([...ledger.transactions]) }),
  shows: ({ transactions: all }) =>
    sums(all.map(({ type, itemId, quantity }) => [`${type} ${skuOf(itemId)}`, quantity])),
});

/** Returns the sums by name, without zeros. */
function sums(all: readonly (readonly [name: string, units: number])[]): [string, number][] {
  const found = new Map<string, number>();
  for (const [name, units] of all) found.set(name, (found.get(name) ?? 0) + units);
  return [...found].filter(([, units]) => units !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

const stockOfItem = rule<{ sku: number }, { stock: (StockLevel & { nodeId: string })[] }>({
  weight: 1,
  members: fc.record(sku),
  send: ({ id, call }, { sku }) => call('GET', `/operator/v1/clients/${id}/stock?itemId=${itemId(sku)}`),
  expect(model, { sku }) {
    const { items, ledger } = model;
    if (!items.has(sku) && !ledger.isKnown(sku)) return { status: 400 };
    const ofNode = (node: Node) => ledger.shown(node, model.sorted()).filter(([one]) => one === sku);
    return { status: 200, shows: KEPT.flatMap((node) => ofNode(node).map(([, ...units]) => [node, ...units])) };
  },
  shows: (body, world) =>
    body.stock
      .filter((level) => unitsOf(level).some((units) => units !== 0))
      .map((level) => [Number(level.nodeId.slice(world.id.length + 1)), ...unitsOf(level)]),
});

export const stock: Record<string, Rule<Command>> = {
  readStock,
  moveByHand,
  findUnits,
  readMoves,
  transactions,
  stockOfItem,
};

/**
 * Compares the levels of a read with the levels of a consumer of `stock.changed` that keeps the highest revision of
 * each item. The two must be equal. They must also be equal if a tenth of the events is lost and others arrive twice
 * and out of order. In this case, the consumer reads the levels once in between. Returns the first difference, or
 * undefined.
 */
export async function differenceOfReader(world: World): Promise<string | undefined> {
  const { feed } = world;
  await feed.read();
  const told = feed.all.filter(({ type }) => type === 'stock.changed');
  const random = randomOf(told.length);
  const damaged = told
    .filter(() => random() >= 0.1)
    .flatMap((event) => (random() < 0.1 ? [event, event] : [event]))
    .map((event) => ({ event, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ event }) => event);
  for (const node of KEPT) {
    const nodeId = nodeOf(world, node);
    const shown = await levels(world, node);
    // The consumer reads the levels after half of the events.
    const half = Math.floor(damaged.length / 2);
    const readers = {
      'all events': [told],
      'some events, duplicated and in another order, with a read': [
        damaged.slice(0, half),
        [{ data: { nodeId, items: shown } }],
        damaged.slice(half),
      ],
    };
    for (const [what, parts] of Object.entries(readers)) {
      const known = new Map<string, ToldLevel>();
      for (const { data } of parts.flat()) {
        const { nodeId: of, items } = data as { nodeId: string; items: ToldLevel[] };
        fold(known, of, items);
      }
      for (const level of shown) {
        const read = known.get(`${nodeId} ${level.itemId}`);
        // An item without changes has no event.
        if (level.revision === 0 && read === undefined) continue;
        const isSame = read !== undefined && JSON.stringify(unitsOf(read)) === JSON.stringify(unitsOf(level));
        if (!isSame) return `${what} of ${level.itemId} say ${JSON.stringify(read)}, a read ${JSON.stringify(level)}`;
      }
    }
  }
  return undefined;
}
