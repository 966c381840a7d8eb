import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postStock } from '../../src/kernel/stock.ts';
import { STOCK_PLACES } from '../../src/kernel/stock-terms.ts';
import { TRANSACTION_TYPES } from '../../src/kernel/stock-transactions.ts';
import { DEFAULT_SETTINGS } from '../../src/shared/client-settings.ts';
import { type Flow, openFlow } from '../orders/flow.ts';
import { openGoods } from '../receiving/goods.ts';
import { contextOf } from '../support/context.ts';
import { brokenRules, count, keepStock, levelOf, NODE, NODE_ID, putSettings, SOAP } from './stock.ts';

const LAMP = '21-LAMP-BRS';

interface Transaction {
  number: number;
  type: number;
  itemId: string;
  quantity: number;
  from: string;
  to: string;
  [field: string]: unknown;
}

describe('a node that keeps stock', () => {
  let town: Flow;
  beforeEach(async () => {
    town = await openFlow();
  });
  afterEach(async () => {
    expect(await brokenRules(town)).toEqual([]);
    await town.close();
  });

  const read = async (query = ''): Promise<Transaction[]> =>
    ((await town.client.get(`${NODE}/stock/transactions?pageSize=500${query}`)).body as { transactions: Transaction[] })
      .transactions;
  const move = (moveId: string, line: object) =>
    town.client.post(`${NODE}/stock/moves`, { moveId, userId: 'leo', lines: [{ itemId: SOAP, quantity: 1, ...line }] });
  const switchOn = async () => {
    await putSettings(town, {
      stock: { transactions: 'ALL' },
      cancelReasons: DEFAULT_SETTINGS.cancelReasons.map((one) => ({ ...one, stockEffect: 'DAMAGED' })),
    });
    await keepStock(town, NODE_ID);
  };

  /** Runs a day with moves of every transaction type. */
  const day = async () => {
    await count(town, SOAP, 10);
    const shipped = await town.picked('SHIP_TO_HOME', [2, 1], [2, 1]);
    expect((await town.pack(shipped, { 1: 2, 2: 1 })).status).toBe(204);
    await town.picked('STORE_PICK_UP', [3, 1], [2, 1]);
    await move('m1', { from: 'SHELF', to: 'MISSING', reason: 'Not there' });
    await move('m2', { from: 'MISSING', to: 'SHELF', reason: 'Behind the shelf' });
    await move('m3', { from: 'SHELF', to: 'SUPPLIER', reason: 'Recall' });
    await move('m4', { from: 'COUNT', to: 'SHELF', reason: 'Found' });
    const { countId } = (await count(town, SOAP, 4)).body as { countId: string };
    expect((await town.client.post(`${NODE}/counts/${countId}/approve`, { userId: 'leo' })).status).toBe(200);
    const arrival = { itemId: SOAP, cause: 'CHECKED_IN', reference: 'STS-1', userId: 'bo', ofOrder: true } as const;
    await town.store.write((tx) =>
      postStock(contextOf(town, tx), { clientId: 'TOWN', nodeId: NODE_ID }, [
        { ...arrival, from: 'CARRIER', to: 'HELD', quantity: 2 },
        { ...arrival, from: 'SUPPLIER', to: 'SHELF', quantity: 2, cause: 'RECEIPT' },
      ]),
    );
  };

  it('records every type with the setting ALL, and they make the levels', async () => {
    await switchOn();
    await day();
    const all = await read();
    expect([...new Set(all.map(({ type }) => type))].sort()).toEqual([...TRANSACTION_TYPES].sort());
    expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
    for (const itemId of [SOAP, LAMP]) {
      const sums: Record<string, number> = { SHELF: 0, STAGE: 0, DAMAGED: 0, HELD: 0, MISSING: 0 };
      for (const { from, to, quantity } of all.filter((one) => one.itemId === itemId)) {
        sums[from] = (sums[from] ?? 0) - Math.abs(quantity);
        sums[to] = (sums[to] ?? 0) + Math.abs(quantity);
      }
      const level = await levelOf(town, itemId);
      const good = (of: Record<string, number>) => of['SHELF']! + of['STAGE']! + of['HELD']!;
      const shown = Object.fromEntries(
        STOCK_PLACES.map((place) => [place, level[place === 'STAGE' ? 'staged' : place.toLowerCase()] as number]),
      );
      expect([good(sums), sums['DAMAGED'], sums['MISSING']]).toEqual([good(shown), shown['DAMAGED'], shown['MISSING']]);
    }
  });

  it('says of each what an ERP system posts: number, time, node, person, reason, spots and reference', async () => {
    await switchOn();
    await day();
    const all = await read();
    const [declined] = all.filter(({ type }) => type === 81);
    expect(declined).toMatchObject({ quantity: -1, from: 'SHELF', to: 'DAMAGED', nodeId: NODE_ID, lineNumber: '1' });
    expect(DEFAULT_SETTINGS.cancelReasons.map(({ code }) => code)).toContain(declined!['reason']);
    expect(declined!['at']).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(declined!['userId']).toMatch(/./);
    const lost = all.filter(({ type }) => type === 82).map(({ quantity, reason }) => [quantity, reason]);
    expect(lost).toEqual([
      [-1, 'Not there'],
      [1, 'Behind the shelf'],
    ]);
    const [sent] = all.filter(({ type }) => type === 41);
    expect(sent).toMatchObject({ itemId: SOAP, quantity: -2, from: 'STAGE', to: 'CUSTOMER' });
    expect(all.filter(({ type }) => type === 72)).toMatchObject([
      { itemId: LAMP, quantity: 1, from: 'COUNT', to: 'SHELF' },
      { itemId: LAMP, quantity: 1, from: 'COUNT', to: 'SHELF' },
    ]);
    const openings = all.filter(({ type, itemId }) => type === 73 && itemId === SOAP);
    expect(openings).toMatchObject([{ quantity: 10, from: 'OPENING', to: 'SHELF' }]);
    expect((await read(`&after=${all.at(-2)!.number}`)).map(({ number }) => number)).toEqual([all.length]);
  });

  it('after the last number are an empty page, and beyond it a 400 that says how to continue after a restored backup', async () => {
    await keepStock(town, NODE_ID);
    await day();
    const last = (await read()).length;
    const pageAfter = (number: number) => town.client.get(`${NODE}/stock/transactions?after=${number}`);
    expect(await pageAfter(last)).toMatchObject({ status: 200, body: { transactions: [], next: last } });
    const beyond = await pageAfter(last + 1);
    expect(beyond).toMatchObject({ status: 400, body: { errors: [{ pointer: 'query:after', rule: 'maximum' }] } });
    expect(beyond.text).toContain(`compare your levels with those of the node, then continue with after=${last}`);
    const none = await town.client.get(`/operator/v1/clients/TOWN/nodes/TOWN-DC001/stock/transactions?after=1`);
    expect(none.status).toBe(400);
  });

  it('records only 31, 51, 61 and 71 by default', async () => {
    await keepStock(town, NODE_ID);
    await day();
    expect((await read()).map(({ type, quantity }) => [type, quantity])).toEqual([
      [51, -1],
      [61, 1],
      [71, -2],
      [31, 2],
    ]);
  });

  it('rejects another value of the setting', async () => {
    await expect(putSettings(town, { stock: { transactions: 'SOME' } })).rejects.toThrow(
      /must be one of STANDARD, ALL/,
    );
  });
});

