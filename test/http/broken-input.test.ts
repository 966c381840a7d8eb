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

  it('whose Content-Type has no boundary gets 400', async () => {
    expect((await upload(`${head}clientId\r\n--b--\r\n`, 'multipart/form-data')).status).toBe(400);
  });
});

describe('a JSON body', () => {
  it.each([
    ['{"a":', 'syntax', 'the body is not valid JSON: '],
    [`${'['.repeat(70)}${']'.repeat(70)}`, 'depth', 'the body is not accepted: more than 64 levels'],
    [`["${'x'.repeat(100_001)}"]`, 'length', 'the body is not accepted: a string of 100001 characters'],
  ])('has an error that tells wrong syntax from a limit: %.20s', async (raw, rule, words) => {
    const path = '/operator/v1/stores/TOWN_US/fulfillmentOrders';
    const answer = await town.client.call({
      method: 'POST',
      path,
      raw,
      headers: { ...town.client.headers, 'content-type': 'application/json' },
    });
    const [error] = answer.body.errors;
    expect([answer.status, error.rule, error.message.slice(0, words.length)]).toEqual([400, rule, words]);
  });
});
