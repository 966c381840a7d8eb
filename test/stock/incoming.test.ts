import { afterAll, beforeAll, expect, it } from 'vitest';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { type Goods, NODE, openGoods } from '../receiving/goods.ts';
import { asn, po } from '../receiving/support.ts';
import { TOWN } from './stock.ts';

const MUG = '21-MUG-WHT';
let town: Goods;
beforeAll(async () => {
  town = await openGoods();
  const { body } = await town.operator('GET', NODE);
  expect((await town.operator('PUT', NODE, { ...body, stock: 'KEPT' })).status).toBe(200);
});
afterAll(async () => {
  expect((await ruleFindings(town.store)).filter(({ ok }) => !ok)).toEqual([]);
  await town.stop();
});

interface Shown {
  stock: { shelf: number; staged: number; damaged: number; held: number; incoming: { quantity: number }[] }[];
}
const level = async () => {
  const { stock } = (await town.client.get(`${NODE}/stock?itemId=${MUG}`)).body as Shown;
  const { shelf = 0, staged = 0, damaged = 0, held = 0, incoming = [] } = stock[0] ?? {};
  return { places: [shelf, staged, damaged, held], incoming: incoming.map(({ quantity }) => quantity) };
};

it('receipts are posted, and what is still to come is shown by day', async () => {
  const number = await town.announce(['003400000000000017', 'MUG-WHT', 10]);
  const line = { cartonId: '003400000000000017', itemId: MUG };
  await town.receive(number, { lines: [{ ...line, good: 4, damaged: 1, reason: 'Broken' }] });
  expect(await level()).toEqual({ places: [4, 0, 1, 0], incoming: [5] });
  await town.receive(number, { lines: [{ ...line, good: 2, to: 'STAGE' }] });
  expect(await level()).toEqual({ places: [4, 2, 1, 0], incoming: [3] });
  const reasons = [{ reason: 'Short' }];
  expect((await town.close(number, { reasons })).status).toBe(200);
  expect((await level()).incoming).toEqual([]);
  const answer = await town.client.get(`${NODE}/stock/transactions`);
  const { transactions } = answer.body as { transactions: { type: number; quantity: number; reference: string }[] };
  expect(transactions.map(({ type, quantity, reference }) => [type, quantity, reference])).toEqual([
    [31, 4, number],
    [31, 1, number],
    [31, 2, number],
  ]);
});

it('a purchase order counts only beyond the ASNs that deliver it', async () => {
  const before = await level();
  const order = await town.order(['MUG-WHT', 20]);
  expect((await level()).incoming).toEqual([...before.incoming, 20]);
  const details = { clientItemId: 'MUG-WHT', shippedQuantity: 8, cartonId: '003400000000000055' };
  expect((await town.transmit(asn({ asnNumber: 'D-1', shipmentNumber: order }, details))).status).toBe(200);
  expect((await level()).incoming.reduce((sum, units) => sum + units, 0)).toBe(20);
});

it('a purchase order is reduced by its own lines of an ASN that delivers several orders', async () => {
  const coming = async () => (await level()).incoming.reduce((sum, units) => sum + units, 0);
  const before = await coming();
  const [first, second] = [await town.order(['MUG-WHT', 100]), await town.order(['MUG-WHT', 100])];
  const line = (order: string, shippedQuantity: number) => ({
    clientItemId: 'MUG-WHT',
    cartonId: `003400000000000${shippedQuantity}`,
    shippedQuantity,
    detailExtendedAttributes: { extendedAttributes: [{ name: 'PONumber', value: order }] },
  });
  const lines = [line(first, 40), line(second, 60)];
  expect((await town.transmit(asn({ asnNumber: 'D-2' }, ...lines))).status).toBe(200);
  expect(await coming()).toBe(before + 200);
});

it('a scan of an item shows its levels where stock is kept', async () => {
  const scan = async (node: string) => {
    const answer = await town.client.post(`${TOWN}/nodes/${node}/scan`, { code: MUG });
    return (answer.body as { matches: { kind: string; stock?: object }[] }).matches.find(
      ({ kind }) => kind === 'ITEM',
    )!;
  };
  expect((await scan('TOWN-DC001')).stock).toMatchObject({ shelf: 4, staged: 2, damaged: 1, available: 4 });
  expect(await scan('TOWN-Store001')).not.toHaveProperty('stock');
});

it('a search finds an item of the stock by its code and by the beginnings of its words', async () => {
  const found = async (q: string) =>
    (await town.client.get(`${NODE}/stock?q=${encodeURIComponent(q)}`)).body as { stock: { itemId: string }[] };
  const all = async () => {
    for (const q of [MUG, 'mug', 'MU wh', 'mug nothing']) {
      const ids = (await found(q)).stock.map(({ itemId }) => itemId);
      expect([q, ids]).toEqual([q, q === 'mug nothing' ? [] : [MUG]]);
    }
  };
  await all();
  // The state after an import, before the search words are written.
  await town.store.write(async (tx) => {
    await tx.deleteFrom('item_terms').where('client_id', '=', 'TOWN').where('term', 'like', 'w%').execute();
    await tx.updateTable('items').set({ term_form: 0 }).where('client_id', '=', 'TOWN').execute();
  });
  await all();
});

