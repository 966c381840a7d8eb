/**
 * Picking in a real browser: by keys, by scanner, in a wave, without the network, and with another user on the same
 * ticket.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole, type PageOptions } from './support/browser.ts';
import { pickedOrder, printedBy, wedge } from './support/counter.ts';
import { NODE, orderOf, rowsOf, STORE } from './support/harness.ts';
import { openAs } from './support/sign-in.ts';

const MUG = '400000000046';
const TEE = '400000000015';
const UMBRELLA = '400000000060';
/** A valid code of an item that is on no ticket of these tests. */
const FOREIGN = '4006381333931';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
});
afterEach(() => desk.proxy.reset());
afterAll(() => desk.close());

const SHOTS = process.env['TEST_SHOTS'];
if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true });

/** Takes a screenshot for a review of the screens if TEST_SHOTS names a folder. */
async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

let orders = 0;

/** Creates an order for each list of lines. Returns the ids of the orders. */
async function takeIn(...wishes: (readonly (readonly [string, number])[])[]): Promise<string[]> {
  const ids = wishes.map(() => `P${String(++orders).padStart(5, '0')}`);
  const body = wishes.flatMap((lines, index) => orderOf(ids[index]!, lines, desk.town.clock.now));
  const taken = await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, body);
  expect(taken.status, taken.text).toBe(201);
  return ids;
}

/** Generates a ticket of Ana with new orders; returns its id. */
async function ticketOf(...wishes: (readonly (readonly [string, number])[])[]): Promise<string> {
  return ticketFor(await takeIn(...wishes));
}

async function ticketFor(ids: readonly string[]): Promise<string> {
  const made = await desk.town.client.post(`/stores/${STORE}/nodes/${NODE}/pickTicket/generate`, {
    storeId: STORE,
    nodeId: NODE,
    queueId: 'WAITING_FOR_PICK_ISPU',
    userId: 'ana',
    modifyAssociateId: 'ana',
    fulfillmentOrderIds: ids,
  });
  expect(made.status, made.text).toBe(201);
  return made.body.pickTicketDetails[0].pickTicketId;
}

/** Confirms a ticket of Ana with one item, 3 mugs. */
async function confirmOf(pickTicketId: string, found: Record<string, unknown>): Promise<void> {
  const where = { storeId: STORE, nodeId: NODE, userId: 'ana', holdLocation: 'A1' };
  const items = [{ id: 1, itemId: '21-MUG-WHT', quantity: 3, ...found }];
  const answer = await desk.town.client.put(`/stores/${STORE}/nodes/${NODE}/pickTicket/update`, {
    modifyAssociateId: 'ana',
    pickTicketDetails: { pickTicketId, action: 'CONFIRM', ...where, pickTicketItems: items },
  });
  expect(answer.status, answer.text).toBe(204);
}

async function openTicket(id: string, options: PageOptions = {}): Promise<Page> {
  const page = await openAs(desk, 'associate', `/pick/${STORE}/${id}`, options);
  // A scanned code goes into the scan target only after it has the focus.
  await page.locator('[data-scan-target]:focus').waitFor();
  return page;
}

/**
 * Waits until the page has loaded a part that must work without the network, with every file that the part imports. In
 * these tests no service worker stores them.
 */
async function hasLoaded(page: Page, part: string): Promise<void> {
  const file = await page.waitForFunction(
    (name) => performance.getEntriesByType('resource').find((one) => one.name.includes(`/${name}-`))?.name,
    part,
  );
  // As text, because Vitest would replace an `import` in a function of this file.
  await page.evaluate(`import(${JSON.stringify(await file.jsonValue())}).then(() => undefined)`);
}

/** Types like a scanner: all keys in one burst, then Enter. */
async function scan(page: Page, code: string): Promise<void> {
  await Promise.all([...Array.from(code), 'Enter'].map((key) => page.keyboard.press(key)));
}

const band = (page: Page) => page.locator('.band');
const sum = (page: Page) => page.locator('.pick-sum');
const isAt = (page: Page, text: string) => sum(page).getByText(text, { exact: true }).waitFor();

/**
 * Checks a ticket after CONFIRM: every ordered unit was found or declined, and the service has the numbers that the
 * screen showed.
 */
async function expectConfirmed(id: string, items: readonly (readonly [picked: number, canceled: number])[]) {
  await expect.poll(async () => (await rowsOf(desk, id)).outcome).toBe('CONFIRMED');
  const rows = await rowsOf(desk, id);
  expect(rows.items.map(([, , picked, canceled]) => [picked, canceled])).toEqual(items);
  expect(rows.units.picked + rows.units.declined).toBe(rows.units.ordered);
}

const idOf = async (page: Page, path = /#\/pick\//) => {
  await page.waitForURL(path);
  return new URL(page.url()).hash.split('/').at(-1)!;
};

