/** The rules an order must keep beyond its schema (docs/interface.md#order-intake). Pointers of errors count from the order. */

import type { Item } from '../items/schema.ts';
import { blockedMessage } from '../kernel/item-blocks.ts';
import { AFTER_PACK } from '../kernel/states.ts';
import { heldBy } from '../kernel/street-date.ts';
import { isCurrency } from '../platform/currencies.ts';
import { decimalText, type Numeric } from '../platform/decimal.ts';
import { unitFault } from '../platform/measures.ts';
import { mismatch } from '../platform/message/agree.ts';
import type { FieldError, FieldErrorSink } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { quote } from '../platform/message/words.ts';
import { parseDateTime } from '../platform/time.ts';
import type { FulfillmentType, Settings } from '../shared/client-settings.ts';
import { COMPONENTS_MAX, PACKAGES_MAX, QUANTITY_MAX } from '../shared/limits.ts';
import type { Destination } from '../shared/shapes.ts';
import type { Snapshot } from '../shared/snapshot.ts';
import type { Calendar } from '../sla/calendar.ts';
import type { OrderIntake } from './intake-schema.ts';

/** What the rules need to know of a node. */
export interface IntakeNode {
  fulfillmentTypes: readonly string[];
  countryCode: string;
  calendar: Calendar;
}

/** An item of the client, and what the lines that order it keep of it. */
export interface IntakeItem {
  item: Item;
  snapshot: Snapshot;
  /** A bundle of more than an order can show. */
  isTooMuch: boolean;
}

/** What the order is held against: only things of the client that the caller may name. */
export interface IntakeWorld {
  storeId: string;
  node: (nodeId: string) => IntakeNode | undefined;
  item: (itemId: string) => IntakeItem | undefined;
  /** Why a node that declined an item gets no new orders of it; undefined where it does. */
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

/** Finds every error of an order that its schema does not see. What the schema complained of is not there. */
export function checkOrder(order: Order, world: IntakeWorld, errors: FieldErrorSink): void {
  for (const { pointer, rule, message } of mismatch('/storeId', order.storeId, world.storeId, 'storeId')) {
    errors.add(pointer, rule, message);
  }
  checkNode(order, world, errors);
  checkHead(order, errors);
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
    errors.add('/nodeId', 'exists', `there is no node ${quote(nodeId)} for these credentials; name another`);
  } else if (fulfillmentType !== undefined && !node.fulfillmentTypes.includes(fulfillmentType)) {
    const works = node.fulfillmentTypes.join(', ') || 'no orders';
    const message = `node ${quote(nodeId)} does not work on ${fulfillmentType}; it works on ${works}`;
    errors.add('/fulfillmentType', 'nodeType', message, node.fulfillmentTypes);
  }
}

function checkHead(order: Order, errors: FieldErrorSink): void {
  const { currency, orderDate, fulfillmentOrderDate } = order;
  if (currency !== undefined && !isCurrency(currency)) {
    errors.add('/currency', 'currency', `'currency' ${quote(currency)} is no code of ISO 4217; send one`);
  }
  const hasDates = orderDate !== undefined && fulfillmentOrderDate !== undefined;
  if (hasDates && parseDateTime(orderDate) > parseDateTime(fulfillmentOrderDate)) {
    const message = "'orderDate' is later than 'fulfillmentOrderDate'; it must be the same or earlier";
    errors.add('/orderDate', 'order', message);
  }
  if (order.fulfillmentType !== 'SHIP_TO_HOME') return;
  for (const member of ['carrier', 'service'] as const) {
    if (order[member] || errors.isBad(`/${member}`)) continue;
    const what = order[member] === undefined ? 'missing' : 'empty';
    errors.add(`/${member}`, 'required', `'${member}' is ${what}; SHIP_TO_HOME orders need one`);
  }
}

function checkDestinations({ destinations = [], fulfillmentType }: Order, errors: FieldErrorSink): void {
  checkTwice(destinations, 'destinationId', '/destinations', errors);
  if (fulfillmentType === undefined) return;
  for (const [index, destination] of destinations.entries()) {
    checkDestination(destination, fulfillmentType, `/destinations/${index}`, errors);
  }
}

