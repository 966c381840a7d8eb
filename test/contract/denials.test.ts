/** A refusal names the limits of the caller's own credential, and tells nothing of what is another client's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ neighbours: true });
});
afterAll(() => town.close());

const checkIn = (storeId: string, nodeId: string) =>
  `/stores/${storeId}/nodes/${nodeId}/fulfillmentOrders/${town.orders.arriving}/checkin`;
const said = async (call: Promise<{ status: number; body: { code: string; description: string } }>) => {
  const { status, body } = await call;
  expect([status, body.code]).toEqual([403, 'ACCESS_DENIED']);
  return body.description;
};

describe('a refusal of access', () => {
  it('names the group that the operation needs and those that the key has', async () => {
    const key = await town.credential({ groups: ['items', 'events'] });
    const words = await said(key.get(checkIn('TOWN_US', 'TOWN-Store001')));
    expect(words).toContain('group fulfillment');
    expect(words).toContain('items, events');
  });

  it('names the stores and nodes that the key is for, alike for every id it is not for', async () => {
    const key = await town.credential({ storeIds: ['TOWN_CA'], nodeIds: ['TOWN-Store002'], groups: ['fulfillment'] });
    for (const storeId of ['TOWN_US', 'OTHER_US', 'NOWHERE']) {
      expect(await said(key.get(checkIn(storeId, 'TOWN-Store001')))).toBe(
        'Access to the resource is denied: this key is only for store "TOWN_CA".',
      );
    }
    for (const nodeId of ['TOWN-Store001', 'OTHER-Store001', 'NOWHERE']) {
      expect(await said(key.get(checkIn('TOWN_CA', nodeId)))).toBe(
        'Access to the resource is denied: this key is only for node "TOWN-Store002".',
      );
    }
  });

  it('names the store, node or seller of which only the case of letters is wrong', async () => {
    const key = await town.credential();
    expect(await said(key.get(checkIn('town_us', 'TOWN-Store001')))).toContain('"TOWN_US"');
    expect(await said(key.get(checkIn('TOWN_US', 'town-store001')))).toContain('"TOWN-Store001"');
    const narrow = await town.credential({ nodeIds: ['TOWN-Store002'], groups: ['fulfillment'] });
    expect(await said(narrow.get(checkIn('TOWN_US', 'town-store001')))).toContain('only for node "TOWN-Store002"');
  });

  it('says the same of another client’s store, node and client as of those that do not exist, in whatever case', async () => {
    const { client } = town;
    const none = await said(client.get(checkIn('NOWHERE', 'X')));
    for (const storeId of ['OTHER_US', 'other_us']) expect(await said(client.get(checkIn(storeId, 'X')))).toBe(none);
    const noNode = await said(client.get(checkIn('TOWN_US', 'NOWHERE')));
    for (const nodeId of ['OTHER-Store001', 'other-store001']) {
      expect(await said(client.get(checkIn('TOWN_US', nodeId)))).toBe(noNode);
    }
    const item = (clientId: string) => said(client.delete(`/item-service/clients/${clientId}/items/21-X`));
    expect(await item('OTHER')).toBe(await item('NOBODY'));
  });

  it('of a node in the body says the same as of one in the path', async () => {
    const search = (nodeId: string) =>
      said(town.client.post('/stores/TOWN_US/fulfillmentOrder/search', { storeId: 'TOWN_US', nodeId }));
    expect(await search('town-store001')).toContain('"TOWN-Store001"');
    expect(await search('OTHER-Store001')).toBe(await search('NOWHERE'));
  });
});

describe('writes of items', () => {
  const path = '/item-service/clients/TOWN/items/21-MUG-WHT';
  it('need a key that is not narrowed to nodes; reading does not', async () => {
    const narrow = await town.credential({ nodeIds: ['TOWN-Store001'], groups: ['items'] });
    const item = await narrow.get('/item-service/stores/TOWN_US/items/21-MUG-WHT');
    expect(item.status).toBe(200);
    expect(await said(narrow.put(path, item.body))).toContain('narrowed to nodes');
    expect(await said(narrow.delete(path))).toContain('narrowed to nodes');
    expect(await said(narrow.post('/item-service/clients/TOWN/upload', {}))).toContain('narrowed to nodes');
    expect((await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT')).text).toBe(item.text);
  });

  it('are open to a key narrowed to stores, for the catalogs of these stores', async () => {
    const narrow = await town.credential({ storeIds: ['TOWN_US'], groups: ['items'] });
    const item = await narrow.get('/item-service/stores/TOWN_US/items/21-MUG-WHT');
    expect((await narrow.put(path, item.body)).status).toBe(200);
  });
});