it('held units of a shipment move only with their decision, other held units by hand', async () => {
  const moveByHand = (moveId: string, ...lines: object[]) =>
    town.client.post(`${NODE}/stock/moves`, {
      moveId,
      userId: 'lee',
      lines: lines.map((line) => ({ itemId: MUG, reason: 'test', ...line })),
    });
  const [shelf = 0, staged, damaged, held] = (await level()).places;
  const number = await town.announce(['003400000000000062', 'MUG-WHT', 10]);
  const key = { cartonId: '003400000000000062', itemId: MUG };
  await town.receive(number, { lines: [{ ...key, good: 12 }] });
  expect((await level()).places).toEqual([shelf + 10, staged, damaged, held! + 2]);
  const early = await moveByHand('held-1', { from: 'HELD', to: 'SHELF', quantity: 2 });
  expect([early.status, (early.body as { code: string }).code]).toEqual([400, 'BELOW_ZERO']);
  expect(early.body).toMatchObject({ errors: [{ pointer: '/lines/0/quantity', limit: 0 }] });
  const wait = `quantity is 2, but 2 held units of "${MUG}" wait for a decision; decide on them first`;
  const messageOf = ({ body }: { body: unknown }) => (body as { errors: { message: string }[] }).errors[0]!.message;
  expect(messageOf(early)).toBe(`${wait} (ASN ${number})`);
  // HELD has fewer units than this quantity, even with the units that wait for a decision. So the error names the units
  // that can move now.
  const tooMany = await moveByHand('held-0', { from: 'HELD', to: 'SHELF', quantity: held! + 3 });
  expect(messageOf(tooMany)).toContain(`but HELD has ${held} units of "${MUG}" without an open decision; move at most`);
  const own = await moveByHand(
    'held-2',
    { from: 'SHELF', to: 'HELD', quantity: 1 },
    { from: 'HELD', to: 'SHELF', quantity: 1 },
    { from: 'HELD', to: 'SHELF', quantity: 1 },
  );
  expect(own.body).toMatchObject({ errors: [{ pointer: '/lines/2/quantity', limit: 0 }] });
  expect((await town.approve(number, [{ ...key, good: 2 }])).status).toBe(200);
  expect((await level()).places).toEqual([shelf + 12, staged, damaged, held]);
});

it('an old purchase order is still to come until the end of its expected day at the node', async () => {
  const own = await openGoods({ SHIPMENT_DAYS: '30' });
  const { body } = await own.operator('GET', NODE);
  expect((await own.operator('PUT', NODE, { ...body, stock: 'KEPT' })).status).toBe(200);
  const header = { shipmentNumber: 'PO-OLD', shipmentReceiptDate: '2026-06-10' };
  expect((await own.transmit(po(header, { clientItemId: 'MUG-WHT', shippedQuantity: 12 }))).status).toBe(200);
  const coming = async (now: string) => {
    own.clock.now = Date.parse(now);
    const { stock } = (await own.client.get(`${NODE}/stock?itemId=${MUG}`)).body as Shown;
    return stock[0]!.incoming;
  };
  await own.receive(await own.announce(['C1', 'MUG-WHT', 1]), { lines: [{ cartonId: 'C1', itemId: MUG, good: 1 }] });
  // The node is in America/New_York.
  expect(await coming('2026-06-11T00:30:00Z')).toEqual([{ date: '2026-06-10', quantity: 12 }]);
  expect(await coming('2026-06-11T04:30:00Z')).toEqual([]);
  await own.stop();
});

it('a purchase order counts the units that its ASNs announced, but were closed without', async () => {
  const coming = async () => (await level()).incoming.reduce((sum, units) => sum + units, 0);
  const before = await coming();
  const order = await town.order(['MUG-WHT', 20]);
  const line = { clientItemId: 'MUG-WHT', shippedQuantity: 8, cartonId: '003400000000000072' };
  const reasons = [{ reason: 'Lost' }];
  for (const [asnNumber, good] of [
    ['D-3', 5],
    [order, 0],
  ] as const) {
    const expected = await coming();
    expect((await town.transmit(asn({ asnNumber, shipmentNumber: order }, line))).status).toBe(200);
    if (good > 0) await town.receive(asnNumber, { lines: [{ cartonId: line.cartonId, itemId: MUG, good }] });
    expect(await coming()).toBe(expected - good);
    expect((await town.close(asnNumber, { reasons })).status).toBe(200);
    expect(await coming()).toBe(expected - good);
  }
  expect(await coming()).toBe(before + 15);
});
