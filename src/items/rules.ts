/**
 * The rules of an item beyond its schema: rules between fields, and values that the client's settings list. A rule
 * skips a field of a wrong type, because the schema reports it. One response thus has the errors of schema and rules.
 */

import { isCountry } from '../platform/countries.ts';
import { big, decimalText, isNumeric } from '../platform/decimal.ts';
import { readJson } from '../platform/json-column.ts';
import { findUnit, unitError } from '../platform/measures.ts';
import { didYouMean } from '../platform/message/nearest.ts';
import { isRecord } from '../platform/message/record.ts';
import { type Sentence, sequence } from '../platform/message/sentence.ts';
import { type FieldError, fieldError } from '../platform/message/validate.ts';
import { quote } from '../platform/message/words.ts';
import type { ClientRow } from '../platform/storage/tables.ts';
import { findItemType, findSpelling, type Settings } from '../shared/client-settings.ts';
import { ELIGIBILITY_FLAGS, isDelete } from './canonical.ts';
import { say } from './sentences.ts';
import { LIST_MAX } from './sub-types.ts';

/** Maximum depth of nested bundles (docs/interface.md#item-rules). */
export const BUNDLE_DEPTH_MAX = 8;

/** The client of an item. */
export interface ItemOwner {
  client_id: string;
  /** JSON list of the client's catalogs. */
  catalog_ids: ClientRow['catalog_ids'];
}

type Loose = Record<string, unknown>;

/** Collects the errors of an item and of the items in its bundle, up to a maximum. */
class Found {
  readonly errors: FieldError[] = [];
  readonly #most: number;
  /** Pointer of the item that is being checked. */
  pointer = '';
  /** The stored item if a patch changes it, or the stored copy of a bundled item while the copy is checked. */
  stored: unknown;

  constructor(most: number, stored: unknown) {
    this.#most = most;
    this.stored = stored;
  }

  get isFull(): boolean {
    return this.errors.length >= this.#most;
  }

  add(pointer: string, rule: string, message: Sentence, limit?: unknown): void {
    this.addError(fieldError(pointer, rule, message, limit));
  }

  addError(error: FieldError | undefined): void {
    if (error === undefined || this.isFull) return;
    this.errors.push({ ...error, pointer: this.pointer + error.pointer });
  }
}

/** Returns the first `most` errors of an item against the rules. `stored` is the item before a patch. */
export function itemErrors(
  item: unknown,
  client: ItemOwner,
  settings: Settings,
  most: number,
  stored?: unknown,
): readonly FieldError[] {
  const found = new Found(most, stored);
  checkItemRules(found, item, client, settings, NO_BUNDLES);
  return found.errors;
}

const NO_BUNDLES: readonly string[] = [];

/** Checks an item. `within` has the itemIds of the bundles around it, the outermost first. */
function checkItemRules(
  found: Found,
  item: unknown,
  client: ItemOwner,
  settings: Settings,
  within: readonly string[],
): void {
  if (!isRecord(item) || found.isFull) return;
  identity(found, item, client);
  values(found, item, settings);
  gift(found, item, settings);
  quantities(found, item);
  units(found, item);
  contradictions(found, item);
  repeats(found, item);
  contents(found, item, client, settings, within);
}

/** Returns the error of an item whose catalog is none of the client's `catalogs`. */
export function catalogError(catalogs: readonly string[]): FieldError {
  const words = say("'catalogId' must be a catalog of the client: {catalogs}", { catalogs: catalogs.join(', ') });
  return fieldError('/catalogId', 'catalog', words, catalogs);
}

function identity(found: Found, item: Loose, client: ItemOwner): void {
  const { clientId, catalogId, clientItemId, itemId } = item;
  if (isText(clientId) && clientId !== client.client_id) {
    const words = say("'clientId' must be {client}, the client of the item", { client: client.client_id });
    found.add('/clientId', 'client', words);
  }
  const catalogs = catalogsOf(client);
  if (isText(catalogId) && !catalogs.includes(catalogId)) found.addError(catalogError(catalogs));
  if (isText(catalogId) && isText(clientItemId) && isText(itemId) && itemId !== `${catalogId}-${clientItemId}`) {
    const whole = JSON.stringify(`${catalogId}-${clientItemId}`.slice(0, 60));
    found.add('/itemId', 'identity', say("'itemId' must be <catalogId>-<clientItemId>, here {whole}", { whole }));
  }
}

