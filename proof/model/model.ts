/**
 * A small Backroom in memory: one client, two stores and three nodes. It implements the rules of the API and of the
 * decisions again, without a database. This file moves units, orders and tickets; the effect of each command is in the
 * file of the command. Time is in minutes since the world began.
 */
import { Big } from 'big.js';
import { Agenda } from './agenda.ts';
import type { Arrival } from './arrivals.ts';
import { type Back, cameOf, type Refund } from './back.ts';
import type { Spot } from './goods.ts';
import { KEPT, Ledger } from './ledger.ts';
import { charge } from './money.ts';
import { PIN_ATTEMPTS, type Settings } from './terms.ts';
import {
  type Header,
  type Hold,
  held,
  isClosed,
  isPacked,
  type Line,
  left,
  type Node,
  type Order,
  type OrderType,
  open,
  POLICIES,
  type Price,
  packed,
  queueOf,
  REVERSE,
  type Request,
  stepOf,
  sum,
  type Ticket,
  wanted,
} from './things.ts';

/** Minutes for which wrong PINs lock the hand-over of an order. */
const PIN_LOCK = 15;
/** Minutes for which an opened ticket is reserved for its user. */
const LEASE = 120;

/**
 * Numbers in the titles of items. An item with the title `INFINITE` never runs out. An item with the title `CHECKED` is
 * `inventoryCheckEligible`.
 */
export const INFINITE = 2;
export const CHECKED = 1;

const DONE: Record<OrderType, number> = {
  STORE_PICK_UP: 3800,
  SHIP_TO_HOME: 3700,
  SHIP_TO_STORE: 3800,
  ASSOCIATE_DELIVERY: 3900,
};

const gone = (line: Line) => line.handed;

/** Returns whether intake checks the availability of an item, which depends on its title and on `promiseCheck`. */
function isAskedFor({ items, settings }: Model, sku: number): boolean {
  const title = items.get(sku);
  return title !== INFINITE && (settings.promiseCheck !== 'ELIGIBLE' || title === CHECKED);
}

export class Model {
  now = 0;
  /** The number in the title of each item. */
  readonly items = new Map<number, number>();
  readonly inbound = new Map<number, string>();
  /** Shipments at the first node by seller and number, and the last receipt with its received units. */
  readonly arrivals = new Map<string, Arrival>();
  lastReceipt: { name: string; brought: unknown } | undefined;
  /** Default place of good units at the first node. */
  receiveTo: Spot = 'SHELF';
  readonly ledger = new Ledger();
  readonly orders = new Map<number, Order>();
  readonly tickets: Ticket[] = [];
  readonly requests: Request[] = [];
  /** Returns and refunds in the order of their creation, and the fees that were deducted from refunds. */
  readonly backs: Back[] = [];
  readonly refunds: Refund[] = [];
  readonly fees: { back: Back; order: Order; amount: Big }[] = [];
  /** Number of attempts to create a return. */
  tried = 0;
  /** The items that are on hold at a node. */
  readonly holds = new Map<string, Hold>();
  /** The settings of the client, and the nodes that promise only available units. */
  settings: Settings = {};
  readonly promising = new Set<Node>();
  clientTitle: number | undefined;
  /**
   * The numbers in the titles of the stores, nodes and users that commands created. The keys are the numbers of these
   * resources.
   */
  readonly stores = new Map<number, number>();
  readonly nodes = new Map<number, number>();
  readonly users = new Map<number, number>();
  readonly providers = new Map<number, number>();
  readonly credentials: { groups: string[]; isRevoked: boolean }[] = [];
  /** Whether the owner has enabled each webhook. */
  readonly webhooks = new Map<number, boolean>();
  /** Items for which the quantity at a node was set. */
  readonly fed = new Set<string>();

  /** Returns the orders, sorted by id. */
  sorted(): Order[] {
    return [...this.orders.values()].sort((a, b) => a.id - b.id);
  }

  /**
   * Returns the items of which a node has too few units, if the node promises only available units: node, item, wanted
   * and available units.
   */
  unavailable(all: readonly { node: Node; sku: number; quantity: number }[]): number[][] {
    const wanted = new Map<string, { node: Node; sku: number; units: number }>();
    for (const { node, sku, quantity } of all) {
      if (!KEPT.includes(node) || !this.promising.has(node) || !isAskedFor(this, sku)) continue;
      const one = wanted.get(`${node}/${sku}`) ?? { node, sku, units: 0 };
      wanted.set(`${node}/${sku}`, { ...one, units: one.units + quantity });
    }
    return [...wanted.values()]
      .flatMap(({ node, sku, units }) => {
        const available = this.ledger.of(node, sku).SHELF - this.ledger.reserved(node, sku, this.orders.values());
        return units > available ? [[node, sku, units, available]] : [];
      })
      .sort(([a], [b]) => a! - b!);
  }

