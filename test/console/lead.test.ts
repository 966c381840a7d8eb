/**
 * A lead and a manager in a real browser: decisions about exceptions in the list, boards on a wall, search by name,
 * goods and town.
 */
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadArrivals, townArrivals } from '../../src/service/demo/arrivals.ts';
import { beyondEdge } from '../../town/console/measure.ts';
import { townCall } from '../support/town.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import { NODE, pickedOrder, STORE, show, wedge } from './support/counter.ts';
import { orderOf } from './support/harness.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
  await loadArrivals(townCall(desk.town.call), desk.town.client.secrets, desk.town.clock.now);
  const targets = { linesPerHour: 40, shortPercent: 2, late: 3 };
  const { body } = await desk.town.operator('GET', '/operator/v1/clients/TOWN');
  await desk.town.operator('PUT', '/operator/v1/clients/TOWN', { ...body, settings: { targets } });
  // All orders that wait for a pick are late, and the ready order was not collected.
  desk.town.clock.now += 24 * 3_600_000;
  await desk.town.store.write((tx) =>
    tx
      .updateTable('fulfillment_orders')
      .set({ sla_at: desk.town.clock.now - 60_000 })
      .where('fulfillment_order_id', '=', desk.town.orders.ready)
      .execute(),
  );
});
afterAll(() => desk.close());

const SHOTS = process.env['TEST_SHOTS'];
/** Takes a screenshot for a review of the screens if TEST_SHOTS names a folder. */
async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** Creates an order, which changes the work of the node. */
async function takeIn(id: string): Promise<void> {
  const body = orderOf(id, [['MUG-WHT', 1]], desk.town.clock.now);
  const taken = await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, body);
  expect(taken.status, taken.text).toBe(201);
}

const TABLET = { viewport: 'tablet' } as const;
const ticketOf = (page: Page) => decodeURIComponent(new URL(page.url()).hash.split('/').at(-1)!);

