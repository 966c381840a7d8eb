/**
 * The screens of the office in a real browser: lists that fit, orders by urgency, an order with names instead of ids,
 * forms with lists, a guided setup.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_MEANINGS } from '../../console/default-reasons.ts';
import { beyondEdge } from '../../town/console/measure.ts';
import { openReceiver, type Receiver } from '../webhooks/support.ts';
import { axe, type Console, enroll, newContext, openConsole } from './support/browser.ts';
import { handOverAll, NODE, pickedOrder, STORE, show } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  desk = await openConsole({ env: { WEBHOOK_ALLOW: 'loopback', WEBHOOK_PLAIN_HTTP: 'yes' } });
});
afterAll(async () => {
  await desk.close();
  await receiver.close();
});

const PLACE = { viewport: 'desk' } as const;

/** Opens a page of the office with the town's store selected. */
async function office(
  role: 'manager' | 'operator' | 'integrator' | 'support',
  path: string,
  options = {},
): Promise<Page> {
  const page = await openAs(desk, role, '/me', { ...PLACE, ...options });
  await page.evaluate(
    ([nodeId, hash]) => {
      localStorage.setItem('backroom.place', JSON.stringify({ clientId: 'TOWN', nodeId }));
      location.hash = hash!;
    },
    [NODE, path],
  );
  await page.reload();
  return page;
}

describe('the orders of the office', () => {
  it('come by view, the earliest due first, with place and units, each in one line', async () => {
    const page = await office('manager', '/office/orders', { viewport: 'tablet' });
    await page.getByRole('row').nth(3).waitFor();
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(64);
    await page.getByRole('link', { name: 'Ready for pickup' }).click();
    const ready = page.getByRole('row', { name: new RegExp(desk.town.orders.ready) });
    await ready.getByText(/^[ABC]\d$/).waitFor();
    // The previous view has this row, too. The test must not type into the search box of the previous view, so it waits
    // until the new view has replaced it.
    await expect.poll(() => page.locator('tbody tr').count()).toBeLessThan(heights.length);
    await page.getByLabel('Number, name, town or e-mail').fill('no such name');
    // Text that arrives at one moment with Enter counts as a scanned code; a user types more slowly. So the test taps
    // the button.
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No order waits for its customer').waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('are cards on a phone, without scrolling sideways', async () => {
    const page = await office('manager', '/office/orders', { viewport: 'narrow' });
    await page.locator('tbody tr').first().waitFor();
    expect(await beyondEdge(page)).toEqual([]);
    expect(await page.locator('thead').isVisible()).toBe(false);
    expect(await axe(page)).toEqual([]);
  });

  it('are searched from the begin of the local day, because their dates are local', async () => {
    const page = await office('manager', '/office/orders?view=ALL');
    await page.getByLabel('Ordered since').waitFor();
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith('/search') && one.postData()!.includes('orderDateRange')),
      page.getByLabel('Ordered since').fill('2026-03-20'),
    ]);
    expect(request.postDataJSON().orderDateRange.from).toBe('2026-03-20T04:00:00.000Z');
    await page.getByText('Nothing matches').waitFor();
  });

  it('are entered with j from anywhere on the page', async () => {
    const page = await office('manager', '/office/orders');
    await page.locator('tbody tr').first().waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TR');
  });
});

describe('the heading of a screen', () => {
  it('names the page, and gets the focus if the focused link has disappeared', async () => {
    const page = await office('support', '/office/orders?view=READY');
    const { ready } = desk.town.orders;
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(() => page.title()).toBe('Orders – Backroom');
    const row = page.getByRole('row', { name: new RegExp(ready) });
    await row.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.title()).toBe(`${ready} – Backroom`);
    await expect.poll(focused).toBe(ready);
    await page.goBack();
    await expect.poll(() => page.title()).toBe('Orders – Backroom');
    await expect.poll(focused).toBe('Orders');
  });

  it('leaves the names of customers out, and the focus to the scan line', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', '/hand-over');
    await page.getByRole('link', { name: new RegExp(id) }).press('Enter');
    await page.getByRole('heading', { name: 'Cleo Marsh' }).waitFor();
    await page.locator('[data-scan-target]:focus').waitFor();
    expect(await page.title()).toBe('Backroom');
  });
});

