import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchOptions } from '../../town/console/chromium.ts';
import { freePort } from '../../town/free-port.ts';
import { CLIENT, done, provisioned } from '../provisioning/support.ts';
import { type Backroom, openBackroom } from '../support/backroom.ts';

const PASSWORD = 'correct horse battery';
const kim = { name: 'Kim', role: 'manager', nodeIds: [], password: PASSWORD };

interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
}

let chrome: Browser;
beforeAll(async () => {
  chrome = await chromium.launch(launchOptions());
}, 60_000);
afterAll(() => chrome.close());

let backroom: Backroom;
let origin: string;
let page: Page;
let cdp: CDPSession;
let authenticatorId: string;
beforeEach(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  backroom = await provisioned(await openBackroom({ PUBLIC_URL: origin, PORT: String(port) }));
  await backroom.server.listen(port);
  await done(backroom.operator('PUT', `${CLIENT}/users/kim`, kim));
  await done(backroom.operator('PUT', '/operator/v1/people/olga', { name: 'Olga', password: PASSWORD }));
  page = await openPage();
});
afterEach(async () => {
  await page.context().close();
  await backroom.close();
});

async function openPage(): Promise<Page> {
  // The page at / has no scripts, and its policy forbids them.
  const context = await chrome.newContext({ bypassCSP: true });
  const opened = await context.newPage();
  await opened.goto(`${origin}/`);
  cdp = await context.newCDPSession(opened);
  await cdp.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  ({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options }));
  return opened;
}

/** Sends a request from the page, as the console does. */
function ask(method: string, path: string, body?: unknown): Promise<Answered> {
  return page.evaluate(
    async ({ method, path, body }) => {
      const headers = { 'content-type': 'application/json' };
      const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
      const response = await fetch(path, init);
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    },
    { method, path, body },
  );
}

const signIn = (clientId?: string, userId = 'kim') =>
  ask('POST', '/session', { ...(clientId && { clientId }), userId, password: PASSWORD });

/** Creates the passkey that the options ask for. */
function create(options: unknown): Promise<object> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as PublicKeyCredentialCreationOptionsJSON);
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON();
  }, options);
}

/** Signs a challenge with a passkey of the authenticator. */
function get(options: unknown): Promise<{ response: { signature: string } }> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as PublicKeyCredentialRequestOptionsJSON);
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON() as never;
  }, options);
}

async function register(name = 'Laptop'): Promise<Answered> {
  const { body } = await ask('POST', '/session/passkeys/registration');
  return ask('POST', '/session/passkeys', {
    registration: body.registration,
    name,
    response: await create(body.options),
  });
}

async function answered(): Promise<{ challenge: string; response: { response: { signature: string } } }> {
  const { body } = await ask('POST', '/session/passkeys/challenge');
  return { challenge: body.challenge, response: await get(body.options) };
}

const signInWithPasskey = async () => ask('POST', '/session/passkeys/signIn', await answered());

