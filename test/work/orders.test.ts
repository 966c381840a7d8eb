import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadCtx } from '../../src/platform/ctx.ts';
import { selectDue } from '../../src/work/orders.ts';
import type { NodeOrdersQuery } from '../../src/work/orders-schema.ts';
import { orderBody } from '../picking/picking.ts';
import { planOf } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';

const ORDERS = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/orders';

interface Listed {
  fulfillmentOrderId: string;
  status: string;
  queueId: string;
  fulfillmentType: string;
  slaDate?: { value: string };
  holdLocation?: string;
  pickTicketId?: string;
  userId?: string;
  userName?: string;
  units: number;
  lines: number;
  items: { itemId: string; itemDesc: string; quantity: number }[];
  customer: { name: string; phone: string; email: string };
  city?: string;
  pinLockedUntil?: string;
}

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ neighbours: true });
});
afterAll(() => town.close());

const list = async (query = ''): Promise<{ orders: Listed[]; next?: string }> => {
  const response = await town.client.get(`${ORDERS}${query}`);
  if (response.status !== 200) throw new Error(response.text);
  return response.body as { orders: Listed[]; next?: string };
};
/** Returns the plan of a page. */
const planFor = async (query: NodeOrdersQuery, isShort = false) => {
  const page = await town.store.read(async (db) => {
    const ctx = { db, dialect: town.store.dialect, actor: {}, now: 1 } as unknown as ReadCtx;
    return selectDue(ctx, { clientId: 'TOWN', nodeId: 'TOWN-Store001' }, query, isShort).limit(9).compile();
  });
  return planOf(town.store, page);
};
const ids = (orders: readonly Listed[]) => orders.map((order) => order.fulfillmentOrderId);

