import { afterAll, beforeAll, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, enroll, openConsole, signIn } from './support/browser.ts';
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

it('on a device continues when its user unlocks the screen, and after a sign-in with the password shows Home', async () => {
  const page = await desk.page({ path: null });
  await enroll(page.context(), desk.origin, desk.town);
  await page.addInitScript(() => {
    localStorage.setItem('backroom.device', JSON.stringify({ deviceId: 'D', nodeId: 'TOWN-Store001', name: 'One' }));
    localStorage.setItem('backroom.client', 'TOWN');
  });
  await signIn(page.context(), desk.origin, desk.town, 'associate');
  const own = { headers: { 'sec-fetch-site': 'same-origin' }, data: { pin: '4826' } };
  expect((await page.context().request.put(`${desk.origin}/session/pin`, own)).status()).toBe(204);
  await page.goto(`${desk.origin}/console/#/me`);
  const band = page.getByText(BAND);
  const train = async () => {
    await page.getByRole('button', { name: 'Start training' }).click();
    await band.waitFor();
  };
  await train();
  const lock = async () => {
    await page.evaluate(() => {
      location.hash = '#/me';
    });
    await page.getByRole('button', { name: 'Lock this device' }).click();
    await band.waitFor({ state: 'hidden' });
  };
  await lock();
  await page.locator('[name="badge"]').pressSequentially('ana', { delay: 80 });
  await page.locator('[name="pin"]').pressSequentially('4826', { delay: 80 });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await band.waitFor();
  expect(page.url()).toContain('#/me');
  const stored = await page.evaluate(() => localStorage.getItem('backroom.device'));
  expect(stored).not.toContain('training-');
  const enter = async () => {
    await page.getByRole('button', { name: 'With password' }).click();
    await page.locator('[name="userId"]').pressSequentially('ana', { delay: 80 });
    await page.locator('[name="password"]').pressSequentially(desk.town.people.associate.password, { delay: 80 });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Scan or find anything' }).waitFor();
    expect(await band.count()).toBe(0);
  };
  await lock();
  await enter();
  await page.goto(`${desk.origin}/console/#/me`);
  await train();
  await lock();
  await page.reload();
  await enter();
});

it('a training keeps the language that its user has chosen', async () => {
  const page = await desk.page({ as: 'associate', path: '/console/#/me', clock: true });
  await page.getByRole('button', { name: 'Start training' }).click();
  await page.getByText(BAND).waitFor();
  await page.evaluate(() => {
    location.hash = '/me';
  });
  await page.getByLabel('Language').selectOption('es');
  const language = page.getByLabel('Idioma');
  await language.waitFor();
  const isTold = page.waitForResponse((response) => response.url().endsWith('/session'));
  await page.clock.fastForward('02:10');
  await page.mouse.move(40, 40);
  await (await isTold).finished();
  await page.mouse.move(60, 60);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('es');
  expect(await language.inputValue()).toBe('es');
});
