/**
 * Receiving in a real browser: cartons and pieces by scanner, several users at the same time, work without the network,
 * closing with reasons.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadArrivals, messageOf, townArrivals } from '../../src/service/demo/arrivals.ts';
import { beyondEdge } from '../../town/console/measure.ts';
import { townCall } from '../support/town.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import { printedBy, show, smallTargets, wedge } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
  await loadArrivals(townCall(desk.town.call), desk.town.client.secrets, desk.town.clock.now);
});
afterAll(() => desk.close());

const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
const { cartons } = townArrivals;

interface Sums {
  [name: string]: number;
}

/** Reads the shipment from the service and checks that its sums add up. */
async function shipmentOf(number: string, type = 'ASN') {
  const { body } = await desk.town.client.get(`${NODE}/inbound/${type}/${number}`);
  for (const one of [...body.sums.keys, body.sums.total] as Sums[]) {
    const { announced, over, good, damaged, refused, held, short, open } = one as Record<string, number>;
    expect(announced! + over!).toBe(good! + damaged! + refused! + held! + short! + open!);
  }
  return body as {
    state: string;
    arrivedAt?: string;
    sums: { total: Sums; keys: (Sums & { cartonId?: string; itemId: string })[] };
    cartons: { cartonId: string; state: string }[];
    receipts: { receiptId: string; corrects?: string }[];
    statements: { version: number; lines: { reasons: string[] }[] }[];
  };
}

const totalOf = async (number: string, type?: string) => (await shipmentOf(number, type)).sums.total;
const stateOf = async (number: string, cartonId: string) =>
  (await shipmentOf(number)).cartons.find((one) => one.cartonId === cartonId)?.state;
const path = (number: string, below = '') => `/receive/ASN/${number}${below}?sellerId=TOWNS`;
const openCartons = async (page: Page, number: string) => {
  await page.evaluate((to) => {
    location.hash = to;
  }, path(number));
  await page.locator('.receive-carton').first().waitFor();
};
const receipt = (number: string, body: object) =>
  desk.town.client.post(`${NODE}/inbound/ASN/${number}/receipts`, { userId: 'ben', ...body });
/** A carton that two shipments announce. */
const TWICE = 'TWICE-0001';
const said = (page: Page) => page.locator('.band').first();
type Mugs = [cartonId: string, quantity: number];
/** Announces cartons of mugs. */
const announce = (number: string, ...mugs: Mugs[]) => announceAt('HS001', number, ...mugs);
async function announceAt(receivingWarehouseId: string, number: string, ...mugs: Mugs[]): Promise<void> {
  const lines = mugs.map(([cartonId, quantity]) => ['MUG-WHT', quantity, cartonId] as const);
  const message = messageOf({ type: 'ASN', number, day: 0, shipper: 'Quayside', lines }, desk.town.clock.now);
  const text = JSON.stringify(message, (name, value) =>
    name === 'receivingWarehouseId' ? receivingWarehouseId : value,
  );
  const sent = await desk.town.client.post('/poasn-manager-service/sellers/TOWNS/poasn/create', JSON.parse(text));
  expect(sent.status, sent.text).toBeLessThan(300);
}

/** Signs the user out. The page remains open. */
async function signOut(page: Page): Promise<void> {
  await show(page, '/me');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('[name="password"]').waitFor();
}

async function signIn(page: Page, role: 'lead'): Promise<void> {
  const { clientId, userId, password } = desk.town.people[role];
  await page.locator('[name="clientId"]').fill(clientId!);
  await page.locator('[name="userId"]').fill(userId);
  await page.locator('[name="password"]').fill(password);
  await page.locator('form button[type="submit"]').click();
  await page.locator('[name="password"]').waitFor({ state: 'detached' });
}

