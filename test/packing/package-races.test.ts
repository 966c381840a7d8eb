import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Change,
  create,
  items,
  message,
  modify,
  openPackRoom,
  type PackRoom,
  pathOf,
  type Units,
  voided,
} from './boxes.ts';

let room: PackRoom;
beforeAll(async () => {
  room = await openPackRoom();
});
afterAll(() => room.close());

const AT_ONCE = 16;
const times = <T>(make: (index: number) => T): T[] => Array.from({ length: AT_ONCE }, (_, index) => make(index));

describe('concurrent packers', () => {
  it('put the last unit into one package: the first succeeds, and the others get the units that are left', async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = `last-${round}`;
      await room.toDeliver(id, [1, 1]);
      const answers = await Promise.all(times((index) => room.pack(id, [create(`B${index}`, { L1: 1 })])));
      const won = answers.filter((answer) => answer.status === 204);
      expect(won).toHaveLength(1);
      for (const answer of answers.filter((one) => one.status !== 204)) {
        expect(answer.body.errors).toMatchObject([{ rule: 'over-pack', limit: 1 }]);
      }
      const { boxes } = await room.stands(id);
      expect(Object.values(boxes)).toEqual([{ L1: 1 }]);
    }
  });

  it('record one box once: of different contents one succeeds', async () => {
    await room.toShip('box');
    const answers = await Promise.all(
      times((index) => room.pack('box', [create('1', { L1: 1 }, { trackingNumber: `T${index}` })])),
    );
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1);
    expect(await room.events('box')).toHaveLength(1);
  });

  it('that send the same message many times all get 204, and it takes effect once', async () => {
    await room.toShip('same');
    const all = [create('1', { L1: 3 }), create('2', { L2: 2 })];
    const answers = await Promise.all(times(() => room.pack('same', all)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([204]));
    expect((await room.events('same')).map((event) => event.type)).toEqual(['order.packed', 'order.shipped']);
  });

  it('send a VOID against the message that ships the order: either the package is void and the order waits, or it is shipped', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = `void-${round}`;
      await room.toShip(id);
      await room.packed(id, [create('1', { L1: 3 })]);
      const [shipped, taken] = await Promise.all([
        room.pack(id, [create('2', { L2: 2 })]),
        room.pack(id, [voided('1')]),
      ]);
      expect(shipped.status).toBe(204);
      const { status, boxes } = await room.stands(id);
      if (taken.status === 204) expect([status, boxes]).toEqual([1200, { 1: {}, 2: { L2: 2 } }]);
      else expect([taken.status, status, boxes]).toEqual([409, 3700, { 1: { L1: 3 }, 2: { L2: 2 } }]);
    }
  });

  it('with one Idempotency-Key get the stored response again', async () => {
    await room.toShip('key');
    const headers = { apiKey: room.keys.all, 'idempotency-key': 'k1' };
    const send = () =>
      room.call({ method: 'PUT', path: pathOf('key'), body: message('key', [create('1', { L1: 1 })]), headers });
    expect((await send()).status).toBe(204);
    const again = await send();
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([204, 'true']);
  });
});

describe('conservation of units in packages', () => {
  const box = fc.constantFrom('A', 'B', 'C', 'D');
  const units = fc.record({ L1: fc.integer({ min: 0, max: 4 }), L2: fc.integer({ min: 0, max: 3 }) });
  const step = fc.record({ action: fc.constantFrom('CREATE', 'MODIFY', 'VOID'), box, units, tracked: fc.boolean() });
  type Step = { action: string; box: string; units: Units; tracked: boolean };

  function changeOf({ action, box: boxId, units: wish, tracked }: Step): Change {
    const some = Object.fromEntries(Object.entries(wish).filter(([, quantity]) => quantity > 0));
    if (action === 'VOID') return voided(boxId);
    const members = { ...(tracked && { trackingNumber: `T${boxId}` }), packageItems: items(some) };
    if (action === 'MODIFY') return modify(boxId, members);
    const { trackingNumber: _mine, ...rest } = create(boxId, some);
    return { ...rest, ...members };
  }

  /**
   * Returns the boxes after a message, by an independent model; undefined if the service must reject the message.
   * `isSure` is false if the message creates a recorded box or voids a voided box. The service then compares the
   * content of the box. The model does not, so the model cannot tell whether the service rejects the message.
   */
  function expected(
    boxes: Map<string, Units>,
    voids: ReadonlySet<string>,
    steps: readonly Step[],
    wanted: Units,
  ): { after: Map<string, Units>; isSure: boolean } | undefined {
    const after = new Map(boxes);
    if (new Set(steps.map((one) => one.box)).size < steps.length) return undefined;
    let isSure = true;
    for (const one of steps) {
      const has = after.has(one.box);
      if (one.action === 'VOID' && has) after.delete(one.box);
      else if (one.action === 'VOID' && voids.has(one.box)) isSure = false;
      else if (one.action === 'VOID') return undefined;
      else if (one.units['L1'] === 0 && one.units['L2'] === 0) return undefined;
      else if (one.action === 'CREATE' && has) isSure = false;
      else if ((one.action === 'CREATE') === has) return undefined;
      else after.set(one.box, one.units);
    }
    const sum = (line: string) => [...after.values()].reduce((total, inside) => total + (inside[line] ?? 0), 0);
    return Object.keys(wanted).every((line) => sum(line) <= wanted[line]!) ? { after, isSure } : undefined;
  }

  it('packed + to pack = wanted and no unit is in two packages, after any sequence of CREATE, MODIFY and VOID', async () => {
    let number = 0;
    const tally = { taken: 0, refused: 0, shipped: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 8 }), async (messages) => {
        number += 1;
        const id = `conserve-${number}`;
        const wanted: Units = { L1: 3, L2: 2 };
        await room.toShip(id);
        let boxes = new Map<string, Units>();
        const voids = new Set<string>();
        let isGone = false;
        for (const steps of messages) {
          const answer = await room.pack(id, steps.map(changeOf));
          const next = expected(boxes, voids, steps, wanted);
          const stands = await room.stands(id);
          const inside = Object.values(stands.boxes);
          for (const line of ['L1', 'L2']) {
            const packed = inside.reduce((sum, one) => sum + (one[line] ?? 0), 0);
            expect(packed).toBeLessThanOrEqual(wanted[line]!);
          }
          if (isGone) {
            expect(stands.status).toBe(3700);
            continue;
          }
          if (answer.status === 204) {
            expect(next).toBeDefined();
            for (const name of boxes.keys()) if (!next!.after.has(name)) voids.add(name);
            boxes = next!.after;
          } else expect(next?.isSure).not.toBe(true);
          if (answer.status === 204) tally.taken += 1;
          else tally.refused += 1;
          const seen = Object.entries(stands.boxes).filter(([, units]) => Object.keys(units).length > 0);
          const mine = [...boxes].map(([name, units]) => [
            name,
            Object.fromEntries(Object.entries(units).filter(([, quantity]) => quantity > 0)),
          ]);
          expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(mine));
          const details = (await room.details(id)).body.packDetail[0];
          for (const line of details.packLines) {
            expect(Number(line.packedQuantity) + Number(line.toPackQuantity)).toBe(line.wantedQuantity);
          }
          isGone = stands.status === 3700;
          if (!isGone) continue;
          tally.shipped += 1;
          expect(stands.lines).toEqual([
            [3, 3],
            [2, 2],
          ]);
        }
      }),
      { numRuns: 60 },
    );
    expect(Math.min(tally.taken, tally.refused)).toBeGreaterThan(0);
  });
});
