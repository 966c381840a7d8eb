/**
 * One of the clients of a mixed load. It keeps what the service has acknowledged: what every resource it touched must look
 * like, and for a request without an answer how it looks if the request was carried out.
 */
import type { Agent } from 'node:http';
import { townOrderBodies, townOrders } from '../../src/demo/orders.ts';
import { type Answer, oneConnection, type Request, send } from './process.ts';
import type { Credential } from './town.ts';

/** A resource as it is compared: `item:ID`, `order:ID`, `ticket:ID`, `inbound:NUMBER`; null is "not there". */
export type World = Map<string, unknown>;

export interface OrderState {
  status: number;
  /** Orders on the open ticket that holds it. */
  with: string[] | null;
  /** Ordered, picked, declined. */
  lines: number[][];
  /** Checked in, canceled; null before somebody answered. */
  arrivals: (number | null)[][];
}

/** A request with what it does when it is carried out. */
export interface Sent {
  id: string;
  request: Request;
  keyed: boolean;
  effect: World;
  /** Events that it records. */
  events: number;
  /** Takes over what only the answer tells. */
  learn?: (text: string) => void;
}

export interface Ticket {
  id: string;
  orders: string[];
  /** Undefined when the answer was lost: then it can only be reset. */
  items?: { id: number; itemId: string; quantity: number }[];
}

const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
const SKUS = ['TEE-RED-M', 'MUG-WHT', 'UMBR-NAV', 'SOAP-LAV', 'MATCH-100'];
const WHO = 'campaign';
const REASON = 'CancelMXOutOfStock';
const DAMAGED = 'STSProductReceivedDamagedInterior';

/** Packages of an order that arrives: webLineId and units. */
const ARRIVING = [
  [
    ['1', 1],
    ['2', 1],
  ],
  [['2', 2]],
] as const;
const ARRIVING_SKUS = ['21-LAMP-BRS', '21-TEE-BLU-M'];

const bodies = townOrderBodies(Date.now())['TOWN_US'] as Record<string, unknown>[];
const bodyOf = (id: string) => bodies.find((body) => body['fulfillmentOrderId'] === id)!;
const toPick = bodyOf(townOrders.waiting);
const toArrive = bodyOf(townOrders.arriving);

export class Clerk {
  readonly name: string;
  /** What is acknowledged. */
  readonly world: World = new Map();
  /** Requests that were carried out, with the number of their events. */
  readonly carriedOut = new Map<string, Sent>();
  /** Requests that were refused: they must have left nothing. */
  readonly refused = new Set<string>();
  /** The request that got no answer, or the answer that nobody knows. */
  open: Sent | undefined;
  readonly #credential: Credential;
  readonly #random: () => number;
  #agent: Agent = oneConnection();
  #count = 0;
  #waiting: string[] = [];
  #tickets: Ticket[] = [];
  #arriving: { id: string; isSaved: boolean }[] = [];
  #items = 0;
  /** Items of the lines of the orders to pick. */
  readonly #skus = new Map<string, string[]>();

  constructor(name: string, credential: Credential, random: () => number) {
    this.name = name;
    this.#credential = credential;
    this.#random = random;
  }