describe('receiving', () => {
  it('by scanner: a carton from the list, whole cartons, one taken back, one damaged, and who was faster', async () => {
    const number = townArrivals.today;
    const page = await openAs(desk, 'clerk', '/receive');
    await page.getByText(townArrivals.late).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'In work',
      'Late',
      'Expected today',
      'Later',
    ]);
    await wedge(page, `]C1${cartons.today[0]}`);
    await page.getByRole('button', { name: 'Receive the whole carton · 12' }).click();
    await page.getByText('…002011 received').waitFor();
    await expect.poll(() => stateOf(number, cartons.today[0])).toBe('RECEIVED');

    await openCartons(page, number);
    await wedge(page, cartons.today[1].slice(2));
    await page.getByText('…002028 received · 12 units').waitFor();
    await wedge(page, cartons.today[1]);
    await page.getByText('…002028 is received already').waitFor();
    await expect.poll(() => said(page).textContent()).toContain('Nothing was counted');
    await expect.poll(() => totalOf(number)).toMatchObject({ good: 24 });

    await wedge(page, cartons.today[2]);
    await page.getByText('…002035 received').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    await expect.poll(() => stateOf(number, cartons.today[2])).toBe('EXPECTED');
    expect((await shipmentOf(number)).receipts.at(-1)).toHaveProperty('corrects');
    await wedge(page, 'BR:UNDO');
    await expect.poll(() => stateOf(number, cartons.today[1])).toBe('EXPECTED');

    await page.getByRole('link', { name: /002035/ }).click();
    await page.getByRole('button', { name: 'Damaged', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect
      .poll(() => dialog.getByRole('button', { name: /^Damaged/ }).textContent())
      .toContain('Choose a reason');
    await dialog.getByLabel('Wet').check();
    await dialog.getByRole('button', { name: 'Damaged' }).click();
    await page.getByText('…002035: Damaged').waitFor();
    await expect.poll(() => stateOf(number, cartons.today[2])).toBe('DAMAGED');

    await openCartons(page, number);
    const plug = desk.proxy.unplug();
    await wedge(page, cartons.today[4]);
    await page.getByText('…002059 received').waitFor();
    await receipt(number, { receiptId: 'faster', cartons: [{ cartonId: cartons.today[4], as: 'GOOD' }] });
    plug();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    const conflict = page.getByRole('article', { name: `Carton ${cartons.today[4]}` });
    await conflict.getByText(/ben, since/).waitFor();
    await conflict.getByRole('button', { name: 'OK, mine does not count' }).click();
    await conflict.waitFor({ state: 'detached' });
    expect((await shipmentOf(number)).receipts.filter(({ corrects }) => corrects === undefined)).toHaveLength(5);
  });

  it('a receipt that was rejected and given up cannot be undone; one that is taken in can, and is not given up', async () => {
    await announce('ASN-GIVEN', ['GIVEN-0001', 2], ['GIVEN-0002', 3]);
    const page = await openAs(desk, 'clerk', path('ASN-GIVEN'));
    await page.locator('[data-scan-target]:focus').waitFor();
    // The network must not fail before the screen has loaded all of its parts.
    await page.waitForLoadState('networkidle');
    const plug = desk.proxy.unplug();
    await wedge(page, 'GIVEN-0001');
    await page.getByText('VEN-0001 received').waitFor();
    await receipt('ASN-GIVEN', { receiptId: 'first', cartons: [{ cartonId: 'GIVEN-0001', as: 'GOOD' }] });
    plug();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    const conflict = page.getByRole('article', { name: 'Carton GIVEN-0001' });
    await conflict.getByRole('button', { name: 'OK, mine does not count' }).click();
    await conflict.waitFor({ state: 'detached' });
    expect(await page.getByText('VEN-0001 received').count()).toBe(0);
    await wedge(page, 'BR:UNDO');
    await said(page).getByText('Nothing to undo here').waitFor();
    await page.getByText('sent', { exact: true }).waitFor();
    expect(await stateOf('ASN-GIVEN', 'GIVEN-0001')).toBe('RECEIVED');

    await page.evaluate(
      (to) => {
        location.hash = to;
      },
      path('ASN-GIVEN', '/carton/STRAY-1'),
    );
    await page.getByRole('heading', { name: 'STRAY-1' }).waitFor();
    await page.locator('[data-scan-target]:focus').waitFor();
    const heal = desk.proxy.always(/POST .*\/receipts/, {
      kind: 'refuse',
      status: 409,
      body: { code: 'UNANNOUNCED', description: 'not announced' },
    });
    await wedge(page, '400000000053');
    await page.getByRole('dialog').getByRole('button', { name: 'Take it in' }).click();
    const stray = page.getByRole('article', { name: 'Carton STRAY-1' });
    await stray.getByText('1 unit not sent').waitFor();
    await wedge(page, '400000000053');
    await said(page).getByText('The service did not accept something').waitFor();
    await said(page).getByText('This did not count').waitFor();
    await stray.getByText('1 unit not sent').waitFor();
    heal();
    await stray.getByRole('button', { name: 'Take it in' }).click();
    await stray.waitFor({ state: 'detached' });
    await expect.poll(() => totalOf('ASN-GIVEN')).toMatchObject({ good: 2, held: 1 });
    await wedge(page, 'BR:UNDO');
    await page.getByText('Undone').waitFor();
    await expect.poll(() => totalOf('ASN-GIVEN')).toMatchObject({ good: 2, held: 0 });
    await page.getByText('sent', { exact: true }).click();
    await page.getByText('All is sent, except 1 action that you gave up').waitFor();
  });

  it('one card settles all receipts of an order whose ASN is on its way, and nothing is counted before', async () => {
    const good = async () => (await totalOf(townArrivals.order, 'PO'))['good'];
    const page = await openAs(desk, 'clerk', `/receive/PO/${townArrivals.order}?sellerId=TOWNS`);
    await page.locator('[data-scan-target]:focus').waitFor();
    // The network must not fail before the screen has loaded all of its parts.
    await page.waitForLoadState('networkidle');
    const plug = desk.proxy.unplug();
    for (const [code, name] of [
      ['400000000046', 'Stoneware mug, white'],
      ['400000000084', 'Lavender soap'],
      ['400000000053', 'Brass desk lamp'],
    ] as const) {
      await wedge(page, code);
      await said(page).getByText(`+1 ${name}`).waitFor();
    }
    plug();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByText('1 to settle').waitFor();
    const cards = page.getByRole('article');
    await cards.getByText('3 units').waitFor();
    expect(await cards.count()).toBe(1);
    const counts = page.locator('.receive-count');
    await expect.poll(() => counts.allTextContents()).toEqual(['0/48', '0/60', '0/4']);
    await wedge(page, '400000000046');
    await said(page).getByText('The service did not accept something').waitFor();
    await said(page).getByText('This did not count').waitFor();
    await wedge(page, 'BR:UNDO');
    await said(page).getByText('Nothing to undo here').waitFor();
    await cards.getByText('3 units').waitFor();
    await cards.getByRole('button', { name: 'Take it in' }).click();
    await cards.waitFor({ state: 'detached' });
    await expect.poll(good).toBe(3);
    await wedge(page, '400000000046');
    await expect.poll(good).toBe(4);
    for (const left of [3, 2]) {
      await wedge(page, 'BR:UNDO');
      await expect.poll(good).toBe(left);
    }
    await page.getByText('sent', { exact: true }).click();
    await page.getByText('The service has everything').waitFor();
    await signOut(page);
    await signIn(page, 'lead');
    await show(page, `/receive/PO/${townArrivals.order}?sellerId=TOWNS`);
    await page.locator('[data-scan-target]:focus').waitFor();
    await wedge(page, '400000000046');
    await cards.getByRole('button', { name: 'Take it in' }).waitFor();
    expect(await good()).toBe(2);
    await cards.getByRole('button', { name: 'Leave it' }).click();
  });

  it('carton after carton: a whole one leads back to the shipment, a received one to the next, also after a reload', async () => {
    await announce('ASN-ROW', ['ROW-0001', 2], ['ROW-0002', 3], ['ROW-0003', 4], ['ROW-0004', 5], ['ROW-0005', 6]);
    const page = await openAs(desk, 'clerk', '/receive');
    await page.getByText(townArrivals.late).waitFor();
    await wedge(page, 'ROW-0001');
    await page.getByRole('button', { name: 'Receive the whole carton · 2' }).click();
    await page.getByRole('heading', { name: 'ASN-ROW' }).waitFor();
    await page.getByText('ROW-0001 received · 2 units').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => stateOf('ASN-ROW', 'ROW-0001')).toBe('EXPECTED');

    await page.getByRole('link', { name: /W-0001/ }).click();
    await page.getByRole('button', { name: 'Receive the whole carton · 2' }).waitFor();
    await wedge(page, 'ROW-0001');
    await page.getByText('ROW-0001 received · 2 units').waitFor();
    await wedge(page, 'ROW-0002');
    await page.getByText('ROW-0002 received · 3 units').waitFor();
    await expect.poll(() => totalOf('ASN-ROW')).toMatchObject({ good: 5 });

    await page.getByRole('button', { name: /^Done/ }).click();
    await page.getByRole('link', { name: /W-0001/ }).click();
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      // The screen of the shipment has a scan target too.
      await page.getByRole('heading', { name: 'ROW-0001' }).waitFor();
      await page.locator('[data-scan-target]').waitFor();
      await wedge(page, 'ROW-0001');
      await expect.poll(() => said(page).textContent()).toContain('ROW-0001 is received already');
    }
    await wedge(page, 'ROW-0003');
    await page.getByRole('button', { name: 'Receive the whole carton · 4' }).waitFor();
    await wedge(page, 'ROW-0004');
    await page.getByRole('button', { name: 'Receive the whole carton · 5' }).waitFor();
    await page.getByRole('button', { name: 'On hold', exact: true }).click();
    await page.getByRole('dialog').getByLabel('To be checked').check();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^On hold/ })
      .click();
    await page.getByRole('heading', { name: 'ASN-ROW' }).waitFor();
    await page.getByText('ROW-0004: On hold').waitFor();
    await expect.poll(() => totalOf('ASN-ROW')).toMatchObject({ good: 5, held: 5, open: 10 });
  });

  it('a code that is scanned while the next screen loads goes to that screen', async () => {
    await announce('ASN-FAST', ['FAST-0001', 2], ['FAST-0002', 3]);
    const page = await openAs(desk, 'clerk', path('ASN-FAST', '/carton/FAST-0001'), { clock: true });
    await page.getByRole('button', { name: 'Receive the whole carton · 2' }).waitFor();
    // A code waits for its screen for at most three seconds. The clock of the page stops, because a busy machine may
    // take longer to load the screen.
    await page.clock.setFixedTime(desk.town.clock.now);
    const load = Promise.withResolvers<undefined>();
    await page.route(/\.js$/, (route) => load.promise.then(() => route.continue()));
    await wedge(page, 'FAST-0001');
    await page.waitForURL(/ASN-FAST\?/);
    // The address changes a moment before the old screen goes away.
    await page.locator('html[data-covered]').waitFor({ state: 'attached' });
    await wedge(page, 'FAST-0002');
    load.resolve(undefined);
    await page.getByText('FAST-0002 received · 3 units').waitFor();
    await expect.poll(() => totalOf('ASN-FAST')).toMatchObject({ good: 5 });
  });

  it('a double tap receives a carton once and undoes one receipt', async () => {
    await announce('ASN-TAP-TWICE', ['TAPPED-1', 3], ['TAPPED-2', 3]);
    const page = await openAs(desk, 'clerk', path('ASN-TAP-TWICE'));
    await page.locator('[data-scan-target]:focus').waitFor();
    await wedge(page, 'TAPPED-1');
    await expect.poll(() => stateOf('ASN-TAP-TWICE', 'TAPPED-1')).toBe('RECEIVED');
    await page.locator('.receive-carton', { hasText: 'PPED-2' }).click();
    const tapTwice = (name: RegExp) =>
      page.getByRole('button', { name }).evaluate((button: HTMLElement) => {
        button.click();
        button.click();
      });
    await tapTwice(/^Receive the whole carton/);
    await said(page)
      .getByText(/TAPPED-2 received/)
      .waitFor();
    await expect.poll(() => stateOf('ASN-TAP-TWICE', 'TAPPED-2')).toBe('RECEIVED');
    await tapTwice(/^Undo/);
    await said(page).getByText('Undone').waitFor();
    await expect.poll(() => stateOf('ASN-TAP-TWICE', 'TAPPED-2')).toBe('EXPECTED');
    await page.getByText('sent', { exact: true }).waitFor();
    const { receipts } = await shipmentOf('ASN-TAP-TWICE');
    expect(receipts).toHaveLength(3);
    expect(await stateOf('ASN-TAP-TWICE', 'TAPPED-1')).toBe('RECEIVED');
  });

  it('at the end of a long list stays there with each scan', async () => {
    const cartons = Array.from({ length: 12 }, (_, index) => [`LONG-00${index + 10}`, 2] as [string, number]);
    await announce('ASN-LONG', ...cartons);
    const page = await openAs(desk, 'clerk', path('ASN-LONG'), { viewport: 'narrow' });
    await page.locator('.receive-carton').last().waitFor();
    await page.evaluate(() => scrollTo(0, 700));
    await page.locator('.scan-target-frame[data-away]').waitFor({ state: 'attached' });
    await wedge(page, 'LONG-0021');
    await page.getByText('LONG-0021 received').waitFor();
    // The row of the carton has another height afterwards.
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(600);
  });

  it('by pieces: a scan adds one, a number comes by the pad; over and unknown goods are asked once and held', async () => {
    const number = townArrivals.today;
    const page = await openAs(desk, 'clerk', path(number, `/carton/${cartons.today[3]}`));
    const counts = page.locator('.receive-count');
    await counts.first().waitFor();
    await expect.poll(() => counts.allTextContents()).toEqual(['0/6', '0/4']);
    for (let scans = 0; scans < 4; scans += 1) await wedge(page, '400000000077');
    await page.locator('.receive-count', { hasText: '4/4' }).waitFor();
    await wedge(page, '400000000077');
    await page.getByText('All 4 of Dock boot, brown, 42 are here already').waitFor();
    await expect.poll(() => counts.allTextContents()).toEqual(['0/6', '4/4']);
    await wedge(page, '400000000077');
    await page.getByText(/1 over: Dock boot/).waitFor();
    await wedge(page, '400000000053');
    await page.getByRole('heading', { name: 'Brass desk lamp is not announced here' }).waitFor();
    await page.getByRole('button', { name: 'Take it in' }).click();
    await expect.poll(() => counts.count()).toBe(3);

    await page.getByRole('button', { name: 'Number: Storm umbrella, navy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('How many?').pressSequentially('999999999');
    await dialog.getByRole('button', { name: 'Book 99999' }).waitFor();
    expect(await dialog.getByLabel('How many?').inputValue()).toBe('99999');
    await dialog.getByRole('button', { name: 'Book 99999' }).click();
    await page.getByText('Only 6 of 6 Storm umbrella, navy are still open').waitFor();
    await page.getByRole('button', { name: 'Leave it' }).click();
    await page.getByRole('button', { name: 'Number: Storm umbrella, navy' }).click();
    await dialog.getByRole('button', { name: '5', exact: true }).click();
    await dialog.getByRole('button', { name: 'Book 5' }).click();
    await page.getByRole('button', { name: 'Number: Storm umbrella, navy' }).click();
    await dialog.getByRole('button', { name: '1', exact: true }).click();
    await dialog.getByRole('button', { name: 'Rejected' }).click();
    await dialog.getByLabel('Crushed or torn').check();
    await dialog.getByRole('button', { name: 'Book 1' }).click();
    await expect
      .poll(async () => (await shipmentOf(number)).sums.keys.filter((key) => key.cartonId === cartons.today[3]))
      .toMatchObject([
        { announced: 6, good: 5, refused: 1, open: 0 },
        { announced: 4, good: 4, held: 1, over: 1 },
        { announced: 0, held: 1, over: 1 },
      ]);
    expect(await stateOf(number, cartons.today[3])).toBe('RECEIVED');
    // The device counted the units as good, but the service held them. The undo takes back the units that the service
    // booked.
    const last = async () => (await shipmentOf(number)).receipts.at(-1);
    await wedge(page, '400000000077');
    await expect.poll(last).toMatchObject({ lines: [{ good: 0, held: 1 }] });
    await wedge(page, 'BR:UNDO');
    await page.getByText('Undone').waitFor();
    await expect.poll(last).toMatchObject({
      lines: [{ good: 0, held: -1 }],
    });
  });

  it('shows a code that is scanned while a question is open, and counts nothing until it is answered', async () => {
    await announce('ASN-ASKED', ['ASKED-1', 2]);
    const page = await openAs(desk, 'clerk', path('ASN-ASKED', '/carton/ASKED-1'));
    const counts = page.locator('.receive-count');
    const dialog = page.getByRole('dialog');
    await expect.poll(() => counts.allTextContents()).toEqual(['0/2']);
    await wedge(page, '400000000053');
    await page.getByRole('heading', { name: 'Brass desk lamp is not announced here' }).waitFor();
    await wedge(page, '400000000046');
    await dialog.getByRole('alert').getByText('400000000046 was not counted').waitFor();
    await wedge(page, '4009999999999');
    await dialog.getByRole('alert').getByText('4009999999999 was not counted').waitFor();
    expect(await axe(page)).toEqual([]);
    await wedge(page, 'BR:UNDO');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => counts.allTextContents()).toEqual(['0/2']);
    await page.getByRole('button', { name: 'Number: Stoneware mug, white' }).click();
    await dialog.waitFor();
    await wedge(page, '400000000046');
    await dialog.getByRole('alert').getByText('400000000046 was not counted').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await wedge(page, '400000000046');
    await expect.poll(() => counts.allTextContents()).toEqual(['1/2']);
    // OK confirms the open question, and does not run the main action of the screen behind it.
    await wedge(page, '400000000053');
    await dialog.waitFor();
    await wedge(page, 'BR:OK');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => counts.allTextContents()).toEqual(['1/2', '1']);
  });

  it('keeps the shipments of the list for the next user also if the one before signed out in the middle', async () => {
    const page = await openAs(desk, 'clerk', '/');
    const kept = () =>
      desk.proxy.passed.filter(({ url }) => /\/inbound\/[A-Z]+\/[^/]+$/.test(url.split('?', 1)[0]!)).length;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const before = kept();
    desk.proxy.next(/\/inbound\/[A-Z]+\/[^/?]+(\?|$)/, { kind: 'hold', until: promise });
    await show(page, '/receive');
    await expect.poll(kept).toBe(before + 1);
    await signOut(page);
    resolve(undefined);
    await signIn(page, 'lead');
    await show(page, '/receive');
    await expect.poll(kept).toBeGreaterThan(before + 3);
  });

  it('reads a kept shipment again when the list shows other numbers, at most every 5 minutes', async () => {
    await announce('ASN-STALE', ['STALE-01', 2], ['STALE-02', 3]);
    const page = await openAs(desk, 'clerk', '/receive', { worker: true, clock: true });
    const reads = () => desk.proxy.passed.filter(({ url }) => /\/inbound\/ASN\/ASN-STALE\?/.test(url)).length;
    await expect.poll(reads).toBe(1);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const whole = await receipt('ASN-STALE', { receiptId: 'stale', cartons: [{ cartonId: 'STALE-01', as: 'GOOD' }] });
    expect(whole.status, whole.text).toBe(201);
    // Another screen and back: the list is read again.
    await show(page, '/me');
    await show(page, '/receive');
    await page.getByRole('link', { name: /ASN-STALE.*1 of 2 cartons/ }).waitFor();
    await show(page, '/me');
    expect(reads()).toBe(1);
    await page.clock.fastForward('05:01');
    const read = page.waitForResponse(/\/inbound\/ASN\/ASN-STALE\?/);
    await show(page, '/receive');
    await (await read).finished();
    const plug = desk.proxy.unplug();
    await page.evaluate(() => {
      location.hash = '/receive/ASN/ASN-STALE?sellerId=TOWNS';
    });
    await page.getByText('1 of 2 cartons').waitFor();
    plug();
    expect(reads()).toBeLessThan(4);
  });

  it('goes on without the network and through a reload; a response that is lost counts nothing twice', async () => {
    const number = townArrivals.late;
    const page = await openAs(desk, 'clerk', path(number), { worker: true });
    await page.locator('.receive-carton').first().waitFor();
    // Parts of the screen that load later come from the worker when the network is cut.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.getByRole('button', { name: 'It has arrived' }).click();
    await page.locator('.band').getByText('arrived').waitFor();
    await expect.poll(async () => (await shipmentOf(number)).arrivedAt).toBeDefined();
    desk.proxy.next(/POST .*\/receipts/, { kind: 'cut' });
    await wedge(page, cartons.late[0]);
    await page.getByText('…001014 received · 20 units').waitFor();
    await expect.poll(() => totalOf(number)).toMatchObject({ good: 20 });
    const plug = desk.proxy.unplug();
    await wedge(page, cartons.late[1]);
    await page.getByText('…001021 received').waitFor();
    await wedge(page, 'BR:UNDO');
    await page.getByText('Undone').waitFor();
    await wedge(page, cartons.late[1]);
    await page.getByText('2 of 2 cartons').waitFor();
    plug();
    await page.reload();
    await page.getByText('2 of 2 cartons').waitFor();
    await expect.poll(async () => (await shipmentOf(number)).receipts.length).toBe(4);
    await page.getByText('sent', { exact: true }).waitFor();
    expect(await totalOf(number)).toMatchObject({ good: 40, open: 0, over: 0 });
  });

  it('offers no counting of a carton that was received whole without the network, until that is undone', async () => {
    await announce('ASN-AWAY', ['AWAY-0001', 2], ['AWAY-0002', 2]);
    const page = await openAs(desk, 'clerk', path('ASN-AWAY', '/carton/AWAY-0001'), { worker: true });
    await page.getByRole('button', { name: /^\+1/ }).waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const plug = desk.proxy.unplug();
    await page.getByRole('button', { name: 'Receive the whole carton · 2' }).click();
    await page.getByText('AWAY-0001 received').waitFor();
    await page.getByRole('button', { name: /^Done/ }).click();
    await page.getByRole('link', { name: /Y-0001/ }).click();
    await page.getByText('AWAY-0001 is received already').waitFor();
    expect(await page.getByRole('button', { name: /^\+1/ }).count()).toBe(0);
    await wedge(page, 'BR:UNDO');
    await page.getByRole('button', { name: /^\+1/ }).waitFor();
    plug();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(async () => (await shipmentOf('ASN-AWAY')).receipts.length).toBe(2);
    expect(await totalOf('ASN-AWAY')).toMatchObject({ good: 0, open: 4 });
  });

  it('is printed in the office with the texts and the time of its own node', async () => {
    await announce('ASN-PAPER', ['PAPER-1', 1]);
    const closed = await desk.town.client.post(`${NODE}/inbound/ASN/ASN-PAPER/close`, {
      closeId: 'paper',
      userId: 'ben',
      reasons: [{ reason: 'NOT_SENT' }],
    });
    expect(closed.status, closed.text).toBe(200);
    const page = await openAs(desk, 'manager', '/me');
    await page.route(`**${NODE}/settings`, async (route) => {
      const response = await route.fetch();
      const json = { ...(await response.json()), timeZone: 'Asia/Tokyo', printing: { header: 'Harbor & Sons' } };
      await route.fulfill({ response, json });
    });
    await show(page, '/office/inbound/ASN/ASN-PAPER?sellerId=TOWNS&nodeId=TOWN-Store001&part=statements');
    const paper = await printedBy(page, 'Print');
    const inTokyo = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' } as const;
    expect(paper).toContain('Harbor & Sons');
    expect(paper).toContain(new Intl.DateTimeFormat('en', inTokyo).format(new Date(closed.body.closedAt)));
  });

  it('ends with a decision on held goods, reasons for what differs, and a statement; reopened with a reason', async () => {
    const number = townArrivals.held;
    const page = await openAs(desk, 'lead', '/');
    await page.getByRole('link', { name: /Receive.*\d to decide/ }).click();
    await page.getByRole('link', { name: new RegExp(`${number}.*on hold`) }).click();
    await page.getByRole('button', { name: 'Decide' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'All good' }).click();
    await dialog.getByRole('button', { name: 'Save the decision' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.evaluate(
      (to) => {
        location.hash = to;
      },
      path(number, '/close'),
    );
    await page.getByRole('button', { name: 'Close: 5 over' }).click();
    await page.getByText('2 lines need a reason').first().waitFor();
    await page.getByLabel('Too many sent').check();
    await page.getByRole('button', { name: /^Close/ }).click();
    await page.getByRole('heading', { name: 'Statement' }).waitFor();
    await page.getByRole('link', { name: 'Next shipment' }).waitFor();
    expect(await printedBy(page, 'Print')).toContain('Receiving statement');
    expect(await shipmentOf(number)).toMatchObject({ state: 'CLOSED', statements: [{ version: 1 }] });
    await page.getByText('Too many sent').first().waitFor();
    // A long statement shows all its lines, 100 at a time.
    await page.route(`**/inbound/ASN/${number}?*`, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const [line] = body.statements[0].lines;
      body.statements[0].lines = Array.from({ length: 101 }, (_, at) => ({ ...line, itemId: `LINE-${at}` }));
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await expect.poll(() => page.locator('.receive-count').count()).toBe(100);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => page.locator('.receive-count').count()).toBe(101);
    await page.unroute(`**/inbound/ASN/${number}?*`);
    await page.getByRole('button', { name: 'Reopen' }).click();
    await dialog.getByLabel('Why is it reopened?').fill('Another carton');
    await dialog.getByRole('button', { name: 'Reopen' }).click();
    await expect.poll(async () => (await shipmentOf(number)).state).toBe('RECEIVING');
    await page.getByRole('button', { name: 'Close: 5 over' }).click();
    await page.getByText('2 lines need a reason').first().waitFor();
    const ofLines = page.getByLabel(/^Reason: /);
    await page.getByLabel('Not ordered').check();
    await ofLines.first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'A reason for each line' }).click();
    await ofLines.first().waitFor();
    expect(await page.getByLabel('Not ordered').isChecked()).toBe(false);
    await ofLines.first().selectOption('Not ordered');
    await ofLines.last().selectOption('Too many sent');
    await page.getByRole('button', { name: /^Close/ }).click();
    await page.getByRole('heading', { name: 'Statement' }).waitFor();
    const closed = await shipmentOf(number);
    expect(closed).toMatchObject({ state: 'CLOSED', statements: [{ version: 1 }, { version: 2 }] });
    const reasons = closed.statements[1]!.lines.flatMap(({ reasons: own }) => own);
    expect(reasons.toSorted()).toEqual(['NOT_ORDERED', 'TOO_MANY']);
    await page.getByRole('button', { name: 'Reopen' }).click();
    await dialog.getByLabel('Why is it reopened?').fill('One more carton');
    await dialog.getByRole('button', { name: 'Reopen' }).click();
    await expect.poll(async () => (await shipmentOf(number)).state).toBe('RECEIVING');
  });

  it('lists each difference and asks for a reason of each line after the hundredth too, and keeps the own reason beside a common one', async () => {
    const short = Array.from({ length: 101 }, (_, at): Mugs => [`SHORT-${String(at).padStart(3, '0')}`, 1]);
    await announce('ASN-SHORT', ...short, ['HERE-000', 1]);
    await receipt('ASN-SHORT', { receiptId: 'here', cartons: [{ cartonId: 'HERE-000', as: 'GOOD' }] });
    const page = await openAs(desk, 'lead', '/receive/ASN/ASN-SHORT/close?sellerId=TOWNS');
    const differing = page.getByRole('region', { name: 'Differences' }).getByText('1 short');
    await expect.poll(() => differing.count()).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => differing.count()).toBe(101);
    await page.getByRole('button', { name: /^Close/ }).click();
    await page.getByText('101 lines need a reason').first().waitFor();
    const ofLines = page.getByLabel(/^Reason: /);
    await expect.poll(() => ofLines.count()).toBe(100);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => ofLines.count()).toBe(101);
    await ofLines.last().selectOption('Lost on the way');
    await page.getByLabel('Carton did not come', { exact: true }).check();
    await page.getByRole('button', { name: /^Close/ }).click();
    await page.getByRole('heading', { name: 'Statement' }).waitFor();
    const { statements } = await shipmentOf('ASN-SHORT');
    const reasons = Map.groupBy(statements[0]!.lines, (line) => line.reasons.join());
    expect([...reasons].map(([reason, { length }]) => [reason, length]).toSorted()).toEqual([
      ['', 1],
      ['CARTON_MISSING', 100],
      ['LOST', 1],
    ]);
  });

  it('closes a purchase order that came with its ASN without differences', async () => {
    for (const one of [
      { type: 'PO', number: 'CAME', lines: [['MUG-WHT', 6]] },
      { type: 'ASN', number: 'CAME-A', lines: [['MUG-WHT', 6, 'CAME-0001', 'CAME']] },
    ] as const) {
      const message = messageOf({ ...one, day: -1, shipper: 'Quayside' }, desk.town.clock.now);
      const sent = await desk.town.client.post('/poasn-manager-service/sellers/TOWNS/poasn/create', message);
      expect(sent.status, sent.text).toBeLessThan(300);
    }
    const whole = await receipt('CAME-A', { receiptId: 'came', cartons: [{ cartonId: 'CAME-0001', as: 'GOOD' }] });
    expect(whole.status, whole.text).toBe(201);
    const page = await openAs(desk, 'lead', '/receive');
    await page.getByRole('region', { name: 'Delivered by ASNs' }).getByRole('link', { name: /CAME/ }).click();
    await page.evaluate(() => {
      location.hash = '/receive/PO/CAME/close?sellerId=TOWNS';
    });
    await page.getByText('No differences').first().waitFor();
    await page.getByRole('button', { name: 'Close: all of it arrived' }).click();
    await page.getByRole('heading', { name: 'Statement' }).waitFor();
    expect(await page.getByText(/too few/).count()).toBe(0);
    expect(await totalOf('CAME', 'PO')).toMatchObject({ good: 0, short: 6 });
  });

  it('takes goods without papers, and matches them when the papers come', async () => {
    const page = await openAs(desk, 'clerk', '/receive');
    await page.getByRole('button', { name: 'Goods without papers' }).click();
    const number = page.getByLabel('A number for it');
    const suggested = await number.inputValue();
    expect(suggested).toMatch(/^B\d{4}-\d{4}$/);
    expect(await printedBy(page, 'Print its label')).toContain(suggested);
    await number.fill('NOTE-9');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Nothing counted yet').waitFor();
    await wedge(page, '400000000060');
    await page.getByText('+1 Storm umbrella, navy').waitFor();
    await expect.poll(() => totalOf('NOTE-9', 'BLIND')).toMatchObject({ announced: 0, good: 1 });
    await page.locator('.pick-head').getByText('1 unit', { exact: true }).first().waitFor();
    expect(
      await page
        .locator('.pick-head')
        .getByText(/over|of 0/)
        .count(),
    ).toBe(0);
    await wedge(page, '4009999999999');
    await said(page).getByText('set the unit aside').waitFor();
    expect(await said(page).getByText('goods without papers').count()).toBe(0);
    await page.getByRole('button', { name: 'Match papers' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'PO' }).check();
    const papers = dialog.getByLabel('Number of the ASN or PO');
    await wedge(page, `]C0${townArrivals.later}`);
    await expect.poll(() => papers.inputValue()).toBe(townArrivals.later);
    await wedge(page, ']C100340123450000000017');
    await dialog.getByText('00340123450000000017 is too long for a number: at most 15 characters').waitFor();
    expect(await papers.inputValue()).toBe(townArrivals.later);
    await wedge(page, 'BR:OK');
    await page.getByRole('heading', { name: townArrivals.later }).waitFor();
    expect(await totalOf(townArrivals.later, 'PO')).toMatchObject({ announced: 18, good: 1, open: 17 });
  });

  it('leads late work on matched goods to their shipment, and offers no reopening', async () => {
    await announce('ASN-PAPERS', ['PAPERS-01', 3]);
    const opened = await desk.town.client.post(`${NODE}/inbound/BLIND`, { number: 'NOTE-12', userId: 'ben' });
    expect(opened.status, opened.text).toBe(201);
    const page = await openAs(desk, 'lead', '/receive/BLIND/NOTE-12', { worker: true });
    await page.getByText('Nothing counted yet').waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await wedge(page, '400000000046');
    await expect.poll(() => totalOf('NOTE-12', 'BLIND')).toMatchObject({ good: 1 });
    const plug = desk.proxy.unplug();
    await page.getByRole('button', { name: '+1 Stoneware mug, white' }).click();
    await page.getByText('1 waiting').waitFor();
    const target = { type: 'ASN', number: 'ASN-PAPERS', userId: 'ben' };
    const matched = await desk.town.client.post(`${NODE}/inbound/BLIND/NOTE-12/match`, target);
    expect(matched.status, matched.text).toBe(200);
    plug();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    const card = page.getByRole('article');
    await card.getByText('Matched with ASN-PAPERS').waitFor();
    await card.getByRole('link', { name: 'Open ASN ASN-PAPERS' }).waitFor();
    for (const name of ['Try again', 'Statement']) expect(await card.getByText(name).count()).toBe(0);
    await card.getByRole('button', { name: 'OK, mine does not count' }).click();
    await card.waitFor({ state: 'detached' });
    await show(page, '/receive/BLIND/NOTE-12/close');
    await page.getByText('Matched with ASN-PAPERS').waitFor();
    expect(await page.getByRole('button', { name: 'Reopen' }).count()).toBe(0);
  });

  it('receives goods without papers of an unknown seller also if a seller has the same number', async () => {
    for (const owner of [{}, { sellerId: 'TOWNS' }]) {
      const body = { number: 'NOTE-TWICE', userId: 'ann', ...owner };
      expect((await desk.town.client.post(`${NODE}/inbound/BLIND`, body)).status).toBe(201);
    }
    const page = await openAs(desk, 'clerk', '/receive/BLIND/NOTE-TWICE?sellerId=');
    await page.getByText('Nothing counted yet').waitFor();
    await wedge(page, '400000000060');
    const goodOf = async (sellerId: string) =>
      (await desk.town.client.get(`${NODE}/inbound/BLIND/NOTE-TWICE?sellerId=${sellerId}`)).body.sums.total.good;
    await expect.poll(() => goodOf('')).toBe(1);
    expect(await goodOf('TOWNS')).toBe(0);
  });

  it('has a search of its own, and Ctrl-K leads to find-anything beside it', async () => {
    const page = await openAs(desk, 'clerk', '/receive');
    const own = page.getByRole('searchbox');
    await own.focus();
    await page.keyboard.press('Control+k');
    const anything = page.locator('#find-anything');
    await anything.waitFor();
    await expect.poll(() => anything.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await page.evaluate(() => location.hash)).toContain('/find');
  });

  it('asks which shipment a code means, also if only one of them is on the device', async () => {
    for (const number of ['ASN-B1', 'ASN-B2']) await announce(number, ['BOTH-0001', 2]);
    const page = await openAs(desk, 'clerk', path('ASN-B1'), { allow: [/ERR_FAILED/] });
    await page.locator('.receive-carton').first().waitFor();
    await page.route(/inbound\/ASN\/ASN-B2/, (route) => route.abort());
    await page.evaluate(() => {
      location.hash = '/receive';
    });
    await page.getByRole('link', { name: /ASN-B1/ }).waitFor();
    await wedge(page, 'BOTH-0001');
    await page.getByText(/BOTH-0001 is on several/).waitFor();
    await page.getByRole('link', { name: /ASN-B2/ }).waitFor();
  });

  it('asks before it opens the shipment on the device if the look-up takes long, and stays online', async () => {
    await announce('ASN-SLOW', ['SLOW-0001', 2]);
    const page = await openAs(desk, 'clerk', path('ASN-SLOW'));
    await page.locator('.receive-carton').first().waitFor();
    await page.evaluate(() => {
      location.hash = '/receive';
    });
    await page.getByRole('link', { name: /ASN-SLOW/ }).waitFor();
    await page.route(/\/scan$/, () => undefined);
    await wedge(page, 'SLOW-0001');
    await page.getByText('The service has not found SLOW-0001 in time').waitFor();
    await page.getByText('sent', { exact: true }).waitFor();
    expect(await page.getByText('offline').count()).toBe(0);
    await page.getByRole('link', { name: 'Open ASN-SLOW from TOWNS' }).click();
    await expect.poll(() => page.evaluate(() => location.hash)).toBe(`#${path('ASN-SLOW', '/carton/SLOW-0001')}`);
  });

  it('opens the open shipment of a carton that a closed one had, and a shipment with the number of its carton', async () => {
    await announce('TOTE-1', ['TOTE-1', 2]);
    const first = await receipt('TOTE-1', { receiptId: 'first-use', cartons: [{ cartonId: 'TOTE-1', as: 'GOOD' }] });
    expect(first.status, first.text).toBeLessThan(300);
    const closed = await desk.town.client.post(`${NODE}/inbound/ASN/TOTE-1/close`, { closeId: 'first', userId: 'ben' });
    expect(closed.status, closed.text).toBeLessThan(300);
    await announce('ASN-T2', ['TOTE-1', 3]);
    await announce('SAME-0003', ['SAME-0003', 2]);
    const page = await openAs(desk, 'clerk', '/receive');
    await page.getByRole('link', { name: /ASN-T2/ }).waitFor();
    await wedge(page, 'TOTE-1');
    await expect.poll(() => page.evaluate(() => location.hash)).toBe(`#${path('ASN-T2', '/carton/TOTE-1')}`);
    await page.evaluate(() => {
      location.hash = '/receive';
    });
    await page.getByRole('link', { name: /SAME-0003/ }).waitFor();
    await wedge(page, 'SAME-0003');
    await expect.poll(() => page.evaluate(() => location.hash)).toBe(`#${path('SAME-0003', '/carton/SAME-0003')}`);
  });

  it('counts a carton that is not announced if other shipments with its id are closed', async () => {
    // One of them missed it.
    for (const number of ['ASN-R1', 'ASN-R2', 'ASN-R0']) {
      await announce(number, ['REUSED-1', 2], [`${number}-1`, 1]);
      const cartons = [number === 'ASN-R0' ? 'ASN-R0-1' : 'REUSED-1'].map((cartonId) => ({ cartonId, as: 'GOOD' }));
      const first = await receipt(number, { receiptId: `r-${number}`, cartons });
      expect(first.status, first.text).toBeLessThan(300);
      const body = { closeId: `c-${number}`, userId: 'ben', reasons: [{ reason: 'LOST' }] };
      const closed = await desk.town.client.post(`${NODE}/inbound/ASN/${number}/close`, body);
      expect(closed.status, closed.text).toBeLessThan(300);
    }
    await announce('ASN-R3', ['R3-1', 3]);
    const page = await openAs(desk, 'clerk', path('ASN-R3'));
    await page.locator('.receive-carton').first().waitFor();
    await wedge(page, 'REUSED-1');
    await page.getByRole('dialog').getByText('REUSED-1 is not announced').waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'Open ASN ASN-R0' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Take it in' }).click();
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('/carton/REUSED-1');
    await page.locator('[data-scan-target]:focus').waitFor();
    await wedge(page, '400000000060');
    await page.getByRole('dialog').getByRole('button', { name: 'Take it in' }).click();
    await expect.poll(() => totalOf('ASN-R3')).toMatchObject({ good: 0, held: 1 });
    expect(await stateOf('ASN-R3', 'REUSED-1')).toBe('UNEXPECTED');
  });

  it('lists the closed shipments of a carton that only closed shipments announce', async () => {
    for (const number of ['ASN-E1', 'ASN-E2']) {
      await announce(number, ['ENDED-1', 2]);
      const body = { closeId: `c-${number}`, userId: 'ben', reasons: [{ reason: 'LOST' }] };
      const closed = await desk.town.client.post(`${NODE}/inbound/ASN/${number}/close`, body);
      expect(closed.status, closed.text).toBeLessThan(300);
    }
    const page = await openAs(desk, 'clerk', '/receive');
    await page.locator('[data-scan-target]:focus').waitFor();
    await wedge(page, 'ENDED-1');
    await page.getByText('is on several shipments').waitFor();
    for (const number of ['ASN-E1', 'ASN-E2']) await page.getByRole('link', { name: number }).waitFor();
  });

  it('puts good units where somebody says, names both shipments of a carton, and prints labels', async () => {
    for (const number of ['ASN-1', 'ASN-2']) await announce(number, [TWICE, 3], [`${number}-2`, 2]);
    const page = await openAs(desk, 'clerk', path('ASN-1'));
    await page.getByRole('button', { name: 'Good units: Shelf' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByLabel('Shelf').isChecked()).toBe(true);
    await dialog.getByLabel('Staged').check();
    await wedge(page, ']C0DOCK-3');
    await expect.poll(() => dialog.getByLabel('Bin', { exact: true }).inputValue()).toBe('DOCK-3');
    await dialog.getByRole('button', { name: 'OK' }).click();
    await page.getByRole('button', { name: 'Good units: Staged · DOCK-3' }).waitFor();
    await page.getByText('A lead puts staged goods on the shelf.').waitFor();
    await wedge(page, 'ASN-1-2');
    await expect.poll(() => stateOf('ASN-1', 'ASN-1-2')).toBe('RECEIVED');
    const mug = (await shipmentOf('ASN-1')).sums.keys[0]!.itemId;
    await receipt('ASN-2', {
      receiptId: 'by-ana',
      userId: 'ana',
      lines: [{ cartonId: 'ASN-2-2', itemId: mug, good: 1 }],
    });
    const { receipts } = await shipmentOf('ASN-1');
    expect(receipts[0]).toMatchObject({ lines: [{ good: 2, to: 'STAGE', location: 'DOCK-3' }] });
    await wedge(page, 'BR:UNDO');
    await expect
      .poll(async () => (await shipmentOf('ASN-1')).receipts[1])
      .toMatchObject({
        lines: [{ good: -2, to: 'STAGE' }],
      });

    const labels = await printedBy(page, 'Print the labels of these cartons');
    expect([labels.includes('ASN-1-2'), labels.includes(TWICE)]).toEqual([true, true]);
    await page.getByRole('link', { name: /SN-1-2/ }).click();
    expect(await printedBy(page, 'Print the label of this carton')).toContain('ASN ASN-1');

    await openCartons(page, townArrivals.inWork);
    await wedge(page, TWICE);
    await dialog.getByText('This carton is on several shipments').waitFor();
    await expect.poll(() => dialog.getByRole('link').allTextContents()).toEqual(['Open ASN ASN-1', 'Open ASN ASN-2']);
    await dialog.getByRole('link', { name: 'ASN-2' }).click();
    await page.getByRole('heading', { name: 'ASN-2' }).waitFor();
    // A clerk has no permission to list users, so the service sends the name of the colleague who counts.
    await page.getByText(/^Ana Ruiz counts it since/).waitFor();
  });

  it('is accessible, fits and has large targets', async () => {
    const screens = [
      '/receive',
      path(townArrivals.inWork),
      path(townArrivals.inWork, `/carton/${cartons.inWork[4]}`),
      path(townArrivals.inWork, '/close'),
      path(townArrivals.closed, '/close'),
      `/receive/PO/${townArrivals.order}?sellerId=TOWNS`,
    ];
    for (const theme of ['light', 'dark'] as const) {
      const page = await openAs(desk, 'clerk', '/receive', { theme, viewport: 'narrow' });
      for (const one of screens) {
        await page.evaluate((to) => {
          location.hash = to;
        }, one);
        await page.locator('.screen .list').first().waitFor();
        expect([one, await smallTargets(page)]).toEqual([one, []]);
        for (const [width, height] of theme === 'light'
          ? ([
              [320, 568],
              [1440, 900],
            ] as const)
          : ([[320, 568]] as const)) {
          await page.setViewportSize({ width, height });
          expect([one, width, await beyondEdge(page)]).toEqual([one, width, []]);
          expect([one, await axe(page)]).toEqual([one, []]);
        }
        await page.setViewportSize({ width: 320, height: 568 });
      }
    }
  });

  it('a carton whose counter has gone: a scan of its label opens it and books nothing, a button books the rest', async () => {
    await announce('ASN-GONE', ['GONE-0001', 3], ['GONE-0002', 4]);
    for (const cartonId of ['GONE-0001', 'GONE-0002']) {
      const lines = [{ cartonId, itemId: '21-MUG-WHT', good: 1 }];
      expect((await receipt('ASN-GONE', { receiptId: cartonId, lines })).status).toBe(201);
    }
    const page = await openAs(desk, 'clerk', path('ASN-GONE'));
    await page.locator('.receive-carton').first().waitFor();
    await wedge(page, 'GONE-0001');
    await said(page).getByText('counts this carton').waitFor();
    desk.town.clock.now += 24 * 3_600_000;
    const next = await openAs(desk, 'clerk', path('ASN-GONE'));
    await next.locator('.receive-carton').first().waitFor();
    await wedge(next, 'GONE-0001');
    await said(next).getByText('GONE-0001 is partly counted · 2 units are missing').waitFor();
    await next.getByRole('heading', { name: 'GONE-0001' }).waitFor();
    await next.locator('.receive-count', { hasText: '1/3' }).waitFor();
    await wedge(next, 'GONE-0001');
    await wedge(next, 'GONE-0002');
    await next.getByRole('heading', { name: 'GONE-0002' }).waitFor();
    await wedge(next, 'BR:OK');
    await next.getByRole('heading', { name: 'ASN-GONE' }).waitFor();
    expect(await totalOf('ASN-GONE')).toMatchObject({ good: 2, open: 5 });
    await next.getByRole('link', { name: /E-0001/ }).click();
    await next.getByRole('button', { name: 'Receive the rest · 2' }).click();
    await next.getByText('GONE-0001 received · 2 units').waitFor();
    await expect.poll(() => stateOf('ASN-GONE', 'GONE-0001')).toBe('RECEIVED');
    expect(await totalOf('ASN-GONE')).toMatchObject({ good: 4, open: 3 });
  });

  it('a unit that is taken back from a counted carton does not come back with a scan of the label', async () => {
    await announce('ASN-BACK', ['BACK-0001', 2]);
    const page = await openAs(desk, 'clerk', path('ASN-BACK', '/carton/BACK-0001'));
    const count = page.locator('.receive-count');
    await expect.poll(() => count.allTextContents()).toEqual(['0/2']);
    for (const arrived of ['1/2', '2/2']) {
      await wedge(page, '400000000046');
      await expect.poll(() => count.allTextContents()).toEqual([arrived]);
    }
    await wedge(page, 'BR:UNDO');
    await expect.poll(() => count.allTextContents()).toEqual(['1/2']);
    await wedge(page, 'BACK-0001');
    await wedge(page, '400000000046');
    await expect.poll(async () => (await shipmentOf('ASN-BACK')).receipts.length).toBe(4);
    expect(await totalOf('ASN-BACK')).toMatchObject({ good: 2, over: 0 });
  });

  it('shows the orders that need the units of a carton until the next receipt', async () => {
    await announce('ASN-WANT', ['WANT-0001', 2], ['WANT-0002', 1]);
    const page = await openAs(desk, 'clerk', path('ASN-WANT', '/carton/WANT-0001'));
    await page.getByRole('button', { name: 'Receive the whole carton · 2' }).click();
    await page.getByRole('heading', { name: 'ASN-WANT' }).waitFor();
    await expect.poll(() => stateOf('ASN-WANT', 'WANT-0001')).toBe('RECEIVED');
    const hint = page.getByText(/^For orders: \d+ × Stoneware mug/);
    await hint.waitFor();
    const read = page.waitForResponse((one) => one.url().includes('/inbound/ASN/ASN-WANT?'));
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await (await read).finished();
    await page.waitForTimeout(300);
    expect(await hint.count()).toBe(1);
    await wedge(page, 'BR:UNDO');
    await hint.waitFor({ state: 'detached' });
    await expect.poll(() => stateOf('ASN-WANT', 'WANT-0001')).toBe('EXPECTED');
  });

  it('a carton of another place that was taken in is in the list at once, and nothing of it can be counted', async () => {
    await announce('ASN-HERE', ['HERE-0001', 2]);
    await announceAt('DC001', 'ASN-THERE', ['LOST-0001', 4]);
    const page = await openAs(desk, 'clerk', path('ASN-HERE'));
    await page.locator('.receive-carton').first().waitFor();
    await wedge(page, 'LOST-0001');
    await page.getByRole('dialog').getByRole('button', { name: 'Take it in' }).click();
    await said(page).getByText('LOST-0001').waitFor();
    await page.getByRole('button', { name: /^Done/ }).click();
    await page.getByRole('link', { name: /T-0001/ }).click();
    await page.getByText('LOST-0001 is received already').waitFor();
    expect(await page.getByRole('button', { name: /^\+1|Number/ }).count()).toBe(0);
    await wedge(page, 'BR:UNDO');
    await expect.poll(() => totalOf('ASN-HERE')).toMatchObject({ held: 0 });
  });

  it('goods without papers are counted by pieces, also if another system counted one of their cartons', async () => {
    expect((await desk.town.client.post(`${NODE}/inbound/BLIND`, { number: 'NOTE-10', userId: 'ben' })).status).toBe(
      201,
    );
    const by = { receiptId: 'by-carton', userId: 'ben' };
    const body = {
      ...by,
      lines: [
        { itemId: '21-MUG-WHT', good: 1 },
        { cartonId: 'ALONE-0001', itemId: '21-MUG-WHT', good: 2 },
      ],
    };
    expect((await desk.town.client.post(`${NODE}/inbound/BLIND/NOTE-10/receipts`, body)).status).toBe(201);
    const page = await openAs(desk, 'clerk', '/receive/BLIND/NOTE-10');
    await page.getByRole('button', { name: '+1 Stoneware mug, white' }).click();
    await expect.poll(() => totalOf('NOTE-10', 'BLIND')).toMatchObject({ good: 4 });
    await wedge(page, '400000000046');
    await expect.poll(() => totalOf('NOTE-10', 'BLIND')).toMatchObject({ good: 5 });
    await page.locator('.receive-line').getByRole('img', { name: '3 units' }).waitFor();
    await wedge(page, 'ALONE-0001');
    await page.getByRole('heading', { name: 'ALONE-0001' }).waitFor();
  });

  it('corrects a receipt after the page was left, also of a colleague in a reopened shipment', async () => {
    await announce('ASN-WRONG', ['WRONG-0001', 2], ['WRONG-0002', 3]);
    const page = await openAs(desk, 'clerk', path('ASN-WRONG'));
    await page.locator('.receive-carton').first().waitFor();
    for (const id of ['WRONG-0001', 'WRONG-0002']) {
      await wedge(page, id);
      await expect.poll(() => stateOf('ASN-WRONG', id)).toBe('RECEIVED');
    }
    const closed = await desk.town.client.post(`${NODE}/inbound/ASN/ASN-WRONG/close`, { closeId: 'w', userId: 'ben' });
    expect(closed.status, closed.text).toBe(200);
    const reopened = await desk.town.client.post(`${NODE}/inbound/ASN/ASN-WRONG/reopen`, {
      userId: 'lee',
      reason: 'wrong count',
    });
    expect(reopened.status, reopened.text).toBe(200);

    const later = await openAs(desk, 'lead', path('ASN-WRONG'));
    await later.getByText('Receipts (2)').click();
    const correct = later.getByRole('button', { name: /^Correct Carton .*0001$/ });
    expect(await axe(later)).toEqual([]);
    await correct.click();
    const remove = later.getByRole('dialog').getByRole('button', { name: 'Remove' });
    await remove.evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await said(later).getByText('Undone').waitFor();
    await later.getByText('Receipts (1)').waitFor();
    await expect.poll(() => stateOf('ASN-WRONG', 'WRONG-0001')).toBe('EXPECTED');
    expect(await totalOf('ASN-WRONG')).toMatchObject({ good: 3, open: 2 });

    await later.evaluate(
      (to) => {
        location.hash = to;
      },
      path('ASN-WRONG', '/carton/WRONG-0002'),
    );
    await later.getByText('WRONG-0002 is received already').waitFor();
    await later.getByText('Receipts (1)').click();
    await later.getByRole('button', { name: /^Correct Carton/ }).click();
    await remove.click();
    await later.getByRole('button', { name: 'Receive the whole carton · 3' }).waitFor();
    await expect.poll(() => stateOf('ASN-WRONG', 'WRONG-0002')).toBe('EXPECTED');
    expect((await shipmentOf('ASN-WRONG')).receipts).toHaveLength(4);
  });

  it('corrects a receipt whose held units a lead has decided', async () => {
    await announce('ASN-DECIDED', ['DECIDED-01', 10]);
    const line = { cartonId: 'DECIDED-01', itemId: '21-MUG-WHT' };
    const sent = await receipt('ASN-DECIDED', { receiptId: 'twelve', lines: [{ ...line, good: 12 }] });
    expect(sent.status, sent.text).toBeLessThan(300);
    const approval = { approvalId: 'two', userId: 'lee', lines: [{ ...line, good: 2 }] };
    const approved = await desk.town.client.post(`${NODE}/inbound/ASN/ASN-DECIDED/approve`, approval);
    expect(approved.status, approved.text).toBeLessThan(300);
    const page = await openAs(desk, 'clerk', path('ASN-DECIDED'));
    await page.getByText('Receipts (1)').click();
    await page.getByRole('button', { name: /^Correct Carton/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(() => totalOf('ASN-DECIDED')).toMatchObject({ good: 0, held: 0, open: 10 });
    await page.getByText(/^Receipts/).waitFor({ state: 'detached' });
  });

  it('the office shows in the history of a shipment who reopened it and why, and where matched goods went', async () => {
    await announce('ASN-PAST', ['PAST-0001', 2]);
    const post = async (to: string, body: object) => {
      const sent = await desk.town.client.post(`${NODE}/inbound/${to}`, body);
      expect(sent.status, sent.text).toBeLessThan(300);
    };
    await post('BLIND', { number: 'NOTE-PAST', userId: 'ben' });
    const lines = [{ itemId: '21-MUG-WHT', good: 2 }];
    await post('BLIND/NOTE-PAST/receipts', { receiptId: 'past', userId: 'ben', lines });
    const papers = { type: 'ASN', number: 'ASN-PAST', sellerId: 'TOWNS' };
    await post('BLIND/NOTE-PAST/match', { ...papers, userId: 'lee' });
    await post('ASN/ASN-PAST/close', { closeId: 'past', userId: 'lee' });
    await post('ASN/ASN-PAST/reopen', { userId: 'lee', reason: 'one carton came later' });
    const historyOf = (of: string) => `/office/inbound/${of}&nodeId=TOWN-Store001&part=history`;
    const page = await openAs(desk, 'manager', historyOf('ASN/ASN-PAST?sellerId=TOWNS'), { viewport: 'desk' });
    const entries = page.locator('.timeline li');
    await entries.filter({ hasText: 'Reopened' }).getByText('one carton came later').waitFor();
    await entries.filter({ hasText: 'Moved from NOTE-PAST' }).getByText('2 Good').waitFor();
    await page.evaluate((hash) => {
      location.hash = hash;
    }, historyOf('BLIND/NOTE-PAST?sellerId='));
    await entries.filter({ hasText: 'Moved to ASN-PAST' }).getByText('2 Good').waitFor();
    expect(await page.getByText('-2').count()).toBe(0);
  });
});
