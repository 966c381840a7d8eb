/** Returns from request to close: the place of each unit, and the refund for it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokenRules, keepStock, movesOf, placesOf } from '../stock/stock.ts';
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

describe('a requested return', () => {
  it('sends units on their way, receives them, closes, and asks for exactly what was charged', async () => {
    const orderId = await town.handed([4, 2]);
    const made = await town.request(orderId, { 1: 3, 2: 1 }, { number: 'R-1' });
    expect(made.status, made.text).toBe(201);
    expect(shown(made)).toMatchObject({ number: 'R-1', kind: 'BY_MAIL', state: 'REQUESTED', totals: { open: 4 } });
    expect(await town.counters(orderId)).toEqual([
      [0, 3],
      [0, 1],
    ]);
    const { returnId } = shown(made);
    const got = await town.receive(returnId, 'a', [
      { position: 1, quantity: 2, condition: 'GOOD' },
      { itemId: '21-LAMP-BRS', quantity: 1, condition: 'OPENED' },
    ]);
    expect(got.status, got.text).toBe(201);
    expect(shown(got)).toMatchObject({ state: 'RECEIVING', totals: { sellable: 2, held: 1, open: 1 }, refunds: [] });
    const closed = await town.closeReturn(returnId);
    expect(closed.status, closed.text).toBe(200);
    expect(shown(closed)).toMatchObject({ state: 'CLOSED', totals: { missing: 1, open: 0 } });
    expect(shown(closed).refunds).toMatchObject([
      { amount: 30, currency: 'USD', basis: 'CHARGED', status: 'DUE', shipping: 0, fee: 0, collectedAtDoor: 0 },
    ]);
    expect(await town.counters(orderId)).toEqual([
      [2, 0],
      [1, 0],
    ]);
    expect((await town.row(orderId)).status).toBe(3800);
  });

  it('is one for the same number and content, from any sender; other content is a 409', async () => {
    const orderId = await town.handed();
    expect((await town.request(orderId, { 1: 1 }, { number: 'R-1' })).status).toBe(201);
    expect((await town.request(orderId, { 1: 1 }, { number: 'R-1', kind: 'BY_MAIL' })).status).toBe(200);
    const dated = (expiresAt: string) => town.request(orderId, { 1: 1 }, { number: 'R-1-DATED', expiresAt });
    expect((await dated('2030-03-02T13:00:00Z')).status).toBe(201);
    expect((await dated('2030-03-02T14:00:00+01:00')).status).toBe(200);
    expect((await dated('2030-03-02T14:00:00Z')).status).toBe(409);
    const other = await town.request(orderId, { 1: 2 }, { number: 'R-1' });
    expect([other.status, other.body['code']]).toEqual([409, 'CONFLICT']);
    expect(await town.counters(orderId)).toEqual([
      [0, 2],
      [0, 0],
    ]);
  });

  it('adds up repeated lines with the same reason, and joins their notes', async () => {
    const orderId = await town.handed();
    const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 1 };
    const lines = [
      { ...line, reason: 'OTHER', note: 'a' },
      { ...line, reason: 'DAMAGED' },
      { ...line, reason: 'OTHER', note: 'b' },
    ];
    const made = await town.client.post(RETURNS, { lines });
    expect(shown(made).lines).toMatchObject([
      { position: 1, requested: 2, reason: 'OTHER', note: 'a\nb' },
      { position: 2, requested: 1, reason: 'DAMAGED' },
    ]);
  });

  it('beyond the units that were handed over, or that can still come back, is a 409 that lists every line', async () => {
    const orderId = await town.handed([2, 2]);
    expect((await town.request(orderId, { 1: 1 })).status).toBe(201);
    const bad = await town.request(orderId, { 1: 2, 2: 3 });
    expect([bad.status, bad.body['code']]).toEqual([409, 'NOT_RETURNABLE']);
    expect(bad.body['lines']).toMatchObject([
      { pointer: '/lines/0', rule: 'ALREADY_RETURNED', requested: 2, returnable: 1, webLineId: '1' },
      { pointer: '/lines/1', rule: 'NOT_HANDED_OVER', requested: 3, returnable: 2, webLineId: '2' },
    ]);
    expect(await town.counters(orderId)).toEqual([
      [0, 1],
      [0, 0],
    ]);
  });

  it('names every error of the message at its place', async () => {
    const orderId = await town.handed();
    const bad = await town.client.post(RETURNS, {
      lines: [
        { fulfillmentOrderId: 'none', webLineId: '1', quantity: 1 },
        { fulfillmentOrderId: orderId, webLineId: '9', quantity: 1, reason: 'NO' },
        { fulfillmentOrderId: orderId, webLineId: '1', quantity: 0, reason: 'OTHER' },
      ],
      expectedNodeId: 'none',
      expiresAt: '2020-01-01T00:00:00Z',
      exchangeLines: [
        { line: 1, wants: { itemId: 'none', quantity: 1 } },
        { line: 1, wants: { itemId: '21-LAMP-BRS', quantity: 1 } },
        { line: 4, wants: { itemId: '21-LAMP-BRS', quantity: 1 } },
      ],
    });
    expect(bad.status).toBe(400);
    expect((bad.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).sort()).toEqual([
      '/exchangeLines/0/wants/itemId',
      '/exchangeLines/1/line',
      '/exchangeLines/2/line',
      '/expectedNodeId',
      '/expiresAt',
      '/lines/0/fulfillmentOrderId',
      '/lines/1/reason',
      '/lines/1/webLineId',
      '/lines/2/note',
      '/lines/2/quantity',
    ]);
  });

  it('at the counter also names an exchange for a line that the return cannot have, or that the customer keeps', async () => {
    const orderId = await town.handed([4, 2]);
    const wants = { itemId: '21-LAMP-BRS', quantity: 1 };
    const exchangeLines = [{ line: 2, wants }];
    const bad = await town.take(orderId, { 1: 1 }, { exchangeLines }, { condition: 'NOPE' });
    expect((bad.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).sort()).toEqual([
      '/exchangeLines/0/line',
      '/lines/0/condition',
    ]);
    expect((await town.take(orderId, { 1: 1, 2: 1 }, { exchangeLines })).status).toBe(201);
    const own = { exchangeLines: [{ line: 1, wants }] };
    const kept = await town.take(orderId, { 1: 1 }, own, { condition: 'NOT_OURS' });
    expect(kept.body).toMatchObject({ status: 400, errors: [{ pointer: '/exchangeLines/0/line', rule: 'kept' }] });
  });

  it('after the window needs a lead with a reason that is kept', async () => {
    const orderId = await town.handed();
    town.clock.now += 30 * 86_400_000;
    expect((await town.request(orderId, { 1: 1 })).status).toBe(201);
    town.clock.now += 1;
    const late = await town.request(orderId, { 1: 1 });
    expect(late.body['lines']).toMatchObject([{ rule: 'WINDOW_OVER', returnable: 0 }]);
    const lifted = await town.request(orderId, { 1: 1 }, { overrideReason: 'Ill' });
    expect(shown(lifted)).toMatchObject({ state: 'REQUESTED', overrideReason: 'Ill' });
    const { post } = await town.credential({ groups: ['intake'] });
    const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 1 };
    const denied = await post(RETURNS, { lines: [line], overrideReason: 'Ill' });
    expect([denied.status, denied.body['code']]).toEqual([403, 'ACCESS_DENIED']);
  });

  it('is canceled once, frees its units, and revives when the parcel comes all the same', async () => {
    const orderId = await town.handed([1, 1]);
    const { returnId } = shown(await town.request(orderId, { 1: 1 }, { number: 'R-1' }));
    const canceled = await town.client.post(`${RETURNS}/R-1/cancel`, {});
    expect(shown(canceled)).toMatchObject({ state: 'CANCELED', totals: { missing: 1, open: 0 } });
    const again = await town.client.post(`${RETURNS}/R-1/cancel`, {});
    expect(shown(again).revision).toBe(shown(canceled).revision);
    expect(await town.counters(orderId)).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const got = await town.receive(returnId, 'a', [{ position: 1, quantity: 1, condition: 'GOOD' }]);
    expect(shown(got)).toMatchObject({ state: 'RECEIVING', totals: { sellable: 1, missing: 0 } });
    expect((await town.client.post(`${RETURNS}/R-1/cancel`, {})).body).toMatchObject({
      code: 'NOT_OPEN',
      state: 'RECEIVING',
    });
  });
});

describe('a receipt', () => {
  it('is one, from any sender; in another form it is a 409', async () => {
    const orderId = await town.handed();
    const { returnId } = shown(await town.request(orderId, { 1: 2 }));
    const line = { position: 1, quantity: 1, condition: 'GOOD' };
    expect((await town.receive(returnId, 'a', [line])).status).toBe(201);
    expect((await town.receive(returnId, 'a', [line], { userId: 'ana' })).status).toBe(200);
    expect((await town.receive(returnId, 'a', [{ ...line, quantity: 2 }])).status).toBe(409);
    expect(await town.counters(orderId)).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  it('with more than requested is a 409, and with over counted to the order, then held without an order', async () => {
    const orderId = await town.handed([3, 1]);
    const { returnId } = shown(await town.request(orderId, { 1: 1 }));
    const line = { position: 1, quantity: 4, condition: 'GOOD' };
    const refused = await town.receive(returnId, 'a', [line]);
    expect([refused.status, refused.body['code']]).toEqual([409, 'UNANNOUNCED']);
    expect(refused.body['refusals']).toMatchObject([{ pointer: '/lines/0', open: 1, quantity: 4 }]);
    const got = await town.receive(returnId, 'a', [line], { over: true });
    expect(shown(got).lines).toMatchObject([
      { position: 1, requested: 1, over: 2, sellable: 3, open: 0 },
      { position: 2, requested: 0, over: 1, held: 1, open: 0 },
    ]);
    expect(await town.counters(orderId)).toEqual([
      [3, 0],
      [0, 0],
    ]);
  });

  it('names an item of the return or of its order also after the item was deleted', async () => {
    const orderId = await town.handed([2, 1]);
    const { returnId } = shown(await town.request(orderId, { 1: 1 }));
    for (const itemId of ['21-SOAP-LAV', '21-LAMP-BRS'])
      expect((await town.client.delete(`/item-service/clients/TOWN/items/${itemId}`)).status).toBe(204);
    const line = (itemId: string) => ({ itemId, quantity: 1, condition: 'GOOD' });
    expect((await town.receive(returnId, 'a', [line('21-SOAP-LAV')])).status).toBe(201);
    const lamp = await town.receive(returnId, 'b', [line('21-LAMP-BRS')], { over: true });
    expect(shown(lamp).lines).toMatchObject([
      { webLineId: '1', sellable: 1, open: 0 },
      { webLineId: '2', over: 1, sellable: 1 },
    ]);
    expect((await town.receive(returnId, 'c', [line('21-NEVER')], { over: true })).status).toBe(400);
  });

  it('moves stock at its own node, and a correction moves it back', async () => {
    await keepStock(town, 'TOWN-DC001');
    const orderId = await town.handed();
    const { returnId } = shown(await town.request(orderId, { 1: 2 }));
    const line = { position: 1, quantity: 2, condition: 'GOOD' };
    await town.receive(returnId, 'a', [line], {}, 'TOWN-DC001');
    expect((await placesOf(town, '21-SOAP-LAV', 'TOWN-DC001'))[0]).toBe(2);
    const back = [{ position: 1, quantity: -1, disposition: 'SHELF' }];
    const wrong = await town.receive(returnId, 'b', back, { corrects: 'a' });
    expect(wrong.body).toMatchObject({ code: 'WRONG_NODE', nodeIds: ['TOWN-DC001'] });
    const fixed = await town.receive(returnId, 'b', back, { corrects: 'a' }, 'TOWN-DC001');
    expect(shown(fixed).totals).toMatchObject({ sellable: 1, open: 1 });
    expect(await movesOf(town, '21-SOAP-LAV', 'TOWN-DC001')).toEqual([
      'CUSTOMER > SHELF 2 RETURNED',
      'SHELF > CUSTOMER 1 RETURN_CORRECTED',
    ]);
    const more = [{ position: 1, quantity: -2, disposition: 'SHELF' }];
    const below = await town.receive(returnId, 'c', more, { corrects: 'a' }, 'TOWN-DC001');
    expect([below.status, below.body['code']]).toEqual([400, 'BELOW_ZERO']);
  });
});

describe('a return in a store', () => {
  it('opens, receives and closes at once', async () => {
    const orderId = await town.handed([2, 1]);
    const taken = await town.take(orderId, { 1: 2, 2: 1 }, { takeId: 't' });
    expect(taken.status, taken.text).toBe(201);
    expect(shown(taken)).toMatchObject({ kind: 'IN_STORE', state: 'CLOSED', totals: { sellable: 3 } });
    expect(shown(taken).refunds).toMatchObject([{ amount: 30, status: 'DUE' }]);
    const again = await town.take(orderId, { 1: 2, 2: 1 }, { takeId: 't', userId: 'ana' });
    expect([again.status, shown(again).returnId]).toEqual([200, shown(taken).returnId]);
    const twice = await town.take(orderId, { 1: 1 });
    expect(twice.body).toMatchObject({ code: 'NOT_RETURNABLE', lines: [{ rule: 'ALREADY_RETURNED' }] });
  });

  it('without an order is held, without a refund, until a lead matches it', async () => {
    const lines = [{ itemId: '21-SOAP-LAV', quantity: 2, condition: 'GOOD' }];
    const taken = await town.take('', {}, { lines });
    expect(shown(taken)).toMatchObject({ kind: 'BLIND', state: 'CLOSED', refunds: [], totals: { held: 2, over: 2 } });
    const orderId = await town.handed([1, 1]);
    const match = (quantity: number, matchId: string) =>
      town.client.post(`${AT()}/${shown(taken).returnId}/match`, {
        matchId,
        userId: 'leo',
        lines: [{ position: 1, fulfillmentOrderId: orderId, webLineId: '1', quantity }],
      });
    expect((await match(2, 'm')).body).toMatchObject({ code: 'NOT_RETURNABLE', lines: [{ rule: 'NOT_HANDED_OVER' }] });
    const matched = shown(await match(1, 'm'));
    expect(matched.lines).toMatchObject([
      { position: 1, held: 1, over: 1 },
      { position: 2, fulfillmentOrderId: orderId, held: 1, over: 1 },
    ]);
    expect(matched.refunds).toMatchObject([{ amount: 10 }]);
    expect(await town.counters(orderId)).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });

  it('above the limit of four eyes is closed by another user', async () => {
    await town.settings({ fourEyes: 15 });
    const orderId = await town.handed();
    const { returnId, state } = shown(await town.take(orderId, { 1: 2 }));
    expect(state).toBe('RECEIVING');
    const own = await town.closeReturn(returnId, 'c', 'leo');
    expect([own.status, own.body['code']]).toEqual([403, 'FOUR_EYES']);
    expect(shown(await town.closeReturn(returnId, 'c', 'ana')).refunds).toMatchObject([{ amount: 20 }]);
  });
});

describe('four eyes', () => {
  const blind = async (more = {}) => {
    await town.settings({ fourEyes: 15 });
    const orderId = await town.handed();
    const lines = [{ itemId: '21-SOAP-LAV', quantity: 2, condition: 'GOOD' }];
    const { returnId } = shown(await town.take('', {}, { lines, ...more }));
    const match = (userId: string) =>
      town.client.post(`${AT()}/${returnId}/match`, {
        matchId: 'm',
        userId,
        lines: [{ position: 1, fulfillmentOrderId: orderId, webLineId: '1', quantity: 2 }],
      });
    return { returnId, match };
  };

  it('are needed for a match that makes a refund due', async () => {
    const { match } = await blind();
    const own = await match('leo');
    expect([own.status, own.body['code']]).toEqual([403, 'FOUR_EYES']);
    expect(own.body['detail']).toContain('another user must match the units');
    expect(shown(await match('ana')).refunds).toMatchObject([{ amount: 20 }]);
  });

  it('are not needed for a match before the close, which they then hold back', async () => {
    const { returnId, match } = await blind({ keepOpen: true });
    expect(shown(await match('leo'))).toMatchObject({ state: 'RECEIVING', refunds: [] });
    expect((await town.closeReturn(returnId, 'c', 'leo')).body['code']).toBe('FOUR_EYES');
  });

  it('hold back the refund of goods that arrive after a reopening', async () => {
    await town.settings({ fourEyes: 15 });
    const orderId = await town.handed();
    const { returnId, state } = shown(await town.take(orderId, { 1: 1 }));
    expect(state).toBe('CLOSED');
    await town.client.post(`${AT()}/${returnId}/reopen`, { userId: 'leo', reason: 'one more' });
    const more = [{ position: 1, quantity: 1, condition: 'GOOD' }];
    const received = shown(await town.receive(returnId, 'more', more, { over: true }));
    expect(received.refunds).toMatchObject([{ amount: 10 }]);
    expect((await town.closeReturn(returnId, 'c', 'leo')).body['code']).toBe('FOUR_EYES');
    expect(shown(await town.closeReturn(returnId, 'c', 'ana')).refunds).toMatchObject([{ amount: 10 }, { amount: 10 }]);
  });

  it('do not let another return of the order pay a refund that waits for the close after a reopening', async () => {
    await town.settings({ fourEyes: 25 });
    const orderId = await town.handed([8, 2]);
    const { returnId } = shown(await town.take(orderId, { 1: 1 }));
    await town.client.post(`${AT()}/${returnId}/reopen`, { userId: 'leo', reason: 'more' });
    const more = [{ position: 1, quantity: 4, condition: 'GOOD' }];
    const waiting = shown(await town.receive(returnId, 'more', more, { over: true }));
    expect(waiting.refunds).toMatchObject([{ amount: 10 }]);
    const other = shown(await town.take(orderId, { 1: 2 }));
    expect(other).toMatchObject({ state: 'CLOSED', refunds: [{ amount: 20 }] });
    const third = shown(await town.take(orderId, { 1: 1 }, {}, { condition: 'OPENED' }));
    expect(third).toMatchObject({ state: 'CLOSED', refunds: [{ amount: 10 }] });
    const disposed = await town.client.post(`${AT()}/${third.returnId}/dispose`, {
      disposeId: 'd',
      userId: 'leo',
      lines: [{ position: 1, quantity: 1, to: 'CUSTOMER' }],
    });
    expect(shown(disposed).refunds).toMatchObject([{ amount: 10, status: 'CANCELED' }]);
    expect((await town.closeReturn(returnId, 'c', 'leo')).body['code']).toBe('FOUR_EYES');
    const closed = shown(await town.closeReturn(returnId, 'c', 'ana'));
    expect(closed.refunds).toMatchObject([{ amount: 10 }, { amount: 40 }]);
  });
});

describe('four eyes with two reopened returns of an order', () => {
  /**
   * Returns the ids of two reopened returns. Each has 1 unit that was refunded. The second also has 6 units whose
   * refund waits for the close of the return.
   */
  const both = async (line = {}) => {
    await town.settings({ fourEyes: 50 });
    const orderId = await town.handed([20]);
    const first = shown(await town.take(orderId, { 1: 1 }, {}, { condition: 'GOOD', ...line }));
    const second = shown(await town.take(orderId, { 1: 1 }));
    const ids = [first.returnId, second.returnId] as const;
    for (const id of ids) await town.client.post(`${AT()}/${id}/reopen`, { userId: 'leo', reason: 'more' });
    const more = [{ position: 1, quantity: 6, condition: 'GOOD' }];
    const received = shown(await town.receive(ids[1], 'more', more, { over: true }));
    expect(received.refunds).toMatchObject([{ amount: 10 }]);
    return ids;
  };
  const close = async (id: string, userId: string) => shown(await town.closeReturn(id, `close-${id}`, userId)).refunds;

  it('the close of one does not pay what waits in the other, whose close needs another user', async () => {
    const [first, second] = await both();
    expect(await close(first, 'leo')).toMatchObject([{ amount: 10 }]);
    expect((await town.closeReturn(second, 'c', 'leo')).body['code']).toBe('FOUR_EYES');
    expect(await close(second, 'ana')).toMatchObject([{ amount: 10 }, { amount: 60 }]);
  });

  it('the close of the one with waiting units pays all of them while the other is open', async () => {
    const [first, second] = await both();
    expect(await close(second, 'ana')).toMatchObject([{ amount: 10 }, { amount: 60 }]);
    expect(await close(first, 'leo')).toMatchObject([{ amount: 10 }]);
  });

  it('each close pays its own units if units of both wait', async () => {
    const [first, second] = await both();
    const more = [{ position: 1, quantity: 7, condition: 'GOOD' }];
    const received = shown(await town.receive(first, 'more', more, { over: true }));
    expect(received.refunds).toMatchObject([{ amount: 10 }]);
    expect((await town.closeReturn(first, 'c', 'leo')).body['code']).toBe('FOUR_EYES');
    expect(await close(first, 'ana')).toMatchObject([{ amount: 10 }, { amount: 70 }]);
    expect(await close(second, 'ana')).toMatchObject([{ amount: 10 }, { amount: 60 }]);
  });

  it('a unit of one that goes back to the customer cancels its refund', async () => {
    const [first, second] = await both({ condition: 'OPENED' });
    const disposed = await town.client.post(`${AT()}/${first}/dispose`, {
      disposeId: 'd',
      userId: 'leo',
      lines: [{ position: 1, quantity: 1, to: 'CUSTOMER' }],
    });
    expect(shown(disposed).refunds).toMatchObject([{ amount: 10, status: 'CANCELED' }]);
    expect(await close(second, 'ana')).toMatchObject([{ amount: 10 }, { amount: 60 }]);
  });

  it('the close of one pays nothing of the other also if header charges belong to both', async () => {
    await town.settings({ fourEyes: 50, refundShipping: 'ALWAYS' });
    const orderId = await town.handed([20], { headerCharges: 5, headerTax: 0 });
    const [first, second] = [shown(await town.take(orderId, { 1: 1 })), shown(await town.take(orderId, { 1: 1 }))];
    expect([first.refunds, second.refunds]).toMatchObject([[{ amount: 15, shipping: 5 }], [{ amount: 10 }]]);
    const ids = [first.returnId, second.returnId] as const;
    for (const id of ids) await town.client.post(`${AT()}/${id}/reopen`, { userId: 'leo', reason: 'more' });
    await town.receive(ids[0], 'more', [{ position: 1, quantity: 6, condition: 'GOOD' }], { over: true });
    expect(await close(ids[1], 'leo')).toMatchObject([{ amount: 10 }]);
    expect(await close(ids[0], 'ana')).toMatchObject([{ amount: 15 }, { amount: 60, shipping: 0 }]);
  });

  it('a unit of one that goes back cancels its refund, without a new one for header charges of the other', async () => {
    await town.settings({ fourEyes: 50, refundShipping: 'ALWAYS' });
    const orderId = await town.handed([20], { headerCharges: 5, headerTax: 0 });
    const first = shown(await town.take(orderId, { 1: 1 })).returnId;
    const second = shown(await town.take(orderId, { 1: 1 }, {}, { condition: 'OPENED' })).returnId;
    for (const id of [first, second]) {
      await town.client.post(`${AT()}/${id}/reopen`, { userId: 'leo', reason: 'more' });
    }
    await town.receive(first, 'more', [{ position: 1, quantity: 6, condition: 'GOOD' }], { over: true });
    const disposed = await town.client.post(`${AT()}/${second}/dispose`, {
      disposeId: 'd',
      userId: 'leo',
      lines: [{ position: 1, quantity: 1, to: 'CUSTOMER' }],
    });
    expect(shown(disposed).refunds).toMatchObject([{ amount: 10, status: 'CANCELED' }]);
    expect(shown(disposed).refunds).toHaveLength(1);
  });
});