describe('exceptions', () => {
  it('are grouped by what to do, with customer, units and place, and the numbers of the tabs', async () => {
    const page = await openAs(desk, 'lead', '/exceptions', TABLET);
    const pick = page.getByRole('region', { name: 'Pick now' });
    await pick.getByRole('button', { name: 'Pick now' }).first().waitFor();
    const collect = page.getByRole('region', { name: 'Call the customer' });
    await collect
      .getByRole('link', { name: /^Call / })
      .first()
      .waitFor();
    await expect.poll(() => page.locator('.tab-count').first().innerText()).not.toBe('0');
    expect(await page.getByText(/WAITING_FOR|_EXPIRED/).count()).toBe(0);
    expect(await axe(page)).toEqual([]);
  });

  it('show an order before it is late, and a lead can give it to a person then', async () => {
    const { orders } = (await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/orders?limit=500`)).body;
    const waiting = orders.filter(({ status }: { status: string }) => status === '1100');
    const due = (fulfillmentOrderId: string, minutes: number) =>
      desk.town.store.write((tx) =>
        tx
          .updateTable('fulfillment_orders')
          .set({ sla_at: desk.town.clock.now + minutes * 60_000 })
          .where('fulfillment_order_id', '=', fulfillmentOrderId)
          .execute(),
      );
    await due(waiting[0].fulfillmentOrderId, 10);
    await due(waiting[1].fulfillmentOrderId, 20);
    const page = await openAs(desk, 'lead', '/exceptions', TABLET);
    const soon = page.getByRole('region', { name: 'Due soon' });
    const row = soon.locator('.exception', { hasText: waiting[0].fulfillmentOrderId });
    await row.getByText(/start in \d+ min/).waitFor();
    await shot(page, 'exceptions-soon');
    expect(await soon.locator('.exception').count()).toBe(1);
    const shown = await page.locator('.exception').count();
    await expect.poll(() => page.locator('.tab-count').first().innerText()).toBe(String(shown));
    await row.getByRole('button', { name: 'Give to…' }).click();
    const ana = page.getByRole('dialog').getByRole('button', { name: /Ana Ruiz/ });
    await ana.waitFor();
    // The order becomes late, and its row moves to another group below the dialog.
    await due(waiting[0].fulfillmentOrderId, -1);
    await takeIn('L00001');
    await page
      .locator('section[aria-label="Pick now"] .exception', { hasText: waiting[0].fulfillmentOrderId })
      .waitFor();
    await ana.click();
    await page.getByText('Given to Ana Ruiz').waitFor();
    const holder = async () =>
      (await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/orders?limit=500`)).body.orders.find(
        ({ fulfillmentOrderId }: { fulfillmentOrderId: string }) =>
          fulfillmentOrderId === waiting[0].fulfillmentOrderId,
      ).userId;
    expect(await holder()).toBe('ana');
    for (const { fulfillmentOrderId } of waiting.slice(0, 2)) await due(fulfillmentOrderId, -5);
  });

  it('have their sum on a card of Home', async () => {
    const { exceptions, inbound } = (await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/work`)).body;
    const { late, resourceRequests, pinLocks, notCollected, duplicateCartons } = exceptions;
    expect(resourceRequests).toBeGreaterThan(0);
    const all = inbound.held + late + resourceRequests + pinLocks + notCollected + duplicateCartons;
    const page = await openAs(desk, 'lead', '/', TABLET);
    await page.getByRole('link', { name: `Exceptions ${all} to look at` }).waitFor();
  });

  it('are complete, also with more orders than a page', async () => {
    const page = await openAs(desk, 'lead', '/me', TABLET);
    // Limits each page to two orders, so that the lists have several pages.
    await page.route(`**/nodes/${NODE}/orders?*`, async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '2');
      await route.continue({ url: url.href });
    });
    await page.evaluate(() => {
      location.hash = '/exceptions';
    });
    const path = `/operator/v1/clients/TOWN/nodes/${NODE}/orders?limit=500&view=`;
    const many = async (view: string) => (await desk.town.client.get(`${path}${view}`)).body.orders.length;
    const all = (await many('LATE')) + (await many('NOT_COLLECTED'));
    expect(all).toBeGreaterThan(4);
    await expect.poll(() => page.locator('.tab-count').first().innerText()).toBe(String(all));
  });

  it('are read to the end although the work changes meanwhile, and then once more', async () => {
    const page = await openAs(desk, 'lead', '/exceptions', TABLET);
    await page.locator('.exception').first().waitFor();
    const isLate = (one: Request) => one.url().includes('view=LATE');
    const failed: string[] = [];
    page.on('requestfailed', (one) => {
      if (isLate(one)) failed.push(one.url());
    });
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    await page.route('**/orders?*view=LATE*', async (route) => {
      await released;
      await route.continue();
    });
    const change = async (id: string) => {
      const seen = page.waitForResponse((one) => one.url().includes('/work?since='));
      await takeIn(id);
      await (await seen).finished();
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    };
    const first = page.waitForRequest(isLate);
    await change('L00002');
    await first;
    const next = page.waitForRequest(isLate);
    await change('L00003');
    release(undefined);
    await next;
    expect(failed).toEqual([]);
  });

  it('have the late goods of an order that was canceled in part and waits for its customer', async () => {
    const { client, store, clock } = desk.town;
    const id = await pickedOrder(desk.town, 'PART-1', { lines: [['MUG-WHT', 3]] });
    const cancel = (quantity: number) =>
      client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`, {
        reasonCode: 'CancelCustomerInitiated',
        lines: [{ webLineId: '1', quantity }],
      });
    expect((await cancel(1)).status).toBe(200);
    const due = (at: number) =>
      store.write((tx) =>
        tx.updateTable('pick_tickets').set({ pick_sla_date: at }).where('fulfillment_order_id', '=', id).execute(),
      );
    await due(clock.now - 60_000);
    const page = await openAs(desk, 'lead', '/exceptions', TABLET);
    const back = page.getByRole('region', { name: 'Bring back' });
    await back.getByText('Late goods of 1 order that was canceled in part').waitFor();
    await back.getByRole('link', { name: 'Bring back' }).last().click();
    await expect.poll(() => page.url()).toContain('#/bring-back');
    await due(clock.now + 3_600_000);
  });

  it('are declined with a reason of the client, if the client has its own list', async () => {
    const path = '/operator/v1/clients/TOWN';
    const { body: town } = await desk.town.operator('GET', path);
    const cancelReasons = [
      { code: 'CancelGeneric', description: 'Other' },
      { code: 'OOS', description: 'Sold out' },
    ];
    await desk.town.operator('PUT', path, { ...town, settings: { ...town.settings, cancelReasons } });
    const page = await openAs(desk, 'lead', '/exceptions', TABLET);
    await page.getByRole('button', { name: 'Decline' }).first().click();
    const reasons = page.getByRole('dialog').getByRole('radio');
    await page.getByRole('dialog').getByRole('radio', { name: 'Sold out' }).waitFor({ state: 'attached' });
    expect(await reasons.count()).toBe(2);
    expect(await reasons.first().isChecked()).toBe(true);
    await desk.town.operator('PUT', path, town);
  });

  it('are declined with the consequence for each type: another store, or canceled', async () => {
    const types = { D00001: 'SHIP_TO_HOME', D00002: 'STORE_PICK_UP' } as const;
    for (const [id, fulfillmentType] of Object.entries(types)) {
      const more = { fulfillmentType, carrier: 'UPS', service: 'Ground' };
      const body = { ...orderOf(id, [['MUG-WHT', 1]], desk.town.clock.now), ...more };
      const taken = await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, body);
      expect(taken.status, taken.text).toBe(201);
    }
    await desk.town.store.write((tx) =>
      tx
        .updateTable('fulfillment_orders')
        .set({ sla_at: desk.town.clock.now - 60_000 })
        .where('fulfillment_order_id', 'in', Object.keys(types))
        .execute(),
    );
    const page = await openAs(desk, 'lead', '/exceptions', TABLET);
    const rows = page.getByRole('region', { name: 'Pick now' }).locator('.exception');
    for (const id of Object.keys(types)) await rows.filter({ hasText: id }).getByRole('checkbox').click();
    await page.getByRole('status').getByRole('button', { name: 'Decline' }).click();
    const dialog = page.getByRole('dialog');
    const says = async () => {
      await dialog.getByText('1 order waits for another store.').waitFor();
      await dialog.getByText('1 order is canceled: your company looks for no other store').waitFor();
    };
    await says();
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await dialog.getByText('2 orders declined').waitFor();
    await says();
    const requests = `/operator/v1/stores/${STORE}/resourceRequests`;
    const { resourceRequests } = (await desk.town.client.get(`${requests}?fulfillmentOrderId=D00001`)).body;
    await desk.town.client.post(`${requests}/${resourceRequests[0].requestId}/answer`, { outcome: 'CANCEL' });
  });

  it('are decided on the row: given to a person, picked at once, declined', async () => {
    const page = await openAs(desk, 'lead', '/exceptions', TABLET);
    const pick = page.getByRole('region', { name: 'Pick now' });
    const rows = pick.locator('.exception');
    const before = await rows.count().then(async () => {
      await rows.first().waitFor();
      return rows.count();
    });
    expect(before).toBeGreaterThan(2);
    const given = await rows.first().locator('.code').first().innerText();
    await rows.first().getByRole('button', { name: 'Give to…' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Ana Ruiz/ })
      .click();
    await expect.poll(() => rows.count()).toBe(before - 1);
    await page.getByText('Given to Ana Ruiz').waitFor();
    const inHands = page.getByRole('region', { name: 'In somebody’s hands' });
    await inHands.locator('.exception', { hasText: given }).getByText('Ana Ruiz').waitFor();

    await rows.first().getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('dialog').getByText('1 order declined').waitFor();
    // The dialog still shows the outcome after the order has left the list.
    await expect.poll(() => rows.count()).toBe(before - 2);
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await rows.first().getByRole('button', { name: 'Pick now' }).click();
    await expect.poll(() => page.url()).toContain(`#/pick/${STORE}/`);
    const { tickets } = (await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/people`)).body.people.find(
      ({ userId }: { userId: string }) => userId === 'leo',
    );
    expect([tickets, ticketOf(page)]).toEqual([1, expect.stringMatching(/^\d+$/)]);
  });

  it('have the held units of arrivals, a row for each shipment, decided on the row', async () => {
    const page = await openAs(desk, 'lead', '/exceptions', TABLET);
    const tab = page.getByRole('link', { name: /^Held goods/ });
    await expect.poll(() => tab.innerText()).toMatch(/[1-9]/);
    await tab.click();
    const row = page.locator('.exception', { hasText: townArrivals.held });
    await row.getByText(/on hold/).waitFor();
    expect(await axe(page)).toEqual([]);
    await row.getByRole('button', { name: 'Decide' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 over').waitFor();
    await dialog.getByText('Good units: Shelf').waitFor();
    await shot(page, 'held-decide');
    await dialog.getByRole('button', { name: 'All good' }).click();
    await dialog.getByRole('button', { name: 'Save the decision' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText(/^Decided: .* 5 good · Good units: Shelf$/).waitFor();
    await page.getByText('Nothing is held').waitFor();
  });

  it('name the cartons that two shipments announce, and both shipments', async () => {
    const carton = '003401234500009905';
    for (const number of ['ASN-TW1', 'ASN-TW2']) {
      const line = { asnNumber: number, cartonId: carton, clientItemId: 'MUG-WHT', shippedQuantity: 2, itemCost: 3.25 };
      const header = {
        asnNumber: number,
        receivingType: 'A',
        receivingWarehouseId: 'HS001',
        shipmentReceiptDate: new Date(desk.town.clock.now).toISOString().slice(0, 10),
        shipperName: 'Quayside Vendor',
        storeCode: '988',
      };
      const detail = [{ ...line, receivingWarehouseId: 'HS001', trailerNumber: 'TR-7' }];
      const sent = await desk.town.client.post('/poasn-manager-service/sellers/TOWNS/poasn/create', {
        asnData: [{ header, details: { detail } }],
      });
      expect(sent.status, sent.text).toBe(200);
    }
    const page = await openAs(desk, 'lead', '/exceptions?tab=held', TABLET);
    const twice = page.getByRole('region', { name: 'Cartons announced twice' });
    await twice.getByRole('link', { name: /ASN-TW1.*also in ASN-TW2/ }).waitFor();
    await twice.getByRole('link', { name: /ASN-TW2.*also in ASN-TW1/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    await desk.town.operator('DELETE', '/operator/v1/clients/TOWN/inbound/ASN/ASN-TW2');
    await twice.waitFor({ state: 'detached' });
    await page.getByText('Nothing is held').waitFor();
  });

  it('name reasons and items, not their codes', async () => {
    const page = await openAs(desk, 'lead', '/exceptions?tab=requests', TABLET);
    await page
      .getByText(/^Out of stock$|^Not there/)
      .first()
      .waitFor();
    expect(await page.getByText('CancelMXOutOfStock').count()).toBe(0);
  });

  it('have the requests of the chosen node only, also for a user of every node', async () => {
    const all = '/operator/v1/stores/TOWN_US/resourceRequests?status=OPEN';
    const [{ requestId, fulfillmentOrderId }] = (await desk.town.client.get(all)).body.resourceRequests;
    const move = (nodeId: string) =>
      desk.town.store.write((tx) =>
        tx.updateTable('resource_requests').set({ node_id: nodeId }).where('request_id', '=', requestId).execute(),
      );
    const page = await openAs(desk, 'manager', '/exceptions?tab=requests', TABLET);
    await page.getByRole('button', { name: /Harbour Street/ }).click();
    await page.getByText(fulfillmentOrderId).waitFor();
    await move('TOWN-Store002');
    await page.reload();
    await page.getByText('No units wait for another store').waitFor();
    expect(await page.getByText(fulfillmentOrderId).count()).toBe(0);
    await move(NODE);
  });

  it('have every blocked item, page by page', async () => {
    const page = await openAs(desk, 'lead', '/exceptions?tab=requests', TABLET);
    const lookups: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/scan')) lookups.push(request.url());
    });
    await page.route(/\/holds\?/, (route) => {
      const isSecond = new URL(route.request().url()).searchParams.get('after') === '21-MUG-WHT';
      const hold = {
        nodeId: NODE,
        policy: 'FIXED',
        reasonCode: 'CancelMXOutOfStock',
        heldSince: '2026-03-02T10:00:00Z',
      };
      const json = isSecond
        ? { holds: [{ ...hold, itemId: '21-TEE-RED-M' }] }
        : { holds: [{ ...hold, itemId: '21-MUG-WHT' }], next: '21-MUG-WHT' };
      return route.fulfill({ json });
    });
    await page.evaluate(() => {
      location.hash = '/exceptions?tab=holds';
    });
    const free = page.getByRole('button', { name: 'Free' });
    await free.waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => free.count()).toBe(2);
    await page.getByText('Stoneware mug, white').waitFor();
    await page.getByText('Harbour tee, signal red, M').waitFor();
    expect(lookups).toEqual([]);
    expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0);
  });

  it('end a request whose units no other node serves', async () => {
    const page = await openAs(desk, 'lead', '/exceptions?tab=requests', TABLET);
    const ends = page.getByRole('button', { name: 'Cancel these units' });
    await ends.first().waitFor();
    const before = await ends.count();
    const dialog = page.getByRole('dialog', { name: /^Cancel these units of order \S+\?$/ });
    await ends.first().click();
    await dialog.getByText('This cannot be undone.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await ends.count()).toBe(before);
    await ends.first().click();
    await dialog.getByRole('button', { name: 'Cancel these units' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => ends.count()).toBe(before - 1);
    expect(await page.locator('.error').count()).toBe(0);
  });
});

describe('the boards', () => {
  it('show bars up to now, the day before, targets and names', async () => {
    const page = await openAs(desk, 'lead', '/boards', { ...TABLET, viewport: 'desk' });
    await page.getByText('the day before:').first().waitFor();
    await page.getByText('at most 2%').waitFor();
    await page.getByRole('img', { name: /by hour/ }).waitFor();
    await page.getByText('Harbour Street').first().waitFor();
    expect(await axe(page)).toEqual([]);
    // The day's sum of late orders differs from the present number of late orders. Only the present number is a link to
    // the orders.
    await page.getByText('Became late', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: /^\d+ late now$/ }).click();
    await page.getByRole('region', { name: 'Pick now' }).waitFor();
    // Below the chart, each hour shows its numbers.
    await page.evaluate(() => {
      location.hash = '/boards?date=2026-03-02';
    });
    await page.locator('.bar-hours b.ordersIn').first().waitFor();
    await shot(page, 'boards');
  });

  it('say of when they are, by the clock of the store, also after the network is lost', async () => {
    const page = await openAs(desk, 'lead', '/boards', { ...TABLET, viewport: 'desk', timeZone: 'UTC', clock: true });
    const line = page.getByText(/^As of .* Days and hours of America\/New_York\.$/);
    await line.waitFor();
    const asOf = async () => /As of (\d+):(\d+)/.exec(await line.innerText())!.map(Number);
    const [, hour, minute] = await asOf();
    // New York is 5 hours behind UTC on this day.
    expect(hour! % 12).toBe((new Date(desk.town.clock.now).getUTCHours() - 5) % 12);
    // A sandbox can move its clock.
    desk.town.clock.now += 10 * 60_000;
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect.poll(async () => ((await asOf())[2]! - minute! + 60) % 60).toBeGreaterThanOrEqual(10);
    const first = await line.innerText();
    await page.route('**/boards?*', (route) => route.abort());
    await page.clock.fastForward('20:00');
    await page.getByText(/^as of .*offline/).waitFor();
    expect(await line.innerText()).toBe(first);
    await show(page, '/boards?date=2026-03-02');
    await page.unroute('**/boards?*');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText(/^Days and hours of America\/New_York\.$/).waitFor();
  });

  it('of today end at the present hour, those of several days at the last; the target of late orders counts the days', async () => {
    const page = await openAs(desk, 'lead', '/boards', { ...TABLET, viewport: 'desk' });
    const last = page.locator('.bar-hours .bar-hour').last();
    await last.waitFor();
    expect(Number.parseInt(await last.innerText(), 10)).toBeLessThan(23);
    await page.getByText('at most 3', { exact: true }).waitFor();
    await page.getByLabel('Days').selectOption('7');
    await last.getByText('23').waitFor();
    await page.getByText('at most 21', { exact: true }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^boards-TOWN-Store001-\d{4}-\d\d-\d\d-7\.csv$/);
  });

  it.each(['desk', 'tablet'] as const)('have a wall display of their own whose numbers fit: %s', async (viewport) => {
    const page = await openAs(desk, 'lead', '/boards?wall=1', { ...TABLET, viewport });
    await page.locator('.wall-value').nth(4).waitFor();
    await page.getByText(/^\d+ late now$/).waitFor();
    await shot(page, `wall-${viewport}`);
    expect(await beyondEdge(page)).toEqual([]);
    const spilled = await page
      .locator('.wall-value')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    expect(spilled).toEqual([]);
    const isCovered = await page.evaluate(
      () => document.elementFromPoint(5, innerHeight / 2)?.closest('.wall') !== null,
    );
    expect(isCovered).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).not.toContain('wall');
  });
});

describe('a manager of several stores', () => {
  it('is not asked where he or she works: the boards have a choice, which stays', async () => {
    const page = await openAs(desk, 'manager', '/boards', { ...TABLET, viewport: 'desk' });
    const choice = page.getByLabel('Store', { exact: true });
    await choice.waitFor();
    expect(await page.getByText('Where do you work?').count()).toBe(0);
    await choice.selectOption({ label: 'Mill Lane' });
    await page.locator('.sub', { hasText: 'Mill Lane' }).or(page.getByText('Mill Lane').first()).first().waitFor();
    await shot(page, 'boards-choice');
    expect(await axe(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
    await page.evaluate(() => {
      location.hash = '/office/orders';
    });
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    await page.evaluate(() => {
      location.hash = '/boards';
    });
    await choice.waitFor();
    expect(await choice.inputValue()).toBe('TOWN-Store002');
    await page.evaluate(() => {
      location.hash = '/boards?wall=1';
    });
    await page.getByRole('heading', { name: 'Mill Lane' }).waitFor();
    for (const path of ['/office/orders', '/office/devices', '/office/people']) {
      await page.evaluate((to) => {
        location.hash = to;
      }, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await page.getByText('Where do you work?').count()]).toEqual([path, 0]);
    }
  });

  it('is not asked if the client has one store only', async () => {
    const page = await openAs(desk, 'manager', '/office/orders', { ...TABLET, viewport: 'desk' });
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    await page.route(/\/clients\/TOWN\/nodes(?:\?.*)?$/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { nodes: { nodeId: string }[] };
      await route.fulfill({ json: { ...body, nodes: body.nodes.filter(({ nodeId }) => nodeId === NODE) } });
    });
    await page.evaluate(() => {
      location.hash = '/';
    });
    await page.getByText('Harbour Street').first().waitFor();
    await page
      .getByRole('link', { name: /^Pick|^Receive|^Count stock/ })
      .first()
      .waitFor();
    expect(await page.getByText('Where do you work?').count()).toBe(0);
  });

  it('has no choice of a store with one of them, and is never asked', async () => {
    const page = await openAs(desk, 'lead', '/boards', TABLET);
    await page.getByText('the day before:').first().waitFor();
    expect(await page.getByLabel('Store', { exact: true }).count()).toBe(0);
  });
});

describe('a lead', () => {
  it('gives a colleague a one-time PIN, which the device accepts, and sees the devices', async () => {
    const page = await openAs(desk, 'lead', '/office/people', TABLET);
    const row = page.getByRole('listitem').filter({ hasText: 'Ana Ruiz' });
    // The clerk also works at a node that the lead does not have.
    const clerk = page.getByRole('listitem').filter({ hasText: 'Receiving clerk' });
    await clerk.waitFor();
    expect(await clerk.getByRole('button').count()).toBe(0);
    await row.getByRole('button', { name: 'One-time PIN' }).click();
    expect(await page.getByLabel('One-time PIN', { exact: true }).innerText()).toMatch(/^\d{4,8}$/);
    await page.getByRole('dialog').getByRole('button').last().click();
    const { name } = desk.town.people.lead as { name?: string };
    const own = page.getByRole('listitem').filter({ hasText: name ?? 'Leo Marsh' });
    expect(await own.getByRole('button').count()).toBe(0);
    await shot(page, 'team');
    expect(await axe(page)).toEqual([]);
    await page.evaluate(() => {
      location.hash = '/office/devices';
    });
    await page.getByRole('heading', { name: 'Devices', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Set up a device' }).count()).toBe(0);
  });
});

describe('a scan of a pick ticket', () => {
  it('opens the ticket, and Back leads to the screen of the scan', async () => {
    const page = await openAs(desk, 'lead', '/queue', TABLET);
    await page.getByRole('heading').first().waitFor();
    await wedge(page, desk.town.tickets.open);
    await expect.poll(() => page.url()).toContain(`#/pick/${STORE}/${desk.town.tickets.open}`);
    await page.goBack();
    await expect.poll(() => page.url()).toContain('#/queue');
  });
});

