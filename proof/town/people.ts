/**
 * The kinds of people of an operator. Each kind sends its daily requests, and records the acknowledged writes in the
 * books.
 */

import { QUEUE, Requests, WHERE } from '../../town/order-requests.ts';
import type { Credential } from '../../town/small-town.ts';
import {
  confirmBody,
  GENERATE,
  generateBody,
  pathOf,
  resetBody,
  type Ticket,
  ticketIn,
  UPDATE,
} from '../../town/tickets.ts';
import type { Books, FeedEvent, Level, ShownOrder, ShownRefund } from './books.ts';
import type { Wire } from './wire.ts';

const STORE = WHERE.nodeId;
const WAREHOUSE = 'TOWN-DC001';
const OWN = '/operator/v1';
const ORDERS = `${OWN}/stores/${WHERE.storeId}/fulfillmentOrders`;
const NODE = pathOf(WHERE);
const RETURNS = `${OWN}/stores/${WHERE.storeId}/returns`;
const REFUNDS = `${OWN}/clients/TOWN/refunds`;
const nodePath = (node: string) => `${OWN}/clients/TOWN/nodes/${node}`;
/** Items of the orders and of the supplier. The first item is sometimes not found. */
const SKUS = ['MATCH-100', 'TEE-RED-M', 'MUG-WHT', 'UMBR-NAV', 'SOAP-LAV'];
/** Number of units on each shelf at the start. It is so large that no pick needs more units than the shelf has. */
const SHELF_AT_START = 100_000;
const PAGE = 500;

interface ShownReturn {
  returnId: string;
  refunds: ShownRefund[];
}

interface Taken {
  return: ShownReturn;
}

interface TownOptions {
  wire: Wire;
  books: Books;
  random: () => number;
  credential: Credential;
  name: string;
}

/**
 * The people, with lists of the orders and shipments that they pass on to each other. Only the person who takes an
 * order or shipment from its list works on it.
 */