describe('the first ticket of a new associate', () => {
  it('is taken, picked and confirmed by keys alone', async () => {
    const page = await openAs(desk, 'associate', '/', { viewport: 'desk' });
    const tile = page.getByRole('link', { name: /Pick.*Pickup/ });
    await tile.focus();
    await page.keyboard.press('Enter');
    await page.locator('.order').first().waitFor();
    await page.keyboard.press('t');
    const id = await idOf(page);
    await isAt(page, '0/8');
    for (let units = 1; units <= 8; units += 1) {
      await page.keyboard.press('F4');
      await isAt(page, `${units}/8`);
    }
    await page.getByText('Picking is done').waitFor();
    await page.keyboard.press('F9');
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await expectConfirmed(id, [
      [3, 0],
      [4, 0],
      [1, 0],
    ]);
  });

  it('counts one unit for a key that is held down, and undoes one', async () => {
    const id = await ticketOf([
      ['MUG-WHT', 4],
      ['UMBR-NAV', 2],
    ]);
    const page = await openTicket(id, { viewport: 'desk' });
    const hold = async (key: string) => {
      for (let repeats = 0; repeats < 20; repeats += 1) await page.keyboard.down(key);
      await page.keyboard.up(key);
    };
    await isAt(page, '0/6');
    await page.keyboard.press('F4');
    await isAt(page, '1/6');
    await hold('F4');
    await isAt(page, '2/6');
    await page.keyboard.press('F4');
    await isAt(page, '3/6');
    await hold('F8');
    await isAt(page, '2/6');
    await page.keyboard.press('F8');
    await isAt(page, '1/6');
    await page.getByRole('button', { name: 'Found 1' }).focus();
    await hold('Enter');
    await isAt(page, '2/6');
    await page.keyboard.press('F4');
    await isAt(page, '3/6');
  });

  it('is picked with a scanner alone: items, place, command card', async () => {
    const [order] = await takeIn([
      ['MUG-WHT', 2],
      ['TEE-RED-M', 1],
    ]);
    const id = await ticketFor([order!]);
    const page = await openTicket(id);
    expect(await printedBy(page, 'Print pick list')).toContain('Stoneware mug, white');
    for (const code of [TEE, MUG, MUG]) await scan(page, code);
    await isAt(page, '3/3');
    await scan(page, MUG);
    await band(page).getByText('Too many').waitFor();
    await scan(page, 'C1');
    await band(page).getByText('Place C1').waitFor();
    await scan(page, 'BR:OK');
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await expect.poll(() => page.locator('.card .huge').textContent()).toBe('C1');
    await expectConfirmed(id, [
      [1, 0],
      [2, 0],
    ]);
    expect(await printedBy(page, 'Print hold ticket')).toContain('C1');
    const cancel = `/operator/v1/stores/${STORE}/fulfillmentOrders/${order}/cancel`;
    expect((await desk.town.client.post(cancel, { reasonCode: 'CancelCustomerInitiated' })).status).toBe(200);
    await page.getByRole('button', { name: 'Print hold ticket' }).tap();
    await page.getByText('Canceled, goods to return').waitFor();
  });

  it('ends at a place of the store: numbers, items and their shelves are none, an unknown text is asked about, also without the network', async () => {
    const [order] = await takeIn([['MUG-WHT', 1]]);
    const id = await ticketOf([['MUG-WHT', 1]], [['TEE-RED-M', 1]]);
    const page = await openTicket(id);
    for (const code of [TEE, MUG]) await scan(page, code);
    await isAt(page, '2/2');
    const dialog = page.getByRole('dialog');
    const place = page.locator('.pick-places [data-on]');
    const suggested = await place.innerText();
    const rejected = async (codes: readonly (readonly [string, RegExp])[]) => {
      for (const [code, why] of codes) {
        await scan(page, code);
        await band(page).getByText(why).waitFor();
        await band(page).getByText(code, { exact: true }).waitFor();
        expect(await dialog.count()).toBe(0);
        expect(await place.innerText()).toBe(suggested);
      }
    };
    const number = /This is a number of an order/;
    // The device knows only the orders and items of its tickets, so these two cases need the network.
    await rejected([
      [order!, number],
      [FOREIGN, /This is an item/],
    ]);
    desk.proxy.unplug();
    await rejected([
      [id, number],
      ['100000000101001', number],
      ['1Z999AA10123456784', number],
      ['A-01-2', /This is the shelf of an item/],
    ]);
    await scan(page, 'RACK-9');
    await dialog.getByText('RACK-9 is not a place of this store').waitFor();
    await scan(page, 'b2');
    await band(page).getByText('Place B2').waitFor();
    expect(await dialog.count()).toBe(0);
    await scan(page, 'RACK-9');
    await dialog.getByRole('button', { name: 'Use it anyway' }).click();
    await band(page).getByText('Place RACK-9').waitFor();
    await page.getByLabel('Another place').fill('100000000101001');
    await page.getByRole('button', { name: /^Confirm/ }).click();
    await band(page).getByText(number).waitFor();
    // While the user types `A12`, the text is `A1` for a moment. The place `A1` has a button, but the field must keep
    // the text.
    await page.getByLabel('Another place').fill('');
    await page.getByLabel('Another place').pressSequentially('A12', { delay: 60 });
    expect(await page.getByLabel('Another place').inputValue()).toBe('A12');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    expect(await page.getByLabel('Another place').inputValue()).toBe('A');
    await page.getByLabel('Another place').pressSequentially('1', { delay: 60 });
    expect(await page.getByLabel('Another place').inputValue()).toBe('A1');
    await page.getByRole('button', { name: 'B1' }).click();
    expect(await page.getByLabel('Another place').inputValue()).toBe('');
    await page.getByLabel('Another place').fill('Desk');
    await page.getByRole('button', { name: /^Confirm/ }).click();
    await dialog.getByRole('button', { name: 'Use it anyway' }).click();
    await page.getByRole('heading', { name: 'Confirmed, waiting to be sent' }).waitFor();
    expect(await page.locator('.card .huge').textContent()).toBe('Desk');
  });

  it('is three taps from home: queue, the next orders, and the item is in sight', async () => {
    await takeIn([['UMBR-NAV', 1]], [['UMBR-NAV', 1]]);
    const page = await openAs(desk, 'associate', '/');
    await page.getByRole('link', { name: /Pick.*Pickup/ }).tap();
    await page.getByRole('button', { name: /Take the next/ }).tap();
    await page.locator('.pick-item').waitFor();
    await page.getByRole('button', { name: 'Found 1' }).tap();
    await expect.poll(() => sum(page).textContent()).toMatch(/^1\//);
  });
});

describe('a scan', () => {
  it('of a wrong item, of one too many and of a part of a bundle counts nothing, and says why in a band', async () => {
    const id = await ticketOf([['MUG-WHT', 1]], [['SET-BATH', 1]]);
    const page = await openTicket(id);
    await scan(page, FOREIGN);
    await band(page).getByText('Wrong item').waitFor();
    await expect.poll(() => band(page).getAttribute('role')).toBe('alert');
    await scan(page, '400000000084');
    await band(page).getByText('Part of a bundle').waitFor();
    await scan(page, MUG);
    await band(page).getByText('Right item').waitFor();
    await isAt(page, '1/2');
    await scan(page, MUG);
    await band(page).getByText('Too many').waitFor();
    await isAt(page, '1/2');
    await expect
      .poll(async () => (await rowsOf(desk, id)).counted)
      .toEqual([
        [1, 1, 0],
        [2, 0, 0],
      ]);
  });

  it('does not scroll the page: the place and the item stay in view', async () => {
    const id = await ticketOf(...Array.from({ length: 8 }, () => [['MUG-WHT', 2]] as const));
    for (const viewport of ['phone', 'narrow', 'tablet'] as const) {
      const page = await openTicket(id, { viewport });
      expect(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight + 200)).toBe(true);
      const wanted = Number((await sum(page).textContent())!.split('/')[0]) + 1;
      await scan(page, MUG);
      await isAt(page, `${wanted}/16`);
      expect([viewport, await page.evaluate(() => scrollY)]).toEqual([viewport, 0]);
      await scan(page, '21-NOTHING-HERE');
      await band(page).getByText('is not on this ticket').waitFor();
      expect([viewport, await page.evaluate(() => scrollY)]).toEqual([viewport, 0]);
    }
  });

  it('whose scanner hesitates within the code counts as the whole code', async () => {
    const id = await ticketOf([['MUG-WHT', 2]]);
    const page = await openTicket(id);
    // Each half arrives at the screen as a separate code, and the screen joins both codes.
    await scan(page, MUG.slice(0, 5));
    await band(page).getByText('Wrong item').waitFor();
    await scan(page, MUG.slice(5));
    await band(page).getByText('Right item').waitFor();
    await isAt(page, '1/2');
    await scan(page, FOREIGN);
    await band(page).getByText('Wrong item').waitFor();
    await scan(page, MUG);
    await isAt(page, '2/2');
  });

  it('of 40 units without a pause counts every one, and none above the quantity', async () => {
    const id = await ticketOf([['MUG-WHT', 30]], [['UMBR-NAV', 5]]);
    const page = await openTicket(id);
    for (let units = 0; units < 35; units += 1) await scan(page, MUG);
    for (let units = 0; units < 5; units += 1) await scan(page, UMBRELLA);
    await isAt(page, '35/35');
    await expect
      .poll(async () => (await rowsOf(desk, id)).counted)
      .toEqual([
        [1, 30, 0],
        [2, 5, 0],
      ]);
  });

  it('is taken back, also one that was sent, and what is short has its reason', async () => {
    const id = await ticketOf([['MUG-WHT', 3]]);
    const page = await openTicket(id);
    await scan(page, MUG);
    await isAt(page, '1/3');
    await page.getByRole('button', { name: 'Undo' }).tap();
    await isAt(page, '0/3');
    await scan(page, MUG);
    await scan(page, 'BR:SHORT');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('How many are missing?').waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: '−1' }).tap();
    await scan(page, 'BR:OK');
    await isAt(page, '2/3');
    await scan(page, 'BR:UNDO');
    await isAt(page, '1/3');
    await page.getByRole('button', { name: 'Finish with the rest short' }).tap();
    await dialog.getByText('Fewer here than the system says').tap();
    await dialog.getByRole('button', { name: 'Short' }).tap();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('[data-scan-target]:focus').waitFor();
    await scan(page, MUG);
    await band(page)
      .getByText(/1 found, 2 reported short/)
      .waitFor();
    await page.getByRole('button', { name: /^Confirm/ }).tap();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await expectConfirmed(id, [[1, 2]]);
    const [line] = await desk.town.store.read((db) =>
      db
        .selectFrom('pick_ticket_items')
        .select('reason')
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_id', '=', id)
        .execute(),
    );
    expect(line?.reason).toBe('CancelInventoryDiscrepancy');
  });
});

