/** The list of items and the screen of an item in a real browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, type Console, openConsole } from './support/browser.ts';
import { NODE } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
});
afterAll(() => desk.close());

/** Holds an item at the node, as a decline does. */
const holdItem = (itemId: string) =>
  desk.town.store.write((tx) =>
    tx
      .insertInto('node_item_holds')
      .values({
        ...{ client_id: 'TOWN', node_id: NODE, item_id: itemId, policy: 'HOLD_UNTIL_RELEASED' },
        ...{ reason: 'CancelMXOutOfStock', fulfillment_order_id: desk.town.orders.ready },
        created_at: desk.town.clock.now,
      })
      .execute(),
  );

describe('an item', () => {
  it('that the node holds says so, and a lead ends the hold', async () => {
    await holdItem('21-MUG-WHT');
    const clerk = await openAs(desk, 'clerk', '/item/21-MUG-WHT');
    await clerk.getByText('Not offered at this node').waitFor();
    expect(await clerk.getByText('CancelMXOutOfStock').count()).toBe(0);
    expect(await clerk.getByRole('button', { name: 'Free it' }).count()).toBe(0);
    const lead = await openAs(desk, 'lead', '/item/21-MUG-WHT');
    await lead.getByText('Not offered at this node').waitFor();
    expect(await axe(lead)).toEqual([]);
    await lead.getByRole('button', { name: 'Free it' }).click();
    await lead.getByText('Not offered at this node').waitFor({ state: 'detached' });
    const { body } = await desk.town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/holds`);
    expect(body).toEqual({ holds: [] });
  });
});

describe('the list of items', () => {
  it('finds an item by its number in any form, and by a number in its title', async () => {
    const itemId = '21-7519';
    const made = await desk.town.client.put(`/item-service/clients/TOWN/items/${itemId}`, {
      ...{ catalogId: '21', clientId: 'TOWN', clientItemId: '7519', itemId, description: 'Bricks 502341 large' },
      ...{ type: 'MERCH', salesClass: 'stock', styleId: '', taxCode: '' },
    });
    expect(made.status, made.text).toBeLessThan(300);
    for (const text of ['7519', itemId, '502341', 'bric larg']) {
      const page = await openAs(desk, 'lead', `/items?q=${text}`);
      await page.getByText('Bricks 502341 large').waitFor();
      expect(await page.locator('#main .list > *').count()).toBe(1);
    }
  });
});
