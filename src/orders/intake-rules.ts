/**
 * The rules an order must keep beyond its schema (decision 33). Each is a small generator of faults whose pointers count
 * from the order; together they name every fault of it.
 */
import { isCurrency } from '../currencies.ts';
import { mismatch } from '../http/agree.ts';
import { type Fault, faultsOf } from '../http/validate.ts';
import type { Item } from '../items/schema.ts';
import { parseDateTime } from '../time.ts';
import type { OrderIntake } from './intake-schema.ts';
import type { FulfillmentType } from './lifecycle.ts';
import type { Destination } from './shapes.ts';

/** What the rules need to know of a node. */
export interface IntakeNode {
  fulfillmentTypes: readonly string[];
  countryCode: string;
}

/** What the order is held against: only things of the client that the caller may name. */
export interface IntakeWorld {
  storeId: string;
  node: (nodeId: string) => IntakeNode | undefined;
  item: (itemId: string) => Item | undefined;
}

/** The member of an item that makes it eligible for a fulfillment type. */
const ELIGIBLE: Record<FulfillmentType, keyof Item> = {
  STORE_PICK_UP: 'ispuEligible',
  SHIP_TO_HOME: 'sfsEligible',
  SHIP_TO_STORE: 'stsEligible',
  ASSOCIATE_DELIVERY: 'associateDeliveryEligible',
};

/** Every fault of an order that its schema does not see. */
export function* orderFaults(order: OrderIntake, world: IntakeWorld): Generator<Fault> {
  yield* mismatch('/storeId', order.storeId, world.storeId, 'storeId');
  yield* nodeFaults(order, world);
  yield* headFaults(order);
  yield* destinationFaults(order);
  yield* lineFaults(order, world);
  yield* packageFaults(order);
}

function* nodeFaults(order: OrderIntake, world: IntakeWorld): Generator<Fault> {
  const node = world.node(order.nodeId);
  if (node === undefined) {
    yield faultsOf('/nodeId', 'exists', `there is no node ${quote(order.nodeId)} for these credentials; name another`);
  } else if (!node.fulfillmentTypes.includes(order.fulfillmentType)) {
    const works = node.fulfillmentTypes.join(', ') || 'no orders';
    const message = `node ${quote(order.nodeId)} does not work on ${order.fulfillmentType}; it works on ${works}`;
    yield faultsOf('/fulfillmentType', 'nodeType', message, node.fulfillmentTypes);
  }
}

function* headFaults(order: OrderIntake): Generator<Fault> {
  if (!isCurrency(order.currency)) {
    yield faultsOf('/currency', 'currency', `'currency' ${quote(order.currency)} is no code of ISO 4217; send one`);
  }
  const { orderDate, fulfillmentOrderDate } = order;
  if (fulfillmentOrderDate !== undefined && parseDateTime(orderDate) > parseDateTime(fulfillmentOrderDate)) {
    const message = "'orderDate' is later than 'fulfillmentOrderDate'; it must be the same or earlier";
    yield faultsOf('/orderDate', 'order', message);
  }
  if (order.fulfillmentType !== 'SHIP_TO_HOME') return;
  for (const member of ['carrier', 'service'] as const) {
    if (order[member] !== '') continue;
    yield faultsOf(`/${member}`, 'required', `'${member}' is empty; SHIP_TO_HOME orders need one`);
  }
}

function* destinationFaults(order: OrderIntake): Generator<Fault> {
  const byId = new Map<string, Destination>();
  for (const [index, destination] of order.destinations.entries()) {
    const pointer = `/destinations/${index}`;
    if (byId.has(destination.destinationId)) {
      yield twice(`${pointer}/destinationId`, destination.destinationId);
    }
    byId.set(destination.destinationId, destination);
    for (const [path, mayBeEmpty] of NEEDED[order.fulfillmentType]) {
      const value = valueAt(destination, path);
      if (value !== undefined && (mayBeEmpty || value !== '')) continue;
      const message = `'${path.at(-1)}' is ${value === undefined ? 'missing' : 'empty'}; destinations of ${order.fulfillmentType} orders need it`;
      yield faultsOf(`${pointer}/${path.join('/')}`, 'required', message);
    }
  }
  for (const member of ['billToAddress', 'shippingAddress', 'shipFromAddress'] as const) {
    const named = order[member]?.destinationId;
    if (named === undefined || byId.has(named)) continue;
    const message = `'${member}' names ${quote(named)}, which is not among the order's destinations; add it or name another`;
    yield faultsOf(`/${member}/destinationId`, 'reference', message);
  }
  if (order.fulfillmentType === 'SHIP_TO_STORE' && order.inStore !== true && order.shipFromAddress === undefined) {
    yield faultsOf(
      '/shipFromAddress',
      'required',
      "'shipFromAddress' is missing; SHIP_TO_STORE orders need it; add it",
    );
  }
}

type Needed = readonly (readonly [path: readonly string[], mayBeEmpty: boolean])[];

