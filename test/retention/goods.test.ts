import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/platform/time.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { NODE as DC, type Goods, openGoods } from '../receiving/goods.ts';
import { asn } from '../receiving/support.ts';
import { count, keepStock, levelOf, movesOf, NODE, NODE_ID, placesOf, SOAP } from '../stock/stock.ts';
import { type Aging, openAging } from './support.ts';

describe('shipments', () => {
  let goods: Goods;
  afterEach(() => goods.stop());
  const days = async (count: number) => {
    goods.clock.now += count * DAY_MS;
    await goods.server.runDue();
  };
  const closing = async (number: string) => (await goods.close(number, { reasons: [{ reason: 'LOST' }] })).status;
  const faults = async () => (await ruleFindings(goods.store)).filter(({ ok }) => !ok);
  const numbers = async () =>
    (
      await goods.store.read((db) =>
        db.selectFrom('inbound_shipments').select('number').where('number', 'like', 'G-%').orderBy('number').execute(),
      )
    ).map((row) => row.number);

  it('expire a number of days after they were closed, with their receipts; open and reopened ones stay', async () => {
    goods = await openGoods({ SHIPMENT_DAYS: '30', EVENT_DAYS: '60' });
    const closed = await goods.announce(['C-1', 'MUG-WHT', 5], ['C-2', 'SOAP-LAV', 3]);
    const open = await goods.announce(['C-3', 'MUG-WHT', 5]);
    const again = await goods.announce(['C-4', 'MUG-WHT', 5]);
    const lines = [{ cartonId: 'C-1', itemId: '21-MUG-WHT', good: 5 }];
    expect((await goods.receive(closed, { lines })).status).toBe(201);
    expect(await closing(closed)).toBe(200);
    expect(await closing(again)).toBe(200);
    await days(20);
    expect((await goods.client.post(`${goods.at(again)}/reopen`, { userId: 'lee', reason: 'IT CAME' })).status).toBe(
      200,
    );
    expect(await closing(again)).toBe(200);
    await days(11);
    expect(await numbers()).toEqual([open, again].sort());
    const found = await goods.client.get(`${DC}/inbound/ASN/${closed}`);
    expect(found.status).toBe(404);
    expect(await faults()).toEqual([]);
    await days(20);
    expect(await numbers()).toEqual([open]);
    const left = await goods.store.read(async (db) => [
      await db.selectFrom('inbound_cartons').select('carton_id').where('carton_id', 'like', 'C-%').execute(),
      await db.selectFrom('inbound_receipts').select('number').where('number', 'like', 'G-%').execute(),
      await db.selectFrom('inbound_statements').select('number').where('number', 'like', 'G-%').execute(),
    ]);
    expect(left.map((rows) => rows.length)).toEqual([1, 0, 0]);
    // The remaining shipment keeps its event sequence; the event sequences of expired shipments are deleted.
    await days(61);
    const kept = await goods.store.read((db) =>
      db.selectFrom('event_sequences').select('resource_id').where('resource_type', '=', 'inbound').execute(),
    );
    const own = kept.map((row) => row.resource_id).filter((id) => id.includes('G-'));
    expect(own).toEqual([`ASN/TOWNS/${open}`]);
    expect(await faults()).toEqual([]);
  });
});

