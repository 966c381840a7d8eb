import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describePostgresOnly, untilBlocked } from '../support/store.ts';
import { type Flow, openFlow, STORE } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

let count = 0;
const move = (orderId: string, members: Record<string, unknown>) =>
  town.client.post(`${STORE}/fulfillmentOrders/${orderId}/move`, { moveId: `m-${++count}`, userId: 'ana', ...members });
const read = async (orderId: string) => (await town.client.get(`${STORE}/fulfillmentOrders/${orderId}`)).body;

describe('moved held goods', () => {
  it.each([
    ['STORE_PICK_UP', 1400],
    ['SHIP_TO_HOME', 1200],
    ['SHIP_TO_STORE', 1400],
    ['ASSOCIATE_DELIVERY', 1200],
    ['ASSOCIATE_DELIVERY', 1500],
  ] as const)(
    'of a %s order in %i have the new location in every read and search, and one event records the move',
    async (type, state) => {
      const orderId = await town.orderIn(type, state);
      const standing = await town.stands(orderId);
      const { revision, hold_location: from, queue_id: queueId } = await town.row(orderId);
      const answer = await move(orderId, { holdLocation: 'TOP SHELF', from });
      expect(answer.status, answer.text).toBe(200);
      expect((await read(orderId))['holdLocation']).toBe('TOP SHELF');
      const path = `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=${queueId}`;
      const where = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId, fulfillmentOrderId: orderId };
      const found = await town.client.post(path, where);
      expect(found.body['fulfillmentOrders']).toMatchObject([{ holdLocation: 'TOP SHELF' }]);
      const [event] = (await town.events('order', orderId)).slice(-1);
      expect(event).toMatchObject({
        type: 'order.moved',
        revision: revision + 1,
        data: { userId: 'ana', from, holdLocation: 'TOP SHELF', status: String(state) },
      });
      expect(await town.stands(orderId)).toEqual(standing);
      await town.conserved(orderId);
    },
  );

  it('that must be brought back have the new location on their reverse tickets', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP', 8000);
    const [ticket] = await town.reverse(orderId);
    expect((await move(orderId, { holdLocation: 'RETURNS' })).status).toBe(200);
    const after = await town.ticketRow(ticket!.pick_ticket_id);
    expect([after.hold_location, after.revision]).toEqual(['RETURNS', ticket!.revision + 1]);
    const [event] = (await town.events('pickTicket', ticket!.pick_ticket_id)).slice(-1);
    expect(event).toMatchObject({
      type: 'pickTicket.moved',
      revision: after.revision,
      data: { from: ticket!.hold_location, holdLocation: 'RETURNS' },
    });
    expect((await town.bringBack(after)).status).toBe(204);
    expect((await town.row(orderId)).hold_location).toBeNull();
  });

  it('with their present location as the target change nothing', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    const before = await town.row(orderId);
    expect((await move(orderId, { holdLocation: before.hold_location })).status).toBe(200);
    expect(await town.row(orderId)).toEqual(before);
  });

  it('move once under one moveId; other content under it is rejected', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    const message = { moveId: 'same', holdLocation: 'B2' };
    await move(orderId, message);
    await move(orderId, { holdLocation: 'B3' });
    expect((await move(orderId, message)).status).toBe(200);
    expect((await town.row(orderId)).hold_location).toBe('B3');
    expect((await move(orderId, { ...message, holdLocation: 'B4' })).status).toBe(409);
  });

  it('with two concurrent targets go to one of them, and the other caller gets the present location', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    const { hold_location: from } = await town.row(orderId);
    const answers = await Promise.all(['L1', 'L2'].map((holdLocation) => move(orderId, { holdLocation, from })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const loser = answers.find(({ status }) => status === 409)!;
    expect(loser.body['holdLocation']).toBe((await town.row(orderId)).hold_location);
  });

  it('cannot be moved while no unit is in the store', async () => {
    for (const state of [1100, 1150, 3700, 9100] as const) {
      const orderId = await town.orderIn('SHIP_TO_HOME', state);
      expect((await move(orderId, { holdLocation: 'B2' })).status, String(state)).toBe(409);
    }
    expect((await move('none', { holdLocation: 'B2' })).status).toBe(404);
  });
});

describePostgresOnly('a move of goods that a reverse ticket brings back', () => {
  it('waits for the ticket before it locks the order, as the ticket does', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP', 8000);
    const { moving } = await town.store.write(async (tx) => {
      await tx
        .selectFrom('pick_tickets')
        .select('status')
        .where('fulfillment_order_id', '=', orderId)
        .forUpdate()
        .execute();
      const waiting = move(orderId, { holdLocation: 'BACK ROOM' });
      await untilBlocked(town.store);
      // The waiting move has not locked the order: otherwise this statement fails.
      const order = tx.selectFrom('fulfillment_orders').select('status').where('fulfillment_order_id', '=', orderId);
      await order.forUpdate().noWait().execute();
      return { moving: waiting };
    });
    expect((await moving).status).toBe(200);
    expect((await town.reverse(orderId)).map((ticket) => ticket.hold_location)).toEqual(['BACK ROOM']);
  });
});
