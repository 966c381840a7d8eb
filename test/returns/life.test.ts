/** Other changes of returns: exchanges, expiry, anonymization, and the returns in the response of an order. */

import { readFileSync } from 'node:fs';
import { type CompiledQuery, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anonymizeOrder } from '../../src/orders/anonymize.ts';
import { findOrdersOfPerson, personOf } from '../../src/orders/person.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Ctx } from '../../src/platform/ctx.ts';
import type { Parts } from '../../src/platform/due-kind.ts';
import { createSealer } from '../../src/platform/secrets.ts';
import { expiredReturns } from '../../src/returns/expire.ts';
import { freeNumber } from '../../src/returns/store.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { importFile } from '../../src/service/import/run.ts';
import { inputFile } from '../import/support/shop.ts';
import { STORE } from '../orders/flow.ts';
import { orderBody } from '../picking/picking.ts';
import { OPERATOR_KEY } from '../support/backroom.ts';
import { contextOf } from '../support/context.ts';
import { samplesOf } from '../support/metrics.ts';
import { untilBlocked } from '../support/store.ts';
import { AT, CLIENT, type Counter, openCounter, RETURNS, shown } from './support.ts';

const sealer = createSealer(Buffer.from('ab'.repeat(32), 'hex'));

let town: Counter;
beforeEach(async () => {
  town = await openCounter();
});
afterEach(() => town.close());

const write = <T>(work: (ctx: Ctx) => Promise<T>) => town.store.write((db) => work(contextOf(town, db) as Ctx));
const readOrder = async (orderId: string) => (await town.client.get(`${STORE}/fulfillmentOrders/${orderId}`)).body;

it('an announced return whose receipts were all undone waits again: it can be canceled, and it expires', async () => {
  const orderId = await town.handed([4]);
  const undone = async (number: string) => {
    const { returnId } = shown(await town.request(orderId, { 1: 1 }, { number }));
    await town.receive(returnId, 'a', [{ position: 1, quantity: 1, condition: 'GOOD' }]);
    const back = [{ position: 1, quantity: -1, disposition: 'SHELF' }];
    const corrected = await town.receive(returnId, 'b', back, { corrects: 'a' });
    expect(shown(corrected)).toMatchObject({ state: 'REQUESTED', totals: { sellable: 0, open: 1 } });
  };
  for (const number of ['R-1', 'R-2']) await undone(number);
  expect((await town.client.post(`${RETURNS}/R-1/cancel`, {})).body).toMatchObject({ state: 'CANCELED' });
  town.clock.now += 61 * 86_400_000;
  await town.server.runDue();
  expect(await town.read('R-2')).toMatchObject({ state: 'EXPIRED', totals: { missing: 1, open: 0 } });
  expect(await town.counters(orderId)).toEqual([[0, 0]]);
  expect((await ruleFindings(town.store)).filter(({ ok }) => !ok)).toEqual([]);
  // Goods that arrive after the expiry open the return again.
  const came = await town.receive((await town.read('R-2')).returnId, 'c', [
    { position: 1, quantity: 1, condition: 'GOOD' },
  ]);
  expect(shown(came)).toMatchObject({ state: 'RECEIVING', totals: { sellable: 1, missing: 0 } });
});

it('an announced return that another node received and undid waits at its expected node again', async () => {
  const [here, other] = ['TOWN-Store001', 'TOWN-DC001'];
  const orderId = await town.handed([4]);
  const { returnId } = shown(await town.request(orderId, { 1: 1 }, { number: 'R-1', expectedNodeId: here }));
  const countsAt = async (nodeId: string) => {
    const { returns } = (await town.client.get(`${CLIENT}/nodes/${nodeId}/work`)).body as { returns: object };
    return returns;
  };
  const good = [{ position: 1, quantity: 1, condition: 'GOOD' }];
  expect(shown(await town.receive(returnId, 'a', good, {}, other))['nodeId']).toBe(other);
  const back = [{ position: 1, quantity: -1, disposition: 'SHELF' }];
  const corrected = shown(await town.receive(returnId, 'b', back, { corrects: 'a' }, other));
  expect(corrected['nodeId']).toBeUndefined();
  expect(await countsAt(here)).toMatchObject({ expected: 1, receiving: 0 });
  expect(await countsAt(other)).toMatchObject({ expected: 0, receiving: 0 });
  expect(shown(await town.receive(returnId, 'c', good))['nodeId']).toBe(here);
  expect(await countsAt(here)).toMatchObject({ expected: 0, receiving: 1 });
  expect((await ruleFindings(town.store)).filter(({ ok }) => !ok)).toEqual([]);
});

