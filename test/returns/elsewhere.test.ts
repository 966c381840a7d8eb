/** Bugs of returns in other systems, each with the rule that prevents the bug here; and concurrent returns. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokenRules, keepStock, movesOf, placesOf, SOAP } from '../stock/stock.ts';
import { AT, CLIENT, type Counter, openCounter, RETURNS, type Shown, shown } from './support.ts';

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

const DEPOT = 'TOWN-DC001';
const STORE_NODE = 'TOWN-Store001';
const good = (position: number, quantity: number) => ({ position, quantity, condition: 'GOOD' });
const dispose = (returnId: string, disposeId: string, to: string, quantity = 1) => {
  const lines = [{ position: 1, quantity, to }];
  return town.client.post(`${AT()}/${returnId}/dispose`, { disposeId, userId: 'leo', lines });
};
const answer = ({ refunds }: Shown, body: object) =>
  town.client.post(`${CLIENT}/refunds/${refunds.at(-1)!.refundId}/answer`, body);

describe('an error of other systems', () => {
  it('returned goods go to the stock of the node that shipped: here to the node of the receipt', async () => {
    await keepStock(town, STORE_NODE);
    await keepStock(town, DEPOT);
    const orderId = await town.handed([2]);
    const before = await placesOf(town, SOAP);
    const { returnId } = shown(await town.request(orderId, { 1: 2 }));
    await town.receive(returnId, 'a', [good(1, 2)], {}, DEPOT);
    expect((await placesOf(town, SOAP, DEPOT))[0]).toBe(2);
    expect(await placesOf(town, SOAP)).toEqual(before);
  });

  it('returned goods do not raise stock: here the disposition of every unit says its place', async () => {
    await keepStock(town, STORE_NODE);
    const orderId = await town.handed([4]);
    const [shelf, , damaged, held] = await placesOf(town, SOAP);
    const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 1 };
    const conditions = ['GOOD', 'OPENED', 'DAMAGED', 'NOT_OURS'];
    const lines = conditions.map((condition) => ({ ...line, condition }));
    expect(shown(await town.take('', {}, { lines })).totals).toMatchObject({
      sellable: 1,
      held: 1,
      damaged: 1,
      givenBack: 1,
    });
    const after = await placesOf(town, SOAP);
    expect([after[0], after[2], after[3]]).toEqual([shelf! + 1, damaged! + 1, held! + 1]);
  });

  it('a return without a request breaks its order: here no return changes the order, and entries correct receipts', async () => {
    const orderId = await town.handed([2]);
    const before = await town.row(orderId);
    const { returnId } = shown(await town.take(orderId, { 1: 2 }, { takeId: 't', keepOpen: true }));
    const back = [{ position: 1, quantity: -1, disposition: 'SHELF' }];
    const corrected = shown(await town.receive(returnId, 'b', back, { corrects: 't' }));
    expect(corrected.receipts.map(({ lines }) => lines.map((line) => line['quantity']))).toEqual([[2], [-1]]);
    expect(shown(await town.closeReturn(returnId)).totals).toMatchObject({ sellable: 1, missing: 1, open: 0 });
    expect(await town.row(orderId)).toEqual(before);
  });

  it('goods cannot be received without a refund: here a receipt asks for none, and a failed refund blocks no goods', async () => {
    const orderId = await town.handed([3]);
    const { returnId } = shown(await town.request(orderId, { 1: 2 }));
    expect(shown(await town.receive(returnId, 'a', [good(1, 1)])).refunds).toEqual([]);
    const closed = shown(await town.closeReturn(returnId));
    expect((await answer(closed, { outcome: 'FAILED', failure: 'card' })).status).toBe(200);
    expect(shown(await town.take(orderId, { 1: 2 }))).toMatchObject({ state: 'CLOSED', refunds: [{ amount: 20 }] });
  });

  it('units that need processing can never be restocked: here held units are decided later, as often as needed', async () => {
    await keepStock(town, STORE_NODE);
    const orderId = await town.handed([2]);
    const { returnId } = shown(await town.take(orderId, { 1: 2 }, {}, { condition: 'OPENED' }));
    town.clock.now += 40 * 86_400_000;
    expect(shown(await dispose(returnId, 'a', 'SHELF'))).toMatchObject({
      state: 'CLOSED',
      totals: { held: 1, sellable: 1 },
    });
    expect(shown(await dispose(returnId, 'b', 'DAMAGED')).totals).toMatchObject({ held: 0, damaged: 1 });
    expect((await movesOf(town, SOAP)).filter((move) => move.includes('DISPOSED'))).toEqual([
      'HELD > SHELF 1 RETURN_DISPOSED',
      'HELD > DAMAGED 1 RETURN_DISPOSED',
    ]);
  });

  it('the same delivery is returned twice: here a guarded counter of the order line forbids it', async () => {
    const orderId = await town.handed([2]);
    expect(shown(await town.take(orderId, { 1: 2 })).state).toBe('CLOSED');
    const lines = [{ rule: 'ALREADY_RETURNED', requested: 2, returnable: 0 }];
    expect((await town.take(orderId, { 1: 2 })).body).toMatchObject({ code: 'NOT_RETURNABLE', lines });
    expect((await town.request(orderId, { 1: 2 })).body).toMatchObject({ code: 'NOT_RETURNABLE', lines });
    expect(await town.counters(orderId)).toEqual([[2, 0]]);
  });

  it('one good item lets the others pass: here every line is judged by itself', async () => {
    const orderId = await town.handed([2, 1]);
    const bad = await town.request(orderId, { 1: 1, 2: 2 });
    expect(bad.body['lines']).toMatchObject([{ pointer: '/lines/1', rule: 'NOT_HANDED_OVER', returnable: 1 }]);
    expect(bad.body['lines']).toHaveLength(1);
    expect(await town.counters(orderId)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('repeated lines are two returns of the same units: here they are added up, and judged together', async () => {
    const orderId = await town.handed([3]);
    const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 2 };
    const bad = await town.client.post(RETURNS, { lines: [line, line] });
    expect(bad.body).toMatchObject({ code: 'NOT_RETURNABLE', lines: [{ requested: 4, returnable: 3 }] });
    const made = await town.client.post(RETURNS, {
      lines: [
        { ...line, quantity: 1 },
        { ...line, quantity: 2 },
      ],
    });
    expect(shown(made).lines).toMatchObject([{ position: 1, requested: 3, open: 3 }]);
  });

  it('there are no requests for returns at all: here one can be checked, made, followed, found and canceled', async () => {
    const orderId = await town.handed([1]);
    const check = async () => (await town.client.post(`${RETURNS}/eligibility`, { fulfillmentOrderId: orderId })).body;
    expect(await check()).toMatchObject({ orders: [{ lines: [{ returnableQuantity: 1 }] }], returns: [] });
    await town.request(orderId, { 1: 1 }, { number: 'RMA-1' });
    await town.client.post(`${RETURNS}/RMA-1/inTransit`, { trackingNumber: 'T-1' });
    const found = await town.client.post(`${RETURNS}/search`, { trackingNumber: 'T-1' });
    expect(found.body).toMatchObject({ returns: [{ number: 'RMA-1', inTransitAt: expect.any(String) }] });
    expect(shown(await town.client.post(`${RETURNS}/RMA-1/cancel`, {})).state).toBe('CANCELED');
    expect(await check()).toMatchObject({ orders: [{ lines: [{ returnableQuantity: 1 }] }] });
  });
});

describe('at the same time', () => {
  const ROUNDS = Array.from({ length: 4 }, (_unused, round) => round);

  it.each(ROUNDS)(
    'sixteen counters at two nodes take the last unit once, with one move of stock (round %i)',
    async () => {
      await keepStock(town, STORE_NODE);
      await keepStock(town, DEPOT);
      const orderId = await town.handed([1]);
      const [before = 0] = await placesOf(town, SOAP);
      const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 1, condition: 'GOOD' };
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_unused, clerk) => {
          const body = { takeId: `clerk-${clerk}`, userId: 'leo', storeId: 'TOWN_US', lines: [line] };
          return town.client.post(AT(clerk % 2 === 0 ? STORE_NODE : DEPOT), body);
        }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(15).fill(409)]);
      const refused = answers.filter(({ status }) => status === 409);
      expect(new Set(refused.map(({ body }) => body['code']))).toEqual(new Set(['NOT_RETURNABLE']));
      const after = [await placesOf(town, SOAP), await placesOf(town, SOAP, DEPOT)];
      // A node without a move of the item has no level.
      expect(after.map(([shelf = 0]) => shelf).reduce((sum, shelf) => sum + shelf, -before)).toBe(1);
      expect(await town.counters(orderId)).toEqual([[1, 0]]);
      expect((await town.client.get(`${CLIENT}/refunds`)).body['refunds']).toHaveLength(1);
    },
  );

  it.each(ROUNDS)(
    'a refund gets an outcome and is canceled: one of both wins, never both (round %i)',
    async (round) => {
      const orderId = await town.handed([2]);
      const taken = shown(await town.take(orderId, { 1: 2 }, { number: 'R-1' }, { condition: 'OPENED' }));
      const pay = () => answer(taken, { outcome: 'DONE', reference: 'x' });
      const lower = () => dispose(taken.returnId, 'd', 'CUSTOMER');
      const [first, second] = await Promise.all(round % 2 === 0 ? [pay(), lower()] : [lower(), pay()]);
      const [paid, lowered] = round % 2 === 0 ? [first, second] : [second, first];
      expect(lowered.status, lowered.text).toBe(200);
      const { refunds } = await town.read('R-1');
      const types = (await town.events('refund', taken.refunds[0]!.refundId)).map(({ type }) => type);
      if (paid.status === 200) {
        expect(refunds).toMatchObject([{ amount: 20, status: 'DONE' }]);
        expect(types).toEqual(['refund.due', 'refund.answered', 'refund.overpaid']);
      } else {
        expect(paid.body).toMatchObject({ code: 'NOT_OPEN', status: 'CANCELED' });
        expect(refunds).toMatchObject([
          { amount: 20, status: 'CANCELED' },
          { amount: 10, status: 'DUE' },
        ]);
        expect(types).toEqual(['refund.due', 'refund.canceled']);
      }
    },
  );

  it('two orders for the exchange of one line: one serves it, the other is a 409', async () => {
    const orderId = await town.handed([1]);
    const wants = { itemId: '21-LAMP-BRS', quantity: 1 };
    await town.request(orderId, { 1: 1 }, { number: 'R-1', exchangeLines: [{ line: 1, wants }] });
    const more = { exchangeOf: { returnNumber: 'R-1', line: 1 } };
    const made = await Promise.allSettled([1, 2].map(() => town.order({ lines: [['LAMP-BRS', 1, 10]], more })));
    const won = made.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const lost = made.flatMap((one) => (one.status === 'rejected' ? String(one.reason) : []));
    expect([won.length, lost]).toEqual([1, [expect.stringContaining('CONFLICT')]]);
    expect((await town.read('R-1')).exchanges).toEqual([{ line: 1, wants, fulfillmentOrderId: won[0] }]);
  });

  it('sixteen receipts of one return count every unit once, and the seventeenth finds none', async () => {
    const orderId = await town.handed([16]);
    const { returnId } = shown(await town.request(orderId, { 1: 16 }, { number: 'R-1' }));
    const receive = (n: number) => town.receive(returnId, `r-${n >> 1}`, [good(1, 2)]);
    const answers = await Promise.all(Array.from({ length: 16 }, (_unused, n) => receive(n)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(8).fill(200),
      ...Array<number>(8).fill(201),
    ]);
    expect((await town.receive(returnId, 'more', [good(1, 1)])).body).toMatchObject({ code: 'UNANNOUNCED' });
    expect((await town.read('R-1')).totals).toMatchObject({ sellable: 16, open: 0 });
    expect(await town.counters(orderId)).toEqual([[16, 0]]);
  });
});

describe('the id of a command at another node', () => {
  const elsewhere = (member: string, id: string) => ({
    status: 409,
    body: { code: 'CONFLICT', detail: expect.stringContaining(`${member} "${id}" was used at another node`) },
  });

  it('is a 409 when goods are taken, so that the goods of the second store are not lost without a word', async () => {
    await keepStock(town, DEPOT);
    const orderId = await town.handed([4]);
    const line = { fulfillmentOrderId: orderId, webLineId: '1', quantity: 1, condition: 'GOOD' };
    const body = { takeId: 'till', userId: 'leo', storeId: 'TOWN_US', lines: [line] };
    expect((await town.client.post(AT(), body)).status).toBe(201);
    expect(await town.client.post(AT(DEPOT), body)).toMatchObject(elsewhere('takeId', 'till'));
    expect(await town.counters(orderId)).toMatchObject([[1, 0]]);
    expect((await town.client.post(AT(), { ...body, userId: 'ana' })).status).toBe(200);
    expect((await town.client.post(AT(DEPOT), { ...body, takeId: 'till-2' })).status).toBe(201);
    expect((await placesOf(town, SOAP, DEPOT))[0]).toBe(1);
  });

  it('is a 409 for a receipt, a decision and a close, and at the first node a retry', async () => {
    const orderId = await town.handed([4]);
    const { returnId } = shown(await town.request(orderId, { 1: 4 }));
    const held = [{ position: 1, quantity: 2, condition: 'OPENED' }];
    expect((await town.receive(returnId, 'r', held)).status).toBe(201);
    expect(await town.receive(returnId, 'r', held, {}, DEPOT)).toMatchObject(elsewhere('receiptId', 'r'));
    expect((await town.receive(returnId, 'r', held)).status).toBe(200);
    expect((await town.receive(returnId, 'r-2', held, {}, DEPOT)).status).toBe(201);
    const at = (nodeId: string, action: string, body: object) =>
      town.client.post(`${AT(nodeId)}/${returnId}/${action}`, { userId: 'leo', ...body });
    const decision = { disposeId: 'd', lines: [{ position: 1, quantity: 1, to: 'SHELF' }] };
    const actions = [
      ['dispose', 'disposeId', decision],
      ['close', 'closeId', { closeId: 'd' }],
    ] as const;
    for (const [action, member, body] of actions) {
      expect((await at(STORE_NODE, action, body)).status).toBe(200);
      expect(await at(DEPOT, action, body)).toMatchObject(elsewhere(member, 'd'));
      expect((await at(STORE_NODE, action, body)).status).toBe(200);
    }
  });
});
