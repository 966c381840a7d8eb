import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../support/backroom.ts';
import { CLIENT, type Loose, leastItem, openProbe, type Probe, STORE } from './whole-item.ts';

let probe: Probe;
beforeAll(async () => {
  probe = await openProbe();
  await probe.put(leastItem());
});
afterAll(() => probe.close());

const csv = `clientId,catalogId,clientItemId,itemId,type,salesClass,styleId,taxCode\n${CLIENT},21,CSV,21-CSV,MERCH,stock,,\n`;
const form = {
  raw: `--b\r\nContent-Disposition: form-data; name="filename"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${csv}\r\n--b--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
};

/** Each item operation as a request that the owner of the item can make. Deletion comes last. */
const requests: readonly (readonly [id: string, call: Call])[] = [
  ['readItem', { method: 'GET', path: `/item-service/stores/${STORE}/items/21-WHOLE` }],
  ['putItem', { method: 'PUT', path: `/item-service/clients/${CLIENT}/items/21-WHOLE`, body: leastItem() }],
  ['uploadItems', { method: 'POST', path: `/item-service/clients/${CLIENT}/upload`, ...form }],
  [
    'deleteItem',
    {
      method: 'DELETE',
      path: `/item-service/clients/${CLIENT}/items/21-WHOLE`,
      headers: { 'content-type': 'application/json' },
    },
  ],
];

type Keys = { authorization?: string; apikey?: string };

async function refusal(call: Call, keys: Keys): Promise<string> {
  const { status, body } = await probe.call({ ...call, headers: { ...call.headers, ...keys } });
  expect(body).toMatchObject({ category: 'SECURITY', requestId: expect.any(String) as string });
  expect(Object.keys(body as Loose).sort()).toEqual(['category', 'code', 'description', 'requestId']);
  return `${status} ${String((body as Loose).code)}`;
}

describe.each(requests)('access to %s', (_id, call) => {
  it('needs both Authorization: Basic and apiKey', async () => {
    const { authorization, apikey } = probe.probe.headers;
    expect(await refusal(call, {})).toBe('403 CREDENTIALS_MISSING');
    expect(await refusal(call, { apikey })).toBe('403 CREDENTIALS_MISSING');
    expect(await refusal(call, { authorization })).toBe('403 CREDENTIALS_MISSING');
    expect(await refusal(call, { apikey: '', authorization })).toBe('403 CREDENTIALS_MISSING');
  });

  it('is denied for a wrong key or password', async () => {
    const { authorization, apikey } = probe.probe.headers;
    expect(await refusal(call, { authorization, apikey: `${apikey}x` })).toBe('403 CREDENTIALS_INVALID');
    expect(await refusal(call, { authorization, apikey: 'br_X_y_z' })).toBe('403 CREDENTIALS_INVALID');
    const wrong = `Basic ${Buffer.from(`${probe.probe.secrets.username}:wrong`).toString('base64')}`;
    expect(await refusal(call, { authorization: wrong, apikey })).toBe('403 CREDENTIALS_INVALID');
    expect(await refusal(call, { authorization: `Bearer ${apikey}`, apikey })).toBe('403 CREDENTIALS_INVALID');
  });

  it('is denied when Basic is of another credential than apiKey', async () => {
    const other = await probe.credential({}, CLIENT);
    const mixed = { authorization: other.headers.authorization, apikey: probe.probe.headers.apikey };
    expect(await refusal(call, mixed)).toBe('403 CREDENTIALS_INVALID');
  });

  it('is denied for a revoked and for an expired credential', async () => {
    const revoked = await probe.credential({}, CLIENT);
    await probe.operator('DELETE', `/operator/v1/clients/${CLIENT}/credentials/${revoked.secrets.credentialId}`);
    expect(await refusal(call, revoked.headers)).toBe('403 CREDENTIALS_INVALID');
    const expiring = await probe.credential({ expiresAt: new Date(probe.clock.now + 1000).toISOString() }, CLIENT);
    probe.clock.now += 2000;
    expect(await refusal(call, expiring.headers)).toBe('403 CREDENTIALS_INVALID');
  });

  it('is denied for the credential of another client', async () => {
    expect(await refusal(call, probe.neighbour.headers)).toBe('403 ACCESS_DENIED');
  });

  it('is denied for a credential of other groups', async () => {
    const other = await probe.credential({ groups: ['inbound', 'fulfillment', 'intake'] }, CLIENT);
    expect(await refusal(call, other.headers)).toBe('403 ACCESS_DENIED');
  });

  it('is open to a credential of the group items', async () => {
    const items = await probe.credential({ groups: ['items'] }, CLIENT);
    const answer = await probe.call({ ...call, headers: { ...call.headers, ...items.headers } });
    expect([200, 201, 204]).toContain(answer.status);
  });
});

describe('access of limited credentials to items', () => {
  it('a store out of reach is denied, whether it exists or not', async () => {
    await probe.operator('PUT', `/operator/v1/clients/${CLIENT}/stores/PROBE_X`, {
      name: 'X',
      catalogId: 'X',
      sellerId: 'PROBE',
      storeCode: '2',
      currency: 'USD',
    });
    const narrow = await probe.credential({ storeIds: ['PROBE_X'] }, CLIENT);
    for (const storeId of [STORE, 'TOWN_US', 'NOWHERE']) {
      const answer = await narrow.get(`/item-service/stores/${storeId}/items/21-WHOLE`);
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    expect((await narrow.get('/item-service/stores/PROBE_X/items/X-A')).status).toBe(404);
  });

  it('a credential limited to stores writes only into the catalogs of these stores', async () => {
    await probe.put(leastItem());
    const narrow = await probe.credential({ storeIds: ['PROBE_X'] }, CLIENT);
    const item = (catalogId: string) => leastItem({ catalogId, clientItemId: 'N', itemId: `${catalogId}-N` });
    const path = (itemId: string) => `/item-service/clients/${CLIENT}/items/${itemId}`;
    expect((await narrow.put(path('21-N'), item('21'))).status).toBe(403);
    expect((await narrow.delete(path('21-WHOLE'))).status).toBe(403);
    expect((await narrow.put(path('X-N'), item('X'))).status).toBe(201);
    expect((await narrow.delete(path('X-N'))).status).toBe(204);
    const uploaded = await narrow.call({ method: 'POST', path: `/item-service/clients/${CLIENT}/upload`, ...form });
    expect(uploaded.body).toMatchObject({ uploadedItemCount: 0, rejectedItemCount: 1 });
    expect(uploaded.body.errItemList.entry[0].value.errMsg).toEqual([
      'line 2: you have no access to this catalog; use a credential of a store with this catalog',
    ]);
  });

  it('a client in the path that is not the caller’s is denied, whether it exists or not', async () => {
    for (const clientId of ['TOWN', 'NOBODY']) {
      const answer = await probe.probe.delete(`/item-service/clients/${clientId}/items/21-TEE-RED-M`);
      expect([answer.status, answer.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    expect((await probe.client.get('/item-service/stores/TOWN_US/items/21-TEE-RED-M')).status).toBe(200);
  });
});

describe('access to readItemHistory', () => {
  const path = `/operator/v1/clients/${CLIENT}/items/21-WHOLE/history`;

  it('needs an operator key', async () => {
    const without = await probe.call({ method: 'GET', path });
    expect([without.status, without.body.code]).toEqual([401, 'CREDENTIALS_MISSING']);
    const wrong = await probe.call({ method: 'GET', path, headers: { authorization: 'Bearer bro_x_y' } });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'CREDENTIALS_INVALID']);
    expect((await probe.probe.get(path)).status).toBe(403);
    expect((await probe.operator('GET', path)).status).toBe(200);
  });
});
