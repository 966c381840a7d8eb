/** Units that are declined in packing: a message with an id takes effect once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Flow, openFlow } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

/** Returns the units of the first line, on hand and declined. */
const firstLine = async (orderId: string) => {
  const [line] = await town.units(orderId);
  return [line![1], line![4]];
};

it('a decline that is sent again under its declineId gets the first response again, also after later changes of the order', async () => {
  const order = await town.picked('SHIP_TO_HOME', [3, 1]);
  const decline = () => town.decline(order, { 1: 1 }, { declineId: 'D1' });
  const first = await decline();
  expect(first.status, first.text).toBe(200);
  expect(await firstLine(order)).toEqual([2, 1]);
  expect((await town.decline(order, { 1: 1 }, { declineId: 'D2' })).status).toBe(200);
  expect((await town.decline(order, { 1: 1, 2: 1 }, { declineId: 'D3' })).body.status).toBe('9100');
  const again = await decline();
  expect([again.status, again.text, again.headers['etag']]).toEqual([200, first.text, first.headers['etag']]);
  expect(first.headers['etag']).toMatch(/^"\d+"$/);
  expect(await firstLine(order)).toEqual([0, 3]);
});

it('a decline of units or orders that is sent again after its reason was removed gets the first response again', async () => {
  const [picked, waiting] = [await town.picked('SHIP_TO_HOME', [3, 1]), await town.make('SHIP_TO_HOME')];
  const decline = () => town.decline(picked, { 1: 1 }, { declineId: 'GONE' });
  const declineAll = () =>
    town.client.post('/operator/v1/clients/TOWN/nodes/TOWN-Store001/decline', {
      declineId: 'GONE',
      userId: 'mara',
      reasonCode: 'CancelInventoryDiscrepancy',
      fulfillmentOrderIds: [waiting],
    });
  const first = [await decline(), await declineAll()];
  expect(first.map(({ status }) => status)).toEqual([200, 200]);
  const path = '/operator/v1/clients/TOWN';
  const { body } = await town.operator('GET', path);
  const cancelReasons = [{ code: 'OTHER', description: 'Other' }];
  await town.operator('PUT', path, { ...body, settings: { ...body.settings, cancelReasons } });
  const again = [await decline(), await declineAll()];
  expect((await town.decline(picked, { 1: 1 })).status).toBe(400);
  await town.operator('PUT', path, body);
  expect(again.map(({ status, text }) => [status, text])).toEqual(first.map(({ status, text }) => [status, text]));
});

it('other content under the same declineId is a 409 and declines nothing; another order has its own ids', async () => {
  const order = await town.picked('SHIP_TO_HOME', [3, 1]);
  const other = await town.picked('SHIP_TO_HOME', [3, 1]);
  expect((await town.decline(order, { 1: 1 }, { declineId: 'D1' })).status).toBe(200);
  const refused = await town.decline(order, { 1: 2 }, { declineId: 'D1' });
  expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
  expect(refused.body.detail).toContain('declineId "D1" was used with other content');
  expect(await firstLine(order)).toEqual([2, 1]);
  expect((await town.decline(other, { 1: 2 }, { declineId: 'D1' })).status).toBe(200);
  expect(await firstLine(other)).toEqual([1, 2]);
});

it('a decline that was rejected leaves its declineId free', async () => {
  const order = await town.picked('SHIP_TO_HOME', [3, 1]);
  await town.decline(order, { 1: 1 });
  expect((await town.decline(order, { 1: 3 }, { declineId: 'D1' })).status).toBe(409);
  expect((await town.decline(order, { 1: 1 }, { declineId: 'D1' })).status).toBe(200);
});

it('without a declineId each message declines units', async () => {
  const order = await town.picked('SHIP_TO_HOME', [3, 1]);
  for (const _time of [1, 2]) expect((await town.decline(order, { 1: 1 })).status).toBe(200);
  expect(await firstLine(order)).toEqual([1, 2]);
});

it('of 16 concurrent requests with one declineId one declines the units, and all get the same response', async () => {
  const order = await town.picked('SHIP_TO_HOME', [3, 1]);
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => town.decline(order, { 1: 1 }, { declineId: 'RACE' })),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(200);
  expect(await firstLine(order)).toEqual([2, 1]);
  expect(await town.requestsOf(order)).toHaveLength(1);
});
