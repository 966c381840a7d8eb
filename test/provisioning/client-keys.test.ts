/** Reads of the set-up with a client's key, and the statuses for wrong keys and for keys of the wrong kind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

const CLIENT = '/operator/v1/clients/TOWN';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ neighbours: true });
});
afterAll(() => town.close());

describe('a key of a client', () => {
  it.each(['intake', 'inbound', 'events', 'stock'])(
    'of group %s reads stores and nodes of its client',
    async (group) => {
      const key = await town.credential({ groups: [group] });
      for (const path of ['stores', 'stores/TOWN_US', 'nodes', 'nodes/TOWN-Store001']) {
        const own = await key.get(`${CLIENT}/${path}`);
        expect([path, own.status, own.body]).toEqual([
          path,
          200,
          (await town.operator('GET', `${CLIENT}/${path}`)).body,
        ]);
      }
    },
  );

  it('reads nothing of another client, and changes nothing', async () => {
    expect((await town.neighbour.get(`${CLIENT}/nodes`)).status).toBe(403);
    expect((await town.neighbour.get(`${CLIENT}/stores/TOWN_US`)).status).toBe(403);
    const { body } = await town.client.get(`${CLIENT}/nodes/TOWN-Store001`);
    expect((await town.client.put(`${CLIENT}/nodes/TOWN-Store001`, body)).status).toBe(403);
  });

  it('that is limited to a store or node reads only this one', async () => {
    const ofNode = await town.credential({ groups: ['fulfillment'], nodeIds: ['TOWN-Store001'] });
    const nodes = (await ofNode.get(`${CLIENT}/nodes`)).body.nodes as { nodeId: string }[];
    expect(nodes.map(({ nodeId }) => nodeId)).toEqual(['TOWN-Store001']);
    expect((await ofNode.get(`${CLIENT}/nodes/TOWN-DC001`)).status).toBe(403);
    const ofStore = await town.credential({ groups: ['intake'], storeIds: ['TOWN_US'] });
    const stores = (await ofStore.get(`${CLIENT}/stores`)).body.stores as { storeId: string }[];
    expect(stores.map(({ storeId }) => storeId)).toEqual(['TOWN_US']);
  });
});

describe('the status of a rejected key', () => {
  const get = (path: string, headers: Record<string, string>) => town.call({ method: 'GET', path, headers });

  it('is 401 for a missing or wrong one below /operator/v1, and 403 for a good one of the wrong kind or group', async () => {
    const { apiKey } = town.client.secrets;
    const orders = '/operator/v1/stores/TOWN_US/fulfillmentOrders/1';
    const credentials = `${CLIENT}/credentials`;
    const none = await get(orders, {});
    expect([none.status, none.body.code]).toEqual([401, 'CREDENTIALS_MISSING']);
    const wrong = await get(orders, { apikey: `${apiKey.slice(0, -1)}_` });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'CREDENTIALS_INVALID']);
    const kind = await get(credentials, { apikey: apiKey });
    expect([kind.status, kind.body.code]).toEqual([403, 'ACCESS_DENIED']);
    const unknown = await get(credentials, { apikey: `${apiKey.slice(0, -1)}_` });
    expect([unknown.status, unknown.body.code]).toEqual([401, 'CREDENTIALS_MISSING']);
  });
});