/** An error for each part of a destination that goods of a type cannot be sent without. */
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
    errors.add(`${place}/${path.join('/')}`, 'required', message);
  }
}

function checkReferences(order: Order, errors: FieldErrorSink): void {
  const ids = idsOf(order.destinations, 'destinationId');
  for (const member of ['billToAddress', 'shippingAddress', 'shipFromAddress'] as const) {
    const named = order[member]?.destinationId;
    if (named === undefined || ids === undefined || ids.has(named)) continue;
    const message = `'${member}' names ${quote(named)}, which is not among the order's destinations; add it or name another`;
    errors.add(`/${member}/destinationId`, 'reference', message);
  }
  const isOnTheWay = order.fulfillmentType === 'SHIP_TO_STORE' && order.inStore !== true && !errors.isBad('/inStore');
  if (isOnTheWay && order.shipFromAddress === undefined) {
    const message = "'shipFromAddress' is missing; SHIP_TO_STORE orders need it; add it";
    errors.add('/shipFromAddress', 'required', message);
  }
}

const ADDRESS: readonly (readonly string[])[] = [
  ['personName', 'firstName'],
  ['address', 'line1'],
  ['address', 'city'],
  ['address', 'countryCode'],
];

/** What goods cannot be sent without. What pack slip and check-in details show beside it is blank where it was not sent. */
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
      `there is no item ${quote(itemId)}; put it first, or correct the itemId: it is <catalogId>-<clientItemId>`,
    );
    return;
  }
  const { item } = found;
  const { fulfillmentType } = order;
  if (item.status !== undefined && world.settings.refusedItemStatuses.includes(item.status)) {
    const message = `item ${quote(itemId)} is ${item.status}, and the client takes no orders of it (settings.refusedItemStatuses)`;
    errors.add(place, 'status', message);
  }
  if (found.isTooMuch) {
    const limits = `${COMPONENTS_MAX} different items, ${QUANTITY_MAX} units of one`;
    const message = `bundle ${quote(itemId)} is made of more than an order can show (at most ${limits}); make smaller bundles of it`;
    errors.add(place, 'bundle', message, COMPONENTS_MAX);
  }
  checkStreetDate(order, itemId, found.snapshot, world, place, errors);
  if (fulfillmentType !== undefined && item[ELIGIBLE[fulfillmentType]] !== true) {
    const message = `item ${quote(itemId)} is not eligible for ${fulfillmentType}; see its ${ELIGIBLE[fulfillmentType]}`;
    errors.add(place, 'eligible', message);
  }
  const hold = order.nodeId === undefined ? undefined : world.held(order.nodeId, itemId);
  if (hold !== undefined) errors.add(place, 'held', blockedMessage(itemId, order.nodeId!, hold));
  const abroad = borderOf(order, world);
  if (abroad !== undefined && !item.countryOfOrigin) {
    const message = `item ${quote(itemId)} has no countryOfOrigin, which an order from ${abroad.from} to ${abroad.to} needs; add it to the item`;
    errors.add(place, 'countryOfOrigin', message);
  }
}

/** An item before its street date is an error unless the client's orders are held until then. */
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
  const message = `item ${quote(itemId)}${part} may not be allocated before its streetDate ${held.date}; send the order from then on`;
  errors.add(place, 'streetDate', message, held.date);
}

/** The units of an item over all lines of the order, against the bounds of the item; 0 is no bound. */
function checkUnits(lines: NonNullable<Order['lines']>, world: IntakeWorld, errors: FieldErrorSink): void {
  const byItem = Map.groupBy([...lines.entries()], ([, line]) => line?.itemId);
  const isReadable = lines.every((line) => line?.itemId !== undefined && line.quantity !== undefined);
  for (const [itemId, places] of byItem) {
    const item = itemId === undefined ? undefined : world.item(itemId)?.item;
    if (item === undefined) continue;
    const units = places.reduce((sum, [, line]) => sum + (line?.quantity ?? 0), 0);
    const at = `/lines/${places.at(-1)![0]}/quantity`;
    const [least, most] = [boundOf(item.minOrderableQuantity), boundOf(item.maxOrderableQuantity)];
    const ordered = `the order has ${units} units of item ${quote(item.itemId)}`;
    if (most !== undefined && units > most) {
      const message = `${ordered}; one order may have at most ${most} (its maxOrderableQuantity)`;
      errors.add(at, 'maxOrderableQuantity', message, most);
      // What is not readable may be units of it.
    } else if (least !== undefined && units < least && isReadable) {
      const message = `${ordered}; one order must have at least ${least} (its minOrderableQuantity)`;
      errors.add(at, 'minOrderableQuantity', message, least);
    }
  }
}

