import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pickupOrder, storeOrder } from '../orders/place.ts';
import { withPlantedFault } from '../support/backroom.ts';
import { breakContacts, FULL, openShop, ownStatuses, request, type Shop } from './slips.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

describe('pack slip request', () => {
  beforeAll(() => shop.pickedOrder('req', [3, 2], FULL));

  it.each(['storeId', 'nodeId', 'modifyAssociateId', 'fulfillmentOrderId'])('%s is required', async (member) => {
    const rest = Object.fromEntries(Object.entries(request('req')).filter(([name]) => name !== member));
    const answer = await shop.generate('req', rest);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.body.errors).toMatchObject([{ pointer: `/${member}`, rule: 'required' }]);
  });

  it.each(['storeId', 'nodeId', 'modifyAssociateId', 'fulfillmentOrderId'])('%s is a string', async (member) => {
    const answer = await shop.generate('req', { ...request('req'), [member]: 7 });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ pointer: `/${member}`, rule: 'type' }]);
  });

  it.each([
    ['modifyAssociateId', 64],
    ['nodeId', 40],
  ])('%s takes 1 to %i characters', async (member, most) => {
    const send = (value: string) => shop.generate('req', { ...request('req'), [member]: value });
    // A node id of 40 characters passes the schema, but the credential has no access to such a node.
    expect((await send('x'.repeat(most))).status).toBe(member === 'nodeId' ? 403 : 200);
    expect((await send('x'.repeat(most + 1))).body.errors).toMatchObject([{ rule: 'maxLength', limit: most }]);
    expect((await send('')).body.errors).toMatchObject([{ rule: 'minLength' }]);
  });

  it('modifyAssociatedId is read as modifyAssociateId', async () => {
    const { modifyAssociateId, ...rest } = request('req');
    expect((await shop.generate('req', { ...rest, modifyAssociatedId: modifyAssociateId })).status).toBe(200);
    const answer = await shop.generate('req', { ...request('req'), modifyAssociatedId: 'another' });
    expect(answer.body.errors).toMatchObject([{ pointer: '/modifyAssociatedId', rule: 'spelling' }]);
  });

  it('storeId and fulfillmentOrderId must be those of the path, and one response lists every error', async () => {
    const answer = await shop.generate('req', { ...request('other'), storeId: 'S2' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer)).toEqual([
      '/storeId',
      '/fulfillmentOrderId',
    ]);
    const wrong = await shop.generate('req', { storeId: 1, nodeID: 'N1' });
    expect(wrong.body.errorsTotal).toBe(5);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`m${index}`, 1]));
    expect((await shop.generate('req', { ...request('req'), ...many })).body.errorsTotal).toBe('100+');
  });

  it('an unknown field is rejected with the nearest known name', async () => {
    const answer = await shop.generate('req', { ...request('req'), modifyAssociate: 'bo' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toContain('modifyAssociateId');
  });

  it('a body that is no object, empty or broken is rejected', async () => {
    for (const body of [[], 'x', 1, null]) expect((await shop.generate('req', body as object)).status).toBe(400);
    const path = '/stores/S1/fulfillmentOrders/req/packslip/generate';
    const send = (raw: string) => shop.call({ method: 'POST', path, raw, headers: { apiKey: shop.keys.all } });
    for (const raw of ['', '{', '{"storeId":"\\u0000"}', '{"__proto__":1}']) expect((await send(raw)).status).toBe(400);
  });
});

