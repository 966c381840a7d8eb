/** The rules of an order beyond its schema (docs/interface.md#order-intake). Error pointers start at the order. */

import type { Item } from '../items/schema.ts';
import { blockedMessage } from '../kernel/item-blocks.ts';
import { AFTER_PACK } from '../kernel/states.ts';
import { heldBy } from '../kernel/street-date.ts';
import { isCurrency } from '../platform/currencies.ts';
import { decimalText, type Numeric } from '../platform/decimal.ts';
import { unitError } from '../platform/measures.ts';
import { mismatch } from '../platform/message/agree.ts';
import type { FieldError, FieldErrorSink } from '../platform/message/field-errors.ts';
import { inEnglish } from '../platform/message/sentence.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { quote } from '../platform/message/words.ts';
import { DAY_MS, formatDateTime, parseDateTime } from '../platform/time.ts';
import { type FulfillmentType, findSpelling, type Settings } from '../shared/client-settings.ts';
import { COMPONENTS_MAX, PACKAGES_MAX, QUANTITY_MAX } from '../shared/limits.ts';
import type { Destination } from '../shared/shapes.ts';
import type { Snapshot } from '../shared/snapshot.ts';
import type { Calendar } from '../sla/calendar.ts';
import type { OrderIntake } from './intake-schema.ts';

/** The facts of a node that the rules use. */
export interface IntakeNode {
  fulfillmentTypes: readonly string[];
  countryCode: string;
  calendar: Calendar;
}

/** An item of the client, and its snapshot for order lines. */
export interface IntakeItem {
  item: Item;
  snapshot: Snapshot;
  /** Whether the item is a bundle with more components than an order can show. */
  isTooMuch: boolean;
}

/** The client's data that an order is checked against, limited to the nodes that the caller has access to. */
export interface IntakeWorld {
  storeId: string;
  node: (nodeId: string) => IntakeNode | undefined;
  item: (itemId: string) => IntakeItem | undefined;
  /**
   * Returns the reason why a node gets no new orders for an item that it declined; undefined if there is no such
   * reason.
   */
  held: (nodeId: string, itemId: string) => string | undefined;
  settings: Pick<Settings, 'refusedItemStatuses' | 'streetDate'>;
  now: number;
}

/** The field of an item that makes it eligible for a fulfillment type. */
const ELIGIBLE: Record<FulfillmentType, keyof Item> = {
  STORE_PICK_UP: 'ispuEligible',
  SHIP_TO_HOME: 'sfsEligible',
  SHIP_TO_STORE: 'stsEligible',
  ASSOCIATE_DELIVERY: 'associateDeliveryEligible',
};

type Order = ValidPart<OrderIntake>;
type SentLine = ValidPart<OrderIntake['lines'][number]>;
type SentPackages = NonNullable<Order['packages']>;

/** Adds the errors of an order that its schema cannot find. Fields that the schema rejected are undefined here. */
export function checkOrder(order: Order, world: IntakeWorld, errors: FieldErrorSink): void {
  for (const { pointer, rule, message } of mismatch('/storeId', order.storeId, world.storeId, 'storeId')) {
    errors.add(pointer, rule, message);
  }
  checkNode(order, world, errors);
  checkHead(order, world.now, errors);
  checkDestinations(order, errors);
  checkReferences(order, errors);
  for (const [index, line] of (order.lines ?? []).entries()) {
    if (line !== undefined) checkItem(order, line, world, `/lines/${index}/itemId`, errors);
  }
  checkTwice(order.lines ?? [], 'webLineId', '/lines', errors);
  checkUnits(order.lines ?? [], world, errors);
  checkAlone(order, world, errors);
  checkPackages(order, errors);
  checkMeasures(order, errors);
}

