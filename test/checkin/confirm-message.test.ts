import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeOrder, pickupOrder } from '../orders/place.ts';
import { ownStatuses } from '../packing/slips.ts';
import { withPlantedFault } from '../support/backroom.ts';
import { ALL, type Dock, line, message, openDock, pack, pathOf } from './arrivals.ts';

let dock: Dock;
beforeAll(async () => {
  dock = await openDock();
});
afterAll(() => dock.close());

// Written by hand from docs/interface.md#confirm-check-in, so that the test does not repeat the source.
const REQUIRED_PLACES = [
  '/modifyAssociateId',
  '/fulfillmentOrder',
  '/fulfillmentOrder/action',
  '/fulfillmentOrder/storeId',
  '/fulfillmentOrder/nodeId',
  '/fulfillmentOrder/fulfillmentOrderId',
  '/fulfillmentOrder/holdLocation',
  '/fulfillmentOrder/checkInPackages',
  '/fulfillmentOrder/checkInPackages/0/checkInPackageId',
  '/fulfillmentOrder/checkInPackages/0/checkInPackageItems',
  '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/0/itemId',
  '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/0/webLineId',
  '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/0/quantity',
  '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/0/checkInQuantity',
  '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/0/checkInCanceledQuantity',
];
const ITEM = '/fulfillmentOrder/checkInPackages/0/checkInPackageItems/0';

