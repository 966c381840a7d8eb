/** An order at the desk in a real browser: its notes, and the facts that support reads to a customer. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import { handOverAll, handOver as handOverTo, NODE, pickedOrder, STORE } from './support/counter.ts';
import { orderOf } from './support/harness.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
});
afterAll(() => desk.close());

const SHOTS = process.env['TEST_SHOTS'];
/** Takes a screenshot for a review of the screens if TEST_SHOTS names a folder. */
async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

const NOTE = 'Comes Saturday at 9, is in a wheelchair, please bring the goods to the car';

async function change(id: string, body: Record<string, unknown>): Promise<void> {
  const path = `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/change`;
  const { status, text } = await desk.town.client.post(path, { changeId: `c-${id}`, userId: 'sami', ...body });
  expect(status, text).toBe(200);
}

const handOver = (id: string) => handOverAll(desk.town, id);
const notes = (page: Page) => page.getByRole('region', { name: 'Notes on the order' });

it('the order shows a charge below 0 beside the amount of the remaining units', async () => {
  const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 2]] });
  const page = await openAs(desk, 'support', '/me', { viewport: 'desk' });
  await page.route(`**/operator/v1/stores/${STORE}/fulfillmentOrders/${id}`, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const orderTotal = { ...json.orderTotal, grandTotal: -5, grandCharges: -15, grandTax: 0 };
    await route.fulfill({
      response,
      json: { ...json, charged: [{ chargedDate: json.orderDate, items: [], orderTotal }] },
    });
  });
  await show(page, `/office/orders/${STORE}/${id}`);
  await page.locator('tfoot').getByText('-$5.00').waitFor();
  await page.locator('tfoot').getByText('Charged').waitFor();
  await page.locator('tfoot').getByText('To charge').waitFor();
});

describe('a note on an order', () => {
  it('is above the order, and its timeline entry has the changed parts and the note', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 3]] });
    await change(id, { note: NOTE, pin: '4711' });
    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    await notes(page).getByText(NOTE).waitFor();
    const entry = page.getByRole('region', { name: 'What happened' }).getByRole('listitem');
    await entry.filter({ hasText: 'Order changed · PIN, Note' }).getByText(NOTE).waitFor();
    await shot(page, 'order-note');
    expect(await axe(page)).toEqual([]);

    const counter = await openAs(desk, 'associate', `/hand-over/${STORE}/${id}`, { viewport: 'narrow' });
    await notes(counter).getByText(NOTE).waitFor();
    await shot(counter, 'hand-over-note');
    expect(await beyondEdge(counter)).toEqual([]);
  });

  it('is above the work of the packer', async () => {
    const id = await pickedOrder(desk.town, 'B2', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]] });
    await change(id, { note: NOTE });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { viewport: 'narrow' });
    await notes(page).getByText(NOTE).waitFor();
    expect(await beyondEdge(page)).toEqual([]);
  });

  it('is one line above the work of the picker, and opens with its tote and customer', async () => {
    const ids = ['N00001', 'N00002'];
    const orders = ids.flatMap((id) => orderOf(id, [['MUG-WHT', 2]], desk.town.clock.now));
    const taken = await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, orders);
    expect(taken.status, taken.text).toBe(201);
    await change(ids[1]!, { note: NOTE });
    const made = await desk.town.client.post(`/stores/${STORE}/nodes/${NODE}/pickTicket/generate`, {
      storeId: STORE,
      nodeId: NODE,
      queueId: 'WAITING_FOR_PICK_ISPU',
      userId: 'ana',
      modifyAssociateId: 'ana',
      fulfillmentOrderIds: ids,
    });
    expect(made.status, made.text).toBe(201);
    const ticket = made.body.pickTicketDetails[0].pickTicketId;
    const page = await openAs(desk, 'associate', `/pick/${STORE}/${ticket}`, { viewport: 'narrow' });
    const note = notes(page).getByText(NOTE);
    await note.waitFor();
    const { height } = (await notes(page).boundingBox())!;
    expect(height).toBeLessThan(60);
    // The line is cut with an ellipsis inside of its box.
    const box = notes(page);
    expect(await box.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
    await shot(page, 'pick-note');
    await note.click();
    await notes(page).getByText(/^B · /).waitFor();
    expect(await beyondEdge(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
  });
});