function checkNode({ nodeId, fulfillmentType }: Order, world: IntakeWorld, errors: FieldErrorSink): void {
  if (nodeId === undefined) return;
  const node = world.node(nodeId);
  if (node === undefined) {
    errors.add(
      '/nodeId',
      'exists',
      inEnglish(`there is no node ${quote(nodeId)} for these credentials; send another nodeId`),
    );
  } else if (fulfillmentType !== undefined && !node.fulfillmentTypes.includes(fulfillmentType)) {
    const works = node.fulfillmentTypes.join(', ') || 'no orders';
    const message = `node ${quote(nodeId)} does not fulfill ${fulfillmentType} orders; it fulfills ${works}. Send one of these types, or another nodeId`;
    errors.add('/fulfillmentType', 'nodeType', inEnglish(message), node.fulfillmentTypes);
  }
}

function checkHead(order: Order, now: number, errors: FieldErrorSink): void {
  const { currency, orderDate, fulfillmentOrderDate } = order;
  if (currency !== undefined && !isCurrency(currency)) {
    errors.add(
      '/currency',
      'currency',
      inEnglish(`'currency' ${quote(currency)} is not a currency code of ISO 4217; send a code such as EUR`),
    );
  }
  const hasDates = orderDate !== undefined && fulfillmentOrderDate !== undefined;
  if (hasDates && parseDateTime(orderDate) > parseDateTime(fulfillmentOrderDate)) {
    const message = "'orderDate' is later than 'fulfillmentOrderDate'; send the same or an earlier date";
    errors.add('/orderDate', 'order', inEnglish(message));
  }
  // An order with a date in the future would remain the last of every list. Usually the cause is a wrong clock or
  // century.
  for (const name of ['orderDate', 'fulfillmentOrderDate'] as const) {
    const date = order[name];
    if (date === undefined || parseDateTime(date) <= now + DAY_MS) continue;
    const message = `'${name}' is more than a day after the time of the service, ${formatDateTime(now)}; send the date of the order`;
    errors.add(`/${name}`, 'future', inEnglish(message), formatDateTime(now + DAY_MS));
  }
  if (order.fulfillmentType !== 'SHIP_TO_HOME') return;
  for (const member of ['carrier', 'service'] as const) {
    if (order[member] || errors.isBad(`/${member}`)) continue;
    const what = order[member] === undefined ? 'missing' : 'empty';
    errors.add(`/${member}`, 'required', inEnglish(`'${member}' is ${what}; SHIP_TO_HOME orders need one`));
  }
}

function checkDestinations({ destinations = [], fulfillmentType }: Order, errors: FieldErrorSink): void {
  checkTwice(destinations, 'destinationId', '/destinations', errors);
  if (fulfillmentType === undefined) return;
  for (const [index, destination] of destinations.entries()) {
    checkDestination(destination, fulfillmentType, `/destinations/${index}`, errors);
  }
}

/** Adds an error for each field that a destination lacks and the fulfillment type requires. */
export function checkDestination(
  destination: Omit<ValidPart<Destination>, 'destinationId'> | undefined,
  type: FulfillmentType,
  place: string,
  errors: FieldErrorSink,
): void {
  for (const path of NEEDED[type]) {
    const value = valueAt(destination, path);
    if (value !== undefined && value !== '') continue;
    const message = `'${path.at(-1)}' is ${value === undefined ? 'missing' : 'empty'}; destinations of ${type} orders need it`;
    errors.add(`${place}/${path.join('/')}`, 'required', inEnglish(message));
  }
}

function checkReferences(order: Order, errors: FieldErrorSink): void {
  const ids = idsOf(order.destinations, 'destinationId');
  for (const member of ['billToAddress', 'shippingAddress', 'shipFromAddress'] as const) {
    const named = order[member]?.destinationId;
    if (named === undefined || ids === undefined || ids.has(named)) continue;
    const message = `'${member}' names ${quote(named)}, which is not among the order's destinations; add it or send another destinationId`;
    errors.add(`/${member}/destinationId`, 'reference', inEnglish(message));
  }
  const isOnTheWay = order.fulfillmentType === 'SHIP_TO_STORE' && order.inStore !== true && !errors.isBad('/inStore');
  if (isOnTheWay && order.shipFromAddress === undefined) {
    const message = "'shipFromAddress' is missing; SHIP_TO_STORE orders need it";
    errors.add('/shipFromAddress', 'required', inEnglish(message));
  }
}