it.each(['CANCELED', 'EXPIRED'])('a return that was %s ends again if its receipts were all undone', async (state) => {
  const orderId = await town.handed([4]);
  const { returnId } = shown(await town.request(orderId, { 1: 1 }, { number: 'R-1' }));
  if (state === 'CANCELED') await town.client.post(`${RETURNS}/R-1/cancel`, {});
  else town.clock.now += 61 * 86_400_000;
  await town.server.runDue();
  const types = async () => (await town.events('return', returnId)).map(({ type }) => type);
  const before = await types();
  for (const id of ['a', 'b']) {
    const came = await town.receive(returnId, id, [{ position: 1, quantity: 1, condition: 'GOOD' }]);
    expect(shown(came)).toMatchObject({ state: 'RECEIVING' });
    const back = [{ position: 1, quantity: -1, disposition: 'SHELF' }];
    const corrected = await town.receive(returnId, `${id}-back`, back, { corrects: id });
    expect(shown(corrected)).toMatchObject({ state, totals: { sellable: 0, missing: 1, open: 0 } });
  }
  await town.server.runDue();
  const again = ['return.received', 'return.corrected'];
  expect(await types()).toEqual([...before, ...again, ...again]);
  expect(await town.counters(orderId)).toEqual([[0, 0]]);
  expect((await ruleFindings(town.store)).filter(({ ok }) => !ok)).toEqual([]);
});

it.each(['CLOSED', 'RECEIVED'])(
  'a reopened return whose receipts were all undone remains open, refundOn=%s',
  async (refundOn) => {
    await town.settings({ refundOn });
    const orderId = await town.handed([4]);
    const { returnId } = shown(await town.request(orderId, { 1: 1 }));
    await town.receive(returnId, 'a', [{ position: 1, quantity: 1, condition: 'GOOD' }]);
    await town.closeReturn(returnId);
    await town.client.post(`${AT()}/${returnId}/reopen`, { userId: 'leo', reason: 'Not his' });
    const back = [{ position: 1, quantity: -1, disposition: 'SHELF' }];
    const corrected = await town.receive(returnId, 'b', back, { corrects: 'a' });
    expect(shown(corrected)).toMatchObject({ state: 'RECEIVING', totals: { sellable: 0, open: 1 } });
  },
);

it('a request without goods expires, once, and frees its units', async () => {
  const orderId = await town.handed([1]);
  const made = shown(await town.request(orderId, { 1: 1 }, { number: 'R-1' }));
  town.clock.now += 60 * 86_400_000;
  const [due] = await town.store.read((db) => expiredReturns.due(db, town.clock.now, 10, {} as never));
  expect(due).toMatchObject({ clientId: 'TOWN', id: made.returnId });
  const parts = { write } as unknown as Parts;
  expect([await expiredReturns.run(parts, due!), await expiredReturns.run(parts, due!)]).toEqual([true, false]);
  expect(await town.read('R-1')).toMatchObject({ state: 'EXPIRED', totals: { missing: 1, open: 0 } });
  expect(await town.counters(orderId)).toEqual([[0, 0]]);
  expect(
    shown(await town.receive(made.returnId, 'a', [{ position: 1, quantity: 1, condition: 'GOOD' }])),
  ).toMatchObject({
    state: 'RECEIVING',
    totals: { sellable: 1 },
  });
});

it('a lead reopens a closed return: missing units are expected again, and refunds stay', async () => {
  const orderId = await town.handed([3]);
  const { returnId } = shown(await town.request(orderId, { 1: 3 }));
  await town.receive(returnId, 'a', [{ position: 1, quantity: 1, condition: 'GOOD' }]);
  await town.closeReturn(returnId);
  expect(shown(await town.take(orderId, { 1: 1 })).state).toBe('CLOSED');
  const reopened = shown(await town.client.post(`${AT()}/${returnId}/reopen`, { userId: 'leo', reason: 'One more' }));
  expect(reopened).toMatchObject({ state: 'RECEIVING', totals: { open: 1, missing: 1 }, refunds: [{ amount: 10 }] });
  await town.receive(returnId, 'b', [{ position: 1, quantity: 1, condition: 'GOOD' }]);
  const closed = shown(await town.closeReturn(returnId, 'close-2'));
  expect(closed.refunds.map(({ amount }) => amount)).toEqual([10, 10]);
  expect((await town.closeReturn(returnId, 'close-3')).body).toMatchObject({ code: 'NOT_OPEN', state: 'CLOSED' });
  expect((await town.read(closed.number))['stateChanges']).toMatchObject([
    { state: 'RECEIVING', userId: 'leo', reason: 'One more' },
  ]);
});