describe('an ASN of a purchase order', () => {
  it('is deleted while the order is open, and the units of the order are not incoming again', async () => {
    const goods = await openGoods({ SHIPMENT_DAYS: '30' });
    const nodeId = 'TOWN-DC001';
    const mug = '21-MUG-WHT';
    await keepStock(goods, nodeId);
    const incoming = async () =>
      (await levelOf(goods, mug, nodeId)).incoming.reduce((sum, { quantity }) => sum + quantity, 0);
    const lines = [{ itemId: mug, counted: 0, revision: 0 }];
    const path = `/operator/v1/clients/TOWN/nodes/${nodeId}/counts`;
    expect((await goods.client.post(path, { countId: 'none', userId: 'cleo', lines })).status).toBe(201);
    const before = await incoming();
    const order = await goods.order(['MUG-WHT', 7]);
    expect(await incoming()).toBe(before + 7);
    const asnNumber = 'OF-PO';
    const line = { cartonId: 'C-1', clientItemId: 'MUG-WHT', shippedQuantity: 7 };
    expect((await goods.transmit(asn({ asnNumber, shipmentNumber: order }, line))).status).toBe(200);
    await goods.receive(asnNumber, { lines: [{ cartonId: 'C-1', itemId: mug, good: 7 }] });
    expect((await goods.close(asnNumber)).status).toBe(200);
    expect(await incoming()).toBe(before);
    goods.clock.now += 31 * DAY_MS;
    await goods.server.runDue();
    const left = await goods.store.read((db) =>
      db.selectFrom('inbound_shipments').select('number').where('number', 'in', [order, asnNumber]).execute(),
    );
    expect(left).toEqual([{ number: order }]);
    expect(await incoming()).toBe(before);
    await goods.stop();
  });
});