/** Catalogs by client row. They are parsed once, because a bulk import needs them for every item. */
const catalogs = new WeakMap<ItemOwner, readonly string[]>();

function catalogsOf(client: ItemOwner): readonly string[] {
  let known = catalogs.get(client);
  if (known === undefined) {
    known = readJson(client.catalog_ids);
    catalogs.set(client, known);
  }
  return known;
}

/**
 * Checks the values of the client's lists. A value that equals the value of the stored item is not checked. The client
 * can remove a used value from a list, and a merge that does not send the field must still succeed.
 */
function values(found: Found, item: Loose, settings: Settings): void {
  const { type, status, salesClass, giftCardTenderCode: tender, countryOfOrigin: country } = item;
  const before = isRecord(found.stored) ? found.stored : NOTHING;
  if (isText(type) && type !== before.type && findItemType(settings, type) === undefined) {
    const types = settings.itemTypes.map((one) => one.name);
    notListed(found, '/type', type, types);
  }
  const { itemStatuses, salesClasses, giftCardTenderCodes } = settings;
  if (isText(status) && status !== '' && status !== before.status && !isSpelled(status, itemStatuses))
    notListed(found, '/status', status, itemStatuses);
  if (isText(salesClass) && salesClass !== before.salesClass && !isSpelled(salesClass, salesClasses)) {
    notListed(found, '/salesClass', salesClass, salesClasses);
  }
  if (
    isText(tender) &&
    tender !== '' &&
    tender !== before.giftCardTenderCode &&
    !giftCardTenderCodes.includes(tender)
  ) {
    notListed(found, '/giftCardTenderCode', tender, giftCardTenderCodes);
  }
  if (isText(country) && country !== '' && !isCountry(country)) {
    const upper = country.toUpperCase();
    const hint = isCountry(upper) ? didYouMean(country, [upper]) : say(', for example US');
    const words = say("'countryOfOrigin' must be an ISO 3166 alpha-2 country code{hint}", { hint });
    found.add('/countryOfOrigin', 'country', words);
  }
  for (const [index, upc] of objects(item.upcs)) {
    const code = upc.upcType;
    if (isText(code) && !isSpelled(code, settings.upcTypes) && !hasUpc(before, upc)) {
      notListed(found, `/upcs/${index}/upcType`, code, settings.upcTypes);
    }
    if (found.isFull) return;
  }
  for (const name of ['upcs', 'bundleItems', 'customDynamicAttributes']) operations(found, name, item[name], settings);
}

function operations(found: Found, name: string, list: unknown, { operationTypes }: Settings): void {
  for (const [index, { operationType: word }] of objects(list)) {
    if (found.isFull) return;
    if (!isText(word) || word === 'add' || word === 'delete') continue;
    notListed(found, `/${name}/${index}/operationType`, word, [...operationTypes.add, ...operationTypes.delete]);
  }
}

const NOTHING: Loose = {};

function hasUpc(item: Loose, { upcType, upc }: Loose): boolean {
  return objects(item.upcs).some(([, one]) => one.upcType === upcType && one.upc === upc);
}

function isSpelled(written: string, allowed: readonly string[]): boolean {
  return findSpelling(allowed, written) !== undefined;
}

function notListed(found: Found, pointer: string, value: string, allowed: readonly string[]): void {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const words = say("'{name}' must be one of {list}{hint} (got {got})", {
    name,
    list: allowed.join(', '),
    hint: didYouMean(value, allowed),
    got: quote(value),
  });
  found.add(pointer, 'enum', words, allowed);
}

function gift(found: Found, item: Loose, settings: Settings): void {
  const type = isText(item.type) ? findItemType(settings, item.type) : undefined;
  if (type?.gift !== true) return;
  for (const name of ['giftCardTenderCode', 'maxGCAmount']) {
    if (item[name] === undefined || item[name] === '')
      found.add(
        `/${name}`,
        'required',
        say("'{name}' is missing; an item of type {type} needs it", { name, type: type.name }),
      );
  }
}