describe('the open orders of a node', () => {
  it('come with due time, units and first items, the earliest due first, and end with orders that are not open', async () => {
    const { orders } = await list();
    const dues = orders.map(({ slaDate }) => slaDate?.value ?? '9999');
    expect(dues).toEqual(dues.toSorted());
    expect(orders.every(({ status }) => Number(status) < 3700 || status === '8000')).toBe(true);
    const ready = orders.find(({ fulfillmentOrderId }) => fulfillmentOrderId === town.orders.ready)!;
    expect(ready).toMatchObject({ status: '1400', fulfillmentType: 'STORE_PICK_UP' });
    expect(ready.units).toBe(ready.items.reduce((sum, { quantity }) => sum + quantity, 0));
    expect(ready.holdLocation).toBeDefined();
  });

  it('name the user of an open ticket only while the order is on it', async () => {
    const { orders } = await list();
    const onTicket = orders.find(({ fulfillmentOrderId }) => fulfillmentOrderId === town.orders.onTicket)!;
    expect(onTicket).toMatchObject({ pickTicketId: town.tickets.open, userId: 'UserId001' });
    expect(onTicket.userName).toBeUndefined();
    const ready = orders.find(({ fulfillmentOrderId }) => fulfillmentOrderId === town.orders.ready)!;
    expect(ready).not.toHaveProperty('pickTicketId');
  });

  it('are selected by view, type and text', async () => {
    const { orders } = await list();
    const { orders: ready } = await list('?view=READY');
    expect(ids(ready)).toEqual(ids(orders.filter(({ status }) => status === '1400')));
    const { holdLocation } = ready.find((one) => one.holdLocation !== undefined)!;
    const { orders: held } = await list(`?holdLocation=${holdLocation}`);
    expect(ids(held)).toEqual(ids(orders.filter((one) => one.holdLocation === holdLocation)));
    const { queueId } = orders.find(({ status }) => status === '1100')!;
    const { orders: queued } = await list(`?queueId=${queueId}`);
    expect(ids(queued)).toEqual(ids(orders.filter((one) => one.queueId === queueId)));
    const { orders: parcels } = await list('?fulfillmentType=SHIP_TO_HOME');
    expect(ids(parcels)).toEqual(ids(orders.filter((one) => one.fulfillmentType === 'SHIP_TO_HOME')));
    const [first] = orders;
    const name = first!.customer.name.toLowerCase();
    expect(ids((await list(`?text=${encodeURIComponent(name)}`)).orders)).toContain(first!.fulfillmentOrderId);
    expect(ids((await list(`?text=${first!.fulfillmentOrderId.slice(3)}`)).orders)).toContain(
      first!.fulfillmentOrderId,
    );
    const city = orders.find((one) => (one.city ?? '') !== '')!.city!;
    const { orders: there } = await list(`?text=${encodeURIComponent(city.slice(0, 4).toUpperCase())}`);
    expect(ids(there)).toEqual(expect.arrayContaining(ids(orders.filter((one) => one.city === city))));
    const { email } = first!.customer;
    expect(ids((await list(`?text=${encodeURIComponent(email.toUpperCase())}`)).orders)).toContain(
      first!.fulfillmentOrderId,
    );
    expect((await list(`?text=${encodeURIComponent(`x${email}`)}`)).orders).toEqual([]);
    // Wildcards of patterns count as ordinary characters.
    expect((await list(`?text=${encodeURIComponent('%')}`)).orders).toEqual([]);
    expect((await list(`?text=${encodeURIComponent('_\\"')}`)).orders).toEqual([]);
  });

  it('come in pages that together are the whole list', async () => {
    const { orders } = await list();
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await list(`?limit=2${after === undefined ? '' : `&after=${after}`}`);
      found.push(...ids(page.orders));
      after = page.next;
    } while (after !== undefined);
    expect(found).toEqual(ids(orders));
    expect((await town.client.get(`${ORDERS}?after=begin`)).status).toBe(400);
    expect((await town.client.get(`${ORDERS}?limit=501`)).status).toBe(400);
    expect((await town.client.get(`${ORDERS}?view=OLD`)).status).toBe(400);
  });

  it.each([
    ['the first page', {}],
    ['a later page', { after: '1790000000000.A' }],
    ['late orders', { view: 'LATE' }],
    ['the orders of a long queue', { queueId: 'WAITING_FOR_PICK_ISPU' }],
  ] as const)('are read by their index in the order of the list, and not sorted: %s', async (_name, query) => {
    const plan = await planFor(query);
    expect([plan.text, plan.sorts]).toEqual([expect.stringContaining('fulfillment_orders_by_due'), false]);
  });

  it.each([{}, { after: '1790000000000.A' }, { fulfillmentType: 'STORE_PICK_UP' }] as const)(
    'of a short queue are read by the index of queues: %j',
    async (query) => {
      const { text } = await planFor({ ...query, queueId: 'WAITING_FOR_PICK_ISPU' }, true);
      // PostgreSQL chooses an index by its statistics; for the few orders of this town any index is as good.
      expect(text).toContain(town.store.engine === 'sqlite' ? 'fulfillment_orders_by_queue' : 'fulfillment_orders_by_');
    },
  );

  it('of a hold location are read by the indexes of places', async () => {
    const at = { holdLocation: 'A1' };
    for (const query of [at, { ...at, after: '1790000000000.A' }]) {
      const { text } = await planFor(query);
      expect(text).toContain('fulfillment_orders_by_hold');
      expect(text).toContain('fulfillment_orders_by_saved_hold');
    }
  });

  it('come in pages also if the id of an order has a space', async () => {
    const spaced = ['WEB 4711-1', 'WEB 4711-2'];
    for (const id of spaced) {
      const body = orderBody(id, { lines: [['MUG-WHT', 1]] }, town.clock.now);
      expect((await town.operator('POST', '/operator/v1/stores/TOWN_US/fulfillmentOrders', body)).status).toBe(201);
    }
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await list(
        `?text=WEB-WEB&limit=1${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`,
      );
      found.push(...ids(page.orders));
      after = page.next;
    } while (after !== undefined);
    expect(found).toEqual(spaced);
  });

  it('are late after their due time, and not collected if they wait for their customer', async () => {
    const { orders } = await list();
    const before = town.clock.now;
    town.clock.now += 30 * 24 * 3_600_000;
    const late = ids((await list('?view=LATE')).orders);
    const forgotten = ids((await list('?view=NOT_COLLECTED')).orders);
    town.clock.now = before;
    const due = orders.filter(({ slaDate }) => slaDate !== undefined);
    expect(forgotten).toEqual(ids(due.filter(({ status }) => status === '1400')));
    expect(late).toEqual(ids(due.filter(({ status }) => status !== '1400')));
  });

  it('with a locked PIN are a view until the lock ends', async () => {
    await town.store.write((tx) =>
      tx
        .updateTable('fulfillment_orders')
        .set({ pin_locked_until: town.clock.now + 60_000 })
        .where('fulfillment_order_id', '=', town.orders.ready)
        .execute(),
    );
    const { orders } = await list('?view=PIN_LOCKED');
    expect(ids(orders)).toEqual([town.orders.ready]);
    expect(orders[0]!.pinLockedUntil).toBeDefined();
    town.clock.now += 60_000;
    expect((await list('?view=PIN_LOCKED')).orders).toEqual([]);
  });

  it('show no e-mail address and telephone number to a person without that right, and none of other stores', async () => {
    const associate = await town.signIn('associate');
    const { body } = await associate.get(ORDERS);
    const shown = (body as { orders: Listed[] }).orders;
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.every(({ customer }) => customer.phone === '')).toBe(true);
    const narrow = await town.credential({ storeIds: ['TOWN_CA'] });
    const own = (await narrow.get(ORDERS)).body as { orders: (Listed & { storeId: string })[] };
    expect(own.orders.every(({ storeId }) => storeId === 'TOWN_CA')).toBe(true);
  });
});
