/**
 * What the schema of an item cannot say: rules between members, and values that are data. A rule that needs a member of
 * another type is silent, as the schema complains of that member, so both sorts of faults come in one reply.
 */
import { isCountry } from '../countries.ts';
import { big, decimalText, isNumeric } from '../decimal.ts';
import { type Fault, faultsOf, nearest } from '../http/validate.ts';
import { findItemType, type Settings } from '../values.ts';
import { ELIGIBILITY_FLAGS, isDelete } from './canonical.ts';

/** Most bundles inside each other (decisions C, BundleItem). */
export const BUNDLE_DEPTH_MAX = 8;

/** Whose item it is. */
export interface ItemOwner {
  client_id: string;
  /** JSON list of the client's catalogs. */
  catalog_ids: string;
}

interface Place {
  pointer: string;
  /** itemIds of the bundles around this item, outermost first. */
  within: readonly string[];
}

type Loose = Record<string, unknown>;

/** Every fault of an item against the rules; lazy, so a caller holds no more than it takes. */
export function* itemFaults(
  item: unknown,
  client: ItemOwner,
  settings: Settings,
  place: Place = { pointer: '', within: [] },
): Generator<Fault> {
  if (!isObject(item)) return;
  const rules = [
    identity(item, client),
    values(item, settings),
    gift(item, settings),
    quantities(item),
    contradictions(item),
  ];
  for (const rule of rules) {
    for (const fault of rule) yield { ...fault, pointer: place.pointer + fault.pointer };
  }
  for (const fault of repeats(item)) yield { ...fault, pointer: place.pointer + fault.pointer };
  yield* contents(item, client, settings, place);
}

function* identity(item: Loose, client: ItemOwner): Generator<Fault> {
  const { clientId, catalogId, clientItemId, itemId } = item;
  if (isText(clientId) && clientId !== client.client_id) {
    yield faultsOf('/clientId', 'client', `'clientId' must be ${client.client_id}, the client whose item this is`);
  }
  const catalogs = JSON.parse(client.catalog_ids) as string[];
  if (isText(catalogId) && !catalogs.includes(catalogId)) {
    yield faultsOf(
      '/catalogId',
      'catalog',
      `'catalogId' must be a catalog of the client: ${catalogs.join(', ')}`,
      catalogs,
    );
  }
  if (isText(catalogId) && isText(clientItemId) && isText(itemId) && itemId !== `${catalogId}-${clientItemId}`) {
    const whole = `${catalogId}-${clientItemId}`.slice(0, 60);
    yield faultsOf('/itemId', 'identity', `'itemId' must be <catalogId>-<clientItemId>, here ${JSON.stringify(whole)}`);
  }
}

function* values(item: Loose, settings: Settings): Generator<Fault> {
  const types = settings.itemTypes.map((type) => type.name);
  if (isText(item.type) && findItemType(settings, item.type) === undefined) yield notListed('/type', item.type, types);
  for (const [name, allowed] of [
    ['status', settings.itemStatuses],
    ['salesClass', settings.salesClasses],
  ] as const) {
    const value = item[name];
    const isKnown = isText(value) && allowed.some((one) => one.toLowerCase() === value.toLowerCase());
    if (isText(value) && !isKnown) yield notListed(`/${name}`, value, allowed);
  }
  const tender = item.giftCardTenderCode;
  if (isText(tender) && !settings.giftCardTenderCodes.includes(tender)) {
    yield notListed('/giftCardTenderCode', tender, settings.giftCardTenderCodes);
  }
  const country = item.countryOfOrigin;
  if (isText(country) && !isCountry(country)) {
    const near = isCountry(country.toUpperCase()) ? `; did you mean '${country.toUpperCase()}'?` : ', for example US';
    yield faultsOf('/countryOfOrigin', 'country', `'countryOfOrigin' must be an ISO 3166 alpha-2 country code${near}`);
  }
  for (const [index, upc] of objects(item.upcs)) {
    const type = upc.upcType;
    if (!isText(type) || settings.upcTypes.includes(type)) continue;
    const pointer = `/upcs/${index}/upcType`;
    if (type !== 'P') yield notListed(pointer, type, settings.upcTypes);
    else
      yield faultsOf(
        pointer,
        'enum',
        `'upcType' P (primary) is the operator's own; send one of ${settings.upcTypes.join(', ')}`,
        settings.upcTypes,
      );
  }
}

function notListed(pointer: string, value: string, allowed: readonly string[]): Fault {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const near = nearest(value, allowed);
  const mend = near === undefined ? '' : `; did you mean '${near}'?`;
  const got = JSON.stringify(value.slice(0, 60));
  return faultsOf(pointer, 'enum', `'${name}' must be one of ${allowed.join(', ')}${mend} (got ${got})`, allowed);
}

