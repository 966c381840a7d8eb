import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Numeric } from '../../src/platform/decimal.ts';
import { readMigrations } from '../../src/platform/storage/migrate.ts';
import { ENGINE } from '../support/store.ts';
import { type Chains, type OrderRead, openChains, type SentLine, type SentOrder } from './chains.ts';

let town: Chains;
beforeAll(async () => {
  town = await openChains();
});
afterAll(() => town.close());

// The checks compute in whole ten-thousandths, without code of the service.
const SCALE = 10_000n;
const UNIT: Record<string, bigint> = { JPY: SCALE, USD: SCALE / 100n, KWD: SCALE / 1000n };

function exact(value: Numeric | undefined): bigint {
  const [whole = '0', fraction = ''] = String(value ?? 0).split('.');
  expect(fraction.length, String(value)).toBeLessThanOrEqual(4);
  return BigInt(whole + fraction.padEnd(4, '0'));
}
const sum = (all: readonly bigint[]) => all.reduce((total, one) => total + one, 0n);
const min = (a: bigint, b: bigint) => (a < b ? a : b);

/** Rounds half up to the minor unit. Amounts here are never negative. */
function rounded(amount: bigint, currency: string): bigint {
  const unit = UNIT[currency]!;
  return ((2n * amount + unit) / (2n * unit)) * unit;
}
/** Returns the share of the first `units` of a line in an amount for `ordered` units. */
function upTo(amount: bigint, units: number, ordered: number, currency: string): bigint {
  if (units === ordered) return amount;
  const [n, unit] = [BigInt(ordered), UNIT[currency]!];
  return ((2n * amount * BigInt(units) + unit * n) / (2n * unit * n)) * unit;
}

/** The expected line of an order of the chain. */
interface Part {
  ordered: number;
  charges: bigint;
  tax: bigint;
  /** Units that were re-sourced to other orders. */
  taken: number;
}

/** Amounts of units that are charged together: on the slip of a shipped order, in a hand-over or in a delivery. */
interface Given {
  lines: { webLineId: string; units: number; itemTotal: Record<'extendedPrice' | 'charges' | 'tax', Numeric> }[];
  orderTotal: Record<'grandTotal' | 'grandTax' | 'grandCharges' | 'hdrTax' | 'hdrCharges', Numeric> & {
    cashOnDelivery?: Numeric;
  };
}

const CURRENCIES = ['USD', 'JPY', 'KWD'] as const;
const amount = (most: number, least = 0) =>
  fc.tuple(fc.integer({ min: least, max: most }), fc.nat(4)).map(([digits, point]) => digits / 10 ** point);