describe('an open ticket', () => {
  it('offers reasons that the office adds and changes meanwhile', async () => {
    const path = '/operator/v1/clients/TOWN';
    const { body: client } = await desk.town.operator('GET', path);
    const page = await openTicket(await ticketOf([['MUG-WHT', 1]]), { clock: true });
    const own = { code: 'ShelfIsBlocked', description: 'The shelf is blocked' };
    const { cancelReasons } = (await desk.town.client.get(`${path}/nodes/${NODE}/settings`)).body;
    const changed = { code: 'CancelGeneric', description: 'Recalled by the supplier' };
    const others = cancelReasons.filter(({ code }: { code: string }) => code !== changed.code);
    const settings = { ...client.settings, cancelReasons: [...others, changed, own] };
    const { status, text } = await desk.town.operator('PUT', path, { ...client, settings });
    expect(status, text).toBe(200);
    onTestFinished(async () => {
      await desk.town.operator('PUT', path, client);
    });
    await page.clock.fastForward('01:00');
    await scan(page, 'BR:SHORT');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(own.description).waitFor();
    await dialog.getByText(changed.description).waitFor();
    // The dialog shows a default reason in the console's words for this step if the client has not changed its meaning.
    await dialog.getByText('Broken or dirty').waitFor();
  });
});

describe('a double tap while the device stores the first tap', () => {
  /** Clicks twice in one step, so that the second click comes before the device has stored the first. */
  const tapTwice = (page: Page, name: RegExp) =>
    page.getByRole('button', { name }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });

  it('leaves out the canceled units once', async () => {
    const [order] = await takeIn([['MUG-WHT', 6]]);
    const id = await ticketFor([order!]);
    const path = `/operator/v1/stores/${STORE}/fulfillmentOrders/${order}/cancel`;
    const lines = [{ webLineId: '1', quantity: 2 }];
    const canceled = await desk.town.client.post(path, { reasonCode: 'CancelCustomerInitiated', lines });
    expect(canceled.status, canceled.text).toBe(200);
    const page = await openTicket(id);
    await tapTwice(page, /^Leave 2 out/);
    await isAt(page, '2/6');
    await expect.poll(async () => (await rowsOf(desk, id)).counted).toEqual([[1, 0, 2]]);
    await scan(page, MUG);
    await isAt(page, '3/6');
    await expect.poll(async () => (await rowsOf(desk, id)).counted).toEqual([[1, 1, 2]]);
  });

  it('counts no unit beyond the last, undoes one scan and confirms once', async () => {
    const id = await ticketOf([['MUG-WHT', 2]]);
    const page = await openTicket(id);
    await tapTwice(page, /^Found 1/);
    await isAt(page, '1/2');
    await tapTwice(page, /^Found 1/);
    await isAt(page, '2/2');
    expect(await band(page).getByText('Too many').count()).toBe(0);
    await scan(page, 'BR:UNDO');
    await isAt(page, '1/2');
    await scan(page, MUG);
    await isAt(page, '2/2');
    await tapTwice(page, /^Undo/);
    await isAt(page, '1/2');
    await scan(page, MUG);
    await isAt(page, '2/2');
    await tapTwice(page, /^Confirm/);
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await expectConfirmed(id, [[2, 0]]);
    expect(await page.locator('.notice.wrong').count()).toBe(0);
  });
});