function quantities(found: Found, item: Loose): void {
  const most = item.maxOrderableQuantity;
  // 0 means no maximum, as at intake.
  const hasMaximum = isNumeric(most) && big(most).gt(0);
  if (hasMaximum) inRange(found, 'OrderableQuantity', item.minOrderableQuantity, most);
  inRange(found, 'ShipmentProcessingDays', item.minShipmentProcessingDays, item.maxShipmentProcessingDays);
}

function inRange(found: Found, what: string, least: unknown, most: unknown): void {
  if (!isNumeric(least) || !isNumeric(most) || big(least).lte(big(most))) return;
  const words = say("'min{what}' must be at most 'max{what}', which is {most}", {
    what,
    most: decimalText(most).slice(0, 60),
  });
  found.add(`/min${what}`, 'range', words);
}

const MASSES = [
  'cartonMassDimensions',
  'displayMassDimensions',
  'shippingMassDimensions',
  'dimensionalWeight',
] as const;
const SIZES = ['cartonPackagingDimensions', 'displayPackagingDimensions', 'shippingPackagingDimensions'] as const;

/**
 * Checks that the units of measure can be converted, because totals need the conversion. A mass can also have a unit of
 * length, because the interface allows `in` and `ft` there.
 */
function units(found: Found, item: Loose): void {
  for (const name of MASSES) {
    const unit = unitOf(found, item, name);
    // The schema already rejects units with capitals, so this check skips them.
    const isAsked = unit !== undefined && unit === unit.toLowerCase() && findUnit('length', unit) === undefined;
    if (isAsked) found.addError(unitError(`/${name}/unit`, 'weight', unit));
  }
  for (const name of SIZES) found.addError(unitError(`/${name}/unit`, 'length', unitOf(found, item, name)));
}

/**
 * Returns the unit of a measure if this write changes it. A stored unit is not checked, because older releases stored
 * units without this check.
 */
function unitOf(found: Found, item: Loose, name: string): string | undefined {
  const [now, before] = [unitIn(item, name), unitIn(found.stored, name)];
  return now === '' || now === before ? undefined : now;
}

function unitIn(item: unknown, name: string): string | undefined {
  const measure = isRecord(item) ? item[name] : undefined;
  return isRecord(measure) && isText(measure.unit) ? measure.unit : undefined;
}

function contradictions(found: Found, item: Loose): void {
  if (item.dropShipped === true && item.dropShipSupplier === undefined) {
    found.add(
      '/dropShipSupplier',
      'required',
      say("'dropShipSupplier' is missing; an item with dropShipped true needs it, with name, number and partNumber"),
    );
  }
  for (const [index, entry] of objects(item.fulfillmentTypeEligibilities)) {
    const id = entry.fulfillmentTypeId;
    const flag =
      isText(id) && Object.hasOwn(ELIGIBILITY_FLAGS, id)
        ? ELIGIBILITY_FLAGS[id as keyof typeof ELIGIBILITY_FLAGS]
        : undefined;
    const said = flag === undefined ? undefined : item[flag];
    if (typeof said !== 'boolean' || typeof entry.eligibility !== 'boolean' || said === entry.eligibility) continue;
    found.add(
      `/fulfillmentTypeEligibilities/${index}/eligibility`,
      'contradiction',
      say(
        "'eligibility' of {id} and '{flag}' are two names of one value; send the same value in both, or only one of them",
        { id: String(id), flag },
      ),
    );
  }
  const brand = item.brand;
  if (
    isRecord(brand) &&
    brand.description !== undefined &&
    brand.descriptions !== undefined &&
    !same(brand.description, brand.descriptions)
  ) {
    found.add(
      '/brand/description',
      'contradiction',
      say(
        "'description' and 'descriptions' are two names of one field; send the same list in both, or only one of them",
      ),
    );
  }
  if (item.bundle !== true && Array.isArray(item.bundleItems) && item.bundleItems.length > 0) {
    const words = say("'bundleItems' is for bundles only; set 'bundle' to true, or remove it");
    found.add('/bundleItems', 'contradiction', words);
  }
}

/** The key fields of list elements. A list has each key at most once. */
export const ELEMENT_KEYS: Readonly<Record<string, readonly string[]>> = {
  upcs: ['upcType', 'upc'],
  bundleItems: ['itemId'],
  customDynamicAttributes: ['name'],
  fulfillmentTypeEligibilities: ['fulfillmentTypeId'],
};

