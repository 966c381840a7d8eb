/**
 * Commands of stock counts: lines of several items and places, at current and earlier revisions, and approvals and
 * rejections of differences beyond the tolerance.
 */
import fc from 'fast-check';
import type { StockLevel } from '../../src/stock/schema.ts';
import type { Answer } from '../../town/call.ts';
import { type Command, type Expected, hasTwice, type Rule, rule, several } from './command.ts';
import type { Counted, Ledger, Place } from './ledger.ts';
import type { Model } from './model.ts';
import { freshId, levels, pathOf } from './stock.ts';
import { within } from './tolerance.ts';
import { itemId, skuOf, type World } from './world.ts';

const sku = { sku: fc.nat(2) };

/** Reads the revision of an item, which a later count can use. */
const remember = rule<{ sku: number }, { stock: StockLevel[] }>({
  weight: 2,
  members: fc.record(sku),
  async send(world, { sku }) {
    const answer = await world.call('GET', `${pathOf(world)}/stock?itemId=${itemId(sku)}`);
    if (answer.status !== 200) return answer;
    const [level] = (answer.body as { stock: StockLevel[] }).stock;
    world.revisions.set(sku, level?.revision ?? 0);
    return answer;
  },
  expect({ ledger, items }, { sku }) {
    if (!items.has(sku) && !ledger.isKnown(sku)) return { status: 400 };
    ledger.reads += 1;
    ledger.remembered.set(sku, { flowed: { ...ledger.of(1, sku).flowed }, read: ledger.reads });
    return { status: 200 };
  },
});

interface Line {
  sku: number;
  /** The place of the counted units; the default is the shelf. */
  place?: Place;
  counted: number;
  /** True if the count uses the revision that `remember` has read, instead of the current revision. */
  isLate: boolean;
}

interface CountShown {
  state: string;
  lines: { difference: number; state: string }[];
}

async function sendCount(world: World, lines: readonly Line[]): Promise<Answer> {
  const shown = await levels(world, 1);
  const countId = freshId();
  const answer = await world.call('POST', `${pathOf(world)}/counts`, {
    countId,
    userId: 'cleo',
    lines: lines.map(({ sku, place, counted, isLate }) => {
      const before = isLate ? world.revisions.get(sku) : undefined;
      const now = shown.find((level) => level.itemId === itemId(sku))?.revision ?? 0;
      return { itemId: itemId(sku), ...(place && { place }), counted, revision: before ?? now };
    }),
  });
  if (answer.status === 201) world.counts.push(countId);
  return answer;
}

/**
 * Returns the expected response to a count. Lines beyond the tolerance wait for approval. Other lines, and the first
 * count of an item, are posted.
 */
function expectCount({ ledger, items, settings, now }: Model, lines: readonly Line[]): Expected {
  if (hasTwice(lines.map(({ sku, place = 'SHELF' }) => `${sku} ${place}`))) return { status: 400 };
  if (lines.some((line) => !items.has(line.sku) && !ledger.of(1, line.sku).isKept)) return { status: 400 };
  ledger.reads += 1;
  const count = lines.map(({ sku, place = 'SHELF', counted, isLate }): Counted => {
    const present = { flowed: ledger.of(1, sku).flowed, read: ledger.reads };
    const { flowed, read } = (isLate ? ledger.remembered.get(sku) : undefined) ?? present;
    return { sku, place, counted, flowed: flowed[place], read, at: now, state: 'WAITING' };
  });
  ledger.counts.push(count);
  const differences = count.map((line) => ledger.difference(line));
  // The first count of an item is posted. A later difference may have to wait for approval.
  const posted = count.filter((line, index) => {
    const difference = differences[index]!;
    const mayDiffer = within(Math.max(0, line.counted - difference), settings.countTolerance);
    return !ledger.of(1, line.sku).isOpened || Math.abs(difference) <= mayDiffer;
  });
  ledger.post(posted, now);
  return { status: 201, shows: [stateOf(count), count.map((line, index) => [differences[index], stateOf([line])])] };
}

function stateOf(count: readonly Counted[]): Counted['state'] {
  return (['REJECTED', 'WAITING'] as const).find((state) => count.some((line) => line.state === state)) ?? 'POSTED';
}

const shownCount = ({ state, lines }: CountShown) => [state, lines.map((line) => [line.difference, line.state])];

/**
 * Returns the line with the current revision if a count of its item and place was posted after the old revision was
 * read. The model does not know revisions, so it cannot tell whether this count or the line has the newer revision.
 */
function clear({ ledger }: Model, line: Line): Line {
  const { sku, place = 'SHELF' } = line;
  const read = ledger.remembered.get(sku)?.read ?? Number.POSITIVE_INFINITY;
  const isUnclear = ledger.counts
    .flat()
    .some((one) => one.state === 'POSTED' && one.sku === sku && one.place === place && one.read > read);
  return isUnclear ? { ...line, isLate: false } : line;
}

const countShelf = rule<Line, CountShown>({
  weight: 3,
  members: fc.record({ ...sku, counted: fc.nat(9), isLate: fc.boolean() }),
  fit: clear,
  send: (world, line) => sendCount(world, [line]),
  expect: (model, line) => expectCount(model, [line]),
  shows: shownCount,
});