describe('finding anything', () => {
  const search = async (page: Page, text: string) => {
    await page.getByRole('searchbox', { name: 'Scan or find anything' }).fill(text);
    await page.keyboard.press('Enter');
  };

  it('finds an order by name and by town, and an item by a word', async () => {
    const page = await openAs(desk, 'lead', '/find', TABLET);
    const { orders } = (await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/orders?limit=500`))
      .body as {
      orders: { customer: { name: string }; city?: string; fulfillmentOrderId: string }[];
    };
    const one = orders.find(({ city }) => (city ?? '') !== '')!;
    await search(page, one.customer.name.toLowerCase());
    await page.getByText(one.fulfillmentOrderId).first().waitFor();
    await search(page, one.city!.slice(0, 5).toLowerCase());
    await page.getByText(one.fulfillmentOrderId).first().waitFor();
    await search(page, 'mug');
    await page.getByText('Stoneware mug, white').first().waitFor();
    expect(await page.getByText('check digit').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
  });

  it('finds the orders whose goods are at a place, and no others', async () => {
    const id = await pickedOrder(desk.town, 'SHELF-7', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'lead', '/find', TABLET);
    const lists: string[] = [];
    page.on('request', (request) => {
      if (/\/orders\?/.test(request.url())) lists.push(request.url());
    });
    await search(page, 'SHELF-7');
    await page.getByText('In use').waitFor();
    const orders = page.getByRole('link', { name: new RegExp(id) });
    expect(await orders.getAttribute('href')).toBe(`#/hand-over/${STORE}/${id}`);
    expect(await page.getByRole('main').getByRole('link').count()).toBe(1);
    expect(lists).toEqual([expect.stringContaining('holdLocation=SHELF-7')]);
  });

  it('opens Bring back for a canceled order that is found by its place', async () => {
    const id = await pickedOrder(desk.town, 'SHELF-8', { lines: [['MUG-WHT', 1]] });
    const cancel = { reasonCode: 'CancelCustomerInitiated' };
    const path = `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`;
    expect((await desk.town.client.post(path, cancel)).status).toBe(200);
    const [ticket] = await desk.town.store.read((db) =>
      db.selectFrom('pick_tickets').selectAll().where('fulfillment_order_id', '=', id).execute(),
    );
    const page = await openAs(desk, 'lead', '/find', TABLET);
    await search(page, 'SHELF-8');
    const order = page.getByRole('link', { name: new RegExp(id) });
    expect(await order.getAttribute('href')).toBe(`#/bring-back/${STORE}/${ticket!.pick_ticket_id}`);
  });
});
