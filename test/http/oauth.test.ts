import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/backroom.ts';
import { type Caller, type OpenTown, openTown } from '../support/town.ts';

const FORM = 'application/x-www-form-urlencoded';
const ITEM = '/item-service/stores/TOWN_US/items/21-MUG-WHT';
const STOCK = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock';
const EVENTS = '/operator/v1/events?limit=1';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ neighbours: true, env: { FAILED_SIGN_IN_LIMIT: '5' } });
});
afterAll(() => town.close());

const code = (username: string, password: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(username)}:${encodeURIComponent(password)}`).toString('base64')}`;
const basic = ({ secrets }: Caller) => code(secrets.username, secrets.password);
const ask = (raw: string, authorization?: string, type = FORM): Promise<Answer> =>
  town.call({
    method: 'POST',
    path: '/oauth/token',
    raw,
    headers: { 'content-type': type, ...(authorization !== undefined && { authorization }) },
  });
const GRANT = 'grant_type=client_credentials';
const tokenOf = async (caller: Caller, scope = '') =>
  (await ask(`${GRANT}${scope === '' ? '' : `&scope=${scope}`}`, basic(caller))).body['access_token'] as string;
const get = (path: string, token: string) =>
  town.call({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } });

describe('POST /oauth/token', () => {
  it('returns a token of an hour for user name and password of a credential, never to be stored', async () => {
    const answer = await ask(GRANT, basic(town.client));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(answer.body['scope'].split(' ')).toContain('items');
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
  });

  it.each([
    ['without a grant type', 'scope=items', 'invalid_request'],
    ['with another grant type', 'grant_type=password', 'unsupported_grant_type'],
    ['with a parameter twice', `${GRANT}&${GRANT}`, 'invalid_request'],
    ['with a scope that is no group', `${GRANT}&scope=items+admin`, 'invalid_scope'],
  ])('is 400 %s', async (_what, raw, error) => {
    const answer = await ask(raw, basic(town.client));
    expect(answer).toMatchObject({ status: 400, body: { error, error_description: expect.any(String) } });
    expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is 400 for a body of another type, and 405 with Allow for GET', async () => {
    const answer = await ask('{}', basic(town.client), 'application/json');
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const get = await town.call({ method: 'GET', path: '/oauth/token' });
    expect(get).toMatchObject({ status: 405, headers: { allow: 'POST' }, body: { error: 'invalid_request' } });
  });

  it('is 400 invalid_scope for a group that the credential lacks', async () => {
    const items = await town.credential({ groups: ['items', 'stock'] });
    expect((await ask(`${GRANT}&scope=events`, basic(items))).body.error).toBe('invalid_scope');
    expect((await ask(`${GRANT}&scope=items`, basic(items))).body.scope).toBe('items');
  });

  it('is 401 without client authentication, and with a secret in the body', async () => {
    const { username, password } = town.client.secrets;
    for (const raw of [GRANT, `${GRANT}&client_id=${username}&client_secret=${password}`]) {
      const answer = await ask(raw);
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
    }
  });
});

