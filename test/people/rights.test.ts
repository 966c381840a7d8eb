import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertAccessEvents } from '../../src/platform/access-log/store.ts';
import { OF_AN_ADDRESS } from '../../src/platform/hashing.ts';
import { parseJson } from '../../src/platform/message/json.ts';
import type { Answer } from '../support/backroom.ts';
import { type Browser, browser, type OpenTown, openTown, signedIn } from '../support/town.ts';
import { accessTypes, enroll, MINUTE, OWN, said, setPin, USERS } from './support.ts';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
const TICKETS = '/stores/TOWN_US/nodes/TOWN-Store001/pickTicket';
const wish = (orderId: string) => ({ ...WHERE, queueId: 'WAITING_FOR_PICK_ISPU', fulfillmentOrderIds: [orderId] });
const NEW = { name: 'Nora', role: 'associate', password: 'correct horse battery', nodeIds: ['TOWN-Store001'] };

describe('granting permissions', () => {
  it('no user grants a role or node beyond the own permissions', async () => {
    await town.operator('PUT', `${USERS}/mia`, { ...NEW, role: 'manager' });
    const mia = await signedIn(town.call, { clientId: 'TOWN', userId: 'mia', password: NEW.password });
    expect((await mia.put(`${USERS}/nora`, NEW)).status).toBe(201);
    expect((await mia.put(`${USERS}/nora`, { ...NEW, role: 'integrator' })).status).toBe(403);
    expect((await mia.put(`${USERS}/nora`, { ...NEW, nodeIds: ['TOWN-Store002'] })).status).toBe(403);
    expect((await mia.put(`${USERS}/nora`, { ...NEW, nodeIds: [] })).status).toBe(403);
    expect((await mia.put(`${USERS}/mara`, { ...NEW, role: 'associate' })).status).toBe(403);
  });

  it('a manager of one node reads that the login of another node’s user is taken', async () => {
    await town.operator('PUT', `${USERS}/mia`, { ...NEW, role: 'manager' });
    await town.operator('PUT', `${USERS}/kim`, { ...NEW, nodeIds: ['TOWN-Store002'] });
    const mia = await signedIn(town.call, { clientId: 'TOWN', userId: 'mia', password: NEW.password });
    const taken = await mia.put(`${USERS}/kim`, NEW);
    expect([taken.status, taken.body.detail]).toEqual([403, expect.stringContaining('login "kim" belongs to a user')]);
    const beyond = await mia.put(`${USERS}/nora`, { ...NEW, nodeIds: ['TOWN-Store002'] });
    expect(beyond.body.detail).toContain('you can grant only roles and nodes');
  });

  it('no user changes the own account', async () => {
    const mara = await town.signIn('manager');
    expect((await mara.put(`${USERS}/mara`, { ...NEW, role: 'manager', nodeIds: [] })).status).toBe(403);
    expect((await mara.post(`${USERS}/mara/badge`)).status).toBe(403);
    const opal = await town.signIn('operator');
    expect((await opal.put('/operator/v1/people/opal', { name: 'Opal' })).status).toBe(403);
    expect((await opal.delete('/operator/v1/people/opal')).status).toBe(403);
  });

  it('setting a PIN, a badge or a sign-out needs the permissions and nodes of the affected user', async () => {
    const leo = await town.signIn('lead');
    expect((await leo.post(`${USERS}/ana/pin`)).status).toBe(201);
    expect((await leo.post(`${USERS}/mara/pin`)).status).toBe(403);
    expect((await leo.post(`${USERS}/cleo/pin`)).status).toBe(403);
    expect((await leo.post(`${USERS}/leo/pin`)).status).toBe(403);
  });

  it('users of the operator grant every role of clients', async () => {
    const opal = await town.signIn('operator');
    expect((await opal.put(`${USERS}/nora`, { ...NEW, role: 'manager', nodeIds: [] })).status).toBe(201);
    expect((await opal.post(`${USERS}/nora/badge`)).status).toBe(201);
  });

  it('operator is no role of a client’s user', async () => {
    expect((await town.operator('PUT', `${USERS}/nora`, { ...NEW, role: 'operator' })).status).toBe(400);
  });

  it.each(['lease', 'system', 'a:b'])('%s is rejected as a user id', async (userId) => {
    expect((await town.operator('PUT', `${USERS}/${userId}`, NEW)).status).toBe(400);
  });

  it('an integrator creates keys only of the own groups', async () => {
    const igor = await town.signIn('integrator');
    const make = (groups?: string[]) => igor.post('/operator/v1/clients/TOWN/credentials', { label: 'x', groups });
    expect((await make(['items', 'intake'])).status).toBe(201);
    expect((await make(['fulfillment'])).status).toBe(403);
    expect((await make()).status).toBe(403);
  });

  describe('an integrator of one node', () => {
    const KEYS = '/operator/v1/clients/TOWN/credentials';
    const own = { label: 'x', groups: ['items', 'intake'], nodeIds: ['TOWN-Store001'] };
    const igor = async () => {
      await town.operator('PUT', `${USERS}/ig2`, { ...NEW, role: 'integrator' });
      return signedIn(town.call, { clientId: 'TOWN', userId: 'ig2', password: NEW.password });
    };

    it('creates keys only of that node', async () => {
      const person = await igor();
      const make = async (more: object) => (await person.post(KEYS, { ...own, ...more })).status;
      expect(await make({})).toBe(201);
      expect(await make({ storeIds: ['TOWN_US'] })).toBe(201);
      expect(await make({ nodeIds: undefined })).toBe(403);
      expect(await make({ nodeIds: ['TOWN-Store002'] })).toBe(403);
      expect(await make({ nodeIds: ['TOWN-Store001', 'TOWN-Store002'] })).toBe(403);
      expect(await make({ groups: ['fulfillment'] })).toBe(403);
      expect((await person.post(KEYS, { ...own, nodeIds: undefined })).body.detail).toContain('TOWN-Store001');
    });

    it('neither sees nor revokes a key of more nodes: it looks like a missing one', async () => {
      const person = await igor();
      const at = { nodeIds: ['TOWN-Store001'] };
      const { nodeIds: _nodes, ...ofAllNodes } = own;
      const wishes = [own, ofAllNodes, { ...own, nodeIds: ['TOWN-Store002'] }, { ...at, groups: ['stock'] }];
      const [mine, ...others] = await Promise.all(
        wishes.map(async (wish) => (await town.credential(wish)).secrets.credentialId),
      );
      const said = async (method: 'get' | 'delete', id: string) => {
        const { status, body } = await person[method](`${KEYS}/${id}`);
        return [status, (body as { detail?: string } | undefined)?.detail?.replace(id, 'ID')];
      };
      for (const method of ['get', 'delete'] as const) {
        const missing = await said(method, 'cafe0000');
        expect(missing[0]).toBe(404);
        for (const id of others) expect(await said(method, id)).toEqual(missing);
      }
      for (const id of others) expect((await town.operator('GET', `${KEYS}/${id}`)).body.revokedAt).toBeUndefined();
      expect((await said('get', mine!))[0]).toBe(200);
      expect((await said('delete', mine!))[0]).toBe(204);
    });

    it('finds the own keys on full pages among those of others', async () => {
      const person = await igor();
      const made: string[] = [];
      for (let at = 0; at < 12; at += 1) {
        const isOwn = at % 3 === 0;
        const { credentialId } = (await town.credential(isOwn ? own : {})).secrets;
        if (isOwn) made.push(credentialId);
      }
      const found: string[][] = [];
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { body } = await person.get(`${KEYS}?limit=2${after === '' ? '' : `&after=${after}`}`);
        const page = body as { credentials: { credentialId: string }[]; next?: string };
        found.push(page.credentials.map(({ credentialId }) => credentialId));
        after = page.next;
      }
      expect(found).toEqual([made.toSorted().slice(0, 2), made.toSorted().slice(2)]);
    });
  });

  it('an integrator of all nodes neither sees nor revokes a key of a group outside the role', async () => {
    const person = await town.signIn('integrator');
    const path = `/operator/v1/clients/TOWN/credentials/${town.client.secrets.credentialId}`;
    expect((await person.get(path)).status).toBe(404);
    expect((await person.delete(path)).status).toBe(404);
    expect((await (await town.signIn('operator')).get(path)).status).toBe(200);
  });

  it('a user with only the permission for the check-in finds the orders that wait for it', async () => {
    const [cleo, ana] = [await town.signIn('clerk'), await town.signIn('associate')];
    const found = async (person: typeof cleo, queueId: string) => {
      const path = `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=${queueId}`;
      const { status, body } = await person.post(path, { ...WHERE, queueId });
      return [status, (body as { fulfillmentOrders: unknown[] }).fulfillmentOrders.length];
    };
    expect(await found(cleo, 'WAITING_FOR_CHECKIN_STS')).toEqual([200, 1]);
    expect(await found(cleo, 'WAITING_FOR_PICK_ISPU')).toEqual([200, 0]);
    expect((await found(ana, 'WAITING_FOR_PICK_ISPU'))[1]).toBeGreaterThan(0);
    expect((await cleo.post('/stores/TOWN_US/fulfillmentOrder/search', WHERE)).status).toBe(403);
    const read = async (orderId: string) =>
      (await cleo.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}`)).status;
    expect([await read(town.orders.arriving), await read(town.orders.picked)]).toEqual([200, 404]);
  });

  it('a list shows only own nodes', async () => {
    await town.operator('PUT', `${USERS}/mia`, { ...NEW, role: 'manager' });
    const mia = await signedIn(town.call, { clientId: 'TOWN', userId: 'mia', password: NEW.password });
    const ids = (body: { users: { userId: string }[] }) => body.users.map(({ userId }) => userId);
    expect(ids((await mia.get(USERS)).body)).toEqual(['ana', 'cleo', 'leo', 'mia']);
    expect((await mia.get(`${USERS}/mara`)).status).toBe(404);
    const nodes = await mia.get('/operator/v1/clients/TOWN/nodes');
    expect(nodes.body.nodes.map(({ nodeId }: { nodeId: string }) => nodeId)).toEqual(['TOWN-Store001']);
  });
});

describe('a user', () => {
  it('who is disabled is signed out at once and cannot sign in', async () => {
    const ana = await town.signIn('associate');
    const { nodeIds, name, role, password } = town.people.associate;
    const put = await town.operator('PUT', `${USERS}/ana`, { name, role, nodeIds, state: 'DISABLED' });
    expect(put.body.state).toBe('DISABLED');
    expect(said(await ana.get('/session'))).toEqual([401, 'SESSION_ENDED']);
    const body = { clientId: 'TOWN', userId: 'ana', password };
    expect(said(await town.call({ method: 'POST', path: '/session', headers: OWN, body }))).toEqual([
      401,
      'SIGN_IN_FAILED',
    ]);
    const left = await town.operator('PUT', `${USERS}/ana`, { name, role, nodeIds });
    expect(left.body.state).toBe('DISABLED');
  });

  it('is signed out everywhere by a manager', async () => {
    const ana = await town.signIn('associate');
    expect((await (await town.signIn('manager')).delete(`${USERS}/ana/sessions`)).status).toBe(204);
    expect((await ana.get('/session')).status).toBe(401);
  });

  it('loses permissions at once with a lower role, and must sign in again for more', async () => {
    const leo = await town.signIn('lead');
    const { nodeIds, name } = town.people.lead;
    await town.operator('PUT', `${USERS}/leo`, { name, nodeIds, role: 'associate' });
    expect((await leo.get('/session')).body.permissions).not.toContain('supervise');
    await town.operator('PUT', `${USERS}/leo`, { name, nodeIds, role: 'lead' });
    expect((await leo.get('/session')).status).toBe(401);
    expect(await accessTypes(town)).toContain('user.roleChanged');
  });

  it('of the operator loses the language with an empty text, and keeps it if it is left out', async () => {
    const path = '/operator/v1/people/lena';
    const lena = { name: 'Lena Ort', password: 'correct horse battery' };
    expect((await town.operator('PUT', path, { ...lena, language: 'es' })).body).toMatchObject({ language: 'es' });
    expect((await town.operator('PUT', path, { name: lena.name })).body).toMatchObject({ language: 'es' });
    const removed = await town.operator('PUT', path, { name: lena.name, language: '' });
    expect(removed.status, removed.text).toBe(200);
    expect(removed.body).not.toHaveProperty('language');
    expect((await town.operator('GET', path)).body).not.toHaveProperty('language');
  });

  it('of the operator is not changed by a PUT without a difference', async () => {
    const path = '/operator/v1/people/lena';
    const lena = { name: 'Lena Ort', language: 'es' };
    const made = await town.operator('PUT', path, { ...lena, password: 'correct horse battery' });
    const events = async () => (await town.operator('GET', '/operator/v1/accessEvents?limit=500')).body.events.length;
    const before = await events();
    const again = await town.operator('PUT', path, lena);
    expect([again.status, again.body]).toEqual([200, made.body]);
    expect(await events()).toBe(before);
    expect((await town.operator('PUT', path, { ...lena, state: 'DISABLED' })).body).toMatchObject({
      state: 'DISABLED',
    });
    expect(await events()).toBe(before + 1);
  });

  it('chooses a language, and changes by other users keep it', async () => {
    const ana = await town.signIn('associate');
    expect((await ana.put('/session/preferences', { language: 'de-CH' })).status).toBe(204);
    expect((await ana.get('/session')).body.user.language).toBe('de-CH');
  });
});

describe('a password', () => {
  const change = (old: string, wanted: string) => ({ old, new: wanted });

  it('is changed with the old one; the other sessions end, and this one gets a new token', async () => {
    const [here, there] = [await town.signIn('manager'), await town.signIn('manager')];
    const { password } = town.people.manager;
    const answer = await here.put('/session/password', change(password, 'a much better one'));
    expect(answer.status).toBe(204);
    expect((await there.get('/session')).status).toBe(401);
    expect((await here.get('/session')).status).toBe(401);
    const now = browser(town.call, String(answer.headers['set-cookie']).split(';')[0]);
    expect((await now.get('/session')).status).toBe(200);
  });

  it('is not changed if the old one is wrong: 403, the failure is counted, and the access log has it and the lock', async () => {
    const mara = await town.signIn('manager');
    for (let at = 0; at < 10; at += 1)
      expect(said(await mara.put('/session/password', change('wrong', 'a much better one')))).toEqual([
        403,
        'WRONG_PASSWORD',
      ]);
    expect((await mara.put('/session/password', change('wrong', 'a much better one'))).status).toBe(429);
    expect((await accessTypes(town)).slice(-2)).toEqual(['user.signInFailed', 'user.locked']);
  });

  it('has at least 12 characters, or at least 8 and is not a common one', async () => {
    const mara = await town.signIn('manager');
    const put = (wanted: string) => mara.put('/session/password', change(town.people.manager.password, wanted));
    expect((await put('short')).status).toBe(400);
    expect((await put('Baseball')).status).toBe(400);
    expect((await put('mf8qk2zx')).status).toBe(204);
  });

  it('that failed 10 times from one address is 429 for 15 minutes, and only there', async () => {
    const sign = (password: string) =>
      town.call({
        method: 'POST',
        path: '/session',
        headers: OWN,
        body: { clientId: 'TOWN', userId: 'ana', password },
      });
    for (let at = 0; at < 10; at += 1) expect((await sign('wrong')).status).toBe(401);
    const locked = await sign(town.people.associate.password);
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '900']);
    town.clock.now += 15 * MINUTE;
    expect((await sign(town.people.associate.password)).status).toBe(201);
  });

  it('of an older release is rehashed at the next sign-in', async () => {
    const old = 'scrypt.32768.8.1.AAAAAAAAAAAAAAAAAAAAAA.';
    const { scryptSync } = await import('node:crypto');
    const hash = scryptSync('correct horse', Buffer.alloc(16), 32, { N: 32768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
    const row = (hashed: string) =>
      town.store.write((tx) =>
        tx
          .updateTable('users')
          .set({ password_hash: hashed })
          .where('client_id', '=', 'TOWN')
          .where('user_id', '=', 'ana')
          .execute(),
      );
    await row(old + hash.toString('base64url'));
    await signedIn(town.call, { clientId: 'TOWN', userId: 'ana', password: 'correct horse' });
    const [now] = await town.store.read((db) =>
      db
        .selectFrom('users')
        .select('password_hash')
        .where('client_id', '=', 'TOWN')
        .where('user_id', '=', 'ana')
        .execute(),
    );
    expect(now!.password_hash).toMatch(/^argon2id\./);
    await signedIn(town.call, { clientId: 'TOWN', userId: 'ana', password: 'correct horse' });
  });

  it('has few waiting places per address: a sign-in beyond them gets 503 with Retry-After, and is not counted', async () => {
    const body = { clientId: 'TOWN', userId: 'ana', password: town.people.associate.password };
    const sign = (userId: string) =>
      town.call({ method: 'POST', path: '/session', headers: OWN, body: { ...body, userId } });
    const all = await Promise.all(Array.from({ length: 40 }, (_, at) => sign(`nobody${at}`)));
    const refused = all.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(all.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(OF_AN_ADDRESS);
    expect(refused[0]!.headers['retry-after']).toBe('1');
    const counted = await town.store.read((db) => db.selectFrom('sign_in_attempts').select('subject').execute());
    expect(counted.filter(({ subject }) => !subject.endsWith('failures')).length).toBe(40 - refused.length);
  });
});

describe('failed sign-ins', () => {
  const sign = (userId: string, password = 'wrong') =>
    town.call({ method: 'POST', path: '/session', headers: OWN, body: { clientId: 'TOWN', userId, password } });
  const told = async () => {
    const { body } = await (await town.signIn('manager')).get('/operator/v1/clients/TOWN/accessEvents?limit=500');
    const { events } = body as { events: { type: string; data: Record<string, unknown> }[] };
    return events
      .filter(({ type }) => type === 'user.signInFailed')
      .map(({ data }) => [data['userId'], data['kind'], data['failures']]);
  };

  it('of a user are told to the manager once an hour, with their count', async () => {
    for (let at = 0; at < 4; at += 1) expect((await sign('cleo')).status).toBe(401);
    expect(await told()).toEqual([['cleo', 'PASSWORD', 1]]);
    town.clock.now += 60 * MINUTE;
    await sign('cleo');
    await sign('cleo');
    expect(await told()).toEqual([
      ['cleo', 'PASSWORD', 1],
      ['cleo', 'PASSWORD', 4],
    ]);
    town.clock.now += 60 * MINUTE;
    await sign('cleo');
    expect((await told()).at(-1)).toEqual(['cleo', 'PASSWORD', 2]);
  });

  it('with a PIN are told too, with the device', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    await device.unlock({ userId: 'ana', pin: '9753' });
    expect(await told()).toEqual([['ana', 'PIN', 1]]);
  });

  it('of names without a user share a fixed number of rows', async () => {
    const rows = () =>
      town.store.read((db) => db.selectFrom('sign_in_attempts').select(['client_id', 'subject']).execute());
    for (let at = 0; at < 3; at += 1) await sign('nobody');
    await sign('somebody else');
    const found = await rows();
    // Two rows count the attempts, and two rows count the failures.
    expect(found).toHaveLength(4);
    for (const { client_id, subject } of found)
      expect([client_id, subject]).toEqual(['', expect.stringMatching(/^\n[0-9a-f]{4}(\nfailures)?$/)]);
  });

  it('write as much for a name without a user as for a user, so that the time of the response tells nothing', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const written = async (request: () => Promise<unknown>) => {
      const count = async () =>
        (await town.store.read((db) => db.selectFrom('sign_in_attempts').select('attempts').execute())).reduce(
          (sum, { attempts }) => sum + attempts,
          0,
        );
      for (let at = 0; at < 2; at += 1) await request();
      const before = await count();
      await request();
      return (await count()) - before;
    };
    expect([await written(() => sign('cleo')), await written(() => sign('nobody'))]).toEqual([2, 2]);
    const unlock = (userId: string) => () => device.unlock({ userId, pin: '9753' });
    expect([await written(unlock('ana')), await written(unlock('nobody'))]).toEqual([2, 2]);
  });
});

describe('contact data of an order', () => {
  const seen = (text: string) => /@mail\.example/.test(text);
  const CHECKIN = () => `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders/${town.orders.arriving}/checkin`;

  it.each(['associate', 'clerk', 'operator'] as const)('is hidden at the check-in for the role %s', async (role) => {
    const answer = await (await town.signIn(role)).get(CHECKIN());
    expect([answer.status, seen(answer.text)]).toEqual([200, false]);
    expect(seen((await (await town.signIn('lead')).get(CHECKIN())).text)).toBe(true);
  });

  it('is shown to those who hand the order over, and to the operator neither there nor on the pack slip', async () => {
    const pickup = (who: Browser) => {
      const id = town.orders.checkedIn;
      return who.post(`/stores/TOWN_US/nodes/TOWN-Store001/customerPickUps/${id}`, {
        ...WHERE,
        fulfillmentOrderId: id,
      });
    };
    const slip = (who: Browser) => {
      const id = town.orders.picked;
      const body = { ...WHERE, fulfillmentOrderId: id };
      return who.post(`/stores/TOWN_US/fulfillmentOrders/${id}/packslip/generate`, body);
    };
    const [ana, lead, opal] = [
      await town.signIn('associate'),
      await town.signIn('lead'),
      await town.signIn('operator'),
    ];
    const found = async (answers: Promise<Answer>[]) =>
      (await Promise.all(answers)).map(({ status, text }) => [status, seen(text)]);
    expect(await found([pickup(ana), pickup(lead), pickup(opal)])).toEqual([
      [200, true],
      [200, true],
      [200, false],
    ]);
    expect(await found([slip(ana), slip(lead), slip(opal)])).toEqual([
      [200, false],
      [200, true],
      [200, false],
    ]);
  });
});

describe('signing in again', () => {
  it('is required of users of the operator for providers, webhooks, printers and clients', async () => {
    const opal = await town.signIn('operator');
    town.clock.now += 10 * MINUTE;
    await opal.get(USERS);
    town.clock.now += 10 * MINUTE;
    const client = '/operator/v1/clients/TOWN';
    const asked: ['put' | 'post' | 'delete', string, object?][] = [
      [
        'put',
        `${client}/identityProviders/evil`,
        { issuer: 'https://evil.example', oidcClientId: 'x', clientSecret: 'y' },
      ],
      ['delete', `${client}/identityProviders/evil`],
      ['put', `${client}/webhooks/w`, { url: 'https://evil.example' }],
      ['post', `${client}/webhooks/w/secret`, {}],
      ['delete', `${client}/webhooks/w`],
      ['put', `${client}/nodes/TOWN-Store001/printers`, { printers: [] }],
      ['put', client, { name: 'Town', catalogIds: ['21'] }],
    ];
    for (const [method, path, body] of asked) {
      expect([path, ...said(await opal[method](path, body))]).toEqual([path, 403, 'SIGN_IN_AGAIN']);
    }
    expect(
      (await (await town.signIn('integrator')).put(`${client}/webhooks/w`, { url: 'https://hooks.example' })).status,
    ).toBe(201);
  });

  it('a change of an identity provider is in the access log', async () => {
    const path = '/operator/v1/clients/TOWN/identityProviders/login';
    const opal = await town.signIn('operator');
    await opal.put(path, { issuer: 'https://login.example', oidcClientId: 'x', clientSecret: 'y' });
    await opal.delete(path);
    const types = await accessTypes(town);
    expect(types.filter((type) => type.startsWith('identityProvider.'))).toEqual([
      'identityProvider.created',
      'identityProvider.deleted',
    ]);
  });

  it('a user, password, account or state that a manager sets is in the access log, for managers of the node', async () => {
    await town.operator('PUT', '/operator/v1/clients/TOWN/identityProviders/login', {
      issuer: 'https://login.example',
      oidcClientId: 'x',
      clientSecret: 'y',
    });
    await town.operator('PUT', `${USERS}/mia`, { ...NEW, role: 'manager', nodeIds: ['TOWN-Store001'] });
    const mia = await signedIn(town.call, { clientId: 'TOWN', userId: 'mia', password: NEW.password });
    const nora = { name: 'Nora', role: 'associate', nodeIds: ['TOWN-Store001'] };
    for (const change of [
      { password: 'tide-and-sand-7' },
      { password: 'rain-on-the-quay-9' },
      { identities: [{ providerId: 'login', subject: 's-1' }] },
      { state: 'DISABLED' },
      { state: 'ACTIVE' },
      { name: 'Nora Ort' },
    ]) {
      expect((await mia.put(`${USERS}/nora`, { ...nora, ...change })).status).toBeLessThan(300);
    }
    const { body } = await mia.get('/operator/v1/clients/TOWN/accessEvents?limit=500');
    const events = body.events as { type: string; actor: string; data: { userId?: string } }[];
    expect(events.filter(({ data }) => data.userId === 'nora').map(({ type, actor }) => [type, actor])).toEqual(
      ['created', 'passwordReset', 'identitiesChanged', 'disabled', 'enabled'].map((one) => [
        `user.${one}`,
        'user:mia',
      ]),
    );
  });

  it('is required of users of the operator for keys, users and voids 15 minutes after the last full sign-in', async () => {
    const opal = await town.signIn('operator');
    town.clock.now += 10 * MINUTE;
    expect((await opal.put(`${USERS}/nora`, NEW)).status).toBe(201);
    town.clock.now += 6 * MINUTE;
    expect(said(await opal.put(`${USERS}/nora`, NEW))).toEqual([403, 'SIGN_IN_AGAIN']);
    expect(said(await opal.post('/operator/v1/clients/TOWN/credentials', { label: 'x' }))).toEqual([
      403,
      'SIGN_IN_AGAIN',
    ]);
    expect((await opal.get(USERS)).status).toBe(200);
  });
});

describe('the actor of a write', () => {
  it('is the person of the session: userId and modifyAssociateId are filled in, and the actor is user:{userId}', async () => {
    const ana = await town.signIn('associate');
    const made = await ana.post(`${TICKETS}/generate`, wish(town.orders.waiting));
    expect(made.status).toBe(201);
    expect(made.body.pickTicketDetails[0].userId).toBe('ana');
    const events = await town.operator('GET', '/operator/v1/events?clientId=TOWN&types=pickTicket.generated&limit=500');
    const last = events.body.events.at(-1);
    expect([last.actor, last.data.modifyAssociateId]).toEqual(['user:ana', 'ana']);
    expect(Object.keys(last)).not.toContain('sessionId');
    const rows = await town.store.read((db) =>
      db.selectFrom('events').select(['actor', 'session_id']).where('actor', '=', 'user:ana').execute(),
    );
    expect(rows.every(({ session_id }) => session_id !== null)).toBe(true);
  });

  it('is no other user: another user id is 403', async () => {
    const ana = await town.signIn('associate');
    const order = wish(town.orders.waiting);
    expect((await ana.post(`${TICKETS}/generate`, { ...order, modifyAssociateId: 'leo' })).status).toBe(403);
    expect((await ana.post(`${TICKETS}/generate`, { ...order, userId: 'leo' })).status).toBe(403);
  });

  it('is the lead if a lead assigns work to another user', async () => {
    const leo = await town.signIn('lead');
    const made = await leo.post(`${TICKETS}/generate`, { ...wish(town.orders.waiting), userId: 'ana' });
    expect([made.status, made.body.pickTicketDetails[0].userId]).toEqual([201, 'ana']);
    expect(
      (await leo.post(`${TICKETS}/generate`, { ...wish(town.orders.waitingToo), modifyAssociateId: 'ana' })).status,
    ).toBe(403);
  });

  it('is operator:person:{userId} for users of the operator', async () => {
    const opal = await town.signIn('operator');
    await opal.put(`${USERS}/nora`, NEW);
    const events = await town.operator('GET', '/operator/v1/events?clientId=TOWN&types=user.created&limit=500');
    expect(events.body.events.at(-1).actor).toBe('operator:person:opal');
  });

  it('must own the ticket for a reset by an associate', async () => {
    const details = { ...WHERE, pickTicketId: town.tickets.open, action: 'RESET', userId: 'UserId001' };
    const reset = { pickTicketDetails: details };
    expect((await (await town.signIn('associate')).put(`${TICKETS}/update`, reset)).status).toBe(403);
    expect((await (await town.signIn('lead')).put(`${TICKETS}/update`, reset)).status).toBe(204);
  });

  it('of queued work is its owner, also after another user has signed in on the device', async () => {
    await setPin(town, 'associate', '2580');
    await setPin(town, 'lead', '1470');
    const device = await enroll(town);
    const ana = await device.enter('ana', '2580');
    const ticket = (await ana.post(`${TICKETS}/generate`, wish(town.orders.waiting))).body.pickTicketDetails[0];
    const { outboxTicket } = ana.answer.body;
    const leo = await device.enter('leo', '1470');
    const path = `/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${ticket.pickTicketId}/scans`;
    const scans = { scans: [{ scanId: 's1', id: ticket.pickTicketItems[0].id, pickedQuantity: 1 }] };
    expect((await leo.post(path, scans)).status).toBe(409);
    const sent = await leo.post(path, scans, { 'outbox-ticket': outboxTicket });
    expect(sent.status).toBe(200);
    const other = await enroll(town);
    const elsewhere = await town.call({
      method: 'POST',
      path,
      body: scans,
      headers: { ...OWN, cookie: other.cookie, 'outbox-ticket': outboxTicket },
    });
    expect(said(elsewhere)).toEqual([401, 'SESSION_ENDED']);
    const me = await leo.call({ method: 'GET', path: '/operator/v1/me', headers: { 'outbox-ticket': outboxTicket } });
    expect(me.body.userId).toBe('leo');
    town.clock.now += 24 * 60 * MINUTE;
    expect((await leo.post(path, scans, { 'outbox-ticket': outboxTicket })).status).toBe(401);
  });
});

describe('a sign-out on a device', () => {
  const scansOf = async (user: Awaited<ReturnType<Awaited<ReturnType<typeof enroll>>['enter']>>) => {
    const ticket = (await user.post(`${TICKETS}/generate`, wish(town.orders.waiting))).body.pickTicketDetails[0];
    return {
      path: `/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${ticket.pickTicketId}/scans`,
      body: { scans: [{ scanId: 's1', id: ticket.pickTicketItems[0].id, pickedQuantity: 1 }] },
    };
  };

  it('ends the tickets of queued work that its user has there, also those of earlier sign-ins', async () => {
    await setPin(town, 'associate', '2580');
    await setPin(town, 'lead', '1470');
    const device = await enroll(town);
    const before = (await device.enter('ana', '2580')).answer.body.outboxTicket as string;
    const ana = await device.enter('ana', '2580');
    const { path, body } = await scansOf(ana);
    const { outboxTicket } = ana.answer.body;
    expect((await ana.delete('/session')).status).toBe(204);
    const leo = await device.enter('leo', '1470');
    for (const ticket of [before, outboxTicket]) {
      const late = await leo.post(path, body, { 'outbox-ticket': ticket });
      expect(said(late)).toEqual([401, 'SESSION_ENDED']);
      const alone = await town.call({
        method: 'POST',
        path,
        body,
        headers: { ...OWN, cookie: device.cookie, 'outbox-ticket': ticket },
      });
      expect(said(alone)).toEqual([401, 'SESSION_ENDED']);
    }
  });

  it('keeps them if work still waits there', async () => {
    await setPin(town, 'associate', '2580');
    const device = await enroll(town);
    const ana = await device.enter('ana', '2580');
    const { path, body } = await scansOf(ana);
    const { outboxTicket } = ana.answer.body;
    expect((await ana.delete('/session?work=WAITS')).status).toBe(204);
    expect(said(await ana.get('/session'))).toEqual([401, 'SESSION_ENDED']);
    const sent = await town.call({
      method: 'POST',
      path,
      body,
      headers: { ...OWN, cookie: device.cookie, 'outbox-ticket': outboxTicket },
    });
    expect(sent.status).toBe(200);
  });

  it('keeps those of the same user on another device', async () => {
    await setPin(town, 'associate', '2580');
    const [one, other] = [await enroll(town), await enroll(town)];
    const there = await other.enter('ana', '2580');
    const { path, body } = await scansOf(there);
    expect((await (await one.enter('ana', '2580')).delete('/session')).status).toBe(204);
    const sent = await town.call({
      method: 'POST',
      path,
      body,
      headers: { ...OWN, cookie: other.cookie, 'outbox-ticket': there.answer.body.outboxTicket },
    });
    expect(sent.status).toBe(200);
  });
});

describe('a customer’s contact', () => {
  it('is blank in searches and in the order for roles without the permission; names remain', async () => {
    const search = (who: { post: (path: string, body: unknown) => Promise<{ text: string }> }) =>
      who.post('/stores/TOWN_US/fulfillmentOrder/search', WHERE);
    const contacts = (text: string) => [...text.matchAll(/"(?:email|phone)":"([^"]*)"/g)].map((match) => match[1]);
    const shown = await search(await town.signIn('lead'));
    expect(contacts(shown.text).some((one) => one !== '')).toBe(true);
    const hidden = await search(await town.signIn('associate'));
    expect(new Set(contacts(hidden.text))).toEqual(new Set(['']));
    const names = (text: string) =>
      (parseJson(text) as { fulfillmentOrders: { customer: { firstName: string } }[] }).fulfillmentOrders.map(
        ({ customer }) => customer.firstName,
      );
    expect(names(hidden.text)).toEqual(names(shown.text));
    const order = await (await town.signIn('associate')).get(
      `/operator/v1/stores/TOWN_US/fulfillmentOrders/${town.orders.waiting}`,
    );
    expect(order.status).toBe(200);
    expect(new Set(contacts(order.text))).toEqual(new Set(['']));
  });
});

describe('access events', () => {
  it('are no events of the feed, and a manager of some nodes sees those of its nodes', async () => {
    await town.operator('PUT', `${USERS}/mia`, { ...NEW, role: 'manager', nodeIds: ['TOWN-Store002'] });
    const before = (await town.operator('GET', '/operator/v1/events?clientId=TOWN&limit=1')).body.head;
    const mia = await signedIn(town.call, { clientId: 'TOWN', userId: 'mia', password: NEW.password });
    await town.signIn('associate');
    expect((await town.operator('GET', '/operator/v1/events?clientId=TOWN&limit=1')).body.head).toBe(before);
    const seen = await mia.get('/operator/v1/clients/TOWN/accessEvents?limit=500');
    expect(new Set(seen.body.events.map(({ data }: { data: { userId?: string } }) => data.userId))).toEqual(
      new Set(['mia']),
    );
    const all = await (await town.signIn('manager')).get('/operator/v1/clients/TOWN/accessEvents?limit=500');
    expect(all.body.events.map(({ data }: { data: { userId?: string } }) => data.userId)).toEqual(
      expect.arrayContaining(['ana', 'mia']),
    );
  });

  it('show a manager of some nodes who read orders there, however many reads of other nodes are between', async () => {
    for (const [userId, nodeId] of [
      ['mia', 'TOWN-Store001'],
      ['max', 'TOWN-Store002'],
    ] as const) {
      await town.operator('PUT', `${USERS}/${userId}`, { ...NEW, role: 'manager', nodeIds: [nodeId] });
    }
    const as = (userId: string) => signedIn(town.call, { clientId: 'TOWN', userId, password: NEW.password });
    const [mia, max] = await Promise.all([as('mia'), as('max')]);
    const key = await town.credential({ label: 'Tablet', nodeIds: ['TOWN-Store001'] });
    const path = `/operator/v1/stores/TOWN_US/fulfillmentOrders/${town.orders.ready}`;
    expect((await mia.get(path)).status).toBe(200);
    expect((await key.get(path)).status).toBe(200);
    for (let others = 0; others < 6; others += 1) await town.client.get(path);
    const other = { clientId: 'TOWN', type: 'orders.read', at: town.clock.now, actor: 'user:max', requestId: 'r' };
    const many = Array.from({ length: 1_100 }, () => ({ ...other, data: { nodeIds: ['TOWN-Store002'] } }));
    await town.store.write((tx) => insertAccessEvents(tx, town.store.dialect, many));
    const page = async (who: typeof mia) =>
      (await who.get('/operator/v1/clients/TOWN/accessEvents?order=desc&limit=3')).body.events as {
        type: string;
        actor: string;
        data: object;
      }[];
    const seen = await page(mia);
    expect(seen).toHaveLength(3);
    const data = { operation: 'readFulfillmentOrder', fulfillmentOrderIds: [town.orders.ready] };
    expect(seen.slice(0, 2)).toMatchObject([
      { type: 'orders.read', actor: `credential:${key.secrets.credentialId}`, data },
      { type: 'orders.read', actor: 'user:mia', data: { ...data, nodeIds: ['TOWN-Store001'] } },
    ]);
    expect((await page(max)).map(({ actor, type }) => `${actor} ${type}`)).toEqual(
      Array.from({ length: 3 }, () => 'user:max orders.read'),
    );
    const all = await mia.get('/operator/v1/clients/TOWN/accessEvents?order=desc&limit=500');
    expect(all.body.next).toBe(0);
    expect(all.body.events.slice(0, 3)).toEqual(seen);
  });

  it('show a manager of some nodes the sign-outs there, with the session and the device of the sign-in', async () => {
    await setPin(town, 'associate', '2580');
    await town.operator('PUT', `${USERS}/mia`, { ...NEW, role: 'manager', nodeIds: ['TOWN-Store001'] });
    await town.operator('PUT', `${USERS}/max`, { ...NEW, role: 'associate', nodeIds: ['TOWN-Store001'] });
    const device = await enroll(town);
    for (const work of [
      await device.enter('ana', '2580'),
      await signedIn(town.call, { clientId: 'TOWN', userId: 'max', password: NEW.password }),
    ]) {
      expect((await work.delete('/session')).status).toBe(204);
    }
    const mia = await signedIn(town.call, { clientId: 'TOWN', userId: 'mia', password: NEW.password });
    const { events } = (await mia.get('/operator/v1/clients/TOWN/accessEvents?limit=500')).body as {
      events: { type: string; data: { userId?: string; sessionId?: string; deviceId?: string; method?: string } }[];
    };
    const out = events.filter(({ type }) => type === 'user.signedOut').map(({ data }) => data);
    expect(out.map(({ userId, deviceId }) => [userId, deviceId])).toEqual([
      ['ana', device.deviceId],
      ['max', undefined],
    ]);
    for (const data of out) {
      const before = events.find(
        ({ type, data: { sessionId } }) => type === 'user.signedIn' && sessionId === data.sessionId,
      );
      expect({ ...data, method: before?.data.method }).toEqual(before?.data);
    }
  });
});