  addOrder(
    order: Pick<Order, 'id' | 'content' | 'type' | 'node' | 'from' | 'hasPin' | 'hasProxy'>,
    lines: readonly { web: number; sku: number; quantity: number; price: Price }[],
    { charges, tax, cash }: Pick<Header, 'charges' | 'tax' | 'cash'> = { charges: '0', tax: '0', cash: null },
  ): void {
    const picked = {
      picked: 0,
      declined: 0,
      canceled: 0,
      canceling: 0,
      handed: 0,
      refused: 0,
      returned: 0,
      missing: 0,
    };
    const none = { ...picked, cameBack: 0, comingBack: 0, charged: new Big(0) };
    const made: Order = {
      ...order,
      status: order.type === 'SHIP_TO_STORE' ? 1300 : 1100,
      lines: lines.map(({ web, sku, quantity, price }) => ({ web, sku, price, ordered: quantity, ...none })),
      ticket: null,
      placed: false,
      isMoved: false,
      said: lines.map(() => undefined),
      boxes: [],
      wrongPins: 0,
      lockedUntil: 0,
      handOvers: [],
      header: { charges, tax, cash, isCharged: false, collected: new Big(0), charged: new Big(0) },
      charged: [],
      agenda: new Agenda(),
      changedAt: this.now,
      decidedAt: this.now,
    };
    this.orders.set(order.id, made);
    this.moved(made);
  }

  /** Returns the header amounts. A re-sourced order shares them with the order from which it was re-sourced. */
  headerOf(order: Order): Header {
    return order.from === null ? order.header : this.headerOf(this.orders.get(order.from)!);
  }

  /** Updates the time of the last change, the queue and the time limit of the step after a change of an order. */
  moved(order: Order): void {
    order.changedAt = this.now;
    order.agenda.enter(queueOf(order), stepOf(order), this.now);
  }

  /** Updates the state of an order after its units changed. */
  settle(order: Order): void {
    if (sum(order, open) === 0) {
      if (sum(order, wanted) > 0) {
        const isThere = order.status === 1200 || order.status === 1400 || order.status === 1500;
        if (!isThere) order.status = isPacked(order.type) ? 1200 : 1400;
      } else if (sum(order, gone) > 0) order.status = DONE[order.type];
      else if (sum(order, held) > 0) order.status = 8000;
      else if (this.resourceable(order) > 0) order.status = 9100;
      else order.status = this.resourced(order) > 0 ? 9200 : 9000;
    }
    this.moved(order);
  }

  /** Returns the ticket of an order; in state 8000, its first open reverse ticket. */
  ticketOf({ id, status, ticket }: Order): number | null {
    if (status !== 8000) return ticket;
    return this.tickets.findIndex(
      (one) => one.kind === 'REVERSE_PICK_TICKET' && one.orders[0] === id && !isClosed(one),
    );
  }

  /** Returns the units of each line of an order that were returned in counted returns. */
  counted(order: Order): Map<Line, number> {
    const came = new Map<Line, number>();
    for (const { isCounted, lines } of this.backs) {
      for (const one of isCounted ? lines : []) {
        if (one.of?.order === order) came.set(one.of.line, (came.get(one.of.line) ?? 0) + cameOf(one));
      }
    }
    return came;
  }

  /** Returns the number of declined units that another node can still serve. */
  resourceable(order: Order): number {
    return this.#asked(order, 'OPEN');
  }

  /** Returns the number of declined units that another node serves. */
  resourced(order: Order): number {
    return this.#asked(order, 'RESOURCED');
  }

