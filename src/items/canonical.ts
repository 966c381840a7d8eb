/**
 * The form in which items are stored and returned: fields in the order of the schema, one spelling per value, defaults
 * filled in, write-only fields removed (docs/interface.md#item).
 */

import { Big } from 'big.js';
import { big, type Numeric, numericOf } from '../platform/decimal.ts';
import type { Json } from '../platform/json-column.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { TSchema } from '../platform/schema.ts';
import { plainForm } from '../platform/time.ts';
import { findItemType, findSpelling, type Settings } from '../shared/client-settings.ts';
import { type BundleItem, elementOf, Item, membersOf, resolve } from './schema.ts';
import { ELIGIBILITY_TYPES } from './sub-types.ts';

/** Boolean fields that are in every response; the default is false. */
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

/** Text fields that are in every response; the default is blank. */
const BLANK_BY_DEFAULT = ['styleId', 'taxCode'] as const satisfies (keyof Item)[];

/**
 * Fields that are removed if they are blank, because blank is their default or means that they have no value. A sender
 * that writes blanks and a sender that leaves the fields out thus write the same item.
 */
const NONE_WHERE_BLANK = [
  'streetDate',
  'countryOfOrigin',
  'giftCardTenderCode',
  'styleDescription',
  'fulfillmentOverride',
] as const satisfies (keyof Item)[];

/** The boolean field for each entry of fulfillmentTypeEligibilities. The boolean and the entry state the same fact. */
export const ELIGIBILITY_FLAGS = {
  SHIP_TO_HOME: 'sfsEligible',
  SHIP_TO_STORE: 'stsEligible',
  STORE_PICK_UP: 'ispuEligible',
} as const satisfies Record<(typeof ELIGIBILITY_TYPES)[number], keyof Item>;

/**
 * Returns a valid item in the form to store. `itemText` then orders its fields and omits undefined fields. Applied to a
 * canonical item, the function changes nothing.
 */
export function canonical(item: Item, settings: Settings): Item {
  const { brand, upcs, customDynamicAttributes, bundleItems } = item;
  const form: Loose<Item> = { ...item, isFeedItem: undefined };
  for (const name of FALSE_BY_DEFAULT) form[name] = item[name] ?? false;
  addEligibilities(form, item, settings);
  addWholeDays(form, item);
  form.type = findItemType(settings, item.type)?.name ?? item.type;
  const status = item.status || (settings.itemStatuses[0] ?? 'Active');
  form.status = findSpelling(settings.itemStatuses, status) ?? status;
  form.salesClass = findSpelling(settings.salesClasses, item.salesClass) ?? item.salesClass;
  for (const name of BLANK_BY_DEFAULT) form[name] = item[name] ?? '';
  for (const name of NONE_WHERE_BLANK) if (item[name] === '') form[name] = undefined;
  if (item.streetDate) form.streetDate = plainForm(item.streetDate);
  const made = item.manufacturer?.manufacturingDate;
  if (made !== undefined) form.manufacturer = { ...item.manufacturer, manufacturingDate: plainForm(made) };
  if (brand?.description) form.brand = oneList(brand);
  if (upcs) form.upcs = kept(upcs);
  if (customDynamicAttributes) form.customDynamicAttributes = kept(customDynamicAttributes);
  if (bundleItems) form.bundleItems = kept(bundleItems).map((one) => bundled(one, settings));
  return form as Item;
}

