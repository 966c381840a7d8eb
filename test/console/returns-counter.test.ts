/** A day at the returns counter in a real browser: with and without the network, in both themes, at 320 and 1440 px. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, OF_COLORS, openConsole, type PageOptions } from './support/browser.ts';
import { pickedOrder, printedBy, show, smallTargets, wedge } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

const SHOTS = process.env['TEST_SHOTS'];
const STORE = '/operator/v1/stores/TOWN_US/returns';
const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1440, height: 900 };
const RECEIPTS = /\/receipts$/;

let floor: Console;
beforeAll(async () => {
  floor = await openConsole({ upTo: 'returns', proxy: true });
});
afterAll(() => floor.close());

/**
 * Checks that at the narrow size no content is cut off and no target is too small. Checks with axe-core at the narrow
 * size (in the dark theme only the colors), and at the wide size in the light theme. Takes pictures of both themes at
 * both sizes.
 */
async function looksRight(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize(NARROW);
  expect(await beyondEdge(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  expect(await axe(page)).toEqual([]);
  await shot(page, `${name}-320`);
  await page.emulateMedia({ colorScheme: 'dark' });
  // The new colors are drawn some frames later.
  await expect.poll(() => axe(page, 'body', OF_COLORS)).toEqual([]);
  await shot(page, `${name}-320-dark`);
  await page.setViewportSize(WIDE);
  await shot(page, `${name}-1440-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => axe(page)).toEqual([]);
  await shot(page, `${name}-1440`);
  await page.setViewportSize(before);
}

async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

/**
 * Returns whether the upper left corner of an element can be seen: nothing is over it, and it is not below the fold.
 */
const inSight = (one: ReturnType<Page['locator']>) =>
  one.first().evaluate((node) => {
    const { left, top } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(left + 8, top + 8));
  });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const choose = (page: Page, condition: RegExp) =>
  page.getByRole('dialog').getByRole('button', { name: condition }).click();
const readReturn = async (number: string) => (await floor.town.client.get(`${STORE}/${number}`)).body;
const open = (who: 'associate' | 'lead' | 'clerk', path: string, more: PageOptions = {}) =>
  openAs(floor, who, path, { ...more });

/** Moves the focus to a button with Tab. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = button(page, name).first();
  await wanted.waitFor();
  for (let count = 0; count < 40; count++) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
}

/** Announces a return for this store. */
async function announce(number: string, quantity: number, more: object = {}): Promise<void> {
  const line = { fulfillmentOrderId: floor.town.orders.handedOver, webLineId: '1', quantity };
  const made = await floor.town.client.post(STORE, {
    number,
    expectedNodeId: 'TOWN-Store001',
    lines: [line],
    ...more,
  });
  expect(made.status, made.text).toBe(201);
}

/** Creates an order with these units and hands over at most `most` units of each line; returns its id. */
async function handedOver(
  lines: readonly (readonly [sku: string, quantity: number])[],
  more: Record<string, unknown> = {},
  most = Number.MAX_SAFE_INTEGER,
): Promise<string> {
  const id = await pickedOrder(floor.town, 'B2', { lines, more });
  const at = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrderId: id };
  const counter = `/stores/${at.storeId}/nodes/${at.nodeId}`;
  const { body } = await floor.town.client.post(`${counter}/customerPickUps/${id}`, at);
  const items = body.customerPickUpDetails.customerPickUpItems as Record<string, unknown>[];
  const given = await floor.town.client.put(`${counter}/customerPickUp/confirm`, {
    modifyAssociateId: 'ana',
    customerPickUpDetails: {
      ...at,
      customerPickUpItems: items.map(({ webLineId, itemId, backroomPickedQuantity: units }) => ({
        webLineId,
        itemId,
        backroomPickedQuantity: units,
        customerPickedQuantity: Math.min(units as number, most),
        canceledQuantity: 0,
      })),
    },
  });
  expect(given.status, given.text).toBeLessThan(300);
  return id;
}

/** Hands over two mugs on two lines. The second mug was free. */
async function secondFree(): Promise<string> {
  const line = { itemId: '21-MUG-WHT', quantity: 1 };
  return await handedOver([], {
    lines: [
      { ...line, webLineId: '1', unitPrice: 20 },
      { ...line, webLineId: '2', unitPrice: 0 },
    ],
  });
}

/** The most common returns: one unit in each condition, two units, two items, and returns with a reason. */
const COMMONEST: readonly { units: readonly (readonly [sku: string, condition: RegExp])[]; reason?: string }[] = [
  { units: [['SOAP-LAV', /As new/]] },
  { units: [['SOAP-LAV', /Opened/]] },
  { units: [['MUG-WHT', /Damaged/]] },
  { units: [['MUG-WHT', /As new/]], reason: 'Does not fit' },
  { units: [['MUG-WHT', /Opened/]], reason: 'Not wanted any more' },
  {
    units: [
      ['SOAP-LAV', /As new/],
      ['SOAP-LAV', /As new/],
    ],
  },
  {
    units: [
      ['SOAP-LAV', /As new/],
      ['SOAP-LAV', /Opened/],
    ],
  },
  {
    units: [
      ['SOAP-LAV', /Damaged/],
      ['MUG-WHT', /As new/],
    ],
    reason: 'Does not fit',
  },
  {
    units: [
      ['MUG-WHT', /As new/],
      ['MUG-WHT', /As new/],
      ['MUG-WHT', /Damaged/],
    ],
  },
  {
    units: [
      ['SOAP-LAV', /As new/],
      ['MUG-WHT', /As new/],
    ],
    reason: 'Not wanted any more',
  },
];

describe('at the counter', () => {
  it('an order is taken back with a scan and a tap a unit: the refund on the screen is the one that is asked for', async () => {
    const { handedOver } = floor.town.orders;
    const page = await open('associate', `/return/TOWN_US/order/${handedOver}`);
    await button(page, /^One more of/)
      .first()
      .click();
    await looksRight(page, 'return-condition');
    await wedge(page, '21-MUG-WHT');
    await page.getByRole('dialog').getByRole('alert').getByText('21-MUG-WHT was not counted').waitFor();
    await page.setViewportSize(NARROW);
    await choose(page, /As new/);
    // On a small phone the refund is in sight before the goods are taken.
    await expect
      .poll(() =>
        page.locator('.take-money p').evaluate((one) => {
          const { left, top, bottom } = one.getBoundingClientRect();
          return [top + 2, bottom - 2].every((y) => one.contains(document.elementFromPoint(left + 2, y)));
        }),
      )
      .toBe(true);
    // No reason is chosen at first, and the question is in sight before the goods are taken.
    await button(page, /Choose why it comes back$/).waitFor();
    await expect.poll(() => inSight(button(page, 'Does not fit'))).toBe(true);
    const promised = await page
      .locator('.take-money')
      .getByText(/A refund of .* will be asked for\./)
      .textContent();
    await button(page, 'Exchange').click();
    await page.getByRole('dialog').getByRole('searchbox').pressSequentially('21-LAMP-BRS', { delay: 60 });
    await page.getByRole('dialog').getByRole('button', { name: 'Search' }).click();
    await button(page, 'Ask for 1 unit').click();
    await page.getByText(/^wants 1 ×/).waitFor();
    await looksRight(page, 'return-order');
    await button(page, 'Not wanted any more').click();
    await page.locator('.return-reason').getByText('Not wanted any more').waitFor();
    await looksRight(page, 'return-order-reason');
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight }));
    await button(page, 'Take 1 unit back').click();
    const number = (await page.getByRole('heading', { name: /^Taken back as/ }).textContent())!.split(' ').at(-1)!;
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(
      await page
        .locator('.notice')
        .getByText(/A refund of .* will be asked for\./)
        .textContent(),
    ).toBe(promised);
    await page.getByRole('heading', { name: `Taken back as return ${number}`, exact: true }).waitFor();
    await page
      .locator('.row')
      .filter({ hasText: 'shelf' })
      .getByText(/^[A-Z]-\d\d-\d$/)
      .waitFor();
    await looksRight(page, 'return-taken');
    const receipt = await printedBy(page, 'Print receipt');
    const body = await readReturn(number);
    for (const part of [number, 'Receipt of return', 'Not wanted any more', 'Ana Ruiz', 'Harbour Street'])
      expect(receipt).toContain(part);
    expect(receipt).toContain(String(body.refunds[0].amount));
    expect(body).toMatchObject({ kind: 'IN_STORE', state: 'CLOSED', totals: { sellable: 1 } });
    expect(promised).toContain(String(body.refunds[0].amount));
    expect(body.exchanges).toEqual([{ line: 1, wants: { itemId: '21-LAMP-BRS', quantity: 1 } }]);
  });

  it('an order whose refund is due at once says before and after that another person must close the return', async () => {
    const path = '/operator/v1/clients/TOWN';
    const client = (await floor.town.operator('GET', path)).body;
    const settings = { ...client.settings, returns: { refundOn: 'RECEIVED', fourEyes: 5 } };
    expect((await floor.town.operator('PUT', path, { ...client, settings })).status).toBe(200);
    onTestFinished(async () => void (await floor.town.operator('PUT', path, client)));
    const page = await open('associate', `/return/TOWN_US/order/${await handedOver([['MUG-WHT', 1]])}`);
    await button(page, /^One more of/).click();
    await choose(page, /As new/);
    const money = page.locator('.take-money');
    await money.getByText('A refund of $10.00 will be asked for.').waitFor();
    await money.getByText('Another person must close this return.', { exact: true }).waitFor();
    await button(page, 'No reason given').click();
    await button(page, 'Take 1 unit back').click();
    await page.getByRole('heading', { name: /^Taken back as/ }).waitFor();
    await page.getByText('A refund of $10.00 will be asked for.').waitFor();
    await page.getByText('Another person must close this return.', { exact: true }).waitFor();
  });

  it('prints the receipt with the names of the order, also if no item can be read', async () => {
    const path = `/return/TOWN_US/order/${await handedOver([['MUG-WHT', 1]])}`;
    const page = await open('associate', path, { allow: [/503/] });
    await page.route('**/item-service/**', (route) => route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } }));
    await button(page, /^One more of/).click();
    await choose(page, /As new/);
    await button(page, 'No reason given').click();
    await button(page, 'Take 1 unit back').click();
    await page.getByRole('heading', { name: /^Taken back as/ }).waitFor();
    expect(await printedBy(page, 'Print receipt')).toContain('Stoneware mug, white');
  });

  it('a scan takes the line of the item that has the least left to refund; a tap takes its own line', async () => {
    const order = await secondFree();
    const page = await open('associate', `/return/TOWN_US/order/${order}`);
    await button(page, /^One more of/)
      .first()
      .waitFor();
    await page.locator('[data-scan-target]').waitFor();
    await wedge(page, '21-MUG-WHT');
    await choose(page, /As new/);
    await page.locator('.take-money').getByText('There is no refund.').waitFor();
    await button(page, /^One more of/).click();
    await choose(page, /As new/);
    await page.locator('.take-money').getByText('A refund of $20.00').waitFor();
  });

  it('an exchange of all units is lowered with their number; another number is asked again when units are removed', async () => {
    const order = await handedOver([['MUG-WHT', 3]]);
    const page = await open('associate', `/return/TOWN_US/order/${order}`);
    const count = async (units: number) => {
      await button(page, /^One more of/).click();
      await choose(page, /As new/);
      await page.getByText(`${units} × As new`).first().waitFor();
    };
    for (const units of [1, 2]) await count(units);
    const dialog = page.getByRole('dialog');
    await button(page, 'Exchange').click();
    await dialog.getByRole('searchbox').pressSequentially('21-LAMP-BRS', { delay: 60 });
    await dialog.getByRole('button', { name: 'Search' }).click();
    await button(page, 'Ask for 2 units').click();
    await page.getByText(/^wants 2 ×/).waitFor();
    await count(3);
    await page.getByText(/^wants 2 ×/).waitFor();
    await button(page, /one less$/).click();
    await page.getByText('2 × As new').first().waitFor();
    await button(page, /one less$/).click();
    await page.getByText(/^wants 1 ×/).waitFor();
    await count(2);
    await button(page, 'Exchange').click();
    await dialog.getByRole('button', { name: '−1' }).click();
    await button(page, 'Ask for 1 unit').click();
    await page.getByText(/^wants 1 ×/).waitFor();
    await button(page, /one less$/).click();
    await page.getByText(/^wants/).waitFor({ state: 'detached' });
    await button(page, 'No reason given').click();
    await button(page, 'Take 1 unit back').click();
    const number = (await page.getByRole('heading', { name: /^Taken back as/ }).textContent())!.split(' ').at(-1)!;
    expect((await readReturn(number)).exchanges).toEqual([]);
  });

  it('a unit that was removed is not undone a second time, which would remove another unit', async () => {
    const order = await handedOver([['MUG-WHT', 2]]);
    const page = await open('associate', `/return/TOWN_US/order/${order}`);
    for (const units of [1, 2]) {
      await button(page, /^One more of/).click();
      await choose(page, /As new/);
      await page.getByText(`${units} × As new`).first().waitFor();
    }
    await button(page, 'Undo').waitFor();
    await button(page, /one less$/).click();
    await page.getByText('1 × As new').first().waitFor();
    expect(await button(page, 'Undo').count()).toBe(0);
  });

  it('a response that was lost is asked for again under the same id: the goods are taken once', async () => {
    const { handedOver } = floor.town.orders;
    const page = await open('associate', `/return/TOWN_US/order/${handedOver}`);
    await button(page, /^One more of/)
      .last()
      .click();
    await choose(page, /Opened/);
    await page
      .locator('.take-money')
      .getByText(/refund/)
      .waitFor();
    // A browser sends a request again when a reused connection closes, so the proxy cuts every attempt.
    await button(page, 'No reason given').click();
    const repair = floor.proxy.always((request) => request.url.endsWith('/returns'), { kind: 'cut' });
    await button(page, 'Take 1 unit back').click();
    await page.getByText('It may have been taken already').waitFor();
    await page.getByText('If you leave the screen, the same goods count as another return.').waitFor();
    await looksRight(page, 'return-unsure');
    repair();
    await button(page, 'Take 1 unit back').click();
    const number = (await page.getByRole('heading', { name: /^Taken back as/ }).textContent())!.split(' ').at(-1)!;
    const bodies = floor.proxy.passed
      .filter(({ url, method }) => url.endsWith('/returns') && method === 'POST')
      .map(({ body }) => body);
    expect(bodies.at(-1)).toBe(bodies.at(-2));
    expect((await readReturn(number)).totals).toMatchObject({ held: 1 });
  });

  it('links to goods without papers although the first read of the settings failed', async () => {
    const settings = /\/nodes\/[^/]+\/settings$/;
    const works = floor.proxy.always(settings, { kind: 'refuse', status: 503 });
    const page = await open('associate', '/return', { clock: true, allow: [/503/] });
    const links = page.getByRole('link', { name: /^No papers/ });
    await page.getByRole('searchbox').waitFor();
    expect(await links.count()).toBe(0);
    works();
    // The screen reads its list again every 15 seconds.
    const later = async () => {
      await page.clock.fastForward('00:20');
      return links.count();
    };
    await expect.poll(later).toBeGreaterThan(0);
  });

  it('goods without papers are held, without a refund; nothing is taken where the store wants none', async () => {
    const page = await open('associate', '/return/TOWN_US/blind', { allow: [/500/] });
    await page.getByText('All units are held.').waitFor();
    await page.route('**/scan', (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL' } }));
    await wedge(page, '400000000053');
    await page.getByText('The service has an error').waitFor();
    await page.unroute('**/scan');
    await page.getByRole('searchbox').pressSequentially('21-NOTHING', { delay: 60 });
    await button(page, 'Search').click();
    await page.getByText('No item has the code 21-NOTHING').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('searchbox').pressSequentially('21-LAMP-BRS', { delay: 60 });
    await button(page, 'Search').click();
    await choose(page, /As new · held/);
    await button(page, 'No reason given').click();
    await page.getByLabel('Customer reference').pressSequentially('C-7', { delay: 120 });
    await looksRight(page, 'return-blind');
    await button(page, 'Take 1 unit back').click();
    const number = (await page.getByRole('heading', { name: /^Taken back as/ }).textContent())!.split(' ').at(-1)!;
    await button(page, 'Print hold tags').waitFor();
    expect(await readReturn(number)).toMatchObject({
      kind: 'BLIND',
      customerRef: 'C-7',
      totals: { held: 1 },
      refunds: [],
    });
  });

  it('goods without papers of the next customer are another return, also if a response was lost before', async () => {
    const page = await open('associate', '/return/TOWN_US/blind');
    const take = async () => {
      await page.getByText('All units are held.').waitFor();
      await page.getByRole('searchbox').pressSequentially('21-LAMP-BRS', { delay: 60 });
      await button(page, 'Search').click();
      await choose(page, /As new · held/);
      await button(page, 'No reason given').click();
      await button(page, 'Take 1 unit back').click();
    };
    const taken = async () => {
      const path = '/operator/v1/stores/TOWN_US/returns/search?limit=500';
      return (await floor.town.client.post(path, { kind: 'BLIND' })).body.returns.length as number;
    };
    const before = await taken();
    const repair = floor.proxy.always((request) => request.url.endsWith('/returns'), { kind: 'cut' });
    await take();
    await page.getByText('It may have been taken already').waitFor();
    repair();
    expect(await taken()).toBe(before + 1);
    await show(page, '/return');
    await page
      .getByRole('link', { name: /^No papers/ })
      .first()
      .waitFor();
    await show(page, '/return/TOWN_US/blind');
    await take();
    await page.getByRole('heading', { name: /^Taken back as/ }).waitFor();
    expect(await taken()).toBe(before + 2);
  });

  it('orders are found by the name of the customer, also if a part was handed over; a scan of an item keeps the list', async () => {
    const order = await handedOver([
      ['SOAP-LAV', 2],
      ['MUG-WHT', 1],
    ]);
    const page = await open('associate', '/return', { viewport: 'narrow' });
    const search = page.getByRole('searchbox', { name: 'Name or number' });
    await search.pressSequentially('marsh', { delay: 60 });
    await search.press('Enter');
    const row = page.locator('.row').filter({ hasText: order.slice(-6) });
    await row.getByText('Cleo Marsh').waitFor();
    await row.getByText('2 × Lavender soap, 1 × Stoneware mug, white').waitFor();
    await row.getByText('3 units can come back').waitFor();
    await looksRight(page, 'return-by-name');
    await page.locator('[data-scan-target]').focus();
    await wedge(page, '21-SOAP-LAV');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Choose what comes back');
    await row.click();
    await button(page, /^One more of/)
      .first()
      .waitFor();
    await show(page, '/return');
    const part = await handedOver([['SOAP-LAV', 2]], {}, 1);
    expect((await floor.town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${part}`)).body.status).toBe(
      '1400',
    );
    await search.fill('');
    await search.pressSequentially('cleo', { delay: 60 });
    await search.press('Enter');
    await page
      .locator('.row')
      .filter({ hasText: part.slice(-6) })
      .getByText('1 unit can come back')
      .waitFor();
    await show(page, '/find');
    await show(page, '/return');
    await search.fill('');
    await search.pressSequentially('Nemo', { delay: 60 });
    await search.press('Enter');
    await page.getByText('Nothing found for Nemo').waitFor();
  });

  it('the ten commonest returns take a scan and a tap a unit, and at most two taps more', async () => {
    const order = await handedOver([
      ['SOAP-LAV', 8],
      ['MUG-WHT', 8],
    ]);
    const page = await open('associate', `/return/TOWN_US/order/${order}`);
    let taps = 0;
    await page.exposeBinding('__tapped', () => {
      taps += 1;
    });
    await page.evaluate(() =>
      document.addEventListener('click', () => (globalThis as unknown as { __tapped: () => void }).__tapped(), true),
    );
    for (const { units, reason } of COMMONEST) {
      await button(page, /^One more of/)
        .first()
        .waitFor();
      for (const [sku, condition] of units) {
        await page.locator('[data-scan-target]').waitFor();
        await wedge(page, `21-${sku}`);
        await choose(page, condition);
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await button(page, reason ?? 'No reason given').click();
      await button(page, `Take ${units.length} ${units.length === 1 ? 'unit' : 'units'} back`).click();
      await page.getByRole('heading', { name: /^Taken back as/ }).waitFor();
      expect(taps, JSON.stringify(units)).toBeLessThanOrEqual(units.length + 2);
      taps = 0;
      await show(page, '/return');
      await show(page, `/return/TOWN_US/order/${order}`);
    }
  });

  it('keys alone take an order back, in German at 320 px and at 200 % zoom', async () => {
    const { handedOver } = floor.town.orders;
    const page = await open('associate', `/return/TOWN_US/order/${handedOver}`, {
      locale: 'de-DE',
      viewport: 'narrow',
    });
    await tabTo(page, /^Eines mehr von/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Wie neu/);
    await looksRight(page, 'return-german-condition');
    await page.keyboard.press('Enter');
    await page
      .locator('.take-money')
      .getByText(/Erstattung/)
      .waitFor();
    await looksRight(page, 'return-german');
    // The size of a window of 1,280 x 1,000 pixels at a zoom of 200 %.
    await page.setViewportSize({ width: 640, height: 500 });
    expect([await beyondEdge(page), await smallTargets(page), await axe(page)]).toEqual([[], [], []]);
    await shot(page, 'return-german-200-percent');
    await tabTo(page, 'Kein Grund genannt');
    await page.keyboard.press('Enter');
    await tabTo(page, '1 Stück zurücknehmen');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Zurückgenommen als/ }).waitFor();
    await looksRight(page, 'return-german-taken');
    await tabTo(page, 'Nächster Kunde');
  });

  it('what an associate may not take any more, a lead takes with a reason that is kept', async () => {
    const { handedOver } = floor.town.orders;
    const { name, catalogIds, settings } = (await floor.town.operator('GET', '/operator/v1/clients/TOWN')).body;
    const put = (returns: object) =>
      floor.town.operator('PUT', '/operator/v1/clients/TOWN', { name, catalogIds, settings: { ...settings, returns } });
    await put({ ...settings.returns, windowDays: 0 });
    const own = await open('associate', `/return/TOWN_US/order/${handedOver}`);
    await own.getByText('A lead can still take them back.').waitFor();
    expect(await button(own, 'Take back anyway').count()).toBe(0);
    const page = await open('lead', `/return/TOWN_US/order/${handedOver}`);
    await looksRight(page, 'return-late');
    await button(page, 'Take back anyway').click();
    await page.getByLabel('Why they are taken back').pressSequentially('Was ill', { delay: 60 });
    await page.getByRole('dialog').getByRole('button', { name: 'Take back anyway' }).click();
    await button(page, /^One more of/)
      .first()
      .click();
    await choose(page, /As new/);
    await page
      .locator('.take-money')
      .getByText(/A refund of/)
      .waitFor();
    await button(page, 'No reason given').click();
    await button(page, 'Take 1 unit back').click();
    const number = (await page.getByRole('heading', { name: /^Taken back as/ }).textContent())!.split(' ').at(-1)!;
    expect(await readReturn(number)).toMatchObject({ overrideReason: 'Was ill', state: 'CLOSED' });
    await put(settings.returns ?? {});
  });
});

