/**
 * Packing and delivery in a real browser: two boxes, a broken unit, packing slip and labels; a failed delivery, then a
 * successful delivery.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import {
  catchPapers,
  expectConserved,
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

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
});
afterAll(() => desk.close());

async function closeBox(page: Page, weight: string, tracking?: string): Promise<void> {
  await page.getByRole('button', { name: 'Close the box' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Weight of the packed box').fill(weight);
  // Each text has one character. Two characters that arrive within milliseconds would count as a code of a scanner app.
  for (const side of ['Length', 'Width', 'Height']) await dialog.getByLabel(side).fill('9');
  if (tracking !== undefined) await dialog.getByLabel('Tracking number').fill(tracking);
  await dialog.getByRole('button', { name: 'Close the box and print' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Replaces WebHID with one scale that sends the bytes of the test. */
function scriptedScale(page: Page) {
  return page.addInitScript(() => {
    const scale = Object.assign(new EventTarget(), {
      opened: false,
      productName: 'Scripted scale',
      collections: [{ usagePage: 0x8d, usage: 0x20 }],
      open() {
        scale.opened = true;
        return Promise.resolve();
      },
    });
    const hid = Object.assign(new EventTarget(), {
      getDevices: () => Promise.resolve([]),
      requestDevice: ({ filters }: { filters: { usagePage: number }[] }) =>
        Promise.resolve(filters[0]?.usagePage === 0x8d ? [scale] : []),
    });
    Object.defineProperty(navigator, 'hid', { value: hid });
    Object.assign(window, {
      weigh: (bytes: number[]) =>
        scale.dispatchEvent(
          Object.assign(new Event('inputreport'), { reportId: 3, data: new DataView(new Uint8Array(bytes).buffer) }),
        ),
      unplug: () => hid.dispatchEvent(Object.assign(new Event('disconnect'), { device: scale })),
    });
  });
}

