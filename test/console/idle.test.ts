/** A console that is not used: it hides the user's screens, with and without the network, and keeps the unsent work. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPin } from '../people/support.ts';
import { type Console, enroll, openConsole } from './support/browser.ts';
import { show, wedge } from './support/counter.ts';
import { NODE, orderOf, STORE } from './support/harness.ts';

const PIN = { associate: '2580', lead: '1470' } as const;

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
  await setPin(desk.town, 'associate', PIN.associate);
  await setPin(desk.town, 'lead', PIN.lead);
});
afterAll(() => desk.close());

/** Opens a handheld of the store that shows Ana's home screen. The test moves its clock. */
async function handheld({ worker = false, allow = [] }: { worker?: boolean; allow?: RegExp[] } = {}): Promise<Page> {
  const page = await desk.page({ path: null, worker, clock: true, allow });
  await enroll(page.context(), desk.origin, desk.town);
  await page.addInitScript(() => {
    localStorage.setItem('backroom.device', JSON.stringify({ deviceId: 'D', nodeId: 'TOWN-Store001', name: 'One' }));
  });
  await page.goto(`${desk.origin}/console/`);
  await unlock(page, 'ana', PIN.associate);
  await home(page).waitFor();
  if (worker) await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return page;
}

async function unlock(page: Page, userId: string, pin: string): Promise<void> {
  // The form for the user's own PIN on "Me" also has a field `pin`.
  const form = page.locator('form', { has: page.locator('[name="badge"]') });
  await form.locator('[name="badge"]').fill(userId);
  await form.locator('[name="pin"]').fill(pin);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  await form.waitFor({ state: 'detached' });
}

const home = (page: Page) => page.getByRole('searchbox', { name: 'Scan or find anything' });
const lockScreen = (page: Page) => page.locator('dialog.lock-screen:modal');

/**
 * Returns the status and the error code of the browser's session at the service. The request has a separate cookie jar,
 * so the browser keeps its cookies.
 */
async function sessionOf(context: BrowserContext): Promise<string> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const { status, body } = await desk.town.call({ method: 'GET', path: '/session', headers: { cookie } });
  return `${status} ${(body as { code?: string }).code ?? ''}`.trim();
}

/** A text that Ana typed without sending it. */
const TYPED = 'half a co';

