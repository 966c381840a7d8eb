/** The outbox in a real browser without the screens, against the real service and a proxy that fails as networks do. */
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import type { Owner } from '../../../console/offline/commands.ts';
import type { TicketView } from '../../../console/offline/view.ts';
import { type Console, openConsole, type PageOptions } from './browser.ts';
import type { Harness } from './harness-page.ts';

export const STORE = 'TOWN_US';
export const NODE = 'TOWN-Store001';
const REASON = 'CancelMXOutOfStock';

let bundled: Promise<string> | undefined;

/** Returns the harness as one script. */
function harnessScript(): Promise<string> {
  bundled ??= (async () => {
    const build = await rolldown({
      input: new URL('harness-page.ts', import.meta.url).pathname,
      platform: 'browser',
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    });
    const { output } = await build.generate({ format: 'esm', codeSplitting: false });
    await build.close();
    return output[0].code;
  })();
  return bundled;
}

/** A line of an order: `[clientItemId, quantity, unitPrice]`. */
export type Line = readonly [sku: string, quantity: number, unitPrice?: number];

export interface Floor extends Console {
  /** Opens a page of a new device, or another tab of a device, for `user`. */
  device: (user: string, options?: PageOptions & { ticket?: string }) => Promise<Device>;
  /** Waits until the reloaded page of a device is ready; returns the device on this page. */
  again: (device: Device) => Promise<Device>;
  /**
   * Creates a pick ticket of `user` with new orders; returns the id of the ticket. Lines with different prices become
   * different items of the ticket.
   */
  ticket: (user: string, ...orders: (readonly Line[])[]) => Promise<string>;
  /**
   * Reads the stored rows of a ticket. The units of its items come from the saved scans and, after the ticket is
   * closed, from the CONFIRM.
   */
  rows: (pickTicketId: string) => Promise<TicketRows>;
}

export interface TicketRows {
  status: string;
  outcome: string | null;
  user: string;
  /** Ids of the saved scans, in order. */
  scans: string[];
  /** Found and declined units of each item, by its scans. */
  counted: [item: number, picked: number, canceled: number][];
  /** Units of each item by the CONFIRM; null before the CONFIRM. */
  items: [item: number, quantity: number, picked: number | null, canceled: number | null][];
  /** Sums over the lines of the ticket's orders. The other ordered units are open or canceled. */
  units: { ordered: number; picked: number; declined: number };
}

/** A page of the harness. Its methods run in the page. */
export interface Device {
  page: Page;
  owner: Owner;
  /** Scans units of an item; returns the id of the scan once the scan is durable. */
  scan: (ticket: string, item: number, picked?: number, canceled?: number) => Promise<string>;
  undo: (ticket: string, scanId: string, item: number, picked?: number) => Promise<string>;
  /** Confirms the ticket with the units that the device shows; the remaining units are missing. */
  confirm: (ticket: string, holdLocation?: string) => Promise<string>;
  /** Reads the ticket from the service and stores it on the device, as a screen does. */
  load: (ticket: string) => Promise<void>;
  view: (ticket: string) => Promise<TicketView | undefined>;
  /** Returns `[item, picked, canceled]` of each item, as a screen shows them. */
  shown: (ticket: string) => Promise<[number, number, number][]>;
  waiting: () => Promise<number>;
  sync: () => Promise<string>;
  flush: () => Promise<void>;
  /** Resolves when the outbox is empty. */
  sent: () => Promise<void>;
  /** Sends until the outbox is empty, without the outbox's pauses between attempts. @throws Error after 200 attempts */
  drained: () => Promise<void>;
  conflicts: () => Promise<{ lane: string; code: string; description: string; holder?: string; commands: string[] }[]>;
  as: (user: string | undefined, ticket?: string) => Promise<void>;
}