it('a read return says who canceled it, when and why, and when it expired', async () => {
  const orderId = await town.handed([4]);
  for (const number of ['R-1', 'R-2']) await town.request(orderId, { 1: 1 }, { number });
  expect((await town.read('R-1'))['stateChanges']).toBeUndefined();
  await town.client.post(`${RETURNS}/R-1/cancel`, { reason: 'Kept' });
  town.clock.now += 61 * 86_400_000;
  await town.server.runDue();
  const actor = expect.stringMatching(/^credential:/);
  expect((await town.read('R-1'))['stateChanges']).toEqual([
    { state: 'CANCELED', at: expect.any(String), actor, name: expect.any(String), reason: 'Kept' },
  ]);
  expect((await town.read('R-2'))['stateChanges']).toEqual([
    { state: 'EXPIRED', at: expect.any(String), actor: 'system' },
  ]);
});

it('an exchange is served by one order, which shows its return', async () => {
  const orderId = await town.handed([2]);
  const wants = { itemId: '21-LAMP-BRS', quantity: 1 };
  const made = await town.request(orderId, { 1: 1 }, { number: 'R-1', exchangeLines: [{ line: 1, wants }] });
  expect(made.status, made.text).toBe(201);
  const exchange = (line: number) =>
    town.order({ lines: [['LAMP-BRS', 1, 10]], more: { exchangeOf: { returnNumber: 'R-1', line } } });
  await expect(exchange(2)).rejects.toThrow('exchangeOf');
  const served = await exchange(1);
  await expect(exchange(1)).rejects.toThrow('CONFLICT');
  expect((await town.read('R-1')).exchanges).toEqual([{ line: 1, wants, fulfillmentOrderId: served }]);
  expect(await readOrder(served)).toMatchObject({ exchangeOf: { returnNumber: 'R-1', line: 1 }, returns: [] });
  const twice = await town.request(orderId, { 1: 1 }, { exchangeLines: [{ line: 2, wants }] });
  expect(twice.body).toMatchObject({ errors: [{ pointer: '/exchangeLines/0/line' }] });
});

it('an import rejects the order for an exchange that another order serves, and imports the other rows', async () => {
  const orderId = await town.handed([1, 1]);
  const wants = { itemId: '21-LAMP-BRS', quantity: 1 };
  const exchangeLines = [1, 2].map((line) => ({ line, wants }));
  const made = await town.request(orderId, { 1: 1, 2: 1 }, { number: 'R-1', exchangeLines });
  expect(made.status, made.text).toBe(201);
  const row = (id: string, line: number | undefined, sku = 'LAMP-BRS') => {
    const more = line === undefined ? {} : { exchangeOf: { returnNumber: 'R-1', line } };
    return orderBody(id, { lines: [[sku, 1, 10]], more }, town.clock.now);
  };
  const served = await town.order({
    lines: [['LAMP-BRS', 1, 10]],
    more: { exchangeOf: { returnNumber: 'R-1', line: 1 } },
  });
  const rows = [row('X1', 1), row('X2', 2, 'NO-SUCH'), row('X3', 2), row('X4', 2), row('X5', undefined)];
  const file = inputFile('orders.ndjson', rows.map((one) => JSON.stringify(one)).join('\n'));
  const config = loadConfig({ BACKROOM_OPERATOR_KEY: OPERATOR_KEY });
  const installation = { config, store: town.store, ports: town.ports, sealer };
  const done = await importFile(installation, { kind: 'orders', clientId: 'TOWN', storeId: 'TOWN_US', file });
  expect(done).toMatchObject({ finished: true, rowsRead: 5, rowsImported: 2 });
  const rejects = readFileSync(done.rejectFile!, 'utf8');
  expect(rejects).toContain(`Order \\"${served}\\" is the exchange for line 1 of return \\"R-1\\" already`);
  expect(rejects).toContain('Order \\"X3\\" is the exchange for line 2 of return \\"R-1\\" already');
  // The import stores the other rows. The reason of a rejected row therefore omits the last sentence of the API's 409.
  expect(rejects).not.toContain('nothing was stored');
  for (const [id, status] of [
    ['X1', 404],
    ['X3', 200],
    ['X4', 404],
    ['X5', 200],
  ] as const) {
    expect([id, (await town.client.get(`${STORE}/fulfillmentOrders/${id}`)).status]).toEqual([id, status]);
  }
});