describe('the page of an order', () => {
  it('names its store, and after the hand-over it has what was charged instead of a place', async () => {
    const line = { webLineId: '1', itemId: '21-MUG-WHT', quantity: 2, unitPrice: 19.99, charges: 0, tax: 3.5 };
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 2]], more: { lines: [line] } });
    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    const where = page.getByRole('region', { name: 'Where it is' });
    await where.getByText('Harbour Street').waitFor();
    await where.getByText('B2', { exact: true }).waitFor();
    await page.getByText('Pickup · Cleo Marsh · Harbour Street').waitFor();
    const money = page.getByRole('region', { name: 'Lines', exact: true });
    await money.getByRole('row', { name: 'Tax $3.50' }).waitFor();
    await money.getByRole('row', { name: 'To charge $43.48' }).waitFor();

    await handOver(id);
    await page.reload();
    await money.getByRole('row', { name: 'Charged $43.48' }).waitFor();
    await shot(page, 'order-charged');
    expect(await money.getByText('To charge').count()).toBe(0);
    expect(await page.getByText('Lies at').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
  });
});

it('leads back to the list with its filters', async () => {
  const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
  const page = await openAs(desk, 'support', `/office/orders?view=ALL&text=${id}`, { viewport: 'desk' });
  await page.getByRole('row', { name: id }).click();
  await page.getByRole('region', { name: 'Where it is' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('row', { name: id }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/office/orders?view=ALL&text=${id}`);
});

describe('the timeline of an order', () => {
  it('names who took goods only if this name cannot have changed since', async () => {
    const proxy = { name: 'Ann Quill', email: 'ann@mail.example', phone: '+1 617 555 0188' };
    const more = { proxyDetails: proxy };
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 2]], more });
    await handOverTo(desk.town, id, { collectedBy: 'PROXY', units: 1 });
    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    const history = page.getByRole('region', { name: 'What happened' });
    await history.getByText('to Ann Quill (photo ID)', { exact: false }).waitFor();
    const changes = [{ proxy: { ...proxy, name: 'Bob Diaz' } }, { remove: ['proxy'] }];
    for (const [index, changed] of changes.entries()) {
      await change(id, { changeId: `proxy-${index}`, ...changed });
      await page.reload();
      await expect.poll(() => history.getByText('Order changed').count()).toBe(index + 1);
      await history.getByText('to the person who may collect (photo ID)', { exact: false }).waitFor();
    }
  });
});

describe('declined units of an order', () => {
  it('have their decision in the timeline, with links to the order that serves them and back', async () => {
    const requests = `/operator/v1/stores/${STORE}/resourceRequests`;
    const decided = async (answer: Record<string, unknown>) => {
      const lines = [
        ['MUG-WHT', 1],
        ['SOAP-LAV', 1],
      ] as const;
      const id = await pickedOrder(desk.town, 'B2', { type: 'SHIP_TO_HOME', lines, declined: 'SOAP-LAV' });
      const { body } = await desk.town.client.get(`${requests}?fulfillmentOrderId=${id}`);
      const path = `${requests}/${body.resourceRequests[0].requestId}/answer`;
      const { status, text } = await desk.town.client.post(path, answer);
      expect(status, text).toBe(200);
      return id;
    };
    const to = { nodeId: 'TOWN-DC001', fulfillmentOrderId: 'R300' };
    const served = await decided({ outcome: 'RESOURCE', ...to });
    const ended = await decided({ outcome: 'CANCEL' });

    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${ended}`, { viewport: 'desk' });
    const history = page.getByRole('region', { name: 'What happened' });
    await history.getByText('Decision about declined units requested').waitFor();
    const decision = history.locator('li', { hasText: /units · (no )?other store/ });
    await decision.getByText('no other store').waitFor();
    await decision.getByText('Integration').waitFor();

    await show(page, `/office/orders/${STORE}/${served}`);
    await decision.getByText('other store: ').waitFor();
    await decision.getByRole('link', { name: to.fulfillmentOrderId }).click();
    await page.getByRole('heading', { name: to.fulfillmentOrderId }).waitFor();
    await page.getByRole('region', { name: 'Where it is' }).getByRole('link', { name: served }).click();
    await page.getByRole('heading', { name: served }).waitFor();
  });
});

