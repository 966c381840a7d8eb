/** A 403 names the limits of the caller's own credential and discloses nothing about other clients. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ neighbours: true, upTo: 'returns' });
});
afterAll(() => town.close());

const checkIn = (storeId: string, nodeId: string) =>
  `/stores/${storeId}/nodes/${nodeId}/fulfillmentOrders/${town.orders.arriving}/checkin`;
const said = async (call: Promise<{ status: number; body: { code: string; description: string } }>) => {
  const { status, body } = await call;
  expect([status, body.code]).toEqual([403, 'ACCESS_DENIED']);
  return body.description;
};

describe('a 403', () => {
  it('names the group that the operation needs and the groups of the key', async () => {
    const key = await town.credential({ groups: ['items', 'events'] });
    const words = await said(key.get(checkIn('TOWN_US', 'TOWN-Store001')));
    expect(words).toContain('group fulfillment');
    expect(words).toContain('items, events');
  });

  it('names the stores and nodes of the key, and is the same for every other id', async () => {
    const key = await town.credential({ storeIds: ['TOWN_CA'], nodeIds: ['TOWN-Store002'], groups: ['fulfillment'] });
    for (const storeId of ['TOWN_US', 'OTHER_US', 'NOWHERE']) {
      expect(await said(key.get(checkIn(storeId, 'TOWN-Store001')))).toBe(
        'Access to the resource is denied: this key is limited to store "TOWN_CA".',
      );
    }
    for (const nodeId of ['TOWN-Store001', 'OTHER-Store001', 'NOWHERE']) {
      expect(await said(key.get(checkIn('TOWN_CA', nodeId)))).toBe(
        'Access to the resource is denied: this key is limited to node "TOWN-Store002".',
      );
    }
  });

  it('names the store or node if only the letter case is wrong', async () => {
    const key = await town.credential();
    expect(await said(key.get(checkIn('town_us', 'TOWN-Store001')))).toContain('"TOWN_US"');
    expect(await said(key.get(checkIn('TOWN_US', 'town-store001')))).toContain('"TOWN-Store001"');
    const narrow = await town.credential({ nodeIds: ['TOWN-Store002'], groups: ['fulfillment'] });
    expect(await said(narrow.get(checkIn('TOWN_US', 'town-store001')))).toContain('limited to node "TOWN-Store002"');
  });

  it('is the same for another client and its stores and nodes as for missing ones, in any letter case', async () => {
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

  it('is the same for a node in the body as for a node in the path', async () => {
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
    expect(await said(narrow.put(path, item.body))).toContain('access only to some of them');
    expect(await said(narrow.delete(path))).toContain('access only to some of them');
    expect(await said(narrow.post('/item-service/clients/TOWN/upload', {}))).toContain('access only to some of them');
    expect((await town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT')).text).toBe(item.text);
  });

  it('are open to a key narrowed to stores, for the catalogs of these stores', async () => {
    const narrow = await town.credential({ storeIds: ['TOWN_US'], groups: ['items'] });
    const item = await narrow.get('/item-service/stores/TOWN_US/items/21-MUG-WHT');
    expect((await narrow.put(path, item.body)).status).toBe(200);
  });
});
