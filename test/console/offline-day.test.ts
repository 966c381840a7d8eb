import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Console, openConsole } from './support/browser.ts';
import { wedge } from './support/counter.ts';
import { orderOf } from './support/harness.ts';

const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
});
afterAll(() => desk.close());

/** Takes an order of 3 mugs and makes a ticket of it for Ana. */
async function ticketOf(orderId: string) {
  const { town } = desk;
  const lines = [['MUG-WHT', 3]] as const;
  const taken = await town.client.post(
    '/operator/v1/stores/TOWN_US/fulfillmentOrders',
    orderOf(orderId, lines, town.clock.now),
  );
  expect(taken.status).toBe(201);
  const made = await town.client.post(`${NODE}/pickTicket/generate`, {
    storeId: 'TOWN_US',
    nodeId: 'TOWN-Store001',
    queueId: 'WAITING_FOR_PICK_ISPU',
    userId: 'ana',
    fulfillmentOrderIds: [orderId],
    modifyAssociateId: 'ana',
  });
  return made.body.pickTicketDetails[0];
}

it('a ticket is picked through the screens without the network, with a reload in between, and is at the service once it is back', async () => {
  const { town, proxy } = desk;
  const ticket = await ticketOf('DAY1');
  const code = ticket.pickTicketItems[0].itemDetails.upcs[0].value as string;
  const page = await desk.page({ as: 'associate', worker: true });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.getByText(`Continue ticket ${ticket.pickTicketId}`).waitFor();
  await proxy.seen(({ url }) => url.endsWith(`/pickTickets/${ticket.pickTicketId}`));
  const plug = proxy.unplug();
  await page.reload();
  await page.getByText(`Continue ticket ${ticket.pickTicketId}`).waitFor();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByRole('heading', { name: new RegExp(ticket.pickTicketId) }).waitFor();
  // A scanned code goes into the scan target only after it has the focus.
  await page.locator('[data-scan-target]:focus').waitFor();
  const scan = () => wedge(page, code);
  await scan();
  await page.getByText('1 of 3').first().waitFor();
  await page.reload();
  await page.getByText('1 of 3').first().waitFor();
  await scan();
  await page.getByText('2 of 3').first().waitFor();
  await scan();
  await page.getByText('3 of 3').first().waitFor();
  plug();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  const counted = () =>
    town.store.read((db) =>
      db
        .selectFrom('pick_ticket_scans')
        .select('picked')
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_id', '=', ticket.pickTicketId)
        .execute(),
    );
  await expect.poll(async () => (await counted()).map(({ picked }) => picked)).toEqual([1, 1, 1]);
});

it('Home shows the own tickets while a proxy responds for a stopped service, and the present work without a tap afterwards', async () => {
  const ticket = await ticketOf('DAY2');
  const page = await desk.page({ as: 'associate', worker: true, allow: [/50[0234]/] });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const own = page.getByText(ticket.pickTicketId).first();
  await own.waitFor();
  for (const status of [502, 503, 504]) {
    const works = desk.proxy.always(/./, { kind: 'refuse', status });
    await page.reload();
    await own.waitFor();
    works();
  }
  const fails = desk.proxy.always(/\/work/, { kind: 'refuse', status: 500 });
  await page.reload();
  await page.getByRole('alert').waitFor();
  fails();
  await own.waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});
