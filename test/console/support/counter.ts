/**
 * Helpers for tests of the counter's screens: a signed-in user, a scanner, ready orders, and the places of their units.
 */
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { OpenTown } from '../../support/town.ts';
import type { Console, PageOptions } from './browser.ts';
import { openAs as openSignedIn } from './sign-in.ts';

export const NODE = 'TOWN-Store001';
export const STORE = 'TOWN_US';

/** Opens a page with a signed-in user of the town on a path of the console. */
export async function openAs(
  desk: Console,
  who: 'associate' | 'lead' | 'clerk',
  path: string,
  options: PageOptions = {},
): Promise<Page> {
  const page = await openSignedIn(desk, who, path, { worker: false, ...options });
  await page.locator('[data-scan-target], h1').first().waitFor();
  return page;
}

/** Keeps a picture of the page in the folder `TEST_SHOTS`, if it is set. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['TEST_SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/**
 * Opens a screen as a link does. Waits until it has replaced the present screen, because keys go to the visible screen.
 */
export async function show(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const pathOf = (hash: string) => hash.replace(/^#/, '').split('?')[0];
    // If only the query changes, the screen and its heading remain.
    if (pathOf(location.hash) !== pathOf(to)) document.querySelector('h1')?.setAttribute('data-left', '');
    location.hash = to;
  }, path);
  await page.locator('h1:not([data-left])').first().waitFor();
}

const keyboards = new WeakMap<Page, CDPSession>();

/** Waits for the first paint of a page, because Chrome drops earlier keys. */
async function painted(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true });
      }),
  );
}

/**
 * Acts as a keyboard-wedge scanner: sends keys and Enter. It sends them together, so that a busy machine adds no pause
 * between them.
 */
export async function wedge(page: Page, code: string): Promise<void> {
  if (!keyboards.has(page)) keyboards.set(page, await page.context().newCDPSession(page));
  await painted(page);
  const keyboard = keyboards.get(page)!;
  const press = (key: string, more: { text: string; windowsVirtualKeyCode?: number }) => [
    keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...more }),
    keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key }),
  ];
  await Promise.all([
    ...Array.from(code).flatMap((key) => press(key, { text: key })),
    ...press('Enter', { text: '\r', windowsVirtualKeyCode: 13 }),
  ]);
}

/** Collects printed pages as text and closes the print dialog immediately. Returns a function that reads the texts. */
export async function catchPapers(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const caught = globalThis as unknown as { papers: string[] };
    caught.papers = [];
    globalThis.print = () => {
      caught.papers.push(document.querySelector('.print-root')!.textContent);
      setTimeout(() => dispatchEvent(new Event('afterprint')));
    };
  });
  return () => page.evaluate(() => (globalThis as unknown as { papers: string[] }).papers);
}

/** Taps a button that prints, and returns the printed text. */
export async function printedBy(page: Page, button: string): Promise<string> {
  const papers = await catchPapers(page);
  await page.getByRole('button', { name: button, exact: true }).click();
  await expect.poll(async () => (await papers()).length).toBe(1);
  return (await papers())[0]!;
}

let orders = 0;

interface Wish {
  type?: 'STORE_PICK_UP' | 'SHIP_TO_HOME' | 'ASSOCIATE_DELIVERY';
  lines: readonly (readonly [sku: string, quantity: number])[];
  more?: Record<string, unknown>;
  /** The user who picks the order. */
  userId?: string;
  /** The SKU of a line that is not found and therefore declined. */
  declined?: string;
}

const PICK_QUEUES = {
  STORE_PICK_UP: 'WAITING_FOR_PICK_ISPU',
  SHIP_TO_HOME: 'WAITING_FOR_PICK_SFS',
  ASSOCIATE_DELIVERY: 'WAITING_FOR_PICK_DEL',
} as const;