describe('the box at the packing table', () => {
  it('is not asked for by a canceled parcel: the screen says in short what to do, and the reason behind a word', async () => {
    const id = await pickedOrder(desk.town, 'C8', { type: 'SHIP_TO_HOME', lines: [['TEE-RED-L', 1]] });
    const cancel = `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`;
    await desk.town.client.post(cancel, { reasonCode: 'CancelCustomerInitiated' });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`);
    await page.getByText('It is canceled. Bring its goods back to the shelf').waitFor();
    const service = page.getByText(/the order is 8000/);
    expect(await service.isVisible()).toBe(false);
    await page.getByText('Why?').tap();
    await service.waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('takes its weight from a scale once it is stable, and its size from a box of the client', async () => {
    const { operator } = desk.town;
    const path = '/operator/v1/clients/TOWN';
    const { name, catalogIds, settings = {} } = (await operator('GET', path)).body as Record<string, unknown>;
    const size = { length: 20, width: 15, height: 10, sizeUnit: 'CM' };
    const boxes = [
      { name: 'Small', ...size, weight: 0.2, weightUnit: 'KG' },
      { name: 'Large', ...size, weight: 0.9, weightUnit: 'KG' },
      { name: 'Bag', ...size },
    ];
    expect(
      (await operator('PUT', path, { name, catalogIds, settings: { ...(settings as object), boxes } })).status,
    ).toBe(200);
    const id = await pickedOrder(desk.town, 'C9', { type: 'SHIP_TO_HOME', lines: [['TEE-RED-L', 1]] });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { viewport: 'tablet' });
    await scriptedScale(page);
    await page.reload();
    await page.getByRole('heading', { name: 'To pack' }).waitFor();
    await page.locator('[data-scan-target]').waitFor();
    await wedge(page, '21-TEE-RED-L');
    await page.getByText('All units are packed').waitFor();
    await page.getByRole('button', { name: 'Close the box' }).click();
    const dialog = page.getByRole('dialog');
    const weight = dialog.getByLabel('Weight of the packed box');
    const weigh = (...bytes: number[]) =>
      page.evaluate((all) => (window as unknown as { weigh: (bytes: number[]) => void }).weigh(all), bytes);
    await dialog.getByRole('button', { name: 'Connect a scale' }).click();
    await dialog.getByText('The scale is connected.').waitFor();
    await weigh(3, 3, 0xfe, 0x60, 0);
    await dialog.getByText('wait until it is steady').waitFor();
    expect(await weight.inputValue()).toBe('');
    await weigh(4, 3, 0xfe, 0x7d, 0);
    await dialog.getByText('Scale: 1.25 kg').waitFor();
    await expect.poll(() => weight.inputValue()).toBe('1.25');
    await weight.fill('2');
    await weigh(4, 3, 0xfe, 0x7e, 0);
    await dialog.getByText('Scale: 1.26 kg').waitFor();
    expect(await weight.inputValue()).toBe('2');
    await dialog.getByRole('button', { name: /^Small/ }).click();
    expect(await dialog.getByLabel('Length').inputValue()).toBe('20');
    const material = dialog.getByLabel('Packing material in it');
    expect(await material.inputValue()).toBe('0.2');
    // The scale now sends grams. The weight of the packing material remains the same and is shown in grams.
    await weight.fill('');
    await weigh(4, 2, 0, 0xe2, 4);
    await expect.poll(() => weight.inputValue()).toBe('1250');
    expect(await dialog.getByLabel('Unit').first().inputValue()).toBe('G');
    expect(await material.inputValue()).toBe('200');
    // Another box has its own weight, also if its unit is not that of the scale; a box without a weight has none.
    await dialog.getByRole('button', { name: /^Large/ }).click();
    expect(await material.inputValue()).toBe('900');
    await dialog.getByRole('button', { name: /^Bag/ }).click();
    expect(await material.inputValue()).toBe('0');
    await material.fill('30');
    await dialog.getByRole('button', { name: /^Bag/ }).click();
    expect(await material.inputValue()).toBe('30');
    await page.evaluate(() => (window as unknown as { unplug: () => void }).unplug());
    await dialog.getByRole('button', { name: 'Connect a scale' }).waitFor();
    expect(await axe(page)).toEqual([]);
  });
});

describe('packing', () => {
  it('puts units into two boxes, takes a broken one out, prints labels and slip, and ships with the tracking numbers', async () => {
    const id = desk.town.orders.picked;
    const page = await openAs(desk, 'associate', '/pack', { viewport: 'tablet' });
    const papers = await catchPapers(page);
    await page.locator('[data-scan-target]').waitFor();
    await wedge(page, id);
    await page.getByRole('heading', { name: 'To pack' }).waitFor();
    for (let n = 0; n < 3; n += 1) await wedge(page, '21-TEE-RED-L');
    await page.getByText('Harbour tee, signal red, L into box 1').waitFor();
    await wedge(page, '21-TEE-RED-L');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('No more');
    await page.getByRole('button', { name: /^Take 1 × Harbour tee/ }).click();
    await closeBox(page, '1,5');
    await page.getByText('tracking number missing').waitFor();
    await page.getByRole('button', { name: 'Broken or missing: Stoneware mug, white' }).click();
    await page.getByRole('dialog').getByLabel('Missing').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Record' }).click();
    await page.getByText('1 unit taken out of the order').waitFor();
    await wedge(page, '21-MUG-WHT');
    await wedge(page, '21-TEE-RED-L');
    await page.getByText('All units are packed').waitFor();
    await closeBox(page, '2', '1Z0000000000000002');
    await page.getByText('The order ships once every box has its tracking number.').waitFor();
    await expect.poll(async () => (await papers()).length).toBe(3);
    const [first, second, slip] = (await papers()) as [string, string, string];
    expect([first, second]).toEqual([expect.stringContaining('Box 1'), expect.stringContaining('Box 2')]);
    expect(slip).toContain('Packing slip');
    expect(await printedBy(page, 'Print label: Box 1')).toContain('Box 1');
    expect(await printedBy(page, 'Pack slip')).toContain(id);
    await page.getByRole('heading', { name: 'Packed: tracking number missing' }).waitFor();
    await page.setViewportSize({ width: 320, height: 568 });
    await shot(page, 'pack-untracked');
    expect(await beyondEdge(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add tracking number', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await wedge(page, '1Z0000000000000001');
    await page.getByRole('heading', { name: 'Shipped' }).waitFor();
    await page.getByText('packing of this order is over').first().waitFor();
    const order = await orderOf(desk.town, id);
    expect(order).toMatchObject({
      status: '3700',
      packages: [{ boxId: '1' }, { boxId: '2' }],
      lines: [{ handedOverQuantity: 3 }, { handedOverQuantity: 1, declinedQuantity: 1 }],
    });
    await expectConserved(desk.town, id);
  });

  it('keeps the good units of a line in the open box when a broken one is taken out of the order', async () => {
    const id = await pickedOrder(desk.town, 'A1', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 5]] });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { viewport: 'tablet' });
    await page.locator('[data-scan-target]').waitFor();
    for (let n = 0; n < 3; n += 1) await wedge(page, '21-MUG-WHT');
    const inBox = page.locator('.pack-box .big');
    await inBox.getByText('3').waitFor();
    const decline = async (units: string, left: string) => {
      await page.getByRole('button', { name: 'Broken or missing: Stoneware mug, white' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Missing').check();
      await dialog.getByLabel('How many units?', { exact: true }).fill(units);
      await dialog.getByRole('button', { name: 'Record' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.locator('.counter-lies').getByText(left).waitFor();
    };
    await decline('1', '3 of 4');
    await inBox.getByText('3').waitFor();
    await decline('2', '2 of 2');
    await inBox.getByText('2').waitFor();
  });

  it('says which units the customer has canceled while they are in the open box, and packs the others', async () => {
    const lines = [
      ['MUG-WHT', 1],
      ['TEE-RED-L', 1],
    ] as const;
    const id = await pickedOrder(desk.town, 'A1', { type: 'SHIP_TO_HOME', lines });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { viewport: 'tablet' });
    await catchPapers(page);
    const cancel = async (webLineId: string) => {
      const { status, text } = await desk.town.client.post(
        `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`,
        { reasonCode: 'CancelCustomerInitiated', lines: [{ webLineId, quantity: 1 }] },
      );
      expect(status, text).toBeLessThan(300);
      await page.evaluate(() => dispatchEvent(new Event('focus')));
    };
    await page.getByRole('button', { name: 'Into the box: Stoneware mug, white' }).click();
    await page.getByText('Stoneware mug, white into box 1').waitFor();
    await cancel('1');
    await page.getByText('Take 1 × Stoneware mug, white out').waitFor();
    await page.locator('.pack-box').getByText('0 units').waitFor();
    await page.getByRole('button', { name: 'Into the box: Harbour tee, signal red, L' }).click();
    await page.getByText('All units are packed').waitFor();
    await cancel('2');
    await page.getByText('Take 1 × Harbour tee, signal red, L out').waitFor();
    expect(await page.locator('.pack-box').count()).toBe(0);
    await expectConserved(desk.town, id);
  });

  it('keeps the units of an open box when the screen is left, and opens a closed box again', async () => {
    const id = await pickedOrder(desk.town, 'A1', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 2]] });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { viewport: 'tablet', allow: [/503/] });
    await catchPapers(page);
    await page.getByRole('button', { name: 'Into the box: Stoneware mug, white' }).click();
    await page.getByText('Stoneware mug, white into box 1').waitFor();
    await page.reload();
    await page.locator('.pack-box .big').getByText('1').waitFor();
    await catchPapers(page);
    await page.getByRole('button', { name: 'Close the box' }).click();
    const units = page.getByRole('dialog').getByLabel('Unit').first();
    expect(await units.locator('option').allTextContents()).toEqual(['LBS', 'OZ', 'KG', 'G']);
    await page.getByRole('dialog').getByLabel('Packing material in it').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await closeBox(page, '1');
    await page.getByRole('button', { name: 'Open again: Box 1' }).click();
    await page.getByText('Box 1 is open again').waitFor();
    await expect.poll(async () => (await orderOf(desk.town, id)).packages ?? []).toEqual([]);
    desk.proxy.next('/package/update', { kind: 'refuse', status: 503 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await expect.poll(async () => (await orderOf(desk.town, id)).packages?.length).toBe(1);
    await expectConserved(desk.town, id);
  });
});

describe('the address on papers', () => {
  const move = async (id: string, line1: string) => {
    const { status, text } = await desk.town.client.post(
      `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/change`,
      {
        changeId: line1,
        userId: 'mara',
        shippingAddress: {
          personName: { firstName: 'Cleo', lastName: 'Marsh' },
          address: { line1, city: 'Boston', mainDivisionCode: 'MA', postalCode: '02110', countryCode: 'US' },
        },
      },
    );
    expect(status, text).toBe(200);
  };

  it('is the present one on the label of a box and on the delivery sheet, also if it changes while their screen is open', async () => {
    const id = await pickedOrder(desk.town, 'C7', { type: 'ASSOCIATE_DELIVERY', lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`);
    const papers = await catchPapers(page);
    await page.getByRole('button', { name: 'Into the box: Stoneware mug, white' }).click();
    await move(id, '5 New Lane');
    await closeBox(page, '1');
    await expect.poll(async () => (await papers()).join()).toContain('5 New Lane');
    await move(id, '7 Last Lane');
    expect(await printedBy(page, 'Print label: Box 1')).toContain('7 Last Lane');
    await show(page, `/deliver/${STORE}/${id}`);
    await page.getByText('7 Last Lane').waitFor();
    await move(id, '9 Quay Lane');
    expect(await printedBy(page, 'Print delivery sheet')).toContain('9 Quay Lane');
  });
});