const line = fc.record({
  quantity: fc.integer({ min: 1, max: 6 }),
  unitPrice: amount(9999),
  charges: amount(999),
  tax: amount(999),
});
const sent = fc.record({
  fulfillmentType: fc.oneof(
    fc.constant('SHIP_TO_HOME'),
    fc.constantFrom('STORE_PICK_UP', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'),
  ),
  currency: fc.constantFrom(...CURRENCIES),
  lines: fc.array(line, { minLength: 1, maxLength: 2 }),
  headerCharges: amount(999, 1),
  headerTax: amount(999),
  cashOnDelivery: fc.option(amount(99_999), { nil: undefined }),
});
const share = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10);
/** `work` is the next action in the state of the order: picking, packing or handing over some of its units. */
const step = fc.record({
  what: fc.constantFrom('work', 'work', 'work', 'work', 'work', 'work', 'answer', 'answer', 'decline', 'cancel'),
  order: fc.nat(20),
  line: fc.nat(1),
  shares: fc.tuple(share, share),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

describe('money of an order and of the orders that serve its declined units', () => {
  it('adds up to the last digit after any picking, cancellation, decline, re-sourcing, packing, shipping and hand-over', async () => {
    await fc.assert(
      fc.asyncProperty(
        sent,
        fc.array(step, { minLength: 4, maxLength: 16 }),
        fc.boolean(),
        async (order, steps, ends) => {
          const first = await town.take(order);
          const chain: SentOrder[] = [first];
          const parts = new Map([[first.id, partsOf(order.lines)]]);
          for (const one of steps) {
            await perform(chain, parts, order.currency, one);
            await checkPrepared(chain, order);
          }
          if (ends) await finish(chain, parts, order.currency);
          const given = (await Promise.all(chain.map(givenOf))).flat();
          await checkLines(chain, parts, order, given);
          checkTotals(order, given);
        },
      ),
      { numRuns: ENGINE === 'sqlite' ? 40 : 10, endOnFailure: true },
    );
  }, 900_000);
});

function partsOf(lines: readonly SentLine[]): Map<string, Part> {
  return new Map(
    lines.map((one, index) => [
      String(index + 1),
      { ordered: one.quantity, charges: exact(one.charges), tax: exact(one.tax), taken: 0 },
    ]),
  );
}

async function perform(
  chain: SentOrder[],
  parts: Map<string, Map<string, Part>>,
  currency: string,
  { what, order: which, line: index, shares }: Step,
): Promise<void> {
  const order = chain[which % chain.length]!;
  const partOf = (units: number, at: number) => Math.floor(shares[at % 2]! * (units + 0.999));
  const { lines, status } = await town.read(order);
  const { webLineId } = lines[index % lines.length]!;
  if (what === 'answer') return answer(chain, order, parts, currency);
  if (what === 'decline') return town.decline(order, webLineId, 1);
  if (what === 'cancel') return town.cancel(order, webLineId);
  // By default the service re-sources missing units of SHIP_TO_HOME orders only. In orders of the other types, the test
  // declines at most a third of the units.
  const isWhole = order.type !== 'SHIP_TO_HOME';
  const found = (units: number, at: number) =>
    isWhole ? units - Math.floor(partOf(units, at) / 3) : partOf(units, at);
  if (status === '1100' || status === '1300') return town.pick(order, found);
  if (status === '1200') return town.pack(order, partOf);
  return town.give(order, (units, at) => {
    const handed = Math.ceil(partOf(units, at) / 2);
    return { handed, refused: Math.floor(partOf(units - handed, at + 1) / 2) };
  });
}

/** Picks, packs and hands over all remaining units, and re-sources the declined units while nodes remain. */
async function finish(chain: SentOrder[], parts: Map<string, Map<string, Part>>, currency: string): Promise<void> {
  for (let index = 0; index < chain.length; index += 1) {
    const order = chain[index]!;
    await town.pick(order, (units) => units);
    await town.pack(order, (units) => units);
    await giveAll(order);
    for (let before = 0; before < chain.length; ) {
      before = chain.length;
      await answer(chain, order, parts, currency);
    }
  }
}

/** Re-sources a request of an order. The new order gets the share of the last units of each line. */
async function answer(
  chain: SentOrder[],
  order: SentOrder,
  parts: Map<string, Map<string, Part>>,
  currency: string,
): Promise<void> {
  const made = await town.resource(order);
  if (made === undefined) return;
  const own = parts.get(order.id)!;
  const theirs = made.lines.map(({ webLineId, quantity }): [string, Part] => {
    const part = own.get(webLineId)!;
    const from = part.ordered - part.taken - quantity;
    part.taken += quantity;
    const shareOf = (of: bigint) =>
      upTo(of, from + quantity, part.ordered, currency) - upTo(of, from, part.ordered, currency);
    return [webLineId, { ordered: quantity, charges: shareOf(part.charges), tax: shareOf(part.tax), taken: 0 }];
  });
  parts.set(made.order.id, new Map(theirs));
  chain.push(made.order);
}

/** Hands over all units. The charged amounts must equal the amounts that the details showed before. */
async function giveAll(order: SentOrder): Promise<void> {
  const { status, orderTotal } = await town.read(order);
  const before = (await town.read(order)).charged?.length ?? 0;
  const details = status === '1400' ? (await town.details(order)).orderTotal : orderTotal;
  if (status === '1400' || status === '1500') expect(details).toEqual(orderTotal);
  await town.give(order, (units) => ({ handed: units, refused: 0 }));
  const charged = (await town.read(order)).charged ?? [];
  if (charged.length > before) expect(charged.at(-1)!.orderTotal).toEqual(orderTotal);
}

/**
 * Checks the slips of orders that are not shipped yet: the amounts of the packages, and the header charges. The header
 * charges are 0 as soon as a unit of the chain is shipped or handed over.
 */
async function checkPrepared(chain: readonly SentOrder[], sentOrder: Sent): Promise<void> {
  const reads = await Promise.all(chain.map((order) => town.read(order)));
  const isCharged = reads.some((read) => read.lines.some((one) => one.handedOverQuantity > 0));
  for (const [index, order] of chain.entries()) {
    if (order.type !== 'SHIP_TO_HOME' || reads[index]!.status !== '1200') continue;
    const slip = await town.slip(order);
    if (slip === undefined) continue;
    const given = givenOfSlip(slip);
    checkTotal(given, sentOrder.currency);
    expect(exact(given.orderTotal.hdrCharges)).toBe(isCharged ? 0n : exact(sentOrder.headerCharges));
  }
}

/**
 * Returns the amounts of an order that the customer sees: on the last slip of a shipped order, in its hand-overs and
 * deliveries.
 */
async function givenOf(order: SentOrder): Promise<Given[]> {
  const read = await town.read(order);
  const recorded = (read.charged ?? []).map(
    (one): Given => ({
      lines: one.items.map(({ webLineId, quantity, itemTotal }) => ({ webLineId, units: quantity, itemTotal })),
      orderTotal: one.orderTotal,
    }),
  );
  if (read.status !== '3700') return recorded;
  const slip = givenOfSlip((await town.slip(order))!);
  const going = { ...slip, lines: slip.lines.filter(({ units }) => units > 0) };
  expect(recorded).toEqual([going]);
  return [slip];
}

type Slip = NonNullable<Awaited<ReturnType<Chains['slip']>>>;

function givenOfSlip({ packages, fulfillmentOrderItems, orderTotal }: Slip): Given {
  const inside = packages.flatMap((one) => one.packageItems);
  const units = (id: string) =>
    inside.filter((one) => one.webLineId === id).reduce((total, one) => total + one.quantity, 0);
  const lines = fulfillmentOrderItems.map(({ webLineId, itemTotal }) => ({
    webLineId,
    units: units(webLineId),
    itemTotal,
  }));
  return { lines, orderTotal };
}

type Sent = Parameters<Chains['take']>[0];

/**
 * Checks each line: the customer pays the price of the shipped or handed-over units and their share of charges and
 * tax. If these are all units of the line, the share is the full charges and tax.
 */
async function checkLines(
  chain: readonly SentOrder[],
  parts: ReadonlyMap<string, ReadonlyMap<string, Part>>,
  { lines, currency }: Sent,
  given: readonly Given[],
): Promise<void> {
  const reads: OrderRead[] = await Promise.all(chain.map((order) => town.read(order)));
  for (const [index, sentLine] of lines.entries()) {
    const webLineId = String(index + 1);
    const all = given.flatMap((one) => one.lines.filter((each) => each.webLineId === webLineId));
    const gone = reads.map((read) => read.lines.find((one) => one.webLineId === webLineId)?.handedOverQuantity ?? 0);
    const went = gone.reduce((total, one) => total + one, 0);
    expect(all.reduce((total, one) => total + one.units, 0)).toBe(went);
    expect(sum(all.map((one) => exact(one.itemTotal.extendedPrice)))).toBe(exact(sentLine.unitPrice) * BigInt(went));
    for (const member of ['charges', 'tax'] as const) {
      const expected = chain.map((order, at) => {
        const part = parts.get(order.id)!.get(webLineId);
        return part === undefined ? 0n : upTo(part[member], gone[at]!, part.ordered, currency);
      });
      const charged = sum(all.map((one) => exact(one.itemTotal[member])));
      expect(charged).toBe(sum(expected));
      if (went === sentLine.quantity) expect(charged).toBe(exact(sentLine[member]));
    }
  }
}

/**
 * Checks that the header amounts are charged exactly once if any unit was handed over. The cash on delivery must be the
 * smaller of the sent amount and the charged amount.
 */
function checkTotals(order: Sent, given: readonly Given[]): void {
  for (const one of given) checkTotal(one, order.currency);
  const total = (of: (one: Given) => Numeric | undefined) => sum(given.map((one) => exact(of(one))));
  const isGiven = given.length > 0;
  expect(given.filter((one) => exact(one.orderTotal.hdrCharges) !== 0n)).toHaveLength(isGiven ? 1 : 0);
  expect(total((one) => one.orderTotal.hdrCharges)).toBe(isGiven ? exact(order.headerCharges) : 0n);
  expect(total((one) => one.orderTotal.hdrTax)).toBe(isGiven ? exact(order.headerTax) : 0n);
  expect(total((one) => one.orderTotal.cashOnDelivery)).toBe(
    min(
      exact(order.cashOnDelivery),
      total((one) => one.orderTotal.grandTotal),
    ),
  );
}

/**
 * Checks that a total is the sum of its lines and header amounts, rounded once, and that the cash on delivery is not
 * more than the total.
 */
function checkTotal({ lines, orderTotal }: Given, currency: string): void {
  const of = (member: 'extendedPrice' | 'charges' | 'tax') => sum(lines.map((one) => exact(one.itemTotal[member])));
  const charges = of('charges') + exact(orderTotal.hdrCharges);
  const tax = of('tax') + exact(orderTotal.hdrTax);
  expect(exact(orderTotal.grandCharges)).toBe(rounded(charges, currency));
  expect(exact(orderTotal.grandTax)).toBe(rounded(tax, currency));
  expect(exact(orderTotal.grandTotal)).toBe(rounded(of('extendedPrice') + charges + tax, currency));
  expect(exact(orderTotal.cashOnDelivery) <= exact(orderTotal.grandTotal)).toBe(true);
}

const mug = (members: Partial<SentLine> = {}): SentLine => ({
  quantity: 2,
  unitPrice: 10,
  charges: 0,
  tax: 0,
  ...members,
});
const wish = (members: Partial<Sent> = {}): Sent => ({
  fulfillmentType: 'SHIP_TO_HOME',
  currency: 'USD',
  lines: [mug()],
  headerCharges: 5,
  headerTax: 0.4,
  cashOnDelivery: 25.4,
  ...members,
});
const all = (units: number) => units;
const none = () => 0;
const totalOf = async (order: SentOrder) => (await town.slip(order))!.orderTotal;
const headerOf = async (order: SentOrder) => {
  const { hdrCharges, hdrTax, cashOnDelivery } = await totalOf(order);
  return [hdrCharges, hdrTax, cashOnDelivery];
};
const resourced = async (order: SentOrder) => (await town.resource(order))!.order;

describe('header amounts of an order', () => {
  it('are on the only slip if the whole order was declined and re-sourced, through any number of nodes', async () => {
    const first = await town.take(wish());
    await town.pick(first, none);
    const second = await resourced(first);
    await town.pick(second, none);
    const third = await resourced(second);
    await town.pick(third, all);
    const total = {
      grandTotal: 25.4,
      grandTax: 0.4,
      grandCharges: 5,
      hdrTax: 0.4,
      hdrCharges: 5,
      cashOnDelivery: 25.4,
    };
    expect(await totalOf(third)).toEqual(total);
    await town.pack(third, all);
    expect(await totalOf(third)).toEqual(total);
    for (const order of [first, second, third]) {
      expect(await town.read(order)).toMatchObject({ headerCharges: 5, headerTax: 0.4, cashOnDelivery: 25.4 });
    }
  });

  it('are charged by the order that ships first, also if it is the later one; until then each slip shows them', async () => {
    const first = await town.take(wish());
    await town.pick(first, () => 1);
    const second = await resourced(first);
    await town.pick(second, all);
    expect(await headerOf(first)).toEqual([5, 0.4, 15.4]);
    expect(await headerOf(second)).toEqual([5, 0.4, 15.4]);
    await town.pack(second, all);
    expect(await headerOf(first)).toEqual([0, 0, 10]);
    expect(await headerOf(second)).toEqual([5, 0.4, 15.4]);
    await town.pack(first, all);
    expect(await totalOf(first)).toEqual({
      grandTotal: 10,
      grandTax: 0,
      grandCharges: 0,
      hdrTax: 0,
      hdrCharges: 0,
      cashOnDelivery: 10,
    });
    expect(await headerOf(second)).toEqual([5, 0.4, 15.4]);
  });

  it('are not lost with an order that ends without shipping', async () => {
    const first = await town.take(wish({ lines: [mug({ quantity: 3 })] }));
    await town.pick(first, () => 2);
    const second = await resourced(first);
    await town.cancel(first, '1');
    await town.cancel(first, '1');
    await town.pick(second, all);
    expect(await headerOf(second)).toEqual([5, 0.4, 15.4]);
  });

  it('are charged by one of several orders that are shipped concurrently', async () => {
    for (let round = 0; round < 4; round += 1) {
      const first = await town.take(wish({ lines: [mug({ quantity: 4 })], cashOnDelivery: 30 }));
      await town.pick(first, () => 3);
      await town.decline(first, '1', 1);
      const orders = [first, await resourced(first), await resourced(first)];
      for (const order of orders) await town.pick(order, all);
      await Promise.all(orders.map((order) => town.pack(order, all)));
      const totals = await Promise.all(orders.map(totalOf));
      expect(totals.map(({ hdrCharges }) => hdrCharges).sort()).toEqual([0, 0, 5]);
      expect(sum(totals.map(({ cashOnDelivery }) => exact(cashOnDelivery)))).toBe(exact(30));
    }
  });
});

describe('cash on delivery', () => {
  it('is never more than the slip: missing or canceled units are not collected', async () => {
    const order = await town.take(
      wish({ headerCharges: 0, headerTax: 0, lines: [mug({ quantity: 3 })], cashOnDelivery: 30 }),
    );
    await town.pick(order, () => 2);
    expect(await totalOf(order)).toMatchObject({ grandTotal: 20, cashOnDelivery: 20 });
    await town.cancel(order, '1');
    expect(await totalOf(order)).toMatchObject({ grandTotal: 10, cashOnDelivery: 10 });
  });

  it('is never more than the sum of all charges: a discount that made a total negative counts later', async () => {
    const order = await town.take(
      wish({
        fulfillmentType: 'STORE_PICK_UP',
        lines: [mug({ quantity: 3, unitPrice: 2 })],
        headerCharges: -5,
        headerTax: 0,
        cashOnDelivery: 6,
      }),
    );
    await town.pick(order, all);
    await town.give(order, () => ({ handed: 1, refused: 0 }));
    await town.give(order, () => ({ handed: 1, refused: 0 }));
    await town.give(order, () => ({ handed: 1, refused: 0 }));
    const charged = (await town.read(order)).charged!;
    expect(charged.map(({ orderTotal }) => [orderTotal.grandTotal, orderTotal.cashOnDelivery])).toEqual([
      [-3, 0],
      [2, 0],
      [2, 1],
    ]);
  });

  it('is absent if none was sent', async () => {
    const order = await town.take(wish({ cashOnDelivery: undefined }));
    await town.pick(order, all);
    expect(await totalOf(order)).not.toHaveProperty('cashOnDelivery');
    expect((await town.read(order)).orderTotal).not.toHaveProperty('cashOnDelivery');
  });
});

describe('sums of money', () => {
  it.each([
    ['USD', 1.4124, 1.41],
    ['USD', 1.415, 1.42],
    ['JPY', 100.5, 101],
    ['KWD', 1.0005, 1.001],
  ])(
    'in %s of %d are rounded half up to minor digits; amounts sent keep their digits',
    async (currency, price, total) => {
      const lines = [mug({ quantity: 1, unitPrice: price, charges: 0.0004, tax: 0.0003 })];
      const order = await town.take(
        wish({ currency, lines, headerCharges: 0, headerTax: 0, cashOnDelivery: undefined }),
      );
      await town.pick(order, all);
      const slip = (await town.slip(order))!;
      expect(slip.fulfillmentOrderItems[0]!.itemTotal).toEqual({
        unitPrice: price,
        extendedPrice: price,
        charges: 0.0004,
        tax: 0.0003,
      });
      expect(slip.orderTotal).toEqual({ grandTotal: total, grandTax: 0, grandCharges: 0, hdrTax: 0, hdrCharges: 0 });
    },
  );
});

describe('a partly packed order', () => {
  it('has the amounts of the units in its packages on the slip; the ordered units remain', async () => {
    const order = await town.take(wish({ lines: [mug({ quantity: 3, charges: 1, tax: 0.5 })] }));
    await town.pick(order, all);
    await town.pack(order, () => 1);
    const slip = (await town.slip(order))!;
    expect(slip.packages).toHaveLength(1);
    expect(slip.fulfillmentOrderItems).toMatchObject([
      { orderedQuantity: 3, itemTotal: { unitPrice: 10, extendedPrice: 10, charges: 0.33, tax: 0.17 } },
    ]);
    expect(slip.orderTotal).toEqual({
      grandTotal: 15.9,
      grandTax: 0.57,
      grandCharges: 5.33,
      hdrTax: 0.4,
      hdrCharges: 5,
      cashOnDelivery: 15.9,
    });
    await town.pack(order, all);
    expect((await totalOf(order)).grandTotal).toBe(36.9);
  });
});

describe('hand-overs and deliveries', () => {
  it.each(['STORE_PICK_UP', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'])(
    '%s in parts charges the header with the first unit, then the share of each part, and collects the rest',
    async (fulfillmentType) => {
      const lines = [mug({ quantity: 3, charges: 1, tax: 0.5 })];
      const order = await town.take(wish({ fulfillmentType, lines, cashOnDelivery: 30 }));
      await town.pick(order, all);
      await town.pack(order, all);
      const due = (grandTotal: number, hdrCharges: number, cashOnDelivery: number) => ({
        grandTotal,
        hdrCharges,
        cashOnDelivery,
      });
      expect((await town.read(order)).orderTotal).toMatchObject(due(36.9, 5, 30));
      await town.give(order, () => ({ handed: 1, refused: 0 }));
      expect((await town.read(order)).orderTotal).toMatchObject(due(21, 0, 14.1));
      await town.give(order, () => ({ handed: 0, refused: 1 }));
      expect((await town.read(order)).orderTotal).toMatchObject(due(10.5, 0, 10.5));
      await town.give(order, () => ({ handed: 1, refused: 0 }));
      const read = await town.read(order);
      expect(read.orderTotal).toMatchObject(due(0, 0, 0));
      expect(read.charged!.map(({ orderTotal }) => orderTotal)).toMatchObject([due(15.9, 5, 15.9), due(10.5, 0, 10.5)]);
      expect(read.charged!.map(({ items }) => items)).toMatchObject([
        [{ webLineId: '1', quantity: 1, itemTotal: { extendedPrice: 10, charges: 0.33, tax: 0.17 } }],
        [{ webLineId: '1', quantity: 1, itemTotal: { extendedPrice: 10, charges: 0.34, tax: 0.16 } }],
      ]);
      expect(read.charged!.every(({ handOverId }) => handOverId !== undefined)).toBe(true);
    },
  );

  it('have their charges in the feed; one whose units were all rejected charges nothing', async () => {
    const order = await town.take(wish({ fulfillmentType: 'STORE_PICK_UP' }));
    await town.pick(order, all);
    await town.give(order, () => ({ handed: 0, refused: 1 }));
    await town.give(order, () => ({ handed: 1, refused: 0 }));
    const events = (await town.eventsOf(order)).filter(({ type }) => type === 'order.handedOver');
    expect(events.map(({ data }) => data.orderTotal)).toEqual([
      undefined,
      { grandTotal: 15.4, grandTax: 0.4, grandCharges: 5, hdrTax: 0.4, hdrCharges: 5, cashOnDelivery: 15.4 },
    ]);
  });

  it('whose units are all rejected do not charge the header', async () => {
    const order = await town.take(wish({ fulfillmentType: 'STORE_PICK_UP' }));
    await town.pick(order, all);
    expect((await town.details(order)).orderTotal).toMatchObject({ hdrCharges: 5, cashOnDelivery: 25.4 });
    await town.give(order, (units) => ({ handed: 0, refused: units }));
    const read = await town.read(order);
    expect(read).not.toHaveProperty('charged');
    expect(read.orderTotal).toMatchObject({ grandTotal: 0, hdrCharges: 0, cashOnDelivery: 0 });
  });

  it('the response of a delivery has its charges, also when it is sent again', async () => {
    const order = await town.take(wish({ fulfillmentType: 'ASSOCIATE_DELIVERY' }));
    await town.pick(order, all);
    await town.pack(order, all);
    const deliver = () =>
      town.client.post(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${order.id}/deliver`, {
        nodeId: order.nodeId,
        modifyAssociateId: 'bo',
        deliveryId: 'D1',
      });
    const [one, again] = [await deliver(), await deliver()];
    expect(one.body).toMatchObject({ currency: 'USD', orderTotal: { grandTotal: 25.4, cashOnDelivery: 25.4 } });
    expect(again.body).toEqual(one.body);
    expect((await town.read(order)).charged).toHaveLength(1);
  });

  it('a shipment has its charges in the feed', async () => {
    const order = await town.take(wish());
    await town.pick(order, all);
    await town.pack(order, all);
    const [shipped] = (await town.eventsOf(order)).filter(({ type }) => type === 'order.shipped');
    expect(shipped!.data.orderTotal).toEqual(await totalOf(order));
  });
});

describe('orders whose units left before charges were recorded', () => {
  it('have charged the header: their slips still show it, those of orders re-sourced from them do not', async () => {
    const first = await town.take(wish({ cashOnDelivery: 30 }));
    await town.pick(first, () => 1);
    await town.pack(first, all);
    const untouched = await town.take(wish());
    await town.pick(untouched, all);
    await asBeforeCharges();
    expect(await headerOf(first)).toEqual([5, 0.4, 15.4]);
    expect(await headerOf(untouched)).toEqual([5, 0.4, 25.4]);
    const second = await resourced(first);
    await town.pick(second, all);
    // The old release did not record the collected cash on delivery. The upgrade counts the full cash on delivery of
    // the order, as the slip of that release did.
    expect(await headerOf(second)).toEqual([0, 0, 0]);
  });
});

/** Migrates the charges again, as an upgrade of a database without recorded charges does. */
async function asBeforeCharges(): Promise<void> {
  const { text } = readMigrations().find(({ name }) => name === 'order-charges')!;
  const insert = text.slice(text.indexOf('insert into order_charges')).trim().replace(/;$/, '');
  await town.store.write(async (tx) => {
    await tx.deleteFrom('order_charges').execute();
    await sql.raw(insert).execute(tx);
  });
}
