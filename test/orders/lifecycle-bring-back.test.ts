import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATES, ORDER_TRANSITIONS } from '../../src/kernel/states.ts';
import { REASON, UPDATE, WHERE } from '../picking/picking.ts';
import { type Flow, openFlow, STORE } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

const REVERSE = 'WAITING_FOR_REVERSE_PICK';

describe('a reverse ticket of all remaining units', () => {
  it.each([
    ['SHIP_TO_HOME', 1200],
    ['STORE_PICK_UP', 1400],
    ['SHIP_TO_STORE', 1400],
    ['ASSOCIATE_DELIVERY', 1500],
  ] as const)('%s in %i: its CONFIRM brings the units back and the order is canceled', async (type, state) => {
    const orderId = await town.orderIn(type, state);
    await town.cancel(orderId);
    expect(await town.stands(orderId)).toEqual([8000, REVERSE]);
    const [ticket] = await town.reverse(orderId);
    expect(ticket).toMatchObject({ pick_ticket_type: 'REVERSE_PICK_TICKET', total_quantity: 5, status: 'NEW' });
    expect((await town.bringBack(ticket!)).status).toBe(204);
    expect(await town.stands(orderId)).toEqual([9000, null]);
    expect(await town.row(orderId)).toMatchObject({ hold_location: null, sla_type: null });
    expect(await town.units(orderId)).toEqual([
      [0, 0, 0, 0, 0, 3],
      [0, 0, 0, 0, 0, 2],
    ]);
    await town.conserved(orderId);
  });
});

describe('a reverse ticket of some units', () => {
  it.each([
    ['SHIP_TO_HOME', 1200],
    ['STORE_PICK_UP', 1400],
    ['ASSOCIATE_DELIVERY', 1500],
  ] as const)('%s in %i keeps the order in its state and queue', async (type, state) => {
    const orderId = await town.orderIn(type, state);
    await town.cancel(orderId, { lines: [{ webLineId: '2' }] });
    const before = await town.row(orderId);
    await town.bringBack((await town.reverse(orderId))[0]!);
    const { revision: _revision, updated_at: _at, ...rest } = before;
    expect(await town.row(orderId)).toMatchObject(rest);
    expect((await town.units(orderId))[1]).toEqual([0, 0, 0, 0, 0, 2]);
    await town.conserved(orderId);
  });

  it('of an order that is completed meanwhile does not change its state', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [3, 2]);
    await town.cancel(orderId, { lines: [{ webLineId: '2' }] });
    await town.handedOver(orderId, [3], 3800);
    await town.bringBack((await town.reverse(orderId))[0]!);
    expect(await town.stands(orderId)).toEqual([3800, null]);
    await town.conserved(orderId);
  });

  it('returns the order for re-sourcing while declined units wait for a decision', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3, 2], [3, 0]);
    await town.cancel(orderId, { lines: [{ webLineId: '1' }] });
    await town.bringBack((await town.reverse(orderId))[0]!);
    expect(await town.stands(orderId)).toEqual([9100, null]);
    await town.conserved(orderId);
  });
});

