import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/backroom.ts';
import { type Flow, openFlow, STORE } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

const pathOf = (orderId: string) => `${STORE}/fulfillmentOrders/${orderId}`;
const read = (orderId: string) => town.client.get(pathOf(orderId));
const send = (orderId: string, action: string, body: object, ifMatch: string): Promise<Answer> =>
  town.client.post(`${pathOf(orderId)}/${action}`, body, { 'if-match': ifMatch });
const note = (changeId: string) => ({ changeId, userId: 'mara', note: `Note ${changeId}` });
const etagOf = ({ body }: Answer) => `"${String(body['revision'])}"`;

describe('a change of an order with If-Match', () => {
  it('is made at the revision that was read, also if a proxy has made the ETag weak', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP', 1400);
    const before = await read(orderId);
    expect(before.headers['etag']).toBe(etagOf(before));

    const first = await send(orderId, 'change', note('one'), etagOf(before));
    expect([first.status, first.headers['etag']]).toEqual([200, etagOf(first)]);
    expect(etagOf(first)).not.toBe(etagOf(before));

    const third = await send(orderId, 'change', note('three'), `W/${etagOf(first)}`);
    expect([third.status, (await send(orderId, 'change', note('four'), `W/${etagOf(first)}`)).status]).toEqual([
      200, 412,
    ]);
  });

  it('is not made at an older revision', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP', 1400);
    const before = await read(orderId);
    const first = await send(orderId, 'change', note('one'), etagOf(before));
    const second = await send(orderId, 'change', note('two'), etagOf(before));
    expect([second.status, second.headers['etag']]).toEqual([412, etagOf(first)]);
    expect(second.body).toMatchObject({
      title: 'Precondition Failed',
      code: 'REVISION_CHANGED',
      revision: first.body['revision'],
    });
    expect((await read(orderId)).body).toEqual((await read(orderId)).body);
    expect(etagOf(await read(orderId))).toBe(etagOf(first));
  });

  it('gets the first response again for the same changeId, whatever the revision is', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP', 1400);
    const tag = etagOf(await read(orderId));
    expect((await send(orderId, 'change', note('again'), tag)).status).toBe(200);
    expect((await send(orderId, 'change', note('again'), tag)).status).toBe(200);
  });

  it.each([
    ['STORE_PICK_UP', 1400, 'cancel', { reasonCode: 'CancelCustomerInitiated' }],
    ['STORE_PICK_UP', 1400, 'move', { moveId: 'm-1', userId: 'ana', holdLocation: 'TOP SHELF' }],
    [
      'SHIP_TO_HOME',
      1200,
      'decline',
      {
        nodeId: 'TOWN-Store001',
        modifyAssociateId: 'ana',
        lines: [{ webLineId: '1', quantity: 1, reasonCode: 'CancelInventoryDiscrepancy' }],
      },
    ],
  ] as const)('protects an order %s in %i from %s, and returns the new revision', async (type, state, action, body) => {
    const orderId = await town.orderIn(type, state);
    const before = await read(orderId);
    const rejected = await send(orderId, action, body, '"9999"');
    expect(rejected.status, rejected.text).toBe(412);
    expect((await read(orderId)).body).toEqual(before.body);
    const made = await send(orderId, action, body, etagOf(before));
    expect(made.status, made.text).toBe(200);
    expect(made.headers['etag']).toBe(etagOf(await read(orderId)));
  });

  it('takes any of several revisions, and * for each', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP', 1400);
    const several = `"1000", ${etagOf(await read(orderId))}`;
    expect((await send(orderId, 'change', note('three'), several)).status).toBe(200);
    expect((await send(orderId, 'change', note('four'), '*')).status).toBe(200);
  });

  it.each([
    ['7', 'an ETag without quotes'],
    ['w/"7"', 'a weak ETag in lower case'],
    ['"x"', 'another text'],
    ['', 'an empty header'],
    [Array.from({ length: 11 }, (_, n) => `"${n}"`).join(','), 'more than ten ETags'],
  ])('rejects %s: %s', async (value) => {
    const { status, body } = await send('100000000901001', 'change', note('five'), value);
    expect([status, body]).toMatchObject([400, { errors: [{ pointer: 'header:If-Match', rule: 'format' }] }]);
  });

  it('is a 400 where nothing compares revisions, so that nothing seems protected that is not', async () => {
    const node = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
    const { status, body } = await town.client.post(
      `${node}/stock/moves`,
      { moveId: 'm', userId: 'ana', moves: [] },
      { 'if-match': '"1"' },
    );
    expect([status, body]).toMatchObject([400, { errors: [{ pointer: 'header:If-Match' }] }]);
  });
});
