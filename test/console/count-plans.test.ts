/**
 * Count plans in a real browser: a lead creates and approves a plan on a desktop and on a phone; associates count
 * without seeing the expected units.
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import { smallTargets, wedge } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
const MUG = '21-MUG-WHT';
const LAMP = '21-LAMP-BRS';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
  const { client, operator } = desk.town;
  const node = (await operator('GET', NODE)).body as Record<string, unknown>;
  await operator('PUT', NODE, { ...node, stock: 'KEPT' });
  for (const [itemId, pickLocation] of [
    [MUG, 'Q-1'],
    [LAMP, 'Q-2'],
  ] as const) {
    await operator('PUT', `${NODE}/items/${itemId}`, { pickLocation });
  }
  await client.post(`${NODE}/counts`, {
    countId: 'first',
    userId: 'cleo',
    lines: [MUG, LAMP].map((itemId) => ({ itemId, counted: 5, revision: 0 })),
  });
});
afterAll(() => desk.close());

const shelfOf = async (itemId: string) =>
  ((await desk.town.client.get(`${NODE}/stock?itemId=${itemId}`)).body.stock[0] as { shelf: number }).shelf;

const SHOTS = process.env['TEST_SHOTS'];
/** Takes a screenshot for a review of the screens if TEST_SHOTS names a folder. */
async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** Collects the service's responses about count plans that a page receives. */
function heard(page: Page): string[] {
  const texts: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/countPlans')) void response.text().then((text) => texts.push(text));
  });
  return texts;
}

const numberOf = async (page: Page, name: string, digits: string) => {
  await page.getByRole('button', { name: `Number: ${name}` }).click();
  const dialog = page.getByRole('dialog');
  for (const digit of digits) await dialog.getByRole('button', { name: digit, exact: true }).click();
  await dialog.getByRole('button', { name: 'OK' }).click();
};

