/**
 * Plays one trading day of all stores, through the HTTP interface only. The number of a ticket and hashes of order ids
 * decide which units are short, so the same data gives the same day.
 */
import { createHash } from 'node:crypto';
import {
  confirmBody,
  GENERATE,
  generateBody,
  type Place,
  pathOf,
  resetBody,
  type Ticket,
  type TicketItem,
  ticketIn,
  UPDATE,
} from '../../town/tickets.ts';
import { placeOf } from './delivery.ts';
import type { Caller } from './http.ts';

/**
 * Every tenth ticket is short. This is twice the required share, so that a day with few tickets also has enough short
 * tickets.
 */
const SHORT_EVERY = 10;
/** In every fourth short ticket, no unit of any item is found. */
const EMPTY_EVERY = 4;
/** Every fifteenth ticket is reset once and generated again. */
const RESET_EVERY = 15;
/** Every eighth check-in has damaged or missing units. */
const DAMAGED_EVERY = 8;
const TICKET_ORDERS = 10;
const PAGE_SIZE = 50;
const ASSOCIATE = 'day-associate';

/** The sums of the day, from requests that the service has accepted. */
export interface Tally {
  picked: number;
  declined: number;
  tickets: number;
  shortTickets: number;
  packSlips: number;
  checkIns: number;
  /** Units picked from the shelf, and units that were checked in, by node and item (`placeOf`). */
  shelved: Map<string, number>;
  arrived: Map<string, number>;
}

interface QueueOrder {
  fulfillmentOrderId: string;
}

interface CheckInPackage {
  checkInPackageId: string;
  checkInPackageItems: { itemId: string; webLineId: string; quantity: number }[];
}

export interface DayOptions {
  storeId: string;
  nodeIds: readonly string[];
  /** Date of the orders to process, in UTC; undefined: all orders on the queues. */
  date: string | undefined;
  /** Called after each node. */
  onProgress: (done: number, total: number) => void;
}

/** Processes the orders of the day on the queues of every node. Orders at the packing queue only get a pack slip. */
export async function workDay(caller: Caller, options: DayOptions): Promise<Tally> {
  const day = new Day(caller, options.date);
  for (const [index, nodeId] of options.nodeIds.entries()) {
    await day.workNode({ storeId: options.storeId, nodeId });
    options.onProgress(index + 1, options.nodeIds.length);
  }
  return day.tally;
}

class Day {
  readonly tally: Tally = {
    picked: 0,
    declined: 0,
    tickets: 0,
    shortTickets: 0,
    packSlips: 0,
    checkIns: 0,
    shelved: new Map(),
    arrived: new Map(),
  };
  readonly #caller: Caller;
  readonly #filter: object;

  constructor(caller: Caller, date: string | undefined) {
    this.#caller = caller;
    const range = { from: `${date}T00:00:00+00:00`, to: `${date}T23:59:59+00:00` };
    this.#filter = date === undefined ? {} : { orderDateRange: range };
  }

  async workNode(place: Place): Promise<void> {
    await this.#pick(place, 'WAITING_FOR_PICK_ISPU');
    await this.#pick(place, 'WAITING_FOR_PICK_SFS');
    await this.#pick(place, 'WAITING_FOR_PICK_DEL');
    await this.#pack(place);
    await this.#checkIn(place);
  }

