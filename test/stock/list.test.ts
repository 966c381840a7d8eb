import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Goods, NODE, openGoods } from '../receiving/goods.ts';

const [MUG, SOAP] = ['21-MUG-WHT', '21-SOAP-LAV'];
/** More items than one search reads for a word. */
const MANY = 5_500;

let town: Goods;
beforeAll(async () => {
  town = await openGoods();
  const { body } = await town.operator('GET', NODE);
  expect((await town.operator('PUT', NODE, { ...body, stock: 'KEPT' })).status).toBe(200);
  const number = await town.announce(['003400000000000017', 'MUG-WHT', 1], ['003400000000000024', 'SOAP-LAV', 1]);
  await town.receive(number, {
    lines: [
      { cartonId: '003400000000000017', itemId: MUG, good: 1 },
      { cartonId: '003400000000000024', itemId: SOAP, good: 1 },
    ],
  });
});
afterAll(() => town.stop());

/** Returns the items of all pages of a search, and the number of pages. */
async function pagesOf(q: string, limit = 50) {
  const items: string[] = [];
  for (let [after, pages] = ['', 1]; ; pages += 1) {
    const more = after === '' ? '' : `&after=${after}`;
    const answer = await town.client.get(`${NODE}/stock?q=${encodeURIComponent(q)}&limit=${limit}${more}`);
    expect(answer.status, answer.text).toBe(200);
    const { stock, next } = answer.body as { stock: { itemId: string }[]; next?: string };
    expect(stock.length).toBeLessThanOrEqual(limit);
    items.push(...stock.map(({ itemId }) => itemId));
    if (next === undefined) return { items, pages };
    after = next;
  }
}

it('a search for a word that very many items have finds each item of the node, over empty pages', async () => {
  await town.store.write(async (db) => {
    const item = await db
      .selectFrom('items')
      .selectAll()
      .where('client_id', '=', 'TOWN')
      .where('item_id', '=', MUG)
      .executeTakeFirstOrThrow();
    const level = await db
      .selectFrom('stock_levels')
      .selectAll()
      .where('client_id', '=', 'TOWN')
      .where('node_id', '=', NODE.split('/').at(-1)!)
      .where('item_id', '=', MUG)
      .executeTakeFirstOrThrow();
    for (let first = 0; first < MANY; first += 500) {
      const ids = Array.from({ length: 500 }, (_, n) => `21-X${first + n}`);
      await db
        .insertInto('item_terms')
        .values(ids.map((item_id) => ({ client_id: 'TOWN', term: 'wbrimful', item_id })))
        .execute();
      // The first 1,000 items are at the node, with two others. The last two have the word, after an empty page.
      if (first >= 1_000) continue;
      const doc = (id: string) =>
        JSON.stringify({
          ...JSON.parse(item.doc),
          itemId: id,
          clientItemId: id.slice(3),
          description: id === '21-X999' || id === '21-X998' ? 'Brimful' : 'Plain',
        }) as typeof item.doc;
      for (const item_id of ids) {
        await db
          .insertInto('items')
          .values({ ...item, item_id, doc: doc(item_id) })
          .execute();
        await db
          .insertInto('stock_levels')
          .values({ ...level, item_id })
          .execute();
      }
    }
  });
  expect(await pagesOf('brim')).toEqual({ items: ['21-X998', '21-X999'], pages: 2 });
  expect(await pagesOf('brimful', 1)).toEqual({ items: ['21-X998', '21-X999'], pages: 3 });
  expect((await pagesOf('mug white')).items).toEqual([MUG]);
});

it('a search truncates words as the search of items does', async () => {
  const long = 'Donaudampfschifffahrtsgesellschaftsbecher';
  await town.store.write(async (db) => {
    const own = db.selectFrom('items').select('doc').where('client_id', '=', 'TOWN').where('item_id', '=', SOAP);
    const { doc } = await own.executeTakeFirstOrThrow();
    const changed = JSON.stringify({ ...JSON.parse(doc), description: long }) as typeof doc;
    await db.updateTable('items').set({ doc: changed, term_form: 0 }).where('item_id', '=', SOAP).execute();
  });
  expect((await pagesOf(long)).items).toEqual([SOAP]);
});

it('a search by itemId or clientItemId finds an item that was deleted while the node has units of it', async () => {
  expect((await town.client.delete(`/item-service/clients/TOWN/items/${MUG}`)).status).toBe(204);
  for (const q of [MUG, ' MUG-WHT ']) expect([q, await pagesOf(q)]).toEqual([q, { items: [MUG], pages: 1 }]);
  expect((await pagesOf('mug')).items).toEqual([]);
});