describe('the change of an order', () => {
  it('has the last time to collect by the clock of the store, also in an office far away', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
    const options = { viewport: 'desk', timeZone: 'Europe/Berlin' } as const;
    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, options);
    const open = async () => {
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      const part = page.getByRole('dialog').locator('.change-part', { hasText: 'Collect until' });
      await part.locator('summary').click();
      return part;
    };
    const part = await open();
    await part.getByText('By the clock of Harbour Street.').waitFor();
    // On this day, New York already has daylight saving time, and Berlin does not.
    await part.getByLabel('Collect until').fill('2026-03-14T18:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { slaDate } = (await desk.town.client.get(`/operator/v1/stores/${STORE}/fulfillmentOrders/${id}`)).body;
    expect(Date.parse(slaDate.value)).toBe(Date.parse('2026-03-14T18:00-04:00'));
    const again = await open();
    expect(await again.getByLabel('Collect until').inputValue()).toBe('2026-03-14T18:00');
    await again.getByText('Mar 14, 2026, 6:00 PM').waitFor();
  });

  it('has several parts in one dialog and one request, removes what is emptied, and the page shows that a PIN is set', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
    await change(id, { proxy: { name: 'Zoltan Quill', email: 'z@mail.example', phone: '+1 617 555 0188' } });
    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    await page
      .getByText('Order data')
      .or(page.getByRole('region', { name: 'Order data' }))
      .first()
      .waitFor();
    expect(await page.getByText('a PIN is set').count()).toBe(0);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const part = async (name: RegExp) => {
      const one = dialog.locator('details', { has: page.locator('summary', { hasText: name }) });
      if (!(await one.evaluate((node: HTMLDetailsElement) => node.open))) await one.locator('summary').click();
      return one;
    };
    await (await part(/^Note/)).getByRole('textbox').fill(NOTE);
    const contact = await part(/^Contact/);
    expect(await contact.getByLabel('Name', { exact: true }).inputValue()).toBe('Cleo Marsh');
    await contact.getByLabel('Phone').fill('not a phone '.repeat(30));
    const proxy = await part(/^Who may collect/);
    for (const field of ['Name', 'Phone', 'E-mail']) await proxy.getByLabel(field, { exact: true }).fill('');
    await (await part(/^PIN/)).getByLabel('PIN of the hand-over').fill('471100');
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/change')) sent.push(request.postDataJSON());
    });
    await shot(page, 'change-order');
    expect(await axe(page)).toEqual([]);
    // The form shows an error of the service next to the field that has the error.
    await dialog.getByRole('button', { name: 'Save' }).click();
    await contact.getByRole('alert').waitFor();
    expect(await contact.getByLabel('Phone').getAttribute('aria-invalid')).toBe('true');
    await contact.getByLabel('Phone').fill('+1 617 555 0177');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({
      note: NOTE,
      pin: '471100',
      contact: { name: 'Cleo Marsh', phone: '+1 617 555 0177' },
      remove: ['proxy'],
    });
    await page.getByRole('region', { name: 'Order data' }).getByText('a PIN is set').waitFor();
    expect(await page.getByText('Zoltan Quill').count()).toBe(0);
    expect(await page.getByText('471100').count()).toBe(0);
    await shot(page, 'order-pin');
  });

  it('says in shop words when a part can be changed, and fits on a small phone in German', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Only parcels and deliveries have an address to change', { exact: false }).waitFor();
    expect(await dialog.getByText(/SHIP_TO_HOME|STORE_PICK_UP/).count()).toBe(0);
    const german = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, {
      viewport: 'narrow',
      locale: 'de-DE',
    });
    await german.getByRole('button', { name: 'Ändern', exact: true }).click();
    await german.getByRole('dialog').getByText('Gerade nicht möglich').waitFor();
    expect(await beyondEdge(german)).toEqual([]);
    expect(await axe(german)).toEqual([]);
    await shot(german, 'change-order-german');
  });
});

