/** The rules of the pick screen as pure functions: the meaning of a scan, the next item, the tote of a unit. */

import { clientItemIdOf } from '../../../src/shared/item-id.ts';
import type { ItemView, TicketView } from '../../offline/view.ts';
import { formsOf } from '../../scan/codes.ts';
import { exactOf } from '../../scan/lines-of-code.ts';

/** The meaning of a scanned code on a ticket. */
export type ScanVerdict =
  /** The code is of an item that still needs units. */
  | { kind: 'right'; item: ItemView }
  /** An item whose units all have a result. */
  | { kind: 'over'; item: ItemView }
  /** A part of a bundle. The user scans the bundle itself, once all of its parts are there. */
  | { kind: 'component'; item: ItemView; name: string }
  /** The place of an item. */
  | { kind: 'place'; item: ItemView }
  | { kind: 'unknown' };

/**
 * Finds the items of a ticket by their codes and places. The index is built once per ticket, so a lookup is equally
 * fast with 4,000 items.
 */
export interface CodeIndex {
  items: ReadonlyMap<string, readonly number[]>;
  /** Items by their numbers at the client. Bar codes of other items come first. */
  numbers: ReadonlyMap<string, readonly number[]>;
  components: ReadonlyMap<string, readonly { id: number; name: string }[]>;
  places: ReadonlyMap<string, readonly number[]>;
}

export function indexOf(items: readonly ItemView[]): CodeIndex {
  const index = {
    items: new Map<string, number[]>(),
    numbers: new Map<string, number[]>(),
    components: new Map<string, { id: number; name: string }[]>(),
    places: new Map<string, number[]>(),
  };
  for (const { id, item } of items) {
    for (const code of formsOfAll(codesOf(item.itemDetails))) put(index.items, code, id);
    for (const code of formsOfAll(numbersOf(item.itemDetails))) put(index.numbers, code, id);
    for (const part of item.components ?? []) {
      for (const code of formsOfAll(codesOf(part))) put(index.components, code, { id, name: part.itemDesc });
    }
    if (item.pickLocation !== undefined) for (const form of formsOf(item.pickLocation)) put(index.places, form, id);
  }
  return index;
}

interface Coded {
  itemId: string;
  upcs: readonly { value: string }[];
}

const codesOf = ({ itemId, upcs }: Coded) => [itemId, ...upcs.map(({ value }) => value)];
const numbersOf = ({ itemId }: Coded) => [clientItemIdOf(itemId)];
const formsOfAll = (codes: readonly string[]) => new Set(codes.flatMap(formsOf));

function put<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Returns whether the ticket expects the code. */
export function isKnown(index: CodeIndex, text: string): boolean {
  return formsOf(text).some((form) => index.items.has(form) || index.numbers.has(form) || index.places.has(form));
}

/**
 * Returns the meaning of a scan. Two items of a ticket can have the same code, for example at two prices. The scan then
 * counts for the shown item if this item is open, otherwise for the first open item with this code.
 */
export function judgeScan(items: readonly ItemView[], index: CodeIndex, text: string, shown?: number): ScanVerdict {
  const forms = formsOf(text);
  const byId = (ids: readonly number[]) => items.filter(({ id }) => ids.includes(id));
  const named = (codes: CodeIndex['items'], codesIn: (details: Coded) => string[]): ScanVerdict | undefined => {
    const any = byId(forms.map((form) => codes.get(form)).find((ids) => ids !== undefined) ?? []);
    const found = exactOf(any, text, ({ item }) => codesIn(item.itemDetails));
    if (found.length === 0) return undefined;
    const open = found.filter(({ left }) => left > 0);
    const item = open.find(({ id }) => id === shown) ?? open[0];
    return item === undefined ? { kind: 'over', item: found[0]! } : { kind: 'right', item };
  };
  const ofItem = named(index.items, codesOf);
  if (ofItem !== undefined) return ofItem;
  for (const form of forms) {
    const part = index.components.get(form)?.[0];
    if (part !== undefined) return { kind: 'component', item: byId([part.id])[0]!, name: part.name };
  }
  for (const form of forms) {
    const here = byId(index.places.get(form) ?? []);
    const item = here.find(({ left }) => left > 0) ?? here[0];
    if (item !== undefined) return { kind: 'place', item };
  }
  // After the last unit, a number can be a place for the goods.
  const ofNumber = items.some(({ left }) => left > 0) ? named(index.numbers, numbersOf) : undefined;
  return ofNumber ?? { kind: 'unknown' };
}

/**
 * Returns the next item with open units in the order of the path: first after `from`, then from the beginning. With
 * `step` -1, searches in the reverse order. Undefined if all units have a result.
 */
