import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

describe('a query', () => {
  it.each(['%ED%A0%80', '%FF', '%', '%zz'])(
    'is rejected with %s, which is not percent-encoded UTF-8',
    async (value) => {
      for (const path of [`/operator/v1/clients?after=${value}`, `/operator/v1/clients/TOWN?x=${value}`]) {
        const answer = await town.operator('GET', path);
        expect([answer.status, answer.body.errors[0].rule]).toEqual([400, 'encoding']);
      }
    },
  );

  it('is accepted with percent-encoded UTF-8', async () => {
    expect((await town.operator('GET', '/operator/v1/clients?after=%C3%A9')).status).toBe(200);
  });
});

describe('a key, token or cookie of a client whose id has NUL', () => {
  const long = 'a'.repeat(43);
  it.each<[string, string, string, Record<string, string>]>([
    ['an apiKey', 'GET', '/operator/v1/me', { apikey: 'br_A~00_abc_x' }],
    ['an access token', 'GET', '/operator/v1/me', { authorization: `Bearer brt_~00_a_zz_-_${'0'.repeat(64)}` }],
    ['a user name', 'POST', '/oauth/token', { authorization: `Basic ${btoa('A~00_abc:x')}` }],
    ['a session', 'GET', '/session', { cookie: `backroom=~00_${long}` }],
  ])('is unknown: %s', async (_what, method, path, headers) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    const { status } = await (method === 'GET'
      ? town.call({ method, path, headers })
      : town.call({ method: 'POST', path, raw: 'grant_type=client_credentials', headers: form }));
    expect([401, 403]).toContain(status);
  });
});

it('a device of a client whose id has NUL is unknown at the sign-in', async () => {
  const { status, body } = await town.call({
    method: 'POST',
    path: '/session',
    headers: { cookie: `backroom-device=A~00_${'0'.repeat(36)}_${'a'.repeat(43)}`, 'sec-fetch-site': 'same-origin' },
    body: { clientId: 'TOWN', userId: 'leo', password: town.people.lead.password },
  });
  expect([status, body.user?.userId]).toEqual([201, 'leo']);
});

describe('a form', () => {
  const head =
    '--b\r\nContent-Disposition: form-data; name="filename"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n';
  const upload = (raw: string, type = 'multipart/form-data; boundary=b') =>
    town.client.call({
      method: 'POST',
      path: '/item-service/clients/TOWN/upload',
      raw,
      headers: { 'content-type': type },
    });

  it.each([
    ['ends before its last boundary', `${head}clientId\r\n--b;-\r\n`],
    ['ends in the head of its part', head.slice(0, 40)],
    ['has no boundary at all', 'clientId,itemId'],
    ['is empty', ''],
  ])('that %s gets 400', async (_what, raw) => {
    const answer = await upload(raw);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('that is compressed gets 415', async () => {
    const answer = await town.client.call({
      method: 'POST',
      path: '/item-service/clients/TOWN/upload',
      raw: head,
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' },
    });
    expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('whose Content-Type has no boundary gets 400', async () => {
    expect((await upload(`${head}clientId\r\n--b--\r\n`, 'multipart/form-data')).status).toBe(400);
  });
});

describe('a body', () => {
  it.each([
    ['{"a":', 'is not valid JSON: the text ends'],
    ['['.repeat(65), 'is not accepted: more than 64 levels'],
    [`{"a":"${'x'.repeat(100_001)}"}`, 'is not accepted: a string of 100001 characters'],
    ['{"__proto__":1}', "is not accepted: a field named '__proto__'"],
    ['{"a":1,"a":2}', "is not accepted: the field 'a' occurs twice"],
    [String.raw`{"a":"\u0000"}`, 'is not accepted: the character NUL'],
  ])('is called JSON that is not valid only for its syntax', async (raw, message) => {
    const headers = { ...town.client.headers, 'content-type': 'application/json' };
    const answer = await town.client.call({
      method: 'PUT',
      path: '/item-service/clients/TOWN/items/21-X',
      raw,
      headers,
    });
    expect(answer.body.errors[0].message).toContain(`the body ${message}`);
  });
});
