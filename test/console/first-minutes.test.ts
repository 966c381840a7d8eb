/**
 * The first minutes in a real browser: a demo that starts with one tap, choosing a PIN, the lock screen, the first home
 * screen.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, type Console, enroll, openConsole, signIn } from './support/browser.ts';
import { pickedOrder, wedge } from './support/counter.ts';
import { openAs } from './support/sign-in.ts';

const TRY = [
  { role: 'associate', clientId: 'TOWN', userId: 'ana', name: 'Ana Ruiz', password: 'harbour-street-ana' },
  { role: 'manager', clientId: 'TOWN', userId: 'mara', name: 'Mara Quinn', password: 'harbour-street-mara' },
];

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ tryPeople: () => TRY });
});
afterAll(() => desk.close());

describe('a demo', () => {
  it('lets a visitor be each person with one tap', async () => {
    const page = await desk.page({});
    const people = page.getByRole('region', { name: 'Try the demo as' });
    await people.getByRole('button', { name: /Manager/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    await people.getByRole('button', { name: /Associate/ }).click();
    await page.getByRole('heading', { name: 'Ana Ruiz' }).waitFor();
  });
});

describe('a device of the store', () => {
  const open = async () => {
    const page = await desk.page({ path: null });
    await enroll(page.context(), desk.origin, desk.town);
    await page.addInitScript(() => {
      const device = { deviceId: 'D', nodeId: 'TOWN-Store001', name: 'Phone Ana', nodeName: 'Harbour Street' };
      localStorage.setItem('backroom.device', JSON.stringify(device));
    });
    await page.goto(`${desk.origin}/console/`);
    await page.locator('[name="badge"]').waitFor();
    // The screen sets the focus once, after it opens. Text that is typed earlier would go to another field.
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('badge');
    return page;
  };

  it('says its name and its store, and the badge field has the focus', async () => {
    const page = await open();
    await page.getByText('Phone Ana · Harbour Street').waitFor();
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('badge');
  });

  it('takes a PIN that comes in one piece for a PIN; each rejected new one says its rule once, and the good one can be shown', async () => {
    const page = await open();
    const { pin } = (await desk.town.operator('POST', '/operator/v1/clients/TOWN/users/ana/pin')).body as {
      pin: string;
    };
    await page.locator('[name="badge"]').fill('ana');
    await page.locator('[name="pin"]').focus();
    // Text without a pause between two fields counts as one scanned code; a user types more slowly.
    await page.waitForTimeout(2_000);
    await wedge(page, pin);
    await page.getByRole('heading', { name: 'Choose your PIN' }).waitFor();
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('pin');
    const errors = {
      '4321': 'the PIN is too easy to guess; choose digits without a sequence or repetition',
      '12': 'A PIN has 4 to 8 digits.',
      [pin]: 'this is your present PIN; choose other digits',
    };
    for (const [digits, text] of Object.entries(errors)) {
      await page.locator('[name="pin"]').fill(digits);
      await page.getByRole('button', { name: 'Save PIN and start' }).click();
      await expect.poll(() => page.getByRole('alert').allTextContents()).toEqual([text]);
    }
    expect(await page.getByText(/request id/i).count()).toBe(0);
    await page.locator('[name="pin"]').fill('70931');
    await page.getByRole('button', { name: 'Show the PIN' }).click();
    expect(await page.locator('[name="pin"]').getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Save PIN and start' }).click();
    await page.getByRole('heading', { name: 'Ana Ruiz' }).waitFor();
  });

  /** Unlocks the device with a one-time PIN and types a new PIN. */
  const choose = async (page: Page, pin: string) => {
    const given = (await desk.town.operator('POST', '/operator/v1/clients/TOWN/users/ana/pin')).body as { pin: string };
    await page.locator('[name="badge"]').pressSequentially('ana', { delay: 80 });
    await page.locator('[name="pin"]').pressSequentially(given.pin, { delay: 80 });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Choose your PIN' }).waitFor();
    await page.locator('[name="pin"]').fill(pin);
  };
  const save = (page: Page) => page.getByRole('button', { name: 'Save PIN and start' }).click();

  it('saves a PIN once if the read of the session after it fails', async () => {
    const page = await open();
    await choose(page, '80625');
    await page.route('**/session', (route) => route.abort(), { times: 1 });
    await save(page);
    await page.getByRole('alert').waitFor();
    await save(page);
    await page.getByRole('heading', { name: 'Ana Ruiz' }).waitFor();
  });

  it('asks for the new PIN if the response to it was lost', async () => {
    const page = await open();
    await choose(page, '80626');
    await page.route(
      '**/session/pin',
      async (route) => {
        const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
        const headers = { cookie, 'sec-fetch-site': 'same-origin' };
        const body = route.request().postDataJSON() as object;
        expect((await desk.town.call({ method: 'PUT', path: '/session/pin', headers, body })).status).toBe(204);
        await route.abort();
      },
      { times: 1 },
    );
    await save(page);
    await page.getByRole('alert').waitFor();
    await save(page);
    await page.getByText('Sign in with the PIN that you have just chosen.').waitFor();
  });
});