describe('a ticket', () => {
  it('is paused and gone on with, and everything is still counted', async () => {
    const id = await ticketOf([['MUG-WHT', 2]]);
    const page = await openTicket(id);
    await scan(page, MUG);
    await isAt(page, '1/2');
    await page.getByRole('button', { name: 'Pause' }).tap();
    await page.locator('.tile').first().waitFor();
    await page.goto(`${desk.origin}/console/#/tickets`);
    await page.getByRole('link', { name: id }).tap();
    await page.locator('[data-scan-target]:focus').waitFor();
    await isAt(page, '1/2');
    // The service does not list a ticket that only this device knows. So the list of all tickets shows the text for no
    // tickets.
    await page.route('**/pickTicket/search', (route) =>
      route.fulfill({ json: { pickTickets: [], pageId: 1, pageSize: 200, totalRecords: 0 } }),
    );
    await page.goto(`${desk.origin}/console/#/tickets`);
    await page.getByRole('heading', { name: 'On this device' }).waitFor();
    await page.getByRole('link', { name: 'All', exact: true }).tap();
    await page.getByText('Take orders from a pick queue').waitFor();
    await page.goto(`${desk.origin}/console/#/pick/${STORE}/${id}`);
    await isAt(page, '1/2');
    await page.locator('[data-scan-target]:focus').waitFor();
    await scan(page, MUG);
    await page.getByText('Picking is done').waitFor();
  });

  it('stays new on the device of its user until it is opened there', async () => {
    const id = await ticketOf([['MUG-WHT', 1]]);
    const page = await openAs(desk, 'associate', '/find');
    const kept = page.waitForResponse((response) => response.url().endsWith(`/pickTickets/${id}`));
    await page.evaluate(() => {
      location.hash = '/';
    });
    expect((await kept).status()).toBe(200);
    expect((await rowsOf(desk, id)).status).toBe('NEW');
    await page.evaluate((to) => {
      location.hash = to;
    }, `/pick/${STORE}/${id}`);
    await expect.poll(async () => (await rowsOf(desk, id)).status).toBe('IN_PROGRESS');
    await page.getByText(/If you scan nothing until/).waitFor();
  });

  it('that the lead has taken over stops, names who has it, and keeps the scans that were made', async () => {
    const id = await ticketOf([['MUG-WHT', 3]]);
    const page = await openTicket(id);
    const lead = await openAs(desk, 'lead', `/pick/${STORE}/${id}`);
    await lead.getByText("This ticket is Ana Ruiz's").waitFor();
    const plug = desk.proxy.always(/scans/, { kind: 'drop' });
    await scan(page, MUG);
    await isAt(page, '1/3');
    await lead.getByRole('button', { name: 'Take over' }).tap();
    await lead.locator('.pick-item').waitFor();
    plug();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByText('Leo Marsh has this ticket now').waitFor();
    expect(await page.getByText(/fromUserId/).count()).toBe(0);
    await scan(page, MUG);
    await band(page).getByText('The service did not accept something').waitFor();
    await band(page).getByText('This did not count').waitFor();
    await isAt(page, '1/3');
    expect((await rowsOf(desk, id)).user).toBe('leo');
    expect((await rowsOf(desk, id)).scans).toEqual([]);
    await scan(lead, MUG);
    await isAt(lead, '1/3');
    await lead.getByRole('button', { name: 'Give to…' }).tap();
    await lead
      .getByRole('dialog')
      .getByRole('button', { name: /Ana Ruiz/ })
      .tap();
    await lead.getByText("This ticket is Ana Ruiz's").waitFor();
    expect((await rowsOf(desk, id)).user).toBe('ana');
    expect((await rowsOf(desk, id)).scans).toHaveLength(1);
  });

  it('that can no longer be taken over says so in short, and why behind a word', async () => {
    const id = await ticketOf([['MUG-WHT', 1]]);
    const lead = await openAs(desk, 'lead', '/');
    const reason = 'the ticket is CONFIRMED; the action takeOver is allowed only while the ticket is NEW';
    // A device has a ticket in this state only while a command of another user waits for a decision. The test changes
    // the response instead.
    await lead.route(/pickTickets\/[^/]+$/, async (route) => {
      const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
      const response = await route.fetch({ headers });
      const { pickTicketDetails } = (await response.json()) as { pickTicketDetails: object };
      const closed = { outcome: 'CONFIRMED', allowedActions: [{ action: 'takeOver', allowed: false, reason }] };
      await route.fulfill({ response, json: { pickTicketDetails: { ...pickTicketDetails, ...closed } } });
    });
    await lead.evaluate((to) => {
      location.hash = to;
    }, `/pick/${STORE}/${id}`);
    await lead.getByText('This ticket is already confirmed. There is nothing to take over.').waitFor();
    expect(await lead.getByRole('button', { name: 'Take over' }).count()).toBe(0);
    expect(await lead.getByText(reason).isVisible()).toBe(false);
    await lead.getByText('Why?').tap();
    await lead.getByText(reason).waitFor();
  });

  it('is given to a person by the lead: waiting orders from the queue, an open ticket from the list', async () => {
    const [given, kept] = (await takeIn([['MUG-WHT', 1]], [['MUG-WHT', 1]])) as [string, string];
    const lead = await openAs(desk, 'lead', '/queue?queueId=WAITING_FOR_PICK_ISPU', { viewport: 'narrow' });
    await lead.locator(`#order-${given}`).tap();
    await shot(lead, 'queue-give');
    expect(await beyondEdge(lead)).toEqual([]);
    await lead.getByRole('button', { name: 'Give to…' }).tap();
    const dialog = lead.getByRole('dialog');
    await dialog.getByRole('button', { name: /Ana Ruiz/ }).tap();
    await band(lead).getByText('Given to Ana Ruiz').waitFor();
    await lead.locator(`#order-${given}`).waitFor({ state: 'detached' });
    await lead.locator(`#order-${kept}`).waitFor();
    const { orders: all } = (await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/orders?limit=500`))
      .body;
    const of = all.find(({ fulfillmentOrderId }: { fulfillmentOrderId: string }) => fulfillmentOrderId === given);
    expect(of).toMatchObject({ userId: 'ana' });

    await lead.goto(`${desk.origin}/console/#/tickets?show=all`);
    const row = lead.getByRole('link', { name: of.pickTicketId });
    await row.getByText('with Ana Ruiz').waitFor();
    await row.tap();
    await lead.getByRole('button', { name: 'Give to…' }).waitFor();
    await shot(lead, 'ticket-give');
    await lead.getByRole('button', { name: 'Give to…' }).tap();
    await dialog.getByRole('button', { name: /Mara/ }).tap();
    await lead.getByText(/This ticket is Mara .*'s/).waitFor();
    expect((await rowsOf(desk, of.pickTicketId)).user).toBe('mara');
  });

  it('has the orders that the lead chose, also if they were taken while the lead chooses the person', async () => {
    const [chosen] = (await takeIn([['MUG-WHT', 1]], [['MUG-WHT', 1]])) as [string];
    const lead = await openAs(desk, 'lead', '/queue?queueId=WAITING_FOR_PICK_ISPU', { viewport: 'desk' });
    await lead.locator(`#order-${chosen}`).click();
    await lead.getByRole('button', { name: 'Give to…' }).click();
    const dialog = lead.getByRole('dialog', { name: 'Give 1 order to' });
    const mara = dialog.getByRole('button', { name: /Mara/ });
    await mara.waitFor();
    await ticketFor([chosen]);
    await lead.locator(`#order-${chosen}`).waitFor({ state: 'detached' });
    const had = await mara.innerText();
    await mara.click();
    await dialog.getByText(`Order "${chosen}" has been on pick ticket`).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await lead.getByRole('button', { name: 'Give to…' }).click();
    expect(await lead.getByRole('dialog').getByRole('button', { name: /Mara/ }).innerText()).toBe(had);
  });

  it('stays in the list while the list is read again after a change', async () => {
    const id = await ticketOf([['MUG-WHT', 1]]);
    const page = await openAs(desk, 'lead', '/tickets?show=all', { viewport: 'desk' });
    const row = page.getByRole('link', { name: id });
    await row.evaluate((one) => one.setAttribute('data-before', ''));
    // Its reverse ticket is the first one: the queue had no orders before.
    const order = await pickedOrder(desk.town, 'B4', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 3]] });
    const path = `/operator/v1/stores/${STORE}/fulfillmentOrders/${order}`;
    const canceled = await desk.town.client.post(`${path}/cancel`, { reasonCode: 'CancelCustomerInitiated' });
    expect(canceled.status, canceled.text).toBe(200);
    const [reverse] = (await desk.town.client.get(path)).body.reversePickTicketIds;
    await page.getByRole('link', { name: reverse }).waitFor();
    expect(await row.getAttribute('data-before')).toBe('');
  });

  it('that was confirmed with a unit too few is corrected by the lead, and the order has it', async () => {
    const id = await ticketOf([['MUG-WHT', 2]]);
    const page = await openTicket(id);
    await scan(page, MUG);
    await scan(page, 'BR:SHORT');
    await page.getByRole('dialog').getByText('How many are missing?').waitFor();
    await scan(page, 'BR:OK');
    await page.getByText('Picking is done').waitFor();
    await scan(page, 'BR:OK');
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await expectConfirmed(id, [[1, 1]]);
    await page.getByRole('button', { name: /Correct it.*Ask your lead/ }).waitFor();
    const lead = await openAs(desk, 'lead', `/pick/${STORE}/${id}`);
    await lead.getByRole('link', { name: 'Correct it' }).tap();
    await lead.getByRole('button', { name: '+1' }).tap();
    await lead.getByLabel('What was wrong?').fill('It was behind the others');
    expect(await axe(lead)).toEqual([]);
    await lead.getByRole('button', { name: 'Correct', exact: true }).tap();
    await lead.getByRole('heading', { name: 'Confirmed' }).waitFor();
    expect((await rowsOf(desk, id)).items).toEqual([[1, 2, 2, 0]]);
  });

  it('that is corrected keeps the reason of the units that are still missing, and asks only for further ones', async () => {
    const id = await ticketOf([['MUG-WHT', 3]]);
    const reason = 'CancelMXPickDecline';
    await confirmOf(id, { pickedQuantity: 1, canceledQuantity: 2, cancellationReasonCode: reason });
    const lead = await openAs(desk, 'lead', `/pick/${STORE}/${id}`);
    await lead.getByRole('link', { name: 'Correct it' }).tap();
    const reasons = lead.getByRole('radio');
    await lead.getByRole('button', { name: '−1' }).tap();
    await expect.poll(() => reasons.count()).toBeGreaterThan(1);
    expect(await lead.locator('input[type=radio]:checked').inputValue()).toBe(reason);
    for (let more = 0; more < 2; more += 1) await lead.getByRole('button', { name: '+1' }).tap();
    await expect.poll(() => reasons.count()).toBe(0);
    await lead.getByLabel('What was wrong?').fill('One was behind the others');
    const sent = lead.waitForRequest((request) => request.url().endsWith('/correct'));
    await lead.getByRole('button', { name: 'Correct', exact: true }).tap();
    expect((await sent).postDataJSON()).toMatchObject({
      pickTicketItems: [{ id: 1, pickedQuantity: 2, canceledQuantity: 1 }],
    });
    expect((await sent).postData()).not.toContain('cancellationReasonCode');
    await lead.getByRole('heading', { name: 'Confirmed' }).waitFor();
  });

  it('that is corrected does not give missing units the reason of units that the customer canceled', async () => {
    const [orderId] = await takeIn([['MUG-WHT', 3]]);
    const id = await ticketFor([orderId!]);
    const cancel = await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders/${orderId}/cancel`, {
      reasonCode: 'CancelCustomerInitiated',
      lines: [{ webLineId: '1', quantity: 1 }],
    });
    expect(cancel.status, cancel.text).toBeLessThan(300);
    await confirmOf(id, { pickedQuantity: 2, canceledQuantity: 1, cancellationReasonCode: 'CancelCustomerInitiated' });
    const lead = await openAs(desk, 'lead', `/pick/${STORE}/${id}`);
    await lead.getByRole('link', { name: 'Correct it' }).tap();
    await lead.getByRole('button', { name: '−1' }).tap();
    const reason = await lead.locator('input[type=radio]:checked').inputValue();
    expect(reason).toBe('CancelMXOutOfStock');
    await lead.getByLabel('What was wrong?').fill('One was not there');
    const sent = lead.waitForRequest((request) => request.url().endsWith('/correct'));
    await lead.getByRole('button', { name: 'Correct', exact: true }).tap();
    expect((await sent).postDataJSON()).toMatchObject({
      pickTicketItems: [{ id: 1, pickedQuantity: 1, canceledQuantity: 2, cancellationReasonCode: reason }],
    });
    await lead.getByRole('heading', { name: 'Confirmed' }).waitFor();
  });

  it('goes back with nothing counted when it is given back', async () => {
    const id = await ticketOf([['MUG-WHT', 1]]);
    const page = await openTicket(id);
    await scan(page, MUG);
    await page.getByText('Picking is done').waitFor();
    await page.getByRole('button', { name: 'Give back' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Give back' }).tap();
    await page.locator('.tile').first().waitFor();
    expect(await rowsOf(desk, id)).toMatchObject({ outcome: 'RESET' });
  });

  it('of 50 orders says the tote of each unit', async () => {
    const id = await ticketOf(...Array.from({ length: 50 }, () => [['MUG-WHT', 1]] as const));
    const page = await openTicket(id);
    await page.getByText('into tote A', { exact: true }).waitFor();
    await scan(page, MUG);
    await band(page).getByText('tote A').waitFor();
    await page.getByText('into tote B', { exact: true }).waitFor();
    for (let units = 2; units <= 50; units += 1) await scan(page, MUG);
    await isAt(page, '50/50');
    await page.getByRole('button', { name: /^AX / }).waitFor();
    await page.getByRole('button', { name: /^Confirm/ }).tap();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await expectConfirmed(id, [[50, 0]]);
  });

  it('puts the tote of each order in a place of its own: scan the order, then the place; the rest goes to the place of all', async () => {
    const id = await ticketOf([['MUG-WHT', 1]], [['MUG-WHT', 1]], [['MUG-WHT', 1]]);
    const last = `P${String(orders).padStart(5, '0')}`;
    const page = await openTicket(id, { viewport: 'narrow' });
    for (const count of [1, 2, 3]) {
      await scan(page, MUG);
      await isAt(page, `${count}/3`);
    }
    await page.getByText('scan a tote and then its place').waitFor();
    await page.getByText('Hold tickets print after you confirm').waitFor();
    expect(await page.getByRole('button', { name: 'Print pick list' }).count()).toBe(0);
    await scan(page, 'A1');
    await page.getByRole('button', { name: 'Confirm · A1' }).waitFor();
    await scan(page, last);
    await band(page).getByText('Tote C: scan its place').waitFor();
    await scan(page, 'C1');
    await band(page).getByText('Tote C: C1').waitFor();
    await page
      .getByRole('button', { name: /^A .*Ana|^A / })
      .first()
      .tap();
    await band(page).getByText('Tote A: scan its place').waitFor();
    await scan(page, 'B1');
    await band(page).getByText('Tote A: B1').waitFor();
    expect(await beyondEdge(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Confirm · B1, A1, C1' }).tap();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await page.getByText('Tote C: C1').waitFor();
    await page.getByRole('button', { name: 'Print hold tickets' }).waitFor();
    await expectConfirmed(id, [[3, 0]]);
    await shot(page, 'pick-places');
    // Another device gets the places from the service.
    const lead = await openAs(desk, 'lead', `/pick/${STORE}/${id}`, { viewport: 'narrow', theme: 'dark' });
    for (const text of ['Tote A: B1', 'Tote B: A1', 'Tote C: C1']) await lead.getByText(text).waitFor();
    await lead.getByRole('link', { name: 'Correct it' }).tap();
    await lead.getByText('Tote A: B1 · Tote B: A1 · Tote C: C1').waitFor();
    expect(await beyondEdge(lead)).toEqual([]);
    await shot(lead, 'pick-places-correct');
    const path = `/operator/v1/stores/${STORE}/fulfillmentOrders/`;
    const first = orders - 2;
    const held = await Promise.all(
      [first, first + 1, first + 2].map(
        async (one) =>
          (await desk.town.client.get(`${path}P${String(one).padStart(5, '0')}`)).body.holdLocation as string,
      ),
    );
    expect(held).toEqual(['B1', 'A1', 'C1']);
    // A1 is the place of the ticket, but not of tote C.
    const sent = lead.waitForRequest((request) => request.url().endsWith('/correct'));
    await lead.getByRole('button', { name: '−1' }).tap();
    await lead.getByLabel('What was wrong?').fill('One was in the wrong tote');
    const where = lead.getByLabel('Where do the goods wait?');
    await where.fill('A');
    await where.press('End');
    await where.press('1');
    await lead.getByRole('button', { name: 'Correct', exact: true }).tap();
    expect((await sent).postDataJSON()).toMatchObject({ holdLocation: 'A1' });
    await lead.getByRole('heading', { name: 'Confirmed' }).waitFor();
    // An order that was canceled gets no ticket, and its state is shown.
    const second = `P${String(first + 1).padStart(5, '0')}`;
    const cancel = { reasonCode: 'CancelCustomerInitiated' };
    expect((await desk.town.client.post(`${path}${second}/cancel`, cancel)).status).toBe(200);
    expect(await printedBy(lead, 'Print hold tickets')).not.toContain(second);
    await lead.getByRole('alert').getByText(`Order ${second}: Canceled, goods to return`).waitFor();
  });

  it('is due on Home by the clock of the store, also on a device with another time zone', async () => {
    const id = await ticketOf([['MUG-WHT', 1]]);
    const { due } = await desk.town.store.read((db) =>
      db
        .selectFrom('pick_tickets')
        .select('pick_sla_date as due')
        .where('pick_ticket_id', '=', id)
        .executeTakeFirstOrThrow(),
    );
    const page = await openAs(desk, 'associate', '/', { timeZone: 'UTC' });
    const clock = new Intl.DateTimeFormat('en-US', {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'America/New_York',
    });
    await page
      .getByText(`finish by ${clock.format(due)}`)
      .first()
      .waitFor();
  });

  it('of parcels leads to their packing', async () => {
    await pickedOrder(desk.town, 'C1', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]], userId: 'ana' });
    const { id } = await desk.town.store.read((db) =>
      db
        .selectFrom('pick_tickets')
        .select('pick_ticket_id as id')
        .where('fulfillment_type', '=', 'SHIP_TO_HOME')
        .where('outcome', '=', 'CONFIRMED')
        .orderBy('closed_at', 'desc')
        .executeTakeFirstOrThrow(),
    );
    const page = await openAs(desk, 'associate', `/pick/${STORE}/${id}`);
    await page.getByRole('link', { name: 'Pack', exact: true }).tap();
    await page.waitForURL(/#\/pack/);
    await page.getByRole('link', { name: /Cleo Marsh/ }).waitFor();
  });

  it('sends its scans although the network lets a read of the ticket hang', async () => {
    const id = await ticketOf([['MUG-WHT', 2]]);
    const page = await openTicket(id);
    await expect.poll(async () => (await rowsOf(desk, id)).status).toBe('IN_PROGRESS');
    await page.getByText('sent', { exact: true }).waitFor();
    // The time limit of a read is a minute. The test shortens it.
    await page.evaluate(() => {
      const limit = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => limit(ms / 20);
    });
    const read = new RegExp(`POST .*/pickTickets/${id}$`);
    const reads = () => desk.proxy.passed.filter(({ method, url }) => read.test(`${method} ${url}`)).length;
    const before = reads();
    desk.proxy.always(read, { kind: 'hold', until: new Promise(() => {}) });
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect.poll(reads).toBe(before + 1);
    await scan(page, MUG);
    await isAt(page, '1/2');
    await expect.poll(async () => (await rowsOf(desk, id)).scans.length, { timeout: 15_000 }).toBe(1);
  });

  it('is picked to its end without the network, and is sent when it is back', async () => {
    const id = await ticketOf([
      ['MUG-WHT', 2],
      ['TEE-RED-M', 1],
    ]);
    const page = await openTicket(id);
    await scan(page, TEE);
    await isAt(page, '1/3');
    await hasLoaded(page, 'pick-away');
    const plug = desk.proxy.unplug();
    await scan(page, MUG);
    await scan(page, MUG);
    await isAt(page, '3/3');
    await scan(page, 'BR:OK');
    await page.getByText('Confirmed, waiting to be sent').waitFor();
    plug();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByRole('heading', { name: 'Confirmed', exact: true }).waitFor();
    await expectConfirmed(id, [
      [1, 0],
      [2, 0],
    ]);
  });
});

describe('goods of canceled orders', () => {
  it('go back to their shelf: taken from the list, scanned, confirmed', async () => {
    const order = desk.town.orders.ready;
    const canceled = await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders/${order}/cancel`, {
      reasonCode: 'CancelCustomerInitiated',
    });
    expect(canceled.status, canceled.text).toBe(200);
    const page = await openAs(desk, 'associate', '/bring-back');
    const { id } = await desk.town.store.read((db) =>
      db
        .selectFrom('pick_tickets')
        .select('pick_ticket_id as id')
        .where('fulfillment_order_id', '=', order)
        .where('pick_ticket_type', '=', 'REVERSE_PICK_TICKET')
        .executeTakeFirstOrThrow(),
    );
    await page.locator('.list a.row').filter({ hasText: id }).filter({ hasText: 'A1' }).tap();
    await page.waitForURL(new RegExp(`#/bring-back/.+/${id}$`));
    await page.locator('[data-scan-target]:focus').waitFor();
    const units = Number((await sum(page).textContent())!.split('/')[1]);
    for (let unit = 1; unit <= units; unit += 1) {
      await page.getByRole('button', { name: 'Found 1' }).tap();
      await isAt(page, `${unit}/${units}`);
    }
    await page.getByRole('button', { name: 'Confirm' }).tap();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await expect.poll(async () => (await rowsOf(desk, id)).outcome).toBe('CONFIRMED');
    expect((await rowsOf(desk, id)).user).toBe('ana');
  });

  it('wait for the next user although the one before looks at the conflict about them', async () => {
    const order = await pickedOrder(desk.town, 'B4', { lines: [['MUG-WHT', 2]] });
    const path = `/operator/v1/stores/${STORE}/fulfillmentOrders/${order}`;
    const canceled = await desk.town.client.post(`${path}/cancel`, { reasonCode: 'CancelCustomerInitiated' });
    expect(canceled.status, canceled.text).toBe(200);
    const id = (await desk.town.client.get(path)).body.reversePickTicketIds[0] as string;
    const page = await openAs(desk, 'associate', `/bring-back/${STORE}/${id}`);
    await page.locator('[data-scan-target]:focus').waitFor();
    await expect.poll(async () => (await rowsOf(desk, id)).user).toBe('ana');
    const plug = desk.proxy.always(/scans/, { kind: 'drop' });
    await page.getByRole('button', { name: 'Found 1' }).tap();
    await isAt(page, '1/2');
    const lead = await openAs(desk, 'lead', `/bring-back/${STORE}/${id}`);
    await lead.getByRole('button', { name: 'Take over' }).tap();
    await lead.locator('.pick-item').waitFor();
    plug();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByText('Leo Marsh has this ticket now').waitFor();
    await lead.getByRole('button', { name: 'Give back' }).tap();
    await lead.getByRole('dialog').getByRole('button', { name: 'Give back' }).tap();
    await expect.poll(async () => (await rowsOf(desk, id)).status).toBe('NEW');
    const isRead = page.waitForResponse((response) => response.url().endsWith(`/pickTickets/${id}`));
    await page.evaluate(() => {
      location.hash = '/sync';
    });
    expect((await isRead).status()).toBe(200);
    expect(await rowsOf(desk, id)).toMatchObject({ status: 'NEW', user: '' });
  });

  it('are brought back when their order is scanned, and never fetched again; a collected order has no ticket', async () => {
    const { client } = desk.town;
    const order = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 2]] });
    const path = `/operator/v1/stores/${STORE}/fulfillmentOrders/${order}`;
    const canceled = await client.post(`${path}/cancel`, { reasonCode: 'CancelCustomerInitiated' });
    expect(canceled.status, canceled.text).toBe(200);
    const page = await openAs(desk, 'associate', `/find?code=${order}`);
    const match = page.locator('a.row.found', { hasText: order });
    await match.tap();
    const id = await idOf(page, /#\/bring-back\/.+/);
    await page.getByText('from B2').waitFor();
    // An old link, such as one of the browser history, leads to the same screen.
    await page.evaluate((to) => {
      location.hash = to;
    }, `/pick/${STORE}/${id}`);
    await page.waitForURL(/#\/pick\/.+/);
    await page.getByText('from B2').waitFor();

    const collected = await pickedOrder(desk.town, 'B3', { lines: [['MUG-WHT', 1]] });
    const given = await client.put(`/stores/${STORE}/nodes/${NODE}/customerPickUp/confirm`, {
      modifyAssociateId: 'ana',
      customerPickUpDetails: {
        storeId: STORE,
        nodeId: NODE,
        fulfillmentOrderId: collected,
        verificationMethod: 'PHOTO_ID',
        customerPickUpItems: [
          {
            webLineId: '1',
            itemId: '21-MUG-WHT',
            customerPickedQuantity: 1,
            canceledQuantity: 0,
            backroomPickedQuantity: 1,
          },
        ],
      },
    });
    expect(given.status, given.text).toBe(204);
    await page.evaluate((to) => {
      location.hash = to;
    }, `/find?code=${collected}`);
    await page.locator('a.row.found', { hasText: collected }).tap();
    await page.waitForURL(/#\/office\/orders\/.+/);
  });

  it('are on Home and in the list if only a part of the order was canceled', async () => {
    const order = await pickedOrder(desk.town, 'B1', { lines: [['MUG-WHT', 2]] });
    const canceled = await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders/${order}/cancel`, {
      reasonCode: 'CancelCustomerInitiated',
      lines: [{ webLineId: '1', quantity: 1 }],
    });
    expect(canceled.status, canceled.text).toBe(200);
    const page = await openAs(desk, 'associate', '/');
    const tile = page.locator('a.tile[href$="/bring-back"]:not([data-empty])');
    await tile.tap();
    const read = await desk.town.client.get(`/operator/v1/stores/${STORE}/fulfillmentOrders/${order}`);
    const [ticketId] = read.body.reversePickTicketIds as string[];
    const row = page.locator('.list a.row', { hasText: ticketId! });
    await row.getByText('1 unit').waitFor();
    await row.tap();
    await page.waitForURL(/#\/bring-back\/.+/);
  });
});

/** Returns the words within an element that continue on a second line. */
function brokenWords(page: Page, within: string): Promise<string[]> {
  return page.locator(within).evaluate((root) => {
    const found: string[] = [];
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
      }
    }
    return found;
  });
}

describe('home and queue', () => {
  it('count the orders that can be taken, not those that are being picked', async () => {
    await ticketOf([['MUG-WHT', 1]], [['MUG-WHT', 1]]);
    await takeIn([['MUG-WHT', 1]]);
    const work = await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/work`);
    const queue = work.body.queues.find(({ queueId }: { queueId: string }) => queueId === 'WAITING_FOR_PICK_ISPU');
    const free = queue.orders - queue.inWork;
    expect(queue.inWork).toBeGreaterThan(1);
    // The manager has no ticket. The lead may still have a ticket of an earlier test.
    const page = await openAs(desk, 'manager', '/', { locale: 'de-DE' });
    await page.getByRole('button', { name: /Harbour Street/ }).tap();
    const tile = page.locator('a.tile', { hasText: /Picken.*Abholung/ });
    await tile.waitFor();
    await expect.poll(() => tile.locator('.count').textContent()).toBe(String(free));
    await tile.getByText(`${queue.inWork} in Arbeit`).waitFor();
    await shot(page, 'home-free');
    await tile.tap();
    await page.locator('.order').first().waitFor();
    expect(await page.locator('.order').count()).toBe(free);
    expect(await page.locator('.sub').textContent()).toMatch(new RegExp(`· ${free} Auftr`));
    await shot(page, 'queue-free');
  });

  it('have the order first that is due first, also if it is the newest, and every page', async () => {
    const [id] = (await takeIn([['MUG-WHT', 1]])) as [string];
    await desk.town.store.write((tx) =>
      tx
        .updateTable('fulfillment_orders')
        .set({ sla_at: desk.town.clock.now + 60_000 })
        .where('fulfillment_order_id', '=', id)
        .execute(),
    );
    const page = await openAs(desk, 'associate', '/', { viewport: 'desk' });
    await page.route('**/orders?*', async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '1');
      await route.continue({ url: url.href });
    });
    const tile = page.getByRole('link', { name: /Pick.*Pickup/ });
    const free = Number(await tile.locator('.count').textContent());
    await tile.click();
    await page.locator('.order').first().getByText(id).waitFor();
    expect(await page.locator('.order').count()).toBe(free);
  });

  it('are chosen by a scan also if they are due after the orders that are read', async () => {
    const [id] = await takeIn([['MUG-WHT', 1]]);
    const page = await openAs(desk, 'lead', '/', { viewport: 'desk' });
    await page.route(/\/orders\?.*queueId=WAITING_FOR_PICK_ISPU/, async (route) => {
      const url = new URL(route.request().url());
      const isLater = url.searchParams.has('after');
      url.searchParams.delete('after');
      const response = await route.fetch({ url: url.href });
      const { orders: all } = (await response.json()) as { orders: { fulfillmentOrderId: string }[] };
      const own = all.find(({ fulfillmentOrderId }) => fulfillmentOrderId === id)!;
      const earlier = Array.from({ length: 201 }, (_, index) => ({ ...own, fulfillmentOrderId: `EARLIER${index}` }));
      await route.fulfill({ response, json: isLater ? { orders: [own] } : { orders: earlier, next: '1.later' } });
    });
    await page.getByRole('link', { name: /Pick.*Pickup/ }).click();
    await page.locator('#order-EARLIER0').locator('input').check();
    await wedge(page, id!);
    await page.getByRole('button', { name: 'Pick 2 orders' }).waitFor();
  });

  it('say which order the next ticket leaves out, although it is first in the list', async () => {
    await takeIn([['MUG-WHT', 1]]);
    const page = await openAs(desk, 'lead', '/queue?queueId=WAITING_FOR_PICK_ISPU', { viewport: 'narrow' });
    const first = page.locator('.order', { hasText: 'Ève Tremblay' });
    await first.getByText('Other web store: a ticket of its own').waitFor();
    const take = page.getByRole('button', { name: /Take the next \d+ without Ève Tremblay/ });
    await take.waitFor();
    expect(await beyondEdge(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    await shot(page, 'queue-left-out');
    await page.getByRole('checkbox', { name: /Ève Tremblay/ }).tap();
    await page.getByRole('button', { name: 'Pick 1 order' }).waitFor();
    const chosen = page.getByRole('checkbox', { checked: true });
    const id = (await chosen.locator('xpath=ancestor-or-self::*[starts-with(@id, "order-")]').getAttribute('id'))!;
    await chosen.tap();
    await page.getByRole('button', { name: /Take the next/ }).waitFor();
    await wedge(page, `]C0${id.slice(6)}`);
    await page.getByRole('button', { name: 'Pick 1 order' }).waitFor();
    expect(await first.getByText('Other web store').count()).toBe(0);
  });

  it('take the next orders of one currency, and say which order has another one', async () => {
    const [urgent] = await takeIn([['MUG-WHT', 1]]);
    const id = `P${String(++orders).padStart(5, '0')}`;
    const body = [{ ...orderOf(id, [['MUG-WHT', 1]], desk.town.clock.now), currency: 'CHF' }];
    const taken = await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, body);
    expect(taken.status, taken.text).toBe(201);
    const page = await openAs(desk, 'lead', '/queue?queueId=WAITING_FOR_PICK_ISPU');
    await page.locator(`#order-${urgent}`).locator('input').check();
    await page.locator(`#order-${id}`).getByText('Another currency: a ticket of its own').waitFor();
    await page.locator(`#order-${urgent}`).locator('input').uncheck();
    await page.getByRole('button', { name: /^Take the next/ }).tap();
    const ticket = await idOf(page);
    await page.locator('[data-scan-target]:focus').waitFor();
    const path = `/stores/${STORE}/nodes/${NODE}/pickTickets/${ticket}`;
    const { currency } = (await desk.town.client.post(path, { storeId: STORE, nodeId: NODE, pickTicketId: ticket }))
      .body.pickTicketDetails;
    expect(currency).toBe('USD');
  });
});