const line = fc.record({
  ...sku,
  place: fc.constantFrom<Place>('SHELF', 'SHELF', 'DAMAGED', 'HELD', 'STAGE', 'MISSING'),
  counted: fc.nat(9),
  isLate: fc.boolean(),
});

const countSeveral = rule<{ lines: Line[] }, CountShown>({
  weight: 4,
  members: fc.record({ lines: several(line, ({ sku, place }) => `${sku} ${place}`, 2) }),
  fit: (model, { lines, ...command }) => ({ ...command, lines: lines.map((line) => clear(model, line)) }),
  send: (world, { lines }) => sendCount(world, lines),
  expect: (model, { lines }) => expectCount(model, lines),
  shows: shownCount,
});

type Age = 'newest' | 'older' | 'unknown';

/**
 * Compares the waiting lines of a count with the posted lines of the same item and place. Leaves out waiting lines that
 * would not change a level.
 */
function ageOf(ledger: Ledger, index: number): Age[] {
  const posted = ledger.counts
    .flatMap((count, other) => (other === index ? [] : count))
    .filter((one) => one.state === 'POSTED');
  return ledger.counts[index]!.filter((line) => line.state === 'WAITING' && ledger.difference(line) !== 0).flatMap(
    (line) =>
      posted
        .filter((other) => other.sku === line.sku && other.place === line.place)
        .map((other): Age => {
          if (other.read >= line.read && other.at > line.at) return 'older';
          return other.read <= line.read && other.at <= line.at ? 'newest' : 'unknown';
        }),
  );
}

function isClear(ledger: Ledger, index: number): boolean {
  const ages = ageOf(ledger, index);
  return ages.includes('older') || !ages.includes('unknown');
}

/** Returns the counts that are posted or rejected. */
function decided({ counts }: Ledger): number[] {
  return [...counts.keys()].filter((index) => stateOf(counts[index]!) !== 'WAITING');
}

/** Sets the count of a command to one of these counts; undefined if there is none. */
function oneOf(some: readonly number[], command: { count: number }): { count: number } | undefined {
  return some.length === 0 ? undefined : { ...command, count: some[command.count % some.length]! };
}

const statesOf = (count: readonly Counted[]) => [stateOf(count), count.map(({ state }) => state)];

const shownStates = ({ state, lines }: CountShown) => [state, lines.map((one) => one.state)];

const approveCount = rule<{ count: number }, CountShown>({
  weight: 3,
  members: fc.record({ count: fc.nat(5) }),
  fit({ ledger }, command) {
    const { counts } = ledger;
    // The model knows no revisions. This command leaves out a count if the model cannot know whether a posted count is
    // newer.
    const waiting = [...counts.keys()].filter(
      (index) => stateOf(counts[index]!) === 'WAITING' && isClear(ledger, index),
    );
    return oneOf(waiting.length > 0 ? waiting : decided(ledger), command);
  },
  send: (world, { count }) =>
    world.call('POST', `${pathOf(world)}/counts/${world.counts[count]}/approve`, { userId: 'lee' }),
  expect({ ledger, now }, { count }) {
    const lines = ledger.counts[count]!;
    const isRejected = stateOf(lines) === 'REJECTED';
    if (isRejected || ageOf(ledger, count).includes('older')) return { status: 409, how: 'state' };
    ledger.post(
      lines.filter(({ state }) => state === 'WAITING'),
      now,
    );
    return { status: 200, shows: statesOf(lines) };
  },
  shows: shownStates,
});

const rejectCount = rule<{ count: number }, CountShown>({
  weight: 2,
  members: fc.record({ count: fc.nat(5) }),
  fit({ ledger }, command) {
    const waiting = [...ledger.counts.keys()].filter((index) => stateOf(ledger.counts[index]!) === 'WAITING');
    return oneOf(waiting.length > 0 ? waiting : decided(ledger), command);
  },
  send: (world, { count }) =>
    world.call('POST', `${pathOf(world)}/counts/${world.counts[count]}/reject`, {
      userId: 'lee',
      reason: 'a box was not counted',
    }),
  expect({ ledger }, { count }) {
    const lines = ledger.counts[count]!;
    if (stateOf(lines) === 'POSTED') return { status: 409, how: 'state' };
    ledger.reject(lines);
    return { status: 200, shows: statesOf(lines) };
  },
  shows: shownStates,
});

const wantedCounts = rule<object, { wanted: { itemId: string }[] }>({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.call('GET', `${pathOf(world)}/counts/wanted`),
  expect: ({ ledger }) => ({ status: 200, shows: [0, 1, 2].filter((sku) => ledger.of(1, sku).isWanted) }),
  shows: ({ wanted }) => wanted.map((one) => skuOf(one.itemId)),
});

const listCounts = rule<object, { counts: { countId: string; state: string }[] }>({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.call('GET', `${pathOf(world)}/counts`),
  expect: ({ ledger: { counts } }) => ({
    status: 200,
    shows: [...counts.entries()].filter(([, count]) => stateOf(count) === 'WAITING').map(([index]) => index),
  }),
  shows: ({ counts }, world) =>
    counts
      .filter(({ state }) => state === 'WAITING')
      .map(({ countId }) => world.counts.indexOf(countId))
      .sort((a, b) => a - b),
});

export const counts: Record<string, Rule<Command>> = {
  remember,
  countShelf,
  countSeveral,
  approveCount,
  rejectCount,
  wantedCounts,
  listCounts,
};
