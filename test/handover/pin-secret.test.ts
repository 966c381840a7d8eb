/**
 * If a client requires PINs, a caller learns only from a hand-over whether a PIN is correct, and the service counts
 * the wrong PINs of hand-overs (docs/interface.md#hand-over-and-delivery).
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import { stringifyJson } from '../../src/platform/message/json.ts';
import { pickupOrder } from '../orders/place.ts';
import { ALL, type Counter, confirmPath, item, LINES, message, openCounter, PIN, unlockPath } from './counter.ts';

let counter: Counter;
let supervisor: string;
let associate: string;
const key = async (groups: string[], members: object = {}) => {
  const body = { label: 'x', groups, ...members };
  return (await counter.operator('POST', '/operator/v1/clients/C1/credentials', body)).body.apiKey as string;
};
beforeAll(async () => {
  counter = await openCounter();
  supervisor = await key(['supervise']);
  associate = await key(['fulfillment']);
  await counter.settings({ pin: { required: true } });
});
afterAll(() => counter.close());

const withPin = (id: string, members: Partial<OrderIntake> = {}) => counter.ready(id, { pinNumber: PIN, ...members });
const say = (id: string, pinNumber: string) => counter.hand(id, ALL, { pinNumber });
const queue = (filters: object = {}) => counter.queue('WAITING_FOR_CUSTOMER_PICK', filters as Record<string, unknown>);
const attempts = async (id: string) => (await counter.stands(id)).attempts;
const asKey = (id: string, pinNumber: string, idempotencyKey: string, items: unknown = ALL) =>
  counter.call({
    method: 'PUT',
    path: confirmPath,
    body: message(id, items, { pinNumber }),
    headers: { apiKey: associate, 'idempotency-key': idempotencyKey },
  });
/** Returns every part of a response by which a caller can distinguish two responses. */
const visible = ({ status, text, headers }: Awaited<ReturnType<typeof say>>) =>
  [status, text.replaceAll(headers['x-request-id'] ?? ' ', ''), headers['idempotent-replayed']] as const;