function boundOf(bound: Numeric | undefined): number | undefined {
  const units = bound === undefined ? 0 : Number(decimalText(bound));
  return units === 0 ? undefined : units;
}

/** Each item that ships alone needs a package of its own, and an order has so many packages at most. */
function checkAlone({ fulfillmentType, lines = [] }: Order, world: IntakeWorld, errors: FieldErrorSink): void {
  if (fulfillmentType === undefined || AFTER_PACK[fulfillmentType] === null) return;
  const alone = new Set(lines.flatMap((line) => line?.itemId ?? []).filter((itemId) => isAlone(world.item(itemId))));
  if (alone.size <= PACKAGES_MAX) return;
  const message = `${alone.size} items of the order ship alone (shipAlone), and it can have ${PACKAGES_MAX} packages; send several orders`;
  errors.add('/lines', 'shipAlone', message, PACKAGES_MAX);
}

function isAlone(found: IntakeItem | undefined): boolean {
  return found?.snapshot.handling?.shipAlone === 'Yes';
}

/** The countries that an order goes from and to, where it is sent to another one. */
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
    if (inStore === true) errors.add('/inStore', 'onlyShipToStore', `'inStore' is ${only} it`);
    if (packages) errors.add('/packages', 'onlyShipToStore', `'packages' are ${only} them`);
  } else if (inStore === true) {
    const message = "an order with 'inStore' has no packages on the way; remove one of both";
    if (packages) errors.add('/packages', 'inStore', message);
  } else if (packages !== undefined) {
    checkPacked(packages, lines, errors);
  } else if (!errors.isBad('/inStore')) {
    const message = "'packages' are missing; SHIP_TO_STORE orders need them, or inStore: true";
    errors.add('/packages', 'required', message);
  }
}

/** Units of announced packages: what nobody can add up makes no total at check-in. */
function checkMeasures({ packages = [] }: Order, errors: FieldErrorSink): void {
  const check = (error: FieldError | undefined) => {
    if (error !== undefined) errors.add(error.pointer, error.rule, error.message, error.limit);
  };
  for (const [index, one] of packages.entries()) {
    check(unitFault(`/packages/${index}/weight/unit`, 'weight', one?.weight?.unit));
    check(unitFault(`/packages/${index}/volume/unit`, 'volume', one?.volume?.unit));
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
      const message = `${quote(webLineId)} is no line of the order; name one`;
      errors.add(`/packages/${index}/items/${at}/webLineId`, 'reference', message);
    }
  }
  // What is not readable may hold any units.
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
    const message = `packages hold ${units} units of line ${quote(webLineId)}, which orders ${quantity}; they must be the same`;
    errors.add(`/lines/${index}/quantity`, 'packages', message, quantity);
  }
}

/** The destination that the order goes to. */
export function shippingDestination(order: Order): ValidPart<Destination> | undefined {
  const named = order.shippingAddress?.destinationId;
  return named === undefined ? undefined : order.destinations?.find((one) => one?.destinationId === named);
}

/** The ids in a list; undefined where one is not readable, so that it may be any. */
function idsOf<M extends string>(
  list: readonly ({ readonly [N in M]?: string | undefined } | undefined)[] | undefined,
  member: M,
): Set<string> | undefined {
  const ids = (list ?? []).flatMap((one) => one?.[member] ?? []);
  return list === undefined || ids.length < list.length ? undefined : new Set(ids);
}

/** An error for each id that stands in a list a second time. */
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
      errors.add(`${place}/${index}/${member}`, 'unique', `${quote(id)} stands there twice; each must be another`);
    }
    seen.add(id);
  }
}