describe('the first home', () => {
  it('gives one thing to do next, folds what does not wait, and offers the training once', async () => {
    const page = await openAs(desk, 'associate', '/');
    const next = page.getByRole('region', { name: 'Next' });
    await next.getByRole('link').waitFor();
    expect(await page.locator('.button.main').count()).toBe(1);
    const offer = page.getByRole('region', { name: 'New here?' });
    await offer.waitFor();
    expect(await axe(page)).toEqual([]);
    await offer.getByRole('button', { name: 'Not now' }).click();
    await offer.waitFor({ state: 'detached' });
    await page.reload();
    await next.waitFor();
    expect(await offer.count()).toBe(0);
  });

  it('offers no training to a user who has picked with this browser, not even on the next morning', async () => {
    const page = await openAs(desk, 'lead', '/');
    const offer = page.getByRole('region', { name: 'New here?' });
    await offer.waitFor();
    await pickedOrder(desk.town, 'C1', { lines: [['MUG-WHT', 1]], userId: 'leo' });
    await page.reload();
    await offer.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => localStorage.getItem('backroom.training.TOWN.leo'))).toBe('offered');
    desk.town.clock.now += 24 * 3_600_000;
    await signIn(page.context(), desk.origin, desk.town, 'lead');
    await page.reload();
    await page.getByRole('region', { name: 'Next' }).waitFor();
    expect(await offer.count()).toBe(0);
  });

  it('of a desk has the orders that are due first beside it', async () => {
    const page = await openAs(desk, 'lead', '/', { viewport: 'desk' });
    const due = page.getByRole('region', { name: 'Due first' });
    await due.getByRole('link').first().waitFor();
    // For a pick that has not begun, the list shows its start time, as the queue does.
    await due
      .getByText(/^start .* late$/)
      .first()
      .waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it.each([
    ['20 minutes behind', -20],
    ['a year ahead', 365 * 24 * 60],
  ])('has the due times of the service if the clock of the device is %s', async (_name, minutes) => {
    const right = await openAs(desk, 'associate', '/');
    const wrong = await desk.page({ as: 'associate', path: null });
    await wrong.addInitScript((ahead) => {
      const { now } = Date;
      Date.now = () => now() + ahead;
    }, minutes * 60_000);
    await wrong.goto(`${desk.origin}/console/`);
    const dueTimes = async (page: Page) => {
      await page.locator('.tile .due').first().waitFor();
      return page.locator('.tile .due').allInnerTexts();
    };
    // Each page updates its minutes at a different moment, so the texts can differ for a short time.
    const differ = async () => (await dueTimes(right)).join() !== (await dueTimes(wrong)).join();
    await expect.poll(differ).toBe(false);
  });
});
