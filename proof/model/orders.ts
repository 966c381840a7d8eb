/** Commands of orders as their owner has them: intake, searches, where one is, and the customer's cancellation. */
import fc from 'fast-check';
import { orderBody } from '../race/arena.ts';
import {
  type Command,
  hasTwice,
  lineIn,
  lineOf,
  meant,
  ofOrder,
  often,
  order,
  type Rule,
  rule,
  seldom,
  several,
  share,
  unitsIn,
  unusedId,
  webOf,
} from './command.ts';
import type { Model } from './model.ts';
import { type Header, type Price, type Total, totalIn, totalOf } from './money.ts';
import { held, type Line, left, ORDER_TYPES, type Order, type OrderType, open } from './things.ts';
import { itemId, minutesAt, nodeOf, ownPath, pathOf, storeOf, type World, whereIs } from './world.ts';

export const PIN = '4711';
const CUSTOMERS = 'CancelCustomerInitiated';

/** Amounts that round: parts of a cent, shares that do not come out even, and some below zero. */
const money = {
  charges: fc.constantFrom('0', '0', '1', '0.05', '-0.5'),
  tax: fc.constantFrom('0', '0.67', '1.005'),
};

const header = fc.record({
  charges: fc.constantFrom('0', '5', '0.995'),
  tax: fc.constantFrom('0', '0.4'),
  cash: fc.constantFrom(null, '25.4', '8', '100'),
});

const NO_HEADER = { charges: '0', tax: '0', cash: null };

const intakeMembers = {
  order: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7),
  type: fc.constantFrom<OrderType>(...ORDER_TYPES, 'STORE_PICK_UP'),
  form: fc.nat(1),
  lines: fc.array(fc.record({ sku: fc.nat(2), quantity: fc.constantFrom<number>(1, 2, 3), ...money }), {
    minLength: 1,
    maxLength: 2,
  }),
  pin: fc.boolean(),
  proxy: seldom,
  header,
};

interface Intake {
  order: number;
  /** Under an id that no order has. */
  fresh?: boolean;
  type: OrderType;
  form: number;
  lines: ({ sku: number; quantity: number } & Partial<Price>)[];
  pin?: boolean;
  proxy?: boolean;
  header?: Pick<Header, 'charges' | 'tax' | 'cash'>;
}

/** By item, so that a ticket has each item once. */
const UNIT_PRICES = ['9.5', '10', '3.3333'];

/** A sequence that was kept before lines had amounts has none. */
function priceOf({ sku, charges = '0', tax = '0' }: { sku: number } & Partial<Price>): Price {
  return { unitPrice: UNIT_PRICES[sku]!, charges, tax };
}

const intake = rule<Intake, unknown>({
  weight: 5,
  members: fc.record({ ...intakeMembers, fresh: often }),
  fit(model, command) {
    const order = command.fresh === true ? unusedId(model) : command.order;
    return order === undefined ? undefined : { ...command, order };
  },
  send(world, { order, type, form, lines, pin, proxy, header = NO_HEADER }) {
    const packages = lines.map(({ quantity }, index) => ({
      checkInPackageId: `P${index}`,
      trackingNumber: `T${order}-${index}`,
      items: [{ webLineId: String(index + 1), quantity }],
    }));
    const body = orderBody(String(order), [], {
      nodeId: nodeOf(world, 1),
      fulfillmentType: type,
      webOrderId: `web-${form}`,
      ...(type === 'SHIP_TO_HOME' && { carrier: 'UPS', service: 'GROUND' }),
      ...(type === 'SHIP_TO_STORE' && { packages, shipFromAddress: { destinationId: 'home' } }),
      ...(pin && { pinNumber: PIN }),
      ...(proxy && { proxyDetails: { name: 'Bo', email: 'bo@mail.example', phone: '+1 401 555 0102' } }),
      headerCharges: Number(header.charges),
      headerTax: Number(header.tax),
      ...(header.cash !== null && { cashOnDelivery: Number(header.cash) }),
      lines: lines.map((line, index) => {
        const { sku, quantity } = line;
        const { unitPrice, charges, tax } = priceOf(line);
        const money = { unitPrice: Number(unitPrice), charges: Number(charges), tax: Number(tax) };
        return { webLineId: String(index + 1), itemId: itemId(sku), quantity, ...money };
      }),
    });
    return world.call('POST', `/operator/v1/stores/${storeOf(world)}/fulfillmentOrders`, body);
  },
  expect(model, { order: id, type, form, lines, pin = false, proxy = false, header = NO_HEADER }) {
    const content = JSON.stringify([type, form, lines, pin, proxy, header]);
    const before = model.orders.get(id);
    if (before !== undefined) return { status: before.content === content ? 200 : 409 };
    const isOut = ({ sku }: { sku: number }) => !model.items.has(sku) || model.holds.has(`1/${sku}`);
    if (lines.some(isOut)) return { status: 400 };
    const head = { id, content, type, node: 1, from: null, hasPin: pin, hasProxy: proxy } as const;
    model.addOrder(
      head,
      lines.map((line, index) => ({ web: index + 1, sku: line.sku, quantity: line.quantity, price: priceOf(line) })),
      header,
    );
    return { status: 201 };
  },
});