describe('the settings of a client', () => {
  it('are shown to a manager in words, without a button to save', async () => {
    const page = await openAs(desk, 'manager', '/office/settings', { viewport: 'desk' });
    await page.getByText('You can read these settings. The operator changes them.').waitFor();
    for (const heading of ['Boxes', 'Targets of the boards', 'Reasons of returns', 'At the counter'])
      await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByText('Not wanted any more').waitFor();
    await page.getByText('7 days').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await shot(page, 'settings-read');
    expect(await axe(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
    await shot(page, 'settings-read-320');
  });

  it('are shown with the times of fulfillment types and the return rules of web stores', async () => {
    const client = '/operator/v1/clients/TOWN';
    const { body } = await desk.town.operator('GET', client);
    const slaDefinitions = {
      SHIP_TO_HOME: { START_PICK: { expiredMinutes: 100 } },
      STORE_PICK_UP: { CUSTOMER_PICKUP: { expiredMinutes: 4320 } },
    };
    await desk.town.operator('PUT', client, { ...body, settings: { ...body.settings, slaDefinitions } });
    const path = `${client}/stores/${STORE}`;
    const { body: store } = await desk.town.operator('GET', path);
    await desk.town.operator('PUT', path, { ...store, returns: { windowDays: 14 } });
    const page = await openAs(desk, 'manager', '/office/settings', { viewport: 'desk' });
    const fact = (name: string) => page.locator('dt', { hasText: name }).locator('+ dd').innerText();
    await page.getByText('Collection · Pickup').waitFor();
    expect(await fact('Collection · Pickup')).toBe('3 days');
    expect(await fact('Start of the pick · Parcel')).toBe('1 h 40');
    expect(await fact(`Goods can come back for · ${store.name}`)).toBe('14 days');
    await desk.town.operator('PUT', client, body);
    await desk.town.operator('PUT', path, store);
  });
});

describe('small things of the office', () => {
  it('a PIN of two digits is not saved, and the person who may collect is named in the search', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
    await change(id, { proxy: { name: 'Zoltan Quill', email: 'z@mail.example', phone: '+1 617 555 0188' } });
    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('nothing is changed yet').waitFor();
    await dialog.locator('summary', { hasText: /^PIN/ }).click();
    await dialog.getByLabel('PIN of the hand-over').fill('12');
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/change')) sent += 1;
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('A PIN has at least 4 digits.').waitFor();
    expect(sent).toBe(0);

    const finder = await openAs(desk, 'lead', '/find?code=quill', { viewport: 'narrow' });
    await finder.getByText('may be collected by quill').waitFor();
    expect(await beyondEdge(finder)).toEqual([]);
    await finder.evaluate(() => {
      location.hash = '#/find?code=marsh';
    });
    await finder.getByText('Cleo Marsh').first().waitFor();
    expect(await finder.getByText('may be collected by').count()).toBe(0);
  });

  it('a webhook whose host name does not exist says so, and does not advise to read a log', async () => {
    await desk.town.client.put('/operator/v1/clients/TOWN/webhooks/shop', { url: 'https://hooks.example.com/in' });
    const page = await openAs(desk, 'integrator', '/office/setup', { viewport: 'desk' });
    await page.route('**/webhooks/shop/test', (route) =>
      route.fulfill({ status: 200, json: { delivered: false, error: 'ENOTFOUND', durationMs: 3, eventId: 'e-1' } }),
    );
    await page.getByRole('button', { name: 'Test with a real event' }).click();
    await page.getByText('The receiver was not reached: no server has this name').waitFor();
    expect(await page.getByText('Look at its log').count()).toBe(0);
  });

  it('a position with a separator of thousands is no other position', async () => {
    await desk.town.client.put('/operator/v1/clients/TOWN/webhooks/shop', { url: 'https://hooks.example.com/in' });
    const page = await openAs(desk, 'integrator', '/office/webhooks', { viewport: 'desk', locale: 'de-DE' });
    await page.getByRole('row', { name: /shop/ }).click();
    const dialog = page.getByRole('dialog');
    const from = dialog.getByLabel('Ab Position');
    await from.fill('1.000');
    await dialog.getByLabel('Bis Position').fill('3');
    await dialog.getByRole('button', { name: 'Erneut zustellen' }).click();
    await expect.poll(() => from.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByText('Erneut zuzustellende').count()).toBe(0);
    await from.fill('1');
    await dialog.getByRole('button', { name: 'Erneut zustellen' }).click();
    await dialog.getByText('Erneut zuzustellende').waitFor();
  });

  it('an operator has the clients first in the office', async () => {
    const page = await openAs(desk, 'operator', '/office/clients', { viewport: 'desk' });
    const office = page.getByRole('navigation').locator('.group', { hasText: 'Office' });
    expect(await office.getByRole('link').first().innerText()).toBe('Clients');
  });
});

describe('the customer of an order', () => {
  it('gets a message from support, and the page lists it; without a fitting message it says so', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    const messages = page.getByRole('region', { name: 'Messages to the customer' });
    await messages.getByText('No message yet.').waitFor();
    await messages.getByRole('button', { name: 'Send: Ready for pickup' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/Harbour Street/)
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await messages.getByText('passed to your system, which sends it').waitFor();
    const history = page.getByRole('region', { name: 'What happened' });
    await page.reload();
    await history.getByText('Message to the customer asked for').waitFor();
    await shot(page, 'order-contact');
    expect(await axe(page)).toEqual([]);

    const failed = ['REJECTED 550', 'TOO_LATE'].map((failure) => ({
      messageId: failure,
      kind: 'READY',
      status: 'FAILED',
      failure,
      createdAt: '2026-03-02T09:00:00+00:00',
    }));
    const path = `**/fulfillmentOrders/${id}/contact`;
    await page.route(path, (route) => route.fulfill({ json: { messages: failed, offers: [] } }));
    await page.reload();
    await messages.getByText('not sent: the mail server rejected it; check the e-mail address (550)').waitFor();
    await messages.getByText('not sent: too late, because the order had changed').waitFor();
    await page.unroute(path);

    await handOver(id);
    await page.reload();
    await messages.getByText('No message fits the present state.').waitFor();
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
  });
});

async function show(page: Page, path: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, path);
}