it('a receipt has its seller, its receipt and the unit cost with the digits of the message, also without stock', async () => {
  const town = await openGoods();
  try {
    const number = await town.announce(['003400000000000017', 'MUG-WHT', 5]);
    const line = { cartonId: '003400000000000017', itemId: '21-MUG-WHT' };
    const received = await town.receive(number, { lines: [{ ...line, good: 4, damaged: 1, reason: 'Broken' }] });
    const { receiptId } = (received.body as { receipt: { receiptId: string } }).receipt;
    const { body } = await town.client.get('/operator/v1/clients/TOWN/nodes/TOWN-DC001/stock/transactions');
    const { transactions } = body as { transactions: Transaction[] };
    expect(transactions).toMatchObject([
      { number: 1, type: 31, quantity: 4, from: 'SUPPLIER', to: 'SHELF', receiptId, reference: number, userId: 'ann' },
      { number: 2, type: 31, quantity: 1, from: 'SUPPLIER', to: 'DAMAGED', receiptId, reason: 'Broken' },
    ]);
    const { sellerId, itemCost } = transactions[0]!;
    const shipment = await town.shipment(number);
    expect(sellerId).toBe(shipment['sellerId']);
    expect(itemCost).toBe(12.5);
  } finally {
    await town.stop();
  }
});

it('a match has the longest number and seller of the goods without papers', async () => {
  const town = await openGoods();
  try {
    const sellerId = 'S'.repeat(40);
    const store = { name: 'Long', catalogId: '21', sellerId, storeCode: '9', currency: 'USD' };
    expect((await town.operator('PUT', '/operator/v1/clients/TOWN/stores/LONG', store)).status).toBe(201);
    const blind = 'N'.repeat(40);
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-DC001';
    expect((await town.client.post(`${path}/inbound/BLIND`, { number: blind, userId: 'ann', sellerId })).status).toBe(
      201,
    );
    const lines = [{ itemId: '21-MUG-WHT', good: 2 }];
    expect((await town.receive(blind, { lines }, undefined, 'BLIND')).status).toBe(201);
    const number = await town.announce(['003400000000000024', 'MUG-WHT', 2]);
    const matched = await town.client.post(`${town.at(blind, 'BLIND')}/match`, { type: 'ASN', number });
    expect(matched.status, matched.text).toBe(200);
    const { body } = await town.client.get(`${path}/stock/transactions`);
    const { transactions } = body as { transactions: Transaction[] };
    expect(transactions).toContainEqual(expect.objectContaining({ reference: blind, sellerId }));
    const receiptId = `BLIND/${sellerId}/${blind}`;
    expect(transactions).toContainEqual(expect.objectContaining({ reference: number, receiptId }));
  } finally {
    await town.stop();
  }
});
