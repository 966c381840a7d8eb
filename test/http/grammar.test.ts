/** Rules that all lists and responses share: names of paging fields, deprecation, quotas and compression. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { count, keepStock, NODE, NODE_ID } from '../stock/stock.ts';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ env: { RATE_LIMIT: '600' } });
  await keepStock(town, NODE_ID);
  for (const itemId of ['21-MUG-WHT', '21-SOAP-LAV']) {
    const counted = await count(town, itemId, 3);
    expect(counted.status, counted.text).toBe(201);
    const blind = await town.client.post(`${NODE}/inbound/BLIND`, { number: `B-${itemId}`, userId: 'cleo' });
    expect(blind.status).toBe(201);
  }
});
afterAll(() => town.close());

const CLIENT = '/operator/v1/clients/TOWN';

describe('paging', () => {
  it.each([
    ['items', `${CLIENT}/items`, 'items'],
    ['stock', `${NODE}/stock`, 'stock'],
    ['shipments', `${NODE}/inbound`, 'inbound'],
  ])('of %s takes limit and after, and the old names with Deprecation and Sunset', async (_what, path, list) => {
    const first = await town.client.get(`${path}?limit=1`);
    expect([first.status, first.headers['deprecation']]).toEqual([200, undefined]);
    expect(first.body.lastRecordId).toBe(first.body.next);
    const old = await town.client.get(`${path}?pageSize=1`);
    expect(old.body).toEqual(first.body);
    expect(old.headers).toMatchObject({ deprecation: '@1795651200', sunset: 'Fri, 26 Nov 2027 00:00:00 GMT' });
    expect(first.body.next).toEqual(expect.any(String));
    const after = encodeURIComponent(first.body.next as string);
    const second = await town.client.get(`${path}?limit=1&after=${after}`);
    expect(second.body[list]).not.toEqual(first.body[list]);
    expect((await town.client.get(`${path}?pageSize=1&lastRecordId=${after}`)).body).toEqual(second.body);
  });

  it('rejects a parameter that has both names, and names the place of a wrong old one', async () => {
    const both = await town.client.get(`${CLIENT}/items?limit=1&pageSize=2`);
    expect([both.status, both.body.errors[0].pointer]).toEqual([400, 'query:pageSize']);
    const wrong = await town.client.get(`${CLIENT}/items?pageSize=0`);
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, 'query:pageSize']);
    expect(wrong.headers['deprecation']).toBe('@1795651200');
  });

  it('of the feed has next, and nextAfter with the same value', async () => {
    const { body } = await town.client.get('/operator/v1/events?limit=2');
    expect([body.next, body.nextAfter]).toEqual([2, 2]);
  });
});

describe('the quota of a caller', () => {
  it('is in every response, errors included', async () => {
    const { headers } = await town.client.get('/operator/v1/me');
    expect(headers).toMatchObject({ 'ratelimit-limit': '600', 'ratelimit-reset': expect.stringMatching(/^\d+$/) });
    const left = Number(headers['ratelimit-remaining']);
    const missing = await town.client.get(`${CLIENT}/webhooks/none`);
    expect([missing.status, Number(missing.headers['ratelimit-remaining'])]).toEqual([404, left - 1]);
    const wrong = await town.client.get(`${CLIENT}/items?colour=1`);
    expect([wrong.status, Number(wrong.headers['ratelimit-remaining'])]).toEqual([400, left - 2]);
  });

  it('is absent where the service does not know the caller', async () => {
    const { headers } = await town.call({ method: 'GET', path: '/operator/v1/me' });
    expect(headers['ratelimit-limit']).toBeUndefined();
  });
});

describe('compression', () => {
  const get = (url: string, headers: Record<string, string>) => town.server.app.inject({ method: 'GET', url, headers });

  it('of a large response to a key gives the same text', async () => {
    const url = '/operator/v1/events?limit=500';
    const plain = await get(url, town.client.headers);
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'accept-encoding']);
    const zipped = await get(url, { ...town.client.headers, 'accept-encoding': 'br, gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.payload);
    expect(zipped.rawPayload.length).toBeLessThan(plain.payload.length / 4);
    const refused = await get(url, { ...town.client.headers, 'accept-encoding': 'gzip;q=0, br' });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it('is not used for the response to a session, whose length another site must not learn about', async () => {
    const browser = await town.signIn('manager');
    const answer = await browser.call({
      method: 'GET',
      path: `${CLIENT}/users?limit=500`,
      headers: { 'accept-encoding': 'gzip' },
    });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
  });

  it('of the OpenAPI document has a tag, with which it is a 304', async () => {
    const zipped = await get('/openapi.json', { 'accept-encoding': 'gzip' });
    const { etag } = zipped.headers as { etag: string };
    expect(JSON.parse(gunzipSync(zipped.rawPayload).toString()).openapi).toBe('3.1.0');
    const same = await get('/openapi.json', { 'if-none-match': etag });
    expect([same.statusCode, same.payload]).toEqual([304, '']);
    expect((await get('/openapi.json', { 'if-none-match': 'W/"other"' })).statusCode).toBe(200);
  });
});