describe('stock', () => {
  let town: Aging;
  afterEach(() => town.close());
  const open = async (more: Record<string, string> = {}) => {
    town = await openAging({ STOCK_DAYS: '30', ORDER_DAYS: '400', ...more });
    await keepStock(town, NODE_ID);
    await count(town, SOAP, 10);
  };
  const move = (moveId: string, line: object) =>
    town.client.post(`${NODE}/stock/moves`, {
      moveId,
      userId: 'leo',
      lines: [{ itemId: SOAP, reason: 'test', ...line }],
    });
  const page = async () => (await town.client.get(`${NODE}/stock/${SOAP}/moves`)).body;

  it('keeps its levels when transactions expire: their sum is carried forward', async () => {
    await open();
    const { revision } = await levelOf(town, SOAP);
    await town.picked('STORE_PICK_UP', [4, 1], [4, 1]);
    const before = await placesOf(town, SOAP);
    await town.days(20);
    expect((await move('m1', { from: 'SHELF', to: 'COUNT', quantity: 1 })).status).toBe(201);
    await town.days(11);
    expect(await movesOf(town, SOAP)).toEqual(['SHELF > COUNT 1 MOVE']);
    expect((await page()).carried).toMatchObject({ shelf: 6, staged: 4, damaged: 0 });
    expect((await placesOf(town, SOAP))[0]).toBe(before[0]! - 1);
    expect(await town.faults()).toEqual([]);
    await town.days(31);
    expect(await movesOf(town, SOAP)).toEqual([]);
    expect((await page()).carried).toMatchObject({ shelf: 5, staged: 4 });
    expect(await town.faults()).toEqual([]);
    expect(await town.removed()).toMatchObject({ 'stock moves': expect.any(Number), counts: 1 });
    const late = await count(town, SOAP, 5, { revision });
    expect([late.status, late.body.errors[0].pointer, late.body.errors[0].rule]).toEqual([
      400,
      '/lines/0/revision',
      'minimum',
    ]);
    expect((await count(town, SOAP, 5)).status).toBe(201);
    // Only the command of the last count remains. The commands of expired counts and moves are deleted, so their ids
    // can be used again.
    expect(await town.count('commands')).toEqual({ commands: 1 });
  });

  it('tells readers of its transactions which ones have expired', async () => {
    await open();
    await move('m1', { from: 'SHELF', to: 'COUNT', quantity: 1 });
    await town.days(31);
    await move('m2', { from: 'SHELF', to: 'COUNT', quantity: 2 });
    const read = (query: string) => town.client.get(`${NODE}/stock/transactions${query}`);
    const old = await read('?after=0');
    expect([old.status, old.body.code, old.body.gone]).toEqual([410, 'TRANSACTIONS_GONE', 1]);
    for (const query of ['', '?after=1']) {
      expect((await read(query)).body).toMatchObject({ transactions: [{ type: 61, quantity: -2 }], nextAfter: 2 });
    }
  });

  it('keeps young transactions although a clock was behind for a later one; one of a clock ahead keeps none', async () => {
    await open();
    const start = town.clock.now;
    const at = async (days: number, moveId: string) => {
      town.clock.now = start + days * DAY_MS;
      expect((await move(moveId, { from: 'SHELF', to: 'COUNT', quantity: 1 })).status).toBe(201);
    };
    for (const [index, days] of [0, 400, 400, 0, 20, -2_000, 20].entries()) await at(days, `m${index + 1}`);
    const numbers = async () => {
      const { body } = await town.client.get(`${NODE}/stock/transactions`);
      return (body.transactions as { number: number }[]).map(({ number }) => number);
    };
    town.clock.now = start + 31 * DAY_MS;
    for (let rest = 0; rest < 3; rest += 1) {
      await town.due();
      town.clock.now += 700_000;
    }
    expect(await numbers()).toEqual([5, 6, 7]);
    await town.days(20);
    expect(await numbers()).toEqual([]);
  });

  it('keeps the transactions of a node while a count waits for approval', async () => {
    await open();
    const waiting = await count(town, SOAP, 4);
    expect(waiting.body).toMatchObject({ state: 'WAITING' });
    await town.days(31);
    expect(await movesOf(town, SOAP)).not.toEqual([]);
    const approved = await town.client.post(`${NODE}/counts/${waiting.body.countId as string}/approve`, {
      userId: 'leo',
    });
    expect(approved.status).toBe(200);
    expect((await placesOf(town, SOAP))[0]).toBe(4);
    await town.days(31);
    expect(await movesOf(town, SOAP)).toEqual([]);
    expect(await town.faults()).toEqual([]);
  });

  it('keeps the posted counts of a node while an older count waits for approval', async () => {
    await open();
    const { revision } = await levelOf(town, SOAP);
    const waiting = await count(town, SOAP, 4);
    const path = `${NODE}/counts/${waiting.body.countId as string}`;
    town.clock.now += 1_000;
    const newer = await count(town, SOAP, 10, { revision });
    expect(newer.body).toMatchObject({ state: 'POSTED' });
    await town.days(31);
    expect((await town.client.post(`${path}/approve`, { userId: 'leo' })).body).toMatchObject({
      newerCountId: newer.body.countId as string,
    });
    expect((await town.client.post(`${path}/reject`, { userId: 'leo', reason: 'older' })).status).toBe(200);
    await town.days(31);
    expect(await town.count('stock_counts')).toEqual({ stock_counts: 0 });
  });

  it('keeps an approved plan of a node while a count waits that is newer than the counts of the plan', async () => {
    await open();
    await town.operator('PUT', `${NODE}/items/${SOAP}`, { pickLocation: 'Q-1' });
    const plan = { planId: 'p', userId: 'leo', rule: { type: 'BINS', bins: ['Q-'] }, secondCount: 'NEVER' };
    expect((await town.client.post(`${NODE}/countPlans`, plan)).status).toBe(201);
    expect((await town.client.post(`${NODE}/countPlans/p/open`, { userId: 'leo' })).status).toBe(200);
    const { revision } = await levelOf(town, SOAP);
    const lines = [{ itemId: SOAP, counted: 10, revision }];
    await town.client.post(`${NODE}/countPlans/p/counts`, { countId: 'n', userId: 'ana', lines });
    await town.days(1);
    const waiting = await count(town, SOAP, 4);
    expect(waiting.body).toMatchObject({ state: 'WAITING' });
    await town.days(1);
    expect((await town.client.post(`${NODE}/countPlans/p/approve`, { userId: 'leo' })).status).toBe(200);
    await town.days(31);
    const path = `${NODE}/counts/${waiting.body.countId as string}`;
    expect((await town.client.post(`${path}/approve`, { userId: 'leo' })).status).toBe(200);
    expect((await placesOf(town, SOAP))[0]).toBe(4);
    await town.days(31);
    expect(await town.count('stock_counts', 'count_plans')).toEqual({ stock_counts: 0, count_plans: 0 });
    expect(await town.faults()).toEqual([]);
  });

  it('keeps the transactions of a node while a count plan is at work, and deletes the plan with its time', async () => {
    await open();
    await town.operator('PUT', `${NODE}/items/${SOAP}`, { pickLocation: 'Q-1' });
    const plan = { planId: 'p', userId: 'leo', rule: { type: 'BINS', bins: ['Q-'] }, secondCount: 'NEVER' };
    expect((await town.client.post(`${NODE}/countPlans`, plan)).status).toBe(201);
    expect((await town.client.post(`${NODE}/countPlans/p/open`, { userId: 'leo' })).status).toBe(200);
    const { revision } = await levelOf(town, SOAP);
    const lines = [{ itemId: SOAP, counted: 4, revision }];
    const counted = await town.client.post(`${NODE}/countPlans/p/counts`, { countId: 'n', userId: 'ana', lines });
    expect(counted.body).toMatchObject({ state: 'COUNTED' });
    await town.days(31);
    expect(await movesOf(town, SOAP)).not.toEqual([]);
    expect((await town.client.post(`${NODE}/countPlans/p/approve`, { userId: 'leo' })).status).toBe(200);
    expect((await placesOf(town, SOAP))[0]).toBe(4);
    await town.days(31);
    expect(await movesOf(town, SOAP)).toEqual([]);
    expect((await town.client.get(`${NODE}/countPlans/p`)).status).toBe(404);
    expect(await town.removed()).toMatchObject({ 'count plans': 1 });
    expect(await town.count('commands')).toEqual({ commands: 0 });
    expect(await town.faults()).toEqual([]);
  });

  it.each(['10', '60'])(
    'deletes the numbers of events of counts and count plans with them, EVENT_DAYS=%s',
    async (eventDays) => {
      await open({ EVENT_DAYS: eventDays });
      const waiting = await count(town, SOAP, 4);
      const at = `${NODE}/counts/${waiting.body.countId as string}`;
      expect((await town.client.post(`${at}/reject`, { userId: 'leo', reason: 'again' })).status).toBe(200);
      await town.operator('PUT', `${NODE}/items/${SOAP}`, { pickLocation: 'Q-1' });
      const plan = { planId: 'p', userId: 'leo', rule: { type: 'BINS', bins: ['Q-'] }, secondCount: 'NEVER' };
      expect((await town.client.post(`${NODE}/countPlans`, plan)).status).toBe(201);
      expect((await town.client.post(`${NODE}/countPlans/p/open`, { userId: 'leo' })).status).toBe(200);
      const { revision } = await levelOf(town, SOAP);
      const lines = [{ itemId: SOAP, counted: 10, revision }];
      await town.client.post(`${NODE}/countPlans/p/counts`, { countId: 'n', userId: 'ana', lines });
      expect((await town.client.post(`${NODE}/countPlans/p/approve`, { userId: 'leo' })).status).toBe(200);
      const numbered = async () => {
        const rows = await town.store.read((db) => db.selectFrom('event_sequences').select('resource_type').execute());
        return rows
          .map((row) => row.resource_type)
          .filter((type) => type.startsWith('count'))
          .sort();
      };
      await town.days(20);
      expect(await numbered()).toEqual(eventDays === '10' ? ['count', 'countPlan'] : []);
      await town.days(11);
      expect(await town.count('stock_counts', 'count_plans')).toEqual({ stock_counts: 0, count_plans: 0 });
      expect(await numbered()).toEqual([]);
      await town.days(31);
      expect(await numbered()).toEqual([]);
      expect(await town.faults()).toEqual([]);
    },
  );
});