const ADDRESS: readonly (readonly string[])[] = [
  ['personName', 'firstName'],
  ['address', 'line1'],
  ['address', 'city'],
  ['address', 'countryCode'],
];

/**
 * The fields of destinations that each fulfillment type requires. Other fields of pack slips and check-in details may
 * be empty.
 */
const NEEDED: Record<FulfillmentType, typeof ADDRESS> = {
  STORE_PICK_UP: [],
  SHIP_TO_HOME: ADDRESS,
  SHIP_TO_STORE: ADDRESS,
  ASSOCIATE_DELIVERY: [],
};

function valueAt(destination: ValidPart<Destination> | undefined, path: readonly string[]): unknown {
  let value: unknown = destination;
  for (const step of path) value = (value as Record<string, unknown> | undefined)?.[step];
  return value;
}

function checkItem(
  order: Order,
  { itemId }: SentLine,
  world: IntakeWorld,
  place: string,
  errors: FieldErrorSink,
): void {
  if (itemId === undefined) return;
  const found = world.item(itemId);
  if (found === undefined) {
    errors.add(
      place,
      'exists',
      inEnglish(
        `there is no item ${quote(itemId)}; create the item first, or correct the itemId: it is <catalogId>-<clientItemId>`,
      ),
    );
    return;
  }
  const { item } = found;
  const { fulfillmentType } = order;
  if (item.status !== undefined && findSpelling(world.settings.refusedItemStatuses, item.status) !== undefined) {
    const message = `item ${quote(itemId)} has the status ${item.status}, which the client rejects (settings.refusedItemStatuses); remove the line, or change the item's status`;
    errors.add(place, 'status', inEnglish(message));
  }
  if (found.isTooMuch) {
    const limits = `${COMPONENTS_MAX} different items, ${QUANTITY_MAX} units of one`;
    const message = `bundle ${quote(itemId)} has more components than an order can show (at most ${limits}); split it into smaller bundles`;
    errors.add(place, 'bundle', inEnglish(message), COMPONENTS_MAX);
  }
  checkStreetDate(order, itemId, found.snapshot, world, place, errors);
  if (fulfillmentType !== undefined && item[ELIGIBLE[fulfillmentType]] !== true) {
    const message = `item ${quote(itemId)} is not eligible for ${fulfillmentType}; set its ${ELIGIBLE[fulfillmentType]} to true, or send another fulfillmentType`;
    errors.add(place, 'eligible', inEnglish(message));
  }
  const hold = order.nodeId === undefined ? undefined : world.held(order.nodeId, itemId);
  if (hold !== undefined) errors.add(place, 'held', blockedMessage(itemId, order.nodeId!, hold));
  const abroad = borderOf(order, world);
  if (abroad !== undefined && !item.countryOfOrigin) {
    const message = `item ${quote(itemId)} has no countryOfOrigin, which an order from ${abroad.from} to ${abroad.to} needs; add it to the item`;
    errors.add(place, 'countryOfOrigin', inEnglish(message));
  }
}

/**
 * Adds an error for an item before its street date, unless the client holds orders until that date (setting
 * streetDate).
 */
function checkStreetDate(
  { nodeId }: Order,
  itemId: string,
  snapshot: Snapshot,
  world: IntakeWorld,
  place: string,
  errors: FieldErrorSink,
): void {
  const node = nodeId === undefined ? undefined : world.node(nodeId);
  if (world.settings.streetDate !== 'REFUSE' || node === undefined) return;
  const held = heldBy([snapshot], node.calendar, world.now);
  if (held === undefined) return;
  const part = held.itemId === itemId ? '' : ` contains item ${quote(held.itemId)}, which`;
  const message = `item ${quote(itemId)}${part} cannot be ordered before its streetDate ${held.date}; send the order on or after that date`;
  errors.add(place, 'streetDate', inEnglish(message), held.date);
}

