/**
 * Returns are deleted with the last of their orders. Returns without an order are anonymized, and deleted by their own
 * age.
 */
import { afterEach, expect, it } from 'vitest';
import { personalReturnsOf } from '../../src/kernel/returns/personal.ts';
import { anonymizeOrder } from '../../src/orders/anonymize.ts';
import type { Ctx } from '../../src/platform/ctx.ts';
import { countRows } from '../../src/service/backup/content.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { blindReturnSweep } from '../../src/service/retention/returns.ts';
import { contextOf } from '../support/context.ts';
import { samplesOf } from '../support/metrics.ts';
import { AT, CLIENT, type Counter, openCounter, RETURNS, type Shown, shown } from './support.ts';

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

/** Records the outcome of the refunds of a return. */
async function pay({ refunds }: Shown, outcome: object = { outcome: 'DONE', reference: 'x' }): Promise<void> {
  for (const { refundId } of refunds) {
    const answer = await town.client.post(`${CLIENT}/refunds/${refundId}/answer`, outcome);
    expect(answer.status, answer.text).toBe(200);
  }
}

/** Decides that the held unit of a return can be sold. */
async function decide({ returnId }: Shown): Promise<void> {
  const lines = [{ position: 1, quantity: 1, to: 'SHELF' }];
  const answer = await town.client.post(`${AT()}/${returnId}/dispose`, { disposeId: 'd', userId: 'leo', lines });
  expect(answer.status, answer.text).toBe(200);
}

const broken = async () => (await ruleFindings(town.store)).filter(({ ok }) => !ok);

it.each([
  ['before', '5'],
  ['after', '60'],
])(
  'a return is deleted with the last of its orders, and one without an order as an order that ended when it was closed; its events are deleted %s it',
  async (_when, EVENT_DAYS) => {
    town = await openCounter({ ORDER_DAYS: '30', EVENT_DAYS });
    const first = await town.handed();
    await days(20);
    const second = await town.handed();
    const both = await take('both', [
      { fulfillmentOrderId: first, webLineId: '1', quantity: 1, condition: 'GOOD' },
      { fulfillmentOrderId: second, webLineId: '1', quantity: 1, condition: 'GOOD' },
    ]);
    await pay(both);
    await decide(await take('blind', [MUG]));
    await days(11);
    expect((await town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${first}`)).status).toBe(404);
    const left = await town.client.get(`${RETURNS}/both`);
    expect(left.body).toMatchObject({ state: 'CLOSED', lines: [{ fulfillmentOrderId: first }, { sellable: 1 }] });
    expect((await town.client.get(`${RETURNS}/blind`)).status).toBe(200);
    expect(await broken()).toEqual([]);
    await days(20);
    expect((await town.client.get(`${RETURNS}/both`)).status).toBe(404);
    expect(await countRows(town.store, TABLES)).toEqual(Object.fromEntries(TABLES.map((table) => [table, 0])));
    const removed = await samplesOf(town.server.app, 'backroom_retention_removed_total');
    expect(removed['{kind="returns"}']).toBe(2);
    expect(await broken()).toEqual([]);
    await days(60);
    const numbered = await town.store.read((db) => db.selectFrom('event_sequences').select('resource_type').execute());
    expect(numbered.filter((row) => ['return', 'refund'].includes(row.resource_type))).toEqual([]);
  },
);

it('the data of a return without an order that is deleted before it is anonymized is removed from the database files', async () => {
  town = await openCounter({ ORDER_DAYS: '30' });
  await decide(await take('blind', [MUG], { customerRef: 'C-7' }));
  let times = 0;
  const scrub = town.store.scrub.bind(town.store);
  town.store.scrub = (...given) => {
    times += 1;
    return scrub(...given);
  };
  await days(31);
  expect((await town.client.get(`${RETURNS}/blind`)).status).toBe(404);
  await expect.poll(() => times).toBe(1);
});

it('a return of two orders is received, closed, reopened and closed again after the first order is deleted', async () => {
  town = await openCounter({ ORDER_DAYS: '90' });
  await town.settings({ fourEyes: 1000 });
  const first = await town.handed();
  await days(29);
  const second = await town.handed();
  const lines = [first, second].map((fulfillmentOrderId) => ({ fulfillmentOrderId, webLineId: '1', quantity: 1 }));
  const asked = await town.client.post(RETURNS, { number: 'late', lines });
  expect(asked.status, asked.text).toBe(201);
  const { returnId } = shown(asked);
  const act = async (action: string, body: object) => {
    const answer = await town.client.post(`${AT()}/${returnId}/${action}`, { userId: 'ana', ...body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return shown(answer);
  };
  await days(60);
  await days(2);
  expect((await town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${first}`)).status).toBe(404);
  expect(await town.read('late')).toMatchObject({ state: 'EXPIRED' });
  const came = [{ position: 2, quantity: 1, condition: 'GOOD' }];
  expect((await town.receive(returnId, 'a', came)).status).toBe(201);
  expect(await act('close', { closeId: 'c-1' })).toMatchObject({ state: 'CLOSED', refunds: [{ amount: 10 }] });
  await act('reopen', { reason: 'more came' });
  const more = [
    { position: 1, quantity: 1, condition: 'GOOD' },
    { ...MUG, condition: 'GOOD' },
  ];
  const over = await town.receive(returnId, 'b', more, { over: true });
  expect(over.status, over.text).toBe(201);
  expect((await act('close', { closeId: 'c-2' })).refunds).toMatchObject([{ amount: 10 }, { amount: 10 }]);
  expect(await broken()).toEqual([]);
});

