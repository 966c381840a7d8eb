import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SIGN_IN_ERRORS } from '../../src/people/oidc/flows.ts';
import { CLIENT, done, eventsOf, provisioned } from '../provisioning/support.ts';
import { type Backroom, openBackroom } from '../support/backroom.ts';
import { describePostgresOnly, untilBlocked } from '../support/store.ts';
import { Browser, OIDC_CLIENT, OIDC_SECRET, openProvider, type RealProvider } from './identity-provider.ts';

const START = '/session/oidc/login/start?clientId=C';
const PROVIDER = `${CLIENT}/identityProviders/login`;

let provider: RealProvider;
beforeAll(async () => {
  provider = await openProvider();
});
afterAll(() => provider.close());

let backroom: Backroom;
let browser: Browser;
const body = () => ({
  issuer: provider.issuer,
  oidcClientId: OIDC_CLIENT,
  clientSecret: OIDC_SECRET,
  scopes: ['profile'],
  roleClaim: '/realm_access/roles',
  roles: { 'shop-lead': 'lead', 'shop-associate': 'associate' },
  createUsers: true,
  nodeIds: ['N'],
});
beforeEach(async () => {
  provider.accounts.clear();
  backroom = await provisioned(await openBackroom());
  browser = new Browser(backroom);
  await done(backroom.operator('PUT', PROVIDER, body()));
});
afterEach(() => backroom.close());

function account(subject: string, roles: unknown, name = 'Kim Vale'): void {
  provider.accounts.set(subject, { name, realm_access: { roles } });
}

const users = async () =>
  (await backroom.operator('GET', `${CLIENT}/users`)).body.users as {
    userId: string;
    role: string;
    name: string;
    nodeIds: string[];
    identities?: unknown;
  }[];
const location = async (answer: Promise<{ status: number; headers: Record<string, string | undefined> }>) => {
  const { status, headers } = await answer;
  return [status, headers['location']];
};

describe('the providers of a client', () => {
  it('are listed without a credential, only with their names', async () => {
    await done(backroom.operator('PUT', `${CLIENT}/identityProviders/a`, { ...body(), name: 'Sign in with A' }));
    expect((await browser.ask('/session/providers?clientId=C')).body).toEqual({
      providers: [
        { providerId: 'a', name: 'Sign in with A' },
        { providerId: 'login', name: 'login' },
      ],
    });
    expect((await browser.ask('/session/providers?clientId=NONE')).body).toEqual({ providers: [] });
    expect((await browser.ask('/session/providers')).body).toEqual({ providers: [] });
  });
});