describe('pack slip access', () => {
  beforeAll(async () => {
    await shop.pickedOrder('acc', [3, 2], FULL);
  });

  it('without an apiKey, or with a wrong one, it is 403', async () => {
    const path = '/stores/S1/fulfillmentOrders/acc/packslip/generate';
    const none = await shop.call({ method: 'POST', path, body: request('acc') });
    expect([none.status, none.body.code]).toEqual([403, 'CREDENTIALS_MISSING']);
    const wrong = await shop.generate('acc', request('acc'), { apiKey: 'br_C1_0_x' });
    expect([wrong.status, wrong.body.code]).toEqual([403, 'CREDENTIALS_INVALID']);
  });

  it('another client’s store is 403, whether it exists or not', async () => {
    for (const storeId of ['S9', 'S-none']) {
      const path = `/stores/${storeId}/fulfillmentOrders/acc/packslip/generate`;
      const answer = await shop.generate('acc', { ...request('acc'), storeId }, { path });
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
  });

  it('a node that is not the caller’s is 403, whether it exists or not', async () => {
    for (const nodeId of ['N9', 'N-none']) {
      const answer = await shop.generate('acc', { ...request('acc'), nodeId });
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    const narrowed = await shop.generate('acc', { ...request('acc'), nodeId: 'N2' }, { apiKey: shop.keys.onlyN1 });
    expect([narrowed.status, narrowed.body.code]).toEqual([403, 'ACCESS_DENIED']);
  });

  it('a missing order and one of another store, node or client look the same: 400 NOT_FOUND', async () => {
    const ask = async (id: string, storeId = 'S1', nodeId = 'N1', apiKey = shop.keys.all) => {
      const path = `/stores/${storeId}/fulfillmentOrders/${id}/packslip/generate`;
      const answer = await shop.generate(id, { ...request(id), storeId, nodeId }, { apiKey, path });
      expect([answer.status, answer.body.category, answer.body.code]).toEqual([400, 'RESOURCE', 'NOT_FOUND']);
      return answer.body.description as string;
    };
    expect(await ask('gone')).toContain('"gone"');
    expect(await ask('acc', 'S2')).toContain('"S2"');
    expect(await ask('acc', 'S1', 'N2')).toContain('"N2"');
    expect(await ask('acc', 'S9', 'N9', shop.keys.other)).toContain('"acc"');
    expect(await ask('x'.repeat(40))).toContain('xxx');
  });
});

describe('pack slip statuses', () => {
  it('are 200, 400 and 500 beside those common to all operations', () => {
    expect(ownStatuses('generatePackSlip')).toEqual([200, 400, 500]);
  });

  it('an error of the service itself is 500 with an error record, and no slip is made', async () => {
    await shop.pickedOrder('broken', [3, 2], FULL);
    await breakContacts(shop, 'broken');
    const answer = await withPlantedFault(() => shop.generate('broken'));
    expect([answer.status, answer.body.category, answer.body.code]).toEqual([500, 'INTERNAL', 'INTERNAL']);
    const slips = await shop.store.read((db) =>
      db
        .selectFrom('pack_slips')
        .selectAll()
        .where('client_id', '=', 'C1')
        .where('fulfillment_order_id', '=', 'broken')
        .execute(),
    );
    expect(slips).toEqual([]);
  });
});

describe('pack slip and the state of the order', () => {
  it.each([
    [1100, 'refused'],
    [1150, 'refused'],
    [1200, 'answered'],
    [3700, 'answered'],
    [9000, 'refused'],
    [9100, 'refused'],
  ] as const)('at %i it is %s', async (status, outcome) => {
    const id = `state-${status}`;
    await shop.pickedOrder(id, [3, 2], FULL);
    if (status === 1150) {
      await shop.store.write((tx) =>
        tx
          .updateTable('fulfillment_orders')
          .set({ status, pick_ticket_id: '1' })
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', id)
          .execute(),
      );
    } else await shop.setState(id, status);
    const answer = await shop.generate(id);
    if (outcome === 'answered') {
      expect(answer.status).toBe(200);
      expect(answer.body.packSlipDetails[0].fulfillmentOrder.status).toBe(String(status));
    } else {
      expect([answer.status, answer.body.category, answer.body.code]).toEqual([400, 'STATE', 'CONFLICT']);
      expect(answer.body.description).toContain(`status ${status}`);
    }
  });

  it('the error for an order that is not picked names the next step', async () => {
    await shop.pickedOrder('todo', [3, 2], FULL);
    await shop.setState('todo', 1100);
    expect((await shop.generate('todo')).body.description).toMatch(
      /Waiting for pick; first generate and confirm the pick ticket/,
    );
  });

  it('only SHIP_TO_HOME orders have a pack slip', async () => {
    await shop.intake([pickupOrder('pickup'), storeOrder('sts')]);
    for (const id of ['pickup', 'sts']) {
      const answer = await shop.generate(id);
      expect([answer.status, answer.body.code]).toEqual([400, 'CONFLICT']);
      expect(answer.body.description).toContain('only SHIP_TO_HOME');
    }
  });
});

describe('pack slip id', () => {
  it('starts at 500001 and rises by one', async () => {
    const fresh = await openShop();
    try {
      for (const id of ['a', 'b']) await fresh.pickedOrder(id, [3, 2], FULL);
      expect([(await fresh.slip('a')).packSlipId, (await fresh.slip('b')).packSlipId]).toEqual(['500001', '500002']);
    } finally {
      await fresh.close();
    }
  });

  it('stays the same while nothing on the slip changes, for any associate', async () => {
    await shop.pickedOrder('same', [3, 2], FULL);
    const first = await shop.generate('same');
    shop.clock.now += 3_600_000;
    const again = await shop.generate('same', { ...request('same'), modifyAssociateId: 'ada' });
    expect(again.text).toBe(first.text);
  });

  it('is a new one after a change of the values on the slip', async () => {
    await shop.pickedOrder('changed', [3, 2], FULL);
    const before = await shop.slip('changed');
    await shop.setState('changed', 3700);
    const after = await shop.slip('changed');
    expect(after.packSlipId).not.toBe(before.packSlipId);
    await shop.setState('changed', 1200);
    expect((await shop.slip('changed')).packSlipId).toBe(before.packSlipId);
  });

  it('is the same for all concurrent requests', async () => {
    await shop.pickedOrder('race', [3, 2], FULL);
    const slips = await Promise.all(Array.from({ length: 10 }, () => shop.slip('race')));
    expect(new Set(slips.map((slip) => slip.packSlipId)).size).toBe(1);
  });

  it('is recorded once, with the associate who made the slip and no customer', async () => {
    await shop.pickedOrder('event', [3, 2], FULL);
    const { packSlipId } = await shop.slip('event');
    await shop.slip('event');
    const events = await shop.store.read((db) =>
      db
        .selectFrom('events')
        .selectAll()
        .where('client_id', '=', 'C1')
        .where('resource_id', '=', 'event')
        .where('type', '=', 'order.packSlipGenerated')
        .execute(),
    );
    expect(events.map((event) => JSON.parse(event.data))).toEqual([{ packSlipId, modifyAssociateId: 'bo' }]);
  });

  it('generating leaves the state and the queue of the order as they are', async () => {
    await shop.pickedOrder('stays', [3, 2], FULL);
    const row = () =>
      shop.store.read((db) =>
        db
          .selectFrom('fulfillment_orders')
          .selectAll()
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', 'stays')
          .executeTakeFirstOrThrow(),
      );
    const before = await row();
    await shop.slip('stays');
    expect(await row()).toEqual(before);
  });
});