it('a label that was not printed is named also if the slip of the parcel was printed after it', async () => {
  const id = await pickedOrder(desk.town, 'C8', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]] });
  const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`);
  const papers = await catchPapers(page);
  await page.evaluate(() => {
    const works = globalThis.print;
    globalThis.print = () => {
      globalThis.print = works;
      throw new Error('The first print fails');
    };
  });
  await page.getByRole('button', { name: 'Into the box: Stoneware mug, white' }).click();
  await closeBox(page, '1');
  await expect.poll(async () => (await papers()).join()).toContain('Packing slip');
  await page.getByText('This device cannot print here').waitFor();
});

describe('the dialog of a box on a phone', () => {
  const openBox = async (place: string, lines: readonly (readonly [string, number])[]) => {
    const id = await pickedOrder(desk.town, place, { type: 'SHIP_TO_HOME', lines });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { viewport: 'narrow' });
    await catchPapers(page);
    await wedge(page, `21-${lines[0]![0]}`);
    await page.getByText('into box 1').waitFor();
    await page.getByRole('button', { name: 'Close the box' }).click();
    const dialog = page.getByRole('dialog');
    const tracking = dialog.getByLabel('Tracking number');
    await tracking.waitFor();
    return { id, page, dialog, tracking, weight: dialog.getByLabel('Weight of the packed box') };
  };

  it('takes a scanned tracking number, but neither a unit of the order, nor a second number, nor a cut one', async () => {
    const { page, dialog, tracking } = await openBox('C2', [
      ['TEE-RED-L', 2],
      ['MUG-WHT', 1],
    ]);
    await wedge(page, '400000000046');
    await dialog.getByRole('alert').getByText('400000000046 was not counted').waitFor();
    expect(await tracking.inputValue()).toBe('');
    await wedge(page, '9'.repeat(41));
    await dialog.getByText('A tracking number has at most 40 characters').waitFor();
    expect(await tracking.inputValue()).toBe('');
    await wedge(page, '1Z999AA10123456784');
    await expect.poll(() => tracking.inputValue()).toBe('1Z999AA10123456784');
    await wedge(page, '1Z999AA10123456795');
    await dialog.getByText('1Z999AA10123456795 was not taken').waitFor();
    await wedge(page, '400000000022');
    await dialog.getByRole('alert').getByText('400000000022 was not counted').waitFor();
    expect(await tracking.inputValue()).toBe('1Z999AA10123456784');
    await tracking.fill('');
    await dialog.getByText('1Z999AA10123456795 was not taken').waitFor({ state: 'detached' });
    // Cameras and some scanners put the symbology in front of a GS1-128 code.
    await wedge(page, ']C100340434161094038557');
    await expect.poll(() => tracking.inputValue()).toBe('00340434161094038557');
    expect(await axe(page)).toEqual([]);
  });

  it('takes no weight whose sign can separate thousands, and reads the comma of German as the sign of decimals', async () => {
    const id = await pickedOrder(desk.town, 'C9', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { locale: 'de-DE' });
    await catchPapers(page);
    await wedge(page, '21-MUG-WHT');
    await page.getByRole('button', { name: 'Karton schließen' }).click();
    const dialog = page.getByRole('dialog');
    for (const side of ['length', 'width', 'height']) await dialog.locator(`[name="${side}"]`).fill('9');
    const weight = dialog.locator('[name="weight"]');
    const save = dialog.getByRole('button', { name: 'Schließen und drucken' });
    await weight.fill('1.250');
    await save.click();
    await dialog.getByText('Eine Zahl über 0 eingeben').waitFor();
    await weight.fill('1,250');
    const sent = page.waitForRequest(/package\/update/);
    await save.click();
    expect((await sent).postData()).toContain('"value":1.25}');
    await dialog.waitFor({ state: 'detached' });
  });

  it('takes no packing material that is heavier than the box, and leads to the first wrong field', async () => {
    const { id, page, dialog, weight } = await openBox('C3', [['MUG-WHT', 2]]);
    const close = dialog.getByRole('button', { name: 'Close the box and print' });
    const material = dialog.getByLabel('Packing material in it');
    const isFocused = (field: typeof material) => field.evaluate((one) => one === document.activeElement);
    const isInView = (field: typeof material) =>
      field.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        const actions = one.closest('dialog')!.querySelector('.actions')!.getBoundingClientRect();
        return top >= 0 && bottom <= actions.top;
      });
    await weight.fill('2,5');
    await close.click();
    await expect.poll(() => isFocused(dialog.getByLabel('Length'))).toBe(true);
    await expect.poll(() => isInView(dialog.getByLabel('Length'))).toBe(true);
    // Each text has one character. Two characters that arrive within milliseconds would count as a code of a scanner app.
    for (const side of ['Length', 'Width', 'Height']) await dialog.getByLabel(side).fill('9');
    await material.fill('9');
    await close.click();
    await dialog.getByText('More than the whole box weighs').waitFor();
    await expect.poll(() => isFocused(material)).toBe(true);
    await expect.poll(() => isInView(material)).toBe(true);
    expect((await orderOf(desk.town, id)).packages ?? []).toEqual([]);
    await material.fill('0,5');
    await close.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await orderOf(desk.town, id)).toMatchObject({ packages: [{ boxId: '1' }] });
    await page.getByText('tracking number missing').first().waitFor();
  });

  it('can be closed again once the service can be reached, without a further request of the screen', async () => {
    const id = await pickedOrder(desk.town, 'C4', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', '/pack', { viewport: 'narrow', clock: true });
    await show(page, `/pack/${STORE}/${id}`);
    await catchPapers(page);
    await page.getByRole('button', { name: 'Into the box: Stoneware mug, white' }).click();
    await page.getByRole('button', { name: 'Close the box' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Weight of the packed box').fill('2');
    // Each text has one character. Two characters that arrive within milliseconds would count as a code of a scanner app.
    for (const side of ['Length', 'Width', 'Height']) await dialog.getByLabel(side).fill('9');
    const restore = desk.proxy.unplug();
    const close = dialog.getByRole('button', { name: 'Close the box and print' });
    await close.click();
    await dialog.getByRole('button', { name: 'This needs the network' }).waitFor();
    restore();
    await page.clock.fastForward('00:16');
    await expect.poll(() => close.getAttribute('aria-disabled')).toBe(null);
    await close.click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('a box whose response was lost is closed once, by a retry or when the screen reads the order again', async () => {
    const id = await pickedOrder(desk.town, 'C5', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 6]] });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { viewport: 'narrow' });
    const papers = await catchPapers(page);
    const recorded = async () => (await orderOf(desk.town, id)).packages?.map(({ boxId }) => boxId) ?? [];
    const put = page.getByRole('button', { name: 'Into the box: Stoneware mug, white' });
    const units = page.locator('.pack-box .big');
    const dialog = page.getByRole('dialog');
    const lose = async (weight: string, boxes: string[], meanwhile = async () => {}) => {
      await page.getByRole('button', { name: 'Close the box' }).click();
      await dialog.getByLabel('Weight of the packed box').fill(weight);
      // Each text has one character. Two characters that arrive within milliseconds would count as a code of a scanner app.
      for (const side of ['Length', 'Width', 'Height']) await dialog.getByLabel(side).fill('9');
      // The browser retries a request whose connection ended, so the proxy cuts every response.
      const restore = desk.proxy.always(/PUT .*package\/update/, { kind: 'cut' });
      await dialog.getByRole('button', { name: 'Close the box and print' }).click();
      await dialog.getByRole('alert').waitFor();
      expect(await recorded()).toEqual(boxes);
      restore();
      await meanwhile();
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.getByRole('button', { name: `Print label: Box ${boxes.length}`, includeHidden: true }).waitFor({
        state: 'attached',
      });
    };
    for (let n = 0; n < 2; n += 1) await put.click();
    await units.getByText('2', { exact: true }).waitFor();
    await lose('2', ['1']);
    await dialog.getByText('Box 1: weight and size').waitFor();
    await dialog.getByRole('button', { name: 'Close the box and print' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await papers()).length).toBe(1);
    expect(await recorded()).toEqual(['1']);

    await put.click();
    await units.getByText('1', { exact: true }).waitFor();
    // A label program can give the recorded box a tracking number before the screen reads the order again.
    await lose('1', ['1', '2'], async () => {
      const packages = [{ action: 'MODIFY', boxId: '2', trackingNumber: 'Z-LABEL-2' }];
      const packDetails = { storeId: STORE, nodeId: NODE, fulfillmentOrderId: id, packages };
      const path = `/stores/${STORE}/fulfillmentOrders/${id}/package/update`;
      expect((await desk.town.client.put(path, { modifyAssociateId: 'program', packDetails })).status).toBe(204);
    });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.pack-box').getByText('Box 3').waitFor();
    expect(await units.count()).toBe(0);
    await page.reload();
    await page.locator('.pack-box').getByText('Box 3').waitFor();
    expect(await units.count()).toBe(0);
    expect(await recorded()).toEqual(['1', '2']);
    await expectConserved(desk.town, id);
  });

  it('takes another weight after a lost response, and another number after a box of another device', async () => {
    const id = await pickedOrder(desk.town, 'C6', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 4]] });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { viewport: 'narrow', allow: [/400/] });
    const papers = await catchPapers(page);
    const boxes = async () => {
      const ids = { storeId: STORE, nodeId: NODE, fulfillmentOrderId: id };
      const { body } = await desk.town.client.post(
        `/stores/${STORE}/fulfillmentOrders/${id}/packages?nodeId=${NODE}`,
        ids,
      );
      return body.packDetail[0].packages.map((one: { boxId: string; boxWeight: { value: unknown } }) => [
        one.boxId,
        Number(one.boxWeight.value),
      ]);
    };
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Close the box and print' });
    const weight = dialog.getByLabel('Weight of the packed box');
    const fill = async (text: string) => {
      await page.getByRole('button', { name: 'Into the box: Stoneware mug, white' }).click();
      await page.getByRole('button', { name: 'Close the box' }).click();
      await weight.fill(text);
      // Texts of two characters that arrive within milliseconds would count as a code of a scanner app.
      for (const side of ['Length', 'Width', 'Height']) await dialog.getByLabel(side).fill('9');
    };
    await fill('2');
    const restore = desk.proxy.always(/PUT .*package\/update/, { kind: 'cut' });
    await save.click();
    await dialog.getByRole('alert').waitFor();
    restore();
    await weight.fill('3');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await boxes()).toEqual([['1', 3]]);
    await expect.poll(async () => (await papers()).length).toBe(1);

    await fill('5');
    const size = { unit: 'CM', value: 9 };
    const packDetails = {
      storeId: STORE,
      nodeId: NODE,
      fulfillmentOrderId: id,
      packages: [
        {
          action: 'CREATE',
          boxId: '2',
          boxWeight: { unit: 'KG', value: 7 },
          packingMaterialWeight: { unit: 'KG', value: 0 },
          length: size,
          width: size,
          height: size,
          packageItems: [{ itemId: '21-MUG-WHT', webLineId: '1', quantity: 1 }],
        },
      ],
    };
    const update = `/stores/${STORE}/fulfillmentOrders/${id}/package/update`;
    const { status, text } = await desk.town.client.put(update, { modifyAssociateId: 'UserId002', packDetails });
    expect(status, text).toBeLessThan(300);
    await save.click();
    await dialog.getByText('Box 3: weight and size').waitFor();
    const reconnect = desk.proxy.always(/PUT .*package\/update/, { kind: 'cut' });
    await save.click();
    await page.getByRole('button', { name: 'Print label: Box 3', includeHidden: true }).waitFor({ state: 'attached' });
    reconnect();
    await dialog.getByText('Box 3: weight and size').waitFor();
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await boxes()).toEqual([
      ['1', 3],
      ['2', 7],
      ['3', 5],
    ]);
    await page.getByRole('button', { name: 'Print label: Box 3' }).waitFor();
    await expectConserved(desk.town, id);
  });

  it('says that the last box was recorded as it was first sent, if the user corrects it after a lost response', async () => {
    const id = await pickedOrder(desk.town, 'C8', { type: 'ASSOCIATE_DELIVERY', lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { viewport: 'narrow' });
    await catchPapers(page);
    const dialog = page.getByRole('dialog');
    const weight = dialog.getByLabel('Weight of the packed box');
    const save = dialog.getByRole('button', { name: 'Close the box and print' });
    await page.getByRole('button', { name: 'Into the box: Stoneware mug, white' }).click();
    await page.getByRole('button', { name: 'Close the box' }).click();
    await weight.fill('2');
    // Texts of two characters that arrive within milliseconds would count as a code of a scanner app.
    for (const side of ['Length', 'Width', 'Height']) await dialog.getByLabel(side).fill('9');
    const restore = desk.proxy.always(/PUT .*package\/update/, { kind: 'cut' });
    await save.click();
    await page.getByRole('button', { name: 'Print label: Box 1', includeHidden: true }).waitFor({ state: 'attached' });
    restore();
    await weight.fill('3');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Recorded with the weight and tracking number of the first try').waitFor();
    await expectConserved(desk.town, id);
  });

  it('records broken units once if the response is lost and retries are rejected for the moment', async () => {
    const id = await pickedOrder(desk.town, 'C7', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 5]] });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { viewport: 'narrow', allow: [/503/] });
    const dialog = page.getByRole('dialog');
    const record = dialog.getByRole('button', { name: 'Record' });
    await page.getByRole('button', { name: 'Broken or missing: Stoneware mug, white' }).click();
    await dialog.getByLabel('Missing').check();
    const restore = desk.proxy.always(/POST .*\/decline/, { kind: 'cut' });
    await record.click();
    await dialog.getByRole('alert').waitFor();
    restore();
    const reconnect = desk.proxy.always(/POST .*\/decline/, {
      kind: 'refuse',
      status: 503,
      body: { code: 'UNAVAILABLE', description: 'Not now' },
    });
    await record.click();
    await dialog.getByText('Not now').waitFor();
    reconnect();
    // The number that was sent cannot be changed any more.
    await dialog.getByLabel('How many units?', { exact: true }).fill('2');
    await record.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 unit taken out of the order').waitFor();
    expect((await orderOf(desk.town, id)).lines[0]).toMatchObject({ declinedQuantity: 1 });
    await expectConserved(desk.town, id);
  });
});

describe('the delivery', () => {
  it('records an attempt without a customer at home, then the delivery; the cash is shown', async () => {
    const id = await pickedOrder(desk.town, 'C1', {
      type: 'ASSOCIATE_DELIVERY',
      lines: [['MUG-WHT', 2]],
      more: { cashOnDelivery: 20 },
    });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`);
    await catchPapers(page);
    await page.locator('.pack-box').waitFor();
    for (let n = 0; n < 2; n += 1) await wedge(page, '21-MUG-WHT');
    await closeBox(page, '1');
    await page.getByText('It waits for delivery.').waitFor();
    await show(page, '/deliver');
    await wedge(page, id);
    // The list shows the addresses of all deliveries.
    await page.getByText('$20.00').waitFor();
    await page.getByText('3 Tide Lane').waitFor();
    const sheet = await printedBy(page, 'Print delivery sheet');
    for (const text of ['3 Tide Lane', '$20.00', 'Stoneware mug, white']) expect(sheet).toContain(text);
    await page.getByRole('button', { name: 'Not at home' }).click();
    await page.getByRole('button', { name: 'Record the attempt' }).click();
    await page.getByRole('heading', { name: 'Recorded: customer not at home' }).waitFor();
    expect((await orderOf(desk.town, id)).status).toBe('1500');
    await show(page, `/deliver`);
    await show(page, `/deliver/${STORE}/${id}`);
    const restore = desk.proxy.always(/POST .*\/deliver$/, { kind: 'cut' });
    await page.getByRole('button', { name: 'Delivered 2 units' }).click();
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    restore();
    await page.getByText('Collect $20.00 now').waitFor();
    const order = await orderOf(desk.town, id);
    expect([order.status, order.charged?.length]).toEqual(['3900', 1]);
    await expectConserved(desk.town, id);
  });

  it('shows the cash of a part as soon as the order can be read, and until then that it is not known', async () => {
    const id = await pickedOrder(desk.town, 'C1', {
      type: 'ASSOCIATE_DELIVERY',
      lines: [['MUG-WHT', 2]],
      more: { cashOnDelivery: 5 },
    });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`, { allow: [/503/] });
    await catchPapers(page);
    await page.locator('.pack-box').waitFor();
    for (let n = 0; n < 2; n += 1) await wedge(page, '21-MUG-WHT');
    await closeBox(page, '1');
    await page.getByText('It waits for delivery.').waitFor();
    await show(page, `/deliver/${STORE}/${id}`);
    await page.getByRole('button', { name: /^Change: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Hand over now −1' }).click();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await dialog.waitFor({ state: 'detached' });
    const restore = desk.proxy.always(
      ({ method, url }) => method === 'GET' && url.includes(`/fulfillmentOrders/${id}`),
      { kind: 'refuse', status: 503 },
    );
    await page.getByRole('button', { name: 'Delivered 1 unit' }).click();
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    const unknown = page.getByRole('alert').getByText('the cash to collect is not known yet. It is at most $5.00');
    await unknown.waitFor();
    restore();
    await page.getByText('Collect $5.00 now').waitFor();
    expect(await unknown.count()).toBe(0);
  });

  it('of an order that is not packed says where to pack it, and of a pickup where to hand it over', async () => {
    const id = await pickedOrder(desk.town, 'C3', { type: 'ASSOCIATE_DELIVERY', lines: [['MUG-WHT', 1]] });
    const page = await openAs(desk, 'associate', `/deliver/${STORE}/${id}`);
    await page.getByText('It waits for packing. Open it under “Pack”.').waitFor();
    const service = page.getByText(/allowed only in status \d{4}/);
    expect(await service.isVisible()).toBe(false);
    await page.getByText('Why?').tap();
    await service.waitFor();
    const pickup = await pickedOrder(desk.town, 'C4', { lines: [['MUG-WHT', 1]] });
    await show(page, `/deliver/${STORE}/${pickup}`);
    await page.getByText('It waits for its customer. Open it under “Hand over”.').waitFor();
  });

  it('of a part names the units that remain, where they go back, and delivers the rest', async () => {
    const id = await pickedOrder(desk.town, 'C1', { type: 'ASSOCIATE_DELIVERY', lines: [['MUG-WHT', 3]] });
    const page = await openAs(desk, 'associate', `/pack/${STORE}/${id}`);
    await catchPapers(page);
    await page.locator('.pack-box').waitFor();
    for (let n = 0; n < 3; n += 1) await wedge(page, '21-MUG-WHT');
    await closeBox(page, '1');
    await page.getByText('It waits for delivery.').waitFor();
    await show(page, `/deliver/${STORE}/${id}`);
    await page.getByRole('button', { name: /^Change: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Hand over now', { exact: true }).fill('0');
    await dialog.getByLabel('Does not want', { exact: true }).fill('1');
    await dialog.getByText('2 units remain for later').waitFor();
    await dialog.getByRole('radio').first().check();
    await dialog.getByRole('button', { name: 'OK' }).click();
    await page.getByRole('button', { name: 'Record 1 rejected unit' }).click();
    await page.getByText('Put 1 rejected unit back on the shelf now').waitFor();
    const { holdLocation } = await orderOf(desk.town, id);
    await page.getByText(`2 units remain for later. Bring them back to ${holdLocation}.`).waitFor();
    await page.getByRole('button', { name: 'Deliver the rest now' }).click();
    await page.getByRole('button', { name: 'Delivered 2 units' }).click();
    await page.getByRole('heading', { name: 'Delivered' }).waitFor();
    expect(await page.getByText('for later').count()).toBe(0);
    expect((await orderOf(desk.town, id)).status).toBe('3900');
    await expectConserved(desk.town, id);
  });
});

describe('the screens', () => {
  it.each(['light', 'dark'] as const)('are accessible, fit and have large targets (%s)', async (theme) => {
    const parcel = await pickedOrder(desk.town, 'A1', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 2]] });
    const page = await openAs(desk, 'associate', '/pack', { theme, viewport: 'narrow' });
    for (const one of ['/pack', `/pack/${STORE}/${parcel}`, '/deliver']) {
      await show(page, one);
      await page.locator('.counter-row, .pack-box, .empty').first().waitFor();
      expect(await smallTargets(page)).toEqual([]);
      for (const [width, height] of [
        [320, 568],
        [768, 1024],
        [1440, 900],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect([one, width, await beyondEdge(page)]).toEqual([one, width, []]);
        expect(await axe(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 320, height: 568 });
    }
    expect(NODE).toBe(desk.town.nodeId);
  });
});
