/** Stock in a real browser: levels and ledger, a count that needs approval, a move. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadArrivals } from '../../src/service/demo/arrivals.ts';
import { beyondEdge } from '../../town/console/measure.ts';
import { townCall } from '../support/town.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import { pickedOrder, smallTargets, wedge } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
  await loadArrivals(townCall(desk.town.call), desk.town.client.secrets, desk.town.clock.now);
});
afterAll(() => desk.close());

const SHOTS = process.env['TEST_SHOTS'];
/** Takes a screenshot for a review of the screens if TEST_SHOTS names a folder. */
async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

const levelOf = async (itemId: string) => {
  const path = `/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock?itemId=${itemId}`;
  return (await desk.town.client.get(path)).body.stock[0] as Record<string, number>;
};

/** Stores an item of catalog 21 with a bar code. */
async function putItem(clientItemId: string, description: string, upc: string): Promise<void> {
  const itemId = `21-${clientItemId}`;
  const made = await desk.town.client.put(`/item-service/clients/TOWN/items/${itemId}`, {
    ...{ catalogId: '21', clientId: 'TOWN', clientItemId, itemId, description },
    ...{ type: 'MERCH', salesClass: 'stock', styleId: '', taxCode: '', upcs: [{ upcType: 'UPC', upc }] },
  });
  expect(made.status, made.text).toBeLessThan(300);
}