describe('held units', () => {
  it('are decided as often as needed; units given back correct the refund', async () => {
    await keepStock(town, 'TOWN-Store001');
    const orderId = await town.handed([4, 1]);
    const { returnId } = shown(await town.take(orderId, { 1: 4 }, {}, { condition: 'OPENED' }));
    const dispose = (disposeId: string, quantity: number, to: string) =>
      town.client.post(`${AT()}/${returnId}/dispose`, {
        disposeId,
        userId: 'leo',
        lines: [{ position: 1, quantity, to }],
      });
    await dispose('a', 1, 'SHELF');
    await dispose('b', 1, 'SUPPLIER');
    await dispose('c', 1, 'COUNT');
    const last = shown(await dispose('d', 1, 'CUSTOMER'));
    expect(last.totals).toMatchObject({ sellable: 1, damaged: 2, held: 0, givenBack: 1 });
    expect(last.refunds).toMatchObject([
      { amount: 40, status: 'CANCELED' },
      { amount: 30, status: 'DUE' },
    ]);
    expect((await dispose('e', 1, 'SHELF')).body).toMatchObject({ code: 'BELOW_ZERO' });
    expect((await dispose('d', 1, 'CUSTOMER')).status).toBe(200);
    const answer = await town.client.get(`${CLIENT}/nodes/TOWN-Store001/stock/transactions`);
    const types = (answer.body as { transactions: { type: string; quantity: number }[] }).transactions;
    expect(types.map((one) => [Number(one.type), one.quantity])).toEqual([
      [51, -1],
      [61, -1],
    ]);
  });
});

