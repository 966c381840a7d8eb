/** What the model consists of, and what can be said of an order or a ticket alone. */
import type { Agenda } from './agenda.ts';
import type { Header, Price, Total } from './money.ts';

export const ORDER_TYPES = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** What a node does with an item that it declined. The first works on every type, and new orders are its own. */
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

export interface Line {
  /** Its number in the web order. */
  web: number;
  sku: number;
  price: Price;
  ordered: number;
  picked: number;
  declined: number;
  /** Canceled before they were picked. */
  canceled: number;
  /** Canceled, but on a ticket, on their way, or to be brought back. */
  canceling: number;
  handed: number;
  refused: number;
  returned: number;
  /** Not found when they were to be brought back. */
  missing: number;
}

export interface Box {
  box: number;
  tracked: boolean;
  /** Units by line; none: the box was voided. */
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
  /** The ticket that picks or picked it. */
  ticket: number | null;
  /** Whether its goods have a place where they wait. */
  placed: boolean;
  /** What was said of each package, one for each line: whether a unit was short. */
  said: (boolean | undefined)[];
  boxes: Box[];
  hasPin: boolean;
  hasProxy: boolean;
  wrongPins: number;
  lockedUntil: number;
  /** Hand-overs and deliveries: the caller's id and the content. */
  handOvers: { id: number | undefined; content: string; total?: Total | undefined }[];
  header: Header;
  /** Totals of what went, first to last. */
  charged: Total[];
  agenda: Agenda;
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
  /** Until when it is kept for its user. */
  lease: number | null;
  scans: Scan[];
  /** Units found of each item, once it is confirmed: as CONFIRM said, and as it was corrected. */
  keyed: Map<number, number>;
  found: Map<number, number>;
  /** Units declined by it, those that were canceled meanwhile aside. */
  short: number;
  /** What each correction said, by its id. */
  corrections: Map<number, string>;
}

export interface Request {
  order: number;
  node: Node;
  excluded: Node[];
  lines: { web: number; sku: number; quantity: number }[];
  status: 'OPEN' | 'RESOURCED' | 'CANCELED';
  newNode: Node | null;
  newOrder: number | null;
}

/** Units nobody has answered for yet. */
export function open(line: Line): number {
  return line.ordered - line.picked - line.declined - line.canceled;
}

/** Picked units that are in the store. */
export function held(line: Line): number {
  return line.picked - line.handed - line.refused - line.returned - line.missing;
}

/** Those that are for the customer. */
export function wanted(line: Line): number {
  return held(line) - line.canceling;
}

/** Units that the customer may still get, wherever they are. */
export function left(line: Line): number {
  return open(line) + wanted(line);
}

export function sum(order: Order, of: (line: Line) => number): number {
  return order.lines.reduce((total, line) => total + of(line), 0);
}

/** Units of a line in packages. */
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

/** Units by item, in the order of the items: its items are numbered so. */
export function unitsOf({ parts }: Ticket): Map<number, number> {
  const units = new Map<number, number>();
  for (const { sku, quantity } of parts) units.set(sku, (units.get(sku) ?? 0) + quantity);
  return new Map([...units].sort(([a], [b]) => a - b));
}
