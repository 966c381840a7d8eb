/** A working day at the store: orders, rejections, pictures and the network, as the user of the screen sees them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadArrivals, townArrivals } from '../../src/service/demo/arrivals.ts';
import { townCall } from '../support/town.ts';
import { type Console, openConsole, type PageOptions } from './support/browser.ts';
import { catchPapers, openAs, pickedOrder, STORE, show, wedge } from './support/counter.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
  await loadArrivals(townCall(desk.town.call), desk.town.client.secrets, desk.town.clock.now);
});
afterEach(() => desk.proxy.reset());
afterAll(() => desk.close());

const PHONE: PageOptions = { viewport: 'phone' };

const widthOf = (page: Page, css: string) => page.locator(css).evaluate((one) => one.getBoundingClientRect().width);
/** Returns everything in IndexedDB and localStorage of the page, as one text. */
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

it('a list that is kept for work without network has no telephone number and no e-mail address', async () => {
  const id = await pickedOrder(desk.town, 'A3', { lines: [['MUG-WHT', 1]] });
  const page = await openAs(desk, 'lead', '/hand-over', PHONE);
  await page.getByText(id.slice(-6)).first().waitFor();
  await expect.poll(() => keptOn(page)).toContain(id);
  const kept = await keptOn(page);
  const told = [...kept.matchAll(/"(?:email|phone|pinNumber)":"([^"]*)"/g)].map(([, value]) => value);
  expect(told.length).toBeGreaterThan(0);
  expect(new Set(told)).toEqual(new Set(['']));
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

  it('rejected units are put aside for a lead, because the node keeps stock: no ticket comes for them', async () => {
    const id = await pickedOrder(desk.town, 'A2', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', `/hand-over/${STORE}/${id}`, PHONE);
    await page.getByRole('button', { name: /^Change: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Does not want', { exact: true }).fill('1');
    await dialog.getByRole('radio', { name: 'The customer does not like it', checked: true }).waitFor();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await page.getByRole('button', { name: 'Record 1 rejected unit' }).click();
    await page.getByText('Put 1 rejected unit aside: a lead checks it before the sale').waitFor();
  });
});

describe('goods in and stock', () => {
  it('arrivals say what their number counts; the seller only where there are several, the type only where the number lacks it', async () => {
    const page = await openAs(desk, 'clerk', '/', PHONE);
    const tile = page.getByRole('link', { name: /Receive/ });
    const due = await tile.locator('.count').innerText();
    await tile.click();
    await page.getByText(`${due} arrivals · 1 later`).waitFor();
    expect(await page.getByText('from TOWNS').count()).toBe(0);
    expect(await page.getByText('ASN', { exact: true }).count()).toBe(0);
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

it('the work of the node is read no longer after the user has left Home', async () => {
  const page = await openAs(desk, 'associate', '/', PHONE);
  let reads = 0;
  page.on('request', (request) => {
    if (/\/work(\?|$)/.test(request.url())) reads += 1;
  });
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect.poll(() => reads).toBeGreaterThan(1);
  await show(page, '/me');
  const before = reads;
  // This change of the work ends an open long poll. If the console still read the work, it would now start the next
  // long poll.
  await pickedOrder(desk.town, 'B1', { lines: [['MUG-WHT', 1]] });
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.waitForTimeout(500);
  expect(reads).toBe(before);
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

/** Reads the table of docs/taps-and-scans.md: taps and scans of this console by job. */
function countedInDocs(): Record<string, [taps: number, scans: number]> {
  const page = readFileSync(join(import.meta.dirname, '../../docs/taps-and-scans.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ([^|]+) \| (\d+) taps?, (\d+) scans? \|/gm)];
  return Object.fromEntries(rows.map(([, job, taps, scans]) => [job!, [Number(taps), Number(scans)]]));
}

describe('each job', () => {
  it('needs the taps and scans that docs/taps-and-scans.md says, from Home to its end', async () => {
    const { town } = desk;
    const plans = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/countPlans';
    const rule = { type: 'BINS', bins: ['B-02-1'] };
    await town.client.post(plans, { planId: 'taps', userId: 'leo', name: 'Taps', rule, secondCount: 'NEVER' });
    expect((await town.client.post(`${plans}/taps/open`, { userId: 'leo' })).status).toBe(200);
    const parcel = await pickedOrder(town, 'C1', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 2]] });
    const pickup = await pickedOrder(town, 'C2', { lines: [['MUG-WHT', 2]] });

    const page = await openAs(desk, 'lead', '/', PHONE);
    page.setDefaultTimeout(15_000);
    const counts: Record<string, [taps: number, scans: number]> = {};
    let [taps, scans] = [0, 0];
    const tap = async (what: ReturnType<Page['locator']>) => {
      await what.click();
      taps += 1;
    };
    const scan = async (code: string) => {
      await page.locator('[data-scan-target]').first().waitFor();
      await wedge(page, code);
      scans += 1;
    };
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    /** Opens the list of a job from Home. */
    const toList = async (path: string) => {
      await show(page, '/');
      [taps, scans] = [0, 0];
      const link = page.locator(`a.tile[href^="#${path}"]`);
      await link.first().waitFor({ state: 'attached' });
      if (!(await link.first().isVisible())) await tap(page.locator('.idle summary'));
      await tap(link.first());
    };
    const isDone = (job: string) => {
      counts[job] = [taps, scans];
    };

    await toList('/hand-over');
    await scan(pickup);
    await page.getByText('Goods lie in').waitFor();
    for (const text of ['1 of 2 checked', 'All checked']) {
      await scan('21-MUG-WHT');
      await page.locator('.hand-line').getByText(text).waitFor();
    }
    await tap(page.getByText('Photo ID', { exact: true }));
    await tap(button('Hand over 2 units'));
    await page.getByRole('heading', { name: 'Handed over' }).waitFor();
    isDone('Hand over an order of 2 units');

    await toList('/return');
    await scan(pickup);
    await button(/^One more of/)
      .first()
      .waitFor();
    await scan('21-MUG-WHT');
    await tap(page.getByRole('dialog').getByRole('button', { name: /As new/ }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tap(button('No reason given'));
    await tap(button('Take 1 unit back'));
    await page.getByRole('heading', { name: /^Taken back as/ }).waitFor();
    isDone('Take 1 unit of an order back');

    await toList('/pack');
    await scan(parcel);
    await page.getByRole('heading', { name: 'To pack' }).waitFor();
    for (let units = 0; units < 2; units += 1) await scan('21-MUG-WHT');
    await page.getByText('All units are packed').waitFor();
    await tap(button('Close the box'));
    await scan('1Z0000000000000077');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Weight of the packed box').fill('1');
    for (const side of ['Length', 'Width', 'Height']) await dialog.getByLabel(side).fill('10');
    await catchPapers(page);
    await tap(dialog.getByRole('button', { name: 'Close the box and print' }));
    await page.getByRole('heading', { name: 'Shipped' }).waitFor();
    isDone('Pack and ship an order of 2 units in one box');

    await toList('/check-in');
    await scan('100047839154001998');
    await page.locator('.check-in-count').first().waitFor();
    const all = button(/^All of it arrived/);
    for (let left = await all.count(); left > 0; left = await all.count()) {
      await tap(all.first());
      await expect.poll(() => all.count()).toBe(left - 1);
    }
    await tap(button('B1'));
    await tap(button(/Confirm check-in/));
    await page.getByRole('heading', { name: /^Checked in/ }).waitFor();
    isDone('Check in an order of 2 cartons');

    await toList('/receive');
    await scan(townArrivals.cartons.today[0]);
    await tap(button(/^Receive the whole carton/));
    await page.getByText('…002011 received').waitFor();
    isDone('Receive the first carton of a shipment');
    [taps, scans] = [0, 0];
    await scan(townArrivals.cartons.today[1]);
    await page.getByText('…002028 received').waitFor();
    isDone('Receive each further carton');

    await toList('/stock/plans');
    await tap(page.getByRole('link', { name: /^Taps/ }));
    await tap(page.getByRole('link', { name: 'Count', exact: true }));
    for (const units of ['1', '2']) {
      await scan('400000000046');
      await page.locator('.receive-count', { hasText: units }).waitFor();
    }
    await tap(button('Send 1 line'));
    await page.getByRole('heading', { name: 'Every line is counted' }).waitFor();
    isDone('Count an item of 2 units in a count plan');

    await toList('/queue?queueId=WAITING_FOR_PICK_ISPU');
    const order = page.locator('.order', { hasText: /1 unit/ }).first();
    await tap(order);
    await tap(button(/^Pick 1/));
    await page.locator('.pick-item').waitFor();
    await scan((await page.locator('.pick-codes .code').first().innerText()).trim());
    await page.getByText('Picking is done').waitFor();
    await tap(button(/^Confirm/));
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    isDone('Pick an order of 1 unit');

    expect(counts).toEqual(countedInDocs());
  });
});