it('the read of the order has its returns and the units of each line, and its state does not change', async () => {
  const orderId = await town.handed([4]);
  const before = await readOrder(orderId);
  expect(before).toMatchObject({ returns: [], returnableUntil: expect.any(String) });
  const { returnId } = shown(await town.request(orderId, { 1: 1 }, { number: 'R-1' }));
  await town.take(orderId, { 1: 2 });
  const after = await readOrder(orderId);
  expect(after).toMatchObject({
    status: before['status'],
    revision: before['revision'],
    allowedActions: before['allowedActions'] as object,
    returns: [{ number: 'R-1', returnId, state: 'REQUESTED' }, { state: 'CLOSED' }],
    lines: [{ cameBackQuantity: 2, comingBackQuantity: 1, returnedQuantity: 0 }],
  });
});

it('an export of the person has the returns of the order, with reference, notes and refunds', async () => {
  const orderId = await town.handed([4]);
  const line = { condition: 'GOOD', note: 'a scratch' };
  await town.take(orderId, { 1: 1 }, { number: 'R-1', customerRef: 'Ada', note: 'was kind' }, line);
  const personOfOrder = async (id: string) => {
    const { web_order_id: webOrderId } = await town.row(id);
    return town.store.read(async (db) => personOf(db, sealer, await findOrdersOfPerson(db, 'TOWN', webOrderId)));
  };
  const person = await personOfOrder(orderId);
  const lines = [{ note: 'a scratch', sellable: 1 }];
  const receipts = [{ lines: [{ note: 'a scratch' }] }];
  expect(person).toMatchObject({
    fulfillmentOrders: [
      {
        returns: [
          { number: 'R-1', customerRef: 'Ada', note: 'was kind', lines, receipts, refunds: [{ status: 'DUE' }] },
        ],
      },
    ],
  });
  const other = await town.handed([1]);
  expect(await personOfOrder(other)).toMatchObject({
    fulfillmentOrders: [{ returns: [] }],
  });
});

it('with the customer of its order a return loses reference and notes, and repeats of its commands are still known', async () => {
  const orderId = await town.handed([4]);
  const secret = { customerRef: 'Ada-secret', note: 'secret words' };
  const line = { condition: 'GOOD', note: 'secret line' };
  const taken = shown(await town.take(orderId, { 1: 1 }, { takeId: 't', number: 'R-1', ...secret }, line));
  expect(taken).toMatchObject({ ...secret, lines: [{ note: 'secret line' }] });
  const order = await town.row(orderId);
  await write((ctx) => anonymizeOrder(ctx, order));
  const left = await town.client.get(`${RETURNS}/R-1`);
  expect(left.text).not.toContain('secret');
  expect(shown(await town.take(orderId, { 1: 1 }, { takeId: 't', number: 'R-1' })).returnId).toBe(taken.returnId);
  expect(await town.counters(orderId)).toEqual([[1, 0]]);
});

it('a store has its own settings, and a repeated code in a list is an error', async () => {
  const path = '/operator/v1/clients/TOWN/stores/TOWN_US';
  const {
    clientId: _c,
    storeId: _s,
    createdAt: _a,
    updatedAt: _u,
    ...store
  } = (await town.operator('GET', path)).body as Record<string, unknown>;
  const put = await town.operator('PUT', path, { ...store, returns: { windowDays: 0, blind: 'REFUSE' } });
  expect(put.status, put.text).toBe(200);
  const orderId = await town.handed([1]);
  expect((await town.request(orderId)).body).toMatchObject({ lines: [{ rule: 'WINDOW_OVER' }] });
  const blind = [{ itemId: '21-SOAP-LAV', quantity: 1, condition: 'GOOD' }];
  expect((await town.take('', {}, { lines: blind })).body).toMatchObject({ lines: [{ rule: 'BLIND' }] });
  const reasons = [
    { code: 'A', description: 'a' },
    { code: 'A', description: { de: 'b' } },
  ];
  const bad = await town.operator('PUT', path, { ...store, returns: { reasons } });
  expect(bad.body).toMatchObject({ errors: [{ pointer: '/returns/reasons/1', rule: 'uniqueItems' }] });
  expect((await town.operator('PUT', path, { ...store, returns: { reasons: [] } })).status).toBe(200);
  const message = 'the client has no reasons; leave `reason` out';
  expect((await town.take('', {}, { lines: [{ ...blind[0], reason: 'A' }] })).body).toMatchObject({
    errors: [{ pointer: '/lines/0/reason', rule: 'enum', message }],
  });
});

