import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { setPin } from '../people/support.ts';
import { type Console, enroll, newContext, openConsole } from './support/browser.ts';
import { openReleases, type Releases } from './support/releases.ts';

let desk: Console;
let releases: Releases;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
  releases = await openReleases(desk);
});
beforeEach(() => {
  desk.proxy.reset();
  releases.deploy(1);
});
afterAll(() => desk.close());

/** Opens the console and waits until its service worker controls the page. */
async function installed(path = '/console/', allow: RegExp[] = [], clock = false): Promise<Page> {
  const page = await desk.page({ path, allow, worker: true, clock });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return page;
}

/** Returns the number of the release that a page runs. */
const releaseOf = (page: Page) =>
  page.evaluate(() => Number(/-(\d)[\w-]{6}\d\.js/.exec(document.querySelector('script')?.src ?? '')?.[1]));
const look = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });
const waits = (page: Page) =>
  page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting != null);
const cached = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return { names, paths: requests.flat().map(({ url }) => new URL(url).pathname) };
  });
/** Returns the name of a script of release `n` that the page has not requested yet. */
const partOf = (n: number) =>
  releases.names(n).find((name) => /^index-.*\.js$/.test(name) || /^me-.*\.js$/.test(name))!;
const loads = (page: Page, name: string) =>
  page.evaluate(
    (url) =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    `/console/${name}`,
  );