describe('a PIN that the client requires', () => {
  it('is in no response: neither the queue search, nor the order, nor its pickup details have pinNumber', async () => {
    await withPin('unseen');
    const found = await queue({ fulfillmentOrderId: 'unseen' });
    expect(found.body.fulfillmentOrders).toHaveLength(1);
    const read = await counter.call({
      method: 'GET',
      path: '/operator/v1/stores/S1/fulfillmentOrders/unseen',
      headers: { apiKey: counter.keys.all },
    });
    expect(read.status).toBe(200);
    for (const answer of [found, read, await counter.details('unseen')]) {
      expect(answer.text).not.toContain('pinNumber');
      expect(answer.text).not.toContain(PIN);
    }
  });

  it('is no filter: a search by pinNumber is a 400 that says so, alike for a right and a wrong one', async () => {
    await withPin('unfound');
    const right = await queue({ pinNumber: PIN });
    expect(right.status).toBe(400);
    expect(right.body.errors).toMatchObject([
      { pointer: '/pinNumber', message: expect.stringContaining('pin.required') as string },
    ]);
    expect(visible(await queue({ pinNumber: '0000' }))).toEqual(visible(right));
    expect((await queue()).status).toBe(200);
  });

  it('is not compared when an order is sent again: a right and a wrong one get the same response', async () => {
    const order = pickupOrder('again', { lines: LINES, pinNumber: PIN });
    expect((await counter.intake(order)).status).toBe(201);
    const right = await counter.intake(order);
    expect(right.status).toBe(200);
    const { pinNumber: _none, ...without } = order;
    for (const other of [{ ...order, pinNumber: '0000' }, without]) {
      expect(visible(await counter.intake(other))).toEqual(visible(right));
    }
    const elsewhere = { omsOrderId: 'another' };
    const differs = await counter.intake({ ...order, ...elsewhere });
    expect([differs.status, differs.text.includes('pinNumber')]).toEqual([409, false]);
    expect(visible(await counter.intake({ ...order, ...elsewhere, pinNumber: '0000' }))).toEqual(visible(differs));
  });

  it('makes two new orders under one id in a call different, without its value', async () => {
    const order = pickupOrder('twins', { lines: LINES, pinNumber: PIN });
    const answer = await counter.intake([order, { ...order, pinNumber: '0000' }]);
    expect([answer.status, answer.body.errors]).toMatchObject([
      400,
      [{ pointer: '/1/fulfillmentOrderId', rule: 'unique', message: expect.stringContaining('(pinNumber)') }],
    ]);
    expect(answer.text).not.toMatch(/0000|4711/);
  });

  it('cannot be probed with an Idempotency-Key: the same key with another PIN gets the same stored response', async () => {
    await withPin('replayed');
    const some = [item('1', 1)];
    expect((await asKey('replayed', PIN, 'k-replayed', some)).status).toBe(204);
    const right = await asKey('replayed', PIN, 'k-replayed', some);
    expect(visible(await asKey('replayed', '0000', 'k-replayed', some))).toEqual(visible(right));
    expect((await asKey('replayed', PIN, 'k-replayed', [item('1', 2)])).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const intake = (pinNumber: string) =>
      counter.call({
        method: 'POST',
        path: '/operator/v1/stores/S1/fulfillmentOrders',
        body: pickupOrder('keyed', { lines: LINES, pinNumber }),
        headers: { apiKey: counter.keys.all, 'idempotency-key': 'k-intake' },
      });
    expect((await intake(PIN)).status).toBe(201);
    expect(visible(await intake('0000'))).toEqual(visible(await intake(PIN)));
  });

  it('is in the hashes of 0.1.0: a key of that release still gets its stored response, and another body is rejected', async () => {
    await withPin('of-before');
    const first = await asKey('of-before', PIN, 'k-before');
    expect(first.status).toBe(204);
    const body = message('of-before', ALL, { pinNumber: PIN });
    const hash = createHash('sha256').update(stringifyJson(body)).digest('hex');
    await counter.store.write((tx) =>
      tx.updateTable('idempotency_keys').set({ body_hash: hash }).where('key', '=', 'k-before').execute(),
    );
    expect(visible(await asKey('of-before', PIN, 'k-before'))).toEqual([204, '', 'true']);
    expect((await asKey('of-before', '0000', 'k-before')).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('counts each time when it is wrong, also under one Idempotency-Key, up to the lock', async () => {
    await withPin('keyed-wrong');
    const codes = [];
    for (let index = 0; index < 6; index += 1) codes.push((await asKey('keyed-wrong', '0000', 'k-wrong')).body.code);
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'WRONG_PIN'), 'PIN_LOCKED']);
    expect(await attempts('keyed-wrong')).toBe(5);
  });

  it('is not checked in a message with other errors: right and wrong get the same response', async () => {
    await withPin('faulty');
    const bad = [item('1', 9), item('nine', 1)];
    for (const items of [bad, [], 'x']) {
      const right = await counter.hand('faulty', items, { pinNumber: PIN });
      expect(right.body.code).toBe('INVALID_REQUEST');
      expect(visible(await counter.hand('faulty', items, { pinNumber: '0000' }))).toEqual(visible(right));
    }
    expect(await attempts('faulty')).toBe(0);
  });

  it('is not checked in a repeated hand-over, nor in one of an order that is not ready', async () => {
    await withPin('done');
    const hand = (pinNumber: string) => counter.hand('done', [item('1', 1)], { pinNumber, handOverId: 'h1' });
    expect((await hand(PIN)).status).toBe(204);
    expect(visible(await hand('0000'))).toEqual(visible(await hand(PIN)));
    const other = (pinNumber: string) => counter.hand('done', [item('1', 2)], { pinNumber, handOverId: 'h1' });
    expect((await other(PIN)).status).toBe(409);
    expect(visible(await other('0000'))).toEqual(visible(await other(PIN)));
    await counter.ready('not-ready', { pinNumber: PIN }, 1100);
    expect(visible(await say('not-ready', '0000'))).toEqual(visible(await say('not-ready', PIN)));
    expect([await attempts('done'), await attempts('not-ready')]).toEqual([0, 0]);
  });

  it('is not checked while it is locked', async () => {
    await withPin('locked');
    for (let index = 0; index < 5; index += 1) await say('locked', '0000');
    expect(visible(await say('locked', '0000'))).toEqual(visible(await say('locked', PIN)));
  });
});

describe('without the setting', () => {
  it('the queue search shows the PIN and finds orders by it', async () => {
    await counter.settings({});
    await withPin('open');
    const found = await queue({ pinNumber: PIN, fulfillmentOrderId: 'open' });
    expect(found.body.fulfillmentOrders).toMatchObject([{ fulfillmentOrderId: 'open', pinNumber: PIN }]);
    expect((await queue({ pinNumber: '0000' })).body.fulfillmentOrders).toEqual([]);
    await counter.settings({ pin: { required: true } });
  });

  it('an order that is sent again with another PIN has other content', async () => {
    await counter.settings({});
    const order = pickupOrder('differs', { lines: LINES, pinNumber: PIN });
    await counter.intake(order);
    const again = await counter.intake({ ...order, pinNumber: '0000' });
    expect([again.status, again.body.differs]).toMatchObject([409, [{ members: ['pinNumber'] }]]);
    await counter.settings({ pin: { required: true } });
  });
});

describe('unlocking a PIN', () => {
  const unlock = (id: string, apiKey: string, name = 'mara') =>
    counter.call({
      method: 'POST',
      path: unlockPath(id),
      body: { nodeId: 'N1', modifyAssociateId: name },
      headers: { apiKey },
    });
  const lock = async (id: string) => {
    for (let index = 0; index < 5; index += 1) await say(id, '0000');
  };

  it('needs group supervise: the key that hands over cannot unlock the PIN that it guessed', async () => {
    await withPin('guessed');
    await lock('guessed');
    const refused = await unlock('guessed', associate);
    expect([refused.status, refused.body.code]).toEqual([403, 'ACCESS_DENIED']);
    expect(refused.body.detail).toContain('supervise');
    expect((await say('guessed', PIN)).body.code).toBe('PIN_LOCKED');
    expect((await unlock('guessed', supervisor)).status).toBe(204);
    expect((await say('guessed', PIN)).status).toBe(204);
  });

  it('is counted: after 3 unlocks without the right PIN, the PIN unlocks only when the lock time ends', async () => {
    await withPin('often');
    for (let times = 1; times <= 3; times += 1) {
      await lock('often');
      expect((await unlock('often', supervisor)).status).toBe(204);
      expect((await counter.events('often')).at(-1)).toEqual({
        type: 'order.pinUnlocked',
        data: { modifyAssociateId: 'mara', attempts: 5, unlocks: times },
      });
    }
    await lock('often');
    const refused = await unlock('often', supervisor);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    const now = counter.clock.now;
    counter.clock.now = now + 15 * 60_000;
    expect((await counter.hand('often', [item('1', 1)], { pinNumber: PIN })).status).toBe(204);
    await lock('often');
    expect((await unlock('often', supervisor)).status).toBe(204);
    counter.clock.now = now;
  });
});
