/** The hand-over in a real browser, by keyboard and by scanner, against the real service. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole, signIn } from './support/browser.ts';
import {
  expectConserved,
  handOverAll,
  NODE,
  openAs,
  orderOf,
  pickedOrder,
  printedBy,
  STORE,
  shot,
  show,
  smallTargets,
  wedge,
} from './support/counter.ts';
import { openAs as openSignedIn } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
  const client = (await desk.town.operator('GET', '/operator/v1/clients/TOWN')).body;
  const settings = { ...client.settings, pin: { required: true, attempts: 3 } };
  await desk.town.operator('PUT', '/operator/v1/clients/TOWN', { ...client, settings });
});
afterAll(() => desk.close());

/**
 * Returns whether the upper and the lower edge of an element are visible: neither the header nor the bar at the bottom
 * covers them.
 */
async function inSight(one: Locator): Promise<boolean> {
  return one.evaluate((node) => {
    const { left, width, top, bottom } = node.getBoundingClientRect();
    return [top + 2, bottom - 2].every((y) => node.contains(document.elementFromPoint(left + width / 2, y)));
  });
}

/** Reads the shelf place of an item of the town. */
async function shelfOf(itemId: string): Promise<string> {
  const path = `/operator/v1/clients/TOWN/nodes/${NODE}/scan`;
  const { matches } = (await desk.town.client.post(path, { code: itemId })).body;
  return matches.find(({ kind }: { kind: string }) => kind === 'ITEM').pickLocation;
}

/** Changes the proof that the client requires at a hand-over. */
const ask = (handOverProof: string) => configure({ handOverProof });

/** Changes settings of the client until the end of the test. */
async function configure(change: Record<string, unknown>): Promise<void> {
  const client = (await desk.town.operator('GET', '/operator/v1/clients/TOWN')).body;
  const settings = { ...client.settings, ...change };
  const { status } = await desk.town.operator('PUT', '/operator/v1/clients/TOWN', { ...client, settings });
  expect(status).toBe(200);
  onTestFinished(async () => {
    await desk.town.operator('PUT', '/operator/v1/clients/TOWN', client);
  });
}

/** Draws a line with the pointer in the signature field. */
async function sign(page: Page, area: Locator): Promise<void> {
  await area.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await area.boundingBox())!;
  await page.mouse.move(x + 20, y + height / 2);
  await page.mouse.down();
  for (let step = 1; step <= 12; step++)
    await page.mouse.move(x + 20 + (step * (width - 40)) / 12, y + height * (step % 2 === 0 ? 0.3 : 0.7));
  await page.mouse.up();
}

/** Counts the pixels that the pen has drawn in a picture. */
function darkPixels(picture: Locator): Promise<number> {
  return picture.evaluate(async (node) => {
    const image = node as HTMLImageElement;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const pen = canvas.getContext('2d')!;
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at]! < 100) dark += 1;
    return dark;
  });
}

/** Creates a JPEG photo that compresses badly, like a photo from a camera. */
async function noisyPhoto(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([w, h]) => {
      const canvas = document.createElement('canvas');
      canvas.width = w!;
      canvas.height = h!;
      const pen = canvas.getContext('2d')!;
      // Blocks of many colors have edges everywhere, also after the picture is scaled down.
      for (let x = 0; x < w!; x += 24) {
        for (let y = 0; y < h!; y += 24) {
          pen.fillStyle = `rgb(${(x * 7) % 256}, ${(y * 13) % 256}, ${((x + 3 * y) * 5) % 256})`;
          pen.fillRect(x, y, 24, 24);
        }
      }
      return canvas.toDataURL('image/jpeg', 0.95).split(',')[1]!;
    },
    [width, height],
  );
  return Buffer.from(base64, 'base64');
}

const PROXY = { proxyDetails: { name: 'Bo Diaz', email: '', phone: '' } };
const path = (id: string) => `/hand-over/${STORE}/${id}`;