  /** A random next request. */
  next(): Sent {
    const draw = this.#random();
    if (draw < 0.22) return this.#putItem();
    if (draw < 0.42) return this.#takeOrders();
    if (draw < 0.52) return this.#transmit();
    if (draw < 0.6) return this.#takeArriving();
    if (draw < 0.74 && this.#waiting.length > 0) return this.#generate();
    if (draw < 0.88 && this.#tickets.length > 0) return this.#update();
    if (this.#arriving.length > 0) return this.#checkIn();
    return this.#waiting.length > 0 ? this.#generate() : this.#takeOrders();
  }

  /** Sends it; undefined when no answer came. */
  async send(base: string, sent: Sent, timeoutMs?: number): Promise<Answer | undefined> {
    const answer = await send(base, sent.request, {
      agent: this.#agent,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    return answer;
  }

  /** A new connection, for a service that was started again. */
  reconnect(): void {
    this.#agent.destroy();
    this.#agent = oneConnection();
  }

  /** The request was carried out: its effect is what must be there from now on. */
  settle(sent: Sent, answer?: Answer): void {
    for (const [name, state] of sent.effect) this.world.set(name, state);
    if (answer !== undefined) sent.learn?.(answer.text);
    this.carriedOut.set(sent.id, sent);
  }

  /** The ticket of a generated request whose answer was lost. */
  adopt(ticket: Ticket): void {
    this.#tickets.push(ticket);
    this.#noteTicket(ticket.id, ticket.orders, null);
  }

  /** Puts back what the lists of the clerk lost to a request that was not carried out. */
  sortOut(): void {
    const orders = [...this.world].filter(([name]) => name.startsWith('order:')) as [string, OrderState][];
    const idOf = (name: string) => name.slice('order:'.length);
    this.#waiting = orders.filter(([, { status }]) => status === 1100).map(([name]) => idOf(name));
    this.#arriving = orders
      .filter(([, { status }]) => status === 1300)
      .map(([name, { arrivals }]) => ({ id: idOf(name), isSaved: arrivals[0]![0] !== null }));
    this.#tickets = this.#tickets.filter(
      ({ id }) => (this.world.get(`ticket:${id}`) as { outcome: unknown } | undefined)?.outcome === null,
    );
  }

  #sent(method: string, path: string, body: unknown, effect: World, events: number, learn?: Sent['learn']): Sent {
    const id = `${this.name}-${++this.#count}`;
    const keyed = this.#random() < 0.5;
    const headers = {
      ...this.#credential,
      'content-type': 'application/json',
      'x-request-id': id,
      ...(keyed && { 'idempotency-key': id }),
    };
    const request = { method, path, headers, body: JSON.stringify(body) };
    return { id, request, keyed, effect, events, ...(learn && { learn }) };
  }

  #below(most: number): number {
    return Math.floor(this.#random() * most);
  }

  #putItem(): Sent {
    const old = this.#items > 0 && this.#random() < 0.5;
    const clientItemId = `${this.name}-${old ? this.#below(this.#items) : this.#items++}`.toUpperCase();
    const itemId = `21-${clientItemId}`;
    const description = `as of ${this.#count + 1}`;
    const body = {
      catalogId: '21',
      clientId: 'TOWN',
      clientItemId,
      itemId,
      type: 'MERCH',
      salesClass: 'stock',
      styleId: '',
      taxCode: '',
      description,
    };
    const effect = new Map([[`item:${itemId}`, { description }]]);
    return this.#sent('PUT', `/item-service/clients/TOWN/items/${itemId}`, body, effect, 1);
  }

  #takeOrders(): Sent {
    const effect: World = new Map();
    const orders = Array.from({ length: 1 + this.#below(3) }, (_, index) => {
      const id = `${this.name}-${this.#count}-${index}`;
      const skus = SKUS.slice(this.#below(3)).slice(0, 1 + this.#below(3));
      const lines = skus.map((sku, line) => ({
        webLineId: String(line + 1),
        itemId: `21-${sku}`,
        quantity: 1 + this.#below(5),
        unitPrice: 9.5,
      }));
      this.#skus.set(
        id,
        lines.map((line) => line.itemId),
      );
      const state = { status: 1100, with: null, lines: lines.map(({ quantity }) => [quantity, 0, 0]), arrivals: [] };
      effect.set(`order:${id}`, state satisfies OrderState);
      return { ...toPick, fulfillmentOrderId: id, omsOrderId: id, webOrderId: id, lines };
    });
    return this.#sent('POST', '/operator/v1/stores/TOWN_US/fulfillmentOrders', orders, effect, orders.length, () => {
      this.#waiting.push(...orders.map((order) => order.fulfillmentOrderId));
    });
  }

  #takeArriving(): Sent {
    const id = `${this.name}-${this.#count}`;
    const packages = (toArrive['packages'] as object[]).map((one, index) => ({
      ...one,
      trackingNumber: `${id}-${index}`,
    }));
    const order = { ...toArrive, fulfillmentOrderId: id, omsOrderId: id, webOrderId: id, packages };
    const lines = [
      [1, 0, 0],
      [3, 0, 0],
    ];
    const arrivals = ARRIVING.flat().map(() => [null, null]);
    const effect = new Map([[`order:${id}`, { status: 1300, with: null, lines, arrivals } satisfies OrderState]]);
    return this.#sent('POST', '/operator/v1/stores/TOWN_US/fulfillmentOrders', order, effect, 1, () => {
      this.#arriving.push({ id, isSaved: false });
    });
  }

  #transmit(): Sent {
    const asnNumber = `${this.name}-${this.#count}`;
    const units = Array.from({ length: 1 + this.#below(5) }, () => 1 + this.#below(100));
    const header = {
      asnNumber,
      receivingType: 'A',
      receivingWarehouseId: 'DC001',
      shipmentReceiptDate: '2026-03-20',
      shipperName: 'Fine Goods Ltd',
      storeCode: '988',
    };
    const detail = units.map((shippedQuantity, index) => ({
      asnNumber,
      cartonId: `C${index}`,
      clientItemId: 'MUG-WHT',
      itemCost: 12.5,
      receivingWarehouseId: 'DC001',
      shippedQuantity,
      trailerNumber: 'TR-7',
    }));
    const effect = new Map([[`inbound:${asnNumber}`, { units }]]);
    const path = '/poasn-manager-service/sellers/TOWNS/poasn/create';
    return this.#sent('POST', path, { asnData: [{ header, details: { detail } }] }, effect, 1);
  }

  #generate(): Sent {
    const orders = this.#waiting.splice(0, 1 + this.#below(3)).sort();
    const effect: World = new Map();
    for (const id of orders) effect.set(`order:${id}`, { ...this.#order(id), status: 1150, with: orders });
    const body = {
      ...WHERE,
      queueId: 'WAITING_FOR_PICK_ISPU',
      userId: WHO,
      modifyAssociateId: WHO,
      fulfillmentOrderIds: orders,
    };
    return this.#sent('POST', `${NODE}/pickTicket/generate`, body, effect, 1 + orders.length, (text) => {
      const [ticket] = (JSON.parse(text) as { pickTicketDetails: [GeneratedTicket] }).pickTicketDetails;
      const items = ticket.pickTicketItems.map(({ id, itemDetails, quantity }) => ({
        id,
        itemId: itemDetails.itemId,
        quantity,
      }));
      this.#tickets.push({ id: ticket.pickTicketId, orders, items });
      this.#noteTicket(ticket.pickTicketId, orders, null);
    });
  }

  #noteTicket(id: string, orders: string[], outcome: string | null): void {
    this.world.set(`ticket:${id}`, { outcome, orders });
  }

  #order(id: string): OrderState {
    return this.world.get(`order:${id}`) as OrderState;
  }

  #update(): Sent {
    const [ticket] = this.#tickets.splice(this.#below(this.#tickets.length), 1) as [Ticket];
    return ticket.items === undefined || this.#random() < 0.3
      ? this.#reset(ticket)
      : this.#confirm(ticket, ticket.items);
  }

  #reset({ id, orders }: Ticket): Sent {
    const effect: World = new Map([[`ticket:${id}`, { outcome: 'RESET', orders }]]);
    for (const order of orders) effect.set(`order:${order}`, { ...this.#order(order), status: 1100, with: null });
    const details = { pickTicketId: id, action: 'RESET', ...WHERE, userId: WHO };
    return this.#sent('PUT', `${NODE}/pickTicket/update`, body(details), effect, 1 + orders.length, () => {
      this.#waiting.push(...orders);
    });
  }

  /** Everything or nothing found; on a ticket of one order also a part, because there the allotment is known. */
  #confirm({ id, orders }: Ticket, items: NonNullable<Ticket['items']>): Sent {
    const isAll = this.#random() < 0.6;
    const part = !isAll && orders.length === 1;
    const pickTicketItems = items.map(({ id: number, itemId, quantity }) => {
      const pickedQuantity = isAll ? quantity : part ? this.#below(quantity + 1) : 0;
      const canceledQuantity = quantity - pickedQuantity;
      const reason = canceledQuantity > 0 && { cancellationReasonCode: REASON };
      return { id: number, itemId, quantity, pickedQuantity, canceledQuantity, ...reason };
    });
    const effect: World = new Map([[`ticket:${id}`, { outcome: 'CONFIRMED', orders }]]);
    for (const order of orders) effect.set(`order:${order}`, this.#picked(order, part ? pickTicketItems : isAll));
    const details = { pickTicketId: id, action: 'CONFIRM', ...WHERE, userId: WHO, holdLocation: 'A1', pickTicketItems };
    return this.#sent('PUT', `${NODE}/pickTicket/update`, body(details), effect, 1 + orders.length);
  }

  #picked(id: string, found: boolean | { itemId: string; pickedQuantity: number }[]): OrderState {
    const before = this.#order(id);
    const skus = this.#skus.get(id);
    const lines = before.lines.map(([ordered], index) => {
      const picked =
        typeof found === 'boolean'
          ? found
            ? ordered!
            : 0
          : found.find((item) => item.itemId === skus?.[index])!.pickedQuantity;
      return [ordered!, picked, ordered! - picked];
    });
    const isAny = lines.some(([, picked]) => picked! > 0);
    return { ...before, status: isAny ? 1400 : 9000, with: null, lines };
  }

  #checkIn(): Sent {
    const at = this.#below(this.#arriving.length);
    const [{ id, isSaved }] = this.#arriving.splice(at, 1) as [{ id: string; isSaved: boolean }];
    const isLast = isSaved || this.#random() < 0.5;
    const damaged = this.#below(3);
    const before = this.#order(id);
    const counted = ARRIVING.map((items, box) =>
      items.map(([webLineId, quantity]) => {
        const checkInCanceledQuantity = box === 1 ? damaged : 0;
        const reason = checkInCanceledQuantity > 0 && { checkInCancellationReasonCode: DAMAGED };
        return {
          itemId: ARRIVING_SKUS[Number(webLineId) - 1],
          webLineId,
          quantity,
          checkInQuantity: quantity - checkInCanceledQuantity,
          checkInCanceledQuantity,
          ...reason,
        };
      }),
    );
    const boxes = (toArrive['packages'] as { checkInPackageId: string }[]).map(({ checkInPackageId }, index) => ({
      checkInPackageId,
      checkInPackageItems: counted[index]!,
    }));
    const answered = counted.map((items) =>
      items.map(({ checkInQuantity, checkInCanceledQuantity }) => [checkInQuantity, checkInCanceledQuantity]),
    );
    const after: OrderState = isLast
      ? {
          status: 1400,
          with: null,
          lines: [
            [1, 1, 0],
            [3, 3 - damaged, damaged],
          ],
          arrivals: answered.flat(),
        }
      : { ...before, arrivals: [...answered[0]!, ...before.arrivals.slice(2)] };
    const fulfillmentOrder = {
      action: isLast ? 'CONFIRM' : 'UPDATE',
      ...WHERE,
      fulfillmentOrderId: id,
      holdLocation: 'A2',
      checkInPackages: isLast ? boxes : boxes.slice(0, 1),
    };
    const path = `${NODE}/fulfillmentOrders/${id}/checkin`;
    const message = { modifyAssociateId: WHO, fulfillmentOrder };
    return this.#sent('POST', path, message, new Map([[`order:${id}`, after]]), 1, () => {
      if (!isLast) this.#arriving.push({ id, isSaved: true });
    });
  }
}

interface GeneratedTicket {
  pickTicketId: string;
  pickTicketItems: { id: number; itemDetails: { itemId: string }; quantity: number }[];
}

function body(pickTicketDetails: object) {
  return { modifyAssociateId: WHO, pickTicketDetails };
}