describe('the console on a device', () => {
  it('starts without the network, and comes back to it', async () => {
    const page = await installed();
    const plug = desk.proxy.unplug();
    await page.reload();
    await page.locator('main, form, h1').first().waitFor();
    expect(await releaseOf(page)).toBe(1);
    plug();
  });

  it('keeps its own files and nothing of the interface', async () => {
    const page = await installed();
    await page.evaluate(async () => {
      for (const path of ['/livez', '/session', '/operator/v1/clients', '/console/nothing']) await fetch(path);
    });
    const { names, paths } = await cached(page);
    expect(names).toEqual([expect.stringMatching(/^backroom-console \/console\/ /)]);
    const own = ['', 'taken-over', ...releases.names(1)].map((name) => `/console/${name}`);
    expect(paths.filter((path) => !own.includes(path))).toEqual([]);
    const before = desk.proxy.passed.length;
    await page.evaluate(() => fetch('/livez'));
    expect(desk.proxy.passed.slice(before).map(({ url }) => url)).toEqual(['/livez']);
  });

  it('loads a new version beside the old one, and puts it in place at home, never in the middle of a ticket', async () => {
    const page = await installed('/console/#/pick/TOWN_US/100001');
    releases.deploy(2);
    await look(page);
    await waits(page);
    expect(await releaseOf(page)).toBe(1);
    // The service no longer has this file of the old release, so the service worker must have it.
    expect(await loads(page, partOf(1))).toBe(200);
    const reloaded = page.waitForEvent('load');
    await page.evaluate(() => {
      location.hash = '#/';
    });
    await reloaded;
    expect(await releaseOf(page)).toBe(2);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    expect(await loads(page, partOf(2))).toBe(200);
  });

  it('puts no new version in place while a password is being typed', async () => {
    const page = await installed();
    await page.getByLabel('Password', { exact: true }).fill('half a pass');
    releases.deploy(2);
    await look(page);
    await waits(page);
    await page.waitForTimeout(500);
    expect(await releaseOf(page)).toBe(1);
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('half a pass');
  });

  it('puts no new version in place while something is typed at home, and does so when the field is empty', async () => {
    const context = await newContext();
    onTestFinished(() => context.close());
    const page = await desk.page({ as: 'associate', worker: true, context });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const box = page.getByRole('searchbox', { name: 'Scan or find anything' });
    await box.fill('half a name');
    releases.deploy(2);
    await look(page);
    await page.getByText('A new version is ready').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.waitForTimeout(500);
    expect(await box.inputValue()).toBe('half a name');
    expect(await releaseOf(page)).toBe(1);
    const loaded = page.waitForEvent('load');
    await box.fill('');
    await loaded;
    expect(await releaseOf(page)).toBe(2);
  });

  it('puts a new version in place after the unlock if it was ready while the PIN was typed', async () => {
    const pin = '2580';
    await setPin(desk.town, 'associate', pin);
    const page = await installed();
    await enroll(page.context(), desk.origin, desk.town);
    await page.evaluate(() =>
      localStorage.setItem('backroom.device', JSON.stringify({ deviceId: 'D', nodeId: 'TOWN-Store001', name: 'One' })),
    );
    await page.reload();
    const signIn = async () => {
      await page.locator('[name="badge"]').fill('ana');
      await page.locator('[name="pin"]').fill(pin);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await signIn();
    await page.getByRole('searchbox', { name: 'Scan or find anything' }).waitFor();
    await page.evaluate(() => {
      location.hash = '#/me';
    });
    await page.getByRole('button', { name: 'Lock' }).click();
    await page.locator('dialog.lock-screen:modal').waitFor();
    await page.evaluate(() => {
      location.hash = '#/';
    });
    releases.deploy(2);
    await look(page);
    await waits(page);
    expect(await releaseOf(page)).toBe(1);
    const loaded = page.waitForEvent('load');
    await signIn();
    await loaded;
    expect(await releaseOf(page)).toBe(2);
  });

  it('puts a new version in place that was loading already when the page began to look for it', async () => {
    const context = await newContext();
    onTestFinished(() => context.close());
    const first = await desk.page({ path: '/console/', worker: true, context });
    await first.waitForFunction(() => navigator.serviceWorker.controller !== null);
    releases.deploy(2);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    desk.proxy.always(/me-[\w-]+\.js/, { kind: 'hold', until: promise });
    await look(first);
    const page = await desk.page({ path: '/console/', worker: true, context });
    await first.close();
    await page.getByLabel('Password', { exact: true }).waitFor();
    // If the page were slower than this, the test would pass in any case.
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.installing != null);
    await page.waitForTimeout(500);
    const loaded = page.waitForEvent('load');
    resolve(undefined);
    await loaded;
    expect(await releaseOf(page)).toBe(2);
  });

  it('puts no new version in place before the first PIN is saved', async () => {
    const page = await installed();
    await enroll(page.context(), desk.origin, desk.town);
    await page.evaluate(() =>
      localStorage.setItem('backroom.device', JSON.stringify({ deviceId: 'D', nodeId: 'TOWN-Store001', name: 'One' })),
    );
    await page.reload();
    const { body } = await desk.town.operator('POST', '/operator/v1/clients/TOWN/users/ana/pin');
    await page.locator('[name="badge"]').fill('ana');
    await page.locator('[name="pin"]').fill((body as { pin: string }).pin);
    releases.deploy(2);
    await look(page);
    await waits(page);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Choose your PIN' }).waitFor();
    await page.locator('[name="pin"]').fill('70931');
    await page.waitForTimeout(3_000);
    expect(await releaseOf(page)).toBe(1);
    expect(await page.locator('[name="pin"]').inputValue()).toBe('70931');
  });

  it('leaves another tab alone that is in the middle of a ticket, with all parts of its old version, until it comes home', async () => {
    const busy = await installed('/console/#/pick/TOWN_US/100001');
    const home = await desk.page({ context: busy.context(), worker: true });
    releases.deploy(2);
    const reloaded = home.waitForEvent('load');
    await look(home);
    await reloaded;
    await expect.poll(() => releaseOf(home)).toBe(2);
    expect(await releaseOf(busy)).toBe(1);
    expect(await loads(busy, partOf(1))).toBe(200);
    expect((await cached(busy)).names).toHaveLength(2);
    const back = busy.waitForEvent('load');
    await busy.evaluate(() => {
      location.hash = '#/';
    });
    await back;
    expect(await releaseOf(busy)).toBe(2);
  });

  it('keeps one version before the current one, and no more', async () => {
    const page = await installed('/console/', [/status of 404.*-1[\w-]{6}1\.js/]);
    for (const n of [2, 3]) {
      releases.deploy(n);
      const reloaded = page.waitForEvent('load');
      await look(page);
      await reloaded;
      await expect.poll(() => releaseOf(page)).toBe(n);
    }
    await expect.poll(async () => (await cached(page)).names).toHaveLength(2);
    expect(await loads(page, partOf(2))).toBe(200);
    expect(await loads(page, partOf(1))).toBe(404);
  });

  it('takes no half of a version: where a file is missing the old one stays whole', async () => {
    const page = await installed();
    releases.deploy(2, { without: (name) => name === partOf(2) });
    await look(page).catch(() => undefined);
    await page.reload();
    expect(await releaseOf(page)).toBe(1);
    releases.deploy(2);
    const reloaded = page.waitForEvent('load');
    await look(page);
    await reloaded;
    await expect.poll(() => releaseOf(page)).toBe(2);
  });

  it('is taken back from every device by CONSOLE_CACHE=off, and comes back with on', async () => {
    const page = await installed();
    await page.evaluate(() => localStorage.setItem('mark', 'stays'));
    releases.deploy(2, { retired: true });
    const reloaded = page.waitForEvent('load');
    await look(page);
    await reloaded;
    await expect.poll(() => releaseOf(page)).toBe(2);
    expect((await cached(page)).names).toEqual([]);
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
      .toBe(0);
    expect(await page.evaluate(() => localStorage.getItem('mark'))).toBe('stays');
    expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([
      'backroom /',
    ]);
    releases.deploy(2);
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const off = await openConsole({ env: { CONSOLE_CACHE: 'off' } });
    const answers = await Promise.all(
      [desk, off].map(({ town }) => town.server.app.inject({ method: 'GET', url: '/console/worker.js' })),
    );
    expect(answers.map(({ body }) => [body.includes('unregister'), body.includes('install')])).toEqual([
      [false, true],
      [true, true],
    ]);
    expect(answers[0]!.headers['cache-control']).toBe('no-cache');
    await off.close();
  });

  it('takes over a new policy of the page without a new version, and the next one after an hour', async () => {
    const page = await installed('/console/', [], true);
    const policyWith = (origins: string) =>
      `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' ${origins}; font-src 'self'; worker-src 'self'; manifest-src 'self'; require-trusted-types-for 'script'; trusted-types console`;
    const policies: string[] = [];
    page.on('response', async (response) => {
      if (response.request().isNavigationRequest()) {
        policies.push((await response.headerValue('content-security-policy')) ?? '');
      }
    });
    // When the page gets the focus, it finds the changed policy and loads itself again.
    releases.deploy(1, { policy: policyWith('https://pictures.example') });
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect.poll(() => policies).toEqual([expect.stringContaining('pictures.example')]);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.waitForLoadState();
    releases.deploy(1, { policy: policyWith('https://pictures.example https://logos.example') });
    await page.evaluate(async () => {
      const told = new Promise((done) => navigator.serviceWorker.addEventListener('message', done, { once: true }));
      dispatchEvent(new Event('focus'));
      await told;
    });
    await page.clock.fastForward('59:00');
    await page.waitForTimeout(500);
    expect(policies).toHaveLength(1);
    await page.clock.fastForward('02:00');
    await expect.poll(() => policies.slice(1)).toEqual([expect.stringContaining('logos.example')]);
  });
});
