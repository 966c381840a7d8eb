/** The places of received units: the shipment that a clerk reads and the stock of the node show the same places. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { keepStock, type Level, levelOf, movesOf } from '../stock/stock.ts';
import { type Goods, MUG, NODE, openGoods } from './goods.ts';

const NODE_ID = 'TOWN-DC001';
const PLACES = ['SHELF', 'STAGE', 'DAMAGED', 'HELD'] as const;
type Place = (typeof PLACES)[number];
type Units = Record<Place, number>;

interface Line {
  good: number;
  damaged: number;
  held: number;
  to?: 'SHELF' | 'STAGE';
}

let goods: Goods;
beforeAll(async () => {
  goods = await openGoods();
  await keepStock(goods, NODE_ID);
});
afterAll(() => goods.stop());

const NONE: Units = { SHELF: 0, STAGE: 0, DAMAGED: 0, HELD: 0 };
const places = (units: Partial<Units>): Units => ({ ...NONE, ...units });

async function inStock(): Promise<Units> {
  // An item without any move has no level.
  const level: Partial<Level> = await levelOf(goods, MUG, NODE_ID);
  const { shelf = 0, staged = 0, damaged = 0, held = 0 } = level;
  return { SHELF: shelf, STAGE: staged, DAMAGED: damaged, HELD: held };
}

/** Returns the changes that `work` makes to the node's stock: the changed units by place, and the moves. */
async function doneBy(work: () => Promise<void>): Promise<{ units: Units; moves: string[] }> {
  const before = await inStock();
  const { length } = await movesOf(goods, MUG, NODE_ID);
  await work();
  const after = await inStock();
  const moves = (await movesOf(goods, MUG, NODE_ID)).slice(length);
  return { units: Object.fromEntries(PLACES.map((place) => [place, after[place] - before[place]])) as Units, moves };
}

/** Returns units by place, from the lines of all receipts, approvals and matches of shipments. */
async function inReceipts(...shipments: readonly [number: string, type: string][]): Promise<Units> {
  const units = { ...NONE };
  for (const [number, type] of shipments) {
    const { receipts, approvals } = await goods.shipment(number, type);
    for (const { lines } of [...receipts, ...(approvals as { lines: Line[] }[])] as { lines: Line[] }[]) {
      for (const { good, damaged, held, to } of lines) {
        if (good !== 0) units[to!] += good;
        units.DAMAGED += damaged;
        units.HELD += held;
      }
    }
  }
  return units;
}

async function received(number: string, body: Record<string, unknown>, type = 'ASN'): Promise<Line[]> {
  const { status, body: shown, text } = await goods.receive(number, body, goods.client, type);
  expect(status, text).toBe(201);
  return (shown as { receipt: { lines: Line[] } }).receipt.lines;
}

const mug = (carton: string, units: Partial<Line>) => ({ cartonId: carton, itemId: MUG, ...units });
const mugs = (carton: string, units: Partial<Line>) => ({ lines: [mug(carton, units)] });

const brokenPlaces = async () =>
  (await ruleFindings(goods.store))
    .filter(({ ok }) => !ok)
    .map(({ check, found, fix }) => `${check}: ${found}; ${fix}`);