it('doctor accepts the later refund of a deleted order after the return with its first refund was deleted', async () => {
  town = await openCounter({ ORDER_DAYS: '30' });
  const first = await town.handed([2]);
  const unitOf = (fulfillmentOrderId: string) => {
    return { fulfillmentOrderId, webLineId: '1', quantity: 1, condition: 'GOOD' };
  };
  await pay(await take('alone', [unitOf(first)]));
  await days(20);
  const second = await town.handed();
  await pay(await take('both', [unitOf(first), unitOf(second)]));
  await days(11);
  expect((await town.client.get(`${RETURNS}/alone`)).status).toBe(404);
  expect((await town.read('both')).refunds).toHaveLength(2);
  expect(await broken()).toEqual([]);
});

it('a line of a deleted order is corrected and expects no units afterwards', async () => {
  town = await openCounter({ ORDER_DAYS: '30' });
  const first = await town.handed();
  await days(20);
  const second = await town.handed();
  const lines = [first, second].map((fulfillmentOrderId) => ({
    fulfillmentOrderId,
    webLineId: '1',
    quantity: 1,
    condition: 'GOOD',
  }));
  const both = await take('both', lines);
  await pay(both);
  await days(11);
  const path = `${AT()}/${both.returnId}`;
  expect((await town.client.post(`${path}/reopen`, { userId: 'ana', reason: 'miscounted' })).status).toBe(200);
  const back = [{ position: 1, quantity: -1, disposition: 'SHELF' }];
  const corrected = await town.receive(both.returnId, 'b', back, { corrects: 'both' });
  expect(corrected.status, corrected.text).toBe(201);
  expect(shown(corrected).lines).toMatchObject([
    { sellable: 0, missing: 1, open: 0 },
    { sellable: 1, open: 0 },
  ]);
  const again = await town.receive(both.returnId, 'c', [{ position: 1, quantity: 1, condition: 'GOOD' }], {
    over: true,
  });
  expect(again.status, again.text).toBe(201);
  expect((await town.closeReturn(both.returnId)).status).toBe(200);
  expect(await broken()).toEqual([]);
});

it('an order stays while a refund of it is not paid, a return of it is open, or units of a return are held', async () => {
  town = await openCounter({ ORDER_DAYS: '30' });
  const [unpaid, failed, announced, held] = [
    await town.handed(),
    await town.handed(),
    await town.handed(),
    await town.handed(),
  ];
  const line = (fulfillmentOrderId: string, condition = 'GOOD') => {
    return { fulfillmentOrderId, webLineId: '1', quantity: 1, condition };
  };
  const due = await take('unpaid', [line(unpaid)]);
  const broke = await take('failed', [line(failed)]);
  await pay(broke, { outcome: 'FAILED', failure: 'card' });
  await town.request(announced, { 1: 1 }, { number: 'announced' });
  const inspected = await take('held', [line(held, 'OPENED')]);
  await pay(inspected);
  const blind = await take('blind', [{ ...MUG, condition: 'OPENED' }]);
  await days(40);
  const orders = [unpaid, failed, announced, held];
  const paths = [...orders.map((id) => `/operator/v1/stores/TOWN_US/fulfillmentOrders/${id}`), `${RETURNS}/blind`];
  const statuses = () => Promise.all(paths.map(async (path) => (await town.client.get(path)).status));
  expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
  await pay(due);
  await pay(broke);
  const canceled = await town.client.post(`${RETURNS}/announced/cancel`, { reason: 'kept' });
  expect(canceled.status, canceled.text).toBe(200);
  await decide(inspected);
  await decide(blind);
  await days(1);
  await days(1);
  expect(await statuses()).toEqual([404, 404, 404, 404, 404]);
  expect(await broken()).toEqual([]);
});