describe('a list of the office', () => {
  /** Opens the users of the client in pages of two. */
  async function users(): Promise<{ page: Page; rows: Locator }> {
    const page = await office('manager', '/me');
    await page.route('**/users?limit=100*', async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '2');
      await route.continue({ url: url.href });
    });
    await show(page, '/office/people');
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    return { page, rows };
  }
  const more = (page: Page) => page.getByRole('button', { name: 'Load more' });
  const comeBack = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')));

  it('is read again when the user returns, and says of when it is without the network', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
    const page = await office('manager', '/office/orders?view=READY');
    const row = page.getByRole('row', { name: new RegExp(id) });
    await row.waitFor();
    await handOverAll(desk.town, id);
    await page.route('**/nodes/*/orders?*', (route) => route.abort());
    await comeBack(page);
    await page.getByText(/^as of .*offline/).waitFor();
    await row.waitFor();
    await page.unroute('**/nodes/*/orders?*');
    await comeBack(page);
    await row.waitFor({ state: 'detached' });
  });

  it('says what to do if its files cannot be loaded, and loads them when the network is back', async () => {
    const page = await office('manager', '/', { allow: [/stock-.*\.js/] });
    await page.route(/\/stock-[^/]*\.js/, (route) => route.abort());
    await page.evaluate(() => {
      location.hash = '#/stock';
    });
    const notice = page.getByRole('alert');
    await notice.getByText('No connection to the service.').waitFor();
    expect(await notice.textContent()).not.toContain('module');
    await page.unroute(/\/stock-[^/]*\.js/);
    await notice.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor();
  });

  it('keeps its pages after a form, and has no gap if it is read again while a page loads', async () => {
    const { page, rows } = await users();
    await more(page).click();
    await expect.poll(() => rows.count()).toBe(4);
    await rows.nth(3).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await comeBack(page);
    await expect.poll(() => more(page).isEnabled()).toBe(true);
    expect(await rows.count()).toBe(4);
    const names = rows.locator('td:first-child');
    const { users: all } = (await desk.town.operator('GET', '/operator/v1/clients/TOWN/users')).body;
    let isSlow = true;
    await page.route('**/users?limit=100&after=*', async (route) => {
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 500));
      isSlow = false;
      await route.fallback();
    });
    await more(page).click();
    await comeBack(page);
    await expect.poll(() => rows.count()).toBe(6);
    expect(await names.allInnerTexts()).toEqual(all.slice(0, 6).map(({ name }: { name: string }) => name));
  });
});

describe('an order', () => {
  it('tells who did what by name, who took the goods with which proof, and where a rejected unit is', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 3]] });
    const at = { storeId: STORE, nodeId: NODE, fulfillmentOrderId: id };
    const { body } = await desk.town.client.post(`/stores/${STORE}/nodes/${NODE}/customerPickUps/${id}`, at);
    const items = body.customerPickUpDetails.customerPickUpItems as Record<string, unknown>[];
    const given = await desk.town.client.put(`/stores/${STORE}/nodes/${NODE}/customerPickUp/confirm`, {
      modifyAssociateId: 'ana',
      customerPickUpDetails: {
        ...at,
        collectedBy: 'CUSTOMER',
        verificationMethod: 'PHOTO_ID',
        handOverId: `part-${id}`,
        customerPickUpItems: items.map(({ webLineId, itemId, backroomPickedQuantity }) => ({
          webLineId,
          itemId,
          backroomPickedQuantity,
          customerPickedQuantity: 1,
          canceledQuantity: 1,
          cancellationReasonCode: 'CancelMXCreditCustomerRefusal',
        })),
      },
    });
    expect(given.status, given.text).toBeLessThan(300);
    const page = await office('manager', `/office/orders/${STORE}/${id}`);
    const history = page.getByRole('region', { name: 'What happened' });
    const entry = history.getByRole('listitem').filter({ hasText: 'Handed over' });
    await entry.getByText('to Cleo Marsh (photo ID)').waitFor();
    await entry.getByText('Ana Ruiz').waitFor();
    await entry.getByText('1 unit taken, 1 unit rejected').waitFor();
    await history.getByText('Integration').first().waitFor();
    await page.getByRole('columnheader', { name: 'Not taken' }).waitFor();
    expect(await page.getByText(/credential:|user:/).count()).toBe(0);
  });

  it('that cannot be canceled says so in short, and why behind a word', async () => {
    const page = await office('manager', `/office/orders/${STORE}/${desk.town.orders.canceled}`);
    await page.getByText('No unit can be canceled now').waitFor();
    const service = page.getByText(/allowed only in status \d{4}/);
    expect(await service.isVisible()).toBe(false);
    await page.getByText('Why?').first().click();
    await service.first().waitFor();
  });
});