describe('units beyond the announcement', () => {
  it('are held from the start, whichever place the receipt names: units on the shelf stay there', async () => {
    const number = await goods.announce(['PL1', 'MUG-WHT', 2]);
    const { units, moves } = await doneBy(async () => {
      await received(number, mugs('PL1', { good: 2, to: 'SHELF' }));
      const lines = await received(number, mugs('PL1', { good: 2, to: 'STAGE' }));
      expect(lines).toMatchObject([{ good: 0, held: 2 }]);
    });
    expect(moves).toEqual(['SUPPLIER > SHELF 2 RECEIPT', 'SUPPLIER > HELD 2 RECEIPT']);
    expect(units).toEqual(places({ SHELF: 2, HELD: 2 }));
    const decided = await doneBy(async () => {
      const lines = [mug('PL1', { good: 2, to: 'SHELF' })];
      expect((await goods.approve(number, lines)).status).toBe(200);
    });
    expect(decided.moves).toEqual(['HELD > SHELF 2 APPROVAL']);
    expect(decided.units).toEqual(places({ SHELF: 2, HELD: -2 }));
  });

  it('from an earlier receipt leave the place of that receipt, and the later receipt reports it', async () => {
    const number = await goods.announce(['PL2', 'MUG-WHT', 2]);
    const { units } = await doneBy(async () => {
      await received(number, mugs('PL2', { good: 2, to: 'STAGE' }));
      const lines = await received(number, { lines: [{ ...mug('PL2', { damaged: 2 }), reason: 'WET' }] });
      expect(lines).toMatchObject([
        { good: 0, damaged: 2, held: 0 },
        { good: -2, held: 2, to: 'STAGE' },
      ]);
    });
    expect(units).toEqual(places({ DAMAGED: 2, HELD: 2 }));
  });

  it('on lines to both places are those of the last line first', async () => {
    const number = await goods.announce(['PL3', 'MUG-WHT', 2]);
    const { units, moves } = await doneBy(async () => {
      const lines = [mug('PL3', { good: 2, to: 'STAGE' }), mug('PL3', { good: 1, to: 'SHELF' })];
      expect(await received(number, { lines })).toMatchObject([
        { good: 2, held: 0, to: 'STAGE' },
        { good: 0, held: 1 },
      ]);
    });
    expect(moves).toEqual(['SUPPLIER > STAGE 2 RECEIPT', 'SUPPLIER > HELD 1 RECEIPT']);
    expect(units).toEqual(places({ STAGE: 2, HELD: 1 }));
  });

  it('of goods without papers are held at their match, in their current place', async () => {
    const number = await goods.announce(['PL4', 'MUG-WHT', 3]);
    const blind = 'PL-B4';
    const opened = await goods.client.post(`${NODE}/inbound/BLIND`, { number: blind, userId: 'ann' });
    expect(opened.status).toBe(201);
    const { units } = await doneBy(async () => {
      const lines = [mug('PL4', { good: 2, to: 'SHELF' }), mug('PL4', { good: 2, to: 'STAGE' })];
      await received(blind, { lines }, 'BLIND');
      const matched = await goods.client.post(`${goods.at(blind, 'BLIND')}/match`, { type: 'ASN', number });
      expect(matched.status, matched.text).toBe(200);
    });
    expect(units).toEqual(places({ SHELF: 1, STAGE: 2, HELD: 1 }));
    expect(await inReceipts([number, 'ASN'], [blind, 'BLIND'])).toEqual(units);
  });
});

describe('corrected units', () => {
  it('leave the other place too when the given one has fewer, and the receipt reports which', async () => {
    const number = await goods.announce(['PL5', 'MUG-WHT', 3]);
    const { units } = await doneBy(async () => {
      const lines = [mug('PL5', { good: 2, to: 'SHELF' }), mug('PL5', { good: 1, to: 'STAGE' })];
      await received(number, { receiptId: 'pl5', lines });
      const taken = await received(number, { corrects: 'pl5', ...mugs('PL5', { good: -3, to: 'SHELF' }) });
      expect(taken).toMatchObject([
        { good: -2, to: 'SHELF' },
        { good: -1, to: 'STAGE' },
      ]);
    });
    expect(units).toEqual(NONE);
  });

  it('leave their current place, even if the correction names another', async () => {
    const number = await goods.announce(['PL6', 'MUG-WHT', 2]);
    await received(number, { receiptId: 'pl6', ...mugs('PL6', { good: 2, to: 'STAGE' }) });
    const { units } = await doneBy(async () => {
      expect(await received(number, { corrects: 'pl6', ...mugs('PL6', { good: -1 }) })).toMatchObject([
        { good: -1, to: 'STAGE' },
      ]);
    });
    expect(units).toEqual(places({ STAGE: -1 }));
  });
});