/** Checks the units of each item, over all lines of the order, against the item's bounds; 0 means no bound. */
function checkUnits(lines: NonNullable<Order['lines']>, world: IntakeWorld, errors: FieldErrorSink): void {
  const byItem = Map.groupBy([...lines.entries()], ([, line]) => line?.itemId);
  const isReadable = lines.every((line) => line?.itemId !== undefined && line.quantity !== undefined);
  for (const [itemId, places] of byItem) {
    const item = itemId === undefined ? undefined : world.item(itemId)?.item;
    if (item === undefined) continue;
    const units = places.reduce((sum, [, line]) => sum + (line?.quantity ?? 0), 0);
    const at = `/lines/${places.at(-1)![0]}/quantity`;
    const [least, most] = [boundOf(item.minOrderableQuantity), boundOf(item.maxOrderableQuantity)];
    const ordered = `the order has ${units} ${units === 1 ? 'unit' : 'units'} of item ${quote(item.itemId)}`;
    if (most !== undefined && units > most) {
      const message = `${ordered}; one order can have at most ${most} (maxOrderableQuantity of the item)`;
      errors.add(at, 'maxOrderableQuantity', inEnglish(message), most);
      // An unreadable line may have further units of the item.
    } else if (least !== undefined && units < least && isReadable) {
      const message = `${ordered}; one order must have at least ${least} (minOrderableQuantity of the item)`;
      errors.add(at, 'minOrderableQuantity', inEnglish(message), least);
    }
  }
}

function boundOf(bound: Numeric | undefined): number | undefined {
  const units = bound === undefined ? 0 : Number(decimalText(bound));
  return units === 0 ? undefined : units;
}

/** Limits the items that ship alone: each needs its own package, and the packages of an order are limited. */
function checkAlone({ fulfillmentType, lines = [] }: Order, world: IntakeWorld, errors: FieldErrorSink): void {
  if (fulfillmentType === undefined || AFTER_PACK[fulfillmentType] === null) return;
  const alone = new Set(lines.flatMap((line) => line?.itemId ?? []).filter((itemId) => isAlone(world.item(itemId))));
  if (alone.size <= PACKAGES_MAX) return;
  const message = `${alone.size} items of the order ship alone (shipAlone), but an order can have at most ${PACKAGES_MAX} packages; split it into several orders`;
  errors.add('/lines', 'shipAlone', inEnglish(message), PACKAGES_MAX);
}

function isAlone(found: IntakeItem | undefined): boolean {
  return found?.snapshot.handling?.shipAlone === 'Yes';
}

/** Returns the origin and destination country of a SHIP_TO_HOME order if the two differ, otherwise undefined. */
function borderOf(order: Order, world: IntakeWorld): { from: string; to: string } | undefined {
  if (order.fulfillmentType !== 'SHIP_TO_HOME' || order.nodeId === undefined) return undefined;
  const from = world.node(order.nodeId)?.countryCode;
  const to = shippingDestination(order)?.address?.countryCode;
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
}

function checkPackages({ fulfillmentType, inStore, packages, lines }: Order, errors: FieldErrorSink): void {
  if (fulfillmentType === undefined) return;
  if (fulfillmentType !== 'SHIP_TO_STORE') {
    const only = 'for SHIP_TO_STORE orders only; remove';
    if (inStore === true) errors.add('/inStore', 'onlyShipToStore', inEnglish(`'inStore' is ${only} it`));
    if (packages) errors.add('/packages', 'onlyShipToStore', inEnglish(`'packages' is ${only} it`));
  } else if (inStore === true) {
    const message = "an order with 'inStore' must not have packages; remove 'inStore' or 'packages'";
    if (packages) errors.add('/packages', 'inStore', inEnglish(message));
  } else if (packages !== undefined) {
    checkPacked(packages, lines, errors);
  } else if (!errors.isBad('/inStore')) {
    const message = "'packages' is missing; SHIP_TO_STORE orders need it, or inStore: true";
    errors.add('/packages', 'required', inEnglish(message));
  }
}

