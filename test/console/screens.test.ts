/**
 * Checks every screen of the console's table of routes: it is accessible, fits the width of the window and causes no
 * violation of the Content-Security-Policy.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOpenTo, ROUTES } from '../../console/routes.ts';
import { floor as deFloor } from '../../console/texts/de/floor.ts';
import { de } from '../../console/texts/de/index.ts';
import { takeBack as deTakeBack } from '../../console/texts/de/take-back.ts';
import { floor as enFloor } from '../../console/texts/en/floor.ts';
import { en } from '../../console/texts/en/index.ts';
import { takeBack as enTakeBack } from '../../console/texts/en/take-back.ts';
import { floor as esFloor } from '../../console/texts/es/floor.ts';
import { es } from '../../console/texts/es/index.ts';
import { takeBack as esTakeBack } from '../../console/texts/es/take-back.ts';
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

/** The role that opens a screen, by the first permission that the screen requires. */
const WHO: Partial<Record<string, Role>> = {
  installation: 'operator',
  client: 'integrator',
  'items.write': 'integrator',
  people: 'manager',
  'orders.change': 'manager',
  receive: 'manager',
};

/** Fills in the parameters of a path. */
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

/** Returns the number of a partly received return or of a shipment, by the pattern of the screen. */
function numberOf(pattern: string): string {
  if (/^\/(?:office\/)?returns?\//.test(pattern)) return 'R-2003';
  return pattern.endsWith('/close') ? townArrivals.held : townArrivals.inWork;
}

interface Look {
  viewport: 'narrow' | 'tablet' | 'desk';
  theme: 'light' | 'dark';
}

/** Sizes and themes to check: two of a device with touch, then two of a device without touch. */
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

/** Opens a screen from within the page, as a tap does. */
async function show(page: Page, pattern: string): Promise<void> {
  await page.evaluate((path) => {
    location.hash = path;
  }, pathOf(pattern));
  await page.waitForSelector('#main h1, .desk-page h1, .screen h1');
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

/** Opens a page with the town's first store selected. */
async function pageOf(
  options: Parameters<Console['page']>[0],
  watch: (page: Page) => void = () => undefined,
  place: object = { clientId: 'TOWN', nodeId: 'TOWN-Store001' },
): Promise<Page> {
  const page = await desk.page({ ...options, path: null, motion: true });
  watch(page);
  await page.addInitScript((chosen) => {
    localStorage.setItem('backroom.place', JSON.stringify(chosen));
  }, place);
  await page.goto(`${desk.origin}/console/`);
  await page.waitForSelector('#main');
  return page;
}

type Wrong = Record<string, unknown>;

/** Opens each screen once and checks it in both looks of a device; returns the errors of each look by screen. */
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
      // If document and size are the same, only the colors differ, so only the color rules are checked.
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
  // A chart adapts to the width in the next frame.
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

  it('at the desk has a skip link that moves the focus past the navigation', async () => {
    const page = await pageOf({ viewport: 'desk', theme: 'light', as: 'lead' });
    const missed: string[] = [];
    for (const { pattern } of ROUTES.filter(({ permissions }) => (WHO[permissions?.[0] ?? ''] ?? 'lead') === 'lead')) {
      await show(page, pattern);
      await page.locator('.skip').focus();
      await page.keyboard.press('Enter');
      if ((await page.evaluate(() => document.activeElement?.id)) !== 'main') missed.push(pattern);
    }
    expect(missed).toEqual([]);
  });

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

type Tree = { readonly [name: string]: unknown };
const LANGUAGES: Readonly<Record<string, Tree>> = {
  en: { ...en, ...enFloor, texts: enTakeBack },
  de: { ...de, ...deFloor, texts: deTakeBack },
  es: { ...es, ...esFloor, texts: esTakeBack },
};

/** Returns the names of the texts in those parts of the console's sources that match `pattern`. */
function namesIn(pattern: RegExp): string[] {
  const room = join(import.meta.dirname, '../../console');
  const sources = readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => readFileSync(join(room, name), 'utf8'));
  const shown = sources.flatMap((source) => source.match(pattern) ?? []);
  const names = shown.flatMap((line) => line.match(/\b[a-zA-Z]+\.[a-zA-Z]+\b/g) ?? []);
  return [...new Set(names)].filter((name) => typeof textOf(LANGUAGES['en']!, name) === 'string');
}
const SCAN_LINES = /scanLabel.*|<ScanTarget.*|return .*receive\.scan.*/g;
/** Names of the texts of scan fields in dialogs. These fields are narrower than the fields on screens. */
const IN_DIALOGS = ['counter.moveScan', 'pack.scanTracking', 'pick.scanPlace', 'receive.scanBin'];
const SEARCH_BOXES = /<(?:QueryBox|SearchBox)\s+label=.*/g;

const textOf = (tree: Tree, name: string) => {
  const [group = '', key = ''] = name.split('.');
  return (tree[group] as Tree | undefined)?.[key];
};

type Hints = readonly [
  language: string,
  scans: readonly string[],
  inDialogs: readonly string[],
  searches: readonly string[],
];

/**
 * Runs in the page. Returns the hints that do not fit into a scan line on the screen or in a dialog, or into a search
 * box.
 */
function findCut([lang, scans, inDialogs, searches]: Hints): string[] {
  document.documentElement.lang = lang;
  const screen = document.querySelector('.scan-target-frame')!;
  const dialog = Object.assign(document.createElement('dialog'), { className: 'dialog' });
  const body = Object.assign(document.createElement('div'), { className: 'body' });
  body.append(screen.cloneNode(true));
  dialog.append(body);
  document.body.append(dialog);
  dialog.showModal();
  const cut = [[screen, scans] as const, [body, inDialogs] as const].flatMap(([frame, texts]) => {
    const hint = frame.querySelector<HTMLElement>('.scan-hint')!;
    const { offsetHeight: height } = frame.querySelector('input')!;
    return texts.filter((text) => {
      hint.textContent = text;
      return hint.scrollWidth > hint.clientWidth || hint.offsetHeight > height;
    });
  });
  dialog.remove();
  const box = document.querySelector<HTMLInputElement>('.find-box input')!;
  const style = getComputedStyle(box);
  const pen = document.createElement('canvas').getContext('2d')!;
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  // A search field reserves space for its clear button.
  const room = box.clientWidth - 24 - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
  return [...cut, ...searches.filter((text) => pen.measureText(text).width > room)];
}

describe('the hint of a scan line or a search box', () => {
  it('is whole at 320 px in every language, on a screen and in a dialog', async () => {
    const page = await pageOf({ viewport: 'narrow', theme: 'light', as: 'lead' });
    await show(page, '/receive');
    const [scans, searches] = [[...namesIn(SCAN_LINES), 'scan.target'], namesIn(SEARCH_BOXES)];
    expect([scans.length > 20, searches.length > 3]).toEqual([true, true]);
    for (const [language, tree] of Object.entries(LANGUAGES)) {
      const wordsOf = (names: readonly string[]) => names.map((name) => textOf(tree, name) as string);
      const cut = await page.evaluate(findCut, [
        language,
        wordsOf(scans),
        wordsOf(IN_DIALOGS),
        wordsOf(searches),
      ] as const);
      expect([language, cut]).toEqual([language, []]);
    }
  });
});

/** Screens of a store without any activity, and the text that each shows. */
const EMPTY_STORE = [
  ['/queue?queueId=WAITING_FOR_PICK_ISPU', 'New orders appear here by themselves.'],
  ['/tickets', 'Take orders from a pick queue'],
  ['/bring-back', 'Picked goods of canceled orders appear here.'],
  ['/hand-over', 'Home shows the other work.'],
  ['/hand-over?q=zzz', 'Check the spelling'],
  ['/check-in', 'Home shows the other work.'],
  ['/pack', 'Home shows the other work.'],
  ['/deliver', 'Home shows the other work.'],
  ['/return', 'Scan the slip, the label of the parcel'],
  ['/receive', 'You can also receive goods without papers.'],
  ['/receive?show=closed', 'Receive an open shipment and close it'],
  ['/receive?q=zzz', 'Show all'],
  ['/stock', 'Receive goods, or count the goods that are here.'],
  ['/stock?q=zzz', 'Show all'],
  ['/stock?show=belowZero', 'Nothing to do here.'],
  ['/stock?show=wanted', 'make a count plan'],
  ['/stock?show=approve', 'Nothing to do here.'],
  ['/stock/plans', 'Make one'],
  ['/stock/count', 'Scan'],
  ['/stock/move', 'Choose'],
  ['/move', 'Scan'],
  ['/exceptions', 'Nothing to do here.'],
  ['/exceptions?tab=held', 'Nothing to do here.'],
  ['/exceptions?tab=holds', 'Nothing to do here.'],
  ['/boards', 'Numbers appear with the first confirmed ticket.'],
  ['/items?q=zzz', 'Try fewer words'],
  ['/find', 'Scan'],
  ['/office/orders', 'Orders appear here by themselves.'],
  ['/passkeys', 'Add one for each device'],
] as const;

/** Lists of a client without any setup, and the text that each shows. */
const EMPTY_CLIENT = [
  ['/office/people', 'Add the people who work in your stores.'],
  ['/office/nodes', 'Add the first one.'],
  ['/office/stores', 'New web store'],
  ['/office/providers', 'Add the one of your company.'],
  ['/office/credentials', 'Make one for each system.'],
  ['/office/webhooks', 'Add one with the address of your system.'],
  ['/office/inbound', 'import them from a file under Imports'],
] as const;

describe('an empty list', () => {
  it.each([
    ['a store', 'manager', { clientId: 'TOWN', nodeId: 'TOWN-Empty001' }, EMPTY_STORE],
    ['a client', 'operator', { clientId: 'EMPTY' }, EMPTY_CLIENT],
  ] as const)('of %s says what to do next', async (_, who, place, table) => {
    const { operator } = desk.town;
    const { body: node } = await operator('GET', '/operator/v1/clients/TOWN/nodes/TOWN-Store002');
    const { body: client } = await operator('GET', '/operator/v1/clients/TOWN');
    for (const [path, body] of [
      ['TOWN/nodes/TOWN-Empty001', { ...node, nodeId: 'TOWN-Empty001', name: 'New street', stock: 'KEPT' }],
      ['EMPTY', { name: 'Empty', catalogIds: ['41'], settings: client.settings }],
    ] as const) {
      const made = await operator('PUT', `/operator/v1/clients/${path}`, body);
      expect(made.status, made.text).toBeLessThan(300);
    }
    const page = await pageOf({ viewport: 'narrow', theme: 'light', as: who }, undefined, place);
    const wrong: string[] = [];
    for (const [path, sentence] of table) {
      await show(page, path);
      const isSaid = await page
        .locator('.empty', { hasText: sentence })
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        );
      if (!isSaid) wrong.push(`${path}: ${await page.locator('#main').innerText()}`);
    }
    expect(wrong).toEqual([]);
  });
});
