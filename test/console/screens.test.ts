/** Every screen of the console's table of routes: accessible, within its width, without a report of the policy. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOpenTo, ROUTES } from '../../console/routes.ts';
import { permissionsOf, type Role } from '../../src/platform/roles.ts';
import { loadArrivals, townArrivals } from '../../src/service/demo/arrivals.ts';
import { beyondEdge } from '../../town/console/measure.ts';
import { townCall } from '../support/town.ts';
import { axe, type Console, OF_COLORS, openConsole, VIEWPORTS } from './support/browser.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
  await loadArrivals(townCall(desk.town.call), desk.town.client.secrets, desk.town.clock.now);
  const plans = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans';
  await desk.town.client.post(plans, { planId: 'plan', userId: 'leo', rule: { type: 'BINS', bins: ['B-'] } });
  expect((await desk.town.client.post(`${plans}/plan/open`, { userId: 'leo' })).status).toBe(200);
});
afterAll(() => desk.close());

/** Who opens a screen, by the first permission that it asks for. */
const WHO: Partial<Record<string, Role>> = {
  installation: 'operator',
  client: 'integrator',
  'items.write': 'integrator',
  people: 'manager',
  'orders.change': 'manager',
  receive: 'manager',
};

/** Values for the parameters of a path. */
function pathOf(pattern: string): string {
  const { orders, tickets } = desk.town;
  const orderOf: Record<string, string> = {
    'hand-over': orders.ready,
    'check-in': orders.arriving,
    pack: orders.picked,
    deliver: orders.delivery,
  };
  const orderId = orderOf[pattern.split('/')[1]!] ?? orders.ready;
  return pattern
    .replace(':storeId', 'TOWN_US')
    .replace(':orderId', orderId)
    .replace(':ticketId', tickets.open)
    .replace(':itemId', '21-MUG-WHT')
    .replace(':type', 'ASN')
    .replace(':number', numberOf(pattern))
    .replace(':interchangeId', desk.town.edi.interchange)
    .replace(':cartonId', townArrivals.cartons.inWork[4])
    .replace(':planId', 'plan')
    .replace(':kind', 'PICK');
}

/** A return that was received in part, or a shipment. */
function numberOf(pattern: string): string {
  if (/^\/(?:office\/)?returns?\//.test(pattern)) return 'R-2003';
  return pattern.endsWith('/close') ? townArrivals.held : townArrivals.inWork;
}

interface Look {
  viewport: 'narrow' | 'tablet' | 'desk';
  theme: 'light' | 'dark';
}

/** The looks of a device with touch, and of one without. */
const DEVICES: readonly (readonly [Look, Look])[] = [
  [
    { viewport: 'narrow', theme: 'light' },
    { viewport: 'narrow', theme: 'dark' },
  ],
  [
    { viewport: 'tablet', theme: 'light' },
    { viewport: 'desk', theme: 'dark' },
  ],
];

/** Shows a screen from within the page, as a tap does. */
async function show(page: Page, pattern: string): Promise<void> {
  await page.evaluate((path) => {
    location.hash = path;
  }, pathOf(pattern));
  await page.waitForSelector('#main h1, .desk-page h1, .screen h1');
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

/** The page of somebody who works at the town's first store. */
async function pageOf(
  options: Parameters<Console['page']>[0],
  watch: (page: Page) => void = () => undefined,
): Promise<Page> {
  const page = await desk.page({ ...options, path: null, motion: true });
  watch(page);
  await page.addInitScript(() => {
    localStorage.setItem('backroom.place', JSON.stringify({ clientId: 'TOWN', nodeId: 'TOWN-Store001' }));
  });
  await page.goto(`${desk.origin}/console/`);
  await page.waitForSelector('#main');
  return page;
}

type Wrong = Record<string, unknown>;

/** Opens each screen once and looks at it in both looks of a device; returns the errors of each look by screen. */
async function wrongOf(who: Role, patterns: readonly string[], looks: readonly [Look, Look]): Promise<[Wrong, Wrong]> {
  const page = await pageOf({ ...looks[0], as: who });
  const wrong: [Wrong, Wrong] = [{}, {}];
  for (const pattern of patterns) {
    await page.setViewportSize(VIEWPORTS[looks[0].viewport]);
    await page.emulateMedia({ colorScheme: looks[0].theme });
    await show(page, pattern);
    let html: string | undefined;
    for (const [index, look] of looks.entries()) {
      if (index > 0) await turnTo(page, look);
      const before = html;
      html = `${look.viewport} ${await page.innerHTML('body')}`;
      // In the same document at the same size only the colors differ.
      const rules = html === before ? OF_COLORS : undefined;
      const violations = await axe(page, 'body', rules);
      const [sideways, text] = [await beyondEdge(page), await page.innerText('#app')];
      if (violations.length > 0 || sideways.length > 0 || text.trim() === '')
        wrong[index]![pattern] = { violations, sideways, text };
    }
  }
  return wrong;
}

async function turnTo(page: Page, { viewport, theme }: Look): Promise<void> {
  await page.setViewportSize(VIEWPORTS[viewport]);
  await page.emulateMedia({ colorScheme: theme });
  // A chart follows the width with the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

describe('every screen', () => {
  it.each(['associate', 'clerk', 'support', 'integrator'] as const)(
    'open to the role %s sends no request that the service rejects',
    async (role) => {
      const refused: string[] = [];
      let shown = 'home';
      const page = await pageOf({ viewport: 'narrow', theme: 'light', as: role }, (opened) => {
        opened.on('response', (response) => {
          if ([401, 403].includes(response.status())) refused.push(`${shown} ${response.url()}`);
        });
      });
      const own: readonly string[] = permissionsOf(role);
      for (const one of ROUTES.filter((route) => isOpenTo(route, (permission) => own.includes(permission)))) {
        shown = one.pattern;
        await show(page, one.pattern);
      }
      expect(refused).toEqual([]);
    },
  );

  for (const looks of DEVICES) {
    for (const who of ['lead', 'manager', 'integrator', 'operator'] as const) {
      const shown = ROUTES.filter(({ permissions }) => (WHO[permissions?.[0] ?? ''] ?? 'lead') === who);
      let looked: Promise<[Wrong, Wrong]> | undefined;
      for (const [index, { viewport, theme }] of looks.entries()) {
        it(`of the ${who} is accessible and within its width, ${viewport}, ${theme}`, async () => {
          looked ??= wrongOf(
            who,
            shown.map(({ pattern }) => pattern),
            looks,
          );
          expect((await looked)[index]).toEqual({});
        });
      }
    }
  }
});