describe('a device that is left alone', () => {
  it('is locked after 3 minutes, here and at the service, and shows the same person what was typed', async () => {
    const page = await handheld();
    await home(page).pressSequentially(TYPED, { delay: 60 });
    await page.clock.fastForward('02:50');
    expect(await lockScreen(page).count()).toBe(0);
    await page.clock.fastForward('00:15');
    await lockScreen(page).waitFor();
    expect(await page.getByText('Ana', { exact: false }).filter({ visible: true }).count()).toBe(0);
    await expect.poll(() => sessionOf(page.context())).toBe('401 SESSION_LOCKED');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await lockScreen(page).waitFor();
    await unlock(page, 'ana', PIN.associate);
    expect(await home(page).inputValue()).toBe(TYPED);
    expect(await sessionOf(page.context())).toBe('200');
  });

  it('is locked also if the file of the lock could not be loaded at first: the page loads again at Home', async () => {
    const page = await handheld({ allow: [/later-.*\.js/] });
    await show(page, '/me');
    await page.route(/\/later-[^/]*\.js/, (route) => route.abort());
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.unroute(/\/later-[^/]*\.js/);
    await page.evaluate(() => (document.title = 'not loaded again'));
    // A load of the page after the first request would be done before the second request.
    for (const _ of [1, 2]) {
      const asked = page.waitForResponse(`${desk.origin}/console/`);
      await page.clock.fastForward('00:06');
      await (await asked).finished();
    }
    expect(await page.title()).toBe('not loaded again');
    const loaded = page.waitForEvent('load');
    await page.evaluate(() => {
      location.hash = '/';
    });
    await page.clock.fastForward('00:06');
    await loaded;
    await home(page).waitFor();
    await page.waitForFunction(() => sessionStorage.getItem('backroom.loads') === null);
    await page.clock.fastForward('03:05');
    await lockScreen(page).waitFor();
  });

  it('is in the language of the device while it is locked, and of its user after the unlock', async () => {
    const page = await handheld();
    const shown = (one: string) => expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(one);
    await show(page, '/me');
    await page.getByLabel('Language').selectOption('es');
    await shown('es');
    await page.getByRole('button', { name: 'Bloquear' }).click();
    await lockScreen(page).waitFor();
    await shown('en');
    await unlock(page, 'ana', PIN.associate);
    await shown('es');
    await page.getByLabel('Idioma').selectOption('en');
    await shown('en');
  });

  it('shows nothing of it to the next person', async () => {
    const page = await handheld();
    await home(page).pressSequentially(TYPED, { delay: 60 });
    await page.clock.fastForward('03:05');
    await lockScreen(page).waitFor();
    await unlock(page, 'leo', PIN.lead);
    await page.getByRole('heading', { name: 'Leo Marsh' }).waitFor();
    expect(await home(page).inputValue()).toBe('');
  });

  it('does not lock the next person out when a request of the one before is rejected late', async () => {
    const page = await handheld();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const ofAna = desk.proxy.passed.length;
    const isRead = ({ method, url }: { method: string; url: string }) =>
      method === 'GET' && /\/(settings|session)$/.test(url);
    const free = desk.proxy.always(isRead, { kind: 'hold', until: promise });
    const held = () => desk.proxy.passed.slice(ofAna).filter(isRead);
    await page.clock.fastForward('02:05');
    await page.mouse.move(5, 5);
    await show(page, '/receive');
    await expect.poll(() => new Set(held().map(({ url }) => url)).size).toBe(2);
    const before = held();
    await page.clock.fastForward('03:05');
    await lockScreen(page).waitFor();
    await expect.poll(() => sessionOf(page.context())).toBe('401 SESSION_LOCKED');
    free();
    await unlock(page, 'leo', PIN.lead);
    await show(page, '/');
    await page.getByRole('heading', { name: 'Leo Marsh' }).waitFor();
    resolve(undefined);
    await expect.poll(() => before.map(({ status }) => status)).toEqual(before.map(() => 401));
    await page.evaluate(() => fetch('/livez'));
    expect(await lockScreen(page).count()).toBe(0);
  });

  it('shows the next person no work of the one before while their own is read or rejected', async () => {
    const page = await handheld();
    const tiles = page.locator('.tile');
    await tiles.first().waitFor();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const free = desk.proxy.always(/\/work/, { kind: 'hold', until: promise });
    await page.clock.fastForward('03:05');
    await lockScreen(page).waitFor();
    await unlock(page, 'leo', PIN.lead);
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    expect(await tiles.count()).toBe(0);
    free();
    resolve(undefined);
    await tiles.first().waitFor();
    const works = desk.proxy.always(/\/work/, { kind: 'refuse', status: 500 });
    await page.clock.fastForward('03:05');
    await lockScreen(page).waitFor();
    await unlock(page, 'ana', PIN.associate);
    await page.getByRole('alert').waitFor();
    expect(await tiles.count()).toBe(0);
    works();
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await tiles.first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('stays open while somebody touches it, types or scans, and the service hears of it', async () => {
    const page = await handheld();
    await wedge(page, '4006381333931');
    for (const doing of [
      () => page.mouse.move(20, 20),
      () => page.keyboard.press('Shift'),
      () => wedge(page, 'NO-SUCH'),
    ]) {
      await page.clock.fastForward('02:40');
      const isTold = page.waitForRequest((request) => request.url().endsWith('/session') && request.method() === 'GET');
      await doing();
      await isTold;
    }
    expect(await lockScreen(page).count()).toBe(0);
  });

  it('tells the service of its use, and reads the settings, after its clock was set back', async () => {
    const page = await handheld();
    await show(page, '/me');
    await page.clock.setSystemTime(desk.town.clock.now - 3_600_000);
    const requests = [/\/session$/, /\/settings$/].map((path) => page.waitForRequest(path));
    await page.clock.fastForward('02:10');
    await page.mouse.move(20, 20);
    await Promise.all(requests);
  });

  it('still knows the bar codes of items after an unlock, without the network too, and stores them for the next user', async () => {
    const page = await handheld();
    const stored = (userId: string) =>
      page.evaluate(async (user) => {
        const [{ name }] = (await indexedDB.databases()) as [{ name: string }];
        const open = indexedDB.open(name);
        await new Promise((resolve) => open.addEventListener('success', resolve));
        const all = open.result.transaction('snapshots').objectStore('snapshots').getAllKeys();
        await new Promise((resolve) => all.addEventListener('success', resolve));
        open.result.close();
        const keys = all.result as [owner: string, key: string][];
        return keys.filter(([owner, key]) => owner.includes(user) && key.startsWith('cached item ')).length;
      }, userId);
    const order = `/check-in/${STORE}/${desk.town.orders.arriving}`;
    const counts = page.locator('.check-in-count');
    await show(page, order);
    await expect.poll(() => counts.allTextContents()).toEqual(['0/1', '0/1', '0/2']);
    await expect.poll(() => stored('ana')).toBe(2);
    await page.clock.fastForward('03:05');
    await lockScreen(page).waitFor();
    await expect.poll(() => stored('ana')).toBe(0);
    await unlock(page, 'ana', PIN.associate);
    await expect.poll(() => stored('ana')).toBe(2);
    await show(page, '/me');
    const works = desk.proxy.unplug();
    for (let minutes = 0; minutes < 12; minutes += 2) {
      await page.clock.fastForward('02:00');
      await page.mouse.move(20 + minutes, 20);
    }
    await show(page, order);
    await page.locator('[data-scan-target]').waitFor();
    await wedge(page, '400000000039');
    await page.getByText(/^\+1 /).waitFor();
    works();
    await page.clock.fastForward('03:05');
    await lockScreen(page).waitFor();
    await unlock(page, 'leo', PIN.lead);
    await show(page, order);
    await expect.poll(() => stored('leo')).toBe(2);
  });

  it('is locked when it wakes after a sleep, and the key that wakes it does nothing on the screen before', async () => {
    const page = await handheld();
    await show(page, '/me');
    await page.clock.pauseAt(desk.town.clock.now + 60_000);
    // Timers do not run while a device sleeps: only the time changes.
    await page.clock.setFixedTime(desk.town.clock.now + 3_600_000);
    await page.keyboard.press('Control+k');
    await page.clock.resume();
    await lockScreen(page).waitFor();
    expect(await page.evaluate(() => location.hash)).toBe('#/me');
    // On the lock screen, a scanned code is a badge for the sign-in.
    await wedge(page, 'AAAA1111BBBB2222');
    await expect.poll(() => page.locator('[name="badge"]').inputValue()).toBe('AAAA1111BBBB2222');
  });

  it('finds out after the unlock whether a hand-over was recorded whose response was lost before the lock', async () => {
    const { ready } = desk.town.orders;
    const page = await handheld();
    await show(page, `/hand-over/${STORE}/${ready}`);
    await page.getByLabel('Photo ID').check();
    const lost = [/\/customerPickUp\/confirm$/, new RegExp(`/fulfillmentOrders/${ready}$`)] as const;
    for (const one of lost) await page.route(one, (route) => route.abort());
    await page.getByRole('button', { name: /^Hand over \d/ }).click();
    await page.getByText('The response was lost').waitFor();
    await page.clock.fastForward('03:05');
    await lockScreen(page).waitFor();
    await expect.poll(() => sessionOf(page.context())).toBe('401 SESSION_LOCKED');
    for (const one of lost) await page.unroute(one);
    // The screen asks the service for the result every 2 s.
    await page.clock.fastForward('00:05');
    await unlock(page, 'ana', PIN.associate);
    await page.getByText('It was not recorded').waitFor();
  });

  it('is locked without network, too; with it the service locks the session and gets what its person had done', async () => {
    const { town } = desk;
    const orders = `/operator/v1/stores/${STORE}/fulfillmentOrders`;
    await town.client.post(orders, [orderOf('IDLE1', [['MUG-WHT', 2]], town.clock.now)]);
    const made = await town.client.post(`/stores/${STORE}/nodes/${NODE}/pickTicket/generate`, {
      storeId: STORE,
      nodeId: NODE,
      queueId: 'WAITING_FOR_PICK_ISPU',
      userId: 'ana',
      modifyAssociateId: 'ana',
      fulfillmentOrderIds: ['IDLE1'],
    });
    const { pickTicketId, pickTicketItems } = made.body.pickTicketDetails[0];
    // Without the network, the service worker serves the files of the console.
    const page = await handheld({ worker: true });
    const context = page.context();
    await show(page, `/pick/${STORE}/${pickTicketId}`);
    await page.locator('[data-scan-target]:focus').waitFor();
    // The device also sends that the ticket was opened.
    await page.locator('.sync-state', { hasText: 'Sent' }).waitFor();
    await context.setOffline(true);
    await wedge(page, pickTicketItems[0].itemDetails.upcs[0].value);
    await page.getByText('1 of 2').first().waitFor();
    await page.clock.fastForward('03:05');
    await lockScreen(page).waitFor();
    expect(await sessionOf(context)).toBe('200');
    // A new enrollment of the device would make the service reject unsent work, so the console asks first.
    await page.locator('[name="badge"]:focus').waitFor();
    await wedge(page, `${desk.origin}/console/#/?code=ABCD2345`);
    await page.getByText('Not sent yet: 1.').waitFor();
    await page.getByRole('button', { name: 'With badge and PIN' }).click();
    await context.setOffline(false);
    await expect.poll(() => sessionOf(context)).toBe('401 SESSION_LOCKED');
    const scans = () =>
      town.store.read((db) =>
        db
          .selectFrom('pick_ticket_scans')
          .select('picked')
          .where('client_id', '=', 'TOWN')
          .where('pick_ticket_id', '=', pickTicketId)
          .execute(),
      );
    await expect.poll(async () => (await scans()).map(({ picked }) => picked)).toEqual([1]);
    expect(await lockScreen(page).count()).toBe(1);
    await unlock(page, 'ana', PIN.associate);
    await page.getByText('1 of 2').first().waitFor();
  });

  it('is locked when its page is opened again after it was left, before anything of the person is shown', async () => {
    const page = await handheld();
    // This page is on the same site, but outside of the console.
    await page.goto(`${desk.origin}/livez`);
    await page.clock.fastForward('03:05');
    await page.goto(`${desk.origin}/console/`);
    await page.locator('[name="badge"]').waitFor();
    await expect.poll(() => sessionOf(page.context())).toBe('401 SESSION_LOCKED');
  });

  it('is one in all its tabs: what is done in one keeps the others open, a lock and a sign-in are of all', async () => {
    const page = await handheld();
    const other = await desk.page({ context: page.context() });
    await home(other).waitFor();
    await page.clock.fastForward('02:40');
    const shared = () => page.evaluate(() => localStorage.getItem('backroom.active'));
    const before = await shared();
    // A tab reports activity to the other tabs at most every two seconds, so a single move may come too early.
    let moves = 0;
    const moveAndLook = async () => {
      await other.mouse.move(30 + moves++, 30);
      return await shared();
    };
    await expect.poll(moveAndLook, { interval: 500 }).not.toBe(before);
    await page.clock.fastForward('02:40');
    expect(await lockScreen(page).count()).toBe(0);
    await show(page, '/me');
    await page.getByRole('button', { name: 'Lock', exact: false }).click();
    await lockScreen(other).waitFor();
    await unlock(page, 'ana', PIN.associate);
    await lockScreen(other).waitFor({ state: 'detached' });
    await home(other).waitFor();
  });
});

describe('a user', () => {
  const kay = '/operator/v1/clients/TOWN/users/kay';
  const password = 'tide-and-sand-7';
  const user = { name: 'Kay', role: 'lead', nodeIds: ['TOWN-Store001'] };
  const create = () => desk.town.operator('PUT', kay, { ...user, password });

  /** Opens a screen as Kay, in a browser that is no device. */
  async function openAsKay(path: string): Promise<Page> {
    await create();
    const page = await desk.page({ path: null, viewport: 'desk', clock: true });
    const headers = { 'sec-fetch-site': 'same-origin' };
    const data = { clientId: 'TOWN', userId: 'kay', password };
    await page.context().request.post(`${desk.origin}/session`, { headers, data });
    await page.goto(`${desk.origin}/console/#${path}`);
    return page;
  }

  /** Changes Kay. The console learns of it at the next activity. */
  async function change(page: Page, change: Partial<typeof user>): Promise<void> {
    await desk.town.operator('PUT', kay, { ...user, ...change });
    await page.clock.fastForward('02:10');
    await page.mouse.move(40, 40);
  }

  it('who gets another role and another node has them two minutes later, in every tab, without a reload', async () => {
    const page = await openAsKay('/me');
    const other = await desk.page({ context: page.context(), path: '/console/#/me', viewport: 'desk' });
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: 'Harbour Street' }).waitFor();
      await tab.getByRole('link', { name: 'People' }).waitFor();
    }
    await change(page, { role: 'associate', nodeIds: ['TOWN-Store002'] });
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: 'Harbour Street' }).waitFor({ state: 'detached' });
      expect(await tab.getByRole('link', { name: 'People' }).count()).toBe(0);
    }
    await page.getByRole('button', { name: 'Where do you work?' }).click();
    await page.locator('.row', { hasText: 'TOWN-Store002' }).waitFor();
  });

  it('who gets another node while counting has no counts of the node before on the screen', async () => {
    const page = await openAsKay('/stock/count');
    await page.locator('[data-scan-target]').waitFor();
    await wedge(page, '400000000039');
    const save = page.getByRole('button', { name: 'Save the count of 1 item' });
    await save.waitFor();
    await change(page, { nodeIds: ['TOWN-Store002'] });
    await save.waitFor({ state: 'detached' });
    await page.locator('[data-scan-target]').waitFor();
    await change(page, {});
    await save.waitFor();
  });

  it('who chooses the first PIN in one of two tabs goes on in both', async () => {
    await create();
    const { pin } = (await desk.town.operator('POST', `${kay}/pin`)).body as { pin: string };
    const page = await handheld();
    const other = await desk.page({ context: page.context() });
    await show(page, '/me');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await unlock(page, 'kay', pin);
    const choice = (tab: Page) => tab.getByRole('heading', { name: 'Choose your PIN' });
    for (const tab of [page, other]) await choice(tab).waitFor();
    await page.locator('[name="pin"]').fill('493817');
    await page.getByRole('button', { name: 'Save', exact: false }).click();
    for (const tab of [page, other]) await choice(tab).waitFor({ state: 'detached' });
    await home(other).waitFor();
  });
});

