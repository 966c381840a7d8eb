import { afterAll, beforeAll, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
});
afterAll(() => desk.close());

const BAND = 'Training: nothing here is real';

it.each([
  ['associate', 'narrow', 'light'],
  ['manager', 'desk', 'dark'],
] as const)('a training of the %s shows its band over every screen until it is left', async (role, viewport, theme) => {
  const page = await openAs(desk, role, '/me', { viewport, theme });
  const band = page.getByText(BAND);
  await page.getByRole('button', { name: 'Start training' }).click();
  await band.waitFor();
  for (const path of ['/', '/tickets', '/me']) {
    await page.evaluate((to) => {
      location.hash = to;
    }, path);
    await page.waitForSelector('#main h1, .screen h1');
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
    await expect.poll(() => band.isVisible()).toBe(true);
    expect([path, await axe(page), await beyondEdge(page)]).toEqual([path, [], []]);
  }
  await expect.poll(() => page.getByText('Your PIN').count()).toBe(0);
  await page.getByRole('button', { name: 'Leave training' }).click();
  await band.waitFor({ state: 'detached' });
  const shown = await page.evaluate(async () => (await (await fetch('/session')).json()) as { user: unknown });
  expect(shown).not.toHaveProperty('training');
  expect(shown.user).toMatchObject({ clientId: 'TOWN' });
});

it('work in a training is as in the store: a ticket, an announced return, and an order to take back', async () => {
  const page = await openAs(desk, 'associate', '/me');
  await page.getByRole('button', { name: 'Start training' }).click();
  await page.getByText(BAND).waitFor();
  await page.waitForSelector('#main .tile, #main a[href*="queue"]');
  const session = await page.evaluate(
    async () => (await (await fetch('/session')).json()) as { user: { clientId: string } },
  );
  expect(session.user.clientId).toMatch(/^training-/);
  const work = await page.innerText('#main');
  expect(work).toMatch(/Pick/);
  const returns = async () => (await desk.town.client.post('/operator/v1/stores/TOWN_US/returns/search', {})).body;
  const before = await returns();
  await page
    .getByRole('link', { name: /^Take back/ })
    .first()
    .click();
  await page.getByRole('link', { name: /R-2001/ }).waitFor();
  await page
    .getByRole('region', { name: 'Handed over: practise with one of these orders' })
    .getByRole('link')
    .first()
    .click();
  await page
    .getByRole('button', { name: /^One more of/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /As new/ })
    .click();
  await page.getByRole('button', { name: 'No reason given' }).click();
  await page.getByRole('button', { name: 'Take 1 unit back' }).click();
  await page.getByRole('heading', { name: /^Taken back as/ }).waitFor();
  expect(await returns()).toEqual(before);
});
