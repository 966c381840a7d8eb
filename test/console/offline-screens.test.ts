import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/platform/roles.ts';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, enroll, signIn } from './support/browser.ts';
import { type Device, type Floor, NODE, openFloor, STORE } from './support/harness.ts';
import type { Harness } from './support/harness-page.ts';

declare const harness: Harness;

let floor: Floor;
beforeAll(async () => {
  floor = await openFloor(true);
});
afterEach(() => floor.proxy.reset());
afterAll(() => floor.close());

const MUGS = [['MUG-WHT', 6]] as const;

/** Opens a device with a signed-in user: the console in one tab, and the user's outbox in another. */
async function at(role: Role, options: { theme?: 'light' | 'dark'; viewport?: 'phone' | 'narrow' } = {}) {
  const { userId } = floor.town.people[role];
  const page = await floor.page({ as: role, path: '/console/#/sync', worker: true, ...options });
  await page.getByRole('heading', { name: 'Sync', level: 1 }).waitFor();
  // The files of the other screens are on the device only after the service worker controls the page.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const device = await floor.device(userId, { context: page.context() });
  const ticket = await floor.ticket(userId, MUGS);
  await device.load(ticket);
  return { page, device, ticket, userId };
}

async function takeOver(ticket: string, fromUserId: string, userId: string): Promise<void> {
  const path = `/operator/v1/stores/${STORE}/nodes/${NODE}/pickTickets/${ticket}/takeOver`;
  const taken = await floor.town.client.post(path, { userId, fromUserId, modifyAssociateId: userId });
  expect(taken.status).toBe(200);
}

/** Brings a ticket of the device into conflict: another user takes it over. */
async function inConflict(page: Page, device: Device, ticket: string, from: string, to: string): Promise<string> {
  await takeOver(ticket, from, to);
  const scanId = await device.scan(ticket, 1, 2);
  await page.getByRole('heading', { name: `Ticket ${ticket}` }).waitFor();
  return scanId;
}