describe('a user who does not work at the node of the device', () => {
  it('is signed out after 3 minutes, because this session cannot lock', async () => {
    const page = await desk.page({ as: 'manager', path: null, clock: true });
    await page.addInitScript(() => {
      localStorage.setItem('backroom.device', JSON.stringify({ deviceId: 'D', nodeId: 'TOWN-Store001', name: 'One' }));
    });
    await page.goto(`${desk.origin}/console/#/me`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.mouse.move(40, 40);
    await page.clock.fastForward('02:50');
    expect(await lockScreen(page).count()).toBe(0);
    await page.clock.fastForward('00:15');
    await lockScreen(page).waitFor();
    await expect.poll(() => sessionOf(page.context())).toMatch(/^401/);
  });
});

describe('a sign-out that does not reach the service', () => {
  it('stays one after a reload, and ends the session later', async () => {
    const page = await handheld({ allow: [/503/] });
    const context = page.context();
    const isEnd = ({ method, url }: { method: string; url: string }) => method === 'DELETE' && url === '/session';
    const lostNoMore = desk.proxy.always(isEnd, { kind: 'refuse', status: 503 });
    await show(page, '/me');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('[name="badge"]').waitFor();
    await page.reload();
    await page.locator('[name="badge"]').waitFor();
    expect(await page.getByText('This device is locked').count()).toBe(0);
    expect(await sessionOf(context)).toBe('200');
    lostNoMore();
    await page.clock.fastForward('00:06');
    await expect.poll(() => sessionOf(context)).toMatch(/^401/);
  });
});

describe('a sign-out whose request hangs', () => {
  it('is done at once, and does not end the session of the next person', async () => {
    const page = await handheld();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const isEnd = ({ method, url }: { method: string; url: string }) => method === 'DELETE' && url === '/session';
    desk.proxy.next(isEnd, { kind: 'hold', until: promise });
    await show(page, '/me');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('[name="badge"]').waitFor();
    await expect.poll(() => desk.proxy.passed.some(isEnd)).toBe(true);
    await unlock(page, 'leo', PIN.lead);
    await page.getByRole('heading', { name: 'Leo Marsh' }).waitFor();
    resolve(undefined);
    await desk.proxy.seen((one) => isEnd(one) && one.status !== undefined);
    await page.reload();
    await page.getByRole('heading', { name: 'Leo Marsh' }).waitFor();
    expect(await sessionOf(page.context())).toBe('200');
  });
});

describe('a sign-out whose request hangs, in one of two tabs', () => {
  it('does not end the session of the person who signs in in the other tab', async () => {
    const page = await handheld();
    const other = await desk.page({ context: page.context(), path: null });
    await other.goto(`${desk.origin}/console/#/me`);
    await other.getByRole('button', { name: 'Sign out' }).waitFor();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const isEnd = ({ method, url }: { method: string; url: string }) => method === 'DELETE' && url === '/session';
    const before = desk.proxy.passed.filter(isEnd).length;
    const free = desk.proxy.always(isEnd, { kind: 'hold', until: promise });
    await show(page, '/me');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('[name="badge"]').waitFor();
    await expect.poll(() => desk.proxy.passed.filter(isEnd).length).toBeGreaterThan(before);
    await unlock(other, 'leo', PIN.lead);
    await other.getByRole('heading', { name: 'Leo Marsh' }).waitFor();
    resolve(undefined);
    free();
    await desk.proxy.seen((one) => isEnd(one) && one.status !== undefined);
    await other.reload();
    await other.getByRole('heading', { name: 'Leo Marsh' }).waitFor();
    expect(await sessionOf(page.context())).toBe('200');
  });
});

describe('an office that is left alone', () => {
  it('follows a training that starts or ends in another tab', async () => {
    const page = await desk.page({ as: 'associate', path: '/console/#/me' });
    const other = await desk.page({ path: '/console/#/me', context: page.context() });
    const band = other.getByText('Training: nothing here is real');
    await other.getByRole('button', { name: 'Start training' }).waitFor();
    await page.getByRole('button', { name: 'Start training' }).click();
    await band.waitFor();
    await page.goto(`${desk.origin}/console/#/me`);
    await page.getByRole('button', { name: 'Leave training' }).click();
    await band.waitFor({ state: 'detached' });
  });

  it('leaves an ended training at the next activity if the session after it could not be read', async () => {
    const page = await desk.page({ as: 'associate', path: null, clock: true });
    await page.goto(`${desk.origin}/console/#/me`);
    await page.getByRole('button', { name: 'Start training' }).click();
    const band = page.getByText('Training: nothing here is real');
    await band.waitFor();
    await show(page, '/me');
    await page.route('**/session', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Leave training' }).click();
    await page.getByRole('alert').waitFor();
    expect(await band.count()).toBe(1);
    await page.clock.fastForward('02:10');
    await page.mouse.move(40, 40);
    await band.waitFor({ state: 'detached' });
  });

  it('is signed out after 30 minutes, people of the operator after 15', async () => {
    for (const [role, before, after] of [
      ['manager', '29:50', '00:15'],
      ['operator', '14:50', '00:15'],
    ] as const) {
      const page = await desk.page({ as: role, path: null, viewport: 'desk', clock: true });
      await page.goto(`${desk.origin}/console/#/me`);
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await page.mouse.move(40, 40);
      await page.clock.fastForward(before);
      expect(await lockScreen(page).count()).toBe(0);
      await page.clock.fastForward(after);
      await lockScreen(page).waitFor();
      await expect.poll(() => sessionOf(page.context())).toMatch(/^401/);
    }
  });
});

describe('a wall display in an office', () => {
  const wallValue = (page: Page) => page.locator('.wall-value').first();

  it('does not keep other tabs open: they are signed out after 30 minutes, and the wall display with them', async () => {
    const page = await desk.page({ as: 'lead', path: null, viewport: 'desk', clock: true });
    await page.goto(`${desk.origin}/console/#/me`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const wall = await desk.page({ context: page.context(), path: '/console/#/boards?wall=1' });
    await wallValue(wall).waitFor();
    await page.mouse.move(40, 40);
    await page.clock.fastForward('29:50');
    expect(await lockScreen(page).count()).toBe(0);
    await page.clock.fastForward('00:15');
    await lockScreen(page).waitFor();
    await lockScreen(wall).waitFor();
  });

  it('alone is not locked, but asks the person who closes it after 30 minutes to sign in', async () => {
    const wall = await desk.page({ as: 'lead', path: null, viewport: 'desk', clock: true });
    await wall.goto(`${desk.origin}/console/#/boards?wall=1`);
    await wallValue(wall).waitFor();
    await wall.clock.fastForward('40:00');
    await wall.mouse.move(40, 40);
    await wall.clock.fastForward('00:06');
    expect(await lockScreen(wall).count()).toBe(0);
    await wall.keyboard.press('Escape');
    await lockScreen(wall).waitFor();
    await expect.poll(() => sessionOf(wall.context())).toMatch(/^401/);
  });
});

describe('the session of an active user', () => {
  const lastEnd = (page: Page) =>
    page.evaluate(() => JSON.parse(localStorage.getItem('backroom.session') ?? '{}').expiresAt as string | undefined);

  it('continues at a reload without the network, also on a browser that is no device', async () => {
    const page = await desk.page({ as: 'associate', path: null, worker: true, clock: true });
    await page.goto(`${desk.origin}/console/`);
    await home(page).waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    for (const at of [20, 40]) {
      const before = await lastEnd(page);
      desk.town.clock.now += 25 * 60_000;
      await page.clock.fastForward('25:00');
      await page.mouse.move(at, at);
      await expect.poll(() => lastEnd(page)).not.toBe(before);
    }
    await page.context().setOffline(true);
    await page.reload();
    await home(page).waitFor();
  });

  it('keeps the screen for the same person if the service ends it', async () => {
    const { clientId = '', userId, password } = desk.town.people.manager;
    const page = await desk.page({ as: 'manager', path: null, viewport: 'desk', clock: true });
    await page.goto(`${desk.origin}/console/#/me`);
    const typed = page.getByLabel('New password');
    await typed.fill(TYPED);
    await desk.town.operator('DELETE', `/operator/v1/clients/TOWN/users/${userId}/sessions`);
    await page.clock.fastForward('02:10');
    await page.mouse.move(40, 40);
    await lockScreen(page).waitFor();
    const form = lockScreen(page).locator('form');
    for (const [name, text] of Object.entries({ clientId, userId, password }))
      await form.locator(`[name="${name}"]`).fill(text);
    await form.getByRole('button', { name: 'Sign in', exact: true }).click();
    await lockScreen(page).waitFor({ state: 'detached' });
    expect(await typed.inputValue()).toBe(TYPED);
  });

  it('does not come back with a response after the lock', async () => {
    const page = await handheld();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const isRead = ({ method, url }: { method: string; url: string }) => method === 'GET' && url === '/session';
    desk.proxy.next(isRead, { kind: 'hold', until: promise });
    await page.clock.fastForward('02:40');
    const response = page.waitForResponse((one) => one.url().endsWith('/session') && one.request().method() === 'GET');
    await page.mouse.move(20, 20);
    await page.clock.fastForward('03:05');
    await lockScreen(page).waitFor();
    resolve(undefined);
    await (await response).finished();
    await page.clock.fastForward('00:05');
    expect(await lastEnd(page)).toBeUndefined();
    expect(await lockScreen(page).count()).toBe(1);
  });
});
