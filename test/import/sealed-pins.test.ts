import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../src/service/import/mapping-api.ts';
import { inputFile, item, openShop, order, type Shop } from './support/shop.ts';

const PIN = '86753091';
const lines = [{ webLineId: '1', itemId: 'A-LATER', quantity: 1, unitPrice: 1 }];

/** Returns the values of an object by the paths of their fields, as cells of a CSV. */
function cells(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    typeof one === 'object' && one !== null
      ? cells(one, `${prefix}${name}.`)
      : [[prefix + name, String(one)] as [string, string]],
  );
}

const csv = (...orders: object[]) =>
  [cells(orders[0]!).map(([name]) => name), ...orders.map((one) => cells(one).map(([, cell]) => cell))]
    .map((row) => row.join(','))
    .join('\n');

async function addItem({ run }: Shop): Promise<void> {
  const file = inputFile('items.json', JSON.stringify([item('LATER', { ispuEligible: true })]));
  expect(await run({ kind: 'items', file })).toMatchObject({ rowsImported: 1 });
}

/** Returns the number of orders that the queue shows for a PIN. */
async function found({ backroom }: Shop, pinNumber: string): Promise<number> {
  const made = await backroom.operator('POST', '/operator/v1/clients/SHOP/credentials', { label: 'till' });
  const queueId = 'WAITING_FOR_PICK_ISPU';
  const { body } = await backroom.call({
    method: 'POST',
    path: `/stores/WEB/nodes/N1/fulfillmentOrders?queueId=${queueId}`,
    headers: { apikey: made.body.apiKey },
    body: { storeId: 'WEB', nodeId: 'N1', queueId, pinNumber },
  });
  return (body.fulfillmentOrders as object[]).length;
}

describe('a PIN in a reject file', () => {
  it.each([
    ['CSV', 'orders.csv', csv(order('R1', lines, { pinNumber: PIN, carrier: 'C', service: 'S' }))],
    ['JSON', 'orders.json', JSON.stringify([order('R1', lines, { pinNumber: PIN })])],
  ])('of %s is sealed, and is the PIN again when the fixed file is imported', async (_format, name, text) => {
    const shop = await openShop();
    const first = await shop.run({ kind: 'orders', storeId: 'WEB', file: inputFile(name, text) });
    expect(first).toMatchObject({ rowsRead: 1, rowsImported: 0 });
    const rejects = readFileSync(first.rejectFile!, 'utf8');
    expect(rejects).not.toContain(PIN);
    expect(rejects).toContain('sealed:v2.');
    expect(statSync(first.rejectFile!).mode & 0o777).toBe(0o600);
    const again = await shop.run({ kind: 'orders', storeId: 'WEB', file: inputFile(name, rejects) });
    expect(again).toMatchObject({ rowsImported: 0 });
    const twice = readFileSync(again.rejectFile!, 'utf8');
    expect(twice).not.toContain(PIN);
    await addItem(shop);
    const mended = await shop.run({ kind: 'orders', storeId: 'WEB', file: inputFile(name, twice), again: true });
    expect(mended).toMatchObject({ rowsImported: 1, rejectFile: undefined });
    expect([await found(shop, PIN), await found(shop, '1')]).toEqual([1, 0]);
    await shop.backroom.close();
  });

  it('sealed by another installation is rejected with a message', async () => {
    const shop = await openShop();
    await addItem(shop);
    const text = JSON.stringify([order('R1', lines, { pinNumber: 'sealed:v1.AAAA.AAAA.AAAA' })]);
    const done = await shop.run({ kind: 'orders', storeId: 'WEB', file: inputFile('orders.json', text) });
    expect(done).toMatchObject({ rowsImported: 0, rowsRefused: { SEALED: 1 } });
    expect(readFileSync(done.rejectFile!, 'utf8')).toContain('replace it with the PIN itself');
    await shop.backroom.close();
  });

  it('is not repeated of a row that cannot be read', async () => {
    const shop = await openShop();
    const broken = `${csv(order('R1', lines, { pinNumber: PIN }))}\n"a,${PIN}`;
    const done = await shop.run({ kind: 'orders', storeId: 'WEB', file: inputFile('orders.csv', broken) });
    const rejects = readFileSync(done.rejectFile!, 'utf8');
    expect(rejects).not.toContain(PIN);
    expect(rejects).toContain('(not shown, because it may contain a PIN; see the row of the input)');
    await shop.backroom.close();
  });

  it('is sealed in the columns that a mapping names', async () => {
    const shop = await openShop();
    const mapping: Mapping = {
      kind: 'orders',
      secrets: ['CODE'],
      build: ([row]) => order(row!['ID']!, lines, { pinNumber: row!['CODE'] }),
    };
    const run = (content: string) =>
      shop.run({
        kind: 'orders',
        storeId: 'WEB',
        file: inputFile('rows.csv', content),
        mapping: { mapping: mapping as Mapping<unknown>, hash: 'one' },
      });
    const first = await run(`ID,CODE\nM1,${PIN}\n`);
    const rejects = readFileSync(first.rejectFile!, 'utf8');
    expect(rejects).not.toContain(PIN);
    await addItem(shop);
    expect(await run(rejects)).toMatchObject({ rowsImported: 1 });
    expect(await found(shop, PIN)).toBe(1);
    await shop.backroom.close();
  });
});