export function nextOpen(items: readonly ItemView[], from?: number, step: 1 | -1 = 1): ItemView | undefined {
  const at = items.findIndex(({ id }) => id === from);
  const start = at < 0 && step === -1 ? 0 : at;
  for (let distance = 1; distance <= items.length; distance += 1) {
    const item = items[(start + step * distance + items.length * 2) % items.length]!;
    if (item.left > 0) return item;
  }
  return undefined;
}

/** Units of an item for one order, with their results on this device, sent or not. */
export interface Share {
  fulfillmentOrderId: string;
  tote: string;
  quantity: number;
  picked: number;
  /** Units that this order does not get. */
  short: number;
  /** Units that the customer has canceled in the meantime. */
  withdrawn: number;
}

/**
 * Divides the units of an item among the orders of the ticket. Found units go to the totes in order, and to wanted
 * units before canceled units. Missing units that are not sent yet count against canceled units first, then against the
 * last tote. After sending, the service decides.
 */
export function sharesOf({ item, picked, canceled }: ItemView): Share[] {
  const shares = item.orders.map(
    ({ fulfillmentOrderId, tote, quantity, canceledQuantity = 0, customerCanceledQuantity = 0 }) => ({
      fulfillmentOrderId,
      tote,
      quantity,
      picked: 0,
      short: canceledQuantity,
      withdrawn: customerCanceledQuantity,
    }),
  );
  let more = canceled - shares.reduce((sum, { short }) => sum + short, 0);
  // If an undo is not sent yet, `more` is negative. Wanted units are then restored before canceled units.
  for (const isWithdrawn of [true, false]) {
    for (const share of shares.toReversed()) {
      const room = (isWithdrawn ? share.withdrawn : share.quantity) - share.short;
      const least = isWithdrawn ? Math.min(0, room) : -share.short;
      const taken = Math.max(least, Math.min(more, Math.max(0, room)));
      share.short += taken;
      more -= taken;
    }
  }
  let found = picked;
  for (const wanted of [wantedOf, (share: Share) => share.quantity - share.short]) {
    for (const share of shares) {
      const room = wanted(share) - share.picked;
      const taken = Math.max(0, Math.min(room, found));
      share.picked += taken;
      found -= taken;
    }
  }
  return shares;
}

/** Returns the units that the order still gets. Missing units count as canceled units first. */
function wantedOf({ quantity, short, withdrawn }: Share): number {
  return quantity - Math.max(short, withdrawn);
}

/** Returns the tote for the next unit of an item; undefined if no unit is open. */
export function nextTote(item: ItemView): string | undefined {
  const shares = sharesOf(item);
  const wanted = shares.find((share) => wantedOf(share) > share.picked);
  return (wanted ?? shares.find(({ quantity, short, picked }) => quantity - short > picked))?.tote;
}

/** The reason for leaving out units that the customer canceled. */
export const LEFT_OUT = 'CancelCustomerInitiated';

/** Returns the sums of a ticket. */
export function sumsOf(items: readonly ItemView[]): { quantity: number; done: number; picked: number; short: number } {
  const sums = { quantity: 0, done: 0, picked: 0, short: 0 };
  for (const { quantity, picked, canceled } of items) {
    sums.quantity += quantity;
    sums.picked += picked;
    sums.short += canceled;
    sums.done += picked + canceled;
  }
  return sums;
}

/**
 * Returns the units of an item that a customer has canceled and that have no result yet. The user need not fetch them.
 * Units that were not found count as canceled units first, as at the CONFIRM.
 */
export function needless({ item, left, canceled }: ItemView): number {
  return Math.min(left, Math.max(0, (item.customerCanceledQuantity ?? 0) - canceled));
}

/**
 * Returns the places of the found goods by order. Until the service has the CONFIRM of this device, these are the
 * places in the CONFIRM; then they are the present places in the service.
 */
export function placesOf({ ticket, items, holdLocation, orderHoldLocations = [] }: TicketView): Map<string, string> {
  const own = new Map(orderHoldLocations.map((one) => [one.fulfillmentOrderId, one.holdLocation]));
  const shares = items.flatMap(sharesOf).filter(({ picked }) => picked > 0);
  const found = new Set(shares.map(({ fulfillmentOrderId }) => fulfillmentOrderId));
  const orders = ticket.orders.filter(({ fulfillmentOrderId }) => found.has(fulfillmentOrderId));
  return new Map(
    orders.map(({ fulfillmentOrderId: id, holdLocation: place }) => [
      id,
      place ?? own.get(id) ?? holdLocation ?? ticket.holdLocation,
    ]),
  );
}