describe('the hand-over', () => {
  it('by scanner: the order’s code opens it, units are checked, a wrong one counts nothing; one tap records it', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 2]] });
    const page = await openAs(desk, 'associate', '/hand-over');
    await page.getByText('Cleo Marsh').first().waitFor();
    await page.locator('[data-scan-target]').waitFor();
    await wedge(page, id);
    await page.getByText('Goods lie in').waitFor();
    await expect.poll(() => page.locator('.counter-lies .huge').textContent()).toBe('B2');
    expect(await printedBy(page, 'Print hold ticket')).toMatch(/Hold for pickup[\s\S]*B2[\s\S]*Cleo Marsh/);
    await wedge(page, '21-MUG-WHT');
    await page.getByText('1 of 2 checked').waitFor();
    await wedge(page, '21-TEE-RED-M');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('not part of this order');
    await wedge(page, '21-MUG-WHT');
    await page.locator('.hand-line').getByText('All checked').waitFor();
    await wedge(page, '21-MUG-WHT');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('No more');
    expect(await page.locator('[data-scan-target]').getAttribute('aria-label')).toBe('Scan a unit to check it');
    await page.getByLabel('E-mail of the order').check();
    await page.getByText('Compare with the e-mail of the order: cleo.marsh@mail.example').waitFor();
    await page.getByLabel('Photo ID').check();
    await page.getByRole('button', { name: 'Hand over 2 units' }).click();
    await page.getByRole('heading', { name: 'Handed over' }).waitFor();
    expect(await printedBy(page, 'Print receipt')).toMatch(/Receipt of pickup[\s\S]*Photo ID/);
    expect(await orderOf(desk.town, id)).toMatchObject({ status: '3800', lines: [{ handedOverQuantity: 2 }] });
    await expectConserved(desk.town, id);
  });

  it('of an order that is canceled says in short what to do, and shows the reason of the service behind a word', async () => {
    const id = await pickedOrder(desk.town, 'C7', { lines: [['MUG-WHT', 1]] });
    const cancel = `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`;
    await desk.town.client.post(cancel, { reasonCode: 'CancelCustomerInitiated' });
    const page = await openAs(desk, 'associate', path(id));
    await page.getByText('It is canceled. Bring its goods back to the shelf').waitFor();
    const service = page.getByText(/the order is 8000/);
    expect(await service.isVisible()).toBe(false);
    await page.getByText('Why?').tap();
    await service.waitFor();
    await shot(page, 'hand-over-canceled');
    expect(await axe(page)).toEqual([]);
    expect(await beyondEdge(page)).toEqual([]);
  });

  it.each(['is full', 'cannot be opened'])(
    'lists its orders and asks for the proof while the storage %s',
    async (how) => {
      const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
      const page = await desk.page({ path: '/livez' });
      await signIn(page.context(), desk.origin, desk.town, 'associate');
      if (how === 'is full') {
        await page.addInitScript(() => {
          IDBObjectStore.prototype.put = () => {
            throw new DOMException('the disk is full', 'QuotaExceededError');
          };
        });
      } else {
        // The console cannot open a database of a newer version.
        await page.evaluate(
          () =>
            new Promise((resolve) => {
              indexedDB.open('backroom /', 99).onsuccess = resolve;
            }),
        );
      }
      await page.goto(`${desk.origin}/console/#/hand-over`);
      await page.locator(`a[href*="${id}"]`).click();
      await page.getByLabel('Photo ID').check();
      await page.getByRole('button', { name: 'Hand over 1 unit' }).click();
      await page.getByRole('heading', { name: 'Handed over' }).waitFor();
    },
  );

  it('prints the receipt in the language that the client has set for customers', async () => {
    await configure({ contact: { language: 'de' } });
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', path(id));
    await page.getByLabel('Photo ID').check();
    expect(await printedBy(page, 'Print hold ticket')).toContain('Hold for pickup');
    await page.getByRole('button', { name: 'Hand over 1 unit' }).click();
    await page.getByRole('heading', { name: 'Handed over' }).waitFor();
    expect(await printedBy(page, 'Print receipt')).toMatch(/Abholbeleg[\s\S]*Geprüft durch[\s\S]*Ausweis mit Foto/);
  });

  it('to the proxy with the PIN: three wrong ones lock it, the lead unlocks it on another device, the right one hands over', async () => {
    const id = await pickedOrder(desk.town, 'A1', { lines: [['UMBR-NAV', 1]], more: { ...PROXY, pinNumber: '4711' } });
    // Many devices in stores have no time zone of their own and use UTC.
    const page = await openAs(desk, 'associate', path(id), { timeZone: 'UTC' });
    const main = page.getByRole('button', { name: /Hand over 1 unit/ });
    await page.getByLabel('Bo Diaz, named by the customer').check();
    await expect.poll(() => main.getAttribute('aria-disabled')).toBe('true');
    const pin = page.getByRole('textbox', { name: 'PIN of the order', exact: true });
    await page.getByRole('radio', { name: 'Photo ID' }).check();
    await page.getByRole('radio', { name: 'PIN of the order' }).check();
    for (const left of [2, 1]) {
      // The test taps nothing: the field has the focus when it appears, and again after a wrong PIN.
      await expect.poll(() => pin.evaluate((field) => field === document.activeElement)).toBe(true);
      await page.keyboard.type('0000', { delay: 60 });
      await page.keyboard.press('Enter');
      const said = page.getByText(`Wrong PIN. ${left} ${left === 1 ? 'try' : 'tries'} left.`);
      await said.waitFor();
      await expect.poll(() => pin.inputValue()).toBe('');
      await expect.poll(() => pin.getAttribute('aria-describedby')).toContain(await said.getAttribute('id'));
      for (const one of [pin, said]) expect(await inSight(one)).toBe(true);
    }
    await page.getByLabel('PIN of the order', { exact: true }).last().fill('0000');
    await main.click();
    await page
      .locator('.notice')
      .getByText(/Locked until/)
      .waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Unlock PIN' }).count()).toBe(0);
    const locked = page.locator('.notice').getByText(/Locked until/);
    await expect.poll(() => inSight(locked)).toBe(true);
    // While the PIN is locked, a photo ID is not accepted either. The button shows the reason, with the time of the
    // store.
    await page.getByRole('radio', { name: 'Photo ID' }).check();
    const format = new Intl.DateTimeFormat('en-US', { hour: '2-digit', timeZone: 'America/New_York' });
    const [hour, half] = format.format(desk.town.clock.now + 15 * 60_000).split(/\s/);
    await expect
      .poll(() => main.textContent())
      .toMatch(new RegExp(`The PIN is locked until ${hour}:\\d\\d ${half}\\. A lead can unlock it\\.`));
    await shot(page, 'pin-locked');
    await page.getByRole('radio', { name: 'PIN of the order' }).check();
    const lead = await openAs(desk, 'lead', path(id));
    await lead.getByRole('button', { name: 'Unlock PIN' }).click();
    await lead
      .getByText(/Locked until/)
      .first()
      .waitFor({ state: 'detached' });
    await page
      .locator('.notice')
      .getByText(/Locked until/)
      .waitFor({ state: 'detached' });
    await page.getByLabel('PIN of the order', { exact: true }).last().fill('4711');
    await main.click();
    await page.getByText('1 unit to Bo Diaz').waitFor();
    expect((await orderOf(desk.town, id)).status).toBe('3800');
  });

  it('with the PIN that the client requires, also if PIN is no method of the client: the user is asked for a method', async () => {
    await configure({ verificationMethods: ['PHOTO_ID'] });
    const id = await pickedOrder(desk.town, 'A1', { lines: [['UMBR-NAV', 1]], more: { pinNumber: '4711' } });
    const page = await openAs(desk, 'associate', path(id));
    const main = page.getByRole('button', { name: /Hand over 1 unit/ });
    await page.getByLabel('PIN of the order', { exact: true }).fill('4711');
    await expect.poll(() => main.textContent()).toContain('Say how you checked who it is');
    await page.getByRole('radio', { name: 'Photo ID' }).check();
    await main.click();
    await page.getByText('1 unit to Cleo Marsh').waitFor();
    expect((await orderOf(desk.town, id)).status).toBe('3800');
  });

  it('of an order without a PIN needs no method if PIN is the only method of the client', async () => {
    await configure({ verificationMethods: ['PIN'] });
    const id = await pickedOrder(desk.town, 'A1', { lines: [['UMBR-NAV', 1]] });
    const page = await openAs(desk, 'associate', path(id));
    await page.getByRole('button', { name: /Hand over 1 unit/ }).click();
    await page.getByText('1 unit to Cleo Marsh').waitFor();
    expect((await orderOf(desk.town, id)).status).toBe('3800');
  });

  it('of a node that keeps stock holds a rejected unit for a lead, and shows no shelf', async () => {
    const id = await pickedOrder(desk.town, 'C1', { lines: [['MUG-WHT', 2]] });
    const page = await openAs(desk, 'associate', '/');
    await page.route('**/nodes/*/settings', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), stock: 'KEPT' } });
    });
    await page.reload();
    await show(page, path(id));
    await page.getByRole('button', { name: /^Change: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Hand over now', { exact: true }).fill('1');
    await dialog.getByLabel('Does not want', { exact: true }).fill('1');
    await dialog.getByRole('radio').first().check();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await page.getByLabel('Photo ID').check();
    await page.getByRole('button', { name: 'Hand over 1 unit' }).click();
    await page.getByText('Put 1 rejected unit aside: a lead checks it before the sale').waitFor();
    expect(await page.getByText('back on the shelf').count()).toBe(0);
  });

  it('of a part, by keyboard alone: one unit rejected with a reason, one later; the rest follows', async () => {
    const id = await pickedOrder(desk.town, 'C1', { lines: [['MUG-WHT', 3]] });
    const page = await openAs(desk, 'associate', path(id), { viewport: 'desk' });
    await page.getByRole('button', { name: /^Change: / }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Hand over now', { exact: true }).fill('1');
    await dialog.getByLabel('Does not want', { exact: true }).fill('1');
    await dialog.getByText('1 unit remains for later').waitFor();
    await dialog.getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: 'OK' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 rejected').waitFor();
    await page.getByLabel('Photo ID').focus();
    await page.keyboard.press('Space');
    const give = page.getByRole('button', { name: 'Hand over 1 unit' });
    await expect.poll(() => give.getAttribute('aria-disabled')).toBe(null);
    await give.focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 unit waits in C1 for later').waitFor();
    await page.getByText('Put 1 rejected unit back on the shelf now').waitFor();
    const shelf = await shelfOf('21-MUG-WHT');
    await page
      .locator('.row')
      .filter({ hasText: '1 × Stoneware mug, white' })
      .getByText(shelf, { exact: true })
      .waitFor();
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
    await shot(page, 'refused');
    expect(await orderOf(desk.town, id)).toMatchObject({
      lines: [{ handedOverQuantity: 1, refusedQuantity: 1, leftQuantity: 1 }],
    });
    await page.getByRole('button', { name: 'Hand over the rest' }).click();
    await page.getByLabel('Photo ID').check();
    await page.getByRole('button', { name: 'Hand over 1 unit' }).click();
    await page.getByRole('heading', { name: 'Handed over' }).waitFor();
    expect(await orderOf(desk.town, id)).toMatchObject({
      status: '3800',
      lines: [{ handedOverQuantity: 2, refusedQuantity: 1 }],
    });
    await expectConserved(desk.town, id);
  });

  it.each(['hand-over', 'pick'])('lets Tab reach every control of the screen and leave it (%s)', async (screen) => {
    const id = await pickedOrder(desk.town, 'C1', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', screen === 'pick' ? '/' : path(id), { viewport: 'desk' });
    if (screen === 'pick') {
      await page.getByRole('link', { name: /Pick.*Pickup/ }).click();
      await page.locator('.order').first().waitFor();
      await page.keyboard.press('t');
      await page.locator('.pick-sum').waitFor();
    }
    await expect.poll(() => page.evaluate(() => document.activeElement?.matches('[data-scan-target]'))).toBe(true);
    const wanted = await page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>('a[href], button, input:not([type="radio"]), summary')];
      const shown = all.filter((one) => one.checkVisibility() && one.tabIndex >= 0 && one.closest('[inert]') === null);
      for (const [index, one] of shown.entries()) one.dataset['tab'] = String(index);
      return shown.length;
    });
    const reached = new Set<string>();
    for (let keys = 0; keys < 3 * wanted && reached.size < wanted; keys += 1) {
      await page.keyboard.press('Tab');
      // The screen moves the focus with a timer.
      await page.waitForTimeout(20);
      const at = await page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['tab']);
      if (at !== undefined) reached.add(at);
    }
    expect(wanted).toBeGreaterThan(8);
    expect(reached.size).toBe(wanted);
  });

  it('uses the number that the field shows: an empty one is none, one beyond the limit is the limit', async () => {
    const id = await pickedOrder(desk.town, 'C2', { lines: [['MUG-WHT', 3]] });
    const page = await openAs(desk, 'associate', path(id), { viewport: 'desk' });
    await page.getByRole('button', { name: /^Change: / }).click();
    const dialog = page.getByRole('dialog');
    const goes = dialog.getByLabel('Hand over now', { exact: true });
    await goes.fill('12');
    expect(await goes.inputValue()).toBe('3');
    await goes.fill('');
    await dialog.getByText('3 units remain for later').waitFor();
    expect(await goes.inputValue()).toBe('');
    await goes.pressSequentially('2');
    expect(await goes.inputValue()).toBe('2');
    await goes.fill('');
    await dialog.getByLabel('Does not want', { exact: true }).focus();
    expect(await goes.inputValue()).toBe('0');
    await goes.fill('');
    await dialog.getByRole('button', { name: 'OK' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Choose what goes out').waitFor();
    await page.getByRole('img', { name: '0 to hand over' }).waitFor();
  });

  it('of a part says what remains, and prints the receipt, also if the order cannot be read after it', async () => {
    const id = await pickedOrder(desk.town, 'C3', { lines: [['MUG-WHT', 3]] });
    const page = await openAs(desk, 'associate', path(id), { allow: [/503/] });
    await page.getByRole('button', { name: /^Change: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Hand over now −1' }).click();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('Photo ID').check();
    const restore = desk.proxy.always(
      ({ method, url }) => method === 'GET' && url.includes(`/fulfillmentOrders/${id}`),
      { kind: 'refuse', status: 503 },
    );
    await page.getByRole('button', { name: 'Hand over 2 units' }).click();
    await page.getByRole('heading', { name: 'Handed over' }).waitFor();
    await page.getByText('1 unit waits in C3 for later').waitFor();
    await page.getByRole('button', { name: 'Print receipt' }).click();
    await page.getByRole('alert').waitFor();
    restore();
    expect(await printedBy(page, 'Print receipt')).toMatch(/Receipt of pickup[\s\S]*Photo ID/);
  });

  it('shows the true state after a lost response: recorded once if the service got the request, else not recorded', async () => {
    const id = await pickedOrder(desk.town, 'B1', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', path(id), { viewport: 'narrow' });
    await page.getByLabel('E-mail of the order').check();
    await expect.poll(() => inSight(page.getByText('cleo.marsh@mail.example'))).toBe(true);
    await page.getByLabel('Photo ID').check();
    // Browsers send a request again after its connection breaks, so the proxy drops every attempt.
    const lose = desk.proxy.always('/customerPickUp/confirm', { kind: 'drop' });
    await page.getByRole('button', { name: 'Hand over 1 unit' }).click();
    // Screen readers announce both notices, because they are alerts.
    const alert = page.getByRole('alert');
    await alert.getByText('The response was lost').waitFor();
    await expect.poll(() => inSight(page.getByText('The response was lost'))).toBe(true);
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight }));
    await alert.getByText('It was not recorded').waitFor();
    await expect.poll(() => inSight(page.getByText('It was not recorded'))).toBe(true);
    lose();
    expect((await orderOf(desk.town, id)).status).toBe('1400');
    desk.proxy.always('/customerPickUp/confirm', { kind: 'cut' });
    await page.getByRole('button', { name: 'Hand over 1 unit' }).click();
    await page.getByRole('heading', { name: 'Handed over' }).waitFor();
    const order = await orderOf(desk.town, id);
    expect([order.status, order.charged?.length]).toEqual(['3800', 1]);
    await expectConserved(desk.town, id);
  });

  it('without network says so before anything is tapped, and goes on when it is back', async () => {
    const id = await pickedOrder(desk.town, 'B1', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', path(id));
    await page.getByLabel('Photo ID').check();
    const plug = desk.proxy.unplug();
    await page.context().setOffline(true);
    await page.locator('.notice').getByText('Hand-over needs the network').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: /^Hand over 1/ }).getAttribute('aria-disabled'))
      .toBe('true');
    plug();
    await page.context().setOffline(false);
    await page.locator('.notice').getByText('Hand-over needs the network').waitFor({ state: 'detached' });
    expect((await orderOf(desk.town, id)).status).toBe('1400');
  });

  it('without the service remains offline while the list is shown from the memory of the device', async () => {
    const id = await pickedOrder(desk.town, 'B1', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', '/hand-over', { clock: true });
    await page.getByText(id).waitFor();
    let failed = 0;
    page.on('requestfailed', (request) => {
      if (!request.url().endsWith('/livez')) failed += 1;
    });
    const plug = desk.proxy.unplug();
    onTestFinished(plug);
    for (const tries of [1, 2]) {
      await page.clock.runFor(16_000);
      await expect.poll(() => failed).toBeGreaterThanOrEqual(tries);
      await page
        .getByText(/^as of .+, offline$/)
        .first()
        .waitFor();
      await page.locator('.notice').getByText('Hand-over needs the network').waitFor();
    }
  });

  it('asks only the web stores that have orders on the queue, for the list and for a search', async () => {
    const id = await pickedOrder(desk.town, 'B7', { lines: [['MUG-WHT', 1]] });
    const { queues } = (await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/work`)).body;
    const handOver = queues.filter(({ kind }: { kind: string }) => kind === 'HAND_OVER');
    const storeIds = new Set(handOver.flatMap((queue: { storeIds: string[] }) => queue.storeIds));
    const { stores } = (await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/settings`)).body;
    expect(storeIds.size).toBeLessThan(stores.length);
    const page = await openAs(desk, 'associate', '/');
    const asked: string[] = [];
    page.on('request', (request) => {
      const store = /\/stores\/([^/]+)\/nodes\/[^/]+\/fulfillmentOrders/.exec(request.url())?.[1];
      if (store !== undefined) asked.push(store);
    });
    await show(page, '/hand-over');
    await page.getByText(id).waitFor();
    await show(page, `/hand-over?q=${id}`);
    await page.getByText('1 order for').waitFor();
    expect(new Set(asked)).toEqual(storeIds);
  });

  it('over a slow network waits for its read, and reads again after a minute without a response', async () => {
    const id = await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] });
    const read = `/customerPickUps/${id}`;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    desk.proxy.always(read, { kind: 'hold', until: promise });
    const page = await openAs(desk, 'associate', path(id), { clock: true });
    const reads = () => desk.proxy.passed.filter(({ url }) => url.includes(read)).length;
    await expect.poll(reads).toBe(1);
    await page.clock.fastForward(20_000);
    // If the interval had started a read, the proxy would get it before this request.
    await page.evaluate(() => fetch('/livez').then(({ status }) => status));
    expect(reads()).toBe(1);
    await page.clock.fastForward(45_000);
    await expect.poll(reads).toBe(2);
    resolve(undefined);
    await page.getByRole('button', { name: 'Hand over 1 unit' }).waitFor();
  });

  it('finds by name, number and phone, and moves goods by two scans', async () => {
    const name = 'María del Carmen Fernández de la Vega Sanz';
    const id = await pickedOrder(desk.town, 'A2', {
      lines: [['MUG-WHT', 1]],
      more: { webOrderId: 'W-700', customer: { name, email: 'maria@mail.example', phone: '+1 617 555 0199' } },
    });
    const page = await openAs(desk, 'associate', '/hand-over');
    const find = page.getByRole('searchbox');
    for (const text of ['carmen mar', name, id, 'W-700', '617 555 0199']) {
      // Types as slowly as a user does: faster text would count as a scanned code.
      await find.fill('');
      await find.pressSequentially(text, { delay: 50 });
      await find.press('Enter');
      await page.getByText(`for “${text}”`).waitFor();
      await page.locator('.counter-row').getByText(id).waitFor();
    }
    await find.fill('');
    await find.pressSequentially('unknown', { delay: 50 });
    await find.press('Enter');
    await page.getByText('Nothing found for “unknown”').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    const url = 'https://shop.example/coupons/summer-sale?campaign=posters-in-the-store';
    await wedge(page, url);
    await page.getByText(`No order here has the code ${url}`).waitFor();
    // Two orders of one web order are listed.
    const second = await pickedOrder(desk.town, 'A2', { lines: [['MUG-WHT', 1]], more: { webOrderId: 'W-700' } });
    await wedge(page, 'W-700');
    for (const one of [id, second]) await page.locator('.counter-row').getByText(one).waitFor();
    await show(page, '/move');
    await wedge(page, id);
    await page.locator('.counter-lies .huge').getByText('A2').waitFor();
    // The list offers places for the goods, so its title asks for the new place.
    await page.getByRole('group', { name: 'Where do you put the goods?' }).waitFor();
    await wedge(page, 'RACK-07');
    await page.getByRole('dialog').getByText('RACK-07 is not a place of this store').waitFor();
    await page.getByRole('button', { name: 'Use it anyway' }).click();
    await page.getByText(/Moved to RACK-07/).waitFor();
    expect((await orderOf(desk.town, id)).holdLocation).toBe('RACK-07');
  });

  it('leaves the order that the user has opened while a scan was being looked up', async () => {
    const more = { webOrderId: 'W-SLOW' };
    const scanned = await pickedOrder(desk.town, 'A2', { lines: [['MUG-WHT', 1]], more });
    const tapped = await pickedOrder(desk.town, 'A2', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', '/hand-over');
    await page.locator('[data-scan-target]:focus').waitFor();
    const { promise: until, resolve: release } = Promise.withResolvers<null>();
    desk.proxy.next('/scan', { kind: 'hold', until });
    await wedge(page, 'W-SLOW');
    await page.locator('.counter-row', { hasText: tapped }).click();
    await page.getByText('Goods lie in').waitFor();
    const found = page.waitForResponse((response) => response.url().endsWith('/scan'));
    release(null);
    await found;
    // The console can search after the lookup. If it opened a screen by mistake, it would do so within this time.
    await page.waitForTimeout(500);
    expect(new URL(page.url()).hash).toContain(tapped);
    await show(page, '/hand-over');
    await page.locator('[data-scan-target]:focus').waitFor();
    await wedge(page, 'W-SLOW');
    await page.waitForURL((url) => url.hash.includes(scanned));
  });

  it('moves goods to a place only: a number, an item and the present place are no new place, here and on the order', async () => {
    const [id, next] = [
      await pickedOrder(desk.town, 'A2', { lines: [['MUG-WHT', 1]] }),
      await pickedOrder(desk.town, 'B2', { lines: [['MUG-WHT', 1]] }),
    ];
    const no: readonly (readonly [string, RegExp])[] = [
      // If the number has the form of an item's code, the device calls it an item without asking the service.
      [next, /This is .+, not a place/],
      ['21-UMBR-NAV', /This is an item, not a place/],
      ['a2', /Goods lie in A2/],
    ];
    const page = await openAs(desk, 'associate', '/move');
    await wedge(page, id);
    await page.locator('.counter-lies .huge').getByText('A2').waitFor();
    for (const [code, why] of no) {
      await wedge(page, code);
      await page.getByRole('alert').getByText(why).waitFor();
      expect((await orderOf(desk.town, id)).holdLocation).toBe('A2');
    }
    await wedge(page, 'b1');
    await page.getByText(/Moved to B1/).waitFor();
    await show(page, path(next));
    await page.getByRole('button', { name: 'Move goods' }).click();
    const dialog = page.getByRole('dialog').first();
    await dialog.locator('[data-scan-target]').waitFor();
    for (const [code, why] of [[id, no[0]![1]], no[1]!] as const) {
      await wedge(page, code);
      await dialog.getByText(why).waitFor();
      expect((await orderOf(desk.town, next)).holdLocation).toBe('B2');
    }
    await wedge(page, 'RACK-08');
    await page.getByRole('button', { name: 'Use it anyway' }).click();
    await page.getByText(/Moved to RACK-08/).waitFor();
    expect((await orderOf(desk.town, next)).holdLocation).toBe('RACK-08');
  });

  it('names the other goods of the same person, opens them next, and leaves out another person of that name', async () => {
    const ada = { name: 'Ada Noor', email: 'ada.noor@mail.example', phone: '+1 617 555 0191' };
    const one = (customer: object, more = {}) => ({
      lines: [['MUG-WHT', 1]] as const,
      more: { customer, ...more },
    });
    const first = await pickedOrder(desk.town, 'B2', one(ada));
    const own = await pickedOrder(desk.town, 'C1', one({ ...ada, phone: '' }));
    const friend = { name: 'Bo Diaz', email: 'bo.diaz@mail.example', phone: '' };
    const named = { proxyDetails: { name: 'Ada Noor', email: '', phone: '' } };
    await pickedOrder(desk.town, 'A3', one(friend, named));
    await pickedOrder(desk.town, 'D9', one({ name: 'Ada Noor', email: 'other@mail.example', phone: '' }));
    await pickedOrder(desk.town, 'D8', one({ ...ada, name: 'Adam Noorman' }));
    const page = await openAs(desk, 'associate', path(first), { viewport: 'narrow' });
    await page.locator('.notice').getByText('2 more orders are ready for Ada Noor: C1, A3').waitFor();
    await shot(page, 'more-orders-before');
    await page.getByLabel('Photo ID').check();
    await page.getByRole('button', { name: 'Hand over 1 unit' }).click();
    const rest = page.getByRole('list', { name: '2 more orders are ready for Ada Noor' });
    await rest.getByText('may be collected by Ada Noor').waitFor();
    await page.getByRole('link', { name: 'Next customer' }).waitFor();
    expect(await rest.locator('.counter-place').allTextContents()).toEqual(['C1', 'A3']);
    expect(await beyondEdge(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    await shot(page, 'more-orders-after');
    await page.getByRole('link', { name: 'Next order: C1' }).click();
    await page.getByText('1 more order is ready for Ada Noor: A3').waitFor();
    await page.getByText(own.slice(-6)).first().waitFor();
    await page.getByLabel('Photo ID').check();
    await page.getByRole('button', { name: 'Hand over 1 unit' }).click();
    await page.getByRole('link', { name: 'Next order: A3' }).waitFor();
  });

  it('with the signature that the client asks for: a tap is none; it is stored, and the manager sees it in the timeline', async () => {
    await ask('SIGNATURE');
    const id = await pickedOrder(desk.town, 'C2', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', path(id), { theme: 'dark' });
    await page.getByLabel('Photo ID').check();
    const main = page.getByRole('button', { name: 'Hand over 1 unit' });
    const area = page.getByRole('img', { name: 'Let the person sign here' });
    await area.click();
    await page.getByText('Signature is missing').waitFor();
    await expect.poll(() => main.getAttribute('aria-disabled')).toBe('true');
    await sign(page, area);
    await expect.poll(() => main.getAttribute('aria-disabled')).toBe(null);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => main.getAttribute('aria-disabled')).toBe('true');
    await sign(page, area);
    await main.click();
    await page.getByRole('heading', { name: 'Handed over' }).waitFor();
    await expectConserved(desk.town, id);
    const office = await openSignedIn(desk, 'manager', `/office/orders/${STORE}/${id}`, {
      viewport: 'desk',
    });
    await office.getByRole('button', { name: 'Show signature' }).click();
    const picture = office.getByRole('img', { name: 'Signature' });
    await picture.waitFor();
    expect(await darkPixels(picture)).toBeGreaterThan(100);
    const support = await openSignedIn(desk, 'lead', `/office/orders/${STORE}/${id}`, {
      viewport: 'desk',
    });
    await support.getByText('Handed over').first().waitFor();
    expect(await support.getByRole('button', { name: 'Show signature' }).count()).toBe(0);
  });

  it('with a signature instead of a photo, and never with a proof that is not on the screen any more', async () => {
    await ask('ANY');
    const id = await pickedOrder(desk.town, 'C5', { lines: [['MUG-WHT', 1]], more: PROXY });
    const page = await openAs(desk, 'associate', path(id));
    await page.getByLabel('Photo ID').check();
    const main = page.getByRole('button', { name: 'Hand over 1 unit' });
    const area = page.getByRole('img', { name: 'Let the person sign here' });
    const photo = page.getByRole('img', { name: 'Take a photo' });
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Take a photo' }).click(),
    ]);
    await chooser.setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await noisyPhoto(page, 400, 300) });
    await photo.waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await photo.waitFor({ state: 'detached' });
    await sign(page, area);
    await expect.poll(() => main.getAttribute('aria-disabled')).toBe(null);
    // The signature is not of Bo Diaz, so the console removes it.
    await page.getByLabel('Bo Diaz, named by the customer').check();
    await page.getByLabel('Photo ID').check();
    await expect.poll(() => main.getAttribute('aria-disabled')).toBe('true');
    expect(await page.getByRole('button', { name: 'Clear' }).count()).toBe(0);
    await sign(page, area);
    await main.click();
    await page.getByText('1 unit to Bo Diaz').waitFor();
  });

  it('is found by the number of the OMS, which can have several orders, by a scan and by a search', async () => {
    const more = { omsOrderId: 'OMS-7001' };
    const ids = [];
    for (const place of ['C1', 'C2']) ids.push(await pickedOrder(desk.town, place, { lines: [['MUG-WHT', 1]], more }));
    const page = await openAs(desk, 'associate', '/hand-over');
    const rows = page.locator('.counter-row');
    await rows.first().waitFor();
    await wedge(page, 'OMS-7001');
    await page.getByText('2 orders for “OMS-7001”').waitFor();
    for (const id of ids) await rows.getByText(id).waitFor();
    await show(page, '/pack?q=OMS-7001');
    await page.getByText('Nothing found for “OMS-7001”').waitFor();
  });

  it('leaves canceled units at their place: Find lists their ticket, and reads no list of orders for it', async () => {
    const id = await pickedOrder(desk.town, 'F-77', { lines: [['MUG-WHT', 2]] });
    const { status, text } = await desk.town.client.post(
      `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`,
      { reasonCode: 'CancelCustomerInitiated', lines: [{ webLineId: '1', quantity: 1 }] },
    );
    expect(status, text).toBeLessThan(300);
    await handOverAll(desk.town, id);
    expect((await orderOf(desk.town, id)).status).toBe('3800');
    const page = await openAs(desk, 'associate', '/find');
    const lists: string[] = [];
    page.on('request', (request) => {
      if (/\/orders\?/.test(request.url())) lists.push(request.url());
    });
    await show(page, '/find?code=F-77');
    await page.locator('.found').getByText(id).click();
    await page.getByText('Stoneware mug, white').first().waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#\/bring-back\//);
    expect(lists).toEqual([]);
  });

  it('names units that the customer cancels while the order is open, so that they stay here', async () => {
    const id = await pickedOrder(desk.town, 'C7', { lines: [['MUG-WHT', 3]] });
    const page = await openAs(desk, 'associate', path(id));
    await page.getByRole('button', { name: 'Hand over 3 units' }).waitFor();
    const { status, text } = await desk.town.client.post(
      `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`,
      { reasonCode: 'CancelCustomerInitiated', lines: [{ webLineId: '1', quantity: 1 }] },
    );
    expect(status, text).toBeLessThan(300);
    await page.getByText('Customer canceled 1').waitFor();
    await page.getByText('Take 1 × Stoneware mug, white out').waitFor();
    await page.getByRole('button', { name: 'Hand over 2 units' }).waitFor();
  });

  it('to the customer once the office has removed the chosen proxy', async () => {
    const id = await pickedOrder(desk.town, 'C6', { lines: [['MUG-WHT', 1]], more: PROXY });
    const page = await openAs(desk, 'associate', path(id));
    const proxy = page.getByLabel('Bo Diaz, named by the customer');
    await proxy.check();
    const change = { changeId: `no-proxy-${id}`, userId: 'mara', remove: ['proxy'] };
    const orderPath = `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}`;
    const { status, text } = await desk.town.client.post(`${orderPath}/change`, change);
    expect(status, text).toBe(200);
    await proxy.waitFor({ state: 'detached' });
    await page.getByLabel('Photo ID').check();
    await page.getByRole('button', { name: 'Hand over 1 unit' }).click();
    await page.getByText('1 unit to Cleo Marsh').waitFor();
  });

  it('asks for the proof that the office sets while the page is open, without a reload', async () => {
    const id = await pickedOrder(desk.town, 'C4', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', path(id), { clock: true });
    await page.getByLabel('Photo ID').check();
    await page.getByRole('button', { name: 'Hand over 1 unit' }).waitFor();
    await ask('SIGNATURE');
    await page.clock.fastForward(61_000);
    await page.getByRole('img', { name: 'Let the person sign here' }).waitFor();
    await page.getByText('Signature is missing').waitFor();
  });

  it('with a photo from a camera of twelve million pixels: it is drawn anew within 75,000 bytes', async () => {
    await ask('PHOTO');
    const id = await pickedOrder(desk.town, 'C3', { lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', path(id), { viewport: 'narrow' });
    await page.getByLabel('Photo ID').check();
    const photo = await noisyPhoto(page, 4000, 3000);
    expect(photo.length).toBeGreaterThan(500_000);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Take a photo' }).click(),
    ]);
    await chooser.setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo });
    await page.getByRole('img', { name: 'Take a photo' }).waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await beyondEdge(page)).toEqual([]);
    const [request] = await Promise.all([
      page.waitForRequest(/customerPickUp\/confirm/),
      page.getByRole('button', { name: 'Hand over 1 unit' }).click(),
    ]);
    const { proof } = request.postDataJSON().customerPickUpDetails;
    const bytes = Buffer.from(proof.data, 'base64');
    expect([proof.kind, bytes.length <= 75_000, bytes.length > 5000]).toEqual(['PHOTO', true, true]);
    await page.getByRole('heading', { name: 'Handed over' }).waitFor();
  });

  it.each(['light', 'dark'] as const)('is accessible, fits and has large targets (%s)', async (theme) => {
    const id = await pickedOrder(desk.town, 'A1', { lines: [['MUG-WHT', 2]], more: { ...PROXY, pinNumber: '1234' } });
    const page = await openAs(desk, 'associate', '/hand-over', { theme, viewport: 'narrow' });
    for (const one of ['/hand-over', path(id), '/move']) {
      await show(page, one);
      await page.locator('.counter-row, .counter-lies, .empty').first().waitFor();
      expect(await smallTargets(page)).toEqual([]);
      for (const size of [
        { width: 320, height: 568 },
        { width: 768, height: 1024 },
        { width: 1440, height: 900 },
      ]) {
        await page.setViewportSize(size);
        expect([one, size.width, await beyondEdge(page)]).toEqual([one, size.width, []]);
        expect(await axe(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 320, height: 568 });
    }
    expect(NODE).toBe(desk.town.nodeId);
  });
});
