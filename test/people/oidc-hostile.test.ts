import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT, done, provisioned } from '../provisioning/support.ts';
import { type Answer, type Backroom, openBackroom } from '../support/backroom.ts';
import {
  Browser,
  CALLBACK,
  type HostileProvider,
  type Hostility,
  OIDC_CLIENT,
  OIDC_SECRET,
  openHostileProvider,
} from './identity-provider.ts';

const START = '/session/oidc/login/start?clientId=C';
const PROVIDER = `${CLIENT}/identityProviders/login`;
const MINUTE_S = 60;

let provider: HostileProvider;
let backroom: Backroom;
let browser: Browser;
beforeEach(async () => {
  provider = await openHostileProvider();
  backroom = await provisioned(await openBackroom());
  browser = new Browser(backroom);
  await done(backroom.operator('PUT', PROVIDER, bodyOf(provider)));
});
afterEach(async () => {
  await backroom.close();
  await provider.close();
});

function bodyOf({ issuer }: HostileProvider) {
  return {
    issuer,
    oidcClientId: OIDC_CLIENT,
    clientSecret: OIDC_SECRET,
    roleClaim: '/roles',
    roles: { lead: 'lead' },
    createUsers: true,
  };
}

/** Starts a sign-in, follows it to the provider, and returns the path of the redirect back. */
async function back(start = START): Promise<string> {
  const { headers } = await browser.ask(start);
  const response = await fetch(headers['location']!, { redirect: 'manual' });
  return response.headers.get('location')!.slice(CALLBACK.length - '/session/oidc/callback'.length);
}

const outcome = ({ status, headers }: Answer) => `${status} ${headers['location']}`;

async function attempt(hostility: Hostility): Promise<string> {
  provider.hostility = hostility;
  return outcome(await browser.ask(await back()));
}

async function nobody(): Promise<void> {
  expect((await browser.ask('/session')).status).toBe(401);
  expect((await backroom.operator('GET', `${CLIENT}/users`)).body.users).toEqual([]);
}

const INVALID = '302 /console/#error=SIGN_IN_INVALID';
const now = () => Math.floor(Date.now() / 1000);

describe('an ID token', () => {
  it('that is valid signs in', async () => {
    expect(await attempt({})).toBe('302 /console/');
    expect((await browser.ask('/session')).body.user.role).toBe('lead');
  });

  it.each<[string, () => Hostility]>([
    ['of another issuer', () => ({ claims: { iss: 'https://other.example.com' } })],
    ['with another nonce', () => ({ claims: { nonce: 'another' } })],
    ['without a nonce', () => ({ claims: { nonce: undefined } })],
    ['for another audience', () => ({ claims: { aud: 'another' } })],
    [
      'for several audiences, with another authorized party',
      () => ({ claims: { aud: [OIDC_CLIENT, 'another'], azp: 'another' } }),
    ],
    ['that has expired', () => ({ claims: { iat: now() - 700, exp: now() - 400 } })],
    ['that is not valid yet', () => ({ claims: { nbf: now() + 10 * MINUTE_S } })],
    ['with algorithm none', () => ({ unsigned: true })],
    ['signed with a foreign key', () => ({ foreignKey: true })],
    ['signed with the client secret', () => ({ symmetric: true })],
    ['without a subject', () => ({ claims: { sub: undefined } })],
    ['with a subject that is no text', () => ({ claims: { sub: 7 } })],
    ['with a subject of more than 255 characters', () => ({ claims: { sub: 'x'.repeat(256) } })],
    ['that is no JWT', () => ({ idToken: 'no token' })],
  ])('%s signs in no user', async (_name, hostility) => {
    expect(await attempt(hostility())).toBe(INVALID);
    await nobody();
  });

  it('of a provider whose discovery document names another issuer signs in no user', async () => {
    provider.hostility = { metadata: { issuer: 'https://other.example.com' } };
    expect(outcome(await browser.ask(START))).toBe(INVALID);
  });
});