/** An object whose fields are optional. An undefined field is absent. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined };

function addEligibilities(form: Loose<Item>, item: Item, settings: Settings): void {
  const physical = findItemType(settings, item.type)?.physical ?? true;
  const sent = item.fulfillmentTypeEligibilities;
  form.fulfillmentTypeEligibilities = ELIGIBILITY_TYPES.map((fulfillmentTypeId) => {
    const flag = ELIGIBILITY_FLAGS[fulfillmentTypeId];
    const listed = sent?.find((one) => one.fulfillmentTypeId === fulfillmentTypeId);
    const eligibility = item[flag] ?? listed?.eligibility ?? physical;
    form[flag] = eligibility;
    return { fulfillmentTypeId, eligibility };
  });
}

function addWholeDays(form: Loose<Item>, item: Item): void {
  const { maxShipmentProcessingDays: most, minShipmentProcessingDays: least } = item;
  if (most !== undefined) form.maxShipmentProcessingDays = rounded(most, Big.roundUp);
  if (least !== undefined) form.minShipmentProcessingDays = rounded(least, Big.roundDown);
}

function rounded(days: Numeric, mode: 0 | 1 | 2 | 3): Numeric {
  return Number.isSafeInteger(days) ? days : numericOf(big(days).round(0, mode));
}

function oneList({ description, descriptions = description, ...brand }: NonNullable<Item['brand']>) {
  return { ...brand, ...(descriptions && { descriptions }) };
}

function kept<T extends { operationType?: string }>(elements: readonly T[]): Omit<T, 'operationType'>[] {
  if (elements.every((element) => element.operationType === undefined)) return [...elements];
  return elements.filter((element) => !isDelete(element)).map((element) => without(element, 'operationType'));
}

/** Returns a copy of an object without one of its fields. */
export function without<T extends object, K extends keyof T & string>(object: T, name: K): Omit<T, K> {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name)) as Omit<T, K>;
}

/** Whether an element of a list has the operationType delete. */
export function isDelete(element: { operationType?: unknown }): boolean {
  return element.operationType === 'delete';
}

function bundled({ item, ...one }: BundleItem, settings: Settings): BundleItem {
  return { ...one, ...(item && { item: canonical(item, settings) }) };
}

/** Returns the JSON text of an item, with all fields in the order of the schema. */
export function itemText(item: Item): Json<Item> {
  return textOf(orderOf(Item), item) as Json<Item>;
}

/** The order of the fields in a schema. */
interface Order {
  element: Order | undefined;
  members: readonly { name: string; before: string; order: () => Order | undefined }[] | undefined;
}

/** Writes the text in one pass. Sorting the fields into a copy first would take twice the time. */
function textOf(order: Order | undefined, value: unknown): string {
  if (typeof value === 'string') return TO_ESCAPE.test(value) ? stringifyJson(value) : `"${value}"`;
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (order?.element !== undefined) return listText(order.element, value as unknown[]);
  if (order?.members === undefined) return stringifyJson(value);
  let text = '';
  const object = value as Record<string, unknown>;
  for (const { name, before, order: inner } of order.members) {
    const one = object[name];
    if (one === undefined) continue;
    const separator = text === '' ? '{' : ',';
    text += separator + before + (typeof one === 'object' ? textOf(inner(), one) : textOf(undefined, one));
  }
  return text === '' ? '{}' : `${text}}`;
}

function listText(order: Order, list: readonly unknown[]): string {
  let text = '';
  for (const one of list) text += (text === '' ? '[' : ',') + textOf(order, one);
  return text === '' ? '[]' : `${text}]`;
}

/** Characters that JSON escapes, and surrogates: only `stringifyJson` knows which surrogates have no pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const TO_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

const orders = new WeakMap<TSchema, Order>();

function orderOf(schema: TSchema): Order {
  let order = orders.get(resolve(schema));
  if (order === undefined) {
    const [element, members] = [elementOf(schema), membersOf(schema)];
    order = {
      element: element && orderOf(element),
      members: members && Object.entries(members).map(([name, member]) => memberOrder(name, member)),
    };
    orders.set(resolve(schema), order);
  }
  return order;
}

/** Resolves the inner order lazily: the schema of an item refers to itself through bundles. */
function memberOrder(name: string, schema: TSchema) {
  let known: Order | undefined;
  return { name, before: `${JSON.stringify(name)}:`, order: () => (known ??= orderOf(schema)) };
}