/** @param isSignedIn true if the test signs in the users of the pages; false: the proxy adds the town's credential */
export async function openFloor(isSignedIn = false): Promise<Floor> {
  const desk = await openConsole({ proxy: true });
  const { town, proxy } = desk;
  if (!isSignedIn) proxy.add(town.client.headers);
  proxy.serve('/harness', {
    type: 'text/html',
    body: '<!doctype html><html lang="en"><title>starting</title><script type="module" src="/harness.js"></script></html>',
  });
  proxy.serve('/harness.js', { type: 'text/javascript', body: await harnessScript() });
  let orders = 0;
  return {
    ...desk,
    proxy,
    device: async (user, options = {}) => {
      const page = await desk.page({ path: '/harness', ...options });
      await page.waitForFunction(() => document.title === 'ready');
      const device = deviceOn(page, user);
      await device.as(user, options.ticket);
      return device;
    },
    again: async ({ page, owner }) => {
      await page.waitForFunction(() => document.title === 'ready');
      const device = deviceOn(page, owner.userId);
      await device.as(owner.userId);
      return device;
    },
    ticket: async (user, ...wishes) => {
      const ids: string[] = [];
      for (const lines of wishes) {
        const fulfillmentOrderId = `H${String(++orders).padStart(5, '0')}`;
        const body = orderOf(fulfillmentOrderId, lines, town.clock.now);
        const taken = await town.client.post(`/operator/v1/stores/${STORE}/fulfillmentOrders`, body);
        if (taken.status !== 201) throw new Error(taken.text);
        ids.push(fulfillmentOrderId);
      }
      const made = await town.client.post(`/stores/${STORE}/nodes/${NODE}/pickTicket/generate`, {
        storeId: STORE,
        nodeId: NODE,
        queueId: 'WAITING_FOR_PICK_ISPU',
        userId: user,
        fulfillmentOrderIds: ids,
        modifyAssociateId: user,
      });
      if (made.status !== 201) throw new Error(made.text);
      return made.body.pickTicketDetails[0].pickTicketId as string;
    },
    rows: (id) => rowsOf(desk, id),
  };
}

function deviceOn(page: Page, user: string): Device {
  const owner: Owner = { clientId: 'TOWN', userId: user, name: user };
  const subject = (id: string) => ({ kind: 'ticket' as const, storeId: STORE, nodeId: NODE, id });
  const device: Device = {
    page,
    owner,
    scan: (ticket, item, picked = 1, canceled = 0) =>
      page.evaluate(
        ([subject, item, picked, canceled, reason]) =>
          harness.outbox.add({ kind: 'scan', subject, item, picked, canceled, ...(canceled > 0 && { reason }) }),
        [subject(ticket), item, picked, canceled, REASON] as const,
      ),
    undo: (ticket, undoes, item, picked = 1) =>
      page.evaluate(
        ([subject, undoes, item, picked]) =>
          harness.outbox.add({ kind: 'undo', subject, undoes, of: { item, picked, canceled: 0 } }),
        [subject(ticket), undoes, item, picked] as const,
      ),
    confirm: (ticket, holdLocation = 'A1') =>
      page.evaluate(
        ([subject, holdLocation, reason]) => {
          const view = harness.outbox.snapshot.ticket(subject);
          if (view === undefined) throw new Error('the ticket is not on this device');
          return harness.outbox.add({
            kind: 'confirm',
            subject,
            holdLocation,
            items: harness.confirmItems(view, reason),
          });
        },
        [subject(ticket), holdLocation, REASON] as const,
      ),
    load: (ticket) =>
      page.evaluate(async (subject) => {
        const path = `/stores/${subject.storeId}/nodes/${subject.nodeId}/pickTickets/${subject.id}`;
        const { storeId, nodeId, id: pickTicketId } = subject;
        await harness.outbox.snapshot.refreshTicket(subject, async () => {
          const response = await fetch(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ storeId, nodeId, pickTicketId }),
          });
          if (!response.ok) throw new Error(await response.text());
          return (await response.json()).pickTicketDetails;
        });
      }, subject(ticket)),
    view: (ticket) => page.evaluate((subject) => harness.outbox.snapshot.ticket(subject), subject(ticket)),
    shown: async (ticket) =>
      (await device.view(ticket))?.items.map(({ id, picked, canceled }) => [id, picked, canceled]) ?? [],
    waiting: () => page.evaluate(() => harness.outbox.waiting.value),
    sync: () => page.evaluate(() => harness.outbox.sync.value),
    flush: () => page.evaluate(() => harness.outbox.flush(true)),
    sent: async () => {
      await page.waitForFunction(() => harness.outbox.waiting.value === 0, undefined, { timeout: 60_000 });
    },
    drained: () =>
      page.evaluate(async () => {
        for (let tries = 0; harness.outbox.waiting.value > 0 && tries < 200; tries += 1) {
          await harness.outbox.flush(true);
          if (harness.outbox.waiting.value > 0) await new Promise((resolve) => setTimeout(resolve, 100));
        }
        if (harness.outbox.waiting.value > 0) throw new Error(`${harness.outbox.waiting.value} commands still wait`);
      }),
    conflicts: () => page.evaluate(() => [...harness.outbox.conflicts.value]),
    as: (name, ticket) =>
      page.evaluate(([owner, ticket]) => harness.outbox.as(owner, ticket), [
        name === undefined ? undefined : { ...owner, userId: name, name },
        ticket,
      ] as const),
  };
  return device;
}

