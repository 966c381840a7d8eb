/** Sign-in by password and by badge; the end of the day; the screen of a handheld stays on during a pick. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, enroll, openConsole, signIn } from './support/browser.ts';
import { show, wedge } from './support/counter.ts';
import { NODE, orderOf, STORE } from './support/harness.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
let proxied: Console;
beforeAll(async () => {
  desk = await openConsole();
  proxied = await openConsole({ proxy: true });
});
afterAll(async () => {
  await desk.close();
  await proxied.close();
});

async function signInScreen(): Promise<Page> {
  const page = await desk.page({ path: null, viewport: 'desk' });
  await page.addInitScript(() => {
    localStorage.setItem('backroom.place', JSON.stringify({ clientId: 'TOWN', nodeId: 'TOWN-Store001' }));
  });
  await page.goto(`${desk.origin}/console/`);
  await page.getByLabel('Password', { exact: true }).waitFor();
  return page;
}

async function typeName(page: Page): Promise<string> {
  const { clientId = '', userId, password } = desk.town.people.associate;
  await page.locator('[name="clientId"]').fill(clientId);
  await page.locator('[name="userId"]').fill(userId);
  await page.locator('[name="password"]').focus();
  return password;
}

async function ticketOfAna(): Promise<string> {
  const order = orderOf('P00001', [['MUG-WHT', 1]], desk.town.clock.now);
  await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, [order]);
  const made = await desk.town.client.post(`/stores/${STORE}/nodes/${NODE}/pickTicket/generate`, {
    storeId: STORE,
    nodeId: NODE,
    queueId: 'WAITING_FOR_PICK_ISPU',
    userId: 'ana',
    modifyAssociateId: 'ana',
    fulfillmentOrderIds: ['P00001'],
  });
  return made.body.pickTicketDetails[0].pickTicketId;
}

const isHome = (page: Page) => page.getByRole('searchbox', { name: 'Scan or find anything' }).waitFor();

describe('signing in', () => {
  it('is done by Enter in the password field', async () => {
    const page = await signInScreen();
    await page.keyboard.type(await typeName(page), { delay: 60 });
    await page.keyboard.press('Enter');
    await isHome(page);
  });

  it('tries a wrong password once while Enter is held down', async () => {
    const page = await signInScreen();
    await typeName(page);
    await page.keyboard.type('not-the-password', { delay: 60 });
    // The console loads the lock screen last, after the part that handles held keys.
    const isLoaded = () => performance.getEntriesByType('resource').some(({ name }) => name.includes('/lock-screen-'));
    await page.waitForFunction(isLoaded);
    let tries = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') tries += 1;
    });
    const error = page.getByRole('alert');
    await page.keyboard.down('Enter');
    await error.waitFor();
    for (let repeats = 0; repeats < 3; repeats += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    // The page has then started the requests of these keys.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(tries).toBe(1);
    const second = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.keyboard.press('Enter');
    await second;
    expect(tries).toBe(2);
  });

  it('takes a password that a key of hardware types as fast as a scanner', async () => {
    const page = await signInScreen();
    await wedge(page, await typeName(page));
    await isHome(page);
  });

  it('by badge on a device of the store: the scan fills the name wherever the focus is, the PIN follows', async () => {
    const page = await desk.page({ path: null });
    await enroll(page.context(), desk.origin, desk.town);
    const people = '/operator/v1/clients/TOWN/users/ana';
    const { badge } = (await desk.town.operator('POST', `${people}/badge`)).body as { badge: string };
    const { pin } = (await desk.town.operator('POST', `${people}/pin`)).body as { pin: string };
    await page.addInitScript(() => {
      localStorage.setItem('backroom.device', JSON.stringify({ deviceId: 'D', nodeId: 'TOWN-Store001', name: 'One' }));
    });
    await page.goto(`${desk.origin}/console/`);
    await page.locator('[name="badge"]').waitFor();
    await wedge(page, `]C0${badge}`);
    await expect.poll(() => page.locator('[name="badge"]').inputValue()).toBe(badge);
    // The field shows dots in place of the scanned code.
    const look = page.locator('[name="badge"]');
    await expect
      .poll(() => look.evaluate((own) => getComputedStyle(own).getPropertyValue('-webkit-text-security')))
      .toBe('disc');
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('pin');
    await page.keyboard.type(pin, { delay: 80 });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Choose your PIN' }).waitFor();
  });
});

describe('a device', () => {
  const isStored = (page: Page) => page.evaluate(() => localStorage.getItem('backroom.device') !== null);
  const newCode = async () => {
    const made = await desk.town.operator('POST', `/operator/v1/clients/TOWN/nodes/${NODE}/deviceCodes`);
    return (made.body as { code: string }).code;
  };

  async function enrolledDevice(): Promise<Page> {
    const page = await desk.page({ path: '/console/#/' });
    await page.getByRole('button', { name: 'Set up this device' }).click();
    await page.getByLabel('Code', { exact: true }).pressSequentially(await newCode(), { delay: 80 });
    await page.getByLabel('Name of this device').pressSequentially('Handheld 7', { delay: 80 });
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await page.locator('[name="pin"]').waitFor();
    return page;
  }

  async function revokeAll(): Promise<void> {
    const { devices } = (await desk.town.operator('GET', '/operator/v1/clients/TOWN/devices')).body as {
      devices: { deviceId: string }[];
    };
    for (const { deviceId } of devices) {
      await desk.town.operator('DELETE', `/operator/v1/clients/TOWN/devices/${deviceId}`);
    }
  }

  it('that was revoked says so at the next PIN, and can be set up again', async () => {
    const page = await enrolledDevice();
    await revokeAll();
    await page.locator('[name="badge"]').pressSequentially('ana', { delay: 80 });
    await page.locator('[name="pin"]').pressSequentially('2580', { delay: 80 });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This device is not set up any more.').waitFor();
    expect(await isStored(page)).toBe(false);
    expect(await axe(page)).toEqual([]);
    await page.getByLabel('Code', { exact: true }).pressSequentially(await newCode(), { delay: 80 });
    await page.getByLabel('Name of this device').pressSequentially('Handheld 8', { delay: 80 });
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await page.getByText('Handheld 8').waitFor();
  });

  it('opens the enrollment for the QR code of the office, scanned or as an address', async () => {
    const page = await enrolledDevice();
    const address = `${desk.origin}/console/#/?code=`;
    const scanned = await newCode();
    await page.locator('[name="badge"]:focus').waitFor();
    await wedge(page, `${address}${scanned}`);
    await expect.poll(() => page.locator('[name="code"]').inputValue()).toBe(scanned);
    await page.getByRole('button', { name: 'With badge and PIN' }).click();
    await page.locator('[name="pin"]').waitFor();
    const code = await newCode();
    await page.goto(`${address}${code}`);
    await expect.poll(() => page.locator('[name="code"]').inputValue()).toBe(code);
    await page.getByLabel('Name of this device').pressSequentially('Handheld 9', { delay: 80 });
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await page.getByText('Handheld 9').waitFor();
    // The code is used, so a reload does not open the enrollment again.
    expect(page.url()).not.toContain('code=');
  });

  it('asks for badge and PIN on the screen of a scanned code', async () => {
    const page = await enrolledDevice();
    await page.goto(`${desk.origin}/console/#/find?code=5901234123457`);
    await page.reload();
    await page.locator('[name="badge"]:focus').waitFor();
    expect(await page.locator('[name="code"]').count()).toBe(0);
  });

  it('that was revoked is forgotten at a sign-in with a provider', async () => {
    const page = await desk.page({ as: 'associate', path: null });
    await page.route('**/session', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), method: 'OIDC' } });
    });
    await page.goto(`${desk.origin}/console/`);
    await isHome(page);
    await page.evaluate((nodeId) => {
      localStorage.setItem('backroom.device', JSON.stringify({ deviceId: 'D', nodeId, name: 'PC', clientId: 'TOWN' }));
    }, NODE);
    await page.reload();
    await expect.poll(() => isStored(page)).toBe(false);
  });

  it('that was revoked is forgotten at a sign-in with the password, so that a computer of the office does not lock any more', async () => {
    const page = await enrolledDevice();
    const enter = async () => {
      await page.getByRole('button', { name: 'With password' }).click();
      await page.keyboard.type(await typeName(page), { delay: 60 });
      await page.keyboard.press('Enter');
      await isHome(page);
    };
    await enter();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('[name="pin"]').waitFor();
    expect(await isStored(page)).toBe(true);
    await revokeAll();
    await enter();
    expect(await isStored(page)).toBe(false);
  });
});