describe('a refund', () => {
  it('is reported once: FAILED may become DONE, and DONE never anything else', async () => {
    const orderId = await town.handed();
    const { refundId } = shown(await town.take(orderId, { 1: 1 })).refunds[0]!;
    const answer = (body: object) => town.client.post(`${CLIENT}/refunds/${refundId}/answer`, body);
    expect((await answer({ outcome: 'FAILED', failure: 'card' })).body).toMatchObject({ status: 'FAILED' });
    expect((await answer({ outcome: 'DONE', reference: 'x' })).body).toMatchObject({ status: 'DONE', reference: 'x' });
    expect((await answer({ outcome: 'DONE', reference: 'x' })).status).toBe(200);
    const late = await answer({ outcome: 'FAILED', failure: 'no' });
    expect([late.status, late.body]).toMatchObject([409, { code: 'REFUND_DONE', status: 'DONE' }]);
    expect((await town.client.get(`${CLIENT}/refunds?status=DONE`)).body['refunds']).toHaveLength(1);
  });

  it('has the header only when every unit came back, and the parts add up to the whole charge', async () => {
    const orderId = await town.handed([3], { headerCharges: 5, headerTax: 0.99 });
    expect(shown(await town.take(orderId, { 1: 2 })).refunds).toMatchObject([{ amount: 20, shipping: 0 }]);
    expect(shown(await town.take(orderId, { 1: 1 })).refunds).toMatchObject([{ amount: 15.99, shipping: 5.99 }]);
  });

  it.each([
    ['WHEN_ALL', [2, 1], [5, 10]],
    ['NEVER', [2, 1], [5, 10]],
    ['ALWAYS', [2, 1], [5, 10]],
    ['WHEN_ALL', [1, 2], [0, 15]],
  ])(
    'of an order with a discount of the whole order has the discount first, with %s: line %o',
    async (refundShipping, order, amounts) => {
      await town.settings({ refundShipping });
      const soap = { webLineId: '1', itemId: '21-SOAP-LAV', quantity: 1, unitPrice: 10 };
      const lamp = { webLineId: '2', itemId: '21-LAMP-BRS', quantity: 1, unitPrice: 20 };
      const orderId = await town.handed([1, 1], { lines: [soap, lamp], headerCharges: -15 });
      const { body } = await town.client.post(`${RETURNS}/eligibility`, { fulfillmentOrderId: orderId });
      expect(body['orders']).toMatchObject([{ lines: [{ refundAmount: 0 }, { refundAmount: 5 }] }]);
      for (const [index, webLineId] of order.entries()) {
        const { refunds } = shown(await town.take(orderId, { [webLineId]: 1 }));
        const amount = amounts[index]!;
        expect(refunds).toMatchObject(amount === 0 ? [] : [{ amount, shipping: 0 }]);
      }
    },
  );

  it('gives cash back first, and takes the fee of its return once', async () => {
    await town.settings({ fee: 3 });
    const orderId = await town.handed([4], { cashOnDelivery: 15 });
    expect(shown(await town.take(orderId, { 1: 2 })).refunds).toMatchObject([
      { amount: 17, fee: 3, collectedAtDoor: 15 },
    ]);
    expect(shown(await town.take(orderId, { 1: 2 })).refunds).toMatchObject([
      { amount: 17, fee: 3, collectedAtDoor: 0 },
    ]);
  });

  it('that was paid is never claimed back: a correction only says that it was too much', async () => {
    const orderId = await town.handed();
    const taken = shown(await town.take(orderId, { 1: 2 }, { takeId: 't' }));
    await town.client.post(`${CLIENT}/refunds/${taken.refunds[0]!.refundId}/answer`, { outcome: 'DONE' });
    await town.client.post(`${AT()}/${taken.returnId}/reopen`, { userId: 'leo', reason: 'Miscount' });
    const fixed = await town.receive(taken.returnId, 'b', [{ position: 1, quantity: -1, disposition: 'SHELF' }], {
      corrects: 't',
    });
    expect(shown(fixed).refunds).toMatchObject([{ amount: 20, status: 'DONE' }]);
    const events = await town.events('refund', taken.refunds[0]!.refundId);
    expect(events.map(({ type }) => type)).toEqual(['refund.due', 'refund.answered', 'refund.overpaid']);
    expect(events.at(-1)!.data).toMatchObject({ amount: 10 });
  });
});