/**
 * Returns an error for each element of a patch that has the key of an earlier element. A merge keeps only one element
 * per key.
 */
export function repeatsInPatch(patch: unknown, most: number): readonly FieldError[] {
  const found = new Found(most, undefined);
  if (isRecord(patch)) repeats(found, patch);
  return found.errors;
}

function repeats(found: Found, item: Loose): void {
  for (const name in ELEMENT_KEYS) {
    const list = item[name];
    if (Array.isArray(list) && list.length > 1) repeatsIn(found, name, list, ELEMENT_KEYS[name]!);
  }
}

function repeatsIn(found: Found, name: string, list: readonly unknown[], key: readonly string[]): void {
  const seen = new Map<string, number>();
  for (const [index, element] of objects(list)) {
    const id = keyOf(element, key);
    const first = id === undefined ? undefined : seen.get(id);
    if (first !== undefined) {
      const words = say("element {index} of '{name}' has the same {keys} as element {first}; send only one of them", {
        index,
        name,
        keys: sequence(key, say(' and ')),
        first,
      });
      found.add(`/${name}/${index}`, 'duplicate', words);
      if (found.isFull) return;
    } else if (id !== undefined) seen.set(id, index);
  }
}

/**
 * Returns the key of an element as one text, or undefined if a key field is not a text. NUL separates the fields,
 * because no text of a message contains it.
 */
function keyOf(element: Loose, [first, second]: readonly string[]): string | undefined {
  const one = element[first!];
  const other = second === undefined ? '' : element[second];
  if (!isText(one) || !isText(other)) return undefined;
  return second === undefined ? one : `${one}\0${other}`;
}

function contents(found: Found, item: Loose, client: ItemOwner, settings: Settings, around: readonly string[]): void {
  const { bundleItems } = item;
  if (!Array.isArray(bundleItems) || bundleItems.length === 0) return;
  const { pointer: outer, stored } = found;
  const within = [...around, isText(item.itemId) ? item.itemId : ''];
  for (const [index, one] of objects(bundleItems)) {
    found.pointer = `${outer}/bundleItems/${index}`;
    bundled(found, one, within);
    found.pointer += '/item';
    if (isRecord(one.item)) {
      if (within.length > BUNDLE_DEPTH_MAX) found.addError(tooDeep(''));
      else {
        found.stored = storedCopy(stored, one.itemId);
        checkItemRules(found, one.item, client, settings, within);
        found.stored = stored;
      }
    }
    found.pointer = outer;
    if (found.isFull) return;
  }
}

/** Returns the copy of an item in the contents of a stored bundle. */
function storedCopy(bundle: unknown, itemId: unknown): unknown {
  if (!isRecord(bundle) || !isText(itemId)) return undefined;
  return objects(bundle.bundleItems).find(([, one]) => one.itemId === itemId)?.[1].item;
}

function bundled(found: Found, one: Loose, within: readonly string[]): void {
  const { itemId: id, item: inner } = one;
  if (isText(id) && within.includes(id) && !isDelete(one)) {
    const words = say('bundle {id} cannot contain itself; remove it from its own contents', { id: JSON.stringify(id) });
    found.add('/itemId', 'bundle', words);
  }
  if (isRecord(inner) && isText(id) && isText(inner.itemId) && inner.itemId !== id) {
    const words = say("'itemId' differs from {id}, the itemId of the bundle item; send the same value in both", {
      id: JSON.stringify(id),
    });
    found.add('/item/itemId', 'identity', words);
  }
}

/** Returns the error of a bundle that is nested too deep. */
export function tooDeep(pointer: string): FieldError {
  const words = say('bundles can be nested at most {max} levels deep; use fewer levels in this bundle', {
    max: BUNDLE_DEPTH_MAX,
  });
  return fieldError(pointer, 'bundle', words, BUNDLE_DEPTH_MAX);
}

/** Returns the objects of a list with their indexes. */
function objects(list: unknown): readonly (readonly [number, Loose])[] {
  if (!Array.isArray(list)) return NO_OBJECTS;
  // The schema rejects a longer list.
  return list
    .slice(0, LIST_MAX)
    .flatMap((element: unknown, index) => (isRecord(element) ? [[index, element] as const] : []));
}

const NO_OBJECTS: readonly [number, Loose][] = [];

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
