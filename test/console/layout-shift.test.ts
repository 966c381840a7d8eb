/** The layout of a new screen does not move while its parts arrive one after another. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/platform/roles.ts';
import { loadArrivals } from '../../src/service/demo/arrivals.ts';
import { shiftOf, watchShifts } from '../../town/console/measure.ts';
import { townCall } from '../support/town.ts';
import { type Console, openConsole } from './support/browser.ts';
import { NODE, pickedOrder, STORE, show } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

/** Pause between two responses, so that the page can draw each of them. */
const PAUSE_MS = 20;

const PLACE = JSON.stringify({ clientId: 'TOWN', nodeId: NODE });

let desk: Console;
let collected: string;
beforeAll(async () => {
  desk = await openConsole();
  await loadArrivals(townCall(desk.town.call), desk.town.client.secrets, desk.town.clock.now);
  const more = { customer: { name: 'Ada Noor', email: 'ada.noor@mail.example', phone: '' } };
  collected = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]], more });
  await pickedOrder(desk.town, 'C1', { lines: [['MUG-WHT', 1]], more });
});
afterAll(() => desk.close());

/**
 * Lets the responses to a page arrive one after another. Returns a function that waits until the page has all of its
 * parts.
 */
async function oneByOne(page: Page): Promise<() => Promise<void>> {
  let last: Promise<unknown> = Promise.resolve();
  let open = 0;
  await page.route('**/*', async (route) => {
    const request = route.request();
    // Navigations and long polls pass immediately. A long poll ends only after a change, so it would block all later
    // responses.
    if (request.isNavigationRequest() || /[?&]wait=/.test(request.url())) return route.continue();
    open += 1;
    const before = last;
    const respond = async () => {
      await before;
      await route.continue();
      await (await request.response())?.finished();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    };
    last = respond()
      // The page has canceled the request.
      .catch(() => undefined)
      .finally(() => {
        open -= 1;
      });
    return last;
  });
  const isWhole = () =>
    page.evaluate(
      () =>
        document.querySelector('h1') !== null &&
        document.querySelector('[aria-busy="true"]') === null &&
        document.documentElement.dataset['covered'] === undefined,
    );
  return async () => {
    await page.waitForSelector('h1');
    let quiet = 0;
    await expect
      .poll(
        async () => {
          quiet = open === 0 && (await isWhole()) ? quiet + 1 : 0;
          return quiet;
        },
        { interval: 2 * PAUSE_MS, timeout: 60_000 },
      )
      .toBeGreaterThan(2);
  };
}

/**
 * Removes the time limit after which an incomplete screen becomes visible, so that the result does not depend on the
 * speed of the machine. Runs in the page.
 */
function withoutLimit(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { animation: none !important }');
  document.adoptedStyleSheets = [sheet];
}

/** Returns the screens with parts that arrive late, for the user of a role. */
function screensOf(role: Role): readonly string[] {
  const { orders, tickets } = desk.town;
  const screens: Partial<Record<Role, readonly string[]>> = {
    associate: ['/', `/hand-over/${STORE}/${collected}`],
    lead: [
      '/',
      '/exceptions',
      '/boards',
      `/pick/${STORE}/${tickets.open}`,
      '/bring-back',
      `/bring-back/${STORE}/${tickets.open}`,
    ],
    manager: [
      '/receive',
      '/return',
      `/office/orders/${STORE}/${orders.ready}`,
      '/office/people',
      '/office/devices',
      '/office/access',
      '/office/returns',
    ],
    operator: ['/office/settings'],
  };
  return screens[role]!;
}

/** Returns the parts that move on the screens of a role at a size. */
async function movesOf(role: Role, viewport: 'narrow' | 'desk'): Promise<string[]> {
  const page = await openAs(desk, role, '/me', { viewport });
  await page.addInitScript(watchShifts);
  await page.addInitScript(withoutLimit);
  await page.evaluate((place) => localStorage.setItem('backroom.place', place), PLACE);
  const whole = await oneByOne(page);
  const moves: string[] = [];
  for (const path of screensOf(role)) {
    await page.goto('about:blank');
    await page.goto(`${desk.origin}/console/#${path}`);
    await whole();
    const { sum, moved } = await shiftOf(page);
    if (sum > 0) moves.push(`${path} (${viewport}) ${sum.toFixed(4)}: ${moved.join(', ')}`);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return moves;
}

describe('on a new screen', () => {
  it.each(['associate', 'lead', 'manager', 'operator'] as const)(
    'no part that arrives late moves another part, on a phone and at a desk, for the role %s',
    async (role) => {
      // The pages mostly wait for responses, so both sizes run at the same time.
      const moves = await Promise.all((['narrow', 'desk'] as const).map((viewport) => movesOf(role, viewport)));
      expect(moves.flat()).toEqual([]);
    },
  );
});

describe('a part that does not arrive', () => {
  const opacityOf = (page: Page) =>
    page.evaluate(async () => {
      // A transition starts with the old value, so the function waits some frames.
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      return getComputedStyle(document.querySelector('main')!).opacity;
    });
  const isCovered = (page: Page) => page.evaluate(() => document.documentElement.dataset['covered'] !== undefined);

  it('keeps a new screen invisible only for the time limit', async () => {
    const page = await openAs(desk, 'lead', '/me', { viewport: 'narrow' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.route('**/people', () => undefined);
    await show(page, `/pick/${STORE}/${desk.town.tickets.open}`);
    await page.getByRole('button', { name: 'Take over' }).waitFor();
    await expect.poll(() => opacityOf(page)).toBe('1');
    expect(await isCovered(page)).toBe(true);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('leaves a screen visible that is visible already', async () => {
    const page = await openAs(desk, 'lead', '/find', { viewport: 'narrow' });
    await page.getByRole('heading', { level: 2 }).waitFor();
    await expect.poll(() => isCovered(page)).toBe(false);
    await page.route('**/scan', () => undefined);
    await page.getByRole('searchbox').fill('Ada');
    await page.keyboard.press('Enter');
    await expect.poll(() => isCovered(page)).toBe(true);
    expect(await opacityOf(page)).toBe('1');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
