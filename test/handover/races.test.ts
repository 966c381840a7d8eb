import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL, type Counter, item, openCounter } from './counter.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
});
afterAll(() => counter.close());

const AT_ONCE = 16;
const times = <T>(make: (index: number) => T): T[] => Array.from({ length: AT_ONCE }, (_, index) => make(index));

describe('concurrent hand-overs', () => {
  it('hand the last units over once: of 16 different ones one succeeds, and the others get the units that are left', async () => {
    await counter.ready('last');
    const answers = await Promise.all(times((index) => counter.hand('last', ALL, { handOverId: `H${index}` })));
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1);
    for (const answer of answers.filter((one) => one.status !== 204)) {
      expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
      expect(answer.body.description).toContain('the order has no units left to hand over');
    }
    expect(await counter.handOvers('last')).toHaveLength(1);
  });

  it('one unit each, hand over as many units as the order has', async () => {
    await counter.ready('units');
    const answers = await Promise.all(
      times((index) => counter.hand('units', [item('1', 1)], { handOverId: `H${index}` })),
    );
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(3);
    expect((await counter.stands('units')).lines[0]).toEqual([3, 3, 0, null]);
  });

  it('with the same content, 16 times, are 204 for all and take effect once', async () => {
    for (const members of [{ handOverId: 'H' }, {}]) {
      const id = `same-${JSON.stringify(members).length}`;
      await counter.ready(id);
      const answers = await Promise.all(times(() => counter.hand(id, ALL, members)));
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([204]));
      expect(await counter.handOvers(id)).toHaveLength(1);
      expect(await counter.events(id)).toHaveLength(1);
    }
  });

  it('and the customer’s cancellation each get different units: none is both handed over and to be brought back', async () => {
    const cancel = (id: string) =>
      counter.operator('POST', `/operator/v1/stores/S1/fulfillmentOrders/${id}/cancel`, {
        reasonCode: 'CancelCustomerInitiated',
      });
    for (let round = 0; round < 6; round += 1) {
      const id = `cancel-${round}`;
      await counter.ready(id);
      const [handed, canceled] = await Promise.all([counter.hand(id, ALL), cancel(id)]);
      expect([[204, 409].includes(handed.status), [200, 409].includes(canceled.status)]).toEqual([true, true]);
      expect(handed.status === 204).toBe(canceled.status !== 200);
      const { status, lines } = await counter.stands(id);
      expect([status, lines.map((line) => line[1])]).toEqual(handed.status === 204 ? [3800, [3, 2]] : [8000, [0, 0]]);
    }
  });
});

describe('conservation of units at the hand-over', () => {
  const units = fc.record({ picked: fc.integer({ min: 0, max: 3 }), canceled: fc.integer({ min: 0, max: 2 }) });

  it('handed over + canceled + wanted = picked, after any sequence of hand-overs', async () => {
    let number = 0;
    const tally = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(units, units), { maxLength: 6 }), async (hands) => {
        number += 1;
        const id = `sum-${number}`;
        await counter.ready(id);
        const left = [3, 2];
        const gone = { handed: 0, refused: 0 };
        for (const hand of hands) {
          const sums = hand.map((one) => one.picked + one.canceled);
          const isDone = left.every((one) => one === 0);
          const isGood = !isDone && sums.some((sum) => sum > 0) && sums.every((sum, index) => sum <= left[index]!);
          const items = hand.map((one, index) => item(String(index + 1), one.picked, one.canceled));
          const answer = await counter.hand(id, items, {
            handOverId: `H${gone.handed}-${gone.refused}-${tally.refused}`,
          });
          expect(answer.status === 204).toBe(isGood);
          if (!isGood) {
            tally.refused += 1;
            continue;
          }
          tally.taken += 1;
          for (const [index, one] of hand.entries()) {
            left[index]! -= sums[index]!;
            gone.handed += one.picked;
            gone.refused += one.canceled;
          }
        }
        const { status, lines } = await counter.stands(id);
        expect(lines.reduce((sum, line) => sum + line[1], 0)).toBe(gone.handed);
        expect(lines.reduce((sum, line) => sum + line[2], 0)).toBe(gone.refused);
        const isDone = left.every((one) => one === 0);
        expect(status).toBe(isDone ? (gone.handed > 0 ? 3800 : 9000) : 1400);
      }),
      { numRuns: 40 },
    );
    expect(Math.min(tally.taken, tally.refused)).toBeGreaterThan(0);
  });
});