it('a return without an order stays if it is matched or reopened after the sweep has found it', async () => {
  town = await openCounter({ ORDER_DAYS: '30' });
  const [matched, reopened, alone] = [await take('m', [MUG]), await take('r', [MUG]), await take('a', [MUG])];
  for (const one of [matched, reopened, alone]) await decide(one);
  town.clock.now += 40 * 86_400_000;
  const orderId = await town.handed([1], {}, ['MUG-WHT']);
  const upTo = town.clock.now - 30 * 86_400_000;
  const found = await town.store.read((db) => blindReturnSweep.find(db, upTo, undefined, 50));
  expect(found.map(({ id }) => id).sort()).toEqual([matched, reopened, alone].map(({ returnId }) => returnId).sort());
  const lines = [{ position: 1, fulfillmentOrderId: orderId, webLineId: '1', quantity: 1 }];
  const body = { matchId: 'm', userId: 'leo', lines };
  expect(shown(await town.client.post(`${AT()}/${matched.returnId}/match`, body)).refunds).toHaveLength(1);
  const again = await town.client.post(`${AT()}/${reopened.returnId}/reopen`, { userId: 'leo', reason: 'more' });
  expect(again.status, again.text).toBe(200);
  const removed = await town.store.write((db) => blindReturnSweep.remove(contextOf(town, db) as Ctx, found, upTo));
  expect(removed).toEqual({ returns: 1 });
  const statuses = ['m', 'r', 'a'].map(async (number) => (await town.client.get(`${RETURNS}/${number}`)).status);
  expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
  expect(await broken()).toEqual([]);
});

it('a return without an order loses the reference and the notes of its customer after blankAfterDays', async () => {
  town = await openCounter();
  const secret = { customerRef: 'Ada-secret', note: 'secret words', overrideReason: 'secret reason' };
  await take('alone', [{ ...MUG, note: 'secret line' }], secret);
  await days(179);
  expect((await town.client.get(`${RETURNS}/alone`)).body).toMatchObject(secret);
  await days(2);
  const left = await town.client.get(`${RETURNS}/alone`);
  expect(left.status).toBe(200);
  expect(left.text).not.toContain('secret');
  expect(left.body).toMatchObject({ overrideReason: '-' });
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
  const unit = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 1, condition: 'GOOD' };
  await take('late', [unit], secret);
  await take('excused', [unit], { overrideReason: 'secret reason' });
  const exported = await town.store.read((db) => personalReturnsOf(db, 'TOWN', orderId));
  expect(exported).toContainEqual(expect.objectContaining({ number: 'excused', overrideReason: 'secret reason' }));
  const counted = { position: 1, quantity: 1, condition: 'GOOD', note: 'secret' };
  expect((await town.receive(received.returnId, 'a', [counted])).status).toBe(201);
  const lines = [{ position: 1, fulfillmentOrderId: orderId, webLineId: '1', quantity: 1 }];
  const matched = await town.client.post(`${AT()}/${blind.returnId}/match`, { matchId: 'm', userId: 'leo', lines });
  expect(matched.status, matched.text).toBe(200);
  await town.server.runDue();
  for (const number of ['early', 'blind', 'late', 'excused']) {
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

it('with the notes of a return without an order its stored responses are deleted', async () => {
  town = await openCounter({ IDEMPOTENCY_HOURS: '8760' });
  const body = {
    takeId: 't',
    userId: 'leo',
    storeId: 'TOWN_US',
    lines: [{ ...MUG, note: 'secret line' }],
    customerRef: 'Ada-secret',
    note: 'secret words',
  };
  const send = () =>
    town.call({ method: 'POST', path: AT(), body, headers: { ...town.client.headers, 'idempotency-key': 'k' } });
  expect([(await send()).status, (await send()).text.includes('secret')]).toEqual([201, true]);
  await days(181);
  const again = await send();
  expect([again.status, again.text.includes('secret')]).toEqual([200, false]);
});
