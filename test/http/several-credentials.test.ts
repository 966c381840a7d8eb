import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOperatorKey } from '../../src/platform/http/auth.ts';
import { sha256 } from '../../src/platform/secrets.ts';
import { OPERATOR_KEY } from '../support/backroom.ts';
import { type Caller, type OpenTown, openTown } from '../support/town.ts';

const STOCK = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock';
const CREDENTIALS = '/operator/v1/clients/TOWN/credentials';
const OPERATOR = `Bearer ${OPERATOR_KEY}`;

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ neighbours: true });
});
afterAll(() => town.close());

const basic = ({ secrets: { username, password } }: Caller) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
const tokenOf = async (caller: Caller) => {
  const { body } = await town.call({
    method: 'POST',
    path: '/oauth/token',
    raw: 'grant_type=client_credentials',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basic(caller) },
  });
  return body['access_token'] as string;
};
const get = (apikey: string, authorization: string, path = STOCK) =>
  town.call({ method: 'GET', path, headers: { apikey, authorization } });

describe('a request with an apiKey and another credential', () => {
  it('is judged by the apiKey if both are valid', async () => {
    const { apiKey } = (await town.credential({ groups: ['stock'] })).secrets;
    const items = await town.credential({ groups: ['items'] });
    const token = await tokenOf(items);
    for (const authorization of [`Bearer ${token}`, OPERATOR]) {
      expect((await get(apiKey, authorization)).status).toBe(200);
      expect((await get(items.secrets.apiKey, authorization)).status).toBe(403);
    }
    expect((await get(town.client.secrets.apiKey, basic(town.client))).status).toBe(200);
  });

  it('is a 401 if one is not valid, also the one that does not decide', async () => {
    const { apiKey } = town.client.secrets;
    const token = await tokenOf(town.client);
    const wrong = { status: 401, body: { code: 'CREDENTIALS_INVALID' } };
    for (const authorization of [
      'Bearer wrong',
      `Bearer ${token}x`,
      basic(await town.credential({})),
      'Negotiate abc',
    ]) {
      expect(await get(apiKey, authorization), authorization).toMatchObject(wrong);
    }
    expect(await get(`${apiKey}x`, `Bearer ${token}`)).toMatchObject(wrong);
    expect(await get(`${apiKey}x`, OPERATOR, CREDENTIALS)).toMatchObject(wrong);
    expect((await get(apiKey, OPERATOR, CREDENTIALS)).status).toBe(200);
  });

  it('is a 401 as soon as the other credential is revoked', async () => {
    const { apiKey } = town.client.secrets;
    const other = await town.credential({ groups: ['stock'] });
    const token = `Bearer ${await tokenOf(other)}`;
    expect((await get(apiKey, token)).status).toBe(200);
    const { credentialId } = (await get(other.secrets.apiKey, '', '/operator/v1/me')).body as { credentialId: string };
    expect((await town.operator('DELETE', `${CREDENTIALS}/${credentialId}`)).status).toBeLessThan(300);
    expect((await get(apiKey, token)).status).toBe(401);
    expect((await get(apiKey, '')).status).toBe(200);
  });

  it('is a 401 as soon as the other credential expires', async () => {
    const { apiKey } = town.client.secrets;
    const token = `Bearer ${await tokenOf(town.client)}`;
    expect((await get(apiKey, token)).status).toBe(200);
    const before = town.clock.now;
    town.clock.now += 3_600_001;
    expect(await get(apiKey, token)).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED' } });
    expect((await get(apiKey, '')).status).toBe(200);
    town.clock.now = before;
  });
});

describe('the settings of a node', () => {
  it('are readable with a key of an order system, which needs the reasons of returns', async () => {
    const oms = await town.credential({ groups: ['intake', 'events'] });
    const { status, body } = await oms.get('/operator/v1/clients/TOWN/nodes/TOWN-Store001/settings');
    expect(status).toBe(200);
    const { stores } = body as { stores: { returns: { reasons: unknown[] } }[] };
    expect(stores[0]!.returns.reasons.length).toBeGreaterThan(0);
    const stock = await town.credential({ groups: ['stock'] });
    expect((await stock.get('/operator/v1/clients/TOWN/nodes/TOWN-Store001/settings')).status).toBe(403);
  });

  it('is a 401 as soon as a second operator key expires', async () => {
    const { apiKey } = town.client.secrets;
    const { now } = town.clock;
    const key = makeOperatorKey('0a0b0c0d', town.ports.randomBytes);
    const row = { client_id: '', key_id: '0a0b0c0d', label: 'Temporary', key_hash: sha256(key) };
    await town.store.write((tx) =>
      tx
        .insertInto('operator_keys')
        .values({ ...row, expires_at: now + 60_000, revoked_at: null, created_at: now })
        .execute(),
    );
    expect((await get(apiKey, `Bearer ${key}`)).status).toBe(200);
    town.clock.now += 60_001;
    expect((await get(apiKey, `Bearer ${key}`)).status).toBe(401);
    expect((await get(apiKey, '')).status).toBe(200);
    town.clock.now = now;
  });
});
