import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { DAY_MS } from '../../src/platform/time.ts';
import { BY_CUSTOMER, OTHER_NODE } from '../orders/flow.ts';
import { type Aging, openAging } from './support.ts';

let town: Aging;
afterEach(() => town.close());

const ids = async () => (await town.rows()).map((row) => row.fulfillment_order_id);
const OF_ORDERS = [
  'order_lines',
  'packages',
  'package_items',
  'alerts',
  'pick_tickets',
  'pick_ticket_items',
  'pick_ticket_lines',
  'resource_requests',
  'resource_request_lines',
  'order_charges',
  'order_notes',
  'commands',
] as const;

describe('orders', () => {
  it('are kept forever by default', async () => {
    town = await openAging({});
    await town.orderIn('SHIP_TO_HOME', 3700);
    const before = await town.count('fulfillment_orders', 'order_lines', 'pick_tickets', 'stock_moves', 'credentials');
    await town.days(5_000);
    expect(await town.count(...(Object.keys(before) as ['stock_moves']))).toEqual(before);
    expect(await town.removed()).not.toHaveProperty('orders');
    expect(await town.removed()).not.toHaveProperty('tickets');
  });

  it('expire a number of days after their end with their dependent rows and their tickets; unfinished orders stay', async () => {
    town = await openAging({ ORDER_DAYS: '30', EVENT_DAYS: '10' });
    const shipped = await town.orderIn('SHIP_TO_HOME', 3700);
    const note = { changeId: 'N1', userId: 'bo', note: 'asked for a bag' };
    const noted = await town.client.post(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${shipped}/change`, note);
    expect(noted.status, noted.text).toBeLessThan(300);
    const canceled = await town.make('STORE_PICK_UP');
    await town.cancel(canceled);
    const waiting = await town.make('ASSOCIATE_DELIVERY');
    const toReturn = await town.orderIn('ASSOCIATE_DELIVERY', 8000);
    const asked = await town.orderIn('SHIP_TO_HOME', 9100);
    await town.days(29);
    expect(await ids()).toEqual([shipped, canceled, waiting, toReturn, asked]);
    await town.days(2);
    expect(await ids()).toEqual([waiting, toReturn, asked]);
    expect(await town.faults()).toEqual([]);
    expect(await town.removed()).toMatchObject({ orders: 2, tickets: 1 });
    const read = await town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${shipped}`);
    expect(read.status).toBe(404);
    for (const ticket of await town.reverse(toReturn)) await town.bringBack(ticket);
    await town.cancel(waiting);
    const [request] = await town.requestsOf(asked);
    await town.answer(request!['requestId'], { outcome: 'CANCEL', reasonCode: BY_CUSTOMER });
    await town.days(20);
    await town.days(20);
    expect(await town.count('fulfillment_orders', ...OF_ORDERS)).toEqual(
      Object.fromEntries(['fulfillment_orders', ...OF_ORDERS].map((name) => [name, 0])),
    );
    const numbered = await town.store.read((db) =>
      db.selectFrom('event_sequences').select('resource_type').distinct().where('client_id', '=', 'TOWN').execute(),
    );
    const passing = ['order', 'pickTicket', 'alert', 'resourceRequest'];
    expect(numbered.filter((row) => passing.includes(row.resource_type))).toEqual([]);
    expect(await town.faults()).toEqual([]);
  });

  it('expire after a clock that was a year ahead is corrected', async () => {
    town = await openAging({ ORDER_DAYS: '30' });
    await town.orderIn('SHIP_TO_HOME', 3700);
    await town.days(365);
    expect(await ids()).toEqual([]);
    town.clock.now -= 365 * DAY_MS;
    await town.orderIn('SHIP_TO_HOME', 3700);
    await town.days(31);
    expect(await ids()).toEqual([]);
  });

  it('leave a ticket in place while other orders are on it', async () => {
    town = await openAging({ ORDER_DAYS: '30' });
    const [one, other] = [await town.make('SHIP_TO_HOME', [1, 1]), await town.make('SHIP_TO_HOME', [2, 1])];
    const ticket = await town.ticket([one, other], 'WAITING_FOR_PICK_SFS');
    expect((await town.pick(ticket, [3, 2])).status).toBe(204);
    expect((await town.pack(one, { 1: 1, 2: 1 })).status).toBe(204);
    await town.days(31);
    expect(await ids()).toEqual([other]);
    expect(await town.count('pick_tickets', 'pick_ticket_items')).toEqual({ pick_tickets: 1, pick_ticket_items: 2 });
    expect(await town.faults()).toEqual([]);
    expect((await town.pack(other, { 1: 2, 2: 1 })).status).toBe(204);
    await town.days(31);
    expect(await town.count('pick_tickets', 'pick_ticket_items', 'pick_ticket_lines')).toEqual({
      pick_tickets: 0,
      pick_ticket_items: 0,
      pick_ticket_lines: 0,
    });
    expect(await town.faults()).toEqual([]);
  });

  it('that were re-sourced expire together with the orders that replaced them', async () => {
    town = await openAging({ ORDER_DAYS: '30' });
    const first = await town.picked('SHIP_TO_HOME', [3, 2], [0, 0]);
    const [request] = await town.requestsOf(first);
    const to = { outcome: 'RESOURCE', nodeId: OTHER_NODE, fulfillmentOrderId: 'AGAIN' };
    expect((await town.answer(request!['requestId'], to)).status).toBe(200);
    await town.days(31);
    expect(await ids()).toEqual(['AGAIN', first]);
    expect((await town.cancel('AGAIN')).status).toBe(200);
    await town.days(29);
    expect(await ids()).toEqual(['AGAIN', first]);
    await town.days(2);
    expect(await ids()).toEqual([]);
    expect(await town.faults()).toEqual([]);
  });

  it('expire in batches, also when there are more than one batch holds, and past those that must stay', async () => {
    town = await openAging({ ORDER_DAYS: '1' });
    for (let count = 0; count < 52; count++) await town.orderIn('SHIP_TO_HOME', 9100);
    for (let count = 0; count < 52; count++) await town.cancel(await town.make('STORE_PICK_UP', [1]));
    await town.days(3);
    expect(await town.count('fulfillment_orders')).toEqual({ fulfillment_orders: 52 });
    expect(await town.removed()).toMatchObject({ orders: 52 });
    // On a later day, retention checks the remaining orders again.
    await town.days(1);
    expect(await town.faults()).toEqual([]);
  });
});

describe('settings of retention', () => {
  it('are whole numbers of days from 1, or not set', async () => {
    town = await openAging({});
    const names = ['ORDER_DAYS', 'EVENT_DAYS', 'SHIPMENT_DAYS', 'STOCK_DAYS', 'EDI_DAYS', 'KEY_DAYS'];
    expect(() => loadConfig(Object.fromEntries(names.map((name) => [name, '0'])))).toThrow(
      new RegExp(names.map((name) => `${name} must be a whole number from 1 to 36500`).join('[^]*')),
    );
    const config = loadConfig(Object.fromEntries(names.map((name) => [name, 'none'])));
    expect(config).toMatchObject({ orderDays: undefined, eventDays: undefined, keyDays: undefined });
  });
});