  #asked({ id }: Order, status: Request['status']): number {
    const lines = this.requests.filter((one) => one.order === id && one.status === status).flatMap((one) => one.lines);
    return lines.reduce((total, { quantity }) => total + quantity, 0);
  }

  /**
   * Removes units that are no longer wanted from the packages of an order. In packing (status 1200), a package with
   * such units is voided. If the packages are then complete, the order advances. Packages keep delivered units, and
   * units that the customer did not take.
   */
  fewer(order: Order): void {
    for (const line of order.lines) {
      for (const box of order.boxes.toReversed()) {
        const over = packed(order, line.web) - wanted(line) - line.handed - line.refused;
        const here = box.items.get(line.web) ?? 0;
        if (over <= 0 || here === 0) continue;
        if (order.status === 1500 && here > over) box.items.set(line.web, here - over);
        else if (order.status === 1500) box.items.delete(line.web);
        else if (order.status === 1200) box.items.clear();
        if (box.items.size === 0) box.tracked = false;
      }
    }
    this.pack(order);
  }

  /** Advances a packed order when its packages are complete. */
  pack(order: Order): void {
    const boxes = order.boxes.filter(({ items }) => items.size > 0);
    const isReady =
      order.status === 1200 &&
      boxes.length > 0 &&
      order.lines.every((line) => packed(order, line.web) === wanted(line)) &&
      (order.type !== 'SHIP_TO_HOME' || boxes.every(({ tracked }) => tracked));
    if (isReady && order.type === 'SHIP_TO_HOME') {
      charge(
        this.headerOf(order),
        order,
        order.lines.map((line) => ({ line, units: wanted(line), from: line.handed })),
      );
      for (const line of order.lines) line.handed += wanted(line);
    }
    if (isReady && order.type !== 'SHIP_TO_HOME') order.status = 1500;
    this.settle(order);
  }

  /** Creates a reverse ticket for units of an order, without a user. */
  bringBack(order: Order, units: ReadonlyMap<Line, number>): void {
    const parts = order.lines.flatMap((line) => {
      const quantity = units.get(line) ?? 0;
      return quantity === 0 ? [] : [{ order: order.id, web: line.web, sku: line.sku, quantity }];
    });
    const { id, node } = order;
    this.addTicket({ kind: 'REVERSE_PICK_TICKET', node, queue: REVERSE, orders: [id], parts, user: '' });
  }

  addTicket(ticket: Pick<Ticket, 'kind' | 'node' | 'queue' | 'orders' | 'parts' | 'user'>): void {
    this.tickets.push({
      ...ticket,
      state: 'NEW',
      lease: null,
      scans: [],
      keyed: new Map(),
      found: new Map(),
      short: 0,
      corrections: new Map(),
    });
  }

  /** Marks a ticket as in progress and starts its lease again. */
  touch(ticket: Ticket): void {
    ticket.state = 'IN_PROGRESS';
    ticket.lease = this.now + LEASE;
  }

  /** Marks wanted units of picked lines as canceled, and creates the reverse ticket that brings them back. */
  sendBack(order: Order, units: ReadonlyMap<Line, number>): void {
    for (const [line, quantity] of units) line.canceling += quantity;
    this.bringBack(order, units);
    this.fewer(order);
  }

  /**
   * Handles units that a node declined. The node puts the items on hold, unless its policy is NO_HOLD. If the order is
   * shipped to a home, another node can serve the units.
   */
  follow(declines: readonly { order: Order; lines: readonly { line: Line; quantity: number }[] }[]): void {
    const held = new Map<string, number>();
    for (const { order, lines } of declines) {
      order.decidedAt = this.now;
      if (lines.length === 0) continue;
      if (order.type === 'SHIP_TO_HOME') this.#request(order, lines);
      if (POLICIES[order.node] === 'NO_HOLD') continue;
      for (const { line } of lines) held.set(`${order.node}/${line.sku}`, order.id);
    }
    for (const [key, order] of held) this.#hold(key, order);
  }

  #request(order: Order, lines: readonly { line: Line; quantity: number }[]): void {
    this.requests.push({
      order: order.id,
      node: order.node,
      excluded: this.#nodesOf(order),
      lines: lines
        .map(({ line, quantity }) => ({ web: line.web, sku: line.sku, quantity }))
        .sort((a, b) => a.web - b.web),
      status: 'OPEN',
      isByCustomer: false,
      newNode: null,
      newOrder: null,
    });
  }

  /** Replaces the open request of an order by one for its declined units. */
  requestAnew(order: Order): void {
    for (const one of this.requests) if (one.order === order.id && one.status === 'OPEN') one.status = 'CANCELED';
    const lines = order.lines.filter(({ declined }) => declined > 0).map((line) => ({ line, quantity: line.declined }));
    if (lines.length > 0) this.#request(order, lines);
  }

  /** Puts the items of declined lines on hold at the node, unless the policy of the node is NO_HOLD. */
  hold({ id, node }: Order, lines: readonly Line[]): void {
    if (POLICIES[node] === 'NO_HOLD') return;
    for (const { sku } of lines) this.#hold(`${node}/${sku}`, id);
  }

  #hold(key: string, order: number): void {
    if (!this.holds.has(key)) this.holds.set(key, { order, since: this.now });
  }

  /**
   * Ends the hold of an item after a correction has withdrawn the decline of the order that the hold names. If another
   * order of the node has declined the item since the hold began, the hold stays and names that order.
   */
  unhold({ id, node }: Order, sku: number): void {
    const key = `${node}/${sku}`;
    const hold = this.holds.get(key);
    if (hold?.order !== id) return;
    const isDeclined = (line: Line) => line.sku === sku && line.declined > 0;
    const [other] = this.sorted()
      .filter((one) => one.id !== id && one.node === node && one.decidedAt >= hold.since && one.lines.some(isDeclined))
      .sort((a, b) => a.changedAt - b.changedAt);
    if (other === undefined) this.holds.delete(key);
    else hold.order = other.id;
  }

  /** Returns the node of an order, and the nodes of the orders from which it was re-sourced. */
  #nodesOf({ node, from }: Order): Node[] {
    return from === null ? [node] : [node, ...this.#nodesOf(this.orders.get(from)!)];
  }

  /**
   * Ends a ticket by RESET or at the end of its lease. Its orders wait for another ticket; a reverse ticket waits for
   * another user.
   */
  giveBack(ticket: Ticket): void {
    ticket.lease = null;
    if (ticket.kind === 'REVERSE_PICK_TICKET') {
      Object.assign(ticket, { state: 'NEW', user: '' });
      return;
    }
    ticket.state = 'RESET';
    for (const id of ticket.orders) {
      const order = this.orders.get(id)!;
      Object.assign(order, { status: 1100, ticket: null });
      this.moved(order);
      for (const line of order.lines) Object.assign(line, { canceled: line.canceled + line.canceling, canceling: 0 });
      this.settle(order);
    }
  }

  /** Counts a wrong PIN. After a lock, the count begins again at 1. */
  countWrongPin(order: Order): void {
    order.changedAt = this.now;
    if (order.wrongPins >= PIN_ATTEMPTS) order.wrongPins = 0;
    order.wrongPins += 1;
    if (order.wrongPins >= PIN_ATTEMPTS) order.lockedUntil = this.now + PIN_LOCK;
  }

  isLocked(order: Order): boolean {
    return order.wrongPins >= PIN_ATTEMPTS && order.lockedUntil > this.now;
  }

  /** Returns the actions of an order in the sequence of its process, each with `true` if the action is allowed. */
  allowed(order: Order): [action: string, allowed: boolean][] {
    const { type, status } = order;
    const is = (...states: number[]) => states.includes(status);
    const toPick: [string, boolean][] = [
      ['generate', is(1100)],
      ['confirm', is(1150)],
      ['reset', is(1150)],
    ];
    const toPack: [string, boolean] = ['pack', is(1200)];
    const decline: [string, boolean] = ['decline', is(1200)];
    const handOver: [string, boolean] = ['handOver', is(1400) && !this.isLocked(order)];
    const canCancel = !is(9000, 9200) && sum(order, left) + this.resourceable(order) > 0;
    const picked = !is(1100, 1150, 1300, 9000, 9100, 9200);
    const toEnd: [string, boolean][] = [
      ['cancel', canCancel],
      ['bringBack', picked && sum(order, (line) => line.canceling) > 0],
    ];
    switch (type) {
      case 'STORE_PICK_UP':
        return [...toPick, handOver, ...toEnd];
      case 'SHIP_TO_HOME':
        return [
          ...toPick,
          toPack,
          ['packSlip', is(1200, 3700)],
          decline,
          ...toEnd,
          ['resource', is(1200, 3700, 8000, 9100) && this.resourceable(order) > 0],
        ];
      case 'SHIP_TO_STORE':
        return [['saveCheckIn', is(1300)], ['confirmCheckIn', is(1300)], handOver, ...toEnd];
      case 'ASSOCIATE_DELIVERY':
        return [...toPick, toPack, decline, ['deliver', is(1500)], ...toEnd];
    }
  }
}
