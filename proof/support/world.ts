/**
 * The resources of clerks. Clerks record them in this form, and the judge reads them from the database in the same
 * form.
 */

import type { ShipmentState } from '../../src/kernel/arrivals/states.ts';
import type { KeyState, WholeAs } from '../../src/kernel/arrivals/sums.ts';
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
 * Resources by name: `item:ID`, `hold:ID`, `inbound:NUMBER`, `blind:NUMBER`, `level:ITEM`, `count:ID`, `order:ID`,
 * `ticket:ID`, `webhook:ID`, `event:ID`, `return:NUMBER` and `message:ID`. `back:ORDER` has the returned units of each
 * line, and its units on their way back. Null means that the resource does not exist.
 */
export type World = Map<string, unknown>;

/** The effect of a request without changes. */
export const NOTHING: World = new Map();

/** Units of an order line. The fields have the names of the columns, so that `src/kernel/units.ts` can read them. */
export interface Line {
  /** Id of the line in the web order. */
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

/**
 * An ASN. `items`, `units` and `keys` have an element for each carton: its item, its announced units and its received
 * units.
 */
export interface Shipment {
  state: ShipmentState;
  items: string[];
  units: number[];
  keys: KeyState[];
  /** The way in which each carton was scanned as a whole; null if it was not scanned as a whole. */
  whole: (WholeAs | null)[];
  /** Ids of the receipts, approvals and matches of the shipment, in order. */
  receipts: string[];
  statements: number;
  hasArrived: boolean;
  /** Whether the shipment ever had no open units. */
  isComplete: boolean;
}

/** Goods without papers. `keys` has an element for each carton and item of their later ASN. */
export interface Blind {
  state: ShipmentState;
  keys: KeyState[];
  /** Ids of the receipts of the goods, and of their match. */
  receipts: string[];
}

/** Units of an item in the places of the warehouse. */
export interface Level {
  shelf: number;
  staged: number;
  damaged: number;
  held: number;
  missing: number;
  /** Whether the item was counted, so that its ledger has an opening. */
  isCounted: boolean;
}

/** The level of an item that had no units so far. */
export const NO_LEVEL: Level = { shelf: 0, staged: 0, damaged: 0, held: 0, missing: 0, isCounted: false };

/** A count of an item on the shelf. */
export interface Count {
  state: 'POSTED' | 'WAITING';
  itemId: string;
  counted: number;
}

/** The units in a line of a return. */
export interface BackLine {
  /** Id of the order, and index of the order line; null for units without papers. */
  order: string | null;
  line: number | null;
  item: string;
  requested: number;
  sellable: number;
  damaged: number;
  held: number;
  givenBack: number;
  missing: number;
  over: number;
}

export const NO_UNITS = { requested: 0, sellable: 0, damaged: 0, held: 0, givenBack: 0, missing: 0, over: 0 };

/** A receipt of a return: its id, the id of the receipt that it corrects, and its units by line and place. */
export type BackReceipt = [
  id: string,
  corrects: string | null,
  entries: [position: number, disposition: string, units: number][],
];

/** A return. */
export interface Back {
  state: 'REQUESTED' | 'RECEIVING' | 'CLOSED' | 'CANCELED' | 'EXPIRED';
  isInTransit: boolean;
  /** Whether the units of the return count for refunds. */
  isCounted: boolean;
  lines: BackLine[];
  receipts: BackReceipt[];
  /** The states of the refunds of this return, oldest first. */
  refunds: string[];
}

/** Index of a line, and a number of its units. */
export type Part = [line: number, units: number];

export interface Order {
  type: FulfillmentType;
  node: string;
  status: OrderState;
  /** The orders on the open ticket that picks this order, including the order itself. */
  with: string[] | null;
  lines: Line[];
  /**
   * Checked-in and canceled units of each line in each package that arrives; null before the check-in of the package.
   */
  arrivals: (number | null)[][];
  /** Packages that are not voided, in the order of their creation. */
  packages: { box: string; tracking: string | null; parts: Part[] }[];
  /** Ids of the hand-overs and deliveries of the order, in order. */
  handOvers: string[];
  hasPin: boolean;
  wrongPins: number;
  /** Re-source requests of the order, in the order of their creation. */
  requests: { status: 'OPEN' | 'RESOURCED' | 'CANCELED'; parts: Part[]; newOrder: string | null }[];
  /** Reverse pick tickets of the order, in the order of their creation. */
  reverses: { status: string; user: string; parts: Part[] }[];
  isBlanked: boolean;
}

export interface Ticket {
  orders: string[];
  status: string;
  outcome: string | null;
  user: string;
  /** Saved scans in order: id of the scan, number of the item, picked units, and id of the scan that it undoes. */
  scans: [id: string, item: number, picked: number, undoes: string | null][];
}

export interface Webhook {
  isEnabled: boolean;
  /** Whether the previous secret of the webhook is still valid. */
  isRotated: boolean;
}

/** Returns a new line of an order. */
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

/** Returns a new order. */
export function newOrder(
  order: Pick<Order, 'type' | 'node' | 'status' | 'lines' | 'hasPin'> & Partial<Pick<Order, 'arrivals'>>,
): Order {
  const { type, node, status, lines, hasPin, arrivals = [] } = order;
  const nothing = { packages: [], handOvers: [], wrongPins: 0, requests: [], reverses: [], isBlanked: false };
  return { type, node, status, with: null, lines, arrivals, ...nothing, hasPin };
}

/** Returns the order in its state after an action. The units of the order must already include the action. */
export function moved(order: Order, action: OrderAction): Order {
  const outcome = ORDER_TRANSITIONS[order.status][action];
  if (outcome === 'refused') throw new Error(`a clerk sends ${action} for an order in ${order.status}`);
  if (outcome === 'stays') return order;
  const units = unitsOf(order.lines, requested(order));
  if (outcome === 'entry') return { ...order, status: ENTRY_STATE[order.type] };
  return { ...order, status: outcome === 'byUnits' ? stateAfter(order.type, order.status, units) : outcome };
}

/**
 * Returns the declined units: `resourceable` units, which another node can still serve, and `resourced` units, which
 * another node serves.
 */
export function requested(order: Order): Requested {
  const unitsIn = (status: Order['requests'][number]['status']) => {
    const some = order.requests.filter((request) => request.status === status);
    return some.flatMap((request) => request.parts).reduce((sum, [, units]) => sum + units, 0);
  };
  return { resourceable: unitsIn('OPEN'), resourced: unitsIn('RESOURCED') };
}

/** Returns the units of all lines that the customer is still to get. */
export function wantedOf(order: Order): number {
  return order.lines.reduce((sum, line) => sum + leftUnits(line), 0);
}

/** Returns the units of a line in packages. */
export function packedOfLine(order: Order, index: number): number {
  const parts = order.packages.flatMap((one) => one.parts);
  return parts.reduce((sum, [line, units]) => sum + (line === index ? units : 0), 0);
}

/** Returns the order with changed lines. */
export function withLines(order: Order, change: (line: Line, index: number) => Partial<Line>): Order {
  return { ...order, lines: order.lines.map((line, index) => ({ ...line, ...change(line, index) })) };
}

/**
 * Returns a resource as one text for comparison. Re-source requests and reverse tickets are sorted, because the
 * database has no order for those created in the same millisecond.
 */
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
