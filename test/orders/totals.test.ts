import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE, WHERE } from '../picking/picking.ts';
import { type Flow, openFlow, STORE } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

/** Returns the totals of an order in the search of its queue. */
async function totals(orderId: string) {
  const queueId = (await town.row(orderId)).queue_id!;
  const body = { ...WHERE, queueId, fulfillmentOrderId: orderId };
  const answer = await town.client.post(`${NODE}/fulfillmentOrders?queueId=${queueId}`, body);
  const [order] = answer.body.fulfillmentOrders as { totalNoOfItems: string; totalQuantity: string }[];
  return [order!.totalNoOfItems, order!.totalQuantity];
}

async function left(orderId: string) {
  const { body } = await town.client.get(`${STORE}/fulfillmentOrders/${orderId}`);
  return (body.lines as { leftQuantity: number }[]).map((line) => line.leftQuantity);
}

const stages = [
  ['STORE_PICK_UP', 1100],
  ['STORE_PICK_UP', 1150],
  ['SHIP_TO_HOME', 1200],
  ['ASSOCIATE_DELIVERY', 1200],
  ['SHIP_TO_STORE', 1300],
  ['STORE_PICK_UP', 1400],
  ['SHIP_TO_STORE', 1400],
  ['ASSOCIATE_DELIVERY', 1500],
] as const;

describe('the totals of an order in the queue search', () => {
  it.each(stages)(
    '%s at %i: count no unit that the customer canceled, like every other response',
    async (type, state) => {
      const orderId = await town.orderIn(type, state);
      expect(await totals(orderId)).toEqual(['2', '5']);
      await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 1 }] });
      expect([await totals(orderId), await left(orderId)]).toEqual([
        ['2', '4'],
        [2, 2],
      ]);
      await town.conserved(orderId);
      await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 1 }, { webLineId: '2' }] });
      expect([await totals(orderId), await left(orderId)]).toEqual([
        ['1', '2'],
        [2, 0],
      ]);
      await town.conserved(orderId);
    },
  );

  it('are the same before and after canceled units are brought back', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP', 1400);
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 2 }] });
    expect(await totals(orderId)).toEqual(['2', '3']);
    await town.bringBack((await town.reverse(orderId))[0]!, [1]);
    expect(await totals(orderId)).toEqual(['2', '3']);
    await town.conserved(orderId);
  });

  it('follow the hand-over, unit by unit', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP', 1400);
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 1 }] });
    const [line] = await town.lines(orderId);
    const item = { webLineId: '1', itemId: line!.item_id, backroomPickedQuantity: 3 };
    const answer = await town.client.put(`${NODE}/customerPickUp/confirm`, {
      modifyAssociateId: 'ana',
      customerPickUpDetails: {
        ...WHERE,
        fulfillmentOrderId: orderId,
        customerPickUpItems: [{ ...item, customerPickedQuantity: 2, canceledQuantity: 0 }],
      },
    });
    expect(answer.status, answer.text).toBe(204);
    expect(await totals(orderId)).toEqual(['1', '2']);
    const event = (await town.events('order', orderId)).at(-1);
    expect(event).toMatchObject({ type: 'order.handedOver', data: { toHandOverQuantity: 2 } });
    await town.conserved(orderId);
  });
});
