/** A day on the floor: orders, refusals, pictures and the network, as the person in front of the screen needs them. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadArrivals } from '../../src/service/demo/arrivals.ts';
import { townCall } from '../support/town.ts';
import { type Console, openConsole, type PageOptions } from './support/browser.ts';
import { openAs, pickedOrder, STORE, show, wedge } from './support/counter.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
  await loadArrivals(townCall(desk.town.call), desk.town.client.secrets, desk.town.clock.now);
});
afterEach(() => desk.proxy.reset());
afterAll(() => desk.close());

const PHONE: PageOptions = { viewport: 'phone' };

const widthOf = (page: Page, css: string) => page.locator(css).evaluate((one) => one.getBoundingClientRect().width);
/** Everything that IndexedDB and the storage of the page hold, as one text. */
const keptOn = (page: Page) =>
  page.evaluate(async () => {
    const texts = [JSON.stringify(localStorage)];
    for (const { name } of await indexedDB.databases()) {
      const open = indexedDB.open(name!);
      await new Promise((resolve) => {
        open.onsuccess = resolve;
      });
      for (const store of open.result.objectStoreNames) {
        const all = open.result.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => {
          all.onsuccess = resolve;
        });
        texts.push(JSON.stringify(all.result));
      }
      open.result.close();
    }
    return texts.join('\n');
  });

describe('at the counter', () => {
  it('the last digits of the order are whole, the item has its picture, and its number is at the right', async () => {
    const id = await pickedOrder(desk.town, 'A1', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', `/hand-over/${STORE}/${id}`, PHONE);
    await page.locator('.order-id .strong').getByText(id.slice(-6)).waitFor();
    expect(await page.locator('.order-id .strong').evaluate((one) => one.scrollWidth <= one.clientWidth + 1)).toBe(
      true,
    );
    const line = page.locator('.hand-line');
    await line.locator('.picture').waitFor();
    const [row, count] = [await line.boundingBox(), await line.locator('.work-count').boundingBox()];
    expect(row!.x + row!.width - (count!.x + count!.width)).toBeLessThan(32);
    expect(await widthOf(page, '.hand-line .picture')).toBeGreaterThan(0);
  });

  it('refused units are put on their shelf now: no ticket comes for them', async () => {
    const id = await pickedOrder(desk.town, 'A2', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', `/hand-over/${STORE}/${id}`, PHONE);
    await page.getByRole('button', { name: /^Change: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Does not want', { exact: true }).fill('1');
    await dialog.getByRole('radio', { name: 'The customer does not like it', checked: true }).waitFor();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await page.getByRole('button', { name: 'Record 1 refused unit' }).click();
    await page.getByText('Put 1 refused unit back on the shelf now').waitFor();
  });
});

describe('goods in and stock', () => {
  it('arrivals say from whom they are, and what their number counts', async () => {
    const page = await openAs(desk, 'clerk', '/receive', PHONE);
    await page.getByText('from TOWNS').first().waitFor();
    await page
      .locator('.receive-open')
      .getByText(/^\d+ (cartons?|units?)$/)
      .first()
      .waitFor();
  });

  it('a place that is scanned while counting says that counts are of items', async () => {
    const page = await openAs(desk, 'clerk', '/stock/count', PHONE);
    await wedge(page, 'B1');
    await page.getByText('B1 is a place').waitFor();
  });
});

describe('without network', () => {
  it('the queue says what can be done now', async () => {
    const page = await openAs(desk, 'associate', '/', { ...PHONE, worker: true });
    await page.locator('.tile').first().waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    desk.proxy.unplug();
    await show(page, '/queue?queueId=WAITING_FOR_PICK_ISPU');
    await page.locator('.notice').getByText('Taking orders needs the network').waitFor();
    await show(page, '/');
    await page.getByText(/^as of .*, offline$/).waitFor();
  });
});

describe('a shared device', () => {
  it('keeps nothing of a person who has signed out, nor of their customers', async () => {
    const id = await pickedOrder(desk.town, 'B1', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'lead', '/hand-over', PHONE);
    await page.getByText('Cleo Marsh').first().waitFor();
    await expect.poll(() => keptOn(page)).toContain(id);
    await show(page, '/me');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('[name="userId"]').waitFor();
    await expect.poll(() => keptOn(page)).not.toMatch(/Cleo|cleo\.marsh|"ticket":/);
  });
});
