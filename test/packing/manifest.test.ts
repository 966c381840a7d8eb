import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../../src/platform/time.ts';
import { type Flow, openFlow } from '../orders/flow.ts';
import { plansOf } from '../support/reads.ts';

const MANIFEST = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/manifest';

interface Manifest {
  date: string;
  parcels: { fulfillmentOrderId: string; boxId: string; trackingNumber: string; carrier: string; boxWeight: object }[];
  next?: string;
}

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

const read = async (query = '', from: Pick<Flow['client'], 'get'> = town.client): Promise<Manifest> => {
  const answer = await from.get(`${MANIFEST}${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Manifest;
};
/** Creates an order in two boxes and ships it now. */
const shipped = async () => {
  const orderId = await town.picked('SHIP_TO_HOME', [3, 2]);
  expect((await town.pack(orderId, { 1: 3 }, '1')).status).toBe(204);
  expect((await town.pack(orderId, { 2: 2 }, '2')).status).toBe(204);
  expect((await town.row(orderId)).status).toBe(3700);
  return orderId;
};

it('has every package of the orders that the node shipped on its local day, and no other', async () => {
  const { parcels: before, date } = await read();
  const orderId = await shipped();
  await town.picked('SHIP_TO_HOME', [1]);
  const { parcels } = await read(`?date=${date}`);
  const own = parcels.filter((one) => one.fulfillmentOrderId === orderId);
  expect(parcels).toHaveLength(before.length + 2);
  expect(own).toMatchObject([
    { boxId: '1', trackingNumber: 'T1', boxWeight: { unit: 'LBS', value: 1 } },
    { boxId: '2', trackingNumber: 'T2' },
  ]);
  const { carrier } = await town.row(orderId);
  expect((await read(`?carrier=${carrier}`)).parcels.some((one) => one.fulfillmentOrderId === orderId)).toBe(true);
  expect((await read('?carrier=OTHER')).parcels).toEqual([]);
  town.clock.now += DAY_MS;
  const next = await read();
  expect(next.parcels).toEqual([]);
  expect(next.date > date).toBe(true);
  expect((await read(`?date=${date}`)).parcels).toEqual(parcels);
});

it('reads only the shipped orders of the node and the day', async () => {
  const plans = await plansOf(town.store, 'fulfillment_orders', () => read('?after=0'));
  expect(plans).toEqual([expect.stringContaining('fulfillment_orders_shipped')]);
  if (town.store.engine === 'sqlite') expect(plans[0]).toContain('ended_at>? AND ended_at<?');
});

it('pages by order', async () => {
  const orders = [await shipped(), await shipped(), await shipped()].toSorted();
  const seen: string[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < 5; pages++) {
    const { parcels, next } = await read(`?limit=1${after === undefined ? '' : `&after=${after}`}`);
    expect(parcels).toHaveLength(2);
    seen.push(parcels[0]!.fulfillmentOrderId);
    if (next === undefined) break;
    after = next;
  }
  expect(seen).toEqual(orders);
});

it('is for keys of group fulfillment that see the node, with the orders of their stores; a day must exist', async () => {
  const here = await town.credential({ nodeIds: ['TOWN-Store001'] });
  expect((await read('', here)).parcels.length).toBeGreaterThan(0);
  const [all, us, ca] = [
    await read(),
    await read('', await town.credential({ storeIds: ['TOWN_US'] })),
    await read('', await town.credential({ storeIds: ['TOWN_CA'] })),
  ];
  const ids = ({ parcels }: Manifest) =>
    parcels.map(({ fulfillmentOrderId, boxId }) => `${fulfillmentOrderId} ${boxId}`);
  expect([...ids(us), ...ids(ca)].sort()).toEqual(ids(all).sort());
  expect(us.parcels.length).toBeGreaterThanOrEqual(6);
  const own = (
    await town.store.read((db) =>
      db.selectFrom('fulfillment_orders').select('fulfillment_order_id').where('store_id', '=', 'TOWN_CA').execute(),
    )
  ).map((row) => row.fulfillment_order_id);
  expect(us.parcels.filter(({ fulfillmentOrderId }) => own.includes(fulfillmentOrderId))).toEqual([]);
  for (const narrowing of [{ nodeIds: ['TOWN-DC001'] }, { groups: ['items'] }]) {
    const answer = await (await town.credential(narrowing)).get(MANIFEST);
    expect(answer.body).toMatchObject({ code: 'ACCESS_DENIED' });
  }
  expect((await town.client.get(`${MANIFEST}?date=2026-02-30`)).status).toBe(400);
});