describe('a check', () => {
  it('says of each line what can come back, until when, and for how much', async () => {
    const orderId = await town.handed([4, 1]);
    await town.take(orderId, { 1: 1, 2: 1 }, { number: 'R-9' });
    const found = await town.client.post(`${RETURNS}/eligibility`, { code: 'R-9' });
    expect(found.status, found.text).toBe(200);
    expect(found.body['orders']).toMatchObject([{ fulfillmentOrderId: orderId, lines: [{}, {}] }]);
    const byOrder = await town.client.post(`${RETURNS}/eligibility`, { fulfillmentOrderId: orderId });
    expect(byOrder.body).toMatchObject({
      orders: [
        {
          fulfillmentOrderId: orderId,
          lines: [
            { returnableQuantity: 3, cameBackQuantity: 1, refundAmount: 30, reasons: [] },
            { returnableQuantity: 0, refundAmount: 0, reasons: [{ rule: 'ALREADY_RETURNED' }] },
          ],
        },
      ],
      returns: [{ number: 'R-9', state: 'CLOSED' }],
    });
    expect((await town.client.post(`${RETURNS}/eligibility`, { code: 'nothing' })).body).toEqual({
      orders: [],
      returns: [],
    });
    expect((await town.client.post(`${RETURNS}/eligibility`, {})).status).toBe(400);
  });

  it.each([
    ['first the goods, unpaid', [1, 2], 'DUE'],
    ['first the coupon', [2, 1], 'DUE'],
    ['first the goods, paid', [1, 2], 'DONE'],
  ])('does not depend on the order of the receipts of goods and their coupon: %s', async (_which, order, status) => {
    await town.settings({ refundOn: 'RECEIVED' });
    const line = { webLineId: '1', itemId: '21-SOAP-LAV', quantity: 2, unitPrice: 10 };
    const coupon = { webLineId: '2', itemId: '21-LAMP-BRS', quantity: 1, unitPrice: 0, charges: -5 };
    const orderId = await town.handed([2, 1], { lines: [line, coupon] });
    const { number, returnId } = shown(await town.request(orderId, { 1: 1, 2: 1 }));
    for (const position of order) {
      const one = { position, quantity: 1, condition: 'GOOD' };
      const came = await town.receive(returnId, `r-${position}`, [one]);
      expect(came.status, came.text).toBe(201);
      for (const { refundId } of status === 'DONE' ? shown(came).refunds.slice(0, 1) : []) {
        await town.client.post(`${CLIENT}/refunds/${refundId}/answer`, { outcome: 'DONE' });
      }
    }
    const { refunds } = await town.read(number);
    if (status === 'DONE') {
      expect(refunds).toMatchObject([{ amount: 10, status: 'DONE' }]);
      const events = await town.events('refund', refunds[0]!.refundId);
      expect(events.at(-1)).toMatchObject({ type: 'refund.overpaid', data: { amount: 5 } });
    } else {
      expect(refunds.filter((one) => one.status === 'DUE')).toMatchObject([{ amount: 5 }]);
    }
  });

  it('has no amount below 0 for a line that lowers the refund, such as a coupon', async () => {
    const line = { webLineId: '1', itemId: '21-SOAP-LAV', quantity: 2, unitPrice: 10 };
    const coupon = { webLineId: '2', itemId: '21-LAMP-BRS', quantity: 1, unitPrice: 0, charges: -5 };
    const orderId = await town.handed([2, 1], { lines: [line, coupon] });
    await town.take(orderId, { 1: 1 });
    const found = await town.client.post(`${RETURNS}/eligibility`, { fulfillmentOrderId: orderId });
    expect(found.body['orders']).toMatchObject([
      { lines: [{ refundAmount: 5 }, { returnableQuantity: 1, refundAmount: 0 }] },
    ]);
  });
});

