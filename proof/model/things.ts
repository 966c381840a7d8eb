/** The types of the model: orders, lines and tickets. Each function uses a single order or ticket. */
import type { Big } from 'big.js';
import type { Agenda } from './agenda.ts';

export const ORDER_TYPES = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** The decline policy of each node. Only the first node serves orders of every type. */
export const POLICIES = { 1: 'HOLD_UNTIL_FEED', 2: 'HOLD_UNTIL_RELEASED', 3: 'NO_HOLD' } as const;
export const NODES = [1, 2, 3] as const;
export type Node = (typeof NODES)[number];

export const QUEUE: Record<OrderType, string> = {
  STORE_PICK_UP: 'WAITING_FOR_PICK_ISPU',
  SHIP_TO_HOME: 'WAITING_FOR_PICK_SFS',
  SHIP_TO_STORE: 'WAITING_FOR_CHECKIN_STS',
  ASSOCIATE_DELIVERY: 'WAITING_FOR_PICK_DEL',
};
export const REVERSE = 'WAITING_FOR_REVERSE_PICK';

/** Amounts of a line at its ordered quantity, as decimal text. */
export interface Price {
  unitPrice: string;
  charges: string;
  tax: string;
}

/**
 * Header amounts, and the amounts charged so far. An order and the orders that serve its declined units share the
 * header amounts, which are charged once.
 */
export interface Header {
  charges: string;
  tax: string;
  cash: string | null;
  isCharged: boolean;
  /** Sum of the collected cash on delivery, and sum of the totals, for all units that were handed over or shipped. */
  collected: Big;
  charged: Big;
}

/** An amount of money as text without trailing zeros, so that equal amounts are equal texts. */
export type Amount = string;

export interface Total {
  grandTotal: Amount;
  grandTax: Amount;
  grandCharges: Amount;
  hdrTax: Amount;
  hdrCharges: Amount;
  cashOnDelivery: Amount | null;
}

export interface Line {
  /** Number of the line in the web order. */
  web: number;
  sku: number;
  price: Price;
  ordered: number;
  picked: number;
  declined: number;
  /** Units canceled before they were picked. */
  canceled: number;
  /** Canceled units that are on a ticket, in transit, or to be brought back. */
  canceling: number;
  handed: number;
  refused: number;
  returned: number;
  /** Units that were not found when they were to be brought back. */
  missing: number;
  /** Units that came back from the customer, and units in open returns. */
  cameBack: number;
  comingBack: number;
  /** Amounts charged for the handed-over or shipped units of the line, unrounded. */
  charged: Big;
}

export interface Box {
  box: number;
  tracked: boolean;
  /** Units by line; empty if the package was voided. */
  items: Map<number, number>;
}

export interface Order {
  id: number;
  content: string;
  type: OrderType;
  node: Node;
  from: number | null;
  status: number;
  lines: Line[];
  /** The ticket on which the order is or was picked; null if it was never on a ticket. */
  ticket: number | null;
  /** Whether the goods of the order have a location in the store, where they wait for the customer. */
  placed: boolean;
  /** Whether the goods are in B2, the location of every move. A second move to B2 does not change the order. */
  isMoved: boolean;
  /**
   * For each line, whether the last check-in message of its package had a short unit; undefined before the first
   * message. Each line is a package.
   */
  said: (boolean | undefined)[];
  boxes: Box[];
  hasPin: boolean;
  hasProxy: boolean;
  wrongPins: number;
  lockedUntil: number;
  /** Hand-overs and deliveries: the caller's id, the content and the charged total. */
  handOvers: { id: number | undefined; content: string; total?: Total | undefined }[];
  header: Header;
  /** Totals of the shipments, hand-overs and deliveries, in their order. */
  charged: Total[];
  agenda: Agenda;
  /** Time of the last change. For an order without declined units, the model leaves out some changes. */
  changedAt: number;
  /** Time of the last action that can decline units. */
  decidedAt: number;
}

