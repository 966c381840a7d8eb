import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { Buckets } from '../../src/platform/http/rate-limit.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Answer, NOON, OPERATOR_KEY } from '../support/backroom.ts';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown | undefined;
afterEach(async () => {
  await town?.close();
  town = undefined;
});

const ITEM = '/item-service/stores/TOWN_US/items/21-MUG-WHT';
const INBOUND = '/poasn-manager-service/sellers/TOWNS/poasn/create';

/** Sends a request from an address. */
async function from(address: string, path: string, headers: Record<string, string>): Promise<Answer> {
  const response = await town!.server.app.inject({ method: 'GET', url: path, headers, remoteAddress: address });
  const text = response.payload;
  return {
    status: response.statusCode,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
    headers: response.headers as Answer['headers'],
  };
}

/** Returns the key with a wrong secret: the last character differs, the length is the same. */
function spoiled(apiKey: string): string {
  return apiKey.slice(0, -1) + (apiKey.endsWith('x') ? 'y' : 'x');
}

describe('a limit per minute', () => {
  it('allows a burst, then one request per share of the minute', () => {
    const buckets = new Buckets(3);
    expect([1, 2, 3, 4].map(() => buckets.take('a', NOON))).toEqual([0, 0, 0, 20]);
    expect(buckets.wait('a', NOON + 19_999)).toBe(1);
    expect(buckets.take('a', NOON + 20_000)).toBe(0);
    expect(buckets.take('a', NOON + 20_000)).toBe(20);
  });

  it('does not add up over more than a minute of rest, nor when the clock goes back', () => {
    const buckets = new Buckets(2);
    buckets.take('a', NOON);
    expect([1, 2, 3].map(() => buckets.take('a', NOON + 3_600_000))).toEqual([0, 0, 30]);
    expect(buckets.take('a', NOON)).toBe(30);
  });

  it('counts each name separately', () => {
    const buckets = new Buckets(1);
    expect([buckets.take('a', NOON), buckets.take('b', NOON), buckets.take('a', NOON)]).toEqual([0, 0, 60]);
  });

  it('still counts a name in use after 30,000 others', () => {
    const buckets = new Buckets(1);
    for (let count = 0; count < 30_000; count += 1) {
      buckets.take(`other ${count}`, NOON + count * 10);
      if (count === 29_000) buckets.take('a', NOON + count * 10);
    }
    expect(buckets.take('a', NOON + 300_000)).toBeGreaterThan(0);
  });
});