export class People {
  readonly #wire: Wire;
  readonly #books: Books;
  readonly #random: () => number;
  readonly #requests: Requests;
  readonly #name: string;
  readonly #waiting: string[] = [];
  readonly #picked: string[] = [];
  readonly #handed: string[] = [];
  readonly #shipments: {
    number: string;
    cartons: { cartonId: string; itemId: string; units: number; isCounted: boolean }[];
  }[] = [];
  #ids = 0;
  #feedFrom = 0;

  constructor({ wire, books, random, credential, name }: TownOptions) {
    this.#wire = wire;
    this.#books = books;
    this.#random = random;
    this.#name = name;
    this.#requests = new Requests(credential, name, random);
  }

  /** The kinds of people, with the number of people of each kind who work concurrently. */
  get kinds(): readonly (readonly [kind: string, count: number, act: () => Promise<unknown>])[] {
    return [
      ['order system', 2, () => this.#order()],
      ['customer service', 1, () => this.#cancel()],
      ['picker', 3, () => this.#pick()],
      ['counter', 2, () => this.#handOver()],
      ['returns desk', 1, () => this.#takeBack()],
      ['supplier', 1, () => this.#announce()],
      ['dock', 2, () => this.#receive()],
      ['stock clerk', 2, () => this.#move()],
      ['auditor', 1, () => this.#look()],
    ];
  }

  /** Puts units on the shelves, and records the end of the feed. */
  async begin(): Promise<void> {
    for (const sku of SKUS) await this.#moveUnits(STORE, `21-${sku}`, 'COUNT', 'SHELF', SHELF_AT_START);
    this.#books.told.clear();
    this.#feedFrom = await this.#headOfFeed();
  }

  async #headOfFeed(): Promise<number> {
    const { head } = await this.#wire.read<{ head: number }>(`${OWN}/events?limit=1`);
    return head;
  }

  /** Compares the data of the service with the books, while no person works. */
  async judge(): Promise<string[]> {
    const faults: string[] = [];
    for (const node of [STORE, WAREHOUSE]) faults.push(...this.#books.levels(node, await this.#levels(node)));
    for (const id of this.#books.orders.keys()) {
      faults.push(...this.#books.order(id, await this.#wire.find<ShownOrder>(`${ORDERS}/${id}`)));
    }
    faults.push(...this.#books.money(await this.#refunds()));
    faults.push(...this.#books.feed(await this.#feed(), this.#feedFrom));
    return faults;
  }

  async #levels(node: string): Promise<Level[]> {
    const { stock } = await this.#wire.read<{ stock: Level[] }>(`${nodePath(node)}/stock?pageSize=100`);
    return stock;
  }

  async #refunds(): Promise<ShownRefund[]> {
    const refunds: ShownRefund[] = [];
    for (let after = ''; ; ) {
      const page = await this.#wire.read<{ refunds: ShownRefund[]; next?: string }>(`${REFUNDS}?limit=${PAGE}${after}`);
      refunds.push(...page.refunds);
      if (page.next === undefined) return refunds;
      after = `&after=${page.next}`;
    }
  }

  async #feed(): Promise<FeedEvent[]> {
    const events: FeedEvent[] = [];
    for (let after = this.#feedFrom; ; ) {
      const page = await this.#wire.read<{ events: FeedEvent[]; nextAfter: number; head: number }>(
        `${OWN}/events?after=${after}&limit=${PAGE}`,
      );
      events.push(...page.events);
      if (page.nextAfter >= page.head) return events;
      after = page.nextAfter;
    }
  }

  async #order(): Promise<boolean> {
    const order = this.#requests.order() as { fulfillmentOrderId: string; lines: { quantity: number }[] };
    if ((await this.#wire.write('POST', ORDERS, order, 'order')) === undefined) return true;
    const ordered = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
    this.#books.orders.set(order.fulfillmentOrderId, { ordered, picked: 0, left: 0, handed: 0, back: 0 });
    this.#books.tell('order.received');
    this.#waiting.push(order.fulfillmentOrderId);
    return true;
  }

  /** Cancels one unit of a waiting order, at most once for each order. `quantity` is the total of canceled units. */
  async #cancel(): Promise<boolean> {
    const id = this.#take(this.#waiting);
    if (id === undefined) return false;
    if (this.#books.orders.get(id)!.left > 0) {
      this.#waiting.push(id);
      return false;
    }
    const body = {
      reasonCode: 'CancelCustomerInitiated',
      lines: [{ webLineId: '1', quantity: 1 }],
    };
    if ((await this.#wire.write('POST', `${ORDERS}/${id}/cancel`, body, 'cancel')) !== undefined) {
      this.#books.orders.get(id)!.left += 1;
      this.#books.tell('order.canceled');
    }
    this.#waiting.push(id);
    return true;
  }

  /**
   * Generates a ticket with one to four orders. The ticket is confirmed, sometimes with one unit not found, or reset.
   */
  async #pick(): Promise<boolean> {
    const ids = Array.from({ length: 1 + this.#below(4) }, () => this.#take(this.#waiting)).filter(
      (id) => id !== undefined,
    );
    if (ids.length === 0) return false;
    const user = `pia${this.#below(3)}`;
    const generated = await this.#wire.write<object>(
      'POST',
      `${NODE}${GENERATE}`,
      generateBody(WHERE, QUEUE, ids, user),
      'generate',
    );
    if (generated === undefined) return true;
    this.#books.tell('pickTicket.generated');
    const ticket = ticketIn(generated);
    if (this.#random() < 0.15) {
      const reset = await this.#wire.write(
        'PUT',
        `${NODE}${UPDATE}`,
        resetBody(WHERE, ticket.pickTicketId, user),
        'reset',
      );
      if (reset === undefined) return true;
      this.#books.tell('pickTicket.reset');
      this.#waiting.push(...ids);
      return true;
    }
    await this.#confirm(ticket, user, ids);
    return true;
  }

  async #confirm(ticket: Ticket, user: string, ids: readonly string[]): Promise<void> {
    const confirmed = { ...ticket, holdLocation: `H${this.#below(40)}` };
    const isShort = ids.length === 1 && this.#random() < 0.1;
    const found = ({ itemDetails, quantity }: Ticket['pickTicketItems'][number]) =>
      isShort && itemDetails.itemId === `21-${SKUS[0]}` ? quantity - 1 : quantity;
    const body = confirmBody(WHERE, confirmed, user, found);
    if ((await this.#wire.write('PUT', `${NODE}${UPDATE}`, body, 'confirm')) === undefined) return;
    this.#books.tell('pickTicket.confirmed');
    // The picked units of each order are its ordered units, without canceled units and units that were not found.
    const short = ticket.pickTicketItems.reduce((sum, item) => sum + item.quantity - found(item), 0);
    for (const id of ids) {
      const book = this.#books.orders.get(id)!;
      book.picked = book.ordered - book.left - short;
      book.left += short;
      if (book.picked > 0) this.#picked.push(id);
    }
  }

  async #handOver(): Promise<boolean> {
    const id = this.#take(this.#picked);
    if (id === undefined) return false;
    const shown = await this.#wire.find<ShownOrder>(`${ORDERS}/${id}`);
    if (shown === undefined) return true;
    const customerPickUpItems = shown.lines
      .filter(({ leftQuantity }) => leftQuantity > 0)
      .map(({ webLineId, itemId, leftQuantity, pickedQuantity }) => ({
        webLineId,
        itemId,
        customerPickedQuantity: leftQuantity,
        canceledQuantity: 0,
        backroomPickedQuantity: pickedQuantity,
      }));
    this.#ids += 1;
    const details = {
      ...WHERE,
      fulfillmentOrderId: id,
      handOverId: `${this.#name}-h${this.#ids}`,
      customerPickUpItems,
    };
    const body = { modifyAssociateId: 'cleo', customerPickUpDetails: details };
    if ((await this.#wire.write('PUT', `${NODE}/customerPickUp/confirm`, body, 'handOver')) === undefined) return true;
    const book = this.#books.orders.get(id)!;
    book.handed = book.picked;
    for (const { itemId, customerPickedQuantity } of customerPickUpItems)
      this.#books.went(STORE, itemId, customerPickedQuantity);
    this.#books.tell('order.handedOver');
    if (book.handed > 0) this.#handed.push(id);
    return true;
  }

  /**
   * A customer returns units of a line: immediately at the counter, or with an announced return that is then received
   * and closed.
   */
  async #takeBack(): Promise<boolean> {
    const id = this.#take(this.#handed);
    if (id === undefined) return false;
    const shown = await this.#wire.find<ShownOrder>(`${ORDERS}/${id}`);
    const line = shown?.lines.find((one) => one.handedOverQuantity > one.cameBackQuantity);
    if (line === undefined) return true;
    this.#ids += 1;
    const number = `${this.#name}-b${this.#ids}`;
    const quantity = 1 + this.#below(line.handedOverQuantity - line.cameBackQuantity);
    const condition = ['GOOD', 'OPENED', 'DAMAGED'][this.#below(3)]!;
    const of = { fulfillmentOrderId: id, webLineId: line.webLineId, quantity };
    const isDone =
      this.#random() < 0.5
        ? await this.#atOnce(number, { ...of, condition })
        : await this.#announced(number, of, condition);
    if (isDone) {
      this.#books.came(STORE, line.itemId, quantity);
      this.#books.orders.get(id)!.back += quantity;
      this.#books.tell('return.received');
      this.#books.tell('return.closed');
    }
    this.#handed.push(id);
    return true;
  }

  async #atOnce(number: string, line: object): Promise<boolean> {
    const body = { takeId: number, number, userId: 'rita', storeId: WHERE.storeId, lines: [line] };
    const made = await this.#wire.write<Taken>('POST', `${nodePath(STORE)}/returns`, body, 'take');
    if (made !== undefined) this.#books.owes(made.return.refunds);
    return made !== undefined;
  }

  async #announced(number: string, line: { quantity: number }, condition: string): Promise<boolean> {
    const made = await this.#wire.write<ShownReturn>('POST', RETURNS, { number, lines: [line] }, 'request');
    if (made === undefined) return false;
    this.#books.tell('return.requested');
    const path = `${nodePath(STORE)}/returns/${made.returnId}`;
    const lines = [{ position: 1, quantity: line.quantity, condition }];
    const receipt = { receiptId: number, userId: 'rita', lines };
    if ((await this.#wire.write('POST', `${path}/receipts`, receipt, 'receiveBack')) === undefined) return false;
    const close = { closeId: number, userId: 'rita' };
    const closed = await this.#wire.write<ShownReturn>('POST', `${path}/close`, close, 'close');
    if (closed === undefined) return false;
    this.#books.owes(closed.refunds);
    return true;
  }

  async #announce(): Promise<boolean> {
    this.#ids += 1;
    const asnNumber = `${this.#name}${this.#ids}`;
    const cartons = Array.from({ length: 1 + this.#below(4) }, (_, index) => ({
      cartonId: `${asnNumber}C${index}`,
      itemId: `21-${SKUS[this.#below(SKUS.length)]}`,
      units: 1 + this.#below(24),
      isCounted: false,
    }));
    const common = { asnNumber, receivingWarehouseId: 'DC001' };
    const header = {
      ...common,
      receivingType: 'A',
      shipmentReceiptDate: '2026-03-20',
      shipperName: 'Fine Goods Ltd',
      storeCode: '988',
    };
    const detail = cartons.map(({ cartonId, itemId, units }) => ({
      ...common,
      cartonId,
      clientItemId: itemId.slice(3),
      itemCost: 12.5,
      shippedQuantity: units,
      trailerNumber: 'TR-7',
    }));
    const body = { asnData: [{ header, details: { detail } }] };
    if (
      (await this.#wire.write('POST', '/poasn-manager-service/sellers/TOWNS/poasn/create', body, 'announce')) ===
      undefined
    )
      return true;
    this.#books.tell('inbound.transmitted');
    this.#shipments.push({ number: asnNumber, cartons });
    return true;
  }

  /** Scans a whole carton, or counts some of its units. */
  async #receive(): Promise<boolean> {
    const shipment = this.#take(this.#shipments);
    const carton = shipment?.cartons.pop();
    if (shipment === undefined || carton === undefined) return false;
    const { cartonId, itemId, units } = carton;
    this.#ids += 1;
    const isWhole = !carton.isCounted && this.#random() < 0.5;
    const some = isWhole ? units : 1 + this.#below(units);
    const damaged = isWhole ? 0 : this.#below(some + 1);
    const to = this.#random() < 0.3 ? 'STAGE' : 'SHELF';
    const content = isWhole
      ? { cartons: [{ cartonId, as: 'GOOD', to }] }
      : { lines: [{ cartonId, itemId, good: some - damaged, damaged, ...(some > damaged && { to }), reason: 'SEEN' }] };
    const body = { receiptId: `${this.#name}-r${this.#ids}`, userId: 'dora', ...content };
    const path = `${nodePath(WAREHOUSE)}/inbound/ASN/${shipment.number}/receipts`;
    if ((await this.#wire.write('POST', path, body, 'receive')) !== undefined) {
      this.#books.came(WAREHOUSE, itemId, some);
      this.#books.tell('inbound.received');
      if (some < units) shipment.cartons.push({ ...carton, units: units - some, isCounted: true });
    }
    if (shipment.cartons.length > 0) this.#shipments.push(shipment);
    return true;
  }

  async #move(): Promise<boolean> {
    const itemId = `21-${SKUS[this.#below(SKUS.length)]}`;
    const [from, to] = [
      ['COUNT', 'SHELF'],
      ['SHELF', 'COUNT'],
      ['SHELF', 'DAMAGED'],
    ][this.#below(3)]!;
    await this.#moveUnits(STORE, itemId, from!, to!, 1 + this.#below(5));
    return true;
  }

  async #moveUnits(node: string, itemId: string, from: string, to: string, quantity: number): Promise<void> {
    this.#ids += 1;
    const body = {
      moveId: `${this.#name}-m${this.#ids}`,
      userId: 'stella',
      lines: [{ itemId, from, to, quantity, reason: 'SEEN' }],
    };
    if ((await this.#wire.write('POST', `${nodePath(node)}/stock/moves`, body, 'move')) === undefined) return;
    if (from === 'COUNT') this.#books.came(node, itemId, quantity);
    if (to === 'COUNT') this.#books.went(node, itemId, quantity);
  }

  /** An auditor reads levels and events while other people act. */
  async #look(): Promise<boolean> {
    await this.#levels(STORE);
    await this.#wire.read(`${OWN}/events?after=${this.#feedFrom}&limit=20`);
    return true;
  }

  #take<T>(from: T[]): T | undefined {
    return from.length === 0 ? undefined : from.splice(this.#below(from.length), 1)[0];
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}