describe('a search', () => {
  it('finds returns by every field, the oldest first, page by page', async () => {
    const orderId = await town.handed();
    await town.request(
      orderId,
      { 1: 1 },
      { number: 'R-1', trackingNumber: 'T1', customerRef: 'c', expectedNodeId: 'TOWN-DC001' },
    );
    town.clock.now += 1_000;
    await town.take(orderId, { 1: 1 }, { number: 'R-2' });
    const search = async (body: object, query = '') => {
      const { body: page, text, status } = await town.client.post(`${RETURNS}/search${query}`, body);
      expect(status, text).toBe(200);
      return {
        next: page['next'] as string | undefined,
        numbers: (page['returns'] as { number: string }[]).map(({ number }) => number),
      };
    };
    expect((await search({})).numbers).toEqual(['R-1', 'R-2']);
    const first = await search({}, '?limit=1');
    expect(first.numbers).toEqual(['R-1']);
    expect((await search({}, `?limit=1&after=${first.next!}`)).numbers).toEqual(['R-2']);
    expect((await search({ fulfillmentOrderId: orderId, states: ['CLOSED'] })).numbers).toEqual(['R-2']);
    const states = ['CLOSED', 'REQUESTED'];
    const one = await search({ states }, '?limit=1');
    expect(one.numbers).toEqual(['R-1']);
    expect((await search({ states }, `?limit=1&after=${one.next!}`)).numbers).toEqual(['R-2']);
    const newest = await search({ states }, '?limit=1&order=desc');
    expect(newest.numbers).toEqual(['R-2']);
    expect((await search({ states }, `?limit=1&order=desc&after=${newest.next!}`)).numbers).toEqual(['R-1']);
    expect((await search({}, '?order=desc')).numbers).toEqual(['R-2', 'R-1']);
    const ofOrder = await search({ fulfillmentOrderId: orderId }, '?limit=1');
    expect((await search({ fulfillmentOrderId: orderId }, `?limit=1&after=${ofOrder.next!}`)).numbers).toEqual(['R-2']);
    expect((await search({ states, nodeId: 'TOWN-Store001' })).numbers).toEqual(['R-2']);
    expect((await search({ webOrderId: 'none' })).numbers).toEqual([]);
    expect((await search({ trackingNumber: 'T1', customerRef: 'c', kind: 'BY_MAIL' })).numbers).toEqual(['R-1']);
    expect((await search({ nodeId: 'TOWN-DC001' })).numbers).toEqual(['R-1']);
    expect((await search({ nodeId: 'TOWN-Store001' })).numbers).toEqual(['R-2']);
    await town.take(orderId, { 1: 1 }, { number: 'R-3' }, { condition: 'OPENED' });
    expect((await search({ held: true })).numbers).toEqual(['R-3']);
    expect((await search({ held: false })).numbers).toEqual(['R-1', 'R-2']);
  });
});