describe('an access token', () => {
  it('is enough for every group of operations, also for those of items, which else need two credentials', async () => {
    const token = await tokenOf(town.client);
    for (const path of [ITEM, STOCK, EVENTS, '/operator/v1/me']) expect((await get(path, token)).status).toBe(200);
    const search = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
    const found = await town.call({
      method: 'POST',
      path: '/stores/TOWN_US/fulfillmentOrder/search',
      headers: { authorization: `Bearer ${token}` },
      body: search,
    });
    expect(found.status).toBe(200);
  });

  it('is limited like its credential: client, stores, nodes and groups', async () => {
    const narrow = await town.credential({ nodeIds: ['TOWN-Store001'], groups: ['fulfillment', 'stock'] });
    const token = await tokenOf(narrow);
    expect((await get(STOCK, token)).status).toBe(200);
    expect((await get(STOCK.replace('Store001', 'DC001'), token)).body.code).toBe('ACCESS_DENIED');
    expect((await get(EVENTS, token)).body.code).toBe('ACCESS_DENIED');
    const neighbour = await tokenOf(town.neighbour);
    expect((await get(STOCK, neighbour)).body.code).toBe('ACCESS_DENIED');
  });

  it('is of the wrong kind for an operation of the operator, which is no failed sign-in', async () => {
    const token = await tokenOf(town.client);
    for (let count = 0; count < 25; count += 1) {
      const { status, body } = await get('/operator/v1/clients', token);
      expect([status, body.code]).toEqual([403, 'ACCESS_DENIED']);
      expect(body.detail).toContain('the access token belongs to a client');
    }
    expect((await get('/operator/v1/clients', `${token.slice(0, -4)}0000`)).status).toBe(401);
    town.clock.now += 3_600_000;
    expect((await get('/operator/v1/clients', token)).body.code).toBe('TOKEN_EXPIRED');
  });

  it('is limited to its scope', async () => {
    const token = await tokenOf(town.client, 'items+stock');
    expect((await get(STOCK, token)).status).toBe(200);
    expect((await get(EVENTS, token)).body.code).toBe('ACCESS_DENIED');
  });

  it('has the actor of its credential in events', async () => {
    const token = await tokenOf(town.client);
    const credentialId = town.client.secrets.username.split('_').at(-1);
    const put = await town.call({
      method: 'PUT',
      path: '/operator/v1/clients/TOWN/webhooks/token',
      headers: { authorization: `Bearer ${token}` },
      body: { url: 'https://hooks.example.com/token', types: ['order.*'], enabled: false },
    });
    expect(put.status, put.text).toBe(201);
    const row = await town.store.read((db) =>
      db.selectFrom('events').select('actor').where('resource_id', '=', 'token').executeTakeFirstOrThrow(),
    );
    expect(row.actor).toBe(`credential:${credentialId}`);
  });

  it('ends with its hour, with the credential, and when the credential is revoked', async () => {
    const short = await town.credential({ expiresAt: new Date(town.clock.now + 600_000).toISOString() });
    expect((await ask(GRANT, basic(short))).body.expires_in).toBe(600);
    const revoked = await town.credential({});
    const [token, other] = [await tokenOf(town.client), await tokenOf(revoked)];
    expect((await get(ITEM, other)).status).toBe(200);
    const credentialId = revoked.secrets.username.split('_').at(-1);
    await town.operator('DELETE', `/operator/v1/clients/TOWN/credentials/${credentialId}`);
    expect((await get(ITEM, other)).status).toBe(401);
    expect((await get(ITEM, token)).status).toBe(200);
    town.clock.now += 3_600_000;
    const ended = await get(ITEM, token);
    expect(ended.status).toBe(401);
    expect(ended.headers['www-authenticate']).toContain('invalid_token');
  });

  it('is rejected with any other character, scope, end or credential', async () => {
    const items = await town.credential({ groups: ['items'] });
    const token = await tokenOf(items, 'items');
    const [brt, tag, id, until, scope, mac] = token.split('_') as [string, string, string, string, string, string];
    const other = town.client.secrets.username.split('_').at(-1)!;
    const forged = [
      [brt, tag, id, until, 'items.events', mac],
      [brt, tag, id, until, '-', mac],
      [brt, tag, id, (Number.parseInt(until, 36) + 1).toString(36), scope, mac],
      [brt, tag, other, until, scope, mac],
      [brt, tag, id, until, scope, mac.replace(/^./, (first) => (first === '0' ? '1' : '0'))],
      [brt, tag, id, until, scope, ''],
    ];
    for (const parts of forged) {
      const answer = await get(ITEM, parts.join('_'));
      expect([401, 429], parts.join('_')).toContain(answer.status);
    }
    expect((await get(ITEM, token)).status).toBe(200);
  });
});

it('wrong secrets are counted like wrong keys: after too many the address gets 429, a right one still a token', async () => {
  const { username } = town.client.secrets;
  const statuses: number[] = [];
  for (let n = 0; n < 7; n++) statuses.push((await ask(GRANT, code(username, `wrong-${n}`))).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await ask(GRANT, basic(town.client))).status).toBe(200);
});
