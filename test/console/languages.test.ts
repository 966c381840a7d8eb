/** A German screen gets the service's texts in German, for requests of a form and of the outbox. */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Console, openConsole } from './support/browser.ts';
import { NODE, orderOf, STORE } from './support/harness.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
});
afterAll(() => desk.close());

/** Chooses a language before the first screen opens. */
async function choose(page: Page, language: string): Promise<void> {
  await page.addInitScript((one) => {
    localStorage.setItem('backroom.language', one);
    localStorage.setItem('backroom.place', JSON.stringify({ clientId: 'TOWN', nodeId: 'TOWN-Store001' }));
  }, language);
}

/** Collects the languages of the page's requests to the service. */
function languagesOf(page: Page): Set<string | undefined> {
  const asked = new Set<string | undefined>();
  page.on('request', (request: Request) => {
    if (/\/(operator|stores|session)\b/.test(new URL(request.url()).pathname)) {
      asked.add(request.headers()['accept-language']);
    }
  });
  return asked;
}

async function ticketOfAna(): Promise<string> {
  await desk.town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, [
    orderOf('L00001', [['MUG-WHT', 2]], desk.town.clock.now),
  ]);
  const made = await desk.town.client.post(`/stores/${STORE}/nodes/${NODE}/pickTicket/generate`, {
    storeId: STORE,
    nodeId: NODE,
    queueId: 'WAITING_FOR_PICK_ISPU',
    userId: 'ana',
    modifyAssociateId: 'ana',
    fulfillmentOrderIds: ['L00001'],
  });
  return made.body.pickTicketDetails[0].pickTicketId;
}

describe('a German screen', () => {
  it('shows an error of the service in German', async () => {
    const page = await desk.page({ path: null, worker: false, viewport: 'desk' });
    await choose(page, 'de');
    await page.goto(`${desk.origin}/console/`);
    await page.locator('[name="clientId"]').fill('TOWN');
    await page.locator('[name="userId"]').fill('ana');
    await page.locator('[name="password"]').fill('not the password of ana');
    await page.locator('form button[type="submit"]').click();
    const notice = page.getByRole('alert');
    await notice.waitFor();
    expect(await notice.innerText()).toContain(
      'Benutzer, Passwort oder PIN ist falsch, oder der Benutzer hat hier keinen Zugang.',
    );
    expect(await notice.innerText()).not.toMatch(/\b(the|is|wrong|password)\b/);
  });

  it('asks for German with each request, that of a scan too', async () => {
    const ticket = await ticketOfAna();
    const page = await openAs(desk, 'associate', '/', { worker: false });
    await choose(page, 'de');
    const asked = languagesOf(page);
    await page.goto(`${desk.origin}/console/#/pick/${STORE}/${ticket}`);
    await page.reload();
    const scans = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/scans'));
    await page.getByRole('button', { name: '1 gefunden' }).first().click();
    expect((await scans).headers()['accept-language']).toBe('de');
    expect([...asked]).toEqual(['de']);
  });

  it('shows why an action is blocked in German, and in Spanish for a person who changes the language', async () => {
    const order = `/operator/v1/stores/${STORE}/fulfillmentOrders/${desk.town.orders.ready}`;
    const page = await openAs(desk, 'associate', '/', { worker: false });
    const reasonIn = (language: string) =>
      page.evaluate(
        async ([path, accepted]) => {
          const response = await fetch(path!, { headers: { 'accept-language': accepted! } });
          const { allowedActions } = (await response.json()) as { allowedActions: { reason?: string }[] };
          return [response.headers.get('content-language'), allowedActions.find(({ reason }) => reason)?.reason];
        },
        [`${desk.origin}${order}`, language],
      );
    expect(await reasonIn('de')).toEqual(['de', expect.stringMatching(/^der Auftrag ist 1400 Abholbereit; /)]);
    expect(await reasonIn('es')).toEqual(['es', expect.stringMatching(/^el pedido está 1400 Listo para recoger; /)]);
  });
});

describe('the language of a user', () => {
  it('is shown on each device while the user is signed in, and does not become the language of the device', async () => {
    const shown = (page: Page) => expect.poll(() => page.evaluate(() => document.documentElement.lang));
    const signIn = async (page: Page, role: 'associate' | 'lead') => {
      const { clientId, userId, password } = desk.town.people[role];
      await page.locator('[name="clientId"]').fill(clientId!);
      await page.locator('[name="userId"]').fill(userId);
      await page.locator('[name="password"]').fill(password);
      await page.locator('form button[type="submit"]').click();
      await page.locator('[name="password"]').waitFor({ state: 'detached' });
    };
    const signOut = async (page: Page, name: string) => {
      await page.evaluate(() => {
        location.hash = '/me';
      });
      await page.getByRole('button', { name }).click();
      await page.locator('[name="password"]').waitFor();
    };
    const first = await openAs(desk, 'associate', '/me', { worker: false });
    await first.route('**/session/preferences', (route) => route.abort());
    await first.getByLabel('Language').selectOption('de');
    await first.getByRole('alert').waitFor();
    await first.unroute('**/session/preferences');
    expect(await first.getByLabel('Language').inputValue()).toBe('en');
    const saved = first.waitForResponse((response) => response.url().endsWith('/session/preferences'));
    await first.getByLabel('Language').selectOption('es');
    await saved;
    await first.getByRole('button', { name: 'Cerrar sesión' }).waitFor();
    await first.reload();
    await first.getByRole('button', { name: 'Cerrar sesión' }).waitFor();

    const page = await desk.page({ worker: false });
    await page.locator('select').selectOption('de');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
    await signIn(page, 'associate');
    await shown(page).toBe('es');
    await signOut(page, 'Cerrar sesión');
    await shown(page).toBe('de');
    await signIn(page, 'lead');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await shown(page).toBe('de');
    await signOut(page, 'Abmelden');
    const removed = await first.evaluate(async () => {
      const body = JSON.stringify({ language: null });
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/session/preferences', { method: 'PUT', headers, body })).status;
    });
    expect(removed).toBe(204);
  });
});