/** The hold of an item at a node: the order that declined the item, and the time of the first decline. */
export interface Hold {
  order: number;
  since: number;
}

interface Part {
  order: number;
  web: number;
  sku: number;
  quantity: number;
}

interface Scan {
  scan: number;
  sku: number;
  picked: number;
  missing: number;
  undoes: number | undefined;
}

export interface Ticket {
  kind: 'PICK_TICKET' | 'REVERSE_PICK_TICKET';
  node: Node;
  queue: string;
  orders: number[];
  parts: Part[];
  state: 'NEW' | 'IN_PROGRESS' | 'CONFIRMED' | 'RESET';
  user: string;
  /** End of the time for which the ticket is reserved for its user. */
  lease: number | null;
  scans: Scan[];
  /** Found units of each item: `keyed` as in the CONFIRM, `found` with later corrections. */
  keyed: Map<number, number>;
  found: Map<number, number>;
  /** Units that the ticket declined, without units that were canceled after the ticket was generated. */
  short: number;
  /** The content of each correction, by its id. */
  corrections: Map<number, string>;
}

export interface Request {
  order: number;
  node: Node;
  excluded: Node[];
  lines: { web: number; sku: number; quantity: number }[];
  status: 'OPEN' | 'RESOURCED' | 'CANCELED';
  /** Whether a cancellation of the whole order closed the request. */
  isByCustomer: boolean;
  newNode: Node | null;
  newOrder: number | null;
}

/** Returns the units that were not yet picked, declined or canceled. */
export function open(line: Line): number {
  return line.ordered - line.picked - line.declined - line.canceled;
}

/** Returns the picked units that are in the store. */
export function held(line: Line): number {
  return line.picked - line.handed - line.refused - line.returned - line.missing;
}

/** Returns the picked units in the store that the customer still gets. */
export function wanted(line: Line): number {
  return held(line) - line.canceling;
}

/** Returns the units that the customer can still get, picked or not. */
export function left(line: Line): number {
  return open(line) + wanted(line);
}

export function sum(order: Order, of: (line: Line) => number): number {
  return order.lines.reduce((total, line) => total + of(line), 0);
}

/** Returns the units of a line in packages, without the package `except`. */
export function packed({ boxes }: Order, web: number, except?: number): number {
  return boxes.reduce((total, { box, items }) => total + (box === except ? 0 : (items.get(web) ?? 0)), 0);
}

export function isPacked(type: OrderType): boolean {
  return type === 'SHIP_TO_HOME' || type === 'ASSOCIATE_DELIVERY';
}

export function queueOf(order: Order): string | null {
  const { type, status } = order;
  if (status === 8000) return REVERSE;
  if (status === 1100 || status === 1150 || status === 1300) return QUEUE[type];
  if (status === 1200) return type === 'SHIP_TO_HOME' ? 'WAITING_FOR_PACK_SFS' : 'WAITING_FOR_PACK_DEL';
  if (status === 1400) return 'WAITING_FOR_CUSTOMER_PICK';
  return status === 1500 ? 'WAITING_FOR_DELIVERY' : null;
}

const STEPS: Record<number, string> = {
  1100: 'START_PICK',
  1150: 'COMPLETE_PICK',
  1200: 'PACK',
  1300: 'CHECK_IN',
  1400: 'CUSTOMER_PICKUP',
  1500: 'DELIVERY',
  8000: 'REVERSE_PICK',
};

export function stepOf({ status }: Order): string | null {
  return STEPS[status] ?? null;
}

export function isClosed({ state }: Ticket): boolean {
  return state === 'CONFIRMED' || state === 'RESET';
}

/** Returns the units by item. The order of the items determines the numbers of the ticket's items. */
export function unitsOf({ parts }: Ticket): Map<number, number> {
  const units = new Map<number, number>();
  for (const { sku, quantity } of parts) units.set(sku, (units.get(sku) ?? 0) + quantity);
  return new Map([...units].sort(([a], [b]) => a - b));
}
