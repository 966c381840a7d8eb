/** Passkeys on the screens of the console, with the virtual authenticator of the browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { freePort } from '../../town/free-port.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { axe, newContext } from './support/browser.ts';

let town: OpenTown;
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  // A passkey belongs to a host name, so the origin is not an IP address.
  origin = `http://localhost:${port}`;
  town = await openTown({ env: { PUBLIC_URL: origin, HOST: '127.0.0.1', PORT: String(port) } });
  await town.server.listen(port);
});
afterAll(() => town.close());

/** Opens the sign-in screen on a laptop with a fingerprint reader. */
async function laptop(): Promise<Page> {
  const context = await newContext({ locale: 'en-US', viewport: { width: 320, height: 640 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.addInitScript(() => {
    localStorage.setItem('backroom.place', JSON.stringify({ clientId: 'TOWN', nodeId: 'TOWN-Store001' }));
  });
  await page.goto(`${origin}/console/`);
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

async function signIn(page: Page): Promise<void> {
  const { clientId = '', userId, password } = town.people.manager;
  await page.getByLabel('Company').fill(clientId);
  await page.getByLabel('User id').fill(userId);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('.tile').first().waitFor();
}

it('a passkey is added with a name, signs in without one, and is removed', async () => {
  const page = await laptop();
  await signIn(page);
  await page.goto(`${origin}/console/#/me`);
  await page.getByRole('link', { name: 'Passkeys' }).click();
  await page.getByText('No passkey yet').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  // Types as slowly as a user does: text that arrives at one moment would count as a scanned code.
  await page.getByRole('dialog').getByLabel('Name').pressSequentially('Laptop', { delay: 50 });
  await page.keyboard.press('Enter');
  await page.getByRole('listitem').getByText('Laptop').waitFor();
  expect([await axe(page), await beyondEdge(page)]).toEqual([[], []]);

  await page.goto(`${origin}/console/#/me`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'With a passkey' }).click();
  await page.locator('.tile').first().waitFor();
  const { method } = (await (await page.request.get(`${origin}/session`)).json()) as { method: string };
  expect(method).toBe('PASSKEY');

  await page.goto(`${origin}/console/#/passkeys`);
  await page.getByText('Last used').waitFor();
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No passkey yet').waitFor();
});

it('an error is shown if the browser returns no passkey, and a second passkey of one device is rejected', async () => {
  const page = await laptop();
  await page.evaluate(() => {
    navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: 'With a passkey' }).click();
  await page.getByText('The browser made or showed no passkey').waitFor();
  await page.reload();
  await signIn(page);
  await page.goto(`${origin}/console/#/passkeys`);
  for (const name of ['First', 'Second']) {
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    if (name === 'First') await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.getByText('This device has a passkey of yours already').waitFor();
});

it('an address without a host name offers none', async () => {
  const context = await newContext({ locale: 'en-US' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${origin.replace('localhost', '127.0.0.1')}/console/`);
  await page.getByRole('button', { name: 'Set up this device' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'With a passkey' }).count()).toBe(0);
});