describe('units that were put away', () => {
  let moveIds = 0;
  const putAway = async (quantity: number) => {
    moveIds += 1;
    const lines = [{ itemId: MUG, from: 'STAGE', to: 'SHELF', quantity, reason: 'PUT AWAY' }];
    const moved = await goods.client.post(`${NODE}/stock/moves`, { moveId: `away-${moveIds}`, userId: 'lee', lines });
    expect(moved.status, moved.text).toBe(201);
  };
  const loose = async () => (await inStock()).STAGE;

  it('leave the shelf if a correction takes them, and the item needs no count', async () => {
    await putAway(await loose());
    const number = await goods.announce(['PA1', 'MUG-WHT', 10]);
    await received(number, { receiptId: 'pa1', ...mugs('PA1', { good: 10, to: 'STAGE' }) });
    await putAway(10);
    for (const to of ['SHELF', 'STAGE'] as const) {
      const { units, moves } = await doneBy(async () => {
        await received(number, { corrects: 'pa1', ...mugs('PA1', { good: -2, to }) });
      });
      expect(units).toEqual(places({ SHELF: -2 }));
      expect(moves).toEqual(['SHELF > STAGE 2 MOVE', 'STAGE > SUPPLIER 2 CORRECTION']);
    }
    expect(await brokenPlaces()).toEqual([]);
  });

  it('leave the shelf if a later receipt makes them too many', async () => {
    const number = await goods.announce(['PA2', 'MUG-WHT', 2]);
    await received(number, mugs('PA2', { good: 2, to: 'STAGE' }));
    await putAway(2);
    const { units } = await doneBy(async () => {
      await received(number, { lines: [mug('PA2', { damaged: 1 })].map((line) => ({ ...line, reason: 'WET' })) });
    });
    expect(units).toEqual(places({ SHELF: -1, DAMAGED: 1, HELD: 1 }));
  });

  it('leave the shelf if their match finds too many', async () => {
    const number = await goods.announce(['PA3', 'MUG-WHT', 1]);
    await goods.client.post(`${NODE}/inbound/BLIND`, { number: 'PA-3', userId: 'ann' });
    await received('PA-3', mugs('PA3', { good: 3, to: 'STAGE' }), 'BLIND');
    await putAway(3);
    const { units } = await doneBy(async () => {
      const matched = await goods.client.post(`${goods.at('PA-3', 'BLIND')}/match`, { type: 'ASN', number });
      expect(matched.status, matched.text).toBe(200);
    });
    expect(units).toEqual(places({ SHELF: -2, HELD: 2 }));
    expect(await brokenPlaces()).toEqual([]);
  });
});

