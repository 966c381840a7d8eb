/** What clerks keep in mind of the resources that they made, and what the judge reads of them in the database. */

import type { KeyState, ShipmentState, WholeAs } from '../../src/kernel/inbound.ts';
import {
  ENTRY_STATE,
  ORDER_TRANSITIONS,
  type OrderAction,
  type OrderState,
  stateAfter,
} from '../../src/kernel/states.ts';
import { leftUnits, type Requested, unitsOf } from '../../src/kernel/units.ts';
import type { FulfillmentType } from '../../src/shared/client-settings.ts';

/**
 * A resource as it is compared, by its name: `item:ID`, `hold:ID`, `inbound:NUMBER`, `blind:NUMBER`, `level:ITEM`, `count:ID`, `order:ID`,
 * `ticket:ID`, `webhook:ID`, `event:ID`; null is "not there".
 */
export type World = Map<string, unknown>;

/** The effect of what changes nothing. */
export const NOTHING: World = new Map();

/** Units of an order line; the names are those of its columns, so that `src/orders/units.ts` reads it. */
export interface Line {
  /** Its id of the web order. */
  web: string;
  item: string;
  ordered: number;
  picked: number;
  declined: number;
  canceled: number;
  canceling: number;
  handed_over: number;
  refused: number;
  returned: number;
  missing: number;
}

/** An ASN: of each of its cartons the item, the units and what became of them. */
export interface Shipment {
  state: ShipmentState;
  items: string[];
  units: number[];
  keys: KeyState[];
  /** As what each carton was scanned whole; null: it was not. */
  whole: (WholeAs | null)[];
  /** Ids of its receipts and approvals in their order. */
  receipts: string[];
  statements: number;
  hasArrived: boolean;
  /** Nothing was open at some time. */
  isComplete: boolean;
}

/** Goods without papers, in the cartons and with the items of the ASN that they turn out to be of. */
export interface Blind {
  state: ShipmentState;
  keys: KeyState[];
  /** Ids of its receipts, and of its match. */
  receipts: string[];
}

/** Units of an item in the places of the warehouse. */
export interface Level {
  shelf: number;
  staged: number;
  damaged: number;
  held: number;
  missing: number;
  /** Whether its ledger has an opening. */
  isCounted: boolean;
}

/** A count of the shelf. */
export interface Count {
  state: 'POSTED' | 'WAITING';
  itemId: string;
  counted: number;
}

/** Index of a line and units of it. */
export type Part = [line: number, units: number];

export interface Order {
  type: FulfillmentType;
  node: string;
  status: OrderState;
  /** Orders on the open ticket that picks it, itself among them. */
  with: string[] | null;
  lines: Line[];
  /** Checked in, canceled, of each item of each package on its way; null before somebody answered. */
  arrivals: (number | null)[][];
  /** Packages that are not voided, by the number of their box. */
  packages: { box: string; tracking: string | null; parts: Part[] }[];
  /** Ids of its hand-overs and deliveries in their order. */
  handOvers: string[];
  hasPin: boolean;
  wrongPins: number;
  /** Its re-source requests in the order in which they were made. */
  requests: { status: 'OPEN' | 'RESOURCED' | 'CANCELED'; parts: Part[]; newOrder: string | null }[];
  /** Its reverse pick tickets, likewise. */
  reverses: { status: string; user: string; parts: Part[] }[];
  isBlanked: boolean;
}

export interface Ticket {
  orders: string[];
  status: string;
  outcome: string | null;
  user: string;
  /** Saved progress in its order: id of the scan, number of the item, units picked, id of the scan that it takes back. */
  scans: [id: string, item: number, picked: number, undoes: string | null][];
}

export interface Webhook {
  isEnabled: boolean;
  /** Whether it has an old secret. */
  isRotated: boolean;
}

/** A line of which nothing has happened yet. */
export function newLine(web: string, item: string, ordered: number): Line {
  return {
    web,
    item,
    ordered,
    picked: 0,
    declined: 0,
    canceled: 0,
    canceling: 0,
    handed_over: 0,
    refused: 0,
    returned: 0,
    missing: 0,
  };
}

/** An order of which nothing has happened yet. */
export function newOrder(
  order: Pick<Order, 'type' | 'node' | 'status' | 'lines' | 'hasPin'> & Partial<Pick<Order, 'arrivals'>>,
): Order {
  const { type, node, status, lines, hasPin, arrivals = [] } = order;
  const nothing = { packages: [], handOvers: [], wrongPins: 0, requests: [], reverses: [], isBlanked: false };
  return { type, node, status, with: null, lines, arrivals, ...nothing, hasPin };
}

/** The order in the state to which an action leads, its units being as they are after it. */
export function moved(order: Order, action: OrderAction): Order {
  const outcome = ORDER_TRANSITIONS[order.status][action];
  if (outcome === 'refused') throw new Error(`a clerk wants ${action} of an order in ${order.status}`);
  if (outcome === 'stays') return order;
  const units = unitsOf(order.lines, requested(order));
  if (outcome === 'entry') return { ...order, status: ENTRY_STATE[order.type] };
  return { ...order, status: outcome === 'byUnits' ? stateAfter(order.type, order.status, units) : outcome };
}

/** Declined units that another node may still serve, and those that one serves. */
export function requested(order: Order): Requested {
  const unitsIn = (status: Order['requests'][number]['status']) => {
    const some = order.requests.filter((request) => request.status === status);
    return some.flatMap((request) => request.parts).reduce((sum, [, units]) => sum + units, 0);
  };
  return { resourceable: unitsIn('OPEN'), resourced: unitsIn('RESOURCED') };
}

/** Units of all lines that are for the customer and in the store. */
export function wantedOf(order: Order): number {
  return order.lines.reduce((sum, line) => sum + leftUnits(line), 0);
}

/** Units of a line that are in packages. */
export function packedOfLine(order: Order, index: number): number {
  const parts = order.packages.flatMap((one) => one.parts);
  return parts.reduce((sum, [line, units]) => sum + (line === index ? units : 0), 0);
}

/** With the units of some lines changed. */
export function withLines(order: Order, change: (line: Line, index: number) => Partial<Line>): Order {
  return { ...order, lines: order.lines.map((line, index) => ({ ...line, ...change(line, index) })) };
}

/** A resource as one text. What happens to an order within one millisecond has no order in the database. */
export function textOf(state: unknown): string {
  return JSON.stringify(state ?? null, (_name, value: unknown) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      members.map(([name, member]: [string, unknown]) => [name, isUnordered(name) ? sorted(member) : member]),
    );
  });
}

function isUnordered(name: string): boolean {
  return name === 'requests' || name === 'reverses';
}

function sorted(list: unknown): unknown {
  return (list as unknown[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
