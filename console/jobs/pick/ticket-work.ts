/** The rules of the pick screen as pure functions: what a scan means, where to go next, which tote a unit goes into. */
import type { ItemView } from '../../offline/view.ts';
import { formsOf, isOneOf, readToday } from '../../scan/codes.ts';
import { PLACE_MAX } from '../../work/places.ts';

/** What a scanned code is on a ticket. */
export type ScanVerdict =
  /** One more unit of an item. */
  | { kind: 'right'; item: ItemView }
  /** An item of which every unit has a result. */
  | { kind: 'over'; item: ItemView }
  /** Part of a bundle: the bundle counts once all of its parts are there. */
  | { kind: 'component'; item: ItemView; name: string }
  /** The place of an item. */
  | { kind: 'place'; item: ItemView }
  | { kind: 'unknown' };

/** Finds the items of a ticket by what may be scanned. Made once a ticket: a scan then costs the same on 4,000 items. */
export interface CodeIndex {
  items: ReadonlyMap<string, readonly number[]>;
  components: ReadonlyMap<string, readonly { id: number; name: string }[]>;
  places: ReadonlyMap<string, readonly number[]>;
}

export function indexOf(items: readonly ItemView[]): CodeIndex {
  const index = {
    items: new Map<string, number[]>(),
    components: new Map<string, { id: number; name: string }[]>(),
    places: new Map<string, number[]>(),
  };
  for (const { id, item } of items) {
    for (const code of codesOf(item.itemDetails)) put(index.items, code, id);
    for (const part of item.components ?? []) {
      for (const code of codesOf(part)) put(index.components, code, { id, name: part.itemDesc });
    }
    if (item.pickLocation !== undefined) for (const form of formsOf(item.pickLocation)) put(index.places, form, id);
  }
  return index;
}

function codesOf({ itemId, upcs }: { itemId: string; upcs: readonly { value: string }[] }): Set<string> {
  return new Set([itemId, ...upcs.map(({ value }) => value)].flatMap(formsOf));
}

function put<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Whether a text is a code that the ticket expects. */
export function isKnown(index: CodeIndex, text: string): boolean {
  return formsOf(text).some((form) => index.items.has(form) || index.places.has(form));
}

/**
 * What a scan means now. The same goods may be two items of a ticket, at two prices: then the one in sight is meant, else the first
 * that is open.
 */
export function judgeScan(items: readonly ItemView[], index: CodeIndex, text: string, shown?: number): ScanVerdict {
  const forms = formsOf(text);
  const byId = (ids: readonly number[]) => items.filter(({ id }) => ids.includes(id));
  for (const form of forms) {
    const found = byId(index.items.get(form) ?? []);
    if (found.length === 0) continue;
    const open = found.filter(({ left }) => left > 0);
    const item = open.find(({ id }) => id === shown) ?? open[0];
    return item === undefined ? { kind: 'over', item: found[0]! } : { kind: 'right', item };
  }
  for (const form of forms) {
    const part = index.components.get(form)?.[0];
    if (part !== undefined) return { kind: 'component', item: byId([part.id])[0]!, name: part.name };
  }
  for (const form of forms) {
    const here = byId(index.places.get(form) ?? []);
    const item = here.find(({ left }) => left > 0) ?? here[0];
    if (item !== undefined) return { kind: 'place', item };
  }
  return { kind: 'unknown' };
}

/** The next item of which a unit is open, in the order of the path, after `from` and then from the start; undefined if all have a result. */
export function nextOpen(items: readonly ItemView[], from?: number, step: 1 | -1 = 1): ItemView | undefined {
  const at = items.findIndex(({ id }) => id === from);
  const start = at < 0 && step === -1 ? 0 : at;
  for (let distance = 1; distance <= items.length; distance += 1) {
    const item = items[(start + step * distance + items.length * 2) % items.length]!;
    if (item.left > 0) return item;
  }
  return undefined;
}

/** Units of an item for one order, with what has been done of them here, sent or not. */
export interface Share {
  fulfillmentOrderId: string;
  tote: string;
  quantity: number;
  picked: number;
  /** Units that this order goes without. */
  short: number;
  /** Units that its customer has canceled meanwhile. */
  withdrawn: number;
}

/**
 * How the units of an item go to the orders of the ticket: units found fill them from the first tote on, wanted units first. What was
 * declined here and has not been sent goes short from the last tote on; the service decides when it has it.
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
  for (const share of shares.toReversed()) {
    const taken = Math.max(-share.short, Math.min(more, share.quantity - share.short));
    share.short += taken;
    more -= taken;
  }
  let found = picked;
  for (const wanted of [true, false]) {
    for (const share of shares) {
      const room = share.quantity - share.short - (wanted ? share.withdrawn : 0) - share.picked;
      const taken = Math.max(0, Math.min(room, found));
      share.picked += taken;
      found -= taken;
    }
  }
  return shares;
}

/** The tote that the next unit of an item goes into; undefined where none is open. */
export function nextTote(item: ItemView): string | undefined {
  const shares = sharesOf(item);
  const wanted = shares.find(({ quantity, short, picked, withdrawn }) => quantity - short - withdrawn > picked);
  return (wanted ?? shares.find(({ quantity, short, picked }) => quantity - short > picked))?.tote;
}

/** Sums over a ticket. */
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

/** Units of an item that a customer has canceled and of which nothing is known yet: they need not be fetched. */
export function needless({ item, left }: ItemView): number {
  return Math.min(left, item.customerCanceledQuantity ?? 0);
}

/** What a text is where a place is asked for. */
export type PlaceVerdict =
  /** A place of the store, as the store writes it. */
  | { kind: 'place'; place: string }
  | { kind: 'item' }
  /** The shelf of an item of the ticket. An order that is kept there would not be found again. */
  | { kind: 'shelf' }
  /** The number of an order, a ticket or a parcel. */
  | { kind: 'number' }
  | { kind: 'unknown' };

/**
 * Numbers that no device can know all of: six digits and more, as tickets, orders and most parcels have, and the tracking numbers of UPS,
 * of postal services and of DHL. A store that names a place so lists it.
 */
const NUMBER = /^(?:\d{6,}|1Z[0-9A-Z]{16}|[A-Z]{2}\d{9}[A-Z]{2}|J[A-Z]{2,3}\d{10,})$/i;

/**
 * What a text is where the place of the goods is asked for. It needs no network: a device knows the places of its store, and the numbers of
 * its own tickets and their orders; those of others it knows by their form.
 *
 * @param places of the store, with the one that the service suggests
 * @param numbers of orders and tickets on this device
 */
export function judgePlace(
  text: string,
  { places, numbers, index }: { places: readonly string[]; numbers: readonly string[]; index: CodeIndex },
): PlaceVerdict {
  const place = places.find((one) => isOneOf(text, [one]));
  if (place !== undefined) return { kind: 'place', place };
  const forms = formsOf(text);
  if (isOneOf(text, numbers)) return { kind: 'number' };
  if (forms.some((form) => index.items.has(form) || index.components.has(form))) return { kind: 'item' };
  if (forms.some((form) => index.places.has(form))) return { kind: 'shelf' };
  const { reads } = readToday(text);
  if (reads.some(({ kind }) => kind === 'GTIN')) return { kind: 'item' };
  const isNumber = NUMBER.test(text.trim()) || reads.some(({ kind }) => kind === 'SSCC') || text.length > PLACE_MAX;
  return isNumber ? { kind: 'number' } : { kind: 'unknown' };
}
