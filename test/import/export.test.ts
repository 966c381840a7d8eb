import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportKind, exportLines } from '../../src/service/import/export.ts';
import { inputFile, item, node, openShop, order, type Shop } from './support/shop.ts';

let shop: Shop;
let other: Shop;
beforeEach(async () => {
  [shop, other] = [await openShop(), await openShop()];
});
afterEach(async () => {
  await Promise.all([shop.backroom.close(), other.backroom.close()]);
});

async function exported({ backroom }: Shop, kind: ExportKind): Promise<string> {
  const lines: string[] = [];
  for await (const line of exportLines(backroom.store, kind, 'SHOP')) lines.push(`${line}\n`);
  return lines.join('');
}

const reach = { personName: { firstName: 'Ann' }, email: 'ann@example.com', phone: '5550100' };
const address = { line1: '1 Road', city: 'London', mainDivisionCode: '', postalCode: 'N1', countryCode: 'GB' };
const line = (id: string, quantity: number) => ({ webLineId: id, itemId: 'A-P', quantity, unitPrice: 1.25, tax: 0.2 });

describe('what is exported', () => {
  it('can be imported elsewhere, and is exported the same there; PINs are left out', async () => {
    await shop.run({
      kind: 'nodes',
      file: inputFile('nodes.json', JSON.stringify([{ ...node('N2'), fulfillmentTypes: ['SHIP_TO_STORE'] }])),
    });
    await shop.run({
      kind: 'items',
      file: inputFile(
        'items.json',
        JSON.stringify([item('P', { unitCost: { currency: 'GBP', value: 2.5 } }), item('Q')]),
      ),
    });
    const orders = [
      order('1', [{ ...line('a', 2), instructions: [{ type: 'GIFT', text: 'hello' }] }], {
        pinNumber: '4711',
        headerCharges: 3.95,
      }),
      order('2', [line('a', 2), line('b', 3)], {
        nodeId: 'N2',
        fulfillmentType: 'SHIP_TO_STORE',
        destinations: [{ destinationId: 'HOME', address, ...reach }],
        shipFromAddress: { destinationId: 'HOME' },
        packages: [
          { trackingNumber: 'T1', weight: { unit: 'lb', value: 1.5 }, items: [{ webLineId: 'b', quantity: 3 }] },
          { trackingNumber: 'T2', items: [{ webLineId: 'a', quantity: 2 }] },
        ],
      }),
      order('3', [line('a', 1)], {
        nodeId: 'N2',
        fulfillmentType: 'SHIP_TO_STORE',
        inStore: true,
        destinations: [{ destinationId: 'HOME', address, ...reach }],
      }),
    ];
    const taken = await shop.run({
      kind: 'orders',
      storeId: 'WEB',
      file: inputFile('orders.json', JSON.stringify(orders)),
    });
    expect(taken.rowsRefused).toEqual({});
    for (const kind of ['nodes', 'items', 'orders'] as const) {
      const text = await exported(shop, kind);
      expect(text).not.toContain('4711');
      expect(text).not.toContain('pinNumber');
      const summary = await other.run({ kind, storeId: 'WEB', file: inputFile(`${kind}.ndjson.gz`, text) });
      expect(summary.rowsRefused).toEqual({});
      expect(await exported(other, kind)).toBe(text);
      expect(text.trim().split('\n')).toHaveLength({ nodes: 2, items: 2, orders: 3 }[kind]);
    }
  });

  it('has the units of re-sourced orders once: in the order that was sent at intake', async () => {
    await shop.run({ kind: 'nodes', file: inputFile('nodes.json', JSON.stringify([node('N1')])) });
    await shop.run({ kind: 'items', file: inputFile('items.json', JSON.stringify([item('P')])) });
    const file = inputFile('orders.json', JSON.stringify([order('1', [line('a', 3)]), order('2', [line('a', 1)])]));
    await shop.run({ kind: 'orders', storeId: 'WEB', file });
    await shop.backroom.store.write((tx) =>
      tx
        .updateTable('fulfillment_orders')
        .set({ resourced_from: '1' })
        .where('client_id', '=', 'SHOP')
        .where('fulfillment_order_id', '=', '2')
        .execute(),
    );
    const [only, ...more] = (await exported(shop, 'orders')).trim().split('\n');
    expect(JSON.parse(only!)).toMatchObject({ fulfillmentOrderId: '1', lines: [{ quantity: 3 }] });
    expect(more).toEqual([]);
  });

  it('is of one client, which must exist', async () => {
    await expect(exportLines(shop.backroom.store, 'items', 'NOBODY').next()).rejects.toThrow(
      'There is no client "NOBODY".',
    );
  });
});