it('metrics count returns, open refunds and held units, and say from when a refund is late', async () => {
  await town.settings({ refundHours: 5 });
  const orderId = await town.handed([4]);
  const since = town.clock.now / 1000;
  const taken = shown(await town.take(orderId, { 1: 1 }));
  town.clock.now += 60_000;
  await town.take(orderId, { 1: 2 }, { keepOpen: true }, { condition: 'OPENED' });
  await town.request(orderId, { 1: 1 }, { number: 'R-LAST' });
  const samples = (name: string) => samplesOf(town.server.app, name);
  expect(await samples('backroom_returns')).toEqual({
    '{kind="BY_MAIL",state="REQUESTED"}': 1,
    '{kind="IN_STORE",state="CLOSED"}': 1,
    '{kind="IN_STORE",state="RECEIVING"}': 1,
  });
  expect(await samples('backroom_refunds')).toEqual({ '{status="DUE"}': 1, '{status="FAILED"}': 0 });
  expect(await samples('backroom_refund_oldest_timestamp_seconds')).toEqual({ '': since });
  expect(await samples('backroom_refund_late_timestamp_seconds')).toEqual({ '': since + 5 * 3_600 });
  expect(await samples('backroom_return_held_units')).toEqual({ '': 2 });
  expect(await samples('backroom_return_held_oldest_timestamp_seconds')).toEqual({ '': since + 60 });
  await town.client.post(`${CLIENT}/refunds/${taken.refunds[0]!.refundId}/answer`, { outcome: 'FAILED' });
  town.clock.now += 60_000;
  expect(await samples('backroom_refunds')).toEqual({ '{status="DUE"}': 0, '{status="FAILED"}': 1 });
  expect(await samples('backroom_refund_late_timestamp_seconds')).toEqual({});
  expect((await town.client.post(`${RETURNS}/R-LAST/cancel`, {})).status).toBe(200);
  town.clock.now += 60_000;
  // Ended returns are counted once an hour.
  const open = { '{kind="IN_STORE",state="CLOSED"}': 1, '{kind="IN_STORE",state="RECEIVING"}': 1 };
  expect(await samples('backroom_returns')).toEqual(open);
  town.clock.now += 3_600_000;
  expect(await samples('backroom_returns')).toEqual({ ...open, '{kind="BY_MAIL",state="CANCELED"}': 1 });
  // They are counted again when a clock that was ahead is corrected.
  await town.request(orderId, { 1: 1 }, { number: 'R-AHEAD' });
  expect((await town.client.post(`${RETURNS}/R-AHEAD/cancel`, {})).status).toBe(200);
  town.clock.now -= 60_000;
  expect(await samples('backroom_returns')).toEqual({ ...open, '{kind="BY_MAIL",state="CANCELED"}': 2 });
});

it('the service finds a number in a few steps although the order management system uses the first 500', async () => {
  await write(async (ctx) => {
    await sql`
      insert into returns
        (client_id, return_id, store_id, number, kind, status, revision, exchanges, created_at, created_by)
      with recursive used(number) as (select 1 union all select number + 1 from used where number < 500)
      select 'TOWN', 'r-' || number, 'TOWN_US', cast(number as text), 'BY_MAIL', 'CANCELED', 1, '[]', 0, 'oms'
      from used`.execute(ctx.db);
    const store = await ctx.db.selectFrom('stores').selectAll().where('store_id', '=', 'TOWN_US').executeTakeFirst();
    let statements = 0;
    const executor = ctx.db.getExecutor();
    const execute = executor.executeQuery.bind(executor);
    const executeQuery = (query: CompiledQuery) => {
      statements++;
      return execute(query);
    };
    Object.assign(executor, { executeQuery });
    expect(Number(await freeNumber(ctx, store!))).toBeGreaterThan(500);
    Reflect.deleteProperty(executor, 'executeQuery');
    expect(statements).toBeLessThan(50);
  });
});

it('the service chooses another number if another request uses the next one at this moment', async () => {
  const orders = [await town.handed([4]), await town.handed([4])];
  const { number } = shown(await town.take(orders[0]!, { 1: 1 }));
  const written = Promise.withResolvers<undefined>();
  const commit = Promise.withResolvers<undefined>();
  const other = write(async ({ db }) => {
    await sql`
      insert into returns
        (client_id, return_id, store_id, number, kind, status, revision, exchanges, created_at, created_by)
      values ('TOWN', 'r', 'TOWN_US', ${String(Number(number) + 1)}, 'BY_MAIL', 'CANCELED', 1, '[]', 0, 'oms')`.execute(
      db,
    );
    written.resolve(undefined);
    await commit.promise;
  });
  await written.promise;
  const taking = town.take(orders[1]!, { 1: 1 });
  await Promise.race([taking, untilBlocked(town.store)]);
  commit.resolve(undefined);
  await other;
  const taken = await taking;
  expect([taken.status, shown(taken).number]).toEqual([201, String(Number(number) + 2)]);
});