describe('the callback from the provider', () => {
  it('works once: a replayed state signs in no user and sends no request to the provider', async () => {
    const path = await back();
    const cookie = browser.cookies;
    expect(outcome(await browser.ask(path))).toBe('302 /console/');
    const asked = provider.asked.get('/token');
    const again = await backroom.call({ method: 'GET', path, headers: { cookie } });
    expect(outcome(again)).toBe('302 /console/#error=SIGN_IN_EXPIRED');
    expect(provider.asked.get('/token')).toBe(asked);
  });

  it('accepts one of several requests with the same state', async () => {
    const path = await back();
    const headers = { cookie: browser.cookies };
    const answers = await Promise.all([1, 2, 3, 4].map(() => backroom.call({ method: 'GET', path, headers })));
    expect(answers.map(outcome).sort()).toEqual([
      '302 /console/',
      ...Array.from({ length: 3 }, () => '302 /console/#error=SIGN_IN_EXPIRED'),
    ]);
  });

  it('needs the cookie of the browser that started, with its state, within ten minutes', async () => {
    const expired = '302 /console/#error=SIGN_IN_EXPIRED';
    const path = await back();
    expect(outcome(await backroom.call({ method: 'GET', path }))).toBe(expired);
    expect(outcome(await backroom.call({ method: 'GET', path, headers: { cookie: 'backroom-oidc=v2.x.y' } }))).toBe(
      expired,
    );
    const other = new Browser(backroom);
    await other.ask(START);
    expect(outcome(await other.ask(path))).toBe(expired);
    expect(outcome(await browser.ask(path.replace(/state=[^&]+/, 'state=other')))).toBe(expired);
    const late = await back();
    backroom.clock.now += 10 * MINUTE_S * 1000;
    expect(outcome(await browser.ask(late))).toBe(expired);
    await nobody();
  });

  it('rejects a state of another provider', async () => {
    const second = await openHostileProvider();
    await done(backroom.operator('PUT', `${CLIENT}/identityProviders/second`, bodyOf(second)));
    await browser.ask('/session/oidc/second/start?clientId=C');
    const other = new Browser(backroom);
    const started = await other.ask(START);
    const response = await fetch(started.headers['location']!, { redirect: 'manual' });
    const path = response.headers.get('location')!.slice(CALLBACK.length - '/session/oidc/callback'.length);
    expect(outcome(await browser.ask(path))).toBe('302 /console/#error=SIGN_IN_EXPIRED');
    await second.close();
  });

  it('with an error of the provider signs in no user', async () => {
    const state = new URL(`http://x${await back()}`).searchParams.get('state')!;
    const answer = await browser.ask(`/session/oidc/callback?error=access_denied&state=${state}`);
    expect(outcome(answer)).toBe('302 /console/#error=PROVIDER_REFUSED');
    await nobody();
  });

  it('never ends with a 5xx, for any query', async () => {
    for (const query of [
      '',
      '?',
      '?code=x',
      '?state=%00',
      '?state=a&state=b',
      '?error=%ff',
      `?code=${'x'.repeat(5000)}`,
    ]) {
      await browser.ask(START);
      expect(outcome(await browser.ask(`/session/oidc/callback${query}`))).toMatch(/^302 \/console\/#error=/);
    }
    for (const path of ['none/start?clientId=C', 'login/start', 'login/start?clientId=NONE', 'x%00/start?clientId=C']) {
      expect(outcome(await browser.ask(`/session/oidc/${path}`))).toMatch(
        /^(302 \/console\/#error=PROVIDER_UNKNOWN|400 )/,
      );
    }
  });
});

describe('a provider', () => {
  it('that is down is PROVIDER_UNAVAILABLE, at the start and at the callback', async () => {
    const path = await back();
    await provider.close();
    expect(outcome(await browser.ask(path))).toBe('302 /console/#error=PROVIDER_UNAVAILABLE');
    const gone = { ...bodyOf(provider), oidcClientId: 'asked for again' };
    await done(backroom.operator('PUT', PROVIDER, gone));
    expect(outcome(await browser.ask(START))).toBe('302 /console/#error=PROVIDER_UNAVAILABLE');
  });

  it('that does not respond is PROVIDER_UNAVAILABLE, and the service serves other requests meanwhile', {
    timeout: 20_000,
  }, async () => {
    const path = await back();
    provider.hostility = { hangs: true };
    const waiting = browser.ask(path);
    expect((await backroom.operator('GET', CLIENT)).status).toBe(200);
    expect((await backroom.operator('PUT', CLIENT, { name: 'Other', catalogIds: ['1'] })).status).toBe(200);
    expect(outcome(await waiting)).toBe('302 /console/#error=PROVIDER_UNAVAILABLE');
  });

  it('that responds with an error of its own signs in no user', async () => {
    expect(await attempt({ tokenStatus: 500 })).toBe('302 /console/#error=PROVIDER_UNAVAILABLE');
    expect(await attempt({ tokenStatus: 400 })).toBe('302 /console/#error=PROVIDER_REFUSED');
    await nobody();
  });

  it('that switches to another protocol is PROVIDER_UNAVAILABLE, at the start and at the callback', async () => {
    const path = await back();
    provider.hostility = { switches: true };
    expect(outcome(await browser.ask(path))).toBe('302 /console/#error=PROVIDER_UNAVAILABLE');
    await done(backroom.operator('PUT', PROVIDER, { ...bodyOf(provider), oidcClientId: 'asked for again' }));
    expect(outcome(await browser.ask(START))).toBe('302 /console/#error=PROVIDER_UNAVAILABLE');
  });

  it('does not get a request per sign-in while its discovery document fails', async () => {
    provider.hostility = { discoveryStatus: 503 };
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.ask(START)));
    expect(new Set(answers.map(outcome))).toEqual(new Set(['302 /console/#error=PROVIDER_UNAVAILABLE']));
    expect(provider.asked.get('/.well-known/openid-configuration')).toBe(1);
  });

  it('on http or a private address gets no request if PUBLIC_URL is https', async () => {
    const content = backroom.store;
    const strict = await openBackroom(
      { PUBLIC_URL: 'https://backroom.example.com' },
      { store: content, seed: 'strict' },
    );
    const answer = await strict.call({ method: 'GET', path: START });
    expect(answer.headers['location']).toMatch(/#error=(PROVIDER_UNAVAILABLE|SIGN_IN_INVALID)$/);
    expect(provider.asked.size).toBe(0);
  });

  it('signs in no user without PUBLIC_URL on another host than loopback', async () => {
    const open = await openBackroom({ HOST: '0.0.0.0' }, { store: backroom.store, seed: 'open' });
    const answer = await open.call({ method: 'GET', path: START });
    expect(outcome(answer)).toBe('302 /console/#error=SIGN_IN_UNAVAILABLE');
  });
});

describe('back-channel logout', () => {
  const logout = async (token: string, path = '/session/oidc/login/logout?clientId=C') => {
    const raw = new URLSearchParams({ logout_token: token }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return (await backroom.call({ method: 'POST', path, headers, raw })).status;
  };
  const isIn = async () => (await browser.ask('/session')).status === 200;
  beforeEach(async () => {
    expect(await attempt({})).toBe('302 /console/');
  });

  it('ends the sessions of a subject, or of a session of the provider, at once', async () => {
    expect(await logout(await provider.logoutToken({ sub: 'somebody else' }))).toBe(200);
    expect(await isIn()).toBe(true);
    expect(await logout(await provider.logoutToken({ sub: 'mallory' }))).toBe(200);
    expect(await isIn()).toBe(false);
    expect(await attempt({})).toBe('302 /console/');
    expect(await logout(await provider.logoutToken({ sid: 'sid-2' }))).toBe(200);
    expect(await isIn()).toBe(true);
    expect(await logout(await provider.logoutToken({ sub: 'mallory', sid: 'sid-1' }))).toBe(200);
    expect(await isIn()).toBe(false);
  });

  it('is in the access log with the session and the nodes of the sign-in', async () => {
    await logout(await provider.logoutToken({ sub: 'mallory' }));
    const { events } = (await backroom.operator('GET', `${CLIENT}/accessEvents`)).body as {
      events: { type: string; data: Record<string, unknown> }[];
    };
    const of = (wanted: string) => events.find(({ type }) => type === wanted)!.data;
    const { method: _method, ...data } = of('user.signedIn');
    expect(of('user.signedOut')).toEqual({ ...data, providerId: 'login' });
  });

  it.each<[string, () => Promise<string>]>([
    ['signed with a foreign key', () => provider.logoutToken({ sub: 'mallory' }, { foreignKey: true })],
    ['for another audience', () => provider.logoutToken({ sub: 'mallory', aud: 'another' })],
    ['of another issuer', () => provider.logoutToken({ sub: 'mallory', iss: 'https://other.example.com' })],
    ['issued an hour ago', () => provider.logoutToken({ sub: 'mallory' }, { at: now() - 3600 })],
    ['without subject and session', () => provider.logoutToken({})],
    ['without the event of a logout', () => provider.logoutToken({ sub: 'mallory', events: {} })],
    ['with a nonce, as ID tokens have one', () => provider.logoutToken({ sub: 'mallory', nonce: 'x' })],
    ['that is no JWT', () => Promise.resolve('no token')],
  ])('by a token %s is 400 and ends nothing', async (_name, make) => {
    expect(await logout(await make())).toBe(400);
    expect(await isIn()).toBe(true);
  });

  it('is 400 for an unknown provider or client, and for a body without a token', async () => {
    const token = await provider.logoutToken({ sub: 'mallory' });
    expect(await logout(token, '/session/oidc/none/logout?clientId=C')).toBe(400);
    expect(await logout(token, '/session/oidc/login/logout?clientId=NONE')).toBe(400);
    expect(await logout(token, '/session/oidc/login/logout')).toBe(400);
    const call = { method: 'POST', path: '/session/oidc/login/logout?clientId=C' } as const;
    expect((await backroom.call(call)).status).toBe(400);
    expect(await isIn()).toBe(true);
  });

  it('ignores cookies and needs no Origin', async () => {
    const raw = new URLSearchParams({ logout_token: await provider.logoutToken({ sub: 'mallory' }) }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://elsewhere.example',
      cookie: browser.cookies,
    };
    expect(
      (await backroom.call({ method: 'POST', path: '/session/oidc/login/logout?clientId=C', headers, raw })).status,
    ).toBe(200);
  });
});