describe('a passkey', () => {
  it('is registered by a user of a client, and signs that user in without a name or password', async () => {
    expect((await signIn('C')).status).toBe(201);
    const made = await register();
    expect([made.status, made.body.name]).toEqual([201, 'Laptop']);
    await ask('DELETE', '/session');
    const back = await signInWithPasskey();
    expect([back.status, back.body]).toMatchObject([
      201,
      { user: { clientId: 'C', userId: 'kim' }, method: 'PASSKEY' },
    ]);
    expect((await ask('GET', '/session')).body.user.userId).toBe('kim');
    const { passkeys } = (await ask('GET', '/session/passkeys')).body;
    expect(passkeys).toEqual([{ ...made.body, usedAt: made.body.createdAt }]);
  });

  it('is registered by a person of the operator, and signs that person in', async () => {
    expect((await signIn(undefined, 'olga')).status).toBe(201);
    expect((await register()).status).toBe(201);
    await ask('DELETE', '/session');
    const { body } = await signInWithPasskey();
    expect(body.user).toEqual({ userId: 'olga', name: 'Olga', role: 'operator', nodeIds: [] });
  });

  it('that is removed signs in no user', async () => {
    await signIn('C');
    const { body } = await register();
    expect((await ask('DELETE', `/session/passkeys/${body.passkeyId}`)).status).toBe(204);
    expect((await ask('DELETE', `/session/passkeys/${body.passkeyId}`)).status).toBe(404);
    expect([(await signInWithPasskey()).status, (await ask('GET', '/session/passkeys')).body]).toEqual([
      401,
      { passkeys: [] },
    ]);
  });

  it('of a disabled user is rejected with the text of a wrong password', async () => {
    await signIn('C');
    await register();
    await done(backroom.operator('PUT', `${CLIENT}/users/kim`, { ...kim, state: 'DISABLED' }));
    const refused = await signInWithPasskey();
    const wrong = await ask('POST', '/session', { clientId: 'C', userId: 'kim', password: 'wrong password' });
    expect([refused.status, refused.body.detail]).toEqual([401, wrong.body.detail]);
  });

  it('is no passkey of somebody who is made anew under the same name', async () => {
    await signIn(undefined, 'olga');
    await register();
    await done(backroom.operator('DELETE', '/operator/v1/people/olga'));
    await done(backroom.operator('PUT', '/operator/v1/people/olga', { name: 'Other', password: PASSWORD }));
    expect((await signInWithPasskey()).status).toBe(401);
  });

  it('is accepted for a challenge once, within ten minutes, with its own signature', async () => {
    await signIn('C');
    await register();
    const first = await answered();
    expect((await ask('POST', '/session/passkeys/signIn', first)).status).toBe(201);
    expect((await ask('POST', '/session/passkeys/signIn', first)).status).toBe(401);
    const other = await answered();
    const swapped = { ...(await answered()), challenge: other.challenge };
    expect((await ask('POST', '/session/passkeys/signIn', swapped)).status).toBe(401);
    const forged = await answered();
    forged.response.response.signature = first.response.response.signature;
    expect((await ask('POST', '/session/passkeys/signIn', forged)).status).toBe(401);
    const late = await answered();
    backroom.clock.now += 10 * 60_000;
    expect((await ask('POST', '/session/passkeys/signIn', late)).status).toBe(401);
  });

  it('needs its owner to be verified by the authenticator', async () => {
    await signIn('C');
    await register();
    const challenge = await ask('POST', '/session/passkeys/challenge');
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    // This page requires less verification of the user than the service does.
    const response = await get({ ...challenge.body.options, userVerification: 'discouraged' });
    expect(
      (await ask('POST', '/session/passkeys/signIn', { challenge: challenge.body.challenge, response })).status,
    ).toBe(401);
  });

  it('whose counter decreases, as that of a copy does, signs in no user', async () => {
    await signIn('C');
    await register();
    expect((await signInWithPasskey()).status).toBe(201);
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const copy = { ...credentials[0]!, signCount: 0 };
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: copy.credentialId });
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: copy });
    expect((await signInWithPasskey()).status).toBe(401);
  });

  it('is registered once, and its registration counts for the person who began it', async () => {
    await signIn('C');
    const { body } = await ask('POST', '/session/passkeys/registration');
    const response = await create(body.options);
    const sent = { registration: body.registration, name: 'Laptop', response };
    await signIn(undefined, 'olga');
    expect((await ask('POST', '/session/passkeys', sent)).status).toBe(400);
    await signIn('C');
    expect((await ask('POST', '/session/passkeys', sent)).status).toBe(201);
    expect((await ask('POST', '/session/passkeys', sent)).status).toBe(400);
    const again = await ask('POST', '/session/passkeys/registration');
    expect(again.body.options.excludeCredentials).toHaveLength(1);
    const other = { ...sent, registration: again.body.registration };
    expect((await ask('POST', '/session/passkeys', other)).status).toBe(400);
  });

  it('is changed only in the 15 minutes after a full sign-in', async () => {
    await signIn('C');
    const { body } = await register();
    backroom.clock.now += 15 * 60_000 + 1;
    for (const [method, path] of [
      ['POST', '/session/passkeys/registration'],
      ['DELETE', `/session/passkeys/${body.passkeyId}`],
    ] as const) {
      const refused = await ask(method, path);
      expect([refused.status, refused.body.code]).toEqual([403, 'SIGN_IN_AGAIN']);
    }
    expect((await signInWithPasskey()).status).toBe(201);
    expect((await ask('DELETE', `/session/passkeys/${body.passkeyId}`)).status).toBe(204);
  });

  it('needs a session to be registered, and a page of this site to sign in', async () => {
    expect((await ask('POST', '/session/passkeys/registration')).status).toBe(401);
    const headers = { origin: 'https://elsewhere.example' };
    const refused = await backroom.call({ method: 'POST', path: '/session/passkeys/challenge', headers });
    expect([refused.status, refused.body.code]).toEqual([403, 'CROSS_ORIGIN']);
  });
});

it('there are no passkeys where PUBLIC_URL has an IP address', async () => {
  const other = await openBackroom();
  const headers = { 'sec-fetch-site': 'same-origin' };
  const refused = await other.call({ method: 'POST', path: '/session/passkeys/challenge', headers });
  expect([refused.status, refused.body.code]).toEqual([403, 'PASSKEYS_OFF']);
  await other.close();
});
