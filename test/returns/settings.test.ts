/** Rules of returns that depend on settings, on the item and on older data. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepStock, movesOf, placesOf } from '../stock/stock.ts';
import { AT, CLIENT, type Counter, openCounter, RETURNS, shown } from './support.ts';

let town: Counter;
beforeEach(async () => {
  town = await openCounter();
});
afterEach(() => town.close());

const good = (quantity = 1) => [{ position: 1, quantity, condition: 'GOOD' }];

it('an item that the setting excludes cannot come back, and the check says so', async () => {
  await town.settings({ excluded: [{ attribute: 'salesClass', values: ['stock'] }] });
  const orderId = await town.handed([2]);
  expect((await town.request(orderId)).body).toMatchObject({
    code: 'NOT_RETURNABLE',
    lines: [{ pointer: '/lines/0', rule: 'ITEM_EXCLUDED', requested: 1, returnable: 0 }],
  });
  const checked = await town.client.post(`${RETURNS}/eligibility`, { fulfillmentOrderId: orderId });
  expect(checked.body).toMatchObject({
    orders: [{ lines: [{ returnableQuantity: 0, reasons: [{ rule: 'ITEM_EXCLUDED' }] }] }],
  });
  await town.settings({ excluded: [{ attribute: 'salesClass', values: ['other'] }] });
  expect((await town.request(orderId)).status).toBe(201);
});

it.each([
  ['of an excluded item', { excluded: [{ attribute: 'salesClass', values: ['stock'] }] }],
  ['after the window', { windowDays: 0 }],
])('unannounced units %s are held without an order, and not refunded', async (_which, settings) => {
  const orderId = await town.handed([1, 1]);
  const { returnId } = shown(await town.request(orderId));
  await town.settings(settings);
  const lamp = { itemId: '21-LAMP-BRS', quantity: 1, condition: 'GOOD' };
  const over = await town.receive(returnId, 'a', [...good(), lamp], { over: true });
  expect(over.status, over.text).toBe(201);
  expect(shown(over).lines).toMatchObject([{ sellable: 1 }, { sellable: 0, held: 1, over: 1 }]);
  expect(shown(over).lines[1]!.webLineId).toBeUndefined();
  expect(shown(await town.closeReturn(returnId)).refunds).toMatchObject([{ amount: 10 }]);
});

it('unannounced units in a parcel that was announced in time come back after the window, too', async () => {
  const orderId = await town.handed([1, 1]);
  const { returnId } = shown(await town.request(orderId));
  town.clock.now += 40 * 86_400_000;
  const lamp = { itemId: '21-LAMP-BRS', quantity: 1, condition: 'GOOD' };
  const over = await town.receive(returnId, 'a', [...good(), lamp], { over: true });
  expect(shown(over).lines).toMatchObject([{ sellable: 1 }, { webLineId: '2', sellable: 1, over: 1 }]);
});

it('with nodes SAME goods come to the expected node, else to that of their order; a lead may take them elsewhere', async () => {
  await town.settings({ nodes: 'SAME' });
  const orderId = await town.handed([3]);
  const made = shown(await town.request(orderId, { 1: 1 }, { kind: 'CARRIER', expectedNodeId: 'TOWN-DC001' }));
  expect(made.kind).toBe('CARRIER');
  const made2 = shown(await town.request(orderId));
  const { apiKey } = (await town.operator('POST', `${CLIENT}/credentials`, { label: 'till', groups: ['receiving'] }))
    .body as { apiKey: string };
  const receive = (returnId: string, nodeId: string) =>
    town.call({
      method: 'POST',
      path: `${AT(nodeId)}/${returnId}/receipts`,
      headers: { apiKey },
      body: { receiptId: 'a', userId: 'ana', lines: good() },
    });
  expect((await receive(made.returnId, 'TOWN-Store001')).body).toMatchObject({
    code: 'WRONG_NODE',
    nodeIds: ['TOWN-DC001'],
  });
  expect((await receive(made2.returnId, 'TOWN-DC001')).body).toMatchObject({
    code: 'WRONG_NODE',
    nodeIds: ['TOWN-Store001'],
  });
  expect((await receive(made.returnId, 'TOWN-DC001')).status).toBe(201);
  expect((await town.receive(made2.returnId, 'a', good(), {}, 'TOWN-DC001')).status).toBe(201);
});

it('a scanned number or parcel finds the return, with its state and actions', async () => {
  const orderId = await town.handed([1]);
  const { returnId } = shown(await town.request(orderId, { 1: 1 }, { number: 'R-7', trackingNumber: '1Z-RET' }));
  const scan = (code: string) => town.client.post(`${CLIENT}/nodes/TOWN-Store001/scan`, { code });
  for (const code of ['R-7', '1Z-RET']) {
    expect((await scan(code)).body).toMatchObject({
      matches: [{ kind: 'RETURN', id: returnId, number: 'R-7', storeId: 'TOWN_US', state: 'REQUESTED' }],
    });
  }
  const { matches } = (await scan('R-7')).body as { matches: { allowedActions: { action: string }[] }[] };
  expect(matches[0]!.allowedActions.map(({ action }) => action)).toEqual([
    ...['markInTransit', 'cancel', 'receive', 'correct', 'dispose', 'match', 'close', 'reopen'],
  ]);
});

it('charges of releases without recorded amounts are computed, and the refund says so', async () => {
  const orderId = await town.handed([2]);
  await town.store.write((db) => db.updateTable('order_charges').set({ amounts: null, grand_total: null }).execute());
  expect(shown(await town.take(orderId, { 1: 2 })).refunds).toMatchObject([{ amount: 20, basis: 'COMPUTED' }]);
});

it('an exchange of a canceled return keeps its return, and its order may still come', async () => {
  const orderId = await town.handed([1]);
  const wants = { itemId: '21-LAMP-BRS', quantity: 1 };
  await town.request(orderId, { 1: 1 }, { number: 'R-1', exchangeLines: [{ line: 1, wants }] });
  await town.client.post(`${RETURNS}/R-1/cancel`, {});
  const served = await town.order({
    lines: [['LAMP-BRS', 1, 10]],
    more: { exchangeOf: { returnNumber: 'R-1', line: 1 } },
  });
  expect(await town.read('R-1')).toMatchObject({ state: 'CANCELED', exchanges: [{ fulfillmentOrderId: served }] });
});

it('a correction of units that have left their place finds the ledger behind, and is booked all the same', async () => {
  await keepStock(town, 'TOWN-DC001');
  const orderId = await town.handed([2]);
  const { returnId } = shown(await town.request(orderId, { 1: 2 }));
  await town.receive(returnId, 'a', good(2), {}, 'TOWN-DC001');
  const away = [{ itemId: '21-SOAP-LAV', from: 'SHELF', to: 'DAMAGED', quantity: 2, reason: 'BROKEN' }];
  const moved = await town.client.post(`${CLIENT}/nodes/TOWN-DC001/stock/moves`, {
    moveId: 'm',
    userId: 'leo',
    lines: away,
  });
  expect(moved.status, moved.text).toBeLessThan(300);
  const back = [{ position: 1, quantity: -1, disposition: 'SHELF' }];
  const fixed = await town.receive(returnId, 'b', back, { corrects: 'a' }, 'TOWN-DC001');
  expect([fixed.status, shown(fixed).totals]).toMatchObject([201, { sellable: 1, open: 1 }]);
  expect((await placesOf(town, '21-SOAP-LAV', 'TOWN-DC001'))[0]).toBe(0);
  expect((await movesOf(town, '21-SOAP-LAV', 'TOWN-DC001')).slice(-2)).toEqual([
    'COUNT > SHELF 1 LEDGER_BEHIND',
    'SHELF > CUSTOMER 1 RETURN_CORRECTED',
  ]);
});

it('a bundle comes back as whole bundles, and its stock moves as at its hand-over', async () => {
  await keepStock(town, 'TOWN-Store001');
  const orderId = await town.handed([2], {}, ['SET-BATH']);
  const taken = shown(await town.take(orderId, { 1: 1 }));
  expect(taken).toMatchObject({ lines: [{ itemId: '21-SET-BATH', sellable: 1 }], refunds: [{ amount: 10 }] });
  const moves = await movesOf(town, '21-SET-BATH', 'TOWN-Store001');
  expect(moves.slice(-2)).toEqual(['STAGE > CUSTOMER 2 HANDED_OVER', 'CUSTOMER > SHELF 1 RETURNED']);
});

it('without conditions nothing could be taken back: an empty list is an error, and a stored one is the default', async () => {
  const { name, catalogIds } = (await town.operator('GET', CLIENT)).body as Record<string, unknown>;
  const empty = { returns: { conditions: [] } };
  const put = await town.operator('PUT', CLIENT, { name, catalogIds, settings: empty });
  expect(put.body).toMatchObject({ errors: [{ pointer: '/settings/returns/conditions', rule: 'minItems' }] });
  await town.store.write((tx) => sql`update clients set settings = ${JSON.stringify(empty)}`.execute(tx));
  await town.store.write((tx) => sql`update stores set returns = ${JSON.stringify(empty.returns)}`.execute(tx));
  for (const path of [CLIENT, `${CLIENT}/stores/TOWN_US`]) {
    const { body } = await town.operator('GET', path);
    expect(JSON.stringify(body)).not.toContain('"conditions"');
    expect((await town.operator('PUT', path, { ...(body as object), name: 'Renamed' })).status).toBe(200);
  }
  const orderId = await town.handed([1]);
  expect((await town.take(orderId, { 1: 1 })).status).toBe(201);
});