function* gift(item: Loose, settings: Settings): Generator<Fault> {
  const type = isText(item.type) ? findItemType(settings, item.type) : undefined;
  if (type?.gift !== true) return;
  for (const name of ['giftCardTenderCode', 'maxGCAmount']) {
    if (item[name] === undefined)
      yield faultsOf(`/${name}`, 'required', `'${name}' is missing; an item of type ${type.name} needs it`);
  }
}

function* quantities(item: Loose): Generator<Fault> {
  for (const what of ['OrderableQuantity', 'ShipmentProcessingDays']) {
    const [least, most] = [item[`min${what}`], item[`max${what}`]];
    if (!isNumeric(least) || !isNumeric(most) || big(least).lte(big(most))) continue;
    yield faultsOf(
      `/min${what}`,
      'range',
      `'min${what}' must be at most 'max${what}', which is ${decimalText(most).slice(0, 60)}`,
    );
  }
}

function* contradictions(item: Loose): Generator<Fault> {
  if (item.dropShipped === true && item.dropShipSupplier === undefined) {
    yield faultsOf(
      '/dropShipSupplier',
      'required',
      "'dropShipSupplier' is missing; an item with dropShipped true needs it, with name, number and partNumber",
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
    yield faultsOf(
      `/fulfillmentTypeEligibilities/${index}/eligibility`,
      'contradiction',
      `'eligibility' of ${String(id)} and '${flag}' are one fact; send the same value in both, or one of them`,
    );
  }
  const brand = item.brand;
  if (
    isObject(brand) &&
    brand.description !== undefined &&
    brand.descriptions !== undefined &&
    !same(brand.description, brand.descriptions)
  ) {
    yield faultsOf(
      '/brand/description',
      'contradiction',
      "'description' and 'descriptions' are one member; send the same list in both, or one of them",
    );
  }
  if (item.bundle !== true && Array.isArray(item.bundleItems) && item.bundleItems.length > 0) {
    yield faultsOf(
      '/bundleItems',
      'contradiction',
      "'bundleItems' are for bundles; set 'bundle' to true, or leave them out",
    );
  }
}

/** What names an element of a list, so that it can stand there once only. */
export const ELEMENT_KEYS: Readonly<Record<string, readonly string[]>> = {
  upcs: ['upcType', 'upc'],
  bundleItems: ['itemId'],
  customDynamicAttributes: ['name'],
  fulfillmentTypeEligibilities: ['fulfillmentTypeId'],
};

function* repeats(item: Loose): Generator<Fault> {
  for (const [name, key] of Object.entries(ELEMENT_KEYS)) {
    const seen = new Map<string, number>();
    for (const [index, element] of objects(item[name])) {
      if (!key.every((member) => isText(element[member]))) continue;
      const id = JSON.stringify(key.map((member) => element[member]));
      const first = seen.get(id);
      if (first === undefined) seen.set(id, index);
      else {
        const words = `element ${index} of '${name}' has the same ${key.join(' and ')} as element ${first}; send it once`;
        yield faultsOf(`/${name}/${index}`, 'duplicate', words);
      }
    }
  }
}

function* contents(item: Loose, client: ItemOwner, settings: Settings, place: Place): Generator<Fault> {
  const within = isText(item.itemId) ? [...place.within, item.itemId] : [...place.within, ''];
  for (const [index, one] of objects(item.bundleItems)) {
    const pointer = `${place.pointer}/bundleItems/${index}`;
    const id = one.itemId;
    if (isText(id) && within.includes(id) && !isDelete(one)) {
      yield faultsOf(
        `${pointer}/itemId`,
        'bundle',
        `bundle ${JSON.stringify(id)} cannot contain itself; remove it from its own contents`,
      );
    }
    const inner = one.item;
    if (!isObject(inner)) continue;
    if (isText(id) && isText(inner.itemId) && inner.itemId !== id) {
      yield faultsOf(
        `${pointer}/item/itemId`,
        'identity',
        `'itemId' differs from the bundle item's ${JSON.stringify(id)}; send the same in both`,
      );
    }
    if (within.length > BUNDLE_DEPTH_MAX) yield tooDeep(`${pointer}/item`);
    else yield* itemFaults(inner, client, settings, { pointer: `${pointer}/item`, within });
  }
}

/** The fault of a bundle in a bundle in a bundle ... */
export function tooDeep(pointer: string): Fault {
  return faultsOf(
    pointer,
    'bundle',
    `bundles may stand in each other at most ${BUNDLE_DEPTH_MAX} deep; flatten this one`,
    BUNDLE_DEPTH_MAX,
  );
}

function* objects(list: unknown): Generator<[number, Loose]> {
  if (!Array.isArray(list)) return;
  for (const [index, element] of list.entries()) if (isObject(element)) yield [index, element];
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether a value is an object of a message: no list, no exact number. */
export function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumeric(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