  /** Returns all orders on a queue. Each page starts after the last record of the previous page. */
  async #queue({ storeId, nodeId }: Place, queueId: string): Promise<string[]> {
    const path = `/stores/${storeId}/nodes/${nodeId}/fulfillmentOrders?queueId=${queueId}`;
    const ids: string[] = [];
    for (;;) {
      const lastRecordId = ids.at(-1);
      const body = {
        storeId,
        nodeId,
        queueId,
        ...this.#filter,
        pageSize: PAGE_SIZE,
        ...(lastRecordId && { lastRecordId }),
      };
      const { fulfillmentOrders } = await this.#caller.send<{ fulfillmentOrders: QueueOrder[] }>('POST', path, body);
      ids.push(...fulfillmentOrders.map((order) => order.fulfillmentOrderId));
      if (fulfillmentOrders.length < PAGE_SIZE) return ids;
    }
  }

  async #pick(place: Place, queueId: string): Promise<void> {
    const orders = await this.#queue(place, queueId);
    for (let at = 0; at < orders.length; at += TICKET_ORDERS) {
      const batch = orders.slice(at, at + TICKET_ORDERS);
      const number = this.tally.tickets++;
      let ticket = await this.#generate(place, queueId, batch);
      if (number % RESET_EVERY === RESET_EVERY - 1) {
        await this.#caller.send('PUT', pathOf(place) + UPDATE, resetBody(place, ticket.pickTicketId, ASSOCIATE));
        ticket = await this.#generate(place, queueId, batch);
      }
      await this.#confirm(place, ticket, number, batch[0]!);
    }
  }

  async #generate(place: Place, queueId: string, fulfillmentOrderIds: string[]): Promise<Ticket> {
    const body = generateBody(place, queueId, fulfillmentOrderIds, ASSOCIATE);
    return ticketIn(await this.#caller.send('POST', pathOf(place) + GENERATE, body));
  }

  async #confirm(place: Place, ticket: Ticket, number: number, orderId: string): Promise<void> {
    const isShort = number % SHORT_EVERY === 0;
    const isEmpty = isShort && (number / SHORT_EVERY) % EMPTY_EVERY === EMPTY_EVERY - 1;
    const shortItem = hash(`short ${orderId}`) % ticket.pickTicketItems.length;
    const found = ({ quantity }: TicketItem, index: number) =>
      isEmpty ? 0 : isShort && index === shortItem ? quantity - missing(orderId, quantity) : quantity;
    const reason = isEmpty ? 'CancelMXPickDecline' : 'CancelMXOutOfStock';
    const body = confirmBody(place, ticket, ASSOCIATE, found, reason);
    await this.#caller.send('PUT', pathOf(place) + UPDATE, body);
    if (isShort) this.tally.shortTickets++;
    for (const { itemId, pickedQuantity, canceledQuantity } of body.pickTicketDetails.pickTicketItems) {
      this.#count(pickedQuantity, canceledQuantity);
      add(this.tally.shelved, placeOf(place.nodeId, itemId), pickedQuantity);
    }
  }

  async #pack(place: Place): Promise<void> {
    const { storeId, nodeId } = place;
    for (const fulfillmentOrderId of await this.#queue(place, 'WAITING_FOR_PACK_SFS')) {
      const path = `/stores/${storeId}/fulfillmentOrders/${fulfillmentOrderId}/packslip/generate`;
      await this.#caller.send('POST', path, { storeId, nodeId, modifyAssociateId: ASSOCIATE, fulfillmentOrderId });
      this.tally.packSlips++;
    }
  }

  async #checkIn(place: Place): Promise<void> {
    const { storeId, nodeId } = place;
    for (const fulfillmentOrderId of await this.#queue(place, 'WAITING_FOR_CHECKIN_STS')) {
      const path = `/stores/${storeId}/nodes/${nodeId}/fulfillmentOrders/${fulfillmentOrderId}/checkin`;
      const { fulfillmentOrder } = await this.#caller.send<{ fulfillmentOrder: { checkInPackages: CheckInPackage[] } }>(
        'GET',
        path,
      );
      const isDamaged = hash(`damaged ${fulfillmentOrderId}`) % DAMAGED_EVERY === 0;
      const checkInPackages = fulfillmentOrder.checkInPackages.map((one, index) =>
        found(one, isDamaged && index === 0),
      );
      const send = (action: 'UPDATE' | 'CONFIRM', packages: object[]) =>
        this.#caller.send('POST', path, {
          modifyAssociateId: ASSOCIATE,
          fulfillmentOrder: {
            action,
            storeId,
            nodeId,
            fulfillmentOrderId,
            holdLocation: 'STAGING',
            checkInPackages: packages,
          },
        });
      // If an order has several packages, the first package arrives before the other packages.
      if (checkInPackages.length > 1) await send('UPDATE', checkInPackages.slice(0, 1));
      await send('CONFIRM', checkInPackages);
      this.tally.checkIns++;
      for (const item of checkInPackages.flatMap((one) => one.checkInPackageItems)) {
        this.#count(item.checkInQuantity, item.checkInCanceledQuantity);
        add(this.tally.arrived, placeOf(nodeId, item.itemId), item.checkInQuantity);
      }
    }
  }

  #count(picked: number, declined: number): void {
    this.tally.picked += picked;
    this.tally.declined += declined;
  }
}

function add(units: Map<string, number>, place: string, more: number): void {
  units.set(place, (units.get(place) ?? 0) + more);
}

/** Returns the check-in of a package. The first line of a damaged package is short. */
function found({ checkInPackageId, checkInPackageItems }: CheckInPackage, isDamaged: boolean) {
  return {
    checkInPackageId,
    checkInPackageItems: checkInPackageItems.map(({ itemId, webLineId, quantity }, index) => {
      const checkInCanceledQuantity = isDamaged && index === 0 ? missing(webLineId, quantity) : 0;
      return {
        itemId,
        webLineId,
        quantity,
        checkInQuantity: quantity - checkInCanceledQuantity,
        checkInCanceledQuantity,
        ...(checkInCanceledQuantity > 0 && { checkInCancellationReasonCode: 'STSProductReceivedDamagedInterior' }),
      };
    }),
  };
}

/** Returns a number of missing units from 1 to `quantity`, by a hash of `text`. */
function missing(text: string, quantity: number): number {
  return (hash(`missing ${text}`) % quantity) + 1;
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