const search = rule({
  weight: 1,
  members: fc.constant({}),
  async send(world) {
    const body = { storeId: storeOf(world), nodeId: nodeOf(world, 1) };
    return world.call('POST', `/stores/${storeOf(world)}/fulfillmentOrder/search`, body);
  },
  expect: (model) => ({
    status: 200,
    shows: model.sorted().flatMap(({ id, node, status }) => (node === 1 ? [[id, status]] : [])),
  }),
  shows: (body: { fulfillmentOrders: { fulfillmentOrderId: string; status: string }[] }) =>
    body.fulfillmentOrders
      .map((one) => [Number(one.fulfillmentOrderId), Number(one.status)])
      .sort((a, b) => a[0]! - b[0]!),
});

type Allowed = { action: string; allowed: boolean }[];

export const actionsIn = (allowed: Allowed) => allowed.map((one) => [one.action, one.allowed]);

const COUNTS = [
  'openQuantity',
  'heldQuantity',
  'declinedQuantity',
  'canceledQuantity',
  'cancelingQuantity',
  'handedOverQuantity',
  'refusedQuantity',
  'returnedQuantity',
  'missingQuantity',
  'leftQuantity',
] as const;

export interface UnitsShown {
  status: string;
  queueId?: string;
  lines: ({ webLineId: string; orderedQuantity: number } & Record<(typeof COUNTS)[number], number>)[];
  resourceRequestIds?: string[];
  allowedActions: Allowed;
}

/** Where the units of an order are, as the operations that move them answer it. */
export function unitsOf(model: Model, order: Order) {
  return [
    order.status,
    order.agenda.queue,
    order.lines.map((line) => [
      line.web,
      line.ordered,
      ...[open(line), held(line), line.declined, line.canceled, line.canceling, line.handed, line.refused],
      ...[line.returned, line.missing, left(line)],
    ]),
    model.allowed(order),
  ];
}

export function unitsShown(body: UnitsShown) {
  return [
    Number(body.status),
    body.queueId ?? null,
    body.lines.map((line) => [Number(line.webLineId), line.orderedQuantity, ...COUNTS.map((name) => line[name])]),
    actionsIn(body.allowedActions),
  ];
}

interface OrderShown extends UnitsShown {
  pickTicketId?: string;
  holdLocation?: string;
  resourcedFrom?: string;
  slaDate?: { slaTypeId: string; value: string };
  packages?: {
    boxId: string;
    trackingNumber?: string;
    packageItems: { webLineId: string; quantity: number }[];
    allowedActions: Allowed;
  }[];
  checkIn?: { allowedActions: Allowed };
  orderTotal: Record<keyof Total, unknown>;
  charged?: { orderTotal: Record<keyof Total, unknown> }[];
}

/** Packages that are not voided. */
export function boxesOf({ boxes }: Order) {
  return boxes.flatMap(({ box, tracked, items }) =>
    items.size === 0 ? [] : [[box, tracked, [...items].sort(([a], [b]) => a - b)]],
  );
}

export function boxesIn(packages: NonNullable<OrderShown['packages']>) {
  return packages.map((one) => [
    Number(one.boxId),
    one.trackingNumber !== undefined,
    one.packageItems.map((item) => [Number(item.webLineId), item.quantity]),
  ]);
}

const readOrder = rule({
  weight: 3,
  members: fc.record(order),
  fit: (model, command) => meant(model, command, () => true),
  send: (world, command: { order: number; near?: boolean }) => world.call('GET', ownPath(world, command.order)),
  expect(model, { order: id }) {
    const order = model.orders.get(id);
    if (order === undefined) return { status: 404 };
    const { agenda, type, status } = order;
    const canPack = status === 1200;
    const shows = [
      ...unitsOf(model, order),
      model.ticketOf(order),
      order.placed,
      order.from,
      agenda.step === null ? null : [agenda.step, agenda.expiresAt],
      boxesOf(order),
      boxesOf(order).map(() => [
        ['MODIFY', canPack],
        ['VOID', canPack],
      ]),
      type === 'SHIP_TO_STORE' ? ['UPDATE', 'CONFIRM'].map((action) => [action, status === 1300]) : null,
      totalOf(
        order.lines.map((line) => ({ line, units: left(line), from: line.handed })),
        model.headerOf(order),
      ),
      order.charged,
    ];
    return { status: 200, shows };
  },
  shows: (body: OrderShown, world) => [
    ...unitsShown(body),
    body.pickTicketId === undefined ? null : world.tickets.indexOf(body.pickTicketId),
    body.holdLocation !== undefined,
    body.resourcedFrom === undefined ? null : Number(body.resourcedFrom),
    body.slaDate === undefined ? null : [body.slaDate.slaTypeId, minutesAt(world, body.slaDate.value)],
    boxesIn(body.packages ?? []),
    (body.packages ?? []).map((one) => actionsIn(one.allowedActions)),
    body.checkIn === undefined ? null : actionsIn(body.checkIn.allowedActions),
    totalIn(body.orderTotal),
    (body.charged ?? []).map((one) => totalIn(one.orderTotal)),
  ],
});