describe('a sign-in with a provider', () => {
  const isEnd = ({ method, url }: { method: string; url: string }) => method === 'DELETE' && url === '/session';
  const entra = (page: Page) => page.getByRole('button', { name: 'With Entra' });

  /** Opens the sign-in of an office. Its provider signs in Leo, or fails while `fails` is true. */
  async function office(state: { fails: boolean }): Promise<Page> {
    const page = await proxied.page({ as: 'associate', path: null, viewport: 'desk', allow: [/503/] });
    const providers = { providers: [{ providerId: 'entra', name: 'Entra' }] };
    await page.route('**/session/providers?clientId=TOWN', (route) => route.fulfill({ json: providers }));
    await page.route('**/session/oidc/entra/start?clientId=TOWN', async (route) => {
      if (!state.fails) await signIn(page.context(), proxied.origin, proxied.town, 'lead');
      const location = `${proxied.origin}/console/${state.fails ? '#error=SIGN_IN_UNAVAILABLE' : ''}`;
      await route.fulfill({ status: 302, headers: { location } });
    });
    await page.goto(`${proxied.origin}/console/#/me`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    return page;
  }

  it('remembers the client, also of people who have no password', async () => {
    const page = await office({ fails: true });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('[name="clientId"]').pressSequentially('TOWN', { delay: 80 });
    await entra(page).click();
    await page.getByRole('alert').waitFor();
    await entra(page).waitFor();
    expect(await page.locator('[name="clientId"]').inputValue()).toBe('TOWN');
  });

  it('begins after the service knows of the sign-out before it, which does not end the new session', async () => {
    const page = await office({ fails: false });
    const reached = proxied.proxy.always(isEnd, { kind: 'refuse', status: 503 });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('[name="clientId"]').pressSequentially('TOWN', { delay: 80 });
    await entra(page).click();
    await page.getByRole('alert').waitFor();
    reached();
    await entra(page).click();
    await page.getByRole('heading', { name: 'Leo Marsh', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Leo Marsh', level: 1 }).waitFor();
  });
});

describe('a new PIN', () => {
  it('is no longer called saved beside the error of the next one', async () => {
    const page = await openAs(desk, 'associate', '/me');
    const form = page.locator('form').filter({ hasText: 'Your PIN' });
    const save = form.getByRole('button', { name: 'Save' });
    await form.locator('[name="pin"]').fill('493817');
    await save.click();
    await form.getByText('Saved').waitFor();
    await form.locator('[name="pin"]').fill('111111');
    await save.click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByText('Saved').count()).toBe(0);
  });

  it('is not offered to people of the operator, who have none', async () => {
    const page = await openAs(desk, 'operator', '/me');
    await page.getByLabel('New password').waitFor();
    expect(await page.locator('[name="pin"]').count()).toBe(0);
  });
});

describe('the end of the day', () => {
  it('is one tap on Home; Sync offers no file if nothing waits, and You names the store', async () => {
    const page = await openAs(desk, 'associate', '/', { viewport: 'narrow' });
    const leave = page.getByRole('button', { name: 'Sign out' });
    await leave.waitFor();
    await page.getByRole('button', { name: 'Menu' }).tap();
    await page.getByRole('navigation').getByRole('heading', { name: 'Work' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('heading', { name: 'Lead' }).count()).toBe(0);
    await show(page, '/me');
    await page.getByRole('button', { name: 'Where do you work? Harbour Street' }).waitFor();
    await show(page, '/sync');
    await page.getByText('The service has everything').waitFor();
    expect(await page.getByRole('button', { name: /Save as a file|Delete the work that you gave up/ }).count()).toBe(0);
    await show(page, '/');
    expect(await beyondEdge(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    await leave.tap();
    await page.getByLabel('Password', { exact: true }).waitFor();
  });
});

describe('the screen of a handheld', () => {
  it('stays on while a ticket is picked, and no longer', async () => {
    const page = await openAs(desk, 'associate', '/');
    await isHome(page);
    await page.evaluate(() => {
      const held: boolean[] = [];
      (globalThis as unknown as { held: boolean[] }).held = held;
      const ask = navigator.wakeLock.request.bind(navigator.wakeLock);
      // Records whether the console holds the wake lock of the screen. The replacement also requests the browser's lock,
      // which is not available on every machine.
      WakeLock.prototype.request = async (type) => {
        const at = held.push(true) - 1;
        const real = await ask(type).catch(() => undefined);
        return {
          release: async () => {
            held[at] = false;
            await real?.release();
          },
        } as WakeLockSentinel;
      };
    });
    const held = () => page.evaluate(() => (globalThis as unknown as { held: boolean[] }).held);
    await show(page, `/pick/${STORE}/${await ticketOfAna()}`);
    await expect.poll(held).toEqual([true]);
    // The browser releases the lock while the page is hidden; the console requests it again.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect.poll(held).toEqual([false, true]);
    await show(page, '/');
    await expect.poll(held).toEqual([false, false]);
  });
});