describe('an announced return', () => {
  // Starts with a new town: the tests above have returned most units of the order.
  beforeAll(async () => {
    await floor.close();
    floor = await openConsole({ upTo: 'returns', proxy: true });
  });

  it('is received without network, unit by unit; lost responses count no unit twice and close once, and the close says the refund', async () => {
    await announce('R-3001', 2);
    const page = await open('clerk', '/return');
    await page.getByRole('link', { name: /R-3001/ }).waitFor();
    await looksRight(page, 'return-find');
    await page.getByRole('link', { name: /R-3001/ }).click();
    await button(page, /^One more of/).waitFor();
    const plug = floor.proxy.unplug();
    await button(page, /^One more of/).click();
    await choose(page, /As new/);
    await page.getByText(/· As new/).waitFor();
    await button(page, /^One more of/).click();
    await choose(page, /Damaged/);
    await button(page, 'Undo').click();
    await page.getByText('Undone', { exact: true }).waitFor();
    await button(page, /^One more of/).click();
    await choose(page, /Opened/);
    await page.getByText(/· Opened/).waitFor();
    await looksRight(page, 'return-offline');
    // The service books the first receipt, and its response is lost.
    const repair = floor.proxy.always(RECEIPTS, { kind: 'cut' });
    plug();
    await expect.poll(async () => (await readReturn('R-3001')).receipts.length, { timeout: 60_000 }).toBe(1);
    repair();
    await expect.poll(async () => (await readReturn('R-3001')).receipts.length, { timeout: 60_000 }).toBe(4);
    expect(await readReturn('R-3001')).toMatchObject({ totals: { sellable: 1, held: 1, damaged: 0, open: 0 } });
    await button(page, 'Close').click();
    await page.getByText('Everything that was announced has come.').waitFor();
    const promised = await page
      .getByRole('dialog')
      .getByText(/A refund of .* will be asked for\./)
      .textContent();
    await looksRight(page, 'return-close');
    const closeNow = () => page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    const heal = floor.proxy.always(/\/close$/, { kind: 'cut' });
    await closeNow();
    await page.getByRole('dialog').getByText('It may have been taken already').waitFor();
    heal();
    await closeNow();
    await page.getByRole('heading', { name: 'Taken back as return R-3001' }).waitFor();
    const closed = await readReturn('R-3001');
    expect(closed.state).toBe('CLOSED');
    expect(promised).toContain(String(closed.refunds[0].amount));
  });

  it('of several lines of one item, a scan takes the line that the service chooses', async () => {
    const fulfillmentOrderId = await secondFree();
    const lines = ['1', '2'].map((webLineId) => ({ fulfillmentOrderId, webLineId, quantity: 1 }));
    await announce('R-FREE', 2, { lines });
    const page = await open('clerk', '/return/TOWN_US/announced/R-FREE');
    await button(page, /^One more of/)
      .first()
      .waitFor();
    await page.locator('[data-scan-target]').waitFor();
    await wedge(page, '21-MUG-WHT');
    await choose(page, /As new/);
    await expect.poll(async () => (await readReturn('R-FREE')).totals.open).toBe(1);
    expect((await readReturn('R-FREE')).lines).toMatchObject([{ open: 1 }, { open: 0, sellable: 1 }]);
    await page.getByText('1 of 2').first().waitFor();
    await button(page, /^One more of/).click();
    await choose(page, /As new/);
    await expect.poll(async () => (await readReturn('R-FREE')).totals.open).toBe(0);
  });

  it('that was reopened prints the tags of all held units, and tells a paid refund from one that is asked for', async () => {
    const fulfillmentOrderId = await handedOver([['MUG-WHT', 3]]);
    await announce('R-AGAIN', 3, { lines: [{ fulfillmentOrderId, webLineId: '1', quantity: 3 }] });
    const page = await open('clerk', '/return/TOWN_US/announced/R-AGAIN');
    const count = async (condition: RegExp, came: number) => {
      await button(page, /^One more of/).click();
      await choose(page, condition);
      await expect.poll(async () => (await readReturn('R-AGAIN')).receipts.length).toBe(came);
    };
    const close = async (refund: string) => {
      await button(page, 'Close').click();
      await page.getByRole('dialog').getByText(refund).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('heading', { name: 'Taken back as return R-AGAIN' }).waitFor();
    };
    await count(/Opened/, 1);
    await count(/Opened/, 2);
    await close('A refund of $20.00 will be asked for.');
    await page.locator('.row').getByText('2 × ').waitFor();
    const { refunds, returnId } = await readReturn('R-AGAIN');
    const paid = `/operator/v1/clients/TOWN/refunds/${refunds[0].refundId}/answer`;
    expect((await floor.town.client.post(paid, { outcome: 'DONE' })).status).toBe(200);
    const again = { userId: 'leo', reason: 'One more came' };
    expect((await floor.town.client.post(`${NODE}/returns/${returnId}/reopen`, again)).status).toBe(200);
    await show(page, '/return');
    await show(page, '/return/TOWN_US/announced/R-AGAIN');
    await count(/As new/, 3);
    // The receipt after the first close has already caused the second refund.
    await close('A refund of $10.00 will be asked for.');
    await page.getByText('A refund of $20.00 was paid back already.').waitFor();
    await page.getByText('A refund of $10.00 will be asked for.').waitFor();
    expect(await page.getByText('will be asked for').count()).toBe(1);
    const tags = await printedBy(page, 'Print hold tags');
    for (const part of ['2 × 21-MUG-WHT', 'Opened']) expect(tags).toContain(part);
  });

  it('a receipt that was one too many is corrected, and the units are open again', async () => {
    await announce('R-3002', 1);
    const page = await open('clerk', '/return/TOWN_US/announced/R-3002');
    await button(page, /^One more of/).click();
    await choose(page, /As new/);
    await page.getByText(/^Receipts and corrections/).click();
    await button(page, /^Correct 1 ×/).click();
    await looksRight(page, 'return-correct');
    await button(page, 'Remove 1 unit').click();
    await page.getByText('Undone', { exact: true }).waitFor();
    await expect.poll(async () => (await readReturn('R-3002')).totals).toMatchObject({ sellable: 0, open: 1 });
    await button(page, /^One more of/).waitFor();
    await looksRight(page, 'return-corrected');
  });

  it('units that another clerk has counted meanwhile are one card, and are taken in as extra or left out', async () => {
    await announce('R-3003', 1);
    const { returnId } = await readReturn('R-3003');
    const page = await open('clerk', '/return/TOWN_US/announced/R-3003');
    await button(page, /^One more of/).waitFor();
    const plug = floor.proxy.unplug();
    await button(page, /^One more of/).click();
    await choose(page, /As new/);
    await page.getByText(/· As new/).waitFor();
    const other = { receiptId: 'other', userId: 'leo', lines: [{ position: 1, quantity: 1, condition: 'GOOD' }] };
    expect((await floor.town.client.post(`${NODE}/returns/${returnId}/receipts`, other)).status).toBe(201);
    plug();
    await page.getByText('More units than were announced').waitFor();
    await looksRight(page, 'return-conflict');
    await show(page, '/sync');
    await button(page, 'They are here: take in as extra').click();
    await expect.poll(async () => (await readReturn('R-3003')).totals).toMatchObject({ sellable: 2, over: 1 });
    await page.getByText('More units than were announced').waitFor({ state: 'detached' });
    await page.getByText('The service has everything').waitFor();
  });

  it('a unit that was rejected can be undone after it was taken in, and not after it was left out', async () => {
    await announce('R-REJECTED', 1);
    const { returnId } = await readReturn('R-REJECTED');
    const page = await open('clerk', '/return/TOWN_US/announced/R-REJECTED');
    const rejected = async (isLast: boolean) => {
      await button(page, /^One more of/).waitFor();
      await page.waitForLoadState('networkidle');
      const plug = floor.proxy.unplug();
      await button(page, /^One more of/).click();
      await choose(page, /As new/);
      await page.getByText(/· As new/).waitFor();
      const other = {
        receiptId: `other ${isLast}`,
        userId: 'leo',
        lines: [{ position: 1, quantity: 1, condition: 'GOOD' }],
      };
      expect((await floor.town.client.post(`${NODE}/returns/${returnId}/receipts`, other)).status).toBe(201);
      plug();
      await page.getByText('More units than were announced').waitFor();
      return async () => {
        const lines = [{ position: 1, quantity: -1, disposition: 'SHELF' }];
        const undo = { receiptId: `undo ${isLast}`, userId: 'leo', corrects: other.receiptId, lines };
        expect((await floor.town.client.post(`${NODE}/returns/${returnId}/receipts`, undo)).status).toBe(201);
      };
    };
    const takeAway = await rejected(false);
    await button(page, 'They are here: take in as extra').click();
    await expect.poll(async () => (await readReturn('R-REJECTED')).totals).toMatchObject({ sellable: 2, over: 1 });
    await button(page, 'Undo').click();
    await page.getByText('Undone', { exact: true }).waitFor();
    await expect.poll(async () => (await readReturn('R-REJECTED')).totals).toMatchObject({ sellable: 1, over: 0 });
    await takeAway();
    await page.reload();
    await rejected(true);
    await button(page, 'Leave out').click();
    await page.getByText('More units than were announced').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.getByText('sent', { exact: true }).waitFor();
    expect((await readReturn('R-REJECTED')).totals).toMatchObject({ sellable: 1, over: 0 });
  });

  it('is found by the name of its customer and by its order, and says whose it is and what is in it', async () => {
    const order = await handedOver([['SOAP-LAV', 2]]);
    // All units are announced, so the order itself has nothing to take back.
    const line = { fulfillmentOrderId: order, webLineId: '1', quantity: 2 };
    const made = await floor.town.client.post(STORE, {
      number: 'R-3005',
      expectedNodeId: 'TOWN-Store001',
      lines: [line],
    });
    expect(made.status, made.text).toBe(201);
    const page = await open('associate', '/return', { viewport: 'narrow' });
    const waiting = page.getByRole('link', { name: /R-3005/ });
    for (const part of ['Cleo Marsh', order.slice(-6), '2 × Lavender soap']) await waiting.getByText(part).waitFor();
    await looksRight(page, 'return-waiting');
    const search = page.getByRole('searchbox', { name: 'Name or number' });
    await search.pressSequentially('cleo marsh', { delay: 60 });
    await search.press('Enter');
    const found = page.getByRole('link', { name: /Announced return R-3005/ });
    for (const part of ['Cleo Marsh', order.slice(-6), '2 × Lavender soap']) await found.getByText(part).waitFor();
    await looksRight(page, 'return-by-name-announced');
    // The console asks each web store of the node. Only the web store of the order has the return.
    await search.fill('');
    await search.pressSequentially(order, { delay: 60 });
    await search.press('Enter');
    await page.getByRole('heading', { name: 'R-3005' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/return/TOWN_US/announced/R-3005');
    // A clerk has no permission to read the order, so the row has no name.
    const own = await open('clerk', '/return', { viewport: 'narrow' });
    await own
      .getByRole('link', { name: /R-3005/ })
      .getByText('2 × Lavender soap')
      .waitFor();
    expect(await own.getByText('Cleo Marsh').count()).toBe(0);
  });

  it('of many announced returns of a name, the newest are found', async () => {
    const more = { customer: { name: 'Dora Quill', email: 'dora@mail.example', phone: '+1 617 555 0199' } };
    const [first, last] = [await handedOver([['SOAP-LAV', 20]], more), await handedOver([['SOAP-LAV', 1]], more)];
    const line = (fulfillmentOrderId: string) => ({ fulfillmentOrderId, webLineId: '1', quantity: 1 });
    for (let n = 10; n < 30; n += 1) await announce(`R-40${n}`, 1, { lines: [line(first)] });
    await announce('R-4030', 1, { lines: [line(last)] });
    const page = await open('associate', '/return');
    // The orders were bought elsewhere: only their returns lead to them.
    await page.route('**/fulfillmentOrder/search', (route) => route.fulfill({ json: { fulfillmentOrders: [] } }));
    const search = page.getByRole('searchbox', { name: 'Name or number' });
    await search.pressSequentially('quill', { delay: 60 });
    await search.press('Enter');
    await page.getByRole('link', { name: /Announced return R-4029/ }).waitFor();
    await page.getByRole('link', { name: /Announced return R-4030/ }).waitFor();
    await page.getByText('Not all were checked. Type more of the name, or the number.').waitFor();
  });

  it('says that a name has more orders than were read, also if none of them can come back', async () => {
    const page = await open('associate', '/return');
    const one = { fulfillmentOrderId: floor.town.orders.handedOver, status: '3900' };
    const fulfillmentOrders = Array.from({ length: 100 }, () => one);
    await page.route('**/fulfillmentOrder/search', (route) => route.fulfill({ json: { fulfillmentOrders } }));
    const search = page.getByRole('searchbox', { name: 'Name or number' });
    await search.pressSequentially('nemo', { delay: 60 });
    await search.press('Enter');
    await page.getByText('Not all were checked. Type more of the name, or the number.').waitFor();
    await page.route('**/returns/eligibility', (route) => route.fulfill({ json: { orders: [], returns: [] } }));
    await search.press('Enter');
    await page.getByText('Nothing found for nemo').waitFor();
    await page.getByText('Not all were checked. Type more of the name, or the number.').waitFor();
  });

  it('the list follows what others do: a canceled return leaves it, a received unit counts, also without the network', async () => {
    const order = await handedOver([['SOAP-LAV', 4]]);
    const line = { fulfillmentOrderId: order, webLineId: '1', quantity: 2 };
    await announce('R-3006', 2, { lines: [line] });
    await announce('R-3007', 2, { lines: [line] });
    const page = await open('clerk', '/');
    const searched = new Set<string | undefined>();
    page.on('request', (request) => {
      if (request.url().endsWith('/returns/search?limit=100&order=desc'))
        searched.add(/stores\/([^/]+)/.exec(request.url())?.[1]);
    });
    await show(page, '/return');
    const canceled = page.getByRole('link', { name: /R-3006/ });
    const received = page.getByRole('link', { name: /R-3007/ });
    await canceled.waitFor();
    await received.getByText('0 of 2').waitFor();

    expect((await floor.town.client.post(`${STORE}/R-3006/cancel`, { reason: 'Kept' })).status).toBe(200);
    const { returnId } = await readReturn('R-3007');
    const booked = await floor.town.client.post(`${NODE}/returns/${returnId}/receipts`, {
      receiptId: 'r-3007',
      userId: 'leo',
      lines: [{ position: 1, quantity: 1, condition: 'GOOD' }],
    });
    expect(booked.status, booked.text).toBeLessThan(300);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await canceled.waitFor({ state: 'detached' });
    await received.getByText('1 of 2').waitFor();
    await received.click();
    await page.getByText('Receipts and corrections (1)').waitFor();
    const plug = floor.proxy.unplug();
    await show(page, '/return');
    await received.getByText('1 of 2').waitFor();
    expect(await canceled.count()).toBe(0);
    // TOWN_CA has no announced returns here, so the console does not ask it.
    expect([...searched]).toEqual(['TOWN_US']);
    plug();
  });

  it('opens on the device after 3 s if the service does not respond, and the screen stays online', async () => {
    const lines = [{ fulfillmentOrderId: await handedOver([['SOAP-LAV', 1]]), webLineId: '1', quantity: 1 }];
    await announce('R-SLOW', 1, { trackingNumber: '1Z999AA10123450001', lines });
    const page = await open('clerk', '/return');
    await page.getByRole('link', { name: /R-SLOW/ }).waitFor();
    const { promise: until, resolve } = Promise.withResolvers<undefined>();
    const free = floor.proxy.always('/returns/eligibility', { kind: 'hold', until });
    await wedge(page, '1Z999AA10123450001');
    await page.getByRole('heading', { name: 'R-SLOW' }).waitFor();
    expect(await page.locator('.sync-state').first().textContent()).toBe('sent');
    free();
    resolve(undefined);
  });

  it('is one of several to choose from if they came in one parcel, also without the network; closed ones do not count', async () => {
    const trackingNumber = '1Z999AA10123450002';
    const lines = [{ fulfillmentOrderId: await handedOver([['SOAP-LAV', 3]]), webLineId: '1', quantity: 1 }];
    for (const number of ['R-ONE', 'R-TWO', 'R-PAST']) await announce(number, 1, { trackingNumber, lines });
    const page = await open('clerk', '/return');
    for (const number of ['R-ONE', 'R-TWO', 'R-PAST']) await page.getByRole('link', { name: number }).waitFor();
    const { returnId } = await readReturn('R-PAST');
    const booked = await floor.town.client.post(`${NODE}/returns/${returnId}/receipts`, {
      receiptId: 'r-past',
      userId: 'leo',
      lines: [{ position: 1, quantity: 1, condition: 'GOOD' }],
    });
    expect(booked.status, booked.text).toBeLessThan(300);
    const closed = await floor.town.client.post(`${NODE}/returns/${returnId}/close`, { closeId: 'p', userId: 'leo' });
    expect(closed.status, closed.text).toBe(200);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByRole('link', { name: 'R-PAST' }).waitFor({ state: 'detached' });
    const plug = floor.proxy.unplug();
    await wedge(page, trackingNumber);
    await page.getByText('Choose what comes back').waitFor();
    expect(await page.locator('main a.row .code').allTextContents()).toEqual(['R-ONE', 'R-TWO']);
    plug();
    await page.getByRole('link', { name: 'R-TWO' }).click();
    await page.getByRole('heading', { name: 'R-TWO' }).waitFor();
  });

  it('of another store opens from a scan without the network if it is on the device', async () => {
    const trackingNumber = '1Z999AA10123450003';
    const lines = [{ fulfillmentOrderId: await handedOver([['SOAP-LAV', 1]]), webLineId: '1', quantity: 1 }];
    await announce('R-AWAY', 1, { trackingNumber, lines, expectedNodeId: 'TOWN-Store002' });
    const page = await open('clerk', '/return');
    await wedge(page, trackingNumber);
    await page.getByRole('heading', { name: 'R-AWAY' }).waitFor();
    await show(page, '/return');
    await page.getByText('Scan the slip').waitFor();
    const plug = floor.proxy.unplug();
    await wedge(page, trackingNumber);
    await page.getByRole('heading', { name: 'R-AWAY' }).waitFor();
    plug();
  });

  it('opens from a scan of its number or parcel anywhere; a closed one opens in the office', async () => {
    const trackingNumber = '1Z999AA10123456784';
    await announce('R-SCANNED', 1, { trackingNumber });
    const page = await open('clerk', '/find');
    await page.locator('h1').first().waitFor();
    await wedge(page, trackingNumber);
    const row = page.getByRole('link', { name: /^Return R-SCANNED/ });
    await row.getByText('Announced').waitFor();
    await row.click();
    await page.getByRole('heading', { name: 'R-SCANNED' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/return/TOWN_US/announced/R-SCANNED');
    await button(page, /^One more of/).click();
    await choose(page, /As new/);
    await expect.poll(async () => (await readReturn('R-SCANNED')).totals.open).toBe(0);
    const { returnId } = await readReturn('R-SCANNED');
    const close = { closeId: 'r-scanned', userId: 'leo' };
    expect((await floor.town.client.post(`${NODE}/returns/${returnId}/close`, close)).status).toBe(200);
    await show(page, '/find?code=R-SCANNED');
    await row.getByText('Closed').waitFor();
    expect(await row.getAttribute('href')).toBe('#/office/returns/TOWN_US/R-SCANNED');
  });

  it('and an order with the same number are two choices', async () => {
    const order = await handedOver([['SOAP-LAV', 1]]);
    await announce(order, 1);
    const page = await open('lead', '/return');
    await page.locator('h1').first().waitFor();
    await wedge(page, order);
    const choices = page.locator('main a.row').filter({ hasText: order });
    await expect.poll(() => choices.count()).toBe(2);
    await choices.filter({ hasNotText: 'Return' }).last().click();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#/return/TOWN_US/order/${order}`);
  });

  it('is received from the scan of its parcel also after it was canceled, and its missing units can be counted', async () => {
    const order = await handedOver([['SOAP-LAV', 2]]);
    const trackingNumber = '1Z999AA10123456799';
    const lines = [{ fulfillmentOrderId: order, webLineId: '1', quantity: 2 }];
    await announce('R-ENDED', 2, { trackingNumber, lines });
    expect((await floor.town.client.post(`${STORE}/R-ENDED/cancel`, {})).status).toBe(200);
    for (const who of ['associate', 'clerk'] as const) {
      const page = await open(who, '/return');
      await page.locator('[data-scan-target]').waitFor();
      await wedge(page, `]C0${trackingNumber}`);
      await page.getByText('Canceled · 0 of 2').waitFor();
      expect(new URL(page.url()).hash).toBe('#/return/TOWN_US/announced/R-ENDED');
      await show(page, `/find?code=${trackingNumber}`);
      const row = page.getByRole('link', { name: /^Return R-ENDED/ });
      expect(await row.getAttribute('href')).toBe('#/return/TOWN_US/announced/R-ENDED');
      if (who === 'associate') continue;
      await row.click();
      await button(page, /^One more of/).click();
      await choose(page, /As new/);
      await expect.poll(async () => (await readReturn('R-ENDED')).state).toBe('RECEIVING');
      expect((await readReturn('R-ENDED')).totals).toMatchObject({ sellable: 1, open: 1, missing: 0, over: 0 });
    }
  });

  it('home leads to the returns that wait at this store', async () => {
    await announce('R-3004', 1);
    const page = await open('associate', '/');
    await page
      .getByRole('link', { name: /^Take back/ })
      .first()
      .waitFor();
    await shot(page, 'return-home');
    await page
      .getByRole('link', { name: /^Take back/ })
      .first()
      .click();
    await page.getByRole('link', { name: /R-3004/ }).waitFor();
  });

  it('is on the device if it is in progress or one of the newest, and leaves the list of a full device when it is closed or canceled', async () => {
    const linesOf = (fulfillmentOrderId: string, quantity: number) => {
      return { lines: [{ fulfillmentOrderId, webLineId: '1', quantity }] };
    };
    const first = await handedOver([['SOAP-LAV', 4]]);
    await announce('R-BEGUN', 2, linesOf(first, 2));
    await announce('R-OLD', 1, linesOf(first, 1));
    await announce('R-OPENED', 1, linesOf(first, 1));
    let order = '';
    for (let count = 0; count < 100; count++) {
      if (count % 20 === 0) order = await handedOver([['SOAP-LAV', 20]]);
      floor.town.clock.now += 1;
      await announce(`R-NEW-${count}`, 1, linesOf(order, 1));
    }
    const { returnId } = await readReturn('R-BEGUN');
    const booked = await floor.town.client.post(`${NODE}/returns/${returnId}/receipts`, {
      receiptId: 'r-begun',
      userId: 'leo',
      lines: [{ position: 1, quantity: 1, condition: 'GOOD' }],
    });
    expect(booked.status, booked.text).toBeLessThan(300);
    const page = await open('clerk', '/');
    const read = page.waitForResponse((response) => response.url().endsWith('/returns/R-BEGUN'));
    await show(page, '/return');
    await (await read).finished();
    const begun = page.getByRole('link', { name: /R-BEGUN/ });
    await begun.getByText('1 of 2').waitFor();
    await page.getByRole('link', { name: /R-NEW-99/ }).waitFor();
    const old = page.getByRole('link', { name: /R-OLD/ });
    expect(await old.count()).toBe(0);

    await show(page, '/return/TOWN_US/announced/R-OLD');
    await button(page, /^One more of/).click();
    await choose(page, /As new/);
    await page.getByText(/· As new/).waitFor();
    await expect.poll(async () => (await readReturn('R-OLD')).totals.sellable).toBe(1);
    await button(page, 'Close').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    await button(page, 'Next customer').click();
    await begun.waitFor();
    await old.waitFor({ state: 'detached' });

    // A return that was opened stays on the device, although it is none of the newest.
    await show(page, '/return/TOWN_US/announced/R-OPENED');
    await button(page, /^One more of/).waitFor();
    await show(page, '/return');
    const opened = page.getByRole('link', { name: /R-OPENED/ });
    await opened.waitFor();
    expect((await floor.town.client.post(`${STORE}/R-OPENED/cancel`, {})).status).toBe(200);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await opened.waitFor({ state: 'detached' });

    // The return that another device has begun is on this device with its receipts.
    const plug = floor.proxy.unplug();
    await begun.click();
    await page.getByText('Receipts and corrections (1)').waitFor();
    plug();
  });
});
