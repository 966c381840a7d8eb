import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Item } from '../../src/items/schema.ts';
import { termsOf } from '../../src/items/terms.ts';
import { stringifyJson } from '../../src/platform/message/json.ts';
import { type OpenTown, openTown } from '../support/town.ts';

interface Listed {
  itemId: string;
  clientItemId: string;
  status: string;
  type: string;
  upcs: string[];
}
interface Page {
  items: Listed[];
  lastRecordId?: string;
}

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const page = async (query: string): Promise<Page> => {
  const answer = await town.client.get(`/operator/v1/clients/TOWN/items${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as Page;
};
const ids = async (query: string) => {
  const found: string[] = [];
  for (let after = ''; ; ) {
    const { items, lastRecordId } = await page(`${query}${after}`);
    found.push(...items.map(({ itemId }) => itemId));
    if (lastRecordId === undefined) return found;
    after = `${query === '' ? '?' : '&'}lastRecordId=${lastRecordId}`;
  }
};
const all = () =>
  town.store.read((db) =>
    db.selectFrom('items').selectAll().where('client_id', '=', 'TOWN').orderBy('item_id').execute(),
  );
const change = (itemId: string, doc: object) =>
  town.client.put(`/item-service/clients/TOWN/items/${itemId}?merge=true`, doc);

describe('the list of items', () => {
  it('has every item once, sorted by id, for any page size', async () => {
    const rows = (await all()).map((row) => row.item_id);
    expect(await ids('?pageSize=200')).toEqual(rows);
    expect(await ids('?pageSize=3')).toEqual(rows);
  });

  it('shows the fields that identify an item', async () => {
    const { items } = await page('?code=21-SOAP-LAV');
    expect(items).toEqual([
      expect.objectContaining({
        itemId: '21-SOAP-LAV',
        clientItemId: 'SOAP-LAV',
        catalogId: '21',
        type: 'MERCH',
        status: 'Active',
        description: 'Lavender soap',
        imageUrl: 'https://images.town.example/soap-lav.jpg',
        upcs: ['400000000084'],
      }),
    ]);
  });

  it.each(['lavender', 'LAVENDER', 'lav', 'soap lav', 'Soap, Lavender', 'sôap'])(
    'finds words of the description: %s',
    async (q) => {
      expect(await ids(`?q=${encodeURIComponent(q)}`)).toContain('21-SOAP-LAV');
    },
  );

  it('finds an item only by all of the words', async () => {
    expect(await ids('?q=lavender%20umbrella')).toEqual([]);
    expect(await ids('?q=!!')).toEqual([]);
  });

  it.each(['400000000084', '0400000000084', '00400000000084', 'SOAP-LAV', '21-SOAP-LAV'])(
    'finds an item by the code %s',
    async (code) => {
      expect(await ids(`?code=${code}`)).toEqual(['21-SOAP-LAV']);
    },
  );

  it('filters by type, status and catalog', async () => {
    const rows = (await all()).map(
      (row) => JSON.parse(row.doc) as { itemId: string; type: string; status?: string; catalogId: string },
    );
    const of = (isWanted: (row: (typeof rows)[number]) => boolean) => rows.filter(isWanted).map((row) => row.itemId);
    expect(await ids('?type=merch&pageSize=2')).toEqual(of((row) => row.type === 'MERCH'));
    expect(await ids('?type=M-E_R%20CH')).toEqual(of((row) => row.type === 'MERCH'));
    expect(await ids('?status=Discontinued')).toEqual(of((row) => row.status === 'Discontinued'));
    expect(await ids('?catalogId=21&pageSize=4')).toEqual(of((row) => row.catalogId === '21'));
    expect(await ids('?catalogId=99')).toEqual([]);
  });

  it('follows a changed description, new codes, and a deleted item', async () => {
    expect(
      (await change('21-SOAP-LAV', { description: 'Rosemary soap', productTitle: 'Rosemary' })).status,
    ).toBeLessThan(300);
    expect(await ids('?q=lavender')).not.toContain('21-SOAP-LAV');
    expect(await ids('?q=rosemary')).toEqual(['21-SOAP-LAV']);
    const before = await town.store.read((db) =>
      db.selectFrom('item_terms').selectAll().where('item_id', '=', '21-SOAP-LAV').execute(),
    );
    expect((await town.client.delete('/item-service/clients/TOWN/items/21-SOAP-LAV')).status).toBeLessThan(300);
    expect(before.length).toBeGreaterThan(2);
    expect(await ids('?q=rosemary')).toEqual([]);
    expect(await ids('?code=400000000084')).toEqual([]);
    const after = await town.store.read((db) =>
      db.selectFrom('item_terms').selectAll().where('item_id', '=', '21-SOAP-LAV').execute(),
    );
    expect(after).toEqual([]);
  });

  it('shows a credential of one store the items of its catalog', async () => {
    await town.operator('PUT', '/operator/v1/clients/TOWN', { name: 'Town Outfitters', catalogIds: ['21', '77'] });
    const path = '/item-service/clients/TOWN/items/77-MUG-WHT';
    const other = {
      ...(await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT')).body,
      catalogId: '77',
      itemId: '77-MUG-WHT',
    };
    const put = await town.client.put(path, other);
    expect(put.status, put.text).toBe(201);
    expect(await ids('')).toContain('77-MUG-WHT');
    const narrowed = await town.credential({ storeIds: ['TOWN_CA'], groups: ['items'] });
    const answer = await narrowed.get('/operator/v1/clients/TOWN/items?limit=200');
    const shown = (answer.body as Page).items.map(({ itemId }) => itemId);
    const own = (await ids('')).filter((id) => id.startsWith('21-'));
    expect(shown).toEqual(own);
    // Each page is full, because the search reads no items of other catalogs.
    await town.operator('PUT', '/operator/v1/clients/TOWN', { name: 'Town Outfitters', catalogIds: ['1', '21', '77'] });
    const early = ['A', 'B'].map((clientItemId) => `/item-service/clients/TOWN/items/1-${clientItemId}`);
    for (const one of early) {
      const itemId = one.slice(one.lastIndexOf('/') + 1);
      const item = { ...other, catalogId: '1', clientItemId: itemId.slice(2), itemId };
      expect((await town.client.put(one, item)).status).toBe(201);
    }
    const read = async (query: string) =>
      ((await narrowed.get(`/operator/v1/clients/TOWN/items?${query}`)).body as Page).items.map(({ itemId }) => itemId);
    expect(await read('limit=1')).toEqual(own.slice(0, 1));
    expect(await read('catalogId=77')).toEqual([]);
    const mugs = (await ids('?q=mug')).filter((id) => id.startsWith('21-'));
    const pages: string[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { body } = await narrowed.get(`/operator/v1/clients/TOWN/items?q=mug&limit=1${next && `&after=${next}`}`);
      pages.push(...(body as Page).items.map(({ itemId }) => itemId));
      next = (body as Page & { next?: string }).next;
    }
    expect(pages).toEqual(mugs);
    for (const one of [...early, path]) expect((await town.client.delete(one)).status).toBe(204);
  });

  it('has every item of a prefix of many words on some page, alone and beside a complete word', async () => {
    const [row] = (await all()).filter(({ item_id }) => item_id === '21-MUG-WHT');
    const doc = JSON.parse(row!.doc) as Item;
    // 130 items with 40 words each, so that `qx` begins 5,200 words. Only the last item has the complete word.
    const docs = Array.from({ length: 130 }, (_, n) => {
      const words = Array.from({ length: 40 }, (_one, index) => `qx${n}x${index}`);
      const descriptions = [...words, ...(n === 129 ? ['vermilion'] : [])].map((description) => ({ description }));
      return { ...doc, itemId: `21-QX-${String(n).padStart(3, '0')}`, brand: { name: 'Many', descriptions } };
    });
    const items = docs.map((one) => ({ ...row!, item_id: one.itemId, doc: stringifyJson(one) }));
    const terms = docs.flatMap((one) =>
      termsOf(one)
        .filter((term) => /^w(?:qx|vermilion)/.test(term))
        .map((term) => ({ client_id: 'TOWN', term, item_id: one.itemId })),
    );
    await town.store.write(async (db) => {
      await db.insertInto('items').values(items).execute();
      await db.insertInto('item_terms').values(terms).execute();
    });
    const of = (start: string) =>
      docs.filter((one) => one.brand.descriptions[0]!.description.startsWith(start)).map(({ itemId }) => itemId);
    expect(await ids('?q=qx&pageSize=50')).toEqual(of('qx'));
    expect(await ids('?q=qx1&pageSize=7')).toEqual(of('qx1'));
    expect(await ids('?q=qx1%20qx12&pageSize=7')).toEqual(of('qx12'));
    const found = await page('?q=vermilion%20qx1&pageSize=7');
    expect([found.items.map(({ itemId }) => itemId), found.lastRecordId]).toEqual([['21-QX-129'], undefined]);
  });
});