/** Reads the stored rows of a ticket. */
export async function rowsOf({ town }: Console, id: string): Promise<TicketRows> {
  return town.store.read(async (db) => {
    const ticket = await db
      .selectFrom('pick_tickets')
      .selectAll()
      .where('client_id', '=', 'TOWN')
      .where('pick_ticket_id', '=', id)
      .executeTakeFirstOrThrow();
    const ofTicket = (table: 'pick_ticket_scans' | 'pick_ticket_items' | 'pick_ticket_lines') =>
      db.selectFrom(table).where('client_id', '=', 'TOWN').where('pick_ticket_id', '=', id);
    const scans = await db
      .selectFrom('pick_ticket_scans')
      .selectAll()
      .where('client_id', '=', 'TOWN')
      .where('pick_ticket_id', '=', id)
      .orderBy('position')
      .execute();
    const items = await ofTicket('pick_ticket_items')
      .select(['id', 'quantity', 'picked', 'canceled'])
      .orderBy('id')
      .execute();
    const orders = await ofTicket('pick_ticket_lines').select('fulfillment_order_id').distinct().execute();
    const lines = await db
      .selectFrom('order_lines')
      .selectAll()
      .where('client_id', '=', 'TOWN')
      .where(
        'fulfillment_order_id',
        'in',
        orders.map((one) => one.fulfillment_order_id),
      )
      .execute();
    const undone = new Set(scans.map((scan) => scan.undoes));
    const counting = scans.filter((scan) => scan.undoes === null && !undone.has(scan.scan_id));
    const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
    return {
      status: ticket.status,
      outcome: ticket.outcome,
      user: ticket.user_id,
      scans: scans.map((scan) => scan.scan_id),
      counted: items.map(({ id: item }) => {
        const own = counting.filter((scan) => scan.id === item);
        return [item, sum(own.map((scan) => scan.picked)), sum(own.map((scan) => scan.canceled))];
      }),
      items: items.map((item) => [item.id, item.quantity, item.picked, item.canceled]),
      units: {
        ordered: sum(lines.map((line) => line.ordered)),
        picked: sum(lines.map((line) => line.picked)),
        declined: sum(lines.map((line) => line.declined)),
      },
    };
  });
}

/** Builds an order for pickup in the format of the order intake. */
export function orderOf(fulfillmentOrderId: string, lines: readonly Line[], now: number) {
  return {
    fulfillmentOrderId,
    omsOrderId: `OMS-${fulfillmentOrderId}`,
    webOrderId: `WEB-${fulfillmentOrderId}`,
    nodeId: NODE,
    fulfillmentType: 'STORE_PICK_UP',
    orderDate: new Date(now).toISOString(),
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
    lines: lines.map(([sku, quantity, unitPrice = 5], index) => ({
      webLineId: String(index + 1),
      itemId: `21-${sku}`,
      quantity,
      unitPrice,
    })),
  };
}

declare const harness: Harness;
