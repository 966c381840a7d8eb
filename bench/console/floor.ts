/** The town of the demo, with devices for its users, and with orders and tickets for the benches. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createLog } from '../../src/platform/log.ts';
import { systemPorts } from '../../src/platform/ports.ts';
import { startDemo } from '../../src/service/cli/demo.ts';
import { openProxy } from '../../town/console/proxy.ts';

const STORE = 'TOWN_US';
const NODE = 'TOWN-Store001';
const PLACE = JSON.stringify({ clientId: 'TOWN', nodeId: NODE });
/** Factor by which the processor of a cheap handheld is slower than the processor of a developer's machine. */
export const SLOW = 6;
export const MUG = '400000000046';

type Send = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>;

export interface Floor {
  origin: string;
  /** Disconnects the network. The returned function restores it. */
  unplug: () => () => void;
  /** Opens a device with a signed-in user, without a page. */
  device: (userId: string, size?: { width: number; height: number }) => Promise<BrowserContext>;
  /** Opens a page of a device, with a processor that is slower by the factor `slow`. */
  page: (context: BrowserContext, slow?: number) => Promise<Page>;
  /**
   * Creates a ticket of the user Ana for new orders. Each argument has the lines of one order, as `[quantity, price]`.
   */
  ticket: (...orders: (readonly (readonly [quantity: number, price: number])[])[]) => Promise<string>;
  /** Takes in orders without a ticket. */
  takeIn: (...orders: (readonly (readonly [quantity: number, price: number])[])[]) => Promise<string[]>;
  /** Returns the number of units that the service has counted on a ticket. */
  counted: (ticketId: string) => Promise<number>;
  close: () => Promise<void>;
}

export async function openFloor(browser: Browser): Promise<Floor> {
  const lines: string[] = [];
  const server = await startDemo({ port: 0, print: (line) => lines.push(line), ports: systemPorts(createLog('warn')) });
  const said = lines.join('\n');
  const direct = /http:\/\/[\d.:]+/.exec(said)![0];
  const proxy = await openProxy(direct);
  const { origin } = proxy;
  const value = (name: string) => new RegExp(`export ${name}='(.*)'`).exec(said)![1]!;
  const passwordOf = (userId: string) => new RegExp(`user ${userId}\\s+password (\\S+)`).exec(said)![1]!;
  const headers = {
    authorization: `Basic ${Buffer.from(value('BASIC')).toString('base64')}`,
    apikey: value('API_KEY'),
    'content-type': 'application/json',
  };
  const send: Send = async (method, path, body) => {
    const response = await fetch(`${direct}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as unknown;
  };
  let orders = 0;
  const takeIn: Floor['takeIn'] = async (...wishes) => {
    const taken = wishes.map((wish) => orderOf(`B${String(++orders).padStart(5, '0')}`, wish));
    await send('POST', `/operator/v1/stores/${STORE}/fulfillmentOrders`, taken);
    return taken.map(({ fulfillmentOrderId }) => fulfillmentOrderId);
  };
  return {
    origin,
    unplug: proxy.unplug,
    device: async (userId, size = { width: 360, height: 740 }) => {
      const context = await browser.newContext({ viewport: size, locale: 'en-US', hasTouch: size.width < 700 });
      const response = await context.request.post(`${origin}/session`, {
        headers: { 'sec-fetch-site': 'same-origin' },
        data: { ...(userId !== 'opal' && { clientId: 'TOWN' }), userId, password: passwordOf(userId) },
      });
      if (response.status() !== 201) throw new Error(await response.text());
      await context.addInitScript(`localStorage.setItem('backroom.place', ${JSON.stringify(PLACE)})`);
      return context;
    },
    page: async (context, slow = 1) => {
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      if (slow > 1) await cdp.send('Emulation.setCPUThrottlingRate', { rate: slow });
      return page;
    },
    takeIn,
    ticket: async (...wishes) => {
      const made = (await send('POST', `/stores/${STORE}/nodes/${NODE}/pickTicket/generate`, {
        storeId: STORE,
        nodeId: NODE,
        queueId: 'WAITING_FOR_PICK_ISPU',
        userId: 'ana',
        modifyAssociateId: 'ana',
        fulfillmentOrderIds: await takeIn(...wishes),
      })) as { pickTicketDetails: [{ pickTicketId: string }] };
      return made.pickTicketDetails[0].pickTicketId;
    },
    counted: async (pickTicketId) => {
      const { pickTicketDetails } = (await send('POST', `/stores/${STORE}/nodes/${NODE}/pickTickets/${pickTicketId}`, {
        storeId: STORE,
        nodeId: NODE,
        pickTicketId,
      })) as { pickTicketDetails: { pickTicketItems: { pickedQuantity?: number }[] } };
      return pickTicketDetails.pickTicketItems.reduce((sum, { pickedQuantity = 0 }) => sum + pickedQuantity, 0);
    },
    close: async () => {
      await proxy.close();
      await server.close();
    },
  };
}

/** Returns the path of a ticket's screen. */
export function ticketPath(ticketId: string): string {
  return `/console/#/pick/${STORE}/${ticketId}`;
}

/** Simulates a scanner: a burst of keys without pauses, then Enter. A pause would end the code. */
export async function scan(page: Page, code: string): Promise<void> {
  await Promise.all([...Array.from(code), 'Enter'].map((key) => page.keyboard.press(key)));
}

function orderOf(fulfillmentOrderId: string, lines: readonly (readonly [quantity: number, price: number])[]) {
  const at = new Date(Date.now() - 60_000).toISOString();
  return {
    fulfillmentOrderId,
    omsOrderId: `O${fulfillmentOrderId}`,
    webOrderId: `W${fulfillmentOrderId}`,
    nodeId: NODE,
    fulfillmentType: 'STORE_PICK_UP',
    orderDate: at,
    currency: 'USD',
    carrier: '',
    service: '',
    customer: { name: 'Pat Kim', email: 'pat@mail.example', phone: '+1 401 555 0199' },
    destinations: [
      {
        destinationId: 'home',
        destinationType: 'SHIPPING_ADDRESS',
        personName: { firstName: 'Pat', lastName: 'Kim' },
        address: { line1: '1 Pier', city: 'Newport', mainDivisionCode: 'RI', postalCode: '02840', countryCode: 'US' },
        phone: '+1 401 555 0199',
        email: 'pat@mail.example',
      },
    ],
    billToAddress: { destinationId: 'home' },
    shippingAddress: { destinationId: 'home' },
    lines: lines.map(([quantity, unitPrice], index) => ({
      webLineId: String(index + 1),
      itemId: '21-MUG-WHT',
      quantity,
      unitPrice,
    })),
  };
}