describe('RATE_LIMIT', () => {
  it('responds 429 with Retry-After to a credential over its limit, until that time has passed', async () => {
    town = await openTown({ env: { RATE_LIMIT: '2' } });
    expect((await town.client.get(ITEM)).status).toBe(200);
    expect((await town.client.get(ITEM)).status).toBe(200);
    const refused = await town.client.get(ITEM);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.body).toMatchObject({ category: 'SECURITY', code: 'TOO_MANY_REQUESTS' });
    expect(refused.body.requestId).toBe(refused.headers['x-request-id']);
    town.clock.now += 30_000;
    expect((await town.client.get(ITEM)).status).toBe(200);
    expect((await town.client.get(ITEM)).status).toBe(429);
  });

  it('counts every credential separately, and rejected requests too', async () => {
    town = await openTown({ env: { RATE_LIMIT: '30' } });
    const other = await town.credential();
    const denied = '/item-service/stores/NOWHERE/items/21-MUG-WHT';
    for (let count = 0; count < 30; count += 1) expect((await other.get(denied)).status).toBe(403);
    expect((await other.get(ITEM)).status).toBe(429);
    expect((await town.client.get(ITEM)).status).toBe(200);
  });

  it('is not used up by requests with the id of the credential and a wrong secret', async () => {
    town = await openTown({ env: { RATE_LIMIT: '2' } });
    const { headers, secrets } = town.client;
    const forged = { ...headers, apikey: spoiled(secrets.apiKey) };
    for (let count = 0; count < 5; count += 1) expect((await from('10.0.0.1', ITEM, forged)).status).toBe(403);
    expect((await town.client.get(ITEM)).status).toBe(200);
  });

  it('counts each caller separately at operations that it may not use, and for access tokens', async () => {
    town = await openTown({ env: { RATE_LIMIT: '3' } });
    const { secrets, headers } = town.client;
    const operator = () => town!.operator('GET', '/operator/v1/clients/TOWN');
    const times = async (count: number, send: () => Promise<Answer>) => {
      const statuses = [];
      for (let sent = 0; sent < count; sent += 1) statuses.push((await send()).status);
      return statuses;
    };
    const associate = await town.signIn('associate');
    expect(await times(4, () => associate.get('/operator/v1/clients/TOWN/credentials'))).toEqual([403, 403, 403, 429]);
    const opal = await town.signIn('operator');
    for (const minutes of [8, 8]) {
      town.clock.now += minutes * 60_000;
      await opal.get('/session');
    }
    town.clock.now += 60_000;
    const change = () => opal.put('/operator/v1/clients/TOWN', {});
    const [rejected] = [await change(), await change(), await change()];
    expect([rejected.body.code, rejected.headers]).toMatchObject(['SIGN_IN_AGAIN', { 'ratelimit-limit': '3' }]);
    expect((await change()).status).toBe(429);
    const { apikey } = (await town.credential()).headers;
    town.clock.now += 60_000;
    expect(await times(4, () => from('10.0.0.1', '/operator/v1/clients', { apikey }))).toEqual([403, 403, 403, 429]);
    const token = () =>
      town!.call({
        method: 'POST',
        path: '/oauth/token',
        raw: 'grant_type=client_credentials',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${btoa(`${secrets.username}:${secrets.password}`)}`,
        },
      });
    expect(await times(3, token)).toEqual([200, 200, 200]);
    expect((await operator()).status).toBe(200);
    expect((await from('10.0.0.1', ITEM, headers)).status).toBe(429);
    const other = await town.credential();
    expect((await other.get(ITEM)).status).toBe(200);
  });

  it('has the error format of the operation', async () => {
    town = await openTown({ env: { RATE_LIMIT: '1' } });
    const path = '/operator/v1/clients/TOWN';
    await town.operator('GET', path);
    const problem = await town.operator('GET', path);
    expect(problem.headers['content-type']).toContain('application/problem+json');
    expect(problem.body).toMatchObject({ status: 429, title: 'Too Many Requests', code: 'TOO_MANY_REQUESTS' });
    await town.client.get(ITEM);
    const inbound = await town.client.post(INBOUND, {});
    expect(inbound.status).toBe(429);
    expect(inbound.body.poAsnData[0]).toMatchObject({ status: 'FAILED', errors: [{ code: 'TOO_MANY_REQUESTS' }] });
  });

  it('is off by default, and never applies to paths without credentials', async () => {
    town = await openTown();
    for (let count = 0; count < 300; count += 1) expect((await town.client.get(ITEM)).status).toBe(200);
    await town.close();
    town = await openTown({ env: { RATE_LIMIT: '1' } });
    for (let count = 0; count < 5; count += 1) expect((await town.client.get('/readyz')).status).toBe(200);
  });
});

describe('FAILED_SIGN_IN_LIMIT', () => {
  const wrong = { authorization: 'Bearer wrong-key-of-no-credential' };
  const OPERATOR = '/operator/v1/clients';

  it('responds 429 to an address that has sent too many wrong credentials, with the time to wait', async () => {
    town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: '3' } });
    for (let count = 0; count < 3; count += 1) expect((await from('10.0.0.1', OPERATOR, wrong)).status).toBe(401);
    const refused = await from('10.0.0.1', OPERATOR, wrong);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('20');
    expect(refused.body.code).toBe('TOO_MANY_REQUESTS');
    expect((await from('10.0.0.2', OPERATOR, wrong)).status).toBe(401);
    town.clock.now += 20_000;
    expect((await from('10.0.0.1', OPERATOR, wrong)).status).toBe(401);
  });

  it('is 20 a minute unless configured', () => {
    const env = { BACKROOM_SECRET: 'ab'.repeat(32) };
    expect(loadConfig(env).failedSignInLimit).toBe(20);
    expect(loadConfig({ ...env, FAILED_SIGN_IN_LIMIT: 'none' }).failedSignInLimit).toBeUndefined();
  });

  it('responds 429 for a credential that is guessed from many addresses', async () => {
    town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: '3' } });
    const { headers, secrets } = town.client;
    const forged = { ...headers, apikey: spoiled(secrets.apiKey) };
    for (const host of [1, 2, 3]) expect((await from(`10.0.0.${host}`, ITEM, forged)).status).toBe(403);
    expect((await from('10.0.0.4', ITEM, forged)).status).toBe(429);
  });

  it('never rejects correct credentials: from a new address or the failing one, under the failing name or another', async () => {
    town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: '3' } });
    const { headers, secrets } = town.client;
    const other = (await town.credential()).headers;
    const forged = { ...headers, apikey: spoiled(secrets.apiKey) };
    const badBasic = { ...headers, authorization: `Basic ${btoa(`${secrets.username}:wrong`)}` };
    const codes = [];
    for (const bad of [forged, badBasic, forged, badBasic, forged])
      codes.push((await from('10.0.0.1', ITEM, bad)).status);
    expect(codes).toEqual([403, 403, 403, 429, 429]);
    for (const address of ['10.0.0.1', '10.0.0.2']) {
      for (const right of [headers, other]) expect((await from(address, ITEM, right)).status).toBe(200);
      expect((await from(address, OPERATOR, { authorization: `Bearer ${OPERATOR_KEY}` })).status).toBe(200);
    }
    expect((await from('10.0.0.2', ITEM, forged)).status).toBe(429);
  });

  it('logs a failure with address, public part of the key and code, never with the secret', async () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
    town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: '2' }, log: createLog('warn', { write }) });
    const { headers, secrets } = town.client;
    const apikey = spoiled(secrets.apiKey);
    for (let count = 0; count < 4; count += 1) await from('10.0.0.1', ITEM, { ...headers, apikey });
    await from('10.0.0.7', OPERATOR, wrong);
    const { credentialId } = secrets;
    expect(lines).toMatchObject([
      { level: 40, address: '10.0.0.1', keyId: `br_TOWN_${credentialId}`, code: 'CREDENTIALS_INVALID' },
      { level: 40, address: '10.0.0.1', keyId: `br_TOWN_${credentialId}`, code: 'CREDENTIALS_INVALID' },
      { level: 40, address: '10.0.0.7', code: 'CREDENTIALS_INVALID' },
    ]);
    expect(JSON.stringify(lines)).not.toContain(apikey.slice(-20));
    expect(JSON.stringify(lines)).not.toContain('wrong-key');
  });

  it('counts each failure in a metric', async () => {
    town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: '2' } });
    for (let count = 0; count < 5; count += 1) await from('10.0.0.1', OPERATOR, wrong);
    const { text } = await from('127.0.0.1', '/metrics', {});
    expect(text).toContain('backroom_sign_in_failures_total{code="CREDENTIALS_INVALID"} 2');
    expect(text).toContain('backroom_sign_in_failures_total{code="TOO_MANY_REQUESTS"} 3');
  });

  it('counts all addresses of one IPv6 network as one', async () => {
    town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: '3' } });
    const hosts = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::4'];
    const statuses = [];
    for (const host of hosts) statuses.push((await from(host, OPERATOR, wrong)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await from('2001:db8:0:1::1', OPERATOR, wrong)).status).toBe(401);
    expect((await from('::ffff:10.0.0.1', OPERATOR, wrong)).status).toBe(401);
  });

  it('reads the address from X-Forwarded-For only if TRUST_PROXY names the proxy', async () => {
    town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: '1', TRUST_PROXY: '10.1.0.0/16' } });
    const via = (proxy: string, caller: string) => from(proxy, OPERATOR, { ...wrong, 'x-forwarded-for': caller });
    expect((await via('10.1.0.7', '192.0.2.1')).status).toBe(401);
    expect((await via('10.1.0.7', '192.0.2.2')).status).toBe(401);
    expect((await via('10.1.0.7', '192.0.2.1')).status).toBe(429);
    expect((await via('10.2.0.7', '192.0.2.3')).status).toBe(401);
    expect((await via('10.2.0.7', '192.0.2.4')).status).toBe(429);
  });

  it('reads an address with a port or in brackets, and counts the proxy if it sends no address', async () => {
    town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: '1', TRUST_PROXY: '10.1.0.0/16' } });
    const via = async (proxy: string, caller: string) =>
      (await from(proxy, OPERATOR, { ...wrong, 'x-forwarded-for': caller })).status;
    for (const callers of [
      ['192.0.2.1:5000', '192.0.2.1:5001', '192.0.2.1', '192.0.2.1:5002, 10.1.0.8:80', 'unknown, 192.0.2.1'],
      ['[2001:db8::1]:80', '[2001:db8::1]', '2001:db8::1', '[2001:db8::2]:81,10.1.0.8:9'],
    ]) {
      const statuses = [];
      for (const caller of callers) statuses.push(await via('10.1.0.7', caller));
      expect(statuses).toEqual([401, ...callers.slice(1).map(() => 429)]);
    }
    const wrongs = ['unknown', '<script>', '[192.0.2.9]:80', '192.0.2.9:', '192.0.2.9:x', '192.0.2.9, "', '', ', ,'];
    const statuses = [];
    for (const caller of wrongs) statuses.push(await via('10.1.0.9', caller));
    expect(statuses).toEqual([401, ...wrongs.slice(1).map(() => 429)]);
    expect(await via('10.1.0.8', '192.0.2.10, unknown, 10.1.0.9')).toBe(429);
  });

  it('does not count missing credentials and denied access as failures, and can be switched off', async () => {
    town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: '1' } });
    for (let count = 0; count < 5; count += 1) expect((await from('10.0.0.1', ITEM, {})).status).toBe(403);
    const { headers } = town.client;
    expect((await from('10.0.0.1', '/item-service/stores/NOWHERE/items/1', headers)).status).toBe(403);
    expect((await from('10.0.0.1', ITEM, headers)).status).toBe(200);
    await town.close();
    town = await openTown({ env: { FAILED_SIGN_IN_LIMIT: 'none' } });
    for (let count = 0; count < 50; count += 1) expect((await from('10.0.0.1', OPERATOR, wrong)).status).toBe(401);
  });
});
