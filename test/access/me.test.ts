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

describe('the identity of a caller', () => {
  it('has the client, stores, nodes, groups, expiry and rate limits of a restricted credential, by its apiKey alone', async () => {
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

  it('shows that the caller is the operator', async () => {
    const answer = await ask({ authorization: `Bearer ${OPERATOR_KEY}` });
    expect(answer.body).toMatchObject({ kind: 'OPERATOR', rateLimits: { requestsPerMinute: 600 } });
    expect(answer.text).not.toContain(OPERATOR_KEY);
  });

  it('is 401 without credentials, with an invalid operator key or an invalid apiKey', async () => {
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: 'Bearer no-such-key' })).status).toBe(401);
    expect((await ask({ apikey: 'br_TOWN_00000000_x' })).status).toBe(401);
  });

  it('may not be cached, like every response', async () => {
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
