/**
 * Returns are deleted with the last of their orders. Returns without an order are anonymized, and deleted by their own
 * age.
 */
import { afterEach, expect, it } from 'vitest';
import { anonymizeOrder } from '../../src/orders/anonymize.ts';
import type { Ctx } from '../../src/platform/ctx.ts';
import { countRows } from '../../src/service/backup/content.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { contextOf } from '../support/context.ts';
import { AT, type Counter, openCounter, RETURNS, type Shown, shown } from './support.ts';

let town: Counter;
afterEach(() => town.close());

const TABLES = ['returns', 'return_lines', 'return_receipts', 'return_held', 'refunds'] as const;
const MUG = { itemId: '21-MUG-WHT', quantity: 1, condition: 'GOOD' };

async function take(takeId: string, lines: object[], more: object = {}): Promise<Shown> {
  const body = { takeId, number: takeId, userId: 'ana', storeId: 'TOWN_US', lines, ...more };
  const answer = await town.client.post(AT(), body);
  expect(answer.status, answer.text).toBe(201);
  return shown(answer);
}

async function days(count: number): Promise<void> {
  town.clock.now += count * 86_400_000;
  await town.server.runDue();
}

const broken = async () => (await ruleFindings(town.store)).filter(({ ok }) => !ok);

it('a return is deleted with the last of its orders, and one without an order as an order that ended when it was closed', async () => {
  town = await openCounter({ ORDER_DAYS: '30' });
  const first = await town.handed();
  await days(20);
  const second = await town.handed();
  await take('both', [
    { fulfillmentOrderId: first, webLineId: '1', quantity: 1, condition: 'GOOD' },
    { fulfillmentOrderId: second, webLineId: '1', quantity: 1, condition: 'OPENED' },
  ]);
  await take('blind', [MUG]);
  await days(11);
  expect((await town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${first}`)).status).toBe(404);
  const left = await town.client.get(`${RETURNS}/both`);
  expect(left.body).toMatchObject({ state: 'CLOSED', lines: [{ fulfillmentOrderId: first }, { held: 1 }] });
  expect((await town.client.get(`${RETURNS}/blind`)).status).toBe(200);
  expect(await broken()).toEqual([]);
  await days(20);
  expect((await town.client.get(`${RETURNS}/both`)).status).toBe(404);
  expect(await countRows(town.store, TABLES)).toEqual(Object.fromEntries(TABLES.map((table) => [table, 0])));
  expect(await broken()).toEqual([]);
});

it('a return without an order loses the reference and the notes of its customer after blankAfterDays', async () => {
  town = await openCounter();
  const secret = { customerRef: 'Ada-secret', note: 'secret words' };
  await take('alone', [{ ...MUG, note: 'secret line' }], secret);
  await days(179);
  expect((await town.client.get(`${RETURNS}/alone`)).body).toMatchObject(secret);
  await days(2);
  const left = await town.client.get(`${RETURNS}/alone`);
  expect(left.status).toBe(200);
  expect(left.text).not.toContain('secret');
});

it('a return of an order whose customer is forgotten keeps no note: neither a new one, nor one of a later receipt or match', async () => {
  town = await openCounter();
  const orderId = await town.handed([4]);
  const received = shown(await town.request(orderId, { 1: 1 }, { number: 'early' }));
  const secret = { customerRef: 'Ada-secret', note: 'secret words' };
  const blind = await take(
    'blind',
    [{ itemId: '21-SOAP-LAV', quantity: 1, condition: 'GOOD', note: 'secret' }],
    secret,
  );
  const order = await town.row(orderId);
  await town.store.write((db) => anonymizeOrder(contextOf(town, db) as Ctx, order));
  await take('late', [{ fulfillmentOrderId: orderId, webLineId: '1', quantity: 1, condition: 'GOOD' }], secret);
  const counted = { position: 1, quantity: 1, condition: 'GOOD', note: 'secret' };
  expect((await town.receive(received.returnId, 'a', [counted])).status).toBe(201);
  const lines = [{ position: 1, fulfillmentOrderId: orderId, webLineId: '1', quantity: 1 }];
  const matched = await town.client.post(`${AT()}/${blind.returnId}/match`, { matchId: 'm', userId: 'leo', lines });
  expect(matched.status, matched.text).toBe(200);
  await town.server.runDue();
  for (const number of ['early', 'blind', 'late']) {
    expect((await town.client.get(`${RETURNS}/${number}`)).text).not.toContain('secret');
  }
  // The service still recognizes the receipt.
  expect((await town.receive(received.returnId, 'a', [counted])).status).toBe(200);
  expect(await broken()).toEqual([]);
});

it('with the customer of an order the stored responses of its returns are deleted, so that no retry shows their notes', async () => {
  town = await openCounter();
  const orderId = await town.handed([4]);
  const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 1, note: 'secret' };
  const lines = [{ ...line, condition: 'GOOD' }];
  const requests = [
    [RETURNS, { number: 'R-1', lines: [line], customerRef: 'Ada-secret' }],
    [AT(), { takeId: 't', userId: 'leo', storeId: 'TOWN_US', lines, note: 'secret' }],
  ] as const;
  const send = ([path, body]: (typeof requests)[number]) =>
    town.call({ method: 'POST', path, body, headers: { ...town.client.headers, 'idempotency-key': 'k' } });
  for (const request of requests) expect((await send(request)).text).toContain('secret');
  expect((await send(requests[0])).text).toContain('secret');
  const order = await town.row(orderId);
  await town.store.write((db) => anonymizeOrder(contextOf(town, db) as Ctx, order));
  for (const request of requests) {
    const again = await send(request);
    expect([again.status, again.text.includes('secret')]).toEqual([200, false]);
  }
});
