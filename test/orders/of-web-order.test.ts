import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATES } from '../../src/kernel/states.ts';
import { selectChanged, selectNumbered } from '../../src/orders/of-web-order.ts';
import type { Answer } from '../support/backroom.ts';
import { planOf } from '../support/store.ts';
import { openPlace, type Place, pickupOrder } from './place.ts';

const PATH = '/operator/v1/stores/S1/fulfillmentOrders';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
  await place.intake([
    pickupOrder('101', { webOrderId: 'Web-7', omsOrderId: 'oms-1' }),
    pickupOrder('102', { webOrderId: 'Web-7', omsOrderId: 'oms-1', nodeId: 'N2' }),
    pickupOrder('103', { webOrderId: 'Web-7', omsOrderId: 'oms-2' }),
    pickupOrder('104', { webOrderId: 'web-7', omsOrderId: 'oms-2' }),
  ]);
});
afterAll(() => place.close());

const list = (query: string, apiKey = place.keys.all) =>
  place.call({ method: 'GET', path: `${PATH}${query}`, headers: { apiKey } });
const ids = ({ status, text, body }: Answer): string[] => {
  expect(status, text).toBe(200);
  return (body.fulfillmentOrders as { fulfillmentOrderId: string }[]).map((order) => order.fulfillmentOrderId);
};

describe('the orders of a web order', () => {
  it('include all nodes, sorted by number, with node, type and status', async () => {
    const found = await list('?webOrderId=Web-7');
    expect(ids(found)).toEqual(['101', '102', '103']);
    expect(found.body.fulfillmentOrders[1]).toMatchObject({
      nodeId: 'N2',
      webOrderId: 'Web-7',
      omsOrderId: 'oms-1',
      fulfillmentType: 'STORE_PICK_UP',
      status: '1100',
      statusName: 'Waiting for pick',
      revision: 1,
    });
  });

  it('are also found by the OMS order, and by both ids together', async () => {
    expect(ids(await list('?omsOrderId=oms-2'))).toEqual(['103', '104']);
    expect(ids(await list('?omsOrderId=oms-2&webOrderId=web-7'))).toEqual(['104']);
    expect(ids(await list('?webOrderId=Web-8'))).toEqual([]);
  });

  it('are paged', async () => {
    const first = await list('?webOrderId=Web-7&limit=2');
    expect([ids(first), first.body.next]).toEqual([['101', '102'], '102']);
    const last = await list('?webOrderId=Web-7&limit=2&after=102');
    expect([ids(last), last.body.next]).toEqual([['103'], undefined]);
  });

  it('of nodes outside the credential are omitted', async () => {
    expect(ids(await list('?webOrderId=Web-7', place.keys.onlyN1))).toEqual(['101', '103']);
  });

  it.each([
    ['with an empty number', '?webOrderId='],
    ['with a number of 41 characters', `?webOrderId=${'x'.repeat(41)}`],
  ])('are not listed %s: 400 with the query parameter', async (_what, query) => {
    const { status, body } = await list(query);
    expect([status, body.errors[0].pointer]).toEqual([400, 'query:webOrderId']);
  });

  it('of another client are not listed, whatever their number', async () => {
    expect((await list('?webOrderId=Web-7', place.keys.other)).status).toBe(403);
  });

  it.each([
    ['web order', { webOrderId: 'Web-7' }, 'fulfillment_orders_by_web_order'],
    ['OMS order', { omsOrderId: 'oms-1' }, 'fulfillment_orders_by_oms_order'],
    ['web order at some nodes', { webOrderId: 'Web-7', nodeIds: ['N1'] }, 'fulfillment_orders_by_web_order'],
  ])('are found by the index of the %s, not among all orders of the client', async (_name, number, index) => {
    const of = { clientId: 'C1', storeId: 'S1', nodeIds: null, states: ORDER_STATES, since: 0, ...number };
    const query = await place.store.read(async (db) => selectNumbered(db, of, {}).compile());
    // PostgreSQL chooses an index by its statistics, and for four orders every index has the same cost.
    const expected = place.store.engine === 'sqlite' ? index : 'Index Scan using fulfillment_orders_by_';
    expect((await planOf(place.store, query)).text).toContain(expected);
  });
});

describe('the orders of a store', () => {
  const walk = async (query: string, apiKey?: string): Promise<string[]> => {
    const found: string[] = [];
    for (let after = ''; ; ) {
      const page = await list(`?limit=1${query}${after}`, apiKey);
      found.push(...ids(page));
      if (page.body.next === undefined) return found;
      after = `&after=${encodeURIComponent(page.body.next as string)}`;
    }
  };

  it('are listed by their last change, a page at a time, within the nodes of the key', async () => {
    expect(await walk('')).toEqual(['101', '102', '103', '104']);
    expect(await walk('', place.keys.onlyN1)).toEqual(['101', '103', '104']);
  });

  it('are selected by state and by the time of their last change', async () => {
    const since = new Date(place.clock.now + 60_000).toISOString();
    expect(await walk('&status=9000')).toEqual([]);
    expect(await walk(`&changedSince=${since}`)).toEqual([]);
    place.clock.now += 60_000;
    const cancel = await place.operator('POST', `${PATH}/102/cancel`, { reasonCode: 'CancelCustomerInitiated' });
    expect(cancel.status, cancel.text).toBe(200);
    expect(await walk('&status=9000')).toEqual(['102']);
    expect(await walk('&status=1100,9000')).toEqual(['101', '103', '104', '102']);
    expect(await walk(`&changedSince=${since}`)).toEqual(['102']);
    expect(ids(await list(`?webOrderId=Web-7&changedSince=${since}`))).toEqual(['102']);
    expect((await list('?status=9000')).body.fulfillmentOrders[0].changedDate).toBe(since.replace('.000Z', '+00:00'));
  });

  it.each([
    ['an unknown state', '?status=1100,7', 'query:status'],
    ['a time without an offset', '?changedSince=2026-03-02', 'query:changedSince'],
    ['an after of another list', '?after=101', 'query:after'],
  ])('are a 400 for %s', async (_what, query, pointer) => {
    const { status, body } = await list(query);
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  });

  it('are found by the index of state and change, in its order', async () => {
    const of = { clientId: 'C1', storeId: 'S1', nodeIds: null, states: ORDER_STATES, since: 0 };
    const query = await place.store.read(async (db) => selectChanged(db, of, {}).compile());
    const { text } = await planOf(place.store, query);
    if (place.store.engine === 'sqlite') expect(text).toContain('fulfillment_orders_by_change');
    expect(text).not.toContain('SCAN fulfillment_orders');
  });
});