describe('the sync screen', () => {
  it('says that all is sent, what waits without the network, and that it was sent', async () => {
    const { page, device, ticket } = await at('associate');
    await page.getByText('The service has everything').waitFor();
    const plug = floor.proxy.unplug();
    await device.scan(ticket, 1);
    // The console's tab tries to send only when the user looks at it again, which the event `focus` simulates.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText('The service cannot be reached').waitFor();
    await page.getByText('1 action waits').waitFor();
    plug();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('The service has everything').waitFor();
    expect((await floor.rows(ticket)).counted).toEqual([[1, 1, 0]]);
  });

  it('shows a conflict as mine, now, and what can be done: an associate asks a lead, gives theirs up, and has it in a file', async () => {
    const { page, device, ticket, userId } = await at('associate');
    const scanId = await inConflict(page, device, ticket, userId, 'leo');
    const card = page.getByRole('article', { name: `Ticket ${ticket}` });
    await card.getByText('2 picked, 0 missing, not sent').waitFor();
    await card.getByText('With Leo Marsh').waitFor();
    expect(await card.getByText(/fromUserId/).count()).toBe(0);
    await card.getByText('0 of 6 picked').waitFor();
    const take = card.getByRole('button', { name: /Take it back/ });
    await expect.poll(() => take.getAttribute('aria-disabled')).toBe('true');
    await card.getByText('A lead can do this').waitFor();
    await card.getByRole('button', { name: 'Give mine up' }).click();
    await card.waitFor({ state: 'detached' });
    await expect.poll(() => device.waiting()).toBe(0);
    await page.getByText('All is sent, except 1 action that you gave up').waitFor();
    expect(await page.getByText('The service has everything').count()).toBe(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a file' }).click();
    const file = JSON.parse(readFileSync(await (await saved).path(), 'utf8'));
    expect(file.setAside).toMatchObject([
      { id: scanId, command: { kind: 'scan', picked: 2 }, conflict: { holder: 'leo' } },
    ]);
    expect((await floor.rows(ticket)).scans).toEqual([]);
  });

  it('sends the work of an associate after the lead has given the ticket back', async () => {
    const { page, device, ticket, userId } = await at('associate');
    const scanId = await inConflict(page, device, ticket, userId, 'leo');
    await takeOver(ticket, 'leo', userId);
    await page.reload();
    await page.getByText('It is yours').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The service has everything').waitFor();
    expect(await floor.rows(ticket)).toMatchObject({ user: userId, scans: [scanId] });
  });

  it('lets a lead take the ticket back and send theirs', async () => {
    const { page, device, ticket, userId } = await at('lead');
    const scanId = await inConflict(page, device, ticket, userId, 'ana');
    await page.getByRole('button', { name: 'Take it back and send mine' }).click();
    await page.getByText('The service has everything').waitFor();
    expect(await floor.rows(ticket)).toMatchObject({ user: userId, scans: [scanId] });
  });

  it('leaves out the scan that the service does not accept, and sends the rest', async () => {
    const { page, device, ticket } = await at('associate');
    const plug = floor.proxy.unplug();
    const kept = [await device.scan(ticket, 1)];
    const wrong = await device.scan(ticket, 9);
    kept.push(await device.scan(ticket, 1));
    plug();
    await device.flush();
    await page.getByText('The service does not accept the counts').waitFor();
    await page.getByRole('button', { name: 'Leave out 1 scan, send the rest' }).click();
    await page.getByText('All is sent, except 1 action that you gave up.').waitFor();
    expect((await floor.rows(ticket)).scans).toEqual(kept);
    expect(await device.page.evaluate(() => harness.unsentText())).toContain(wrong);
  });

  it('names a ticket that went back to its queue', async () => {
    const { page, device, ticket, userId } = await at('associate');
    const reset = { action: 'RESET', pickTicketId: ticket, storeId: STORE, nodeId: NODE, userId };
    await floor.town.client.put(`/stores/${STORE}/nodes/${NODE}/pickTicket/update`, {
      modifyAssociateId: 'leo',
      pickTicketDetails: reset,
    });
    await device.scan(ticket, 1);
    await page.getByText('The ticket went back to its queue').waitFor();
    await page.getByText('Given back to the queue').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)(
    'has no violation of WCAG in the %s theme, and nothing to scroll sideways at 320 px',
    async (theme) => {
      const { page, device, ticket, userId } = await at('associate', { theme, viewport: 'narrow' });
      expect(await axe(page)).toEqual([]);
      await inConflict(page, device, ticket, userId, 'leo');
      await page.getByText('With Leo Marsh').waitFor();
      expect(await axe(page)).toEqual([]);
      expect(await beyondEdge(page)).toEqual([]);
    },
  );
});

describe('signing out with unsent work', () => {
  it('warns first; the work stays under its name and is sent after the next sign-in', async () => {
    const { page, device, ticket } = await at('associate');
    const plug = floor.proxy.unplug();
    const scanId = await device.scan(ticket, 1);
    await page.evaluate(() => {
      location.hash = '#/me';
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByText('1 action waits').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await device.waiting()).toBe(1);
    plug();
    await device.drained();
    expect((await floor.rows(ticket)).scans).toEqual([scanId]);
  });
});

describe('a sign-out in a training', () => {
  it('does not ask, and keeps the outbox tickets if work from before the training waits', async () => {
    const { page, device, ticket } = await at('associate');
    floor.proxy.always(/pickTickets/, { kind: 'drop' });
    await device.scan(ticket, 1);
    await page.evaluate(() => {
      location.hash = '#/me';
    });
    await page.getByRole('button', { name: 'Start training' }).click();
    await page.getByText('Training: nothing here is real').waitFor();
    await page.evaluate(() => {
      location.hash = '#/me';
    });
    await page.getByRole('button', { name: 'Leave training' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await floor.proxy.seen(({ method, url }) => method === 'DELETE' && url.endsWith('/session?work=WAITS'));
  });
});

describe('a shared device', () => {
  it('sends what one person left under their name while the next one works, and keeps it apart', async () => {
    const page = await floor.page({ path: null });
    const context = page.context();
    await enroll(context, floor.origin, floor.town);
    const first = await signIn(context, floor.origin, floor.town, 'associate');
    const ana = await floor.device('ana', { context, ticket: first.outboxTicket! });
    const ticket = await floor.ticket('ana', MUGS);
    await ana.load(ticket);
    const stop = floor.proxy.always(/pickTickets/, { kind: 'drop' });
    await ana.page.evaluate((subject) => harness.outbox.add({ kind: 'open', subject }), {
      kind: 'ticket',
      storeId: STORE,
      nodeId: NODE,
      id: ticket,
    } as const);
    const scans = [await ana.scan(ticket, 1), await ana.scan(ticket, 1)];
    await ana.as(undefined);
    const second = await signIn(context, floor.origin, floor.town, 'lead');
    await ana.as('leo', second.outboxTicket);
    stop();
    await ana.drained();
    expect(await floor.rows(ticket)).toMatchObject({ user: 'ana', scans, counted: [[1, 2, 0]] });
    const events = await floor.town.operator(
      'GET',
      '/operator/v1/events?clientId=TOWN&types=pickTicket.progressSaved&limit=500',
    );
    const own = (events.body.events as { resourceId: string; actor: string }[]).filter(
      (one) => one.resourceId === ticket,
    );
    expect(own.map(({ actor }) => actor)).toEqual(['user:ana']);
  });

  it('tells everybody that the work of a user waits for a sign-in, without a word in the head; a lead saves and deletes it', async () => {
    const { page, device } = await at('lead');
    const ticket = await floor.ticket('ana', MUGS);
    await device.as('ana');
    await device.load(ticket);
    const plug = floor.proxy.unplug();
    const scanId = await device.scan(ticket, 1);
    await device.as('leo');
    plug();
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText('1 action of ana waits for a sign-in or a decision under that name').waitFor();
    await expect.poll(() => page.locator('.sync-state').allTextContents()).not.toContain('1 waiting');
    expect(await axe(page)).toEqual([]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a file' }).click();
    expect(readFileSync(await (await saved).path(), 'utf8')).toContain(scanId);
    // The lead comes back from the dialog that saves the file.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByRole('button', { name: 'Delete the saved work' }).click();
    await page.getByText('The service has everything').waitFor();
  });

  it('has the reason of a rejection in the file that a lead saves before the work is deleted', async () => {
    const { page, device } = await at('lead');
    const ticket = await floor.ticket('ana', MUGS);
    await device.as('ana');
    await device.load(ticket);
    const body = { code: 'CONFLICT', description: 'somebody has it', userId: 'noor' };
    floor.proxy.next(/scans$/, { kind: 'refuse', status: 409, body });
    const scanId = await device.scan(ticket, 1);
    await expect.poll(() => device.conflicts()).toHaveLength(1);
    await device.as('leo');
    await page.getByText('1 action of ana waits for a sign-in or a decision under that name').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a file' }).click();
    const file = JSON.parse(readFileSync(await (await saved).path(), 'utf8'));
    expect(file).toMatchObject({ waiting: [{ id: scanId }], conflicts: [{ code: 'CONFLICT', holder: 'noor' }] });
    await page.getByRole('button', { name: 'Delete the saved work' }).click();
    await expect.poll(() => device.page.evaluate(() => harness.outbox.left.value.length)).toBe(0);
  });

  it('keeps the unsent work of a client whose id begins as that of a training', async () => {
    const page = await floor.page({ path: null });
    const device = await floor.device('ana', { context: page.context() });
    const practice = { userId: 'ana', name: 'Ana', clientId: 'training-center' };
    const subject = { kind: 'ticket', storeId: STORE, nodeId: NODE, id: 'T1' } as const;
    floor.proxy.always(/pickTickets/, { kind: 'drop' });
    await device.page.evaluate((owner) => harness.outbox.as(owner), practice);
    await device.page.evaluate((of) => harness.outbox.add({ kind: 'open', subject: of }), subject);
    await device.as(undefined);
    await device.as('leo');
    await device.page.evaluate((owner) => harness.outbox.as(owner), practice);
    expect(await device.page.evaluate(() => harness.outbox.ownWaiting.value)).toBe(1);
  });

  it('keeps the outbox ticket during a training, also over a lock of the device, and nothing of the training after it', async () => {
    const page = await floor.page({ path: null });
    const context = page.context();
    await enroll(context, floor.origin, floor.town);
    const { outboxTicket } = await signIn(context, floor.origin, floor.town, 'associate');
    const ana = await floor.device('ana', { context, ticket: outboxTicket! });
    const training = { userId: 'ana', name: 'Ana', clientId: 'training-0123456789ab' };
    const subject = { kind: 'ticket', storeId: STORE, nodeId: NODE, id: 'T1' } as const;
    const stop = floor.proxy.always(/pickTickets/, { kind: 'drop' });
    await ana.page.evaluate((owner) => harness.outbox.as(owner), training);
    await ana.page.evaluate((of) => harness.outbox.add({ kind: 'open', subject: of }), subject);
    expect(await ana.waiting()).toBe(1);
    // A locked device loads the page again without a user; the unlock resumes the training.
    await ana.as(undefined);
    await ana.page.evaluate((owner) => harness.outbox.as(owner), training);
    expect(await ana.waiting()).toBe(1);
    await ana.as('ana');
    await expect.poll(() => ana.waiting()).toBe(0);
    stop();
    const ticket = await floor.ticket('ana', MUGS);
    await ana.load(ticket);
    const again = floor.proxy.always(/pickTickets/, { kind: 'drop' });
    const scanId = await ana.scan(ticket, 1);
    await ana.as(undefined);
    const { outboxTicket: second } = await signIn(context, floor.origin, floor.town, 'lead');
    await ana.as('leo', second);
    again();
    await expect.poll(async () => (await floor.rows(ticket)).scans).toEqual([scanId]);
    expect(await floor.rows(ticket)).toMatchObject({ user: 'ana' });
  });
});
