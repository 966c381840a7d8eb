/** Resolves bundles into their components, also through nested bundles. */

import { Big } from 'big.js';
import { findItems, type ItemSource } from '../items/find.ts';
import { BUNDLE_DEPTH_MAX } from '../items/rules.ts';
import type { BundleItem, Item } from '../items/schema.ts';
import { big } from '../platform/decimal.ts';
import { COMPONENTS_MAX, QUANTITY_MAX } from '../shared/limits.ts';
import type { Component, ItemDetails } from '../shared/snapshot.ts';
import { detailsOf, handlingOf } from './snapshot-of.ts';

/** The maximum number of list entries that are visited while one bundle is resolved. */
const STEPS_MAX = 1_000;
/** The maximum length of all components as JSON, in characters. Every line that orders the bundle stores them. */
const DETAILS_MAX = 65_536;
const PERCENT_DIGITS = 4;

/**
 * The components of one unit of a bundle, in the order of the bundle's list, and their items with the bundles that are
 * inside the bundle. An item is missing if neither the item master nor the bundle has it.
 */
export interface Bundle {
  components: Component[];
  items: readonly Item[];
}

/**
 * Loads the components of the bundles in `items` and adds them to `items`, level by level. Leaves out the deeper levels
 * of a bundle with more than STEPS_MAX entries: an order cannot show such a bundle.
 */
export async function addBundled(source: ItemSource, clientId: string, items: Map<string, Item>): Promise<void> {
  let open = [...items.values()].map((item) => ({ entries: contentsOf(item), steps: contentsOf(item).length }));
  for (let depth = 1; depth <= BUNDLE_DEPTH_MAX; depth += 1) {
    open = open.filter(({ entries, steps }) => entries.length > 0 && steps <= STEPS_MAX);
    const ids = new Set(open.flatMap(({ entries }) => entries.map((one) => one.itemId)));
    const unknown = [...ids].filter((itemId) => !items.has(itemId));
    if (ids.size === 0) return;
    for (const [itemId, item] of await findItems(source, clientId, unknown)) items.set(itemId, item);
    open = open.map(({ entries, steps }) => {
      const inside = entries.map((one) => itemOf(one, (itemId) => items.get(itemId))).map(contentsOf);
      const more = inside.reduce((sum, list) => sum + list.length, 0);
      return { entries: steps + more > STEPS_MAX ? [] : inside.flat(), steps: steps + more };
    });
  }
}

/**
 * Resolves a bundle. Returns undefined for an item that is not a bundle, 'tooMany' for a bundle with more components
 * than an order can show. If the item master lacks a component, the copy in the bundle is used; without a copy the
 * component has only its id.
 */
export function bundleOf(bundle: Item, find: (itemId: string) => Item | undefined): Bundle | 'tooMany' | undefined {
  if (contentsOf(bundle).length === 0) return undefined;
  const parts = new Map<string, Part>();
  const inside = new Map<string, Item>();
  let steps = 0;
  const isAdded = (item: Item, units: number, share: Big | undefined, depth: number): boolean =>
    contentsOf(item).every((one) => {
      steps += 1;
      if (steps > STEPS_MAX) return false;
      const quantity = units * (one.quantity === undefined ? 1 : Number(big(one.quantity)));
      if (quantity === 0) return true;
      const inner = itemOf(one, find);
      const percentage =
        one.pricePercentage === undefined ? undefined : share?.times(big(one.pricePercentage)).div(100);
      if (contentsOf(inner).length > 0 && depth < BUNDLE_DEPTH_MAX) {
        inside.set(one.itemId, inner!);
        return isAdded(inner!, quantity, percentage, depth + 1);
      }
      const before = parts.get(one.itemId);
      const part = { item: inner, quantity: (before?.quantity ?? 0) + quantity, percentage };
      if (before !== undefined) part.percentage = percentage && before.percentage?.plus(percentage);
      parts.set(one.itemId, part);
      return part.quantity <= QUANTITY_MAX && parts.size <= COMPONENTS_MAX;
    });
  if (!isAdded(bundle, 1, new Big(100), 1)) return 'tooMany';
  const components = [...parts].map(([itemId, part]) => componentOf(itemId, part));
  if (JSON.stringify(components).length > DETAILS_MAX) return 'tooMany';
  return { components, items: [...inside.values(), ...[...parts.values()].flatMap(({ item }) => item ?? [])] };
}

function itemOf(one: BundleItem, find: (itemId: string) => Item | undefined): Item | undefined {
  return find(one.itemId) ?? one.item;
}

interface Part {
  item: Item | undefined;
  quantity: number;
  percentage: Big | undefined;
}

function componentOf(itemId: string, { item, quantity, percentage }: Part): Component {
  const handling = item && handlingOf(item);
  return {
    itemDetails: item === undefined ? detailsOfUnknown(itemId) : detailsOf(item),
    quantity,
    ...(percentage && { pricePercentage: percentage.round(PERCENT_DIGITS, Big.roundHalfUp).toFixed() }),
    ...(handling && { handling }),
  };
}

function detailsOfUnknown(itemId: string): ItemDetails {
  return { itemId, itemDesc: itemId, color: '', colorCode: '', size: '', sizeCode: '', style: '', upcs: [] };
}

function contentsOf(item: Item | undefined): readonly BundleItem[] {
  return item?.bundle === true ? (item.bundleItems ?? []) : [];
}