interface Cancel {
  order: number;
  near?: boolean;
  /** Null: the whole order. `share` null: all units of the line. */
  lines: { line: number; share: string | null }[] | null;
}

/** Units of a line that were canceled, wherever they are now. */
const soFar = (line: Line) => line.canceled + line.canceling + line.returned + line.missing;
/** Those that its customer could still get. */

/** So many units are canceled in all, or all. */
function quantityOf(order: Order | undefined, { line, share }: { line: number; share: string | null }) {
  const known = lineOf(order, line);
  if (share === null) return undefined;
  return known === undefined ? 1 : Math.max(1, soFar(known) + unitsIn(share, left(known)));
}

const cancel = rule<Cancel, UnitsShown>({
  weight: 5,
  members: fc.record({
    ...order,
    lines: fc.option(
      several(fc.record({ line: lineIn, share: fc.option(share) }), ({ line }) => line),
      { freq: 3 },
    ),
  }),
  fit(model, command) {
    const known = meant(model, command, ({ status }) => status < 3700);
    if (known === undefined) return undefined;
    const lines = known.lines && ofOrder(model.orders.get(known.order), known.near === true, known.lines);
    return { ...known, lines };
  },
  tries: (_model, { order }) => [{ order, action: 'cancel' }],
  send(world, { order: id, lines }) {
    const order = world.model.orders.get(id);
    const sent = lines?.map((one) => {
      const quantity = quantityOf(order, one);
      return { webLineId: String(webOf(order, one.line)), ...(quantity !== undefined && { quantity }) };
    });
    return world.call('POST', `${ownPath(world, id)}/cancel`, { ...(sent && { lines: sent }), reasonCode: CUSTOMERS });
  },
  expect(model, { order: id, lines }) {
    const order = model.orders.get(id);
    const isUnknown = lines?.some(({ line }) => order !== undefined && lineOf(order, line) === undefined);
    const isTooMany = lines?.some((one) => (quantityOf(order, one) ?? 0) > (lineOf(order, one.line)?.ordered ?? 1));
    if (isUnknown || isTooMany || hasTwice(lines?.map(({ line }) => line) ?? [])) return { status: 400 };
    if (order === undefined) return { status: 404 };
    const wish = new Map<Line, number>();
    for (const [index, line] of order.lines.entries()) {
      const sent = lines?.find((one) => one.line === index);
      if (lines !== null && sent === undefined) continue;
      const quantity = sent && quantityOf(order, sent);
      const more = quantity === undefined ? left(line) : Math.max(0, quantity - soFar(line));
      if (more > left(line)) return { status: 409 };
      if (more > 0) wish.set(line, more);
    }
    return carryOutCancel(model, order, lines === null, wish, (line) =>
      lines === null ? true : lines.some((one) => order.lines[one.line] === line),
    );
  },
  shows: (body) => [...unitsShown(body), body.resourceRequestIds?.length],
});

function carryOutCancel(
  model: Model,
  order: Order,
  isWhole: boolean,
  wish: ReadonlyMap<Line, number>,
  isNamed: (line: Line) => boolean,
) {
  const requests = model.requests.filter((one) => one.order === order.id);
  const openOnes = isWhole ? requests.filter(({ status }) => status === 'OPEN') : [];
  const shown = () => [
    ...unitsOf(model, order),
    model.requests.filter((one) => one.order === order.id && one.status === 'OPEN').length,
  ];
  const canCancel = ![3700, 3800, 3900, 9000, 9200].includes(order.status);
  if (wish.size === 0 && (openOnes.length === 0 || !canCancel)) {
    const isRepeat =
      order.lines.some((line) => isNamed(line) && soFar(line) > 0) ||
      (isWhole && requests.some(({ status }) => status === 'CANCELED'));
    if (isRepeat) return { status: 200, shows: shown(), how: 'repeat' } as const;
    // Of lines of which nothing is left the rest of the order may still be canceled.
    return { status: 409, ...(isWhole && ({ how: 'state' } as const)) };
  }
  for (const request of openOnes) request.status = 'CANCELED';
  if (order.status === 1150 || order.status === 1300) {
    for (const [line, units] of wish) line.canceling += units;
  } else if (wish.size > 0 && order.status >= 1200 && order.status <= 1500) model.sendBack(order, wish);
  else {
    for (const [line, units] of wish) line.canceled += units;
    model.settle(order);
  }
  return { status: 200, shows: shown() };
}

export const orders: Record<string, Rule<Command>> = { intake, search, readOrder, cancel };

export const intakes = fc.record(intakeMembers);

/** How a message on an order begins: its store and node, and the path of the node. */
export function placeOf(world: World, order: number) {
  const where = whereIs(world, order);
  return { where, path: pathOf(where) };
}
