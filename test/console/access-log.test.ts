/** The access log in a real browser: the users who saw an order, and the data that one user saw. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import { STORE } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
});
afterAll(() => desk.close());

it('has the latest event first, and shows who saw an order and what one person saw', async () => {
  const { ready, arriving } = desk.town.orders;
  for (const [role, id] of [
    ['support', ready],
    ['lead', ready],
    ['lead', arriving],
  ] as const) {
    const reader = await openAs(desk, role, `/office/orders/${STORE}/${id}`, { viewport: 'desk' });
    await reader.getByRole('heading', { name: 'What happened' }).waitFor();
  }
  const page = await openAs(desk, 'manager', '/office/access', { viewport: 'desk' });
  const rows = page.locator('tbody tr');
  await rows.first().getByText('Leo Marsh').waitFor();
  await rows.first().getByText(arriving).waitFor();

  await page.getByLabel('Order', { exact: true }).fill(ready);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect.poll(() => rows.filter({ hasNotText: ready }).count()).toBe(0);
  await rows.filter({ hasText: 'Sami Aalto' }).first().getByText('Saw orders · order page').waitFor();
  await page.getByLabel('Who').selectOption('leo');
  await expect.poll(() => rows.filter({ hasText: 'Sami Aalto' }).count()).toBe(0);
  await rows.first().getByText('Leo Marsh').waitFor();
  expect(await rows.filter({ hasNotText: 'Leo Marsh' }).count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  if (process.env['TEST_SHOTS'] !== undefined)
    await page.screenshot({ path: `${process.env['TEST_SHOTS']}/access.png` });

  await page.getByLabel('Order', { exact: true }).fill('no-such-order');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('Nothing matches').waitFor();
  await page.setViewportSize({ width: 320, height: 568 });
  expect(await beyondEdge(page)).toEqual([]);
});

it('says that it has searched only a part of a long log without events to show, and searches on', async () => {
  const page = await openAs(desk, 'manager', '/home', { viewport: 'desk' });
  const log = await desk.town.operator('GET', '/operator/v1/accessEvents?order=desc&limit=1');
  const last = log.body.events[0].position as number;
  let asked = 0;
  await page.route('**/accessEvents?*', (route) => {
    asked += 1;
    // The list goes back in time. `next` is always the newest position here, so the search after `unroute` finds the events
    // of the town.
    return route.fulfill({ json: { events: [], next: last, nextAfter: last } });
  });
  await page.goto(`${desk.origin}/console/#/office/access`);
  await page.getByText('Nothing found so far').waitFor();
  expect(asked).toBe(10);
  await page.unroute('**/accessEvents?*');
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.locator('tbody tr').first().waitFor();
});
