/** Goods that customers bring back, at the counter, in a real browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { type Console, openConsole } from './support/browser.ts';
import { openAs } from './support/sign-in.ts';

const SHOTS = process.env['TEST_SHOTS'];
let floor: Console;
beforeAll(async () => {
  floor = await openConsole({ upTo: 'returns' });
});
afterAll(() => floor.close());

describe('at the counter', () => {
  it('an order is taken back with a scan and a tap a unit, and the screen says which refund will be asked for', async () => {
    const { handedOver } = floor.town.orders;
    const page = await openAs(floor, 'associate', `/return/TOWN_US/order/${handedOver}`, { worker: false });
    const add = page.getByRole('button', { name: /^One more of/ }).first();
    await add.click();
    const shot = async (name: string) => {
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
    };
    await shot('return-condition');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /As new/ })
      .click();
    await page.getByText(/A refund of .* will be asked for\./).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await beyondEdge(page)).toEqual([]);
    await shot('return-order');
    await page.getByRole('button', { name: 'Take 1 unit back' }).click();
    await page.getByRole('heading', { name: /Taken back as/ }).waitFor();
    await page.getByText('Tell the customer').waitFor();
    await shot('return-taken');
    const { body } = await floor.town.client.post('/operator/v1/stores/TOWN_US/returns/search', {
      fulfillmentOrderId: handedOver,
      states: ['CLOSED'],
    });
    expect(body.returns.at(-1)).toMatchObject({ kind: 'IN_STORE', totals: { sellable: 1 } });
  });

  it('an announced return is found by its number, and its unit is received', async () => {
    const page = await openAs(floor, 'clerk', '/return', { worker: false });
    await page.getByRole('searchbox').fill('R-2001');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: 'Announced return R-2001' }).waitFor();
    await page.getByRole('button', { name: /^One more of/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Opened/ })
      .click();
    await page.getByRole('button', { name: 'Receive 1 unit' }).click();
    await page.getByText('The refund will be asked for when the return is closed.').waitFor();
    const { body } = await floor.town.client.get('/operator/v1/stores/TOWN_US/returns/R-2001');
    expect(body).toMatchObject({ state: 'RECEIVING', totals: { held: 1, open: 0 } });
  });
});
