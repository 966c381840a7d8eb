import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AllottedPart, reallot } from '../../src/kernel/tickets/reallot.ts';

const part = fc.record({
  fulfillmentOrderId: fc.constantFrom('A', 'B', 'C', 'D'),
  itemNumber: fc.constantFrom(1, 2, 3),
  picked: fc.nat(4),
  declined: fc.nat(3),
  withdrawn: fc.nat(2),
});
const ticket = fc
  .uniqueArray(part, { minLength: 1, maxLength: 10, selector: (one) => `${one.fulfillmentOrderId}/${one.itemNumber}` })
  .map((parts) => parts.map((one, lineIndex): AllottedPart => ({ ...one, lineIndex })));
const sum = (parts: readonly AllottedPart[], of: (one: AllottedPart) => number) =>
  parts.reduce((total, one) => total + of(one), 0);
const whole = (one: AllottedPart) => one.picked + one.declined + one.withdrawn;

describe('a corrected allotment', () => {
  it('has exactly the picked units of each item, loses none, and changes no order past the pick', () => {
    fc.assert(
      fc.property(
        ticket,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.subarray(['A', 'B', 'C', 'D']),
        (parts, share, gone) => {
          const own = parts.filter((one) => one.itemNumber === 1);
          const found = Math.floor(share * sum(own, whole));
          const { parts: after, stuck } = reallot(parts, new Map([[1, found]]), (id) => !gone.includes(id));
          expect(after.length).toBe(own.length);
          for (const [index, one] of after.entries()) {
            const was = own[index]!;
            expect(whole(one)).toBe(whole(was));
            expect(Math.min(one.picked, one.declined, one.withdrawn, one.returning)).toBeGreaterThanOrEqual(0);
            expect(one.before).toEqual({ picked: was.picked, declined: was.declined, withdrawn: was.withdrawn });
            expect(one.returning).toBe(was.withdrawn - one.withdrawn);
            if (gone.includes(one.fulfillmentOrderId)) expect(one.picked).toBe(was.picked);
          }
          expect(stuck.length === 0).toBe(sum(after, (one) => one.picked) === found);
          // If fewer units are picked than found, the orders that can change have no declined or withdrawn units left. If more
          // units are picked than found, these orders have no picked units left.
          const free = after.filter((one) => !gone.includes(one.fulfillmentOrderId));
          if (stuck.length > 0 && found > sum(after, (one) => one.picked)) {
            expect(sum(free, (one) => one.declined + one.withdrawn)).toBe(0);
          } else if (stuck.length > 0) expect(sum(free, (one) => one.picked)).toBe(0);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('gives additional units to the most urgent order, and to units that the customer canceled last', () => {
    const of = (id: string, declined: number, withdrawn: number): AllottedPart => ({
      fulfillmentOrderId: id,
      lineIndex: 0,
      itemNumber: 1,
      picked: 0,
      declined,
      withdrawn,
    });
    const { parts } = reallot([of('A', 1, 1), of('B', 2, 0)], new Map([[1, 3]]), () => true);
    expect(parts.map(({ picked, returning }) => [picked, returning])).toEqual([
      [1, 0],
      [2, 0],
    ]);
  });

  it('takes missing units from an order that is already short, else from the least urgent', () => {
    const of = (id: string, itemNumber: number, picked: number, declined: number): AllottedPart => ({
      fulfillmentOrderId: id,
      lineIndex: itemNumber,
      itemNumber,
      picked,
      declined,
      withdrawn: 0,
    });
    const ticketParts = [of('A', 1, 1, 0), of('A', 2, 0, 1), of('B', 1, 1, 0)];
    const { parts } = reallot(ticketParts, new Map([[1, 1]]), () => true);
    expect(parts.map(({ fulfillmentOrderId: id, picked }) => [id, picked])).toEqual([
      ['A', 0],
      ['B', 1],
    ]);
  });
});
