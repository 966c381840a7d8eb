/** Rules of returns for callers, stores and invalid input; the content of events; and the settings for refunds. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enroll, setPin } from '../people/support.ts';
import { brokenRules, keepStock } from '../stock/stock.ts';
import { AT, CLIENT, type Counter, openCounter, RETURNS, shown } from './support.ts';

let town: Counter;
beforeEach(async () => {
  town = await openCounter();
});
afterEach(async () => {
  // After every test, units and refunds must add up.
  const found = await brokenRules(town);
  await town.close();
  expect(found).toEqual([]);
});

const OTHER_STORE = '/operator/v1/stores/TOWN_CA/returns';
const DEPOT = 'TOWN-DC001';
const SOAP = '21-SOAP-LAV';
const LAMP = '21-LAMP-BRS';
const good = (quantity = 1, position = 1) => ({ position, quantity, condition: 'GOOD' });
const pointers = ({ body }: { body: { errors?: { pointer: string }[] } }) => body.errors?.map(({ pointer }) => pointer);
const act = (returnId: string, what: string, body: object, nodeId = 'TOWN-Store001') =>
  town.client.post(`${AT(nodeId)}/${returnId}/${what}`, { userId: 'leo', ...body });

describe('an order of another web store', () => {
  it('cannot come back in this store: the request, the take and the match say OTHER_STORE, and nothing changes', async () => {
    const orderId = await town.handed([2]);
    const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 1 };
    const lines = [{ pointer: '/lines/0', rule: 'OTHER_STORE', requested: 1, returnable: 0 }];
    const rejected = { status: 409, body: { code: 'NOT_RETURNABLE', lines } };
    expect(await town.client.post(OTHER_STORE, { lines: [line] })).toMatchObject(rejected);
    const goods = { storeId: 'TOWN_CA', lines: [{ ...line, condition: 'GOOD' }] };
    expect(await town.take('', {}, goods)).toMatchObject(rejected);
    const blind = [{ itemId: SOAP, quantity: 1, condition: 'GOOD' }];
    const { returnId } = shown(await town.take('', {}, { storeId: 'TOWN_CA', lines: blind }));
    const match = { matchId: 'm', lines: [{ ...line, position: 1 }] };
    expect(await act(returnId, 'match', match)).toMatchObject(rejected);
    expect(await town.counters(orderId)).toEqual([[0, 0]]);
  });

  it('is shown with its rule to a caller who may use both stores, and not at all to others', async () => {
    const orderId = await town.handed([1]);
    const wanted = { fulfillmentOrderId: orderId };
    expect((await town.client.post(`${OTHER_STORE}/eligibility`, wanted)).body).toMatchObject({
      orders: [{ lines: [{ returnableQuantity: 0, refundAmount: 0, reasons: [{ rule: 'OTHER_STORE' }] }] }],
    });
    const narrow = await town.credential({ groups: ['intake', 'fulfillment', 'receiving'], storeIds: ['TOWN_CA'] });
    const unseen = await narrow.post(`${OTHER_STORE}/eligibility`, wanted);
    expect(unseen.body).toEqual({ orders: [], returns: [] });
    const line = { ...wanted, webLineId: '1', quantity: 1 };
    const made = await narrow.post(OTHER_STORE, { lines: [line] });
    expect([made.status, pointers(made)]).toEqual([400, ['/lines/0/fulfillmentOrderId']]);
    const body = { takeId: 't', userId: 'leo', storeId: 'TOWN_US', lines: [{ ...line, condition: 'GOOD' }] };
    const taken = await narrow.post(AT(), body);
    expect([taken.status, taken.body.code]).toEqual([403, 'ACCESS_DENIED']);
    const unknown = await town.client.post(AT(), { ...body, storeId: 'none' });
    expect([unknown.status, pointers(unknown)]).toEqual([400, ['/storeId']]);
    const { returnId, number } = shown(await town.request(orderId));
    expect((await town.client.post(`${OTHER_STORE}/eligibility`, wanted)).body).toMatchObject({
      orders: [{ lines: [{ comingBackQuantity: 1 }] }],
      returns: [{ number, returnId, state: 'REQUESTED' }],
    });
    expect((await narrow.post(`${OTHER_STORE}/eligibility`, wanted)).body).toEqual({ orders: [], returns: [] });
    const received = await narrow.post(`${AT()}/${returnId}/receipts`, {
      receiptId: 'a',
      userId: 'x',
      lines: [good()],
    });
    expect(received.status).toBe(404);
  });
});

describe('bad input', () => {
  it('to a receipt names every error at its place, and books nothing', async () => {
    const orderId = await town.handed([2]);
    const { returnId, number } = shown(await town.request(orderId, { 1: 2 }));
    const bad = await town.receive(returnId, 'a', [
      { quantity: 1, condition: 'GOOD' },
      { position: 1, itemId: SOAP, quantity: 1, condition: 'GOOD' },
      { position: 1, quantity: 1 },
      { position: 1, quantity: 0, condition: 'GOOD' },
      { position: 1, quantity: -1, condition: 'GOOD' },
      { position: 1, quantity: 1, condition: 'NEW', reason: 'WHY' },
      { itemId: 'none', quantity: 1, condition: 'GOOD' },
    ]);
    expect([bad.status, pointers(bad)!.toSorted()]).toEqual([
      400,
      [
        '/lines/0',
        '/lines/1',
        '/lines/2',
        '/lines/3/quantity',
        '/lines/4/quantity',
        '/lines/5/condition',
        '/lines/5/reason',
        '/lines/6/itemId',
      ],
    ]);
    expect(pointers(await town.receive(returnId, 'a', [good(1, 9)]))).toEqual(['/lines/0/position']);
    expect((await town.receive(returnId, 'a', [{ itemId: LAMP, quantity: 1, condition: 'GOOD' }])).body).toMatchObject({
      code: 'UNANNOUNCED',
      refusals: [{ pointer: '/lines/0', itemId: LAMP, open: 0 }],
    });
    const correct = (line: Record<string, unknown>, corrects = 'a') =>
      town.receive(returnId, 'c', [line], { corrects });
    expect((await town.receive(returnId, 'a', [good(1)])).status).toBe(201);
    expect(pointers(await correct({ position: 1, quantity: 1, disposition: 'SHELF' }))).toEqual(['/lines/0/quantity']);
    expect(pointers(await correct({ itemId: SOAP, quantity: -1, disposition: 'SHELF' }))).toEqual([
      '/lines/0/position',
    ]);
    expect(pointers(await correct({ position: 1, quantity: -1 }))).toEqual(['/lines/0']);
    expect(pointers(await correct({ position: 1, quantity: -1, disposition: 'SHELF' }, 'none'))).toEqual(['/corrects']);
    expect((await correct({ position: 1, quantity: -1, disposition: 'HELD' })).body.code).toBe('BELOW_ZERO');
    const { receipts, totals } = await town.read(number);
    expect([receipts.length, totals]).toMatchObject([1, { sellable: 1, open: 1 }]);
  });

  it('to a decision or a match is a located 400: another node, another item, a line with an order, too many units', async () => {
    const orderId = await town.handed([2, 1]);
    const { returnId } = shown(await town.take(orderId, { 1: 1 }, {}, { condition: 'OPENED' }));
    const decide = (line: object, nodeId?: string) =>
      act(returnId, 'dispose', { disposeId: 'd', lines: [{ position: 1, quantity: 1, to: 'SHELF', ...line }] }, nodeId);
    const elsewhere = await decide({}, DEPOT);
    expect([elsewhere.status, elsewhere.body.code, pointers(elsewhere)]).toEqual([
      ...[400, 'BELOW_ZERO', ['/lines/0/quantity']],
    ]);
    expect((await decide({ quantity: 2 })).body.code).toBe('BELOW_ZERO');
    expect(pointers(await decide({ position: 5 }))).toEqual(['/lines/0/position']);
    expect(pointers(await decide({ to: 'MOON' }))).toEqual(['/lines/0/to']);
    const match = (of: string, line: object) => {
      const lines = [{ position: 1, fulfillmentOrderId: orderId, webLineId: '1', quantity: 1, ...line }];
      return act(of, 'match', { matchId: 'm', lines });
    };
    expect(pointers(await match(returnId, {}))).toEqual(['/lines/0/position']);
    const blind = [{ itemId: SOAP, quantity: 1, condition: 'GOOD' }];
    const { returnId: own } = shown(await town.take('', {}, { lines: blind }));
    expect(pointers(await match(own, { webLineId: '2' }))).toEqual(['/lines/0/webLineId']);
    expect(pointers(await match(own, { webLineId: '7' }))).toEqual(['/lines/0/webLineId']);
    expect(pointers(await match(own, { fulfillmentOrderId: 'none' }))).toEqual(['/lines/0/fulfillmentOrderId']);
    const tooMany = await match(own, { quantity: 2 });
    expect([tooMany.status, tooMany.body.code]).toEqual([400, 'BELOW_ZERO']);
    expect((await match(own, {})).status).toBe(200);
    const requested = shown(await town.request(orderId, { 2: 1 }));
    for (const [what, body] of [
      ['dispose', { disposeId: 'd', lines: [{ position: 1, quantity: 1, to: 'SHELF' }] }],
      ['match', { matchId: 'm', lines: [{ position: 1, fulfillmentOrderId: orderId, webLineId: '2', quantity: 1 }] }],
      ['close', { closeId: 'c' }],
      ['reopen', { reason: 'why' }],
    ] as const) {
      expect((await act(requested.returnId, what, body)).body).toMatchObject({ code: 'NOT_OPEN', state: 'REQUESTED' });
    }
  });

  it('to a move by hand of held units is a located 400: they move with their decision', async () => {
    await keepStock(town, 'TOWN-Store001');
    const { returnId, number } = shown(await town.take(await town.handed([2]), { 1: 1 }, {}, { condition: 'OPENED' }));
    const lines = [{ itemId: SOAP, from: 'HELD', to: 'SUPPLIER', quantity: 1, reason: 'broken' }];
    const moveByHand = (moveId: string) =>
      town.client.post(`${CLIENT}/nodes/TOWN-Store001/stock/moves`, { moveId, userId: 'leo', lines });
    const early = await moveByHand('m1');
    expect([early.status, early.body.code, pointers(early)]).toEqual([400, 'BELOW_ZERO', ['/lines/0/quantity']]);
    expect(early.text).toContain(number);
    const decision = { disposeId: 'd', lines: [{ position: 1, quantity: 1, to: 'SHELF' }] };
    expect((await act(returnId, 'dispose', decision)).status).toBe(200);
  });

  it('to a take is a located 400 or 409: no goods named, an item of another order, the number of another return', async () => {
    const orderId = await town.handed([1]);
    const take = (line: object, more: object = {}) =>
      town.take('', {}, { lines: [{ quantity: 1, condition: 'GOOD', ...line }], ...more });
    expect(pointers(await take({}))).toEqual(['/lines/0/itemId']);
    expect(pointers(await take({ webLineId: '1' }))).toEqual(['/lines/0/fulfillmentOrderId']);
    expect(pointers(await take({ fulfillmentOrderId: orderId, itemId: LAMP }))).toEqual(['/lines/0/itemId']);
    expect(pointers(await take({ itemId: 'none' }))).toEqual(['/lines/0/itemId']);
    const tooMany = await take({ fulfillmentOrderId: orderId, itemId: SOAP, quantity: 3 });
    const [line, ...more] = tooMany.body.lines;
    expect([tooMany.status, line, more]).toMatchObject([
      409,
      { pointer: '/lines/0', rule: 'NOT_HANDED_OVER', webLineId: '1', requested: 3, returnable: 1 },
      [],
    ]);
    await town.request(orderId, { 1: 1 }, { number: 'R-1' });
    const used = await take({ itemId: SOAP }, { number: 'R-1' });
    expect([used.status, used.body.code]).toEqual([409, 'CONFLICT']);
    // With another number, the request is a new command.
    expect((await take({ itemId: SOAP }, { number: 'R-2' })).status).toBe(201);
  });

  it('to a lead right is a 403, also where it was not needed, and a wrong outcome of a refund is a 400', async () => {
    const orderId = await town.handed([1]);
    const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 1 };
    const own = await town.credential({ groups: ['intake', 'fulfillment'] });
    const body = { takeId: 't', userId: 'leo', storeId: 'TOWN_US', lines: [{ ...line, condition: 'GOOD' }] };
    expect((await own.post(AT(), { ...body, overrideReason: 'in time' })).body.code).toBe('ACCESS_DENIED');
    expect((await own.post(RETURNS, { lines: [line], overrideReason: 'in time' })).body.code).toBe('ACCESS_DENIED');
    const { refunds } = shown(await own.post(AT(), body));
    const answer = await town.client.post(`${CLIENT}/refunds/${refunds[0]!.refundId}/answer`, {
      outcome: 'DONE',
      failure: 'no',
    });
    expect([answer.status, pointers(answer)]).toEqual([400, ['/failure']]);
    expect((await town.client.post(`${CLIENT}/refunds/none/answer`, { outcome: 'DONE' })).status).toBe(404);
  });
});

describe('callers', () => {
  it('with some nodes see no refund; with some stores they see those of their stores', async () => {
    const orderId = await town.handed([2]);
    const { refunds } = shown(await town.take(orderId, { 1: 1 }));
    const path = `${CLIENT}/refunds`;
    const ofNode = await town.credential({ groups: ['intake'], nodeIds: ['TOWN-Store001'] });
    expect((await ofNode.get(path)).status).toBe(403);
    const answer = `${path}/${refunds[0]!.refundId}/answer`;
    expect((await ofNode.post(answer, { outcome: 'DONE' })).status).toBe(403);
    const ofOther = await town.credential({ groups: ['intake'], storeIds: ['TOWN_CA'] });
    expect((await ofOther.get(path)).body.refunds).toEqual([]);
    expect((await ofOther.post(answer, { outcome: 'DONE' })).status).toBe(404);
    const ofStore = await town.credential({ groups: ['intake'], storeIds: ['TOWN_US'] });
    expect((await ofStore.get(path)).body.refunds).toHaveLength(1);
    expect((await ofStore.post(answer, { outcome: 'DONE' })).status).toBe(200);
  });

  it('get the reason of an error in their language', async () => {
    const orderId = await town.handed([1]);
    await town.take(orderId, { 1: 1 });
    const detail = async (language: string) => {
      const lines = [{ fulfillmentOrderId: orderId, webLineId: '1', quantity: 1 }];
      const headers = { ...town.client.headers, 'accept-language': language };
      const { body } = await town.call({ method: 'POST', path: RETURNS, headers, body: { lines } });
      return String(body.lines[0].message);
    };
    const all = await Promise.all(['en', 'de', 'es'].map(detail));
    expect(all[0]).toContain('can still be returned');
    expect(new Set(all).size).toBe(3);
  });
});

describe('facts of a request', () => {
  it('a parcel under way is told once; the same again is no event, and after a receipt it is NOT_OPEN', async () => {
    const orderId = await town.handed([1]);
    const { returnId } = shown(await town.request(orderId, { 1: 1 }, { number: 'R-1' }));
    const mark = (body: object) => town.client.post(`${RETURNS}/R-1/inTransit`, body);
    const at = '2026-03-02T10:00:00Z';
    expect((await mark({ at: '2999-01-01T00:00:00Z' })).body).toMatchObject({
      errors: [{ pointer: '/at', rule: 'maximum' }],
    });
    expect((await mark({ at, trackingNumber: 'T-1' })).body).toMatchObject({
      state: 'REQUESTED',
      trackingNumber: 'T-1',
      inTransitAt: '2026-03-02T10:00:00+00:00',
      revision: 2,
    });
    expect((await mark({ at, trackingNumber: 'T-1' })).body.revision).toBe(2);
    expect((await mark({})).body.revision).toBe(2);
    expect((await mark({ trackingNumber: 'T-2' })).body).toMatchObject({ revision: 3, trackingNumber: 'T-2' });
    const types = (await town.events('return', returnId)).map(({ type }) => type);
    expect(types).toEqual(['return.requested', 'return.inTransit', 'return.inTransit']);
    await town.receive(returnId, 'a', [good()]);
    expect((await mark({})).body).toMatchObject({ code: 'NOT_OPEN', state: 'RECEIVING' });
  });

  it('a search with from and to finds the returns of these seconds, both included', async () => {
    const orderId = await town.handed([3]);
    const made = ['R-1', 'R-2', 'R-3'];
    for (const number of made) {
      await town.request(orderId, { 1: 1 }, { number });
      town.clock.now += 1_500;
    }
    const { createdAt } = await town.read('R-2');
    const search = async (body: object) => {
      const { body: page } = await town.client.post(`${RETURNS}/search`, body);
      return (page.returns as { number: string }[]).map(({ number }) => number);
    };
    expect(await search({ from: createdAt, to: createdAt })).toEqual(['R-2']);
    expect(await search({ from: createdAt })).toEqual(['R-2', 'R-3']);
    expect(await search({ to: createdAt })).toEqual(['R-1', 'R-2']);
    expect(await search({ webOrderId: (await town.row(orderId)).web_order_id })).toEqual(made);
    expect((await town.client.post(`${RETURNS}/search?after=x`, {})).status).toBe(400);
  });

  it('of the actions only those are allowed that the state and the units allow', async () => {
    const allowed = async (number: string) =>
      (await town.read(number)).allowedActions.filter((one) => one.allowed).map(({ action }) => action);
    const orderId = await town.handed([3]);
    const { returnId } = shown(await town.request(orderId, { 1: 2 }, { number: 'R-1' }));
    expect(await allowed('R-1')).toEqual(['markInTransit', 'cancel', 'receive']);
    await town.receive(returnId, 'a', [good()]);
    expect(await allowed('R-1')).toEqual(['receive', 'correct', 'close']);
    await town.receive(returnId, 'b', [{ position: 1, quantity: 3, condition: 'OPENED' }], { over: true });
    expect(await allowed('R-1')).toEqual(['receive', 'correct', 'dispose', 'match', 'close']);
    await town.closeReturn(returnId);
    expect(await allowed('R-1')).toEqual(['dispose', 'match', 'reopen']);
    const blind = [{ itemId: SOAP, quantity: 1, condition: 'NOT_OURS' }];
    const { number } = shown(await town.take('', {}, { lines: blind }));
    expect(await allowed(number)).toEqual(['reopen']);
  });
});

describe('a check', () => {
  it('finds an order by every number that a slip or label can have', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [2, 1]);
    const packed = await town.pack(orderId, { 1: 2, 2: 1 }, '1', { trackingNumber: 'T-PACK' });
    expect(packed.status, packed.text).toBe(204);
    const { web_order_id: webOrderId, oms_order_id: omsOrderId } = await town.row(orderId);
    for (const by of [
      ...[orderId, webOrderId, omsOrderId, 'T-PACK'].map((code) => ({ code })),
      ...[{ trackingNumber: 'T-PACK' }, { webOrderId }, { fulfillmentOrderId: orderId }],
    ]) {
      const { body } = await town.client.post(`${RETURNS}/eligibility`, by);
      const found = body.orders.map((one: { fulfillmentOrderId: string }) => one.fulfillmentOrderId);
      expect([by, found]).toEqual([by, [orderId]]);
    }
  });

  it('by the parcel of a return finds the return and its orders', async () => {
    const orderId = await town.handed([1]);
    await town.request(orderId, { 1: 1 }, { number: 'R-1', trackingNumber: 'T-RET' });
    const { body } = await town.client.post(`${RETURNS}/eligibility`, { trackingNumber: 'T-RET' });
    expect(body).toMatchObject({
      orders: [{ fulfillmentOrderId: orderId, lines: [{ returnableQuantity: 0, comingBackQuantity: 1 }] }],
      returns: [{ number: 'R-1', state: 'REQUESTED' }],
    });
  });
});

it('a number that is left out is the next that the store has not used', async () => {
  const orderId = await town.handed([3]);
  const first = shown(await town.request(orderId)).number;
  const next = String(Number(first) + 1);
  expect((await town.request(orderId, { 1: 1 }, { number: next })).status).toBe(201);
  const third = await town.request(orderId);
  expect([third.status, Number(shown(third).number) > Number(next)]).toEqual([201, true]);
});

it('goods without papers go where their condition says, with the setting ALLOW', async () => {
  await town.settings({ blind: 'ALLOW' });
  const line = { itemId: SOAP, quantity: 1 };
  const lines = ['GOOD', 'DAMAGED', 'NOT_OURS'].map((condition) => ({ ...line, condition }));
  expect(shown(await town.take('', {}, { lines }))).toMatchObject({
    ...{ kind: 'BLIND', refunds: [], totals: { over: 3, sellable: 1, damaged: 1, givenBack: 1, held: 0 } },
  });
});

it('an item is excluded by an attribute of its own, compared exactly', async () => {
  const path = `/item-service/clients/TOWN/items/${SOAP}`;
  const attributes = { customDynamicAttributes: [{ name: 'returns', value: 'FINAL SALE' }] };
  const { body: item } = await town.client.get(`/item-service/stores/TOWN_US/items/${SOAP}`);
  const put = await town.client.put(path, { ...item, ...attributes });
  expect(put.status, put.text).toBe(200);
  const orderId = await town.handed([1]);
  await town.settings({ excluded: [{ attribute: 'returns', values: ['final sale'] }] });
  expect(shown(await town.request(orderId, { 1: 1 }, { number: 'R-1' })).state).toBe('REQUESTED');
  await town.client.post(`${RETURNS}/R-1/cancel`, {});
  await town.settings({ excluded: [{ attribute: 'returns', values: ['other', 'FINAL SALE'] }] });
  expect((await town.request(orderId)).body.lines).toMatchObject([{ rule: 'ITEM_EXCLUDED' }]);
  // After the deletion of an item, the rule uses the last attributes of the item.
  expect((await town.client.delete(path)).status).toBe(204);
  expect((await town.request(orderId)).body.lines).toMatchObject([{ rule: 'ITEM_EXCLUDED' }]);
  await town.settings({ excluded: [{ attribute: 'returns', values: ['other'] }] });
  expect(shown(await town.request(orderId, { 1: 1 }, { number: 'R-2' })).state).toBe('REQUESTED');
});

describe('events', () => {
  it('of the end of a return say who, why and what', async () => {
    const orderId = await town.handed([3]);
    const { returnId } = shown(await town.request(orderId, { 1: 1 }, { number: 'R-1' }));
    await town.client.post(`${RETURNS}/R-1/cancel`, { reason: 'Keeps it' });
    await town.receive(returnId, 'a', [good()]);
    await town.closeReturn(returnId);
    await act(returnId, 'reopen', { reason: 'One more' });
    const events = await town.events('return', returnId);
    expect(events.map(({ type, data }) => [type, data['state']])).toEqual([
      ['return.requested', 'REQUESTED'],
      ['return.canceled', 'CANCELED'],
      ['return.received', 'RECEIVING'],
      ['return.closed', 'CLOSED'],
      ['return.reopened', 'RECEIVING'],
    ]);
    expect(events[1]!.data).toMatchObject({ reason: 'Keeps it', totals: { missing: 1, open: 0 } });
    expect(events.at(-1)!.data).toMatchObject({ reason: 'One more', userId: 'leo' });
    const blind = [{ itemId: SOAP, quantity: 1, condition: 'GOOD' }];
    const taken = shown(await town.take('', {}, { lines: blind }));
    const line = { position: 1, fulfillmentOrderId: orderId, webLineId: '1', quantity: 1 };
    await act(taken.returnId, 'match', { matchId: 'm', lines: [line] });
    expect((await town.events('return', taken.returnId)).at(-1)).toMatchObject({
      ...{ type: 'return.matched', data: { matchId: 'm', userId: 'leo', matched: [{ ...line, toPosition: 2 }] } },
    });
  });

  it('have all sums, and no note, reference of the customer or reason of the override', async () => {
    const orderId = await town.handed([4]);
    const secret = { customerRef: 'Ada-secret', note: 'secret', overrideReason: 'secret reason' };
    const wants = { itemId: LAMP, quantity: 1 };
    const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 3, note: 'secret', reason: 'OTHER' };
    const exchangeLines = [{ line: 1, wants }];
    const made = shown(await town.client.post(RETURNS, { number: 'R-1', lines: [line], exchangeLines, ...secret }));
    const { returnId } = made;
    await town.receive(returnId, 'a', [{ ...good(2), note: 'secret' }]);
    await town.receive(returnId, 'b', [{ position: 1, quantity: -1, disposition: 'SHELF', note: 'secret' }], {
      corrects: 'a',
    });
    await town.receive(returnId, 'c', [{ position: 1, quantity: 1, condition: 'OPENED' }]);
    const held = { position: 1, quantity: 1 };
    await act(returnId, 'dispose', { disposeId: 'd', lines: [{ ...held, to: 'DAMAGED', reason: 'mould' }] });
    await town.closeReturn(returnId, 'close-9');
    const events = await town.events('return', returnId);
    expect(JSON.stringify(events)).not.toContain('secret');
    expect(events.map(({ type }) => type)).toEqual([
      'return.requested',
      'exchange.requested',
      'return.received',
      'return.corrected',
      'return.received',
      'return.disposed',
      'return.closed',
    ]);
    const [requested, exchange, , corrected, , disposed, closed] = events.map(({ data }) => data);
    expect(requested).toMatchObject({ number: 'R-1', storeId: 'TOWN_US', kind: 'BY_MAIL', state: 'REQUESTED' });
    expect(exchange).toEqual({
      ...{ number: 'R-1', storeId: 'TOWN_US', line: 1, fulfillmentOrderId: orderId, webLineId: '1' },
      ...{ itemId: SOAP, wants },
    });
    expect(corrected).toMatchObject({
      ...{ receiptId: 'b', corrects: 'a', userId: 'leo', state: 'RECEIVING', totals: { sellable: 1, open: 2 } },
      receipt: [{ position: 1, quantity: -1, disposition: 'SHELF' }],
    });
    expect(disposed).toMatchObject({ disposeId: 'd', disposed: [{ ...held, to: 'DAMAGED', reason: 'mould' }] });
    const { refunds, lines, totals } = await town.read('R-1');
    const shownLines = lines.map(({ note: _, ...one }) => one);
    expect(closed).toMatchObject({ closeId: 'close-9', userId: 'leo', lines: shownLines, totals, refunds });
    expect(refunds).toMatchObject([{ amount: 20, status: 'DUE' }]);
    const due = await town.events('refund', refunds[0]!.refundId);
    expect(due).toMatchObject([{ type: 'refund.due', data: refunds[0] }]);
  });
});

describe('the money', () => {
  it('is due at each receipt with refundOn RECEIVED, and the close asks for nothing more', async () => {
    await town.settings({ refundOn: 'RECEIVED' });
    const orderId = await town.handed([3]);
    const { returnId } = shown(await town.request(orderId, { 1: 3 }));
    expect(shown(await town.receive(returnId, 'a', [good(1)])).refunds).toMatchObject([{ amount: 10 }]);
    expect(shown(await town.receive(returnId, 'b', [good(1)])).refunds).toMatchObject([{ amount: 10 }, { amount: 10 }]);
    expect(shown(await town.closeReturn(returnId)).refunds).toHaveLength(2);
  });

  it('has the header with the first unit by ALWAYS, and never by NEVER', async () => {
    const header = { headerCharges: 5, headerTax: 0.99 };
    await town.settings({ refundShipping: 'ALWAYS' });
    const first = await town.handed([2], header);
    expect(shown(await town.take(first, { 1: 1 })).refunds).toMatchObject([{ amount: 15.99, shipping: 5.99 }]);
    expect(shown(await town.take(first, { 1: 1 })).refunds).toMatchObject([{ amount: 10, shipping: 0 }]);
    await town.settings({ refundShipping: 'NEVER' });
    const second = await town.handed([1], header);
    expect(shown(await town.take(second, { 1: 1 })).refunds).toMatchObject([{ amount: 10, shipping: 0 }]);
  });

  it('has the header that a refund of its order has also after a change to NEVER, and a close takes nothing back', async () => {
    await town.settings({ refundShipping: 'ALWAYS' });
    const orderId = await town.handed([2], { headerCharges: 5, headerTax: 0.99 });
    const { number, returnId } = shown(await town.take(orderId, { 1: 1 }));
    await town.settings({ refundShipping: 'NEVER' });
    await act(returnId, 'reopen', { reason: 'look again' });
    await town.closeReturn(returnId);
    expect((await town.read(number)).refunds).toMatchObject([{ amount: 15.99, shipping: 5.99, status: 'DUE' }]);
    expect(shown(await town.take(orderId, { 1: 1 })).refunds).toMatchObject([{ amount: 10, shipping: 0 }]);
  });

  it('rises when a coupon goes back to the customer after the close, for another user than the receiver above fourEyes', async () => {
    await town.settings({ fee: 2, fourEyes: 20 });
    const goods = { webLineId: '1', itemId: '21-SOAP-LAV', quantity: 3, unitPrice: 10 };
    const coupon = { webLineId: '2', itemId: '21-LAMP-BRS', quantity: 1, unitPrice: 0, charges: -5 };
    const orderId = await town.handed([3, 1], { lines: [goods, coupon] });
    const { number } = shown(await town.take(orderId, { 1: 2 }));
    const { returnId } = shown(await town.take(orderId, { 2: 1 }, {}, { condition: 'OPENED' }));
    expect((await town.read(number)).refunds).toMatchObject([{ amount: 18, status: 'CANCELED' }]);
    const lines = [{ position: 1, quantity: 1, to: 'CUSTOMER' }];
    const decide = (userId: string) => act(returnId, 'dispose', { disposeId: 'd', userId, lines });
    await town.settings({ fee: 2, fourEyes: 15 });
    const own = await decide('leo');
    expect([own.status, own.body['code']]).toEqual([403, 'FOUR_EYES']);
    const decided = await decide('ana');
    expect(shown(decided).refunds).toMatchObject([
      { amount: 13, fee: 2 },
      { amount: 5, fee: 0 },
    ]);
    await act(returnId, 'reopen', { reason: 'look again' });
    expect(shown(await town.closeReturn(returnId, 'c', 'ana')).refunds).toHaveLength(2);
  });

  it('has header charges of at most its amount and fee; the next refund has the rest', async () => {
    await town.settings({ refundShipping: 'ALWAYS', fee: 2.5 });
    const coupon = { webLineId: '1', itemId: '21-SOAP-LAV', quantity: 1, unitPrice: 0, charges: -2.25 };
    const lamp = { webLineId: '2', itemId: '21-LAMP-BRS', quantity: 1, unitPrice: 10 };
    const orderId = await town.handed([1, 1], { lines: [coupon, lamp], headerCharges: 4.99 });
    const first = shown(await town.take(orderId, { 1: 1 }));
    expect(first.refunds).toMatchObject([{ amount: 0.24, fee: 2.5, shipping: 2.74 }]);
    expect(shown(await town.take(orderId, { 2: 1 })).refunds).toMatchObject([
      { amount: 7.5, fee: 2.5, shipping: 2.25 },
    ]);
  });

  it('of a return of two orders is one refund each; the fee is taken once, from the orders in the order of the lines', async () => {
    await town.settings({ fee: 14 });
    const [first, second] = [await town.handed([1]), await town.handed([1])];
    const line = { webLineId: '1', quantity: 1, condition: 'OPENED' };
    const lines = [first, second].map((fulfillmentOrderId) => ({ ...line, fulfillmentOrderId }));
    const taken = shown(await town.take('', {}, { lines, number: 'R-1' }));
    // The fee of 14 takes the whole refund of the first order (10) and 4 of the refund of the second order. So the first
    // order has no refund.
    expect(taken.refunds).toMatchObject([{ fulfillmentOrderId: second, amount: 6, fee: 4 }]);
    // The goods go back to the customer, so no refund and no fee is due.
    const back = [1, 2].map((position) => ({ position, quantity: 1, to: 'CUSTOMER' }));
    await act(taken.returnId, 'dispose', { disposeId: 'd', lines: back });
    expect((await town.read('R-1')).refunds).toMatchObject([{ status: 'CANCELED' }]);
    await town.settings({});
    expect(shown(await town.take(first, { 1: 1 })).refunds).toMatchObject([{ amount: 10, fee: 0 }]);
  });

  it('of two orders in two currencies: the fee is taken from one currency, and fourEyes limits each of them', async () => {
    await town.settings({ fee: 14, fourEyes: 15 });
    const [first, second] = [await town.handed([3]), await town.handed([3], { currency: 'CHF' })];
    const take = async (quantity: number) => {
      const line = { webLineId: '1', quantity, condition: 'GOOD' };
      const lines = [first, second].map((fulfillmentOrderId) => ({ ...line, fulfillmentOrderId }));
      return shown(await town.take('', {}, { lines }));
    };
    expect(await take(1)).toMatchObject({
      state: 'CLOSED',
      refunds: [{ fulfillmentOrderId: second, amount: 10, currency: 'CHF', fee: 0 }],
    });
    const above = await take(2);
    expect(above).toMatchObject({ state: 'RECEIVING', refunds: [] });
    expect((await town.closeReturn(above.returnId, 'c', 'leo')).body['code']).toBe('FOUR_EYES');
    expect(shown(await town.closeReturn(above.returnId, 'c', 'ana')).refunds).toMatchObject([
      { fulfillmentOrderId: first, amount: 6, fee: 14 },
      { fulfillmentOrderId: second, amount: 20, fee: 0 },
    ]);
  });

  it('has the fee of its own return only, also if the fee of an earlier return left no refund', async () => {
    await town.settings({ fee: 14 });
    const orderId = await town.handed([4]);
    const eaten = shown(await town.take(orderId, { 1: 1 }));
    expect(eaten.refunds).toEqual([]);
    const taken = shown(await town.take(orderId, { 1: 2 }, {}, { condition: 'OPENED' }));
    expect(taken.refunds).toMatchObject([{ amount: 6, fee: 14 }]);
    // Another unit of the first return costs no new fee. Its refund shows the 10 that the fee took from the first unit.
    await act(eaten.returnId, 'reopen', { reason: 'one more' });
    const more = await town.receive(eaten.returnId, 'b', [{ position: 1, quantity: 1, condition: 'GOOD' }], {
      over: true,
    });
    expect(shown(more).refunds).toMatchObject([{ amount: 10, fee: 10 }]);
    // Both refunds are canceled, and the refund that replaces them has the fees of both returns.
    const back = [{ position: 1, quantity: 1, to: 'CUSTOMER' }];
    const disposed = await act(taken.returnId, 'dispose', { disposeId: 'd', lines: back });
    expect(shown(disposed).refunds).toMatchObject([{ status: 'CANCELED' }, { amount: 6, fee: 24, status: 'DUE' }]);
    expect((await town.read(eaten.number)).refunds).toMatchObject([{ status: 'CANCELED' }]);
  });

  it('of less than was asked for cancels the refund of the own return first, then the newest of the others', async () => {
    const orderId = await town.handed([6]);
    const numbers = ['R-1', 'R-2', 'R-3'];
    const first = shown(await town.take(orderId, { 1: 2 }, { number: 'R-1' }, { condition: 'OPENED' }));
    for (const number of numbers.slice(1)) await town.take(orderId, { 1: 1 }, { number });
    const statuses = async () =>
      (await Promise.all(numbers.map((number) => town.read(number)))).map(({ refunds }) =>
        refunds.map(({ status, amount }) => `${status} ${amount}`),
      );
    expect(await statuses()).toEqual([['DUE 20'], ['DUE 10'], ['DUE 10']]);
    const back = (disposeId: string) =>
      act(first.returnId, 'dispose', { disposeId, lines: [{ position: 1, quantity: 1, to: 'CUSTOMER' }] });
    await back('a');
    expect(await statuses()).toEqual([['CANCELED 20', 'DUE 10'], ['DUE 10'], ['DUE 10']]);
    // The refund of this return is paid, so the newest refund of the other returns is canceled.
    const paid = (await town.read('R-1')).refunds[1]!;
    await town.client.post(`${CLIENT}/refunds/${paid.refundId}/answer`, { outcome: 'DONE' });
    await back('b');
    expect(await statuses()).toEqual([['CANCELED 20', 'DONE 10'], ['DUE 10'], ['CANCELED 10']]);
  });

  it('a paid refund for units that go back to the customer is overpaid once, and the next return of them asks for nothing', async () => {
    const orderId = await town.handed([2]);
    const taken = shown(await town.take(orderId, { 1: 1 }, { number: 'R-1' }, { condition: 'OPENED' }));
    await town.client.post(`${CLIENT}/refunds/${taken.refunds[0]!.refundId}/answer`, { outcome: 'DONE' });
    await act(taken.returnId, 'dispose', { disposeId: 'd', lines: [{ position: 1, quantity: 1, to: 'CUSTOMER' }] });
    const events = await town.events('refund', taken.refunds[0]!.refundId);
    expect(events.at(-1)).toMatchObject({ type: 'refund.overpaid', data: { amount: 10, number: 'R-1' } });
    expect(await town.counters(orderId)).toEqual([[0, 0]]);
    expect(shown(await town.take(orderId, { 1: 1 })).refunds).toEqual([]);
    expect(shown(await town.take(orderId, { 1: 1 })).refunds).toMatchObject([{ amount: 10 }]);
  });

  it('a paid refund is overpaid by the amount that each decision or correction adds, and by nothing if it adds none', async () => {
    const orderId = await town.handed([4]);
    const taken = shown(await town.take(orderId, { 1: 2 }, { number: 'R-1' }, { condition: 'OPENED' }));
    const { refundId } = taken.refunds[0]!;
    await town.client.post(`${CLIENT}/refunds/${refundId}/answer`, { outcome: 'DONE' });
    const overpaid = async () =>
      (await town.events('refund', refundId)).filter(({ type }) => type === 'refund.overpaid').map(({ data }) => data);
    const lines = [{ position: 1, quantity: 1, to: 'CUSTOMER' }];
    await act(taken.returnId, 'dispose', { disposeId: 'a', lines });
    await act(taken.returnId, 'dispose', { disposeId: 'b', lines });
    expect(await overpaid()).toMatchObject([{ amount: 10 }, { amount: 10 }]);
    await act(taken.returnId, 'reopen', { reason: 'one more' });
    const given = { position: 1, quantity: 1, condition: 'GOOD', disposition: 'GIVEN_BACK' };
    const more = await town.receive(taken.returnId, 'c', [given], { over: true });
    expect(more.status, more.text).toBe(201);
    const back = [{ position: 1, quantity: -1, disposition: 'GIVEN_BACK' }];
    const corrected = await town.receive(taken.returnId, 'd', back, { corrects: 'c' });
    expect(corrected.status, corrected.text).toBe(201);
    expect(await overpaid()).toHaveLength(2);
  });
});

it('with the setting for all transactions a receipt posts the opposite of its shipment, and damage; a correction posts both back', async () => {
  await town.settings({}, { stock: { transactions: 'ALL' } });
  await keepStock(town, 'TOWN-Store001');
  const orderId = await town.handed([3]);
  const { returnId } = shown(await town.request(orderId, { 1: 3 }));
  const { body: before } = await town.client.get(`${CLIENT}/nodes/TOWN-Store001/stock/transactions`);
  await town.receive(returnId, 'a', [good(1), { position: 1, quantity: 2, condition: 'DAMAGED' }]);
  await town.receive(returnId, 'b', [{ position: 1, quantity: -1, disposition: 'DAMAGED' }], { corrects: 'a' });
  const path = `${CLIENT}/nodes/TOWN-Store001/stock/transactions?after=${before.next}`;
  const posted = (await town.client.get(path)).body.transactions as { type: string; quantity: number }[];
  expect(posted.map(({ type, quantity }) => [Number(type), quantity])).toEqual([
    ...[
      [41, 1],
      [41, 2],
      [81, -2],
    ],
    ...[
      [41, -1],
      [81, 1],
    ],
  ]);
});

it('a receipt that a device sends after its clerk has left is the work of that clerk, also when another person has signed in', async () => {
  await setPin(town, 'clerk', '2580');
  await setPin(town, 'lead', '1470');
  const { returnId } = shown(await town.request(await town.handed([2]), { 1: 2 }));
  const device = await enroll(town);
  const { userId } = town.people.clerk;
  const clerk = await device.enter(userId, '2580');
  const { outboxTicket } = clerk.answer.body as { outboxTicket: string };
  const leo = await device.enter('leo', '1470');
  const path = `${AT()}/${returnId}/receipts`;
  // The request has no `userId`, so the receipt belongs to the clerk of the outbox ticket.
  const sent = await leo.post(path, { receiptId: 'a', lines: [good(1)] }, { 'outbox-ticket': outboxTicket });
  expect(sent.status, sent.text).toBe(201);
  expect(sent.body.receipt).toMatchObject({ receiptId: 'a', userId });
  const own = await leo.post(path, { receiptId: 'b', lines: [good(1)] });
  expect(own.body.receipt).toMatchObject({ receiptId: 'b', userId: 'leo' });
  const foreign = await leo.post(path, { receiptId: 'c', userId, lines: [good(1)] });
  expect(foreign).toMatchObject({ status: 403 });
});