describe('check-in request fields', () => {
  beforeAll(() => dock.arriving('m1'));

  it.each(REQUIRED_PLACES)('%s is required', async (pointer) => {
    const body = message('m1', 'CONFIRM', structuredClone(ALL)) as unknown as Json;
    const { parent, name } = locate(body, pointer);
    Reflect.deleteProperty(parent, name);
    const answer = await dock.send('m1', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ pointer, rule: 'required' }]);
  });

  it.each(REQUIRED_PLACES)('%s of another type is rejected', async (pointer) => {
    const body = message('m1', 'CONFIRM', structuredClone(ALL)) as unknown as Json;
    const { parent, name } = locate(body, pointer);
    for (const value of [true, null]) {
      parent[name] = value as never;
      const answer = await dock.send('m1', body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].pointer).toBe(pointer);
      if (value === null) expect(answer.body.errors[0].rule).toBe('required');
    }
  });

  it.each([
    ['/modifyAssociateId', 64, 65],
    ['/modifyAssociateId', 1, 0],
    ['/fulfillmentOrder/holdLocation', 40, 41],
    ['/fulfillmentOrder/holdLocation', 1, 0],
  ])('%s takes %i characters, not %i', async (pointer, good, bad) => {
    const id = `limit-${pointer.length}-${bad}`;
    await dock.arriving(id);
    const body = message(id, 'CONFIRM', structuredClone(ALL)) as unknown as Json;
    const { parent, name } = locate(body, pointer);
    parent[name] = 'x'.repeat(bad) as never;
    expect((await dock.send(id, body)).body.errors).toMatchObject([{ pointer }]);
    parent[name] = 'x'.repeat(good) as never;
    expect((await dock.send(id, body)).status).toBe(204);
  });

  it.each([
    [`${ITEM}/checkInQuantity`, -1, 'minimum'],
    [`${ITEM}/checkInQuantity`, 1.5, 'type'],
    [`${ITEM}/checkInQuantity`, '1', 'type'],
    [`${ITEM}/checkInQuantity`, 100_000, 'maximum'],
    [`${ITEM}/checkInCanceledQuantity`, -1, 'minimum'],
    [`${ITEM}/checkInCanceledQuantity`, 1e300, 'maximum'],
    [`${ITEM}/quantity`, 0, 'minimum'],
    ['/fulfillmentOrder/action', 'confirm', 'enum'],
    ['/fulfillmentOrder/action', 'RESET', 'enum'],
    ['/fulfillmentOrder/holdLocation', ' A1', 'pattern'],
    ['/fulfillmentOrder/fulfillmentType', 'SHIP_TO_HOME', 'enum'],
  ])('%s rejects %j', async (pointer, value, rule) => {
    const body = message('m1', 'CONFIRM', structuredClone(ALL)) as unknown as Json;
    const { parent, name } = locate(body, pointer);
    parent[name] = value as never;
    expect((await dock.send('m1', body)).body.errors).toMatchObject([{ pointer, rule }]);
  });

  it('modifyAssociatedId is read as modifyAssociateId', async () => {
    await dock.arriving('m2');
    const { modifyAssociateId, ...rest } = message('m2', 'UPDATE', ALL);
    expect((await dock.send('m2', { ...rest, modifyAssociatedId: modifyAssociateId })).status).toBe(204);
    expect(await dock.events('m2')).toMatchObject([{ data: { modifyAssociateId: 'bo' } }]);
    const both = await dock.send('m2', { ...rest, modifyAssociateId: 'bo', modifyAssociatedId: 'ada' });
    expect(both.body.errors).toMatchObject([{ pointer: '/modifyAssociatedId', rule: 'spelling' }]);
  });

  it('an unknown field is rejected with the nearest known name, and ignored with handling=lenient', async () => {
    const body = message('m1', 'UPDATE', [pack('P1', line('1', 2, 1))], { holdLocaton: 'A1' });
    const answer = await dock.send('m1', body);
    expect(answer.body.errors[0].message).toContain('holdLocation');
    const headers = { apiKey: dock.keys.all, prefer: 'handling=lenient' };
    const lenient = await dock.call({ method: 'POST', path: pathOf('m1'), body, headers });
    expect([lenient.status, lenient.headers['ignored-members']]).toEqual([204, '/fulfillmentOrder/holdLocaton']);
  });

  it('the response of the details can be sent back', async () => {
    await dock.arriving('m3');
    await dock.update('m3', ALL);
    const { fulfillmentOrder } = (await dock.read('m3')).body;
    const send = (action: string, members: object = {}) =>
      dock.send('m3', { modifyAssociateId: 'bo', fulfillmentOrder: { ...fulfillmentOrder, action, ...members } });
    const before = await dock.stands('m3');
    expect((await send('UPDATE')).status).toBe(204);
    expect(await dock.stands('m3')).toEqual(before);
    expect((await send('CONFIRM', { holdLocation: 'A1' })).status).toBe(204);
    const confirmed = (await dock.read('m3')).body.fulfillmentOrder;
    const again = { modifyAssociateId: 'bo', fulfillmentOrder: { ...confirmed, action: 'CONFIRM' } };
    expect((await dock.send('m3', again)).status).toBe(204);
  });

  it('broken, deeply nested and malicious bodies are rejected', async () => {
    const raw = (text: string) =>
      dock.call({ method: 'POST', path: pathOf('m1'), raw: text, headers: { apiKey: dock.keys.all } });
    const bad = ['', '[', '[]', 'null', '{"a":"\\u0000"}', '{"__proto__":{}}', '['.repeat(20_000), '{"a":1,"a":2}'];
    for (const text of bad) expect((await raw(text)).status).toBe(400);
  });
});

describe('check-in confirm statuses', () => {
  it('are 204, 400 and 500 beside those common to all operations', () => {
    expect(ownStatuses('confirmCheckIn')).toEqual([204, 400, 500]);
  });

  it('an error of the service itself is 500 with an error record, and nothing is saved', async () => {
    await dock.arriving('s1');
    await dock.breakSettings('{');
    const answer = await withPlantedFault(() => dock.confirm('s1', ALL));
    expect([answer.status, answer.body.category, answer.body.code]).toEqual([500, 'INTERNAL', 'INTERNAL']);
    await dock.breakSettings('{}');
    expect((await dock.stands('s1')).status).toBe(1300);
    expect((await dock.confirm('s1', ALL)).status).toBe(204);
  });
});