/** Returns how many pixels the table is wider than its container. */
const hidden = (page: Page) =>
  page.locator('table').evaluate((table) => table.scrollWidth - table.parentElement!.clientWidth);

describe('the list of orders', () => {
  it('asks a user who works at no node for none: it has the orders of all nodes, and one can be chosen', async () => {
    const page = await openAs(desk, 'support', '/office/orders', { viewport: 'desk' });
    const node = page.getByLabel('Store', { exact: true });
    await node.waitFor();
    expect(await node.locator('option:checked').innerText()).toBe('All');
    const row = page.getByRole('row').filter({ hasText: desk.town.orders.ready });
    await row.getByText('Harbour Street').waitFor();
    await page.getByRole('columnheader', { name: 'Has it' }).waitFor();
    expect(await hidden(page)).toBeLessThanOrEqual(0);
    await shot(page, 'orders-all-nodes');
    await node.selectOption({ label: 'Warehouse' });
    await row.waitFor({ state: 'detached' });
    await node.selectOption({ label: 'Harbour Street' });
    await row.waitFor();
    expect(await hidden(page)).toBeLessThanOrEqual(0);
    await page.getByRole('link', { name: 'All, search' }).click();
    await node.selectOption({ label: 'All' });
    const search = page.getByLabel('Number, name, town or e-mail');
    await search.pressSequentially(desk.town.orders.ready, { delay: 120 });
    await page.getByRole('button', { name: 'Search' }).click();
    await row.getByText('Harbour Street').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
  });

  it('finds in every view by number, name, town and e-mail address', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'support', '/office/orders', { viewport: 'desk' });
    const row = page.getByRole('row').filter({ hasText: id });
    const search = page.getByLabel('Number, name, town or e-mail');
    for (const [view, filter] of [
      ['Open', 'Type'],
      ['All, search', 'Ordered since'],
    ] as const) {
      await page.getByRole('link', { name: view, exact: true }).click();
      // Only this view has the filter, so the view is open when the filter is visible.
      await page.getByLabel(filter, { exact: true }).waitFor();
      for (const text of [id.slice(3), 'marsh cl', 'bosto', 'Cleo.Marsh@mail.example']) {
        // Text that arrives at one moment with Enter counts as a scanned code. So the test taps the button.
        await search.fill(text);
        await page.getByRole('button', { name: 'Search' }).click();
        const asked = () => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('text');
        await expect.poll(asked).toBe(text);
        await row.waitFor();
      }
      await search.fill('Nemo');
      await page.getByRole('button', { name: 'Search' }).click();
      await row.waitFor({ state: 'detached' });
    }
  });

  it('has every order of several nodes, also if one of them has more than a page', async () => {
    const early = desk.town.clock.now - 86_400_000;
    const many = Array.from({ length: 101 }, (_, n) =>
      orderOf(`7000${String(n).padStart(3, '0')}`, [['MUG-WHT', 1]], early),
    );
    const { status, text } = await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, many);
    expect(status, text).toBe(201);
    const page = await openAs(desk, 'support', '/office/orders?view=ALL&text=7000', { viewport: 'desk' });
    const row = page.getByRole('row').filter({ hasText: '7000100' });
    const more = page.getByRole('button', { name: 'Load more' });
    await more.waitFor();
    expect(await row.count()).toBe(0);
    await more.click();
    await row.waitFor();
    await more.waitFor({ state: 'detached' });
  });
});