describe('forms of the office', () => {
  it('give all nodes only by a choice of its own: the last tick that goes blocks saving', async () => {
    const page = await office('manager', '/office/people');
    await page.getByRole('row', { name: /Ana Ruiz/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Harbour Street').uncheck();
    await expect.poll(() => dialog.getByRole('button', { name: /^Save/ }).innerText()).toContain('tick a node');
    await dialog.getByLabel('All nodes').check();
    await expect.poll(() => dialog.getByRole('button', { name: /^Save/ }).innerText()).toBe('Save');
    expect(await dialog.getByLabel('Harbour Street').count()).toBe(0);
  });

  it('make a badge after a question, show the card and print it', async () => {
    const page = await office('manager', '/office/people');
    await page.getByRole('row', { name: /Leo Marsh/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New badge' }).click();
    const before = await desk.town.operator('GET', '/operator/v1/clients/TOWN/users/leo');
    await page.getByRole('dialog', { name: 'New badge for Leo Marsh?' }).getByText('stops working at once').waitFor();
    expect((await desk.town.operator('GET', '/operator/v1/clients/TOWN/users/leo')).body).toEqual(before.body);
    await page.getByRole('button', { name: 'Make the badge' }).click();
    const card = page.getByRole('region', { name: 'Card' });
    await card.getByText('Leo Marsh').waitFor();
    await page.evaluate(() => {
      globalThis.print = () => {
        document.body.dataset['printed'] = document.querySelector('.print-root')!.textContent;
        setTimeout(() => dispatchEvent(new Event('afterprint')));
      };
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click();
    await expect.poll(() => page.evaluate(() => document.body.dataset['printed'] ?? '')).toContain('Leo Marsh');
  });

  it('show the defaults of the settings, and keep boxes as a list', async () => {
    const page = await office('operator', '/office/settings');
    const pack = page.getByLabel('Pack', { exact: true });
    await expect.poll(() => pack.getAttribute('placeholder')).toBe('120');
    await page.getByText('The default reasons.').waitFor();
    await page.getByRole('button', { name: 'Add to: Boxes' }).click();
    await page.getByLabel('Box', { exact: true }).fill('Small');
    for (const [name, value] of [
      ['Length', '30'],
      ['Width', '20'],
      ['Height', '10,5'],
    ] as const)
      await page.getByLabel(name, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe('Save');
    const { settings } = (await desk.town.operator('GET', '/operator/v1/clients/TOWN')).body;
    expect(settings.boxes).toEqual([{ name: 'Small', length: 30, width: 20, height: 10.5, sizeUnit: 'IN' }]);
    expect(settings).not.toHaveProperty('cancelReasons');
    await page.getByRole('button', { name: 'Remove Small' }).click();
    expect(await focused()).toBe('Add');
    expect(await axe(page)).toEqual([]);
  });

  it('show the defaults of the settings also if the client has own values', async () => {
    const path = '/operator/v1/clients/TOWN';
    const { body: before } = await desk.town.operator('GET', path);
    const cancelReasons = [{ code: 'OWN', description: 'Own reason' }];
    const settings = { ...before.settings, slaMinutes: { PACK: 95 }, cancelReasons };
    await desk.town.operator('PUT', path, { ...before, settings });
    const page = await office('operator', '/office/settings');
    const pack = page.getByLabel('Pack', { exact: true });
    await expect.poll(() => pack.inputValue()).toBe('95');
    expect(await pack.getAttribute('placeholder')).toBe('120');
    const codes = () =>
      page.getByLabel('Code', { exact: true }).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    expect(await codes()).toEqual(['OWN']);
    await page.getByRole('button', { name: 'Back to the default reasons' }).click();
    await expect.poll(codes).toEqual(Object.keys(DEFAULT_MEANINGS));
    await desk.town.operator('PUT', path, before);
  });

  it('show the error of a box at the box, not at the name of the client', async () => {
    const path = '/operator/v1/clients/TOWN';
    const { body: before } = await desk.town.operator('GET', path);
    const box = { name: 'Small', length: 30, width: 20, height: 10, sizeUnit: 'IN' };
    await desk.town.operator('PUT', path, { ...before, settings: { ...before.settings, boxes: [box] } });
    const page = await office('operator', '/office/settings');
    await page.getByRole('button', { name: 'Add to: Boxes' }).click();
    const boxes = page.getByRole('group', { name: 'Boxes' });
    const last = (name: string) => boxes.getByLabel(name, { exact: true }).last();
    await last('Box').fill('small');
    for (const name of ['Length', 'Width', 'Height']) await last(name).fill('9');
    await page.getByRole('button', { name: 'Save' }).click();
    await boxes.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name of the client').getAttribute('aria-invalid')).toBeNull();
    await desk.town.operator('PUT', path, before);
  });

  it('take edits of the settings along from the form to the JSON and back', async () => {
    const path = '/operator/v1/clients/TOWN';
    const { body: before } = await desk.town.operator('GET', path);
    const page = await office('operator', '/office/settings');
    const json = page.getByLabel('All settings as JSON');
    await page.getByLabel('Pack', { exact: true }).fill('95');
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const edited = JSON.parse(await json.inputValue());
    expect(edited.slaMinutes).toMatchObject({ PACK: 95 });
    await json.fill('{ "boxes": ');
    await page.getByRole('button', { name: 'Edit as form' }).click();
    await page.getByText('This is not valid JSON').waitFor();
    await json.fill('{ "boxes": 5 }');
    await page.getByRole('button', { name: 'Edit as form' }).click();
    await page.getByText('This is not valid JSON').waitFor();
    const slaMinutes = { ...edited.slaMinutes, CHECK_IN: 45 };
    await json.fill(JSON.stringify({ ...edited, slaMinutes, pickTicketIdleMinutes: 77 }));
    await page.getByRole('button', { name: 'Edit as form' }).click();
    await expect.poll(() => page.getByLabel('Check-in', { exact: true }).inputValue()).toBe('45');
    await page.getByLabel('Pack', { exact: true }).fill('96');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const { settings } = (await desk.town.operator('GET', path)).body;
    expect(settings).toMatchObject({ slaMinutes: { PACK: 96, CHECK_IN: 45 }, pickTicketIdleMinutes: 77 });
    await desk.town.operator('PUT', path, before);
  });

  it('keep typed settings if another user saves others, and replace these only after a notice', async () => {
    const path = '/operator/v1/clients/TOWN';
    const { body: before } = await desk.town.operator('GET', path);
    const save = (name: string) => desk.town.operator('PUT', path, { ...before, name });
    const page = await office('operator', '/office/settings');
    const pack = page.getByLabel('Pack', { exact: true });
    const notice = page.getByText('Somebody else has changed the settings');
    const name = page.getByLabel('Name of the client');
    await pack.fill('95');
    await save('Another name');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await notice.waitFor();
    expect(await pack.inputValue()).toBe('95');
    await page.getByRole('button', { name: 'Show the new settings, without your changes' }).click();
    await notice.waitFor({ state: 'detached' });
    await expect.poll(() => name.inputValue()).toBe('Another name');
    expect(await pack.inputValue()).toBe('');
    await pack.fill('96');
    // The test sends no event after this change, so the console learns of the change when the user saves.
    await save('A third name');
    await page.getByRole('button', { name: 'Save' }).click();
    await notice.waitFor();
    expect((await desk.town.operator('GET', path)).body).toMatchObject({ name: 'A third name' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const { body } = await desk.town.operator('GET', path);
    expect(body).toMatchObject({ name: 'Another name', settings: { slaMinutes: { PACK: 96 } } });
    await notice.waitFor({ state: 'detached' });
    await desk.town.operator('PUT', path, before);
  });

  it('say at the field that its JSON is wrong, in the language of the user', async () => {
    const page = await office('operator', '/office/settings', { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Als JSON bearbeiten' }).click();
    await page.getByLabel('Alle Einstellungen als JSON').fill('{');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Dies ist kein gültiges JSON').waitFor();
    await show(page, '/office/edi/partners');
    await page.getByRole('button', { name: 'Partner anlegen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('summary').click();
    await dialog.locator('.json textarea').fill('{');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog.getByText('Dies ist kein gültiges JSON.').waitFor();
    expect(await page.locator('.notice.wrong').count()).toBe(0);
  });

  it('do not write old values of a list back that another user has changed since', async () => {
    const path = '/operator/v1/clients/TOWN/users/dora';
    const dora = { name: 'Dora Vane', role: 'lead', nodeIds: [NODE], password: 'harbour-street-dora' };
    expect((await desk.town.operator('PUT', path, dora)).status).toBe(201);
    const page = await office('manager', '/office/people');
    const dialog = page.getByRole('dialog');
    const save = async (name: string) => {
      await dialog.getByLabel('Name', { exact: true }).fill(name);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const row = page.getByRole('row', { name: /Dora Vane/ });
    await row.waitFor();
    const { password: _, ...changed } = { ...dora, role: 'associate' };
    await desk.town.operator('PUT', path, changed);
    await row.click();
    await dialog.getByLabel('Name', { exact: true }).waitFor();
    // Another caller makes this change while the form is open.
    await desk.town.operator('PUT', path, { ...changed, state: 'DISABLED' });
    await save('Dora Vance');
    expect((await desk.town.operator('GET', path)).body).toMatchObject({
      name: 'Dora Vance',
      role: 'associate',
      state: 'DISABLED',
    });
  });

  it('do not change the stock settings of a node, which have no input', async () => {
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-Ledger';
    const address = { line1: '1 Ledger Lane', city: 'Town', countryCode: 'US', mainDivisionCode: 'NY' };
    const node = { name: 'Ledger Lane', nodeType: 'STORE', timeZone: 'America/New_York', address };
    expect((await desk.town.operator('PUT', path, node)).status).toBe(201);
    const page = await office('operator', '/office/nodes');
    const dialog = page.getByRole('dialog');
    const row = page.getByRole('row', { name: /Ledger Lane/ });
    await row.waitFor();
    const declinePolicy = 'HOLD_UNTIL_RELEASED';
    const declines = await desk.town.operator('PUT', path, { ...node, declinePolicy });
    expect(declines.status, declines.text).toBe(200);
    await row.click();
    await dialog.getByLabel('Name', { exact: true }).waitFor();
    // Another caller makes this change while the form is open.
    const kept = await desk.town.operator('PUT', path, {
      ...node,
      declinePolicy,
      stock: 'KEPT',
      receiveTo: 'STAGE',
    });
    expect(kept.status, kept.text).toBe(200);
    await dialog.getByLabel('Name', { exact: true }).fill('Ledger Street');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await desk.town.operator('GET', path)).body).toMatchObject({
      name: 'Ledger Street',
      declinePolicy,
      stock: 'KEPT',
      receiveTo: 'STAGE',
    });
  });

  it('keep the return settings of a web store, which have no input', async () => {
    const path = '/operator/v1/clients/TOWN/stores/TOWN_OUTLET';
    const returns = { windowDays: 14, blind: 'REFUSE', reasons: [{ code: 'LATE', description: 'Too late' }] };
    const fields = { catalogId: '21', sellerId: 'TOWNOUT', storeCode: '009', currency: 'USD' };
    const made = await desk.town.operator('PUT', path, { name: 'Town outlet', ...fields, returns });
    expect(made.status, made.text).toBe(201);
    const page = await office('operator', '/office/stores');
    await page.getByRole('row', { name: /Town outlet/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Town outlet online');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await desk.town.operator('GET', path)).body).toMatchObject({ name: 'Town outlet online', returns });
  });

  it('keep several spans of opening hours on a day, and remove a postal code that is emptied', async () => {
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-Siesta';
    const openingHours = [
      { dayOfWeek: 'MONDAY', opens: '09:00', closes: '12:00' },
      { dayOfWeek: 'MONDAY', opens: '14:00', closes: '18:00' },
      { dayOfWeek: 'TUESDAY', opens: '09:00', closes: '18:00' },
    ];
    const made = await desk.town.operator('PUT', path, {
      name: 'Siesta Square',
      nodeType: 'STORE',
      timeZone: 'America/New_York',
      address: {
        line1: '1 Siesta Square',
        city: 'Town',
        countryCode: 'US',
        mainDivisionCode: 'NY',
        postalCode: '10001',
      },
      openingHours,
    });
    expect(made.status, made.text).toBe(201);
    const page = await office('operator', '/office/nodes');
    await page.getByRole('row', { name: /Siesta Square/ }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Monday opens').inputValue()).toBe('09:00');
    await dialog.getByLabel('Monday 2 closes').fill('18:30');
    await dialog.getByLabel('Postal code').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await desk.town.operator('GET', path);
    const [first, second, third] = openingHours;
    expect(body.openingHours).toEqual([first, { ...second, closes: '18:30' }, third]);
    expect(body.address).toMatchObject({ postalCode: '', mainDivisionCode: 'NY' });
  });

  it('show an error of opening hours at its day, and an error of the id at the id', async () => {
    const page = await office('operator', '/office/nodes');
    await page.getByRole('button', { name: 'Add a node' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Node id').fill('N'.repeat(50));
    await dialog.getByLabel('Friday opens').fill('09:00');
    await dialog.getByLabel('Friday closes').fill('08:00');
    await dialog.getByLabel('Saturday closes').fill('14:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const day = (name: string) => dialog.locator('.day-row', { hasText: name });
    await day('Friday').getByRole('alert').getByText('closes must be later than opens').waitFor();
    await day('Saturday').getByRole('alert').waitFor();
    expect(await day('Thursday').getByRole('alert').count()).toBe(0);
    // The errors stay at their days when another day gets its hours.
    await dialog.getByLabel('Monday opens').fill('09:00');
    await day('Friday').getByRole('alert').waitFor();
    expect(await day('Monday').getByRole('alert').count()).toBe(0);
    expect(await dialog.getByLabel('Node id').getAttribute('aria-invalid')).toBe('true');
    expect(await axe(page)).toEqual([]);
  });

  it('show and save opening hours until midnight, which a time input does not have', async () => {
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-Night';
    const openingHours = [
      { dayOfWeek: 'FRIDAY', opens: '18:00', closes: '24:00' },
      { dayOfWeek: 'SATURDAY', opens: '00:00', closes: '02:00' },
    ];
    const made = await desk.town.operator('PUT', path, {
      name: 'Night Street',
      nodeType: 'STORE',
      timeZone: 'America/New_York',
      address: { line1: '1 Night Street', city: 'Town', countryCode: 'US' },
      openingHours,
    });
    expect(made.status, made.text).toBe(201);
    const page = await office('operator', '/office/nodes');
    await page.getByRole('row', { name: /Night Street/ }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Friday closes').inputValue()).toBe('00:00');
    await dialog.getByLabel('Sunday opens').fill('00:00');
    await dialog.getByLabel('Sunday closes').fill('00:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const sunday = { dayOfWeek: 'SUNDAY', opens: '00:00', closes: '24:00' };
    expect((await desk.town.operator('GET', path)).body.openingHours).toEqual([...openingHours, sunday]);
  });

  it('add a second span of opening hours to a day, also on a small phone', async () => {
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-Pause';
    const openingHours = [{ dayOfWeek: 'MONDAY', opens: '09:00', closes: '12:00' }];
    const made = await desk.town.operator('PUT', path, {
      name: 'Pause Place',
      nodeType: 'STORE',
      timeZone: 'America/New_York',
      address: { line1: '1 Pause Place', city: 'Town', countryCode: 'US' },
      openingHours,
    });
    expect(made.status, made.text).toBe(201);
    const page = await office('operator', '/office/nodes');
    await page.getByRole('row', { name: /Pause Place/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Monday opens').waitFor();
    expect(await dialog.getByRole('button', { name: /^Add to: .*day$/ }).count()).toBe(1);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Add to: Monday' }).click();
    const opens = dialog.getByLabel('Monday 2 opens');
    await expect.poll(() => opens.evaluate((input) => input === document.activeElement)).toBe(true);
    await opens.fill('14:00');
    await dialog.getByLabel('Monday 2 closes').fill('18:00');
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const afternoon = { dayOfWeek: 'MONDAY', opens: '14:00', closes: '18:00' };
    expect((await desk.town.operator('GET', path)).body.openingHours).toEqual([...openingHours, afternoon]);
  });

  it('keep the button text of a sign-in provider, also of one without roles', async () => {
    const path = '/operator/v1/clients/TOWN/identityProviders/entra';
    const provider = { name: 'Company account', issuer: 'https://login.example.com', oidcClientId: 'backroom' };
    const made = await desk.town.operator('PUT', path, { ...provider, clientSecret: 'first secret' });
    expect(made.status, made.text).toBe(201);
    const { updatedAt: _, ...before } = (await desk.town.operator('GET', path)).body;
    const page = await office('operator', '/office/providers');
    const dialog = page.getByRole('dialog');
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await page.getByRole('row', { name: /entra/ }).click();
    await dialog.getByText('Without roles, people keep the role that they have here.').waitFor();
    await dialog.getByLabel('Client secret').fill('second secret');
    await save();
    const after = (await desk.town.operator('GET', path)).body;
    expect(after).toMatchObject(before);
    expect(after).not.toHaveProperty('roles');
    await page.getByRole('row', { name: /entra/ }).click();
    await dialog.getByRole('button', { name: 'Add to: Roles' }).click();
    await dialog.getByLabel('Value of the claim').fill('floor');
    await save();
    const mapped = { ...before, roleClaim: '/roles', roles: { floor: 'associate' } };
    expect((await desk.town.operator('GET', path)).body).toMatchObject(mapped);
    await page.getByRole('row', { name: /entra/ }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete "entra"?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await desk.town.operator('GET', path)).status).toBe(200);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await question.waitFor({ state: 'detached' });
    await dialog.waitFor({ state: 'detached' });
    expect((await desk.town.operator('GET', path)).status).toBe(404);
  });
});

describe('a user with the login of a person of the operator', () => {
  it('can be changed by this person, and gets a PIN', async () => {
    const users = '/operator/v1/clients/TOWN/users';
    const body = { name: 'Opal Stone', role: 'associate', nodeIds: [NODE], password: 'northern-lights-7' };
    await desk.town.operator('PUT', `${users}/opal`, body);
    const page = await office('operator', '/office/people');
    await page.getByRole('row', { name: /Opal Stone/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'First PIN' }).waitFor();
    await dialog.getByLabel('Name').fill('Opal Sand');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await desk.town.operator('GET', `${users}/opal`)).body).toMatchObject({ name: 'Opal Sand' });
  });
});

describe('a revoked device', () => {
  it('is shown as revoked, without actions, and does not count in the set-up', async () => {
    const context = await newContext();
    await enroll(context, desk.origin, desk.town);
    await context.close();
    const page = await office('operator', '/office/devices');
    const row = page.getByRole('row', { name: /Handheld/ });
    await row.getByText('Ready').waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke "Handheld"?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await row.getByText('Ready', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked', { exact: true }).waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await page.evaluate(() => {
      location.hash = '#/office/setup';
    });
    const step = page.getByRole('listitem').filter({ hasText: 'A device' });
    await step.getByText('A handheld or tablet of the store').waitFor();
  });
});

describe('a screen that fails', () => {
  it('shows its error for its own object only, and the log of the browser has it', async () => {
    const logged: string[] = [];
    const { canceled, ready } = desk.town.orders;
    const page = await office('manager', '/me', { allow: [/Cannot read properties|Invalid time value/] });
    page.on('pageerror', (error) => logged.push(error.message));
    await page.route(`**/operator/v1/stores/*/fulfillmentOrders/${canceled}`, (route) => route.fulfill({ json: {} }));
    const show = (id: string) =>
      page.evaluate((to) => {
        location.hash = to;
      }, `/office/orders/${STORE}/${id}`);
    await show(canceled);
    await page.getByText('This did not work').waitFor();
    await expect.poll(() => logged.length).toBeGreaterThan(0);
    await show(ready);
    await page.getByText(ready, { exact: false }).first().waitFor();
    expect(await page.getByText('This did not work').count()).toBe(0);
  });

  it('shows the error and works again after another try, and the navigation stays', async () => {
    const page = await office('manager', '/office/devices', { allow: [/null/] });
    await page.getByRole('heading', { name: 'Devices', exact: true }).waitFor();
    // A row that is null makes the screen fail while it is drawn.
    await page.route('**/clients/TOWN/devices?*', (route) => route.fulfill({ json: { devices: [null] } }));
    await page.reload();
    await page.getByText('This did not work').waitFor();
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('link', { name: 'Devices' }).click();
    await page.getByText('This did not work').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Set up a device' }).waitFor();
  });
});

describe('the set-up', () => {
  it('leads an operator from nothing to a client, a web store and the next step, all in the console', async () => {
    const page = await office('operator', '/office/clients');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New client' }).click();
    await dialog.getByLabel('Name of the client').fill('Café Nord');
    expect(await dialog.getByLabel('Id', { exact: true }).inputValue()).toBe('CAFE_NORD');
    await dialog.getByLabel('Add to: Catalogs').pressSequentially('71', { delay: 120 });
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.evaluate(() => {
      location.hash = '#/office/setup';
    });
    const steps = page.getByRole('listitem');
    await steps.filter({ hasText: 'A client' }).getByText('Done').waitFor();
    await page.getByRole('link', { name: 'Make a web store' }).click();
    await page.getByRole('button', { name: 'New web store' }).first().click();
    await dialog.getByLabel('Name', { exact: true }).fill('Nord online');
    await dialog.getByLabel('Seller id').fill('NORDS');
    await dialog.getByLabel('Store code').fill('701');
    await dialog.getByLabel('Currency').fill('eur');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Nord online/ }).waitFor();
    await page.evaluate(() => {
      location.hash = '#/office/setup';
    });
    await page.getByRole('link', { name: 'Add a node' }).waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('is the first screen of an integrator, who tests a webhook with a real event there', async () => {
    const page = await openAs(desk, 'integrator', '/', PLACE);
    await page.getByText('A key for your system').waitFor();
    await desk.town.client.put('/operator/v1/clients/TOWN/webhooks/shop', { url: receiver.url, types: ['order.*'] });
    await page.reload();
    await page.getByRole('button', { name: 'Test with a real event' }).click();
    await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(JSON.parse(receiver.received.at(-1)!.body).type).toBe('webhook.tested');
    await page.getByRole('listitem').filter({ hasText: 'The webhook, tested' }).getByText('Done').waitFor();
  });
});