describe('check-in confirm and any JSON', () => {
  it('is 204 or 400 for any value in any field, and a rejected message changes nothing', async () => {
    await dock.arriving('any');
    const places = [...REQUIRED_PLACES, `${ITEM}/checkInCancellationReasonCode`, '/fulfillmentOrder/unknown'];
    const action = fc.constantFrom('CONFIRM', 'UPDATE');
    await fc.assert(
      fc.asyncProperty(action, fc.constantFrom(...places), fc.jsonValue(), async (name, pointer, value) => {
        const body = message('any', name, structuredClone(ALL)) as unknown as Json;
        const { parent, name: member } = locate(body, pointer);
        parent[member] = value as never;
        const before = await dock.stands('any');
        const { status } = await dock.send('any', body);
        expect([204, 400]).toContain(status);
        if (status === 400) expect(await dock.stands('any')).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });
});

describe('check-in confirm access', () => {
  beforeAll(() => dock.arriving('a1'));
  const body = () => message('a1', 'CONFIRM', ALL);

  it('without an apiKey, or with a wrong one, it is 403', async () => {
    const none = await dock.call({ method: 'POST', path: pathOf('a1'), body: body() });
    expect([none.status, none.body.code]).toEqual([403, 'CREDENTIALS_MISSING']);
    const wrong = await dock.send('a1', body(), { apiKey: 'br_C1_0_x' });
    expect([wrong.status, wrong.body.code]).toEqual([403, 'CREDENTIALS_INVALID']);
  });

  it('a store or node that is not the caller’s is 403, whether it exists or not', async () => {
    for (const place of ['S9/nodes/N1', 'S-none/nodes/N1', 'S1/nodes/N9', 'S1/nodes/N-none']) {
      const answer = await dock.send('a1', body(), { path: `/stores/${place}/fulfillmentOrders/a1/checkin` });
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    const path = '/stores/S1/nodes/N2/fulfillmentOrders/a1/checkin';
    expect((await dock.send('a1', body(), { path, apiKey: dock.keys.onlyN1 })).status).toBe(403);
    expect((await dock.send('a1', body(), { apiKey: dock.keys.other })).status).toBe(403);
  });

  it('a missing order and one of another store, node or client look the same: 400 NOT_FOUND', async () => {
    for (const [store, node, id, apiKey] of [
      ['S1', 'N1', 'gone', dock.keys.all],
      ['S2', 'N1', 'a1', dock.keys.all],
      ['S1', 'N2', 'a1', dock.keys.all],
      ['S9', 'N9', 'a1', dock.keys.other],
    ] as const) {
      const path = `/stores/${store}/nodes/${node}/fulfillmentOrders/${id}/checkin`;
      const sent = message(id, 'CONFIRM', ALL, { storeId: store, nodeId: node });
      const answer = await dock.send(id, sent, { path, apiKey });
      expect([answer.status, answer.body.category, answer.body.code]).toEqual([400, 'RESOURCE', 'NOT_FOUND']);
      expect(answer.body.description).toBe(
        `There is no fulfillment order "${id}" of store "${store}" at node "${node}".`,
      );
    }
    expect((await dock.stands('a1')).status).toBe(1300);
  });

  it('an order of another fulfillment type is a 400 with code CONFLICT', async () => {
    await dock.intake([homeOrder('home'), pickupOrder('pickup')]);
    for (const id of ['home', 'pickup']) {
      const answer = await dock.confirm(id, ALL);
      expect([answer.status, answer.body.code]).toEqual([400, 'CONFLICT']);
    }
  });
});

type Json = { [name: string]: Json };

function locate(body: Json, pointer: string): { parent: Json; name: string } {
  const steps = pointer.split('/').slice(1);
  const name = steps.pop()!;
  return { parent: steps.reduce((inner, step) => inner[step]!, body), name };
}