describe('a count plan', () => {
  it('is made by a lead, counted blind by two persons, and approved by the lead', async () => {
    const lead = await openAs(desk, 'lead', '/stock/plans', { viewport: 'desk', clock: true });
    await lead.getByText('No count plan').waitFor();
    await lead.getByText('Harbour Street').waitFor();
    const idle = await openAs(desk, 'associate', '/stock/plans', { viewport: 'narrow' });
    await idle.getByText('No count plan').waitFor();
    expect(await idle.locator('.screen-actions, .actions').count()).toBe(0);
    await lead.getByRole('button', { name: 'New count plan' }).click();
    const dialog = lead.getByRole('dialog');
    await dialog.getByLabel('By place').check();
    await dialog.getByLabel('Places').fill('Z-9');
    await dialog.getByRole('button', { name: 'Make the list' }).click();
    await dialog.getByText('No item of this place matches. Choose another rule.').waitFor();
    expect(await dialog.getByText(/BINS|Something/).count()).toBe(0);
    await dialog.getByLabel('Places').fill('Q-');
    await dialog.getByLabel('Name').fill('Wall Q');
    await shot(lead, 'count-plan-new');
    await dialog.getByRole('button', { name: 'Make the list' }).click();
    await lead.getByRole('heading', { name: 'Wall Q' }).waitFor();
    await lead.getByText('Stoneware mug, white').waitFor();
    await lead.getByRole('button', { name: 'Open', exact: true }).click();
    await lead.getByText('0 of 2 counted').first().waitFor();

    const ana = await openAs(desk, 'associate', '/', { viewport: 'phone' });
    const texts = heard(ana);
    await ana.getByRole('link', { name: /Count stock/ }).click();
    await ana.getByRole('link', { name: /Wall Q/ }).click();
    await ana.getByRole('link', { name: 'Count', exact: true }).click();
    await ana.getByText('Still to count: 2 of 2').waitFor();
    await wedge(ana, '400000000046');
    await ana.locator('.receive-count', { hasText: '1' }).waitFor();
    await wedge(ana, '400000000046');
    await ana.locator('.receive-count', { hasText: '2' }).waitFor();
    await shot(ana, 'count-plan-count');
    await ana.reload();
    ana.setDefaultTimeout(15_000);
    await numberOf(ana, 'Brass desk lamp', '5');
    await ana.getByRole('button', { name: 'Send 2 lines' }).click();
    await ana.getByText('Another person counts 1 line again.').waitFor();
    // The open screen of the lead reads the plan again every 15 seconds.
    await lead.clock.fastForward('00:15');
    await lead.getByText('1 of 2 counted').first().waitFor();
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => /shelf|difference|firstCounted|available/.test(text))).toEqual([]);

    const clerk = await openAs(desk, 'clerk', '/stock/plans', { viewport: 'phone' });
    await clerk.getByRole('link', { name: /Wall Q/ }).click();
    await clerk.getByRole('link', { name: 'Count', exact: true }).click();
    await clerk.getByText('Still to count: 1 of 2').waitFor();
    await wedge(clerk, '400000000053');
    await clerk.getByText('Brass desk lamp is not in this plan').waitFor();
    await numberOf(clerk, 'Stoneware mug, white', '3');
    await clerk.getByRole('button', { name: 'Send 1 line' }).click();
    await clerk.getByRole('heading', { name: 'Every line is counted' }).waitFor();

    const phone = await openAs(desk, 'lead', '/', { viewport: 'phone', clock: true });
    await phone.getByRole('link', { name: /Count stock/ }).click();
    await phone.getByRole('link', { name: /Wall Q/ }).click();
    await phone.getByText('1 line differs').first().waitFor();
    await phone.getByText('2 by Ana Ruiz').waitFor();
    await shot(phone, 'count-plan-approve');
    expect(await shelfOf(MUG)).toBe(5);

    const again = phone.getByRole('button', { name: 'Count again: Stoneware mug, white' });
    await again.click();
    await shot(phone, 'count-plan-recount');
    const read = phone.waitForResponse(/countPlans/);
    await phone.clock.fastForward('00:15');
    await (await read).finished();
    expect(await again.getAttribute('aria-pressed')).toBe('true');
    await phone.getByRole('button', { name: 'Have 1 line counted again' }).click();
    await phone.getByText('1 of 2 counted').first().waitFor();
    expect(await phone.getByText('3 by').count()).toBe(0);
    await ana.getByRole('button', { name: 'All plans' }).click();
    await ana.getByRole('link', { name: /Wall Q/ }).click();
    await ana.getByRole('link', { name: 'Count', exact: true }).click();
    await numberOf(ana, 'Stoneware mug, white', '4');
    await ana.getByRole('button', { name: 'Send 1 line' }).click();
    await ana.getByRole('heading', { name: 'Every line is counted' }).waitFor();
    await phone.reload();
    await phone.getByText('4 by Ana Ruiz').waitFor();
    await phone.getByRole('button', { name: 'Approve and change the stock' }).click();
    await phone.getByText(/Approved by Leo/).waitFor();
    expect([await shelfOf(MUG), await shelfOf(LAMP)]).toEqual([4, 5]);
  });

  it('is made of single items by scan, and loses those that the lead removes', async () => {
    const lead = await openAs(desk, 'lead', '/stock/plans', { viewport: 'narrow' });
    await lead.getByRole('button', { name: 'New count plan' }).click();
    const dialog = lead.getByRole('dialog');
    await dialog.getByLabel('Items one by one').check();
    await dialog.getByLabel('Name').fill('Two items');
    await dialog.getByRole('button', { name: 'Choose items' }).click();
    await lead.getByRole('heading', { name: 'Two items' }).waitFor();
    await lead.getByText('No item yet').waitFor();
    await lead.getByText('Add an item first').waitFor();
    await wedge(lead, '400000000053');
    await lead.getByText('Brass desk lamp is in the plan').waitFor();
    await wedge(lead, '400000000046');
    await lead.getByText('Stoneware mug, white is in the plan').waitFor();
    await wedge(lead, '400000000046');
    await lead.getByText('Stoneware mug, white was in the plan already').waitFor();
    await wedge(lead, '9999999');
    await lead.getByText('No item has the code 9999999').waitFor();
    expect([await axe(lead), await beyondEdge(lead), await smallTargets(lead)]).toEqual([[], [], []]);
    await shot(lead, 'count-plan-draft');
    await lead.getByRole('button', { name: 'Remove: Stoneware mug, white' }).click();
    await lead.getByText('Stoneware mug, white is not in the plan any more').waitFor();
    await expect.poll(() => lead.getByRole('button', { name: /^Remove/ }).count()).toBe(1);
    await lead.getByRole('button', { name: 'Open', exact: true }).click();
    await lead.getByText('0 of 1 counted').first().waitFor();
    expect(await lead.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await lead.getByRole('button', { name: 'Discard' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('gets every item that is scanned while an earlier one is being saved', async () => {
    const lead = await openAs(desk, 'lead', '/stock/plans', { viewport: 'narrow' });
    await lead.getByRole('button', { name: 'New count plan' }).click();
    const dialog = lead.getByRole('dialog');
    await dialog.getByLabel('Items one by one').check();
    await dialog.getByLabel('Name').fill('Fast');
    await dialog.getByRole('button', { name: 'Choose items' }).click();
    await lead.getByText('No item yet').waitFor();
    const remove = lead.getByRole('button', { name: /^Remove/ });
    // After the first round, the device knows the items, so a scan needs no search.
    for (const round of [1, 2]) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      if (round === 2) await lead.route(/\/lines$/, (route) => promise.then(() => route.continue()));
      await wedge(lead, '400000000053');
      if (round === 1) await expect.poll(() => remove.count()).toBe(1);
      await wedge(lead, '400000000046');
      resolve(undefined);
      await expect.poll(() => remove.count()).toBe(2);
      const names = await remove.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!));
      for (const name of names) await lead.getByRole('button', { name }).click();
      await expect.poll(() => remove.count()).toBe(0);
    }
  });

  it('says while a change is being saved, and which item was not saved, until its next scan', async () => {
    const lead = await openAs(desk, 'lead', '/stock/plans', { viewport: 'narrow' });
    await lead.getByRole('button', { name: 'New count plan' }).click();
    const dialog = lead.getByRole('dialog');
    await dialog.getByLabel('Items one by one').check();
    await dialog.getByLabel('Name').fill('Slow');
    await dialog.getByRole('button', { name: 'Choose items' }).click();
    await lead.getByText('No item yet').waitFor();
    // The time limit of a change is 30 s. The test shortens it.
    await lead.evaluate(() => {
      const limit = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => limit(ms / 20);
    });
    await lead.route(/\/lines$/, () => undefined, { times: 1 });
    await wedge(lead, '400000000053');
    await lead.getByText('Saving 1 change').waitFor();
    await wedge(lead, '400000000046');
    await lead.getByText('Stoneware mug, white is in the plan').waitFor();
    await lead.getByText('Not saved: Brass desk lamp').waitFor();
    await wedge(lead, '400000000053');
    await lead.getByText('Brass desk lamp is in the plan').waitFor();
    expect(await lead.getByRole('alert').count()).toBe(0);
    expect(await lead.getByRole('button', { name: /^Remove/ }).count()).toBe(2);
  });

  it('without a name has the day of its node, not of UTC', async () => {
    const { clock, client } = desk.town;
    const before = clock.now;
    // At this time it is 22:30 of the previous day in New York.
    clock.now = Date.parse(`${new Date(before + 24 * 3_600_000).toISOString().slice(0, 10)}T02:30:00Z`);
    const made = await client.post(`${NODE}/countPlans`, { planId: 'night', userId: 'leo', rule: { type: 'ITEMS' } });
    clock.now = before;
    expect(made.status, made.text).toBe(201);
    const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(before);
    for (const path of ['/stock/plans', '/stock/plans/night']) {
      const page = await openAs(desk, 'lead', path);
      await page.getByText(`Items one by one · ${day}`).waitFor();
    }
    expect((await client.post(`${NODE}/countPlans/night/discard`, { userId: 'leo' })).status).toBeLessThan(300);
  });

  it('leaves a line that a person counted to another person', async () => {
    const { client } = desk.town;
    const made = await client.post(`${NODE}/countPlans`, {
      planId: 'again',
      userId: 'leo',
      name: 'Again',
      rule: { type: 'BINS', bins: ['Q-1'] },
      secondCount: 'ALWAYS',
    });
    expect(made.status).toBe(201);
    await client.post(`${NODE}/countPlans/again/open`, { userId: 'leo' });
    const ana = await openAs(desk, 'associate', '/stock/plans/again/count', { viewport: 'narrow' });
    await ana.getByRole('button', { name: 'None there: Stoneware mug, white' }).click();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await ana.route('**/countPlans/again/counts', async (route) => {
      await held;
      await route.continue();
    });
    await ana.getByRole('button', { name: 'Send 1 line' }).click();
    // While the line is saved, the console does not count a scan, because the scanned unit would be lost.
    await wedge(ana, '400000000046');
    await ana.getByText('This count is being saved').waitFor();
    release();
    await ana.getByText('Another person counts 1 line again.').waitFor();
    expect(await ana.getByText(/differ/).count()).toBe(0);
    await ana.reload();
    await ana.getByRole('button', { name: 'All plans' }).waitFor();
    const other = await client.post(`${NODE}/countPlans/again/discard`, { userId: 'leo' });
    expect(other.status).toBe(204);
  });

  it('drops a line that another person has counted in the meantime, and the others can be sent', async () => {
    const { client } = desk.town;
    const rule = { type: 'BINS', bins: ['Q-'] };
    const made = await client.post(`${NODE}/countPlans`, { planId: 'both', userId: 'leo', rule, secondCount: 'NEVER' });
    expect(made.status, made.text).toBe(201);
    await client.post(`${NODE}/countPlans/both/open`, { userId: 'leo' });
    const ana = await openAs(desk, 'associate', '/stock/plans/both/count', { viewport: 'narrow' });
    const cleo = await openAs(desk, 'clerk', '/stock/plans/both/count', { viewport: 'narrow' });
    await ana.getByText('Still to count: 2 of 2').waitFor();
    await cleo.getByText('Still to count: 2 of 2').waitFor();
    await numberOf(cleo, 'Stoneware mug, white', '5');
    await numberOf(cleo, 'Brass desk lamp', '5');
    await cleo.getByText('Send 2 lines').waitFor();
    await numberOf(ana, 'Stoneware mug, white', '4');
    await ana.getByRole('button', { name: 'Send 1 line' }).click();
    await ana.getByRole('heading', { name: 'Sent' }).waitFor();
    await cleo.getByRole('button', { name: 'Send 2 lines' }).click();
    await cleo.getByText('Still to count: 1 of 2').waitFor();
    await cleo.getByRole('button', { name: 'Send 1 line' }).click();
    await cleo.getByRole('heading', { name: 'Every line is counted' }).waitFor();
    expect((await client.post(`${NODE}/countPlans/both/discard`, { userId: 'leo' })).status).toBe(204);
  });

  it('does not count a line that another person has counted before its first unit', async () => {
    const { client } = desk.town;
    const rule = { type: 'BINS', bins: ['Q-'] };
    await client.post(`${NODE}/countPlans`, { planId: 'late', userId: 'leo', rule, secondCount: 'NEVER' });
    await client.post(`${NODE}/countPlans/late/open`, { userId: 'leo' });
    const page = await openAs(desk, 'associate', '/stock/plans/late/count', { viewport: 'narrow' });
    await page.getByText('Still to count: 2 of 2').waitFor();
    const { body } = await client.get(`${NODE}/countPlans/late`);
    const [line] = (body.lines as { itemId: string; place: string; revision: number }[]).filter(
      ({ itemId }) => itemId === MUG,
    );
    const { itemId, place, revision } = line!;
    const counted = await client.post(`${NODE}/countPlans/late/counts`, {
      countId: 'other',
      userId: 'cleo',
      lines: [{ itemId, place, revision, counted: 5 }],
    });
    expect(counted.status, counted.text).toBeLessThan(300);
    await wedge(page, '400000000046');
    await page.getByText('Stoneware mug, white is not in this plan').waitFor();
    await page.getByText('Still to count: 1 of 2').waitFor();
    expect((await client.post(`${NODE}/countPlans/late/discard`, { userId: 'leo' })).status).toBe(204);
  });

  it('with several places counts a scan at the place that the user chose', async () => {
    const { client } = desk.town;
    const rule = { type: 'BINS', bins: ['Q-1'] };
    const plan = { planId: 'places', userId: 'leo', rule, places: ['SHELF', 'STAGE'], secondCount: 'NEVER' };
    const made = await client.post(`${NODE}/countPlans`, plan);
    expect(made.status, made.text).toBe(201);
    await client.post(`${NODE}/countPlans/places/open`, { userId: 'leo' });
    const page = await openAs(desk, 'associate', '/stock/plans/places/count', { viewport: 'narrow' });
    await page.getByText('Still to count: 2 of 2').waitFor();
    await wedge(page, '400000000046');
    await page.getByText('1 × Stoneware mug, white · Shelf').waitFor();
    await page.getByRole('button', { name: 'Staged', exact: true }).click();
    await wedge(page, '400000000046');
    await page.getByText('1 × Stoneware mug, white · Staged').waitFor();
    expect([await axe(page), await beyondEdge(page), await smallTargets(page)]).toEqual([[], [], []]);
    await shot(page, 'count-plan-places');
    expect((await client.post(`${NODE}/countPlans/places/discard`, { userId: 'leo' })).status).toBe(204);
  });

  it('counts its own item if a scanned code belongs to several items', async () => {
    const { client } = desk.town;
    for (const clientItemId of ['PAIR-A', 'PAIR-B']) {
      const itemId = `21-${clientItemId}`;
      const made = await client.put(`/item-service/clients/TOWN/items/${itemId}`, {
        ...{ catalogId: '21', clientId: 'TOWN', clientItemId, itemId, description: `Lamp ${clientItemId}` },
        ...{ type: 'MERCH', salesClass: 'stock', styleId: '', taxCode: '' },
        upcs: [{ upcType: 'UPC', upc: '400000000916' }],
      });
      expect(made.status, made.text).toBeLessThan(300);
    }
    const plan = { planId: 'pair', userId: 'leo', rule: { type: 'ITEMS' }, places: ['SHELF'], secondCount: 'NEVER' };
    const made = await client.post(`${NODE}/countPlans`, plan);
    expect(made.status, made.text).toBe(201);
    const add = [{ itemId: '21-PAIR-B', place: 'SHELF' }];
    const changed = await client.post(`${NODE}/countPlans/pair/lines`, { userId: 'leo', add });
    expect(changed.status, changed.text).toBe(200);
    await client.post(`${NODE}/countPlans/pair/open`, { userId: 'leo' });
    const page = await openAs(desk, 'associate', '/stock/plans/pair/count', { viewport: 'narrow' });
    await page.getByText('Still to count: 1 of 1').waitFor();
    await wedge(page, '400000000916');
    await page.getByText('1 × Lamp PAIR-B').waitFor();
    expect((await client.post(`${NODE}/countPlans/pair/discard`, { userId: 'leo' })).status).toBe(204);
  });

  it('is accessible, fits and has large targets on all its screens', async () => {
    const { client } = desk.town;
    const rule = { type: 'BINS', bins: ['Q-'] };
    await client.post(`${NODE}/countPlans`, { planId: 'look', userId: 'leo', rule });
    await client.post(`${NODE}/countPlans/look/open`, { userId: 'leo' });
    for (const theme of ['light', 'dark'] as const) {
      const page = await openAs(desk, 'lead', '/stock/plans', { theme, viewport: 'narrow' });
      for (const [one, text] of [
        ['/stock/plans', 'Wall Q'],
        ['/stock/plans/look', 'Stoneware mug, white'],
        ['/stock/plans/look/count', 'Stoneware mug, white'],
      ] as const) {
        await page.evaluate((to) => {
          location.hash = to;
        }, one);
        await page.getByText(text).first().waitFor();
        expect([one, await smallTargets(page)]).toEqual([one, []]);
        for (const width of theme === 'light' ? [320, 1440] : [320]) {
          await page.setViewportSize({ width, height: 700 });
          await shot(page, `count-plan-${one.split('/').join('-')}-${theme}-${width}`);
          expect([one, width, await beyondEdge(page)]).toEqual([one, width, []]);
          expect([one, await axe(page)]).toEqual([one, []]);
        }
        await page.setViewportSize({ width: 320, height: 568 });
      }
    }
  });
});