it('of sixteen counters at sixteen nodes with the last unit of a line, one takes it, and one shelf has it', async () => {
  const path = (nodeId: string) => `${CLIENT}/nodes/${nodeId}`;
  const {
    createdAt: _c,
    updatedAt: _u,
    clientId: _i,
    nodeId: _n,
    ...node
  } = (await town.operator('GET', path('TOWN-Store001'))).body;
  const nodeIds = Array.from({ length: 16 }, (_unused, index) => `TOWN-Counter${index}`);
  for (const nodeId of nodeIds) {
    const made = await town.operator('PUT', path(nodeId), { ...node, stock: 'KEPT' });
    expect(made.status, made.text).toBe(201);
  }
  const orderId = await town.handed([1]);
  const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 1, condition: 'GOOD' };
  const take = (nodeId: string) =>
    town.client.post(AT(nodeId), { takeId: nodeId, userId: 'leo', storeId: 'TOWN_US', lines: [line] });
  const answers = await Promise.all(nodeIds.map(take));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 15 }, () => 409)]);
  const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body['code']);
  expect(new Set(refused)).toEqual(new Set(['NOT_RETURNABLE']));
  const shelves = await Promise.all(
    nodeIds.map(async (nodeId) => (await placesOf(town, '21-SOAP-LAV', nodeId))[0] ?? 0),
  );
  expect(shelves.filter((units) => units > 0)).toEqual([1]);
  expect(await town.counters(orderId)).toEqual([[1, 0]]);
});
