import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_KEY } from '../support/backroom.ts';
import { type OpenTown, openTown } from '../support/town.ts';

const ME = '/operator/v1/me';
let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ env: { RATE_LIMIT: '600' } });
});
afterAll(() => town.close());

const ask = (headers: Record<string, string>) => town.call({ method: 'GET', path: ME, headers });

describe('who am I', () => {
  it('tells a narrowed credential its client, stores, nodes, groups, expiry and rate limits, by its apiKey alone', async () => {
    const { secrets } = await town.credential({
      label: 'Counter tablet',
      storeIds: ['TOWN_US'],
      nodeIds: ['TOWN-Store001'],
      groups: ['inbound', 'fulfillment'],
      expiresAt: '2026-12-31T00:00:00Z',
    });
    const answer = await ask({ apikey: secrets.apiKey });
    expect(answer.body).toEqual({
      kind: 'CREDENTIAL',
      clientId: 'TOWN',
      credentialId: secrets.credentialId,
      label: 'Counter tablet',
      storeIds: ['TOWN_US'],
      nodeIds: ['TOWN-Store001'],
      groups: ['inbound', 'fulfillment'],
      expiresAt: '2026-12-31T00:00:00+00:00',
      rateLimits: { requestsPerMinute: 600 },
    });
    expect(answer.text).not.toContain(secrets.apiKey.slice(-20));
  });

  it('tells the operator so', async () => {
    const answer = await ask({ authorization: `Bearer ${OPERATOR_KEY}` });
    expect(answer.body).toMatchObject({ kind: 'OPERATOR', rateLimits: { requestsPerMinute: 600 } });
    expect(answer.text).not.toContain(OPERATOR_KEY);
  });

  it('is 401 without credentials and with an operator key that is none, 403 with an apiKey that is none', async () => {
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: 'Bearer nobody-made-this-key' })).status).toBe(401);
    expect((await ask({ apikey: 'br_TOWN_00000000_x' })).status).toBe(403);
  });

  it('is not kept by anybody on the way: no response is', async () => {
    for (const [path, headers] of [
      [ME, town.client.headers],
      [ME, {}],
      ['/item-service/stores/TOWN_US/items/21-MUG-WHT', town.client.headers],
      ['/item-service/stores/TOWN_US/items/21-MUG-WHT', town.client.headers],
      ['/nowhere', {}],
      ['/livez', {}],
      ['/version', {}],
      ['/metrics', {}],
    ] as const) {
      const { headers: came } = await town.call({ method: 'GET', path, headers });
      expect([path, came['cache-control']]).toEqual([path, 'no-store']);
    }
  });
});