describe('sign-in at a provider', () => {
  it('creates a user with the mapped role, the provider’s nodes and a user id that is no claim', async () => {
    account('sub-1', ['other', 'shop-associate']);
    expect(await location(browser.signIn(START, 'sub-1'))).toEqual([302, '/console/']);
    const [made] = await users();
    expect(made).toMatchObject({ name: 'Kim Vale', role: 'associate', nodeIds: ['N'], state: 'ACTIVE' });
    expect(made!.userId).toMatch(/^oidc-[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect((await browser.ask('/session')).body).toMatchObject({
      user: { clientId: 'C', userId: made!.userId, role: 'associate', nodeIds: ['N'] },
      method: 'OIDC',
    });
    const events = await eventsOf(backroom, 'user', made!.userId);
    expect(events).toMatchObject([{ type: 'user.created', actor: 'oidc:login' }]);
  });

  it('uses code, PKCE, state and nonce, and keeps the expected values sealed in a cookie of ten minutes', async () => {
    const answer = await browser.ask(START);
    const url = new URL(answer.headers['location']!);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: OIDC_CLIENT,
      code_challenge_method: 'S256',
      scope: 'openid profile',
      redirect_uri: 'http://127.0.0.1:8080/session/oidc/callback',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(url.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    }
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^backroom-oidc=v2\.[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(url.searchParams.get('state'));
  });

  it('finds the user by issuer and subject, with any name or mail', async () => {
    account('sub-1', ['shop-lead']);
    await browser.signIn(START, 'sub-1');
    account('sub-1', ['shop-lead'], 'Renamed');
    await new Browser(backroom).signIn(START, 'sub-1');
    account('sub-2', ['shop-lead']);
    await new Browser(backroom).signIn(START, 'sub-2');
    expect((await users()).map(({ name }) => name)).toEqual(['Kim Vale', 'Kim Vale']);
  });

  it('reads the role at each sign-in, and records a change', async () => {
    account('sub-1', ['shop-associate']);
    await browser.signIn(START, 'sub-1');
    account('sub-1', 'shop-lead');
    const other = new Browser(backroom);
    await other.signIn(START, 'sub-1');
    const [user] = await users();
    expect(user!.role).toBe('lead');
    expect((await other.ask('/session')).body.user.role).toBe('lead');
    // The new role has other permissions, so the session with the old role ends.
    expect((await browser.ask('/session')).status).toBe(401);
    const { events: accessEvents } = (await backroom.operator('GET', `${CLIENT}/accessEvents`)).body;
    expect(accessEvents).toContainEqual(
      expect.objectContaining({
        type: 'user.roleChanged',
        data: expect.objectContaining({ from: 'associate', to: 'lead' }),
      }),
    );
  });

  it('assigns the first role of the map that is in the claim', async () => {
    account('sub-1', ['shop-associate', 'shop-lead']);
    await browser.signIn(START, 'sub-1');
    expect((await users())[0]!.role).toBe('lead');
  });

  it('rejects a subject whose role is no longer mapped, and ends its sessions', async () => {
    account('sub-1', ['shop-lead']);
    await browser.signIn(START, 'sub-1');
    account('sub-1', ['left the shop']);
    const other = new Browser(backroom);
    expect(await location(other.signIn(START, 'sub-1'))).toEqual([302, '/console/#error=ROLE_MISSING']);
    expect((await other.ask('/session')).status).toBe(401);
    expect((await browser.ask('/session')).status).toBe(401);
    const [user] = await users();
    const { events } = (await backroom.operator('GET', `${CLIENT}/accessEvents`)).body;
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'user.signedOut',
        actor: 'oidc:login',
        data: { userId: user!.userId, nodeIds: user!.nodeIds, sessions: 1 },
      }),
    );
  });

  it('rejects an unknown subject without a mapped role, and every unknown one if the provider creates no users', async () => {
    account('sub-1', ['something else']);
    expect(await location(browser.signIn(START, 'sub-1'))).toEqual([302, '/console/#error=ROLE_MISSING']);
    await done(backroom.operator('PUT', PROVIDER, { ...body(), createUsers: false }));
    account('sub-2', ['shop-lead']);
    expect(await location(new Browser(backroom).signIn(START, 'sub-2'))).toEqual([302, '/console/#error=USER_UNKNOWN']);
    expect(await users()).toEqual([]);
  });

  it('rejects a disabled user, whose sessions have ended', async () => {
    account('sub-1', ['shop-lead']);
    await browser.signIn(START, 'sub-1');
    const [user] = await users();
    await done(backroom.operator('PUT', `${CLIENT}/users/${user!.userId}`, { ...user, state: 'DISABLED' }));
    expect((await browser.ask('/session')).status).toBe(401);
    expect(await location(new Browser(backroom).signIn(START, 'sub-1'))).toEqual([
      302,
      '/console/#error=USER_DISABLED',
    ]);
  });

  it('does not change roles if the provider maps none', async () => {
    const { roleClaim: _, roles: __, ...rest } = body();
    await done(backroom.operator('PUT', PROVIDER, { ...rest, createUsers: false }));
    await done(
      backroom.operator('PUT', `${CLIENT}/users/kim`, {
        name: 'Kim',
        role: 'manager',
        nodeIds: [],
        identities: [{ providerId: 'login', subject: 'sub-1' }],
      }),
    );
    account('sub-1', ['shop-associate']);
    expect(await location(browser.signIn(START, 'sub-1'))).toEqual([302, '/console/']);
    expect((await browser.ask('/session')).body.user).toMatchObject({ userId: 'kim', role: 'manager' });
  });
});

describe('sign-in at a provider on an enrolled device', () => {
  async function enroll(node: string): Promise<string> {
    const { body: made } = await backroom.operator('POST', `${CLIENT}/nodes/${node}/deviceCodes`);
    const enrolled = await browser.ask('/session/device', 'POST', { code: made.code, name: 'Handheld 1' });
    expect(enrolled.status).toBe(201);
    return enrolled.body.deviceId;
  }

  it('starts a session of the device: it can be locked, and it ends with the device', async () => {
    const deviceId = await enroll('N');
    account('sub-1', ['shop-lead']);
    expect(await location(browser.signIn(START, 'sub-1'))).toEqual([302, '/console/']);
    expect((await browser.ask('/session')).body).toMatchObject({
      method: 'OIDC',
      device: { deviceId, nodeId: 'N', name: 'Handheld 1' },
    });
    await done(backroom.operator('DELETE', `${CLIENT}/devices/${deviceId}`));
    expect((await browser.ask('/session')).status).toBe(401);
  });

  it('starts a session without the device for a user who does not work at its node', async () => {
    const { body: node } = await backroom.operator('GET', `${CLIENT}/nodes/N`);
    await done(backroom.operator('PUT', `${CLIENT}/nodes/OTHER`, { ...node, nodeId: 'OTHER' }));
    await enroll('OTHER');
    account('sub-1', ['shop-lead']);
    await browser.signIn(START, 'sub-1');
    expect((await browser.ask('/session')).body.device).toBeUndefined();
  });
});

