import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Hashing } from '../../src/platform/hashing.ts';
import { permissionsAsked } from '../../src/platform/http/operation.ts';
import { add as users } from '../../src/service/cli/user.ts';
import { operations } from '../../src/service/operations.ts';
import { perform } from '../cli/in-process.ts';
import { ENGINE } from '../support/store.ts';
import { browser, cookieOf, type OpenTown, openTown } from '../support/town.ts';
import { said } from './support.ts';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown({ neighbours: true });
});
afterEach(() => town.close());

const OWN = { 'sec-fetch-site': 'same-origin' };
const MINUTE = 60_000;

const signIn = (body: object, headers: Record<string, string> = OWN) =>
  town.call({ method: 'POST', path: '/session', body, headers });

describe('signing in', () => {
  it('responds with the person, the permissions and the end of the session, and sets a cookie', async () => {
    const { password } = town.people.lead;
    const answer = await signIn({ clientId: 'TOWN', userId: 'leo', password });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      user: { clientId: 'TOWN', userId: 'leo', name: 'Leo Marsh', role: 'lead', nodeIds: ['TOWN-Store001'] },
      method: 'PASSWORD',
      expiresAt: '2026-03-02T12:30:00+00:00',
    });
    expect(answer.body.permissions).toContain('supervise');
    expect(String(answer.headers['set-cookie'])).toMatch(/^backroom=TOWN_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('accepts users of the operator without a client', async () => {
    const opal = await town.signIn('operator');
    const { body } = await opal.get('/session');
    expect(body.user).toEqual({ userId: 'opal', name: 'Opal Reed', role: 'operator', nodeIds: [] });
    expect((await opal.get('/operator/v1/clients')).status).toBe(200);
  });

  it('rejects a wrong password, an unknown user and an unknown client with the same text', async () => {
    const answers = [];
    for (const body of [
      { clientId: 'TOWN', userId: 'leo', password: 'wrong' },
      { clientId: 'TOWN', userId: 'nobody', password: 'wrong' },
      { clientId: 'NONE', userId: 'leo', password: 'wrong' },
      { userId: 'leo', password: 'wrong' },
    ]) {
      const { status, body: said } = await signIn(body);
      answers.push([status, said.code, said.detail]);
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(answers[0]!.slice(0, 2)).toEqual([401, 'SIGN_IN_FAILED']);
  });

  it('ends the former session of the browser, and returns a new token each time', async () => {
    const first = await town.signIn('lead');
    const { password } = town.people.lead;
    const second = await signIn({ clientId: 'TOWN', userId: 'leo', password }, first.headers);
    expect(cookieOf(second)).not.toBe(first.headers.cookie);
    expect((await first.get('/session')).status).toBe(401);
    expect((await browser(town.call, cookieOf(second)).get('/session')).status).toBe(200);
  });
});

describe('a password that is locked after wrong passwords', () => {
  const forget = async (body: object) => {
    let last = await signIn(body);
    for (let tries = 1; tries <= 10; tries += 1) last = await signIn(body);
    expect(last.status).toBe(429);
  };

  it('works after a manager has replaced it, also after a user with a similar name', async () => {
    const { clientId, userId, name, role, nodeIds } = town.people.lead;
    const put = (id: string, password: string) =>
      town.operator('PUT', `/operator/v1/clients/TOWN/users/${id}`, { name, role, nodeIds, password });
    await put('leona', 'northern-lights-7');
    await forget({ clientId, userId, password: 'forgotten' });
    await forget({ clientId, userId: 'leona', password: 'forgotten' });
    expect((await put(userId, 'northern-lights-7')).status).toBe(200);
    expect((await signIn({ clientId, userId, password: 'northern-lights-7' })).status).toBe(201);
    expect((await signIn({ clientId, userId: 'leona', password: 'northern-lights-7' })).status).toBe(429);
    await forget({ clientId, userId, password: 'forgotten' });
  });

  it('of a person of the operator works after it was replaced', async () => {
    await forget({ userId: 'opal', password: 'forgotten' });
    await town.operator('PUT', '/operator/v1/people/opal', { name: 'Opal Reed', password: 'northern-lights-7' });
    expect((await signIn({ userId: 'opal', password: 'northern-lights-7' })).status).toBe(201);
  });

  it('does not lock a later user or person with the same login', async () => {
    const password = 'northern-lights-7';
    const env = { DATABASE_URL: town.store.url, BACKROOM_SECRET: 'ab'.repeat(32) };
    const user = { name: 'Ida', role: 'associate', nodeIds: ['TOWN-Store001'], password };
    const cases = [
      {
        path: '/operator/v1/clients/TOWN/users/ida',
        body: user,
        login: { clientId: 'TOWN', userId: 'ida' },
        remove: () => perform(users, env, ['user', 'remove', 'ida', '--client', 'TOWN']),
      },
      {
        path: '/operator/v1/people/ida',
        body: { name: 'Ida', password },
        login: { userId: 'ida' },
        remove: () => town.operator('DELETE', '/operator/v1/people/ida'),
      },
    ];
    for (const { path, body, login, remove } of cases) {
      await town.operator('PUT', path, body);
      await forget({ ...login, password: 'forgotten' });
      await remove();
      expect((await town.operator('PUT', path, body)).status).toBe(201);
      expect((await signIn({ ...login, password })).status).toBe(201);
    }
  });
});

describe('a session', () => {
  it('is a credential for the operations of the role, and for nothing else', async () => {
    const ana = await town.signIn('associate');
    const search = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
    expect((await ana.post('/stores/TOWN_US/fulfillmentOrder/search', search)).status).toBe(200);
    expect((await ana.get('/item-service/stores/TOWN_US/items/21-MUG-WHT')).status).toBe(200);
    const refused = await ana.get('/operator/v1/clients/TOWN/users');
    expect([refused.status, refused.body.code]).toEqual([403, 'ACCESS_DENIED']);
  });

  it('reaches its own nodes and its own client only', async () => {
    const ana = await town.signIn('associate');
    const node = (id: string) => ana.get(`/operator/v1/clients/TOWN/nodes/${id}`);
    expect((await node('TOWN-Store001')).status).toBe(200);
    expect((await node('TOWN-Store002')).status).toBe(403);
    expect((await ana.get('/operator/v1/clients/OTHER/nodes/TOWN-Store001')).status).toBe(403);
  });

  it('is readable with its role and permissions', async () => {
    const { body } = await (await town.signIn('clerk')).get('/operator/v1/me');
    expect(body).toMatchObject({ kind: 'USER', clientId: 'TOWN', userId: 'cleo', role: 'clerk' });
    expect(body.permissions).toContain('checkin.write');
  });

  it('is ignored in a request with apiKey or Authorization', async () => {
    const { headers } = await town.signIn('manager');
    const answer = await town.call({
      method: 'GET',
      path: '/operator/v1/me',
      headers: { ...headers, apikey: town.client.secrets.apiKey },
    });
    expect(answer.body.kind).toBe('CREDENTIAL');
  });

  it('of an office ends after 30 minutes without a request, and always after 12 hours', async () => {
    const mara = await town.signIn('manager');
    town.clock.now += 29 * MINUTE;
    expect((await mara.get('/session')).status).toBe(200);
    town.clock.now += 30 * MINUTE;
    const idle = await mara.get('/session');
    expect([idle.status, idle.body.code]).toEqual([401, 'SESSION_ENDED']);
    const again = await town.signIn('manager');
    for (let at = 0; at < 12 * 60 - 29; at += 29) {
      town.clock.now += 29 * MINUTE;
      expect((await again.get('/session')).status).toBe(200);
    }
    town.clock.now += 29 * MINUTE;
    expect((await again.get('/session')).status).toBe(401);
  });

  it.each(['manager', 'operator'] as const)(
    'of the %s from a clock that was ahead ends when it is corrected',
    async (role) => {
      town.clock.now += 6 * 60 * MINUTE;
      const user = await town.signIn(role);
      expect((await user.get('/session')).status).toBe(200);
      await town.server.runDue();
      town.clock.now -= 6 * 60 * MINUTE;
      expect(said(await user.get('/session'))).toEqual([401, 'SESSION_ENDED']);
      await town.server.runDue();
      town.clock.now += 6 * 60 * MINUTE;
      expect(said(await user.get('/session'))).toEqual([401, 'SESSION_ENDED']);
      const again = await town.signIn(role);
      town.clock.now -= 10 * MINUTE;
      expect((await again.get('/session')).status).toBe(200);
    },
  );

  it('of the operator ends after 15 minutes without a request', async () => {
    const opal = await town.signIn('operator');
    town.clock.now += 14 * MINUTE;
    expect((await opal.get('/session')).status).toBe(200);
    town.clock.now += 15 * MINUTE;
    expect((await opal.get('/session')).status).toBe(401);
  });

  it('ends at once when its user signs out, and a second sign-out is a 204', async () => {
    const mara = await town.signIn('manager');
    const out = await mara.delete('/session');
    expect([out.status, String(out.headers['set-cookie'])]).toEqual([
      204,
      'backroom=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect((await mara.get('/session')).status).toBe(401);
    expect((await mara.delete('/session')).status).toBe(204);
  });

  // On PostgreSQL, the service checks single rows and watches no tables.
  it.skipIf(ENGINE === 'postgres')('empties no cache of credentials when it begins or ends', async () => {
    const watched = town.store.watch(['clients', 'stores', 'nodes', 'credentials', 'operator_keys', 'sellers']);
    town.store.version();
    const before = watched!.version;
    await (await town.signIn('associate')).delete('/session');
    town.store.version();
    expect(watched!.version).toBe(before);
  });
});

describe('a changing request with a session', () => {
  const body = { webhookId: 'x', url: 'https://hooks.example.com/x' };
  const path = '/operator/v1/clients/TOWN/webhooks/x';

  it.each([
    ['Sec-Fetch-Site says another site', { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:8080' }],
    ['Sec-Fetch-Site says only the same site', { 'sec-fetch-site': 'same-site' }],
    ['Origin is another', { origin: 'http://evil.example' }],
    ['neither header is sent', {}],
  ])('is rejected if %s', async (_why, headers) => {
    const igor = await town.signIn('integrator');
    const sent = { cookie: igor.headers.cookie, ...headers };
    const answer = await town.call({ method: 'PUT', path, body, headers: sent });
    expect([answer.status, answer.body.code]).toEqual([403, 'CROSS_ORIGIN']);
    const again = await signIn({ userId: 'opal', password: 'x' }, headers);
    expect([again.status, again.body.code]).toEqual([403, 'CROSS_ORIGIN']);
  });

  it('is accepted from the page’s own origin, by either header', async () => {
    const igor = await town.signIn('integrator');
    expect((await igor.put(path, body)).status).toBe(201);
    const headers = { cookie: igor.headers.cookie, origin: 'http://127.0.0.1:8080' };
    expect((await town.call({ method: 'PUT', path, body, headers })).status).toBe(200);
  });
});

describe('the table of operations', () => {
  it('has a permission for every operation open to users', () => {
    const without = operations.filter(
      (operation) =>
        operation.access.auth !== 'browser' &&
        operation.access.auth !== 'none' &&
        permissionsAsked(operation).length === 0,
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });
});

describe('a reset of the password while a request waits for its hash', () => {
  const reset = async () => {
    const { body } = await town.operator('GET', '/operator/v1/clients/TOWN/users/leo');
    const { name, role, nodeIds } = body as Record<string, unknown>;
    const put = { name, role, nodeIds, password: 'harbour-lamp-31' };
    expect((await town.operator('PUT', '/operator/v1/clients/TOWN/users/leo', put)).status).toBe(200);
  };
  /** Does `work` after the next call of a method of Hashing. */
  const followedBy = (method: 'hash' | 'check', work: () => Promise<unknown>) => {
    const original = Hashing.prototype[method] as (...sent: unknown[]) => Promise<unknown>;
    vi.spyOn(Hashing.prototype, method).mockImplementationOnce(async function (this: Hashing, ...sent: unknown[]) {
      const result = await original.apply(this, sent);
      await work();
      return result as never;
    });
  };
  const works = async (password: string) => (await signIn({ clientId: 'TOWN', userId: 'leo', password })).status;

  it('is not undone by a change of the password, and the old password does not work again', async () => {
    const { password } = town.people.lead;
    const leo = await town.signIn('lead');
    followedBy('hash', reset);
    const changed = await leo.put('/session/password', { old: password, new: password });
    expect([changed.status, changed.body.code]).toEqual([403, 'WRONG_PASSWORD']);
    expect([await works(password), await works('harbour-lamp-31')]).toEqual([401, 201]);
  });

  it('also ends a sign-in that has checked the old password', async () => {
    const { password } = town.people.lead;
    followedBy('check', reset);
    const answer = await signIn({ clientId: 'TOWN', userId: 'leo', password });
    expect([answer.status, answer.body.code, answer.headers['set-cookie']]).toEqual([401, 'SIGN_IN_FAILED', undefined]);
  });

  it('lets no session change the password that was signed out everywhere meanwhile', async () => {
    const { password } = town.people.lead;
    const leo = await town.signIn('lead');
    followedBy('hash', () => town.operator('DELETE', '/operator/v1/clients/TOWN/users/leo/sessions'));
    const changed = await leo.put('/session/password', { old: password, new: 'rain-on-the-quay-9' });
    expect([changed.status, changed.body.code]).toEqual([401, 'SESSION_ENDED']);
    expect(await works(password)).toBe(201);
  });
});
