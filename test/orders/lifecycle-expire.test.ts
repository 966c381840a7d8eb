import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATES, ORDER_TRANSITIONS } from '../../src/kernel/states.ts';
import { type Flow, openFlow } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

const cells = [
  ['STORE_PICK_UP', 1100, false],
  ['STORE_PICK_UP', 1150, false],
  ['SHIP_TO_HOME', 1200, false],
  ['SHIP_TO_STORE', 1300, false],
  ['STORE_PICK_UP', 1400, true],
  ['SHIP_TO_STORE', 1400, true],
  ['ASSOCIATE_DELIVERY', 1500, false],
  ['SHIP_TO_HOME', 3700, false],
  ['STORE_PICK_UP', 1000, false],
  ['STORE_PICK_UP', 3800, false],
  ['ASSOCIATE_DELIVERY', 3900, false],
  ['STORE_PICK_UP', 8000, false],
  ['STORE_PICK_UP', 9000, false],
  ['SHIP_TO_HOME', 9100, false],
  ['SHIP_TO_HOME', 9200, false],
] as const;

describe('an uncollected order', () => {
  it.each(cells)('%s in %i: expires %s', async (type, state, expires) => {
    const orderId = await town.orderIn(type, state);
    const before = [await town.row(orderId), await town.lines(orderId)];
    expect(await town.expire(orderId)).toBe(expires);
    if (!expires) {
      expect([await town.row(orderId), await town.lines(orderId)]).toEqual(before);
      return;
    }
    expect(await town.stands(orderId)).toEqual([8000, 'WAITING_FOR_REVERSE_PICK']);
    for (const line of await town.lines(orderId)) {
      expect(line).toMatchObject({ canceling: line.picked, cancel_reason: 'CancelMXCustomerAbandon' });
    }
    expect(await town.expire(orderId)).toBe(false);
    const [ticket, ...others] = await town.reverse(orderId);
    expect(others).toEqual([]);
    await town.bringBack(ticket!);
    expect(await town.stands(orderId)).toEqual([9000, null]);
    await town.conserved(orderId);
  });

  it('every state has its cell, as the table says', () => {
    expect([...new Set<number>(cells.map(([, state]) => state))].sort()).toEqual([...ORDER_STATES].sort());
    for (const [, state, expires] of cells) expect(ORDER_TRANSITIONS[state].expire !== 'refused').toBe(expires);
  });

  it('of which a part was collected is completed: only the rest is brought back', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [3, 2]);
    await town.handedOver(orderId, [2, 2]);
    expect(await town.expire(orderId)).toBe(true);
    expect(await town.stands(orderId)).toEqual([3800, null]);
    expect((await town.reverse(orderId)).map((ticket) => ticket.total_quantity)).toEqual([1]);
    expect((await town.events('order', orderId)).at(-1)).toMatchObject({
      type: 'order.expired',
      data: { expiredQuantity: 1, reasonCode: 'CancelMXCustomerAbandon', status: '3800', statusName: 'Picked up' },
    });
    await town.conserved(orderId);
  });

  it('does not expire under an unknown id', async () => {
    expect(await town.expire('NONE')).toBe(false);
  });
});