describe('a gift message', () => {
  it('is called so and names its tote', async () => {
    const [own] = await takeIn([['MUG-WHT', 1]]);
    const id = `P${String(++orders).padStart(5, '0')}`;
    const order = orderOf(id, [['TEE-RED-M', 1]], desk.town.clock.now);
    const instructions = [{ type: 'GIFT_MESSAGE', text: 'For the crew' }];
    const lines = order.lines.map((line) => ({ ...line, instructions }));
    const taken = await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, [{ ...order, lines }]);
    expect(taken.status, taken.text).toBe(201);
    const page = await openTicket(await ticketFor([own!, id]), { viewport: 'narrow', locale: 'de-DE' });
    const message = page.locator('.pick-instruction');
    await expect.poll(() => message.textContent()).toBe('Grußbotschaft für Behälter B: For the crew');
    await page.getByText(/^Scannen Sie bis .* nichts, kann ihn jemand anders nehmen\.$/).waitFor();
    expect(await beyondEdge(page)).toEqual([]);
    await message.scrollIntoViewIfNeeded();
    await shot(page, 'pick-gift');
  });
});

describe('the screens of picking', () => {
  it('keep place and quantity apart and words whole on a small German phone', async () => {
    const id = await ticketOf([['MUG-WHT', 12]], [['MUG-WHT', 2]]);
    for (const [locale, theme] of [
      ['de-DE', 'light'],
      ['es-ES', 'dark'],
    ] as const) {
      const page = await openTicket(id, { viewport: 'narrow', locale, theme });
      await shot(page, `pick-320-${locale}-top`);
      const [place, sumOf] = await Promise.all([
        page.locator('.pick-place > :last-child').boundingBox(),
        page.locator('.pick-sum-of').boundingBox(),
      ]);
      expect(place!.x + place!.width).toBeLessThanOrEqual(sumOf!.x);
      expect(await brokenWords(page, '.pick-item')).toEqual([]);
      await scan(page, MUG);
      await page.locator('.work-tote').waitFor();
      expect(await brokenWords(page, '.band')).toEqual([]);
      expect(await beyondEdge(page)).toEqual([]);
      await shot(page, `pick-320-${locale}`);
      await page.close();
    }
  });

  it('show place, item, quantity and tote after a scan, at 200 % zoom', async () => {
    const id = await ticketOf([['MUG-WHT', 2]], [['TEE-RED-M', 1]]);
    const page = await openTicket(id, { viewport: 'desk' });
    await page.setViewportSize({ width: 720, height: 450 });
    await scan(page, TEE);
    await band(page).getByText('tote B').waitFor();
    const head = await page.locator('.screen > header').boundingBox();
    const bar = await page.locator('.screen > footer').boundingBox();
    for (const part of ['.pick-place > :last-child', '.pick-name', '.pick-sum-of']) {
      const box = await page.locator(part).boundingBox();
      expect([part, box!.y >= head!.y + head!.height]).toEqual([part, true]);
      expect([part, box!.y + box!.height <= bar!.y]).toEqual([part, true]);
    }
    expect(await beyondEdge(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    await shot(page, 'pick-zoom');
  });

  it('are within reach of everybody: no violation, nothing beyond the edge, in both themes at each size', async () => {
    const id = await ticketOf([['MUG-WHT', 2]], [['MUG-WHT', 1]], [['TEE-RED-M', 1]]);
    await takeIn([['MUG-WHT', 2]]);
    for (const [viewport, theme] of [
      ['narrow', 'light'],
      ['tablet', 'dark'],
      ['desk', 'light'],
      ['narrow', 'dark'],
    ] as const) {
      const page = await openTicket(id, { viewport, theme });
      await scan(page, FOREIGN);
      await band(page).getByText('Wrong item').waitFor();
      expect([viewport, await axe(page)]).toEqual([viewport, []]);
      expect(await beyondEdge(page)).toEqual([]);
      for (const path of ['/queue?queueId=WAITING_FOR_PICK_ISPU', '/tickets?show=all', '/bring-back']) {
        await page.goto(`${desk.origin}/console/#${path}`);
        await page.locator('.order, .list a.row, .empty').first().waitFor();
        expect([path, await axe(page)]).toEqual([path, []]);
        expect(await beyondEdge(page)).toEqual([]);
      }
      await page.close();
    }
  });
});