/** Checks that the units of measure of announced packages can be converted, as the check-in totals require. */
function checkMeasures({ packages = [] }: Order, errors: FieldErrorSink): void {
  const check = (error: FieldError | undefined) => {
    if (error !== undefined) errors.add(error.pointer, error.rule, error.message, error.limit);
  };
  for (const [index, one] of packages.entries()) {
    check(unitError(`/packages/${index}/weight/unit`, 'weight', one?.weight?.unit));
    check(unitError(`/packages/${index}/volume/unit`, 'volume', one?.volume?.unit));
  }
}

function checkPacked(packages: SentPackages, lines: Order['lines'], errors: FieldErrorSink): void {
  checkTwice(packages, 'checkInPackageId', '/packages', errors);
  const known = idsOf(lines, 'webLineId');
  const packed = new Map<string, number>();
  for (const [index, one] of packages.entries()) {
    const items = one?.items ?? [];
    checkTwice(items, 'webLineId', `/packages/${index}/items`, errors);
    for (const [at, { webLineId, quantity } = {}] of items.entries()) {
      if (webLineId === undefined) continue;
      packed.set(webLineId, (packed.get(webLineId) ?? 0) + (quantity ?? 0));
      if (known === undefined || known.has(webLineId)) continue;
      const message = `${quote(webLineId)} is not a line of the order; send the webLineId of one of its lines`;
      errors.add(`/packages/${index}/items/${at}/webLineId`, 'reference', inEnglish(message));
    }
  }
  // An unreadable item may have any number of units.
  const isReadable = packages.every((one) =>
    one?.items?.every((item) => item?.webLineId !== undefined && item.quantity !== undefined),
  );
  if (isReadable) checkSums(lines ?? [], packed, errors);
}

function checkSums(
  lines: NonNullable<Order['lines']>,
  packed: ReadonlyMap<string, number>,
  errors: FieldErrorSink,
): void {
  for (const [index, { webLineId, quantity } = {}] of lines.entries()) {
    if (webLineId === undefined || quantity === undefined) continue;
    const units = packed.get(webLineId) ?? 0;
    if (units === quantity) continue;
    const message = `the packages hold ${units} units of line ${quote(webLineId)}, which orders ${quantity}; make both equal`;
    errors.add(`/lines/${index}/quantity`, 'packages', inEnglish(message), quantity);
  }
}

/** Returns the shipping destination of the order. */
function shippingDestination(order: Order): ValidPart<Destination> | undefined {
  const named = order.shippingAddress?.destinationId;
  return named === undefined ? undefined : order.destinations?.find((one) => one?.destinationId === named);
}

/** Returns the ids of a list. Returns undefined if an id is unreadable, because it could equal any other id. */
function idsOf<M extends string>(
  list: readonly ({ readonly [N in M]?: string | undefined } | undefined)[] | undefined,
  member: M,
): Set<string> | undefined {
  const ids = (list ?? []).flatMap((one) => one?.[member] ?? []);
  return list === undefined || ids.length < list.length ? undefined : new Set(ids);
}

/** Adds an error for each id that a list repeats. */
function checkTwice<M extends string>(
  list: readonly ({ readonly [N in M]?: string | undefined } | undefined)[],
  member: M,
  place: string,
  errors: FieldErrorSink,
): void {
  const seen = new Set<string>();
  for (const [index, one] of list.entries()) {
    const id = one?.[member];
    if (id === undefined) continue;
    if (seen.has(id)) {
      errors.add(`${place}/${index}/${member}`, 'unique', inEnglish(`${quote(id)} is in the list twice; send it once`));
    }
    seen.add(id);
  }
}