describe('identities of a user', () => {
  const kim = { name: 'Kim', role: 'lead', nodeIds: [] };
  const identities = [{ providerId: 'login', subject: 'sub-1' }];

  it('link an existing user, who can then sign in at the provider', async () => {
    const made = await done(backroom.operator('PUT', `${CLIENT}/users/kim`, { ...kim, identities }));
    expect(made.body.identities).toEqual(identities);
    account('sub-1', ['shop-lead']);
    await browser.signIn(START, 'sub-1');
    expect((await browser.ask('/session')).body.user.userId).toBe('kim');
  });

  it('remain when a PUT omits them, and the body of a read can be sent back', async () => {
    await done(backroom.operator('PUT', `${CLIENT}/users/kim`, { ...kim, identities }));
    expect((await backroom.operator('PUT', `${CLIENT}/users/kim`, kim)).body.identities).toEqual(identities);
    const read = await backroom.operator('GET', `${CLIENT}/users/kim`);
    expect((await backroom.operator('PUT', `${CLIENT}/users/kim`, read.body)).body).toEqual(read.body);
    expect((await users())[0]!.identities).toEqual(identities);
  });

  it('end the sessions that began with them when they are removed', async () => {
    await done(backroom.operator('PUT', `${CLIENT}/users/kim`, { ...kim, identities }));
    account('sub-1', ['shop-lead']);
    await browser.signIn(START, 'sub-1');
    const gone = await done(backroom.operator('PUT', `${CLIENT}/users/kim`, { ...kim, identities: [] }));
    expect(gone.body.identities).toBeUndefined();
    expect((await browser.ask('/session')).status).toBe(401);
    await done(backroom.operator('PUT', PROVIDER, { ...body(), createUsers: false }));
    expect(await location(new Browser(backroom).signIn(START, 'sub-1'))).toEqual([302, '/console/#error=USER_UNKNOWN']);
  });

  it('name providers of the client, each pair once, and belong to one user', async () => {
    const twice = [...identities, ...identities, { providerId: 'none', subject: 's' }];
    const refused = await backroom.operator('PUT', `${CLIENT}/users/kim`, { ...kim, identities: twice });
    expect(refused.body.errors.map((one: { pointer: string; rule: string }) => `${one.pointer} ${one.rule}`)).toEqual([
      '/identities/1 uniqueItems',
      '/identities/2/providerId unknown-id',
    ]);
    await done(backroom.operator('PUT', `${CLIENT}/users/kim`, { ...kim, identities }));
    expect((await backroom.operator('PUT', `${CLIENT}/users/ana`, { ...kim, identities })).status).toBe(409);
    expect((await backroom.operator('GET', `${CLIENT}/users/ana`)).status).toBe(404);
  });

  it('are deleted with their provider, and its sessions end', async () => {
    await done(backroom.operator('PUT', `${CLIENT}/users/kim`, { ...kim, identities }));
    account('sub-1', ['shop-lead']);
    await browser.signIn(START, 'sub-1');
    await done(backroom.operator('DELETE', PROVIDER));
    expect((await backroom.operator('GET', `${CLIENT}/users/kim`)).body.identities).toBeUndefined();
    expect((await browser.ask('/session')).status).toBe(401);
  });
});

describePostgresOnly('a sign-in that is not committed yet', () => {
  /** Signs in, and begins `other` while the sign-in has written its session but has not committed it. */
  async function during<T>(other: () => Promise<T>): Promise<T> {
    const open = await backroom.store.write(async (tx) => {
      await sql`lock table access_events in exclusive mode`.execute(tx);
      const signingIn = browser.signIn(START, 'sub-1');
      await untilBlocked(backroom.store);
      const begun = other();
      await untilBlocked(backroom.store, 2);
      return [signingIn, begun] as const;
    });
    await open[0];
    return open[1];
  }

  it('ends with the deletion of its provider', async () => {
    account('sub-1', ['shop-lead']);
    await browser.signIn(START, 'sub-1');
    await done(during(() => backroom.operator('DELETE', PROVIDER)));
    expect((await browser.ask('/session')).status).toBe(401);
  });

  it('ends with the removal of its identity', async () => {
    const kim = { name: 'Kim', role: 'lead', nodeIds: [] };
    const identities = [{ providerId: 'login', subject: 'sub-1' }];
    await done(backroom.operator('PUT', `${CLIENT}/users/kim`, { ...kim, identities }));
    account('sub-1', ['shop-lead']);
    await done(during(() => backroom.operator('PUT', `${CLIENT}/users/kim`, { ...kim, identities: [] })));
    expect((await browser.ask('/session')).status).toBe(401);
  });

  it('has made the user whom a second first sign-in finds', async () => {
    account('sub-1', ['shop-lead']);
    const second = new Browser(backroom);
    expect(await location(during(() => second.signIn(START, 'sub-1')))).toEqual([302, '/console/']);
    expect((await second.ask('/session')).status).toBe(200);
    expect(await users()).toHaveLength(1);
  });
});

it('the guide has every error of a sign-in with its cause', () => {
  const page = readFileSync(new URL('../../docs/how-to/sign-in-with-oidc.md', import.meta.url), 'utf8');
  for (const [code, cause] of Object.entries(SIGN_IN_ERRORS)) expect(page).toContain(`| \`${code}\` | ${cause} |`);
});