describe('the messages of a reverse ticket', () => {
  it('units not found need a reason; the order counts found units as returned, the others as missing', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [3, 2]);
    await town.cancel(orderId);
    const [ticket] = await town.reverse(orderId);
    expect((await town.bringBack(ticket!, [1, 2])).status).toBe(204);
    const { body } = await town.client.get(`${STORE}/fulfillmentOrders/${orderId}`);
    expect(body).toMatchObject({
      status: '9000',
      lines: [
        { pickedQuantity: 3, heldQuantity: 0, returnedQuantity: 2, missingQuantity: 1, leftQuantity: 0 },
        { pickedQuantity: 2, heldQuantity: 0, returnedQuantity: 1, missingQuantity: 1, leftQuantity: 0 },
      ],
    });
    await town.conserved(orderId);
    expect((await town.cancel(orderId)).body.lines).toMatchObject([
      { returnedQuantity: 2, missingQuantity: 1 },
      { returnedQuantity: 1, missingQuantity: 1 },
    ]);
    const parts = await town.store.read((db) =>
      db
        .selectFrom('pick_ticket_items')
        .select(['picked', 'canceled', 'reason'])
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_id', '=', ticket!.pick_ticket_id)
        .orderBy('id')
        .execute(),
    );
    expect(parts).toEqual([
      { picked: 1, canceled: 1, reason: REASON },
      { picked: 2, canceled: 1, reason: REASON },
    ]);
    expect((await town.events('order', orderId)).at(-1)).toMatchObject({
      type: 'order.broughtBack',
      data: { returnedQuantity: 3, missingQuantity: 2, status: '9000', statusName: 'Canceled' },
    });
  });

  it('the same CONFIRM again is 204 and changes nothing; other content, and RESET after it, are 409', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [2, 1]);
    await town.cancel(orderId);
    const [ticket] = await town.reverse(orderId);
    await town.bringBack(ticket!);
    const before = [await town.row(orderId), await town.lines(orderId)];
    expect((await town.bringBack(ticket!)).status).toBe(204);
    const other = await town.bringBack(ticket!, [1, 1]);
    expect(other.status).toBe(409);
    expect(other.body['description']).toMatch(/It cannot be corrected; count the stock of its items\.$/);
    expect((await reset(ticket!.pick_ticket_id)).status).toBe(409);
    expect([await town.row(orderId), await town.lines(orderId)]).toEqual(before);
  });

  it('RESET makes it NEW, open and unassigned; the order waits as before', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [2, 1]);
    await town.cancel(orderId);
    const [ticket] = await town.reverse(orderId);
    await town.store.write((tx) =>
      tx
        .updateTable('pick_tickets')
        .set({ status: 'IN_PROGRESS', user_id: 'bo', lease_at: 1 })
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_id', '=', ticket!.pick_ticket_id)
        .execute(),
    );
    const before = await town.row(orderId);
    expect((await reset(ticket!.pick_ticket_id)).status).toBe(204);
    const given = { status: 'NEW', user_id: '', outcome: null, lease_at: null, revision: 2 };
    expect(await town.ticketRow(ticket!.pick_ticket_id)).toMatchObject(given);
    expect((await reset(ticket!.pick_ticket_id)).status).toBe(204);
    expect(await town.ticketRow(ticket!.pick_ticket_id)).toMatchObject(given);
    expect(await town.row(orderId)).toEqual(before);
    expect((await town.bringBack(ticket!)).status).toBe(204);
  });

  it('an unassigned ticket is opened by a request with a userId; without one it is only read', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [1]);
    await town.cancel(orderId);
    const pickTicketId = (await town.reverse(orderId))[0]!.pick_ticket_id;
    const open = (more: object) =>
      town.client.post(`/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${pickTicketId}`, {
        ...WHERE,
        pickTicketId,
        ...more,
      });
    expect((await open({})).status).toBe(200);
    expect(await town.ticketRow(pickTicketId)).toMatchObject({ status: 'NEW', user_id: '', lease_at: null });
    expect((await open({ userId: 'bo' })).status).toBe(200);
    expect(await town.ticketRow(pickTicketId)).toMatchObject({ status: 'IN_PROGRESS', user_id: 'bo' });
  });

  it('a returning order is found on the reverse pick queue, with a time by which it is due', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [1]);
    await town.cancel(orderId);
    const path = `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=${REVERSE}`;
    const answer = await town.client.post(path, { ...WHERE, queueId: REVERSE, fulfillmentOrderId: orderId });
    expect(answer.body.fulfillmentOrders).toMatchObject([
      { fulfillmentOrderId: orderId, totalNoOfItems: '0', totalQuantity: '0' },
    ]);
    expect(answer.body.fulfillmentOrders[0].slaDate.slaTypeId).toBe('REVERSE_PICK');
  });
});

function reset(pickTicketId: string) {
  const pickTicketDetails = { pickTicketId, ...WHERE, userId: 'picker', action: 'RESET' };
  return town.client.put(UPDATE, { modifyAssociateId: 'associate', pickTicketDetails });
}

it('units are brought back from every place of picked units, and from completed orders', () => {
  const states = ORDER_STATES.filter((state) => ORDER_TRANSITIONS[state].bringBack !== 'refused');
  expect(states).toEqual([1200, 1400, 1500, 3700, 3800, 3900, 8000]);
});