const ADDRESS: Needed = [
  [['personName', 'firstName'], false],
  [['address', 'line1'], false],
  [['address', 'city'], false],
  [['address', 'mainDivisionCode'], true],
  [['address', 'postalCode'], true],
  [['address', 'countryCode'], false],
  [['email'], true],
];

/** What pack slip and check-in details must answer of a destination (interface, endpoints 5 and 9). */
const NEEDED: Record<FulfillmentType, Needed> = {
  STORE_PICK_UP: [],
  SHIP_TO_HOME: [...ADDRESS, [['personName', 'lastName'], true], [['phone'], true]],
  SHIP_TO_STORE: ADDRESS,
  ASSOCIATE_DELIVERY: [],
};

function valueAt(destination: Destination, path: readonly string[]): unknown {
  let value: unknown = destination;
  for (const step of path) value = (value as Record<string, unknown> | undefined)?.[step];
  return value;
}

function* lineFaults(order: OrderIntake, world: IntakeWorld): Generator<Fault> {
  const seen = new Set<string>();
  const from = world.node(order.nodeId)?.countryCode;
  const to = shippingDestination(order)?.address?.countryCode;
  const isInternational =
    order.fulfillmentType === 'SHIP_TO_HOME' && from !== undefined && to !== undefined && from !== to;
  for (const [index, line] of order.lines.entries()) {
    const pointer = `/lines/${index}`;
    if (seen.has(line.webLineId)) yield twice(`${pointer}/webLineId`, line.webLineId);
    seen.add(line.webLineId);
    const item = world.item(line.itemId);
    if (item === undefined) {
      yield faultsOf(`${pointer}/itemId`, 'exists', `there is no item ${quote(line.itemId)}; put it first`);
      continue;
    }
    if (item[ELIGIBLE[order.fulfillmentType]] !== true) {
      const message = `item ${quote(line.itemId)} is not eligible for ${order.fulfillmentType}; see its ${ELIGIBLE[order.fulfillmentType]}`;
      yield faultsOf(`${pointer}/itemId`, 'eligible', message);
    }
    if (isInternational && !item.countryOfOrigin) {
      const message = `item ${quote(line.itemId)} has no countryOfOrigin, which an order from ${from} to ${to} needs; add it to the item`;
      yield faultsOf(`${pointer}/itemId`, 'countryOfOrigin', message);
    }
  }
}

function* packageFaults(order: OrderIntake): Generator<Fault> {
  const { fulfillmentType, inStore, packages } = order;
  if (fulfillmentType !== 'SHIP_TO_STORE') {
    if (inStore === true)
      yield faultsOf('/inStore', 'onlyShipToStore', "'inStore' is for SHIP_TO_STORE orders only; remove it");
    if (packages)
      yield faultsOf('/packages', 'onlyShipToStore', "'packages' are for SHIP_TO_STORE orders only; remove them");
    return;
  }
  if (inStore === true) {
    if (packages)
      yield faultsOf('/packages', 'inStore', "an order with 'inStore' has no packages on the way; remove one of both");
    return;
  }
  if (packages === undefined) {
    yield faultsOf('/packages', 'required', "'packages' are missing; SHIP_TO_STORE orders need them, or inStore: true");
    return;
  }
  yield* packedFaults(order, packages);
}

function* packedFaults(order: OrderIntake, packages: NonNullable<OrderIntake['packages']>): Generator<Fault> {
  const open = new Map(order.lines.map((line) => [line.webLineId, line.quantity]));
  const ids = new Set<string>();
  for (const [index, one] of packages.entries()) {
    const pointer = `/packages/${index}`;
    if (one.checkInPackageId !== undefined) {
      if (ids.has(one.checkInPackageId)) yield twice(`${pointer}/checkInPackageId`, one.checkInPackageId);
      ids.add(one.checkInPackageId);
    }
    const lines = new Set<string>();
    for (const [at, { webLineId, quantity }] of one.items.entries()) {
      const place = `${pointer}/items/${at}/webLineId`;
      if (lines.has(webLineId)) yield twice(place, webLineId);
      lines.add(webLineId);
      const left = open.get(webLineId);
      if (left === undefined)
        yield faultsOf(place, 'reference', `${quote(webLineId)} is no line of the order; name one`);
      else open.set(webLineId, left - quantity);
    }
  }
  for (const [index, line] of order.lines.entries()) {
    const left = open.get(line.webLineId)!;
    if (left === 0) continue;
    const packed = line.quantity - left;
    const message = `packages hold ${packed} units of line ${quote(line.webLineId)}, which orders ${line.quantity}; they must be the same`;
    yield faultsOf(`/lines/${index}/quantity`, 'packages', message, line.quantity);
  }
}

/** The destination that the order goes to. */
export function shippingDestination(order: OrderIntake): Destination | undefined {
  return order.destinations.find(({ destinationId }) => destinationId === order.shippingAddress.destinationId);
}

function twice(pointer: string, id: string): Fault {
  return faultsOf(pointer, 'unique', `${quote(id)} stands there twice; each must be another`);
}

function quote(id: string): string {
  return JSON.stringify(id.slice(0, 60));
}
