import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allot, type Claimant } from '../../src/kernel/tickets/allot.ts';

/** Returns an order that claims units of items by item number: `[1, 3]` claims three units of item 1. */
const order = (fulfillmentOrderId: string, slaAt: number, claims: [item: number, quantity: number][]): Claimant => ({
  fulfillmentOrderId,
  slaAt,
  orderDate: 0,
  claims: claims.map(([itemNumber, quantity], lineIndex) => ({ lineIndex, itemNumber, quantity })),
});

const picked = (orders: Claimant[], found: [number, number][]) =>
  allot(orders, new Map(found)).map((one) => `${one.fulfillmentOrderId}:${one.itemNumber}=${one.picked}`);

describe('allotment', () => {
  it('fills the most urgent order first when units are short', () => {
    expect(picked([order('A', 2, [[1, 2]]), order('B', 1, [[1, 2]])], [[1, 2]])).toEqual(['A:1=0', 'B:1=2']);
  });

  it('fills an order completely before a more urgent one that can only be filled in part', () => {
    expect(picked([order('A', 1, [[1, 3]]), order('B', 2, [[1, 2]])], [[1, 2]])).toEqual(['A:1=0', 'B:1=2']);
  });

  it('gives the remaining units to the other orders line by line, the most urgent first', () => {
    const orders = [
      order('A', 1, [
        [1, 3],
        [2, 2],
      ]),
      order('B', 2, [[1, 3]]),
    ];
    expect(
      picked(orders, [
        [1, 2],
        [2, 2],
      ]),
    ).toEqual(['A:1=2', 'A:2=2', 'B:1=0']);
  });

  it('decides by order date for equally urgent orders, and then by id', () => {
    const early = { ...order('B', 1, [[1, 1]]), orderDate: 1 };
    const late = { ...order('A', 1, [[1, 1]]), orderDate: 2 };
    expect(picked([late, early], [[1, 1]])).toEqual(['A:1=0', 'B:1=1']);
    expect(picked([{ ...early, orderDate: 2 }, late], [[1, 1]])).toEqual(['B:1=0', 'A:1=1']);
  });

  it('counts two lines of one item together when it checks whether an order can be filled', () => {
    const twice = order('A', 1, [
      [1, 2],
      [1, 2],
    ]);
    expect(picked([twice, order('B', 2, [[1, 3]])], [[1, 3]])).toEqual(['A:1=0', 'A:1=0', 'B:1=3']);
  });
});

const claims = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 9 })), {
  minLength: 1,
  maxLength: 4,
});
const orders = fc
  .array(fc.tuple(fc.nat(3), fc.nat(3), claims), { minLength: 1, maxLength: 6 })
  .map((wishes) => wishes.map(([slaAt, orderDate, own], index) => ({ ...order(`O${index}`, slaAt, own), orderDate })));
/** Orders, and the found units of each item: a share of the claimed units. */
const cases = fc
  .tuple(orders, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }))
  .map(([all, shares]) => {
    const found = shares.map((share, index): [number, number] => [
      index + 1,
      Math.floor(share * claimed(all, index + 1)),
    ]);
    return { all, found: new Map(found) };
  });

function claimed(all: readonly Claimant[], item: number): number {
  return all
    .flatMap((one) => one.claims)
    .filter((claim) => claim.itemNumber === item)
    .reduce((sum, claim) => sum + claim.quantity, 0);
}

/** Returns the orders that the first pass of the rule fills, by an independent model of the rule. */
function filledInPassOne(all: readonly Claimant[], found: ReadonlyMap<number, number>): string[] {
  const left = new Map(found);
  const sorted = all.toSorted(
    (a, b) =>
      a.slaAt - b.slaAt || a.orderDate - b.orderDate || a.fulfillmentOrderId.localeCompare(b.fulfillmentOrderId, 'en'),
  );
  return sorted.flatMap((one) => {
    const items = [1, 2, 3, 4];
    if (items.some((item) => claimed([one], item) > left.get(item)!)) return [];
    for (const item of items) left.set(item, left.get(item)! - claimed([one], item));
    return [one.fulfillmentOrderId];
  });
}

describe('allotment of any short pick', () => {
  it('keeps picked + canceled = quantity for every line, and allots exactly the picked units of each item', () => {
    fc.assert(
      fc.property(cases, ({ all, found }) => {
        const parts = allot(all, found);
        const lines = all.flatMap((one) => one.claims.map((claim) => [one.fulfillmentOrderId, claim] as const));
        expect(parts.length).toBe(lines.length);
        for (const [index, [id, claim]] of lines.entries()) {
          const part = parts[index]!;
          expect([part.fulfillmentOrderId, part.lineIndex, part.itemNumber]).toEqual([
            id,
            claim.lineIndex,
            claim.itemNumber,
          ]);
          expect(part.picked + part.canceled).toBe(claim.quantity);
          expect(Math.min(part.picked, part.canceled)).toBeGreaterThanOrEqual(0);
        }
        for (const [item, units] of found) {
          const out = parts.filter((part) => part.itemNumber === item).reduce((sum, part) => sum + part.picked, 0);
          expect(out).toBe(units);
        }
      }),
    );
  });

  it('fills every order that can be filled completely at its turn', () => {
    fc.assert(
      fc.property(cases, ({ all, found }) => {
        const parts = allot(all, found);
        for (const id of filledInPassOne(all, found)) {
          const own = parts.filter((part) => part.fulfillmentOrderId === id);
          expect(own.every((part) => part.canceled === 0)).toBe(true);
        }
      }),
    );
  });

  it('gives the same order the same units, for any sequence of the orders', () => {
    fc.assert(
      fc.property(cases, ({ all, found }) => {
        const byLine = (parts: ReturnType<typeof allot>) =>
          new Map(parts.map((part) => [`${part.fulfillmentOrderId}/${part.lineIndex}`, part.picked]));
        expect(byLine(allot(all.toReversed(), found))).toEqual(byLine(allot(all, found)));
      }),
    );
  });
});