/** Creates a picked order of the town that is held in `place`. Returns its id. */
export async function pickedOrder(
  town: OpenTown,
  place: string,
  { type = 'STORE_PICK_UP', lines, more = {}, userId = 'UserId001', declined }: Wish,
): Promise<string> {
  orders += 1;
  const id = String(300_000_000_000 + orders);
  const home = {
    destinationId: 'home',
    destinationType: 'SHIPPING_ADDRESS',
    personName: { firstName: 'Cleo', lastName: 'Marsh' },
    address: { line1: '3 Tide Lane', city: 'Boston', mainDivisionCode: 'MA', postalCode: '02110', countryCode: 'US' },
    phone: '+1 617 555 0103',
    email: 'cleo.marsh@mail.example',
  };
  const at = new Date(town.clock.now - 60_000).toISOString();
  const body = {
    fulfillmentOrderId: id,
    omsOrderId: `O${id}`,
    webOrderId: `W${id}`,
    nodeId: NODE,
    fulfillmentType: type,
    orderDate: at,
    fulfillmentOrderDate: at,
    currency: 'USD',
    carrier: type === 'SHIP_TO_HOME' ? 'UPS' : '',
    service: type === 'SHIP_TO_HOME' ? 'GROUND' : '',
    customer: { name: 'Cleo Marsh', email: 'cleo.marsh@mail.example', phone: '+1 617 555 0103' },
    destinations: [home],
    billToAddress: { destinationId: 'home' },
    shippingAddress: { destinationId: 'home' },
    lines: lines.map(([sku, quantity], index) => ({
      webLineId: String(index + 1),
      itemId: `21-${sku}`,
      quantity,
      unitPrice: 10,
    })),
    ...more,
  };
  await good(town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, [body]));
  const generated = await good(
    town.client.post(`/stores/${STORE}/nodes/${NODE}/pickTicket/generate`, {
      storeId: STORE,
      nodeId: NODE,
      queueId: PICK_QUEUES[type],
      modifyAssociateId: userId,
      userId,
      fulfillmentOrderIds: [id],
    }),
  );
  const ticket = generated.body.pickTicketDetails[0];
  await good(
    town.client.put(`/stores/${STORE}/nodes/${NODE}/pickTicket/update`, {
      modifyAssociateId: userId,
      pickTicketDetails: {
        pickTicketId: ticket.pickTicketId,
        action: 'CONFIRM',
        storeId: STORE,
        nodeId: NODE,
        userId,
        holdLocation: place,
        pickTicketItems: ticket.pickTicketItems.map(
          (one: { id: number; itemDetails: { itemId: string }; quantity: number }) => ({
            id: one.id,
            itemId: one.itemDetails.itemId,
            ...(one.itemDetails.itemId === `21-${declined}`
              ? { pickedQuantity: 0, canceledQuantity: one.quantity, cancellationReasonCode: 'CancelMXOutOfStock' }
              : { pickedQuantity: one.quantity, canceledQuantity: 0 }),
          }),
        ),
      },
    }),
  );
  return id;
}

async function good(call: ReturnType<OpenTown['client']['post']>) {
  const answer = await call;
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

/** Hands over all units of an order to its customer. */
export const handOverAll = (town: OpenTown, id: string) => handOver(town, id, {});

/** Hands over units of each line of an order, by default all of them to its customer. */
export async function handOver(
  town: OpenTown,
  id: string,
  { collectedBy = 'CUSTOMER', units }: { collectedBy?: 'CUSTOMER' | 'PROXY'; units?: number },
): Promise<void> {
  const at = { storeId: STORE, nodeId: NODE, fulfillmentOrderId: id };
  const { body } = await town.client.post(`/stores/${STORE}/nodes/${NODE}/customerPickUps/${id}`, at);
  const items = body.customerPickUpDetails.customerPickUpItems as (Record<string, unknown> & {
    backroomPickedQuantity: number;
    toPickQuantity: number;
  })[];
  const given = await town.client.put(`/stores/${STORE}/nodes/${NODE}/customerPickUp/confirm`, {
    modifyAssociateId: 'ana',
    customerPickUpDetails: {
      ...at,
      collectedBy,
      verificationMethod: 'PHOTO_ID',
      handOverId: `all-${id}`,
      customerPickUpItems: items.map(({ webLineId, itemId, backroomPickedQuantity, toPickQuantity }) => ({
        webLineId,
        itemId,
        backroomPickedQuantity,
        customerPickedQuantity: units ?? toPickQuantity,
        canceledQuantity: 0,
      })),
    },
  });
  expect(given.status, given.text).toBeLessThan(300);
}

/** Reads the order from the service. */
export async function orderOf(town: OpenTown, id: string) {
  return (await town.client.get(`/operator/v1/stores/${STORE}/fulfillmentOrders/${id}`)).body as {
    status: string;
    holdLocation?: string;
    charged?: { handOverId?: string }[];
    packages?: { boxId: string }[];
    lines: Record<string, number>[];
  };
}

/** Checks for each line of an order that the units of all places add up to the ordered units. */
export async function expectConserved(town: OpenTown, id: string): Promise<void> {
  for (const line of (await orderOf(town, id)).lines) {
    const places = ['openQuantity', 'heldQuantity', 'canceledQuantity', 'declinedQuantity', 'handedOverQuantity'];
    const sum = [...places, 'refusedQuantity', 'returnedQuantity', 'missingQuantity'].reduce(
      (all, one) => all + line[one]!,
      0,
    );
    expect(sum).toBe(line['orderedQuantity']);
  }
}

/** Returns the targets of the screen that are less than 56 px high, the minimum on the store floor. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        '.screen button:not(.visually-hidden), .screen a[href], .screen .choice, .screen select',
      ),
    ]
      .filter((one) => one.offsetParent !== null && one.getBoundingClientRect().height < 55.5)
      .map((one) => one.outerHTML.slice(0, 120)),
  );
}
