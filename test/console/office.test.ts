/**
 * The office in a real browser: the client whose data it shows, the permissions of a credential, secrets that are shown
 * once, canceling units.
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import { orderOf, pickedOrder, STORE, wedge } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
});
afterAll(() => desk.close());

const OFFICE = ['people', 'providers', 'nodes', 'settings', 'credentials', 'webhooks', 'inbound', 'access'] as const;

const SHOTS = process.env['TEST_SHOTS'];
/** Takes a screenshot for a review of the screens if TEST_SHOTS names a folder. */
async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** Collects the paths of the page's requests from now on. */
function asked(page: Page): string[] {
  const urls: string[] = [];
  page.on('request', (request) => urls.push(decodeURIComponent(new URL(request.url()).pathname)));
  return urls;
}

async function show(page: Page, path: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, path);
}

describe('a person of the operator', () => {
  it('sees the only client at once, is asked which one when there are two, and changes it in the menu', async () => {
    const alone = await openAs(desk, 'operator', '/office/people', { viewport: 'desk' });
    await alone.getByRole('button', { name: 'Add a person' }).waitFor();
    await alone.getByRole('row').nth(3).waitFor();

    const { body: town } = await desk.town.operator('GET', '/operator/v1/clients/TOWN');
    const made = await desk.town.operator('PUT', '/operator/v1/clients/HARBOR', {
      name: 'Harbor Outfitters',
      catalogIds: ['31'],
      settings: town.settings,
    });
    expect(made.status, made.text).toBeLessThan(300);

    const page = await openAs(desk, 'operator', '/office/people', { viewport: 'narrow' });
    const urls = asked(page);
    await page.getByRole('heading', { name: 'Which client?' }).waitFor();
    for (const screen of OFFICE) {
      await show(page, `/office/${screen}`);
      await page.getByRole('button', { name: /Harbor Outfitters/ }).waitFor();
      expect(await page.getByRole('button', { name: /^(Add|New)/ }).count()).toBe(0);
    }
    expect(await beyondEdge(page)).toEqual([]);

    await show(page, '/office/people');
    await page.getByRole('button', { name: /Harbor Outfitters/ }).click();
    await page.getByText('No people yet').waitFor();
    await page.reload();
    await page.getByText('No people yet').waitFor();

    await page.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('navigation');
    await expect.poll(() => menu.getByLabel('Client', { exact: true }).inputValue()).toBe('HARBOR');
    expect(await beyondEdge(page)).toEqual([]);
    await menu.getByLabel('Client', { exact: true }).selectOption({ label: town.name });
    await page.getByRole('row').nth(3).waitFor();
    for (const screen of OFFICE) {
      await show(page, `/office/${screen}`);
      await page.locator('.desk-page h1').waitFor();
      await page.waitForFunction(() => document.querySelector('[aria-busy="true"], .notice.wrong') === null);
    }
    expect(urls.filter((url) => /undefined|[{}]|\/\//.test(url))).toEqual([]);
    expect(urls.some((url) => url.startsWith('/operator/v1/clients/HARBOR/'))).toBe(true);
  });

  it('who changes the client on the screen of an order goes to the list of the other client', async () => {
    const page = await openAs(desk, 'operator', `/office/orders/${STORE}/${desk.town.orders.ready}`, {
      viewport: 'desk',
    });
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.getByRole('navigation').getByLabel('Client', { exact: true }).selectOption('HARBOR');
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    expect(await page.evaluate(() => location.hash)).toBe('#/office/orders');
  });
});

describe('a new credential', () => {
  it('is preceded by the advice to ask the operator, because keys with more rights are not listed', async () => {
    const page = await openAs(desk, 'integrator', '/office/setup', { viewport: 'desk' });
    await page
      .getByRole('listitem')
      .filter({ hasText: 'A key for your system' })
      .getByText('ask the operator first')
      .waitFor();
    await show(page, '/office/credentials');
    await page.getByRole('heading', { name: 'No key that you can see' }).waitFor();
    await page.getByText('Keys with more rights than yours are not listed.').waitFor();
  });

  it('offers an integrator the groups that they may give, and the preset is accepted', async () => {
    const page = await openAs(desk, 'integrator', '/office/credentials', { viewport: 'desk' });
    await page.getByRole('button', { name: 'New credential' }).click();
    const dialog = page.getByRole('dialog');
    const groups = dialog.getByRole('group', { name: 'May do' });
    await expect
      .poll(async () => (await groups.locator('label').allInnerTexts()).map((text) => text.split(' ')[0]))
      .toEqual(['items', 'inbound', 'intake', 'events']);
    await dialog.getByText('You can give only your own permissions.').waitFor();
    const make = dialog.getByRole('button', { name: /^Make it/ });
    await expect.poll(() => make.innerText()).toContain('say what it is for');
    await dialog.getByLabel('For what').fill('Order system');
    await make.click();
    await dialog.getByLabel('apiKey').waitFor();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page
      .getByRole('row', { name: /Order system/ })
      .getByText('items, inbound, intake, events')
      .waitFor();
  });

  it('offers the operator every group, and says in plain words when the access has changed meanwhile', async () => {
    const page = await openAs(desk, 'operator', '/office/credentials', { viewport: 'desk' });
    await page.getByRole('navigation').getByLabel('Client', { exact: true }).selectOption('TOWN');
    await page.getByRole('button', { name: 'New credential' }).click();
    const dialog = page.getByRole('dialog');
    const groups = dialog.getByRole('group', { name: 'May do' });
    await expect.poll(() => groups.getByRole('checkbox').count()).toBe(8);
    for (const more of ['receiving', 'stock', 'supervise']) await groups.getByLabel(more).check();
    await dialog.getByLabel('For what').fill('Everything');
    await page.route('**/credentials', (route) =>
      route.fulfill({ status: 403, json: { code: 'ACCESS_DENIED', description: 'not stock', requestId: 'r-1' } }),
    );
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await dialog.getByText('You can give only your own permissions').waitFor();
    expect(await dialog.getByText('not stock').count()).toBe(0);
    await page.unroute('**/credentials');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await dialog.getByLabel('apiKey').waitFor();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page
      .getByRole('row', { name: /Everything/ })
      .getByText('receiving')
      .waitFor();
  });
});

describe('a secret that is shown once', () => {
  /**
   * Expects that the text remains visible after Escape, a click outside of the dialog and a scanned code, and that the
   * button closes the dialog.
   */
  async function expectHeld(page: Page, secret: () => Promise<string>, button: string): Promise<void> {
    const before = await secret();
    expect(before).not.toBe('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(4, 4);
    await page.keyboard.press('Escape');
    await wedge(page, 'CODE-0001');
    expect(await secret()).toBe(before);
    expect(await page.getByRole('dialog').evaluate((node) => node.matches(':modal'))).toBe(true);
    await page.getByRole('dialog').getByRole('button', { name: button }).click();
  }

  it('stays until somebody says that it is stored: credentials and webhooks', async () => {
    const page = await openAs(desk, 'integrator', '/office/credentials', { viewport: 'desk' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New credential' }).click();
    await dialog.getByLabel('For what').fill('Feed reader');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await expectHeld(page, () => dialog.getByLabel('apiKey').innerText(), 'I have stored it');
    await dialog.waitFor({ state: 'detached' });

    await show(page, '/office/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    await dialog.getByLabel('Id').fill('shop');
    await dialog.getByLabel('URL').fill('https://hooks.example.com/backroom');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectHeld(page, () => dialog.getByLabel('Signing secret').innerText(), 'I have stored it');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /shop/ }).click();
    await dialog.getByRole('button', { name: 'New secret' }).click();
    await expectHeld(page, () => dialog.getByLabel('Signing secret').innerText(), 'I have stored it');
    await dialog.getByRole('button', { name: 'New secret' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('of a webhook has no English sentence in German', async () => {
    const page = await openAs(desk, 'integrator', '/office/webhooks', { viewport: 'desk', locale: 'de-DE' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Neuer Webhook' }).click();
    await dialog.getByLabel('Nur bestimmte Ereignisse').check();
    await dialog.getByRole('button', { name: /^alert\.\*/ }).click();
    await dialog.getByRole('checkbox', { name: 'alert.opened', exact: true }).waitFor();
    expect(await dialog.innerText()).not.toMatch(/deadline|passed/);
  });

  it('of a webhook goes with a choice of all event types, with a search and a mark at a wrong one', async () => {
    const page = await openAs(desk, 'integrator', '/office/webhooks', { viewport: 'desk' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New webhook' }).click();
    await dialog.getByText('Your name for it, such as erp').waitFor();
    await dialog.getByLabel('Id').fill('some');
    await dialog.getByLabel('URL').fill('https://hooks.example.com/some');
    await dialog.getByLabel('Only some events').check();
    await dialog.getByText('Choose an event type').waitFor();
    expect(await dialog.getByRole('link', { name: /All event types/ }).getAttribute('href')).toContain(
      '/guide/docs/events.md#types',
    );
    await dialog.getByRole('checkbox', { name: /^stock\.\*/ }).check();
    await dialog.getByRole('button', { name: /^order\.\*: Show \d+$/ }).click();
    await dialog.getByRole('checkbox', { name: /^order\.picked/ }).check();
    await dialog.getByLabel('Find an event type').fill('rejected');
    await dialog.getByRole('checkbox', { name: /^count\.rejected/ }).check();
    await shot(page, 'webhook-types');
    expect(await axe(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByLabel('Find an event type').fill('');
    // If one type of a selected group is deselected, the other types of the group remain selected.
    await dialog.getByRole('checkbox', { name: /^countPlan\.\*/ }).check();
    await dialog.getByRole('button', { name: /^countPlan\.\*: Show/ }).click();
    await dialog.getByRole('checkbox', { name: /^countPlan\.created/ }).uncheck();
    expect(await dialog.getByRole('checkbox', { name: /^countPlan\.opened/ }).isChecked()).toBe(true);
    expect(await dialog.getByRole('checkbox', { name: /^countPlan\.\*/ }).isChecked()).toBe(false);
    await page.route('**/webhooks/some', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      const body = route.request().postDataJSON() as { types: string[] };
      const at = body.types.indexOf('order.picked');
      await route.fulfill({
        status: 400,
        json: { code: 'INVALID_REQUEST', errors: [{ pointer: `/types/${at}`, rule: 'enum', message: 'no such type' }] },
      });
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('order.picked no such type').waitFor();
    await page.unroute('**/webhooks/some');
    await dialog.getByRole('button', { name: 'Remove order.picked' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { types } = (await desk.town.client.get('/operator/v1/clients/TOWN/webhooks/some')).body as {
      types: string[];
    };
    expect([types.includes('stock.*'), types.includes('count.rejected'), types.includes('countPlan.created')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(types).toContain('countPlan.opened');
  });

  it('stays until somebody says that it is noted: badges, one-time PINs, codes of devices', async () => {
    const page = await openAs(desk, 'manager', '/office/people', { viewport: 'desk' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('row', { name: /Ana Ruiz/ }).click();
    await dialog.getByRole('button', { name: 'New badge' }).click();
    await dialog.getByRole('button', { name: 'Make the badge' }).click();
    await expectHeld(page, () => dialog.getByLabel('Badge code').innerText(), 'I have noted it');
    await dialog.getByRole('button', { name: 'First PIN' }).click();
    await expectHeld(page, () => dialog.getByLabel('One-time PIN').innerText(), 'I have noted it');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });

    await show(page, '/office/devices');
    await page.getByRole('button', { name: 'Set up a device' }).click();
    await dialog.getByLabel('Node').selectOption({ label: 'Harbour Street' });
    await dialog.getByRole('button', { name: 'Show the code' }).click();
    await expectHeld(page, () => dialog.locator('.big.code').innerText(), 'I have noted it');
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('adding with an id that exists', () => {
  it('does not change the user who has the login', async () => {
    const path = '/operator/v1/clients/TOWN/users/leo';
    const before = await desk.town.operator('GET', path);
    const page = await openAs(desk, 'manager', '/office/people', { viewport: 'desk' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add a person' }).click();
    await dialog.getByText('At least 12 characters', { exact: false }).waitFor();
    await dialog.getByLabel('User id').fill(' leo ');
    await dialog.getByLabel('Name').fill('Leo Neu');
    await dialog.getByLabel('Password').fill('another-harbour-9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('leo exists already. Open it to change it, or choose another id.').waitFor();
    expect(await desk.town.operator('GET', path)).toMatchObject({ body: before.body });
    // With a user id that is not taken, the same form adds the user.
    await dialog.getByLabel('User id').fill('leo.neu');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await desk.town.operator('GET', `${path}.neu`)).body).toMatchObject({ name: 'Leo Neu' });
  });

  it('does not change the webhook that has the id', async () => {
    const path = '/operator/v1/clients/TOWN/webhooks/known';
    const before = await desk.town.operator('PUT', path, { url: 'https://hooks.example.com/known', enabled: false });
    expect(before.status).toBe(201);
    const page = await openAs(desk, 'integrator', '/office/webhooks', { viewport: 'desk', locale: 'de-DE' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Neuer Webhook' }).click();
    await dialog.getByLabel('Id').fill('known');
    await dialog.getByLabel('URL').fill('https://hooks.example.com/other');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog.getByText('known gibt es schon.').waitFor();
    expect((await desk.town.operator('GET', path)).body).toMatchObject({
      url: 'https://hooks.example.com/known',
      enabled: false,
    });
  });
});

describe('the language of a user', () => {
  const path = '/operator/v1/clients/TOWN/users/lara';
  async function choices(page: Page): Promise<string[]> {
    await page.getByRole('row', { name: /Lara Test/ }).click();
    // The console reads the row again before its form opens.
    await page.getByRole('dialog').waitFor();
    return page.getByLabel('Language').locator('option').allInnerTexts();
  }

  it('is that of the device until one is chosen, and after the choice of one is removed', async () => {
    const lara = { name: 'Lara Test', role: 'associate', nodeIds: [], password: 'harbour-street-lara' };
    expect((await desk.town.operator('PUT', path, lara)).status).toBe(201);
    const page = await openAs(desk, 'manager', '/office/people', { viewport: 'desk' });
    const dialog = page.getByRole('dialog');
    expect(await choices(page)).toEqual(['As the device', 'English', 'Deutsch', 'Español']);
    await dialog.getByLabel('Language').selectOption('Deutsch');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await desk.town.operator('GET', path)).body).toMatchObject({ language: 'de' });
    expect(await choices(page)).toEqual(['As the device', 'English', 'Deutsch', 'Español']);
    expect(await dialog.getByLabel('Language').inputValue()).toBe('de');
    await dialog.getByLabel('Language').selectOption('As the device');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await desk.town.operator('GET', path)).body).not.toHaveProperty('language');
  });

  it('is shown if the console does not have it, and stays', async () => {
    const lara = { name: 'Lara Test', role: 'associate', nodeIds: [], password: 'harbour-street-lara' };
    await desk.town.operator('PUT', path, { ...lara, language: 'de-CH' });
    const page = await openAs(desk, 'manager', '/office/people', { viewport: 'desk' });
    const dialog = page.getByRole('dialog');
    expect(await choices(page)).toEqual(['As the device', 'de-CH', 'English', 'Deutsch', 'Español']);
    expect(await dialog.getByLabel('Language').inputValue()).toBe('de-CH');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await desk.town.operator('GET', path)).body).toMatchObject({ language: 'de-CH' });
  });
});

describe('canceling an order', () => {
  it('lists the last unit and names it on the button; what was canceled before does not count again; the timeline says how many', async () => {
    const id = await pickedOrder(desk.town, 'B2', {
      lines: [
        ['MUG-WHT', 3],
        ['TEE-RED-M', 1],
      ],
    });
    const { body } = await desk.town.client.post(`/stores/${STORE}/nodes/TOWN-Store001/customerPickUps/${id}`, {
      storeId: STORE,
      nodeId: 'TOWN-Store001',
      fulfillmentOrderId: id,
    });
    const items = body.customerPickUpDetails.customerPickUpItems as Record<string, unknown>[];
    const given = await desk.town.client.put(`/stores/${STORE}/nodes/TOWN-Store001/customerPickUp/confirm`, {
      modifyAssociateId: 'UserId001',
      customerPickUpDetails: {
        storeId: STORE,
        nodeId: 'TOWN-Store001',
        fulfillmentOrderId: id,
        collectedBy: 'CUSTOMER',
        verificationMethod: 'PHOTO_ID',
        handOverId: `part-${id}`,
        customerPickUpItems: items.map(({ webLineId, itemId, backroomPickedQuantity }) => ({
          webLineId,
          itemId,
          backroomPickedQuantity,
          customerPickedQuantity: 1,
          canceledQuantity: 0,
        })),
      },
    });
    expect(given.status, given.text).toBeLessThan(300);

    const page = await openAs(desk, 'manager', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    const dialog = page.getByRole('dialog');
    const history = page.getByRole('region', { name: 'What happened' });
    await history.getByText('2 units taken').waitFor();
    await page.getByRole('button', { name: 'Cancel order' }).click();
    const mugs = dialog.getByLabel(/mug.* \(of 2\)$/i);
    await expect.poll(() => mugs.inputValue()).toBe('2');
    expect(await dialog.getByRole('textbox').count()).toBe(1);
    await mugs.fill('0');
    await expect.poll(() => dialog.getByRole('button', { name: /^Cancel/ }).innerText()).toContain('choose units');
    await mugs.fill('1');
    await dialog.getByRole('button', { name: /^Cancel 1 × .*mug/i }).click();
    await dialog.waitFor({ state: 'detached' });
    await history.getByText('1 unit canceled').waitFor();
    expect(await orderOf(desk.town, id)).toMatchObject({ lines: [{ leftQuantity: 1 }, { leftQuantity: 0 }] });

    await page.getByRole('button', { name: 'Cancel order' }).click();
    await dialog.getByLabel(/mug.* \(of 1\)$/i).waitFor();
    await dialog.getByRole('button', { name: /^Cancel 1 × .*mug/i }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => history.getByText('1 unit canceled').count()).toBe(2);
    expect(await orderOf(desk.town, id)).toMatchObject({ lines: [{ leftQuantity: 0, handedOverQuantity: 1 }, {}] });
  });

  it('counts units of a line that were canceled before, so that one more is one more', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 4]] });
    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    const dialog = page.getByRole('dialog');
    for (const left of [4, 3]) {
      await page.getByRole('button', { name: 'Cancel order' }).click();
      await dialog.getByLabel(new RegExp(`mug.* \\(of ${left}\\)$`, 'i')).fill('1');
      await dialog.getByRole('button', { name: /^Cancel 1 × / }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await orderOf(desk.town, id)).toMatchObject({ lines: [{ leftQuantity: left - 1 }] });
    }
  });

  it('names the re-source requests that it also closes, and keeps them if the user wants', async () => {
    const wish = {
      type: 'SHIP_TO_HOME',
      lines: [
        ['MUG-WHT', 1],
        ['SOAP-LAV', 1],
      ],
      declined: 'SOAP-LAV',
    } as const;
    const requests = async (id: string) => {
      const { body } = await desk.town.operator('GET', `/operator/v1/stores/${STORE}/resourceRequests?limit=200`);
      const all = (body as { resourceRequests: { fulfillmentOrderId: string; status: string }[] }).resourceRequests;
      return all.filter((one) => one.fulfillmentOrderId === id).map(({ status }) => status);
    };
    for (const [isKept, expected] of [
      [true, 'OPEN'],
      [false, 'CANCELED'],
    ] as const) {
      const id = await pickedOrder(desk.town, 'B2', wish);
      const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
      await page.getByRole('button', { name: 'Cancel order' }).click();
      const dialog = page.getByRole('dialog');
      const box = dialog.getByRole('checkbox', { name: /Also close the re-source requests for 1 unit/ });
      if (isKept) await box.uncheck();
      await dialog.getByRole('button', { name: /^Cancel 1 × .*mug/i }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await requests(id)).toEqual([expected]);
    }
  });

  it('offers the reasons of a client with its own list', async () => {
    const path = '/operator/v1/clients/TOWN';
    const { body: town } = await desk.town.operator('GET', path);
    const cancelReasons = [
      { code: 'OOS', description: 'Sold out' },
      { code: 'CUST', description: 'The customer called' },
    ];
    await desk.town.operator('PUT', path, { ...town, settings: { ...town.settings, cancelReasons } });
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 2]] });
    const page = await openAs(desk, 'support', `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    await page.getByRole('button', { name: 'Cancel order' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'The customer called' }).check({ force: true });
    expect(await dialog.getByRole('radio').count()).toBe(2);
    await dialog.getByRole('button', { name: /^Cancel 2 × / }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await orderOf(desk.town, id)).toMatchObject({ lines: [{ leftQuantity: 0 }] });
    await desk.town.operator('PUT', path, town);
  });
});

describe('a client with hundreds of nodes and web stores', () => {
  const many = Array.from({ length: 501 }, (_, n) => String(n).padStart(3, '0'));

  /**
   * Adds 501 nodes and web stores after those of the town. Each response has the number of rows that the console
   * requests.
   */
  async function enlarge(page: Page): Promise<void> {
    for (const [list, id] of [
      ['nodes', 'nodeId'],
      ['stores', 'storeId'],
    ] as const) {
      await page.route(new RegExp(`/clients/TOWN/${list}(?:\\?.*)?$`), async (route) => {
        const query = new URL(route.request().url()).searchParams;
        const body = (await (await route.fetch()).json()) as Record<string, Record<string, unknown>[]>;
        const limit = Number(query.get('limit') ?? 50);
        const added = many.map((n) => ({ ...body[list]![0], [id]: `X-${n}`, name: `Plaça ${n}` }));
        const all = query.get('after') === null ? [...body[list]!, ...added] : added.slice(-100);
        const rows = all.slice(0, limit);
        await route.fulfill({ json: { [list]: rows, ...(all.length > limit && { next: rows.at(-1)![id] }) } });
      });
    }
  }

  it('offers every one of them, with a search by name and id', async () => {
    const page = await openAs(desk, 'manager', '/office/people', { viewport: 'desk' });
    await page.getByRole('button', { name: 'Add a person' }).waitFor();
    await enlarge(page);
    await show(page, '/stock');
    const search = page.getByLabel('Name or number', { exact: true });
    await search.pressSequentially('placa 500', { delay: 120 });
    const row = page.getByRole('button', { name: /Plaça 500/ });
    await row.waitFor();
    expect(await page.getByRole('button', { name: /Plaça/ }).count()).toBe(1);
    expect(await axe(page)).toEqual([]);
    await search.fill('');
    await search.pressSequentially('nowhere', { delay: 120 });
    await page.getByText('Nothing here is "nowhere"').waitFor();

    await show(page, '/office/returns');
    await page.getByLabel('Web store', { exact: true }).selectOption({ label: 'Plaça 500' });
    await show(page, '/office/devices');
    await page.getByRole('button', { name: 'Set up a device' }).click();
    await page.getByLabel('Node: Name or number').pressSequentially('x-500', { delay: 120 });
    await page.keyboard.press('Enter');
    const node = page.getByRole('dialog').getByLabel('Node', { exact: true });
    expect(await node.locator('option:checked').innerText()).toBe('Plaça 500');
    expect(await axe(page)).toEqual([]);
  });
});
