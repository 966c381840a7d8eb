/**
 * The form in which an item is stored and answered: members in the order of the schema, values in their one spelling,
 * defaults filled in, and nothing that is never stored (docs/decisions/011-item-as-read.md).
 */
import { Big } from 'big.js';
import { big, type Numeric, numeric } from '../decimal.ts';
import type { TSchema } from '../schema.ts';
import { findItemType, type Settings } from '../values.ts';
import { elementOf, Item, membersOf } from './schema.ts';
import { type BundleItem, ELIGIBILITY_TYPES } from './sub-types.ts';

/** Booleans that a read always shows; false unless said otherwise. */
const FALSE_BY_DEFAULT = [
  'bundle',
  'dropShipped',
  'eligibleToModify',
  'infiniteInventory',
  'inventoryCheckEligible',
  'onPreOrder',
  'shipTogether',
  'splitToOne',
  'ispuReserveEligible',
  'associateDeliveryEligible',
] as const satisfies (keyof Item)[];

/** The boolean that states the same fact as an entry of fulfillmentTypeEligibilities. */
export const ELIGIBILITY_FLAGS = {
  SHIP_TO_HOME: 'sfsEligible',
  SHIP_TO_STORE: 'stsEligible',
  STORE_PICK_UP: 'ispuEligible',
} as const satisfies Record<(typeof ELIGIBILITY_TYPES)[number], keyof Item>;

/** An item that keeps every rule, as it is to be stored. Canonical form of canonical form is itself. */
export function canonical(item: Item, settings: Settings): Item {
  const { streetDate, brand, upcs, customDynamicAttributes, bundleItems, ...rest } = without(item, 'isFeedItem');
  const form: Item = {
    ...rest,
    ...Object.fromEntries(FALSE_BY_DEFAULT.map((name) => [name, item[name] ?? false])),
    ...eligibilities(item, settings),
    ...wholeDays(item),
    type: findItemType(settings, item.type)?.name ?? item.type,
    status: oneSpelling(settings.itemStatuses, item.status ?? settings.itemStatuses[0] ?? 'Active'),
    salesClass: oneSpelling(settings.salesClasses, item.salesClass),
    ...(streetDate !== undefined && streetDate !== '' && { streetDate }),
    ...(brand && { brand: oneList(brand) }),
    ...(upcs && { upcs: kept(upcs) }),
    ...(customDynamicAttributes && { customDynamicAttributes: kept(customDynamicAttributes) }),
    ...(bundleItems && { bundleItems: kept(bundleItems).map((one) => bundled(one, settings)) }),
  };
  return inOrder(form);
}

/** The item with its members, and those of the objects in it, in the order of the schema. */
export function inOrder(item: Item): Item {
  return ordered(Item, item) as Item;
}

/** The entry of `values` that `written` is but for its case; `written` itself where there is none. */
export function oneSpelling(values: readonly string[], written: string): string {
  return values.find((value) => value.toLowerCase() === written.toLowerCase()) ?? written;
}

function eligibilities(item: Item, settings: Settings): Partial<Item> {
  const physical = findItemType(settings, item.type)?.physical ?? true;
  const facts = ELIGIBILITY_TYPES.map((fulfillmentTypeId) => {
    const listed = item.fulfillmentTypeEligibilities?.find((one) => one.fulfillmentTypeId === fulfillmentTypeId);
    return {
      fulfillmentTypeId,
      eligibility: item[ELIGIBILITY_FLAGS[fulfillmentTypeId]] ?? listed?.eligibility ?? physical,
    };
  });
  return {
    ...Object.fromEntries(facts.map((fact) => [ELIGIBILITY_FLAGS[fact.fulfillmentTypeId], fact.eligibility])),
    fulfillmentTypeEligibilities: facts,
  };
}

function wholeDays({ maxShipmentProcessingDays: most, minShipmentProcessingDays: least }: Item): Partial<Item> {
  return {
    ...(most !== undefined && { maxShipmentProcessingDays: rounded(most, Big.roundUp) }),
    ...(least !== undefined && { minShipmentProcessingDays: rounded(least, Big.roundDown) }),
  };
}

function rounded(days: Numeric, mode: 0 | 1 | 2 | 3): Numeric {
  return numeric(big(days).round(0, mode).toFixed());
}

function oneList({ description, descriptions = description, ...brand }: NonNullable<Item['brand']>) {
  return { ...brand, ...(descriptions && { descriptions }) };
}

function kept<T extends { operationType?: string }>(elements: readonly T[]): Omit<T, 'operationType'>[] {
  return elements.filter((element) => !isDelete(element)).map((element) => without(element, 'operationType'));
}

/** A copy of an object without one of its members. */
export function without<T extends object, K extends keyof T & string>(object: T, name: K): Omit<T, K> {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name)) as Omit<T, K>;
}

/** Whether an element of a list asks to be deleted. */
export function isDelete(element: { operationType?: unknown }): boolean {
  return element.operationType === 'delete' || element.operationType === 'Delete';
}

function bundled({ item, ...one }: BundleItem, settings: Settings): BundleItem {
  return { ...one, ...(item && { item: canonical(item, settings) }) };
}

function ordered(schema: TSchema, value: unknown): unknown {
  const order = orderOf(schema);
  if (order === undefined) return value;
  if (order.element !== undefined) return (value as unknown[]).map((one) => ordered(order.element!, one));
  const object = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of order.members) {
    const one = object[name];
    if (one !== undefined) copy[name] = typeof one === 'object' ? ordered(member, one) : one;
  }
  return copy;
}

interface Order {
  element: TSchema | undefined;
  members: readonly (readonly [name: string, schema: TSchema])[];
}

/** Of each schema what `ordered` needs of it, found once: a bulk import asks for every member of every item. */
const orders = new WeakMap<TSchema, Order | 'none'>();

function orderOf(schema: TSchema): Order | undefined {
  let order = orders.get(schema);
  if (order === undefined) {
    const [element, members] = [elementOf(schema), membersOf(schema)];
    const isPlain = element === undefined && members === undefined;
    order = isPlain ? 'none' : { element, members: Object.entries(members ?? {}) };
    orders.set(schema, order);
  }
  return order === 'none' ? undefined : order;
}
