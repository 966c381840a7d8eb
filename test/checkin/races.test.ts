import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL, DAMAGED, type Dock, LOST, line, message, openDock, pack, pathOf } from './arrivals.ts';

let dock: Dock;
beforeAll(async () => {
  dock = await openDock();
});
afterAll(() => dock.close());

const FIRST = pack('P1', line('1', 2, 2));
const SECOND = pack('P2', line('1', 1, 1), line('2', 1, 1));

describe('concurrent check-ins', () => {
  it('two CONFIRMs of different packages do not miss each other: each is checked against the data saved when its turn comes', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = `two-${round}`;
      await dock.arriving(id);
      const answers = await Promise.all([dock.confirm(id, [FIRST]), dock.confirm(id, [SECOND])]);
      expect(answers.map((answer) => answer.status)).toEqual([400, 400]);
      expect((await dock.stands(id)).status).toBe(1300);
      await Promise.all([dock.update(id, [FIRST]), dock.update(id, [SECOND])]);
      const both = await Promise.all([dock.confirm(id, [FIRST]), dock.confirm(id, [SECOND])]);
      expect(both.map((answer) => answer.status)).toEqual([204, 204]);
      expect(await dock.stands(id)).toMatchObject({
        status: 1400,
        lines: [
          [3, 3, 0, null],
          [1, 1, 0, null],
        ],
      });
      expect((await dock.events(id)).filter((event) => event.type === 'order.checkedIn')).toHaveLength(1);
    }
  });

  it('the same CONFIRM sent many times is 204 for all and takes effect once', async () => {
    await dock.arriving('same');
    const answers = await Promise.all(Array.from({ length: 10 }, () => dock.confirm('same', ALL)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([204]));
    expect(await dock.events('same')).toHaveLength(1);
  });

  it('of different CONFIRMs one succeeds and every other gets a conflict', async () => {
    await dock.arriving('other');
    const short = [pack('P1', line('1', 2, 1, 1, LOST)), SECOND];
    const answers = await Promise.all([ALL, short, ALL, short].map((packages) => dock.confirm('other', packages)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, 204, 400, 400]);
    const { lines } = await dock.stands('other');
    expect([lines[0]![1], lines[0]![2]]).toEqual(answers[0]!.status === 204 ? [3, 0] : [2, 1]);
  });

  it('an UPDATE against a CONFIRM comes before it or is rejected; the confirmed quantities stay', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = `mixed-${round}`;
      await dock.arriving(id);
      const update = () => dock.update(id, [pack('P1', line('1', 2, 0, 2, DAMAGED))]);
      const confirm = () => dock.confirm(id, ALL);
      const [first, second] = await Promise.all(round % 2 === 0 ? [update(), confirm()] : [confirm(), update()]);
      const [updated, confirmed] = round % 2 === 0 ? [first, second] : [second, first];
      expect(confirmed.status).toBe(204);
      if (updated.status !== 204) expect([updated.status, updated.body.code]).toEqual([400, 'CONFLICT']);
      expect((await dock.stands(id)).lines).toEqual([
        [3, 3, 0, null],
        [1, 1, 0, null],
      ]);
    }
  });

  it('an Idempotency-Key returns the stored response again', async () => {
    await dock.arriving('key');
    const headers = { apiKey: dock.keys.all, 'idempotency-key': 'k1' };
    const body = message('key', 'CONFIRM', ALL);
    const send = () => dock.call({ method: 'POST', path: pathOf('key'), body, headers });
    expect((await send()).status).toBe(204);
    const again = await send();
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([204, 'true']);
  });
});

describe('conservation of units at check-in', () => {
  /**
   * A line of a package: its quantity, the units that arrive, and whether they are saved before the check-in is
   * confirmed.
   */
  const arrival = fc
    .record({ quantity: fc.integer({ min: 1, max: 30 }), saved: fc.boolean() })
    .chain((one) => fc.integer({ min: 0, max: one.quantity }).map((arrived) => ({ ...one, arrived })));

  it('checked in + canceled = quantity, and picked + declined = ordered, for any arrival on any day', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(arrival, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        async (packages) => {
          number += 1;
          const id = `conserve-${number}`;
          const lines = [0, 1, 2]
            .map((index) => packages.reduce((sum, one) => sum + (one[index]?.quantity ?? 0), 0))
            .flatMap((quantity, index) =>
              quantity === 0 ? [] : [{ webLineId: String(index + 1), itemId: '1-A', quantity, unitPrice: 1 }],
            );
          await dock.arriving(id, {
            lines,
            packages: packages.map((one, index) => ({
              checkInPackageId: `P${index}`,
              trackingNumber: `T${index}`,
              items: one.map(({ quantity }, at) => ({ webLineId: String(at + 1), quantity })),
            })),
          });
          const said = (index: number, wanted: boolean) =>
            packages[index]!.flatMap((one, at) =>
              one.saved === wanted
                ? [
                    {
                      ...line(String(at + 1), one.quantity, one.arrived, one.quantity - one.arrived, LOST),
                      itemId: '1-A',
                    },
                  ]
                : [],
            );
          for (const [index] of packages.entries()) {
            const items = said(index, true);
            if (items.length > 0) expect((await dock.update(id, [pack(`P${index}`, ...items)])).status).toBe(204);
          }
          const rest = packages.flatMap((_, index) => {
            const items = said(index, false);
            return items.length === 0 ? [] : [pack(`P${index}`, ...items)];
          });
          expect((await dock.confirm(id, rest)).status).toBe(204);
          const arrived = packages.flat().reduce((sum, one) => sum + one.arrived, 0);
          const stands = await dock.stands(id);
          expect(stands.status).toBe(arrived > 0 ? 1400 : 9000);
          for (const [index, [ordered, picked, declined, reason]] of stands.lines.entries()) {
            const units = packages.reduce((sum, one) => sum + (one[index]?.arrived ?? 0), 0);
            expect([picked, declined]).toEqual([units, Number(ordered) - units]);
            expect(reason).toBe(declined === 0 ? null : LOST);
          }
          const details = (await dock.read(id)).body.fulfillmentOrder;
          for (const one of details.checkInPackages) {
            for (const item of one.checkInPackageItems) {
              expect(Number(item.checkInQuantity) + Number(item.checkInCanceledQuantity)).toBe(item.quantity);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