const spot = fc.constantFrom('SHELF' as const, 'STAGE' as const);
const small = fc.nat(3);
const step = fc.oneof(
  fc.record({
    do: fc.constant('count' as const),
    carton: fc.nat(2),
    good: small,
    damaged: fc.nat(1),
    held: fc.nat(1),
    to: spot,
  }),
  fc.record({ do: fc.constant('two' as const), carton: fc.nat(1), good: small, more: small, to: spot }),
  fc.record({
    do: fc.constant('scan' as const),
    carton: fc.nat(1),
    as: fc.constantFrom('GOOD', 'HELD', 'DAMAGED'),
    to: spot,
  }),
  fc.record({
    do: fc.constant('blind' as const),
    carton: fc.nat(2),
    good: small,
    more: small,
    held: fc.nat(1),
    to: spot,
  }),
  fc.record({
    do: fc.constant('correct' as const),
    carton: fc.nat(2),
    good: fc.integer({ min: -3, max: 1 }),
    damaged: fc.integer({ min: -1, max: 1 }),
    held: fc.integer({ min: -1, max: 1 }),
    to: spot,
  }),
  fc.record({
    do: fc.constant('approve' as const),
    carton: fc.nat(2),
    good: small,
    damaged: fc.nat(1),
    refused: fc.nat(1),
    to: spot,
  }),
  fc.record({ do: fc.constant('match' as const) }),
  fc.record({ do: fc.constant('close' as const) }),
  fc.record({ do: fc.constant('reopen' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const other = (to: 'SHELF' | 'STAGE') => (to === 'SHELF' ? 'STAGE' : 'SHELF');
let shipments = 0;

/** Creates an announcement of two cartons, and goods without papers that later prove to belong to it. */
async function aShipment() {
  shipments += 1;
  const cartons = [0, 1, 2].map((index) => `PX${shipments}C${index}`);
  const number = await goods.announce([cartons[0]!, 'MUG-WHT', 2], [cartons[1]!, 'MUG-WHT', 3]);
  const blind = `PX-${shipments}`;
  await goods.client.post(`${NODE}/inbound/BLIND`, { number: blind, userId: 'ann' });
  return { number, blind, cartons };
}

/** Sends a step and checks that a rejected step changes nothing. */
async function send({ number, blind, cartons }: Awaited<ReturnType<typeof aShipment>>, one: Step): Promise<void> {
  const carton = 'carton' in one ? cartons[one.carton]! : '';
  const place = 'to' in one && 'good' in one && one.good !== 0 ? { to: one.to } : {};
  const both = ({ good, more, to }: { good: number; more: number; to: 'SHELF' | 'STAGE' }) =>
    [mug(carton, { good, to }), mug(carton, { good: more, to: other(to) })].filter((line) => line.good !== 0);
  switch (one.do) {
    case 'count': {
      const { good, damaged, held } = one;
      await goods.receive(number, {
        unannounced: true,
        lines: [{ ...mug(carton, { good, damaged, held }), ...place, reason: 'SEEN' }],
      });
      return;
    }
    case 'two':
      await goods.receive(number, { lines: both(one) });
      return;
    case 'scan':
      await goods.receive(number, {
        cartons: [{ cartonId: carton, as: one.as, ...(one.as === 'GOOD' && { to: one.to }), reason: 'SEEN' }],
      });
      return;
    case 'blind':
      await goods.receive(
        blind,
        { lines: [...both(one), ...(one.held > 0 ? [mug(carton, { held: 1 })] : [])] },
        goods.client,
        'BLIND',
      );
      return;
    case 'correct': {
      const [first] = (await goods.shipment(number)).receipts;
      if (first === undefined) return;
      const { good, damaged, held } = one;
      await goods.receive(number, {
        corrects: first['receiptId'],
        lines: [{ ...mug(carton, { good, damaged, held }), ...place, reason: 'SEEN' }],
      });
      return;
    }
    case 'approve': {
      const { good, damaged, refused } = one;
      await goods.approve(number, [{ ...mug(carton, { good, damaged }), refused, ...place }]);
      return;
    }
    case 'match':
      await goods.client.post(`${goods.at(blind, 'BLIND')}/match`, { type: 'ASN', number });
      return;
    case 'close':
      await goods.close(number, { reasons: [{ reason: 'SEEN' }] });
      return;
    case 'reopen':
      await goods.client.post(`${goods.at(number)}/reopen`, { userId: 'lee', reason: 'MORE' });
  }
}

describe('any sequence of steps on a shipment', () => {
  it('changes the stock of the node by exactly its receipts, approvals and matches, place by place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12, size: 'max' }), async (steps) => {
        const shipment = await aShipment();
        const before = await inStock();
        for (const one of steps) {
          await send(shipment, one);
          const now = await inStock();
          const gained = Object.fromEntries(PLACES.map((place) => [place, now[place] - before[place]]));
          expect(await inReceipts([shipment.number, 'ASN'], [shipment.blind, 'BLIND']), one.do).toEqual(gained);
        }
      }),
      { numRuns: 25 },
    );
    expect(await brokenPlaces()).toEqual([]);
  }, 120_000);
});

describe('doctor', () => {
  it('finds receipts whose units lie in another place of the ledger, until they are counted there', async () => {
    const number = await goods.announce(['PL9', 'MUG-WHT', 4]);
    await received(number, mugs('PL9', { good: 4, to: 'STAGE' }));
    expect(await brokenPlaces()).toEqual([]);
    // Stores data as older programs did: the receipt and the ledger have different places (SHELF and STAGE).
    const plant = (to: string) =>
      goods.store.write((tx) =>
        sql`update inbound_entries set place = ${to} where number = ${number} and carton_id = 'PL9'`.execute(tx),
      );
    await plant('SHELF');
    const found = `places of goods in: ${NODE_ID} item ${MUG} in SHELF, received with ${number} breaks this rule; ${NODE_ID} item ${MUG} in STAGE, received with ${number} breaks this rule; count these items in these places`;
    expect(await brokenPlaces()).toEqual([expect.stringContaining(found) as unknown]);
    for (const [place, left] of [
      ['SHELF', 'STAGE'],
      ['STAGE', undefined],
    ] as const) {
      const { revision } = await levelOf(goods, MUG, NODE_ID);
      const lines = [{ itemId: MUG, place, counted: 5, revision }];
      const counted = await goods.client.post(`${NODE}/counts`, { countId: `pl9-${place}`, userId: 'cleo', lines });
      if ((counted.body as { state: string }).state === 'WAITING') {
        await goods.client.post(`${NODE}/counts/pl9-${place}/approve`, { userId: 'lee' });
      }
      const still = left === undefined ? [] : [expect.stringMatching(new RegExp(`^[^;]* in ${left}, [^;]*; count`))];
      expect(await brokenPlaces()).toEqual(still);
    }
  });
});
