import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Backroom, openBackroom } from '../support/backroom.ts';
import { describePostgresOnly, rowsStored, untilBlocked } from '../support/store.ts';
import { CLIENT, done, eventsOf, faultsOf, provisioned } from './support.ts';

const PATH = `${CLIENT}/identityProviders/login`;
const SECRET = 'a secret that no response shows';
const body = {
  issuer: 'https://login.example.com/realms/shop',
  oidcClientId: 'backroom',
  clientSecret: SECRET,
  scopes: ['email'],
  roleClaim: '/realm_access/roles',
  roles: { 'backroom-lead': 'lead', 'backroom-associate': 'associate' },
  createUsers: true,
  nodeIds: ['N'],
};

let backroom: Backroom;
const open = async (env: Record<string, string> = {}) => {
  backroom = await provisioned(await openBackroom({ PUBLIC_URL: 'https://backroom.example.com', ...env }));
};
beforeEach(() => open());
afterEach(() => backroom.close());

const put = (sent: object, path = PATH) => backroom.operator('PUT', path, sent);

describe('an identity provider', () => {
  it('is made with 201 and changed with 200, and what was read may be sent back', async () => {
    const made = await put(body);
    const { clientSecret: _, ...shown } = body;
    expect([made.status, made.body]).toEqual([
      201,
      {
        clientId: 'C',
        providerId: 'login',
        name: 'login',
        ...shown,
        scopes: ['openid', 'email'],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect((await put(made.body)).body).toEqual(made.body);
    backroom.clock.now += 1000;
    const changed = await put({ ...made.body, name: 'Sign in' });
    expect([changed.status, changed.body.name]).toEqual([200, 'Sign in']);
    expect((await backroom.operator('GET', PATH)).body).toEqual(changed.body);
    const types = (await eventsOf(backroom, 'identityProvider', 'login')).map(({ type }) => type);
    expect(types).toEqual(['identityProvider.created', 'identityProvider.changed']);
  });

  it.each([
    ['issuer', { issuer: 'https://evil.example' }],
    ['oidcClientId', { oidcClientId: 'other' }],
  ])('with another %s needs a new secret, because the secret belongs to them', async (_what, change) => {
    await done(put(body));
    const { clientSecret: _, ...kept } = body;
    expect((await put({ ...kept, name: 'x' })).status).toBe(200);
    expect(faultsOf(await put({ ...kept, ...change }))).toEqual(['/clientSecret required']);
    expect((await put({ ...body, ...change, clientSecret: 'its own' })).status).toBe(200);
  });

  it('keeps its secret sealed, and shows it in no response, event or row', async () => {
    const texts = [(await put(body)).text];
    texts.push((await backroom.operator('GET', PATH)).text);
    texts.push((await backroom.operator('GET', `${CLIENT}/identityProviders`)).text);
    texts.push((await put({ ...body, clientSecret: `${SECRET} 2` })).text);
    texts.push(JSON.stringify(await rowsStored(backroom.store)));
    expect(texts.filter((text) => text.includes(SECRET))).toEqual([]);
    const events = await eventsOf(backroom, 'identityProvider', 'login');
    expect(events.at(-1)).toMatchObject({ data: { clientSecret: 'replaced' } });
  });

  it('keeps its secret when a PUT leaves it out, and needs one when it is new', async () => {
    const { clientSecret: _, ...without } = body;
    expect(faultsOf(await put(without))).toEqual(['/clientSecret required']);
    await done(put(body));
    const before = await sealed();
    expect((await put({ ...without, name: 'other' })).status).toBe(200);
    expect(await sealed()).toBe(before);
  });

  it('has defaults: the scopes openid and profile, no new users, every node', async () => {
    const made = await put({ issuer: body.issuer, oidcClientId: 'backroom', clientSecret: SECRET });
    expect(made.body).toMatchObject({ name: 'login', scopes: ['openid', 'profile'], createUsers: false, nodeIds: [] });
    expect(made.body.roleClaim).toBeUndefined();
  });

  it('is rejected with every error at once', async () => {
    const sent = {
      issuer: 'ftp://login.example.com',
      roleClaim: 'roles',
      roles: { a: 'operator', b: 'chief' },
      nodeIds: ['N', 'N', 'NONE'],
      scopes: ['two words'],
      createUsers: 'yes',
    };
    expect(faultsOf(await put(sent)).sort()).toEqual([
      '/clientSecret required',
      '/createUsers type',
      '/issuer pattern',
      '/nodeIds/1 uniqueItems',
      '/nodeIds/2 unknown-id',
      '/oidcClientId required',
      '/roleClaim pattern',
      '/roles/a enum',
      '/roles/b enum',
      '/scopes/0 pattern',
    ]);
  });

  it('maps roles and names their claim together, and makes users only with both', async () => {
    const { roleClaim, roles, createUsers, ...rest } = body;
    expect(faultsOf(await put({ ...rest, roleClaim }))).toEqual(['/roles required']);
    expect(faultsOf(await put({ ...rest, roleClaim, roles: {} }))).toEqual(['/roles required']);
    expect(faultsOf(await put({ ...rest, roles }))).toEqual(['/roleClaim required']);
    expect(faultsOf(await put({ ...rest, createUsers }))).toEqual(['/createUsers required']);
  });

  it('has an issuer that is https and public', async () => {
    for (const [issuer, fault] of [
      ['http://login.example.com', '/issuer https'],
      ['https://127.0.0.1:9000', '/issuer address'],
      ['https://10.1.2.3/realm', '/issuer address'],
      ['https://[::1]/', '/issuer address'],
      ['https://user:pass@login.example.com', '/issuer format'],
      ['https://login.example.com/?a=b', '/issuer format'],
      ['login.example.com', '/issuer pattern'],
    ] as const) {
      expect([issuer, faultsOf(await put({ ...body, issuer }))]).toEqual([issuer, [fault]]);
    }
  });

  it('may be http and private where PUBLIC_URL is http on loopback', async () => {
    await backroom.close();
    await open({ PUBLIC_URL: 'http://localhost:8080' });
    expect((await put({ ...body, issuer: 'http://127.0.0.1:9000' })).status).toBe(201);
    expect((await put({ ...body, issuer: 'https://10.1.2.3' })).status).toBe(200);
  });

  it('is one of at most 20 of its client', async () => {
    for (let number = 1; number <= 20; number++) await done(put(body, `${CLIENT}/identityProviders/p${number}`));
    expect((await put(body)).status).toBe(409);
    expect((await put(body, `${CLIENT}/identityProviders/p1`)).status).toBe(200);
  });

  it('is listed a page at a time', async () => {
    for (const id of ['a', 'b', 'c']) await done(put(body, `${CLIENT}/identityProviders/${id}`));
    const first = await backroom.operator('GET', `${CLIENT}/identityProviders?limit=2`);
    expect([first.body.identityProviders.length, first.body.next]).toEqual([2, 'b']);
    const rest = await backroom.operator('GET', `${CLIENT}/identityProviders?limit=2&after=b`);
    expect(rest.body.identityProviders.map((one: { providerId: string }) => one.providerId)).toEqual(['c']);
  });

  it('loses its links to users with another issuer, and when it is deleted', async () => {
    await done(put(body));
    await link();
    await done(put({ ...body, name: 'other' }));
    expect(await links()).toBe(1);
    await done(put({ ...body, issuer: 'https://other.example.com' }));
    expect(await links()).toBe(0);
    await link();
    expect((await backroom.operator('DELETE', PATH)).status).toBe(204);
    expect(await links()).toBe(0);
    expect((await backroom.operator('DELETE', PATH)).status).toBe(404);
    expect((await backroom.operator('GET', PATH)).status).toBe(404);
  });
});

async function sealed(): Promise<string> {
  const row = await backroom.store.read((db) =>
    db.selectFrom('identity_providers').select('client_secret').where('client_id', '=', 'C').executeTakeFirstOrThrow(),
  );
  return row.client_secret;
}

async function link(): Promise<void> {
  await done(
    backroom.operator('PUT', `${CLIENT}/users/kim`, {
      name: 'Kim',
      role: 'associate',
      password: 'correct horse battery',
      nodeIds: [],
    }),
  );
  const row = { client_id: 'C', provider_id: 'login', subject: 's', user_id: 'kim', created_at: 0 };
  await backroom.store.write((tx) => tx.insertInto('user_identities').values(row).execute());
}

async function links(): Promise<number> {
  const rows = await backroom.store.read((db) =>
    db.selectFrom('user_identities').selectAll().where('client_id', '=', 'C').execute(),
  );
  return rows.length;
}

describePostgresOnly('two PUTs of an identity provider at once', () => {
  it('keep the secret that only one of them sends', async () => {
    await done(put(body));
    const { clientSecret: _, ...kept } = body;
    const other = await backroom.store.write(async (tx) => {
      const row = await tx.selectFrom('identity_providers').select('name').forUpdate().executeTakeFirstOrThrow();
      expect(row.name).toBe('login');
      const waiting = put({ ...kept, name: 'Sign in' });
      await untilBlocked(backroom.store);
      await tx.updateTable('identity_providers').set({ client_secret: 'the new secret, sealed' }).execute();
      return [waiting];
    });
    expect((await other[0]!).body).toMatchObject({ name: 'Sign in' });
    const row = await backroom.store.read((db) =>
      db.selectFrom('identity_providers').select('client_secret').executeTakeFirstOrThrow(),
    );
    expect(row.client_secret).toBe('the new secret, sealed');
  });
});