describe('the search of a client with many nodes', () => {
  it('finds an order at every node by its number, a part of it and the name, without a choice of the node, and lists none before', async () => {
    const { orders } = (await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/orders?limit=1`)).body;
    const [{ fulfillmentOrderId: id, webOrderId, customer }] = orders;
    const nodes = '/operator/v1/clients/TOWN/nodes';
    const {
      nodeId: _id,
      receivingWarehouseId: _code,
      ...node
    } = (await desk.town.operator('GET', nodes)).body.nodes[0];
    // The ids of these nodes come before those of the town, so the orders of the town are in the third group of nodes.
    for (let n = 10; n < 40; n += 1) {
      const made = await desk.town.operator('PUT', `${nodes}/A-${n}`, { ...node, name: `Kiosk ${n}` });
      expect(made.status, made.text).toBe(201);
    }
    const page = await openAs(desk, 'support', '/office/orders?view=ALL', { viewport: 'desk' });
    const choice = page.getByLabel('Store', { exact: true });
    await choice.waitFor();
    expect(await choice.locator('option:checked').innerText()).toBe('All');
    await page.getByRole('heading', { name: 'Search for orders' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: id });
    // A text of more than 40 characters is no number. It can be an e-mail address or a name.
    const [long, none] = ['maximiliane.mustermann-schulze@example-shop.de', 'Nemo'];
    for (const text of [long, webOrderId, id, id.slice(2), customer.name, none]) {
      await show(page, `/office/orders?view=ALL&text=${encodeURIComponent(text)}`);
      if (text === long || text === none) await page.getByText('Nothing matches').waitFor();
      else await row.waitFor();
    }
    expect(await axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await expect.poll(() => choice.locator('option:checked').innerText()).toBe('Kiosk 10');
  });
});