describe('stock', () => {
  it('is counted from 0 by scan and by number; what differs too much waits until a lead approves it', async () => {
    const before = await levelOf('21-LAMP-BRS');
    const page = await openAs(desk, 'clerk', '/stock/count');
    await page.getByText('Scan the goods to count').waitFor();
    for (let units = 1; units <= 2; units += 1) {
      await wedge(page, '400000000053');
      await page.locator('.receive-count', { hasText: String(units) }).waitFor();
    }
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.receive-count', { hasText: '1' }).waitFor();
    expect(await page.getByLabel('Where do you count?').locator('option').allTextContents()).not.toContain('Missing');
    await page.reload();
    await page.getByRole('button', { name: 'Number: Brass desk lamp' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: '9', exact: true }).click();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await page.getByRole('button', { name: 'Save the count of 1 item' }).click();
    await page.getByRole('heading', { name: 'Counted. A lead approves it' }).waitFor();
    expect(await levelOf('21-LAMP-BRS')).toEqual(before);

    const lead = await openAs(desk, 'lead', '/', { viewport: 'tablet' });
    await lead.getByRole('link', { name: '1 count to approve' }).click();
    const card = lead.getByRole('article', { name: /^cleo/i });
    await card.getByRole('link', { name: 'Count again' }).waitFor();
    await expect.poll(() => lead.getByRole('link', { name: /^Counts/ }).innerText()).toMatch(/1/);
    await shot(lead, 'counts-to-approve');
    expect(await axe(lead)).toEqual([]);
    await card.getByRole('button', { name: 'Approve', exact: true }).click();
    await lead.getByText('No count waits').waitFor();
    await lead.getByText(/^Approved: cleo.*The stock is changed$/i).waitFor();
    expect(await levelOf('21-LAMP-BRS')).toMatchObject({ shelf: 9 });
    await lead.evaluate(() => {
      location.hash = '/item/21-LAMP-BRS';
    });
    await lead.locator('.stock-levels').getByText('9', { exact: true }).first().waitFor();
    await lead
      .getByText(/Count › Shelf|Shelf › Count/)
      .first()
      .waitFor();
  });

  it('does not call a code unknown if its look-up fails', async () => {
    const page = await openAs(desk, 'clerk', '/stock/count', { allow: [/500/] });
    await page.getByText('Scan the goods to count').waitFor();
    await page.route('**/scan', (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL' } }));
    await wedge(page, '400000000053');
    await page.getByText('The service has an error').first().waitFor();
    await page.unroute('**/scan');
    await wedge(page, '499999999999');
    await page.getByText('No item has the code 499999999999').waitFor();
  });

  it('asks which item is meant if several have the code, and counts further units for the chosen one', async () => {
    await putItem('TWIN-A', 'Twin lamp A', '400000000916');
    await putItem('TWIN-B', 'Twin lamp B', '400000000916');
    const page = await openAs(desk, 'clerk', '/stock/count');
    await page.getByText('Scan the goods to count').waitFor();
    await wedge(page, '400000000916');
    const dialog = page.getByRole('dialog', { name: 'Several items have this code. Which one is it?' });
    await dialog.getByRole('button', { name: 'Twin lamp A' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await wedge(page, '400000000053');
    await dialog.getByText('400000000053').waitFor();
    await dialog.getByRole('button', { name: 'Twin lamp B' }).click();
    await page.locator('.receive-count', { hasText: '1' }).waitFor();
    await wedge(page, '400000000916');
    await page.locator('.receive-count', { hasText: '2' }).waitFor();
    expect(await page.getByText('21-TWIN-B').count()).toBe(1);
    expect(await page.locator('.receive-count').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove: Twin lamp B' }).click();
    const lead = await openAs(desk, 'lead', '/stock/move');
    await lead.getByRole('heading', { name: 'Scan an item' }).waitFor();
    await wedge(lead, '400000000916');
    await lead.getByRole('dialog').getByRole('button', { name: 'Twin lamp A' }).click();
    await lead.getByRole('heading', { name: 'Twin lamp A' }).waitFor();
  });

  it('finds the present item of a code that has moved to another item', async () => {
    await putItem('OLD', 'Lamp with the code before', '400000000923');
    const page = await openAs(desk, 'clerk', '/stock/count', { clock: true });
    await page.getByText('Scan the goods to count').waitFor();
    await wedge(page, '400000000923');
    await page.getByText('Lamp with the code before').first().waitFor();
    await page.getByRole('button', { name: 'Remove: Lamp with the code before' }).click();
    await putItem('OLD', 'Lamp with the code before', '400000000930');
    await putItem('NEW', 'Lamp with the code now', '400000000923');
    // The console asks the service for a code at most every 10 seconds.
    await page.clock.fastForward('00:11');
    await wedge(page, '400000000923');
    await page.getByRole('button', { name: 'Remove: Lamp with the code now' }).click();
  });

  it('of an item that the catalog has no longer is shown with its ledger, counted and moved', async () => {
    const { client, operator } = desk.town;
    const itemId = '21-GONE-1';
    const catalog = `/item-service/clients/TOWN/items/${itemId}`;
    const made = await client.put(catalog, {
      ...{ catalogId: '21', clientId: 'TOWN', clientItemId: 'GONE-1', itemId },
      ...{ type: 'MERCH', salesClass: 'stock', styleId: '', taxCode: '', description: 'A lamp of last year' },
    });
    expect(made.status, made.text).toBeLessThan(300);
    const stock = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock';
    for (let count = 0; count < 12; count += 1) {
      const line = { itemId, from: 'COUNT', to: 'SHELF', quantity: 1, reason: 'FOUND' };
      await operator('POST', `${stock}/moves`, { moveId: `gone-${count}`, userId: 'leo', lines: [line] });
    }
    expect((await client.delete(catalog)).status).toBeLessThan(300);
    const page = await openAs(desk, 'lead', `/item/${itemId}`);
    await page.locator('.stock-levels').getByText('12', { exact: true }).first().waitFor();
    const moves = page.locator('.timeline li');
    await expect.poll(() => moves.count()).toBe(10);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => moves.count()).toBe(12);
    await page.getByRole('link', { name: 'Count', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Move', exact: true }).waitFor();
    const counting = await openAs(desk, 'lead', '/stock/count');
    await counting.getByText('Scan the goods to count').waitFor();
    await wedge(counting, 'GONE-1');
    await counting.getByText(itemId).first().waitFor();
    await counting.getByText(/Save the count/).waitFor();
  });

  it('offers no undo of a scan after another line was removed: it would bring the line back', async () => {
    const page = await openAs(desk, 'clerk', '/stock/count');
    await page.getByText('Scan the goods to count').waitFor();
    await wedge(page, '400000000046');
    await page.getByText(/^1 items?$/).waitFor();
    await wedge(page, '400000000053');
    await page.getByText(/^2 items?$/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByRole('button', { name: 'Remove: Stoneware mug, white' }).click();
    await page.getByText(/^1 items?$/).waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  it('says that a scan was not counted while the count is being saved, also if the save fails', async () => {
    const page = await openAs(desk, 'clerk', '/stock/count');
    await page.getByText('Scan the goods to count').waitFor();
    await wedge(page, '400000000046');
    await page.locator('.receive-count', { hasText: '1' }).waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/counts', async (route) => {
      await held;
      await route.fulfill({ status: 503, body: '' });
    });
    await page.getByRole('button', { name: 'Save the count of 1 item' }).click();
    await wedge(page, '400000000046');
    await page.getByText('This count is being saved').waitFor();
    await wedge(page, '400000000053');
    await page.getByRole('button', { name: 'Remove: Stoneware mug, white' }).click();
    expect(await page.locator('.receive-count').allTextContents()).toEqual([expect.stringContaining('1')]);
    release();
    await page.getByRole('alert').first().waitFor();
    await wedge(page, '400000000046');
    await page.locator('.receive-count', { hasText: '2' }).waitFor();
    await page.unroute('**/counts');
    await page.getByRole('button', { name: 'Remove: Stoneware mug, white' }).click();
    await page.getByText('Scan the goods to count').waitFor();
  });

  it('has no line of a place or an item that only a link named, and continues at the place of the link', async () => {
    const page = await openAs(desk, 'clerk', '/stock/count?itemId=21-LAMP-BRS', { allow: [/503/] });
    const save = page.getByRole('button', { name: /^Save the count/ });
    await page.locator('.receive-count', { hasText: '–' }).waitFor();
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Where do you count?').selectOption('DAMAGED');
    await wedge(page, '400000000053');
    await page.locator('.receive-count', { hasText: '1' }).waitFor();
    const sent = page.waitForRequest((request) => request.url().endsWith('/counts'));
    await page.route('**/counts', (route) => route.fulfill({ status: 503, body: '' }));
    await page.getByRole('button', { name: 'Save the count of 1 item' }).click();
    const { lines } = (await sent).postDataJSON() as { lines: object[] };
    expect(lines).toEqual([
      { itemId: '21-LAMP-BRS', place: 'DAMAGED', counted: 1, revision: (await levelOf('21-LAMP-BRS'))['revision'] },
    ]);
    await page.getByRole('alert').first().waitFor();
    await page.unroute('**/counts');
    for (const place of ['Damaged', 'Shelf']) {
      const row = page.locator('li', { hasText: 'Brass desk lamp' }).filter({ hasText: place });
      await row.getByRole('button', { name: 'Remove' }).click();
    }
    await page.getByText('Scan the goods to count').waitFor();
    const again = await openAs(desk, 'clerk', '/stock/count?itemId=21-LAMP-BRS&place=HELD');
    await again.locator('li', { hasText: 'Brass desk lamp' }).filter({ hasText: 'On hold' }).waitFor();
    expect(await again.getByLabel('Where do you count?').inputValue()).toBe('HELD');
  });

  it('keeps its units if the lead rejects a count with a reason; the item then has to be counted again', async () => {
    const before = await levelOf('21-LAMP-BRS');
    const { client } = desk.town;
    const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
    const send = (countId: string, counted: number) =>
      client.post(`${NODE}/counts`, {
        countId,
        userId: 'cleo',
        lines: [{ itemId: '21-LAMP-BRS', counted, revision: before['revision'] }],
      });
    expect((await send('rejected', 3)).body.state).toBe('WAITING');
    const lead = await openAs(desk, 'lead', '/stock?show=approve', { viewport: 'narrow' });
    const card = lead.getByRole('article', { name: /^cleo/i });
    await card.getByRole('link', { name: 'Count again' }).waitFor();
    expect(await smallTargets(lead)).toEqual([]);
    expect(await beyondEdge(lead)).toEqual([]);
    await shot(lead, 'count-decisions');
    await card.getByRole('button', { name: 'Reject' }).click();
    const dialog = lead.getByRole('dialog');
    await dialog.getByText('Say why the count is wrong').waitFor();
    await dialog.getByLabel('Why?').fill('One box was not opened');
    await shot(lead, 'count-reject');
    expect(await axe(lead)).toEqual([]);
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await lead.getByText(/^Rejected: cleo.*The stock is not changed$/i).waitFor();
    expect(await levelOf('21-LAMP-BRS')).toEqual(before);
    await lead.getByRole('button', { name: 'To count' }).click();
    await lead.getByText('A count was rejected').waitFor();

    // An older count cannot be approved after a newer one: the screen says so, and the lead rejects it.
    expect((await send('older', 3)).body.state).toBe('WAITING');
    desk.town.clock.now += 60_000;
    expect((await send('newer', 9)).body.state).toBe('POSTED');
    await lead.reload();
    await lead.getByRole('button', { name: /^To approve/ }).click();
    await card.getByRole('button', { name: 'Approve', exact: true }).click();
    await card.getByText('A newer count of Brass desk lamp is posted').waitFor();
    await shot(lead, 'count-newer');
    expect(await levelOf('21-LAMP-BRS')).toMatchObject({ shelf: 9 });
    await card.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByLabel('Why?').fill('Older');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await lead.getByText('No count waits').waitFor();
  });

  it('is moved with a reason, never below what is there', async () => {
    const before = await levelOf('21-MUG-WHT');
    const page = await openAs(desk, 'lead', '/stock/move');
    await page.getByRole('heading', { name: 'Scan an item' }).waitFor();
    await wedge(page, '400000000046');
    await page.getByRole('heading', { name: 'Stoneware mug, white' }).waitFor();
    await page.getByLabel('From').selectOption('SHELF');
    await page.getByLabel('To').selectOption('DAMAGED');
    await page.getByLabel('Why?').selectOption('BROKEN');
    for (const key of ['9', '9', '9']) await page.getByRole('button', { name: key, exact: true }).click();
    await page.getByRole('button', { name: 'Move 999' }).click();
    await page.getByRole('alert').first().waitFor();
    await page.getByLabel('How many?').fill('2');
    await page.getByRole('button', { name: 'Move 2' }).click();
    await page.getByText('2 › Damaged').waitFor();
    expect(await levelOf('21-MUG-WHT')).toMatchObject({
      shelf: before['shelf']! - 2,
      damaged: before['damaged']! + 2,
    });
  });

  it('suggests a put-away only of staged units that belong to no order', async () => {
    const { client } = desk.town;
    await pickedOrder(desk.town, 'M1', { type: 'STORE_PICK_UP', lines: [['LAMP-BRS', 1]], userId: 'ana' });
    const page = await openAs(desk, 'lead', '/stock/move?itemId=21-LAMP-BRS');
    const from = page.getByLabel('From', { exact: true });
    await from.waitFor();
    expect(await from.inputValue()).toBe('');
    expect(await from.locator('option').allTextContents()).toContain('Staged · 0');
    const line = { itemId: '21-LAMP-BRS', from: 'COUNT', to: 'STAGE', quantity: 2, reason: 'FOUND' };
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock/moves';
    const moved = await client.post(path, { moveId: 'staged', userId: 'leo', lines: [line] });
    expect(moved.status, moved.text).toBe(201);
    const again = await openAs(desk, 'lead', '/stock/move?itemId=21-LAMP-BRS');
    const stage = again.getByLabel('From', { exact: true });
    await stage.waitFor();
    expect(await stage.inputValue()).toBe('STAGE');
    expect(await stage.locator('option').allTextContents()).toContain('Staged · 2');
    // The other tests expect nothing to put away.
    await client.post(path, { moveId: 'back', userId: 'leo', lines: [{ ...line, from: 'STAGE', to: 'COUNT' }] });
  });

  it('is never moved from a place to itself: the destination is asked for again', async () => {
    const page = await openAs(desk, 'lead', '/stock/move?itemId=21-MUG-WHT');
    const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })];
    await from.selectOption('SHELF');
    await to.selectOption('DAMAGED');
    await page.getByLabel('Why').selectOption('BROKEN');
    await page.getByRole('button', { name: '1', exact: true }).click();
    const move = page.getByRole('button', { name: /^Move 1/ });
    await expect.poll(() => move.getAttribute('aria-disabled')).toBe(null);
    await from.selectOption('DAMAGED');
    expect(await to.inputValue()).toBe('');
    await expect.poll(() => move.getAttribute('aria-disabled')).toBe('true');
  });

  it('is accessible, fits and has large targets', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await openAs(desk, 'lead', '/stock', { theme, viewport: 'narrow' });
      for (const one of [
        '/stock',
        '/stock/count?itemId=21-MUG-WHT',
        '/stock/move?itemId=21-MUG-WHT',
        '/item/21-MUG-WHT',
      ]) {
        await page.evaluate((to) => {
          location.hash = to;
        }, one);
        await page.getByText('Stoneware mug, white').first().waitFor();
        expect([one, await smallTargets(page)]).toEqual([one, []]);
        for (const width of theme === 'light' ? [320, 1440] : [320]) {
          await page.setViewportSize({ width, height: 700 });
          expect([one, width, await beyondEdge(page)]).toEqual([one, width, []]);
          expect([one, await axe(page)]).toEqual([one, []]);
        }
        await page.setViewportSize({ width: 320, height: 568 });
      }
    }
  });

  it('shows the price of an item in the currency of its store and its status, in the language of the user', async () => {
    const page = await openAs(desk, 'lead', '/item/21-MUG-WHT', { locale: 'de-DE' });
    // The price of the node has no currency, and the stores with this catalog have two. So the console shows no
    // currency.
    await page.getByText('9,50', { exact: true }).waitFor();
    await page.getByText('Aktiv', { exact: true }).waitFor();
    await page.route('**/nodes/*/settings', async (route) => {
      const settings = (await (await route.fetch()).json()) as { stores: { currency: string }[] };
      const stores = settings.stores.filter(({ currency }) => currency === 'USD');
      await route.fulfill({ json: { ...settings, stores } });
    });
    await page.reload();
    await page.getByText('9,50\u00a0$', { exact: true }).waitFor();
    await page.route('**/clients/TOWN/items?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { items: { status: string }[] };
      for (const item of body.items) item.status = 'Discontinued';
      await route.fulfill({ response, json: body });
    });
    await page.evaluate(() => {
      location.hash = '/items';
    });
    await page.getByText('Ausgelaufen', { exact: true }).first().waitFor();
  });

  it('reads an item of each catalog from a web store with this catalog', async () => {
    const clients = '/operator/v1/clients/TOWN';
    const { body: town } = await desk.town.operator('GET', clients);
    await desk.town.operator('PUT', clients, { ...town, catalogIds: [...town.catalogIds, '34'] });
    const { storeId: _id, ...store } = (await desk.town.operator('GET', `${clients}/stores`)).body.stores[0];
    const made = await desk.town.operator('PUT', `${clients}/stores/A_EU`, {
      ...store,
      catalogId: '34',
      storeCode: '34',
    });
    expect(made.status, made.text).toBe(201);
    const mug = (await desk.town.client.get('/item-service/stores/TOWN_US/items/21-MUG-WHT')).body;
    const ids = { catalogId: '34', itemId: '34-CUP', clientItemId: 'CUP', upcs: [] };
    const cup = { ...mug, ...ids, description: 'Enamel cup' };
    const put = await desk.town.client.put('/item-service/clients/TOWN/items/34-CUP', cup);
    expect(put.status, put.text).toBeLessThan(300);
    for (const [itemId, name] of [
      ['34-CUP', 'Enamel cup'],
      ['21-MUG-WHT', 'Stoneware mug, white'],
    ] as const) {
      const page = await openAs(desk, 'lead', `/item/${itemId}`);
      await page.getByRole('heading', { name }).waitFor();
      await page.getByRole('link', { name: 'Count' }).click();
      await page.getByText(name).first().waitFor();
    }
  });

  it('keeps the pages that were shown when the user returns to the list', async () => {
    const page = await openAs(desk, 'lead', '/');
    await page.route('**/clients/TOWN/items?*', (route) =>
      route.continue({ url: route.request().url().replace('pageSize=50', 'pageSize=2') }),
    );
    await page.evaluate(() => {
      location.hash = '/items';
    });
    const rows = page.locator('#main .list > *');
    await expect.poll(() => rows.count()).toBe(2);
    for (const count of [4, 6]) {
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => rows.count()).toBe(count);
    }
    const names = await rows.allTextContents();
    let reads = 0;
    page.on('requestfinished', (request) => {
      if (request.url().includes('/clients/TOWN/items?')) reads += 1;
    });
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect.poll(() => reads).toBe(3);
    // The list is drawn again after the last read.
    await page.waitForTimeout(200);
    expect(await rows.allTextContents()).toEqual(names);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(8);
  });

  it('adds no page of a search that the user has left to the list of the next one', async () => {
    const page = await openAs(desk, 'lead', '/');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/clients/TOWN/items?*', async (route) => {
      const url = route.request().url();
      if (/after=|lastRecordId=/.test(url)) await held;
      await route.continue({ url: url.replace('pageSize=50', 'pageSize=2') });
    });
    await page.evaluate(() => {
      location.hash = '/items';
    });
    const rows = page.locator('#main .list > *');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.evaluate(() => {
      location.hash = '/items?q=lamp';
    });
    await page.getByText('Brass desk lamp').waitFor();
    const late = page.waitForResponse((response) => /after=|lastRecordId=/.test(response.url()));
    const before = await rows.allTextContents();
    release();
    await late;
    await page.waitForTimeout(200);
    expect(await rows.allTextContents()).toEqual(before);
  });

  it('finds items that are on a later page of the service than the first: on Items and on Find', async () => {
    for (const path of ['/items?q=lamp', '/find?code=lamp']) {
      const page = await openAs(desk, 'lead', '/');
      await page.route('**/clients/TOWN/items?*', (route) =>
        route.request().url().includes('lastRecordId')
          ? route.continue()
          : route.fulfill({ json: { items: [], next: '21', lastRecordId: '21' } }),
      );
      await page.evaluate((hash) => {
        location.hash = hash;
      }, path);
      await page.getByText('Brass desk lamp').first().waitFor();
    }
  });

  it('is compared with the level of now if a number is typed hours after the count began', async () => {
    const { client } = desk.town;
    const page = await openAs(desk, 'clerk', '/stock/count');
    await page.getByText('Scan the goods to count').waitFor();
    const { shelf } = await levelOf('21-LAMP-BRS');
    await wedge(page, '400000000053');
    await page.locator('.receive-count', { hasText: '1' }).waitFor();
    const lines = [{ itemId: '21-LAMP-BRS', from: 'SHELF', to: 'DAMAGED', quantity: 2, reason: 'BROKEN' }];
    const moved = await client.post('/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock/moves', {
      moveId: 'meanwhile',
      userId: 'leo',
      lines,
    });
    expect(moved.status, moved.text).toBeLessThan(300);
    await page.getByRole('button', { name: 'Number: Brass desk lamp' }).click();
    const dialog = page.getByRole('dialog');
    for (const digit of String(shelf! - 2)) await dialog.getByRole('button', { name: digit, exact: true }).click();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await page.locator('.receive-count', { hasText: String(shelf! - 2) }).waitFor();
    await page.getByRole('button', { name: 'Save the count of 1 item' }).click();
    await page.getByRole('heading', { name: 'Counted', exact: true }).waitFor();
    expect(await levelOf('21-LAMP-BRS')).toMatchObject({ shelf: shelf! - 2 });
  });
});
