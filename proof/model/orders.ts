/** Commands of the owner of orders: searches, reads, and cancellations for the customer. */
import fc from 'fast-check';
import {
  type Command,
  hasTwice,
  lineIn,
  lineOf,
  meant,
  ofOrder,
  order,
  type Rule,
  rule,
  several,
  share,
  unitsIn,
  webOf,
} from './command.ts';
import type { Model } from './model.ts';
import { totalIn, totalOf } from './money.ts';
import { held, type Line, left, type Order, open, sum, type Total } from './things.ts';
import { minutesAt, nodeOf, ownPath, pathOf, storeOf, type World, whereIs } from './world.ts';

const CUSTOMERS = 'CancelCustomerInitiated';

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

/**
 * Returns the status, queue, units by state and allowed actions of an order, as in the responses of operations that
 * move units.
 */
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

/** Returns the packages that are not voided. */
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
      order.placed && sum(order, held) > 0,
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
  /** The lines to cancel; null means the whole order. A `share` of null means all units of the line. */
  lines: { line: number; share: string | null }[] | null;
}

/**
 * Returns all units of a line that were canceled so far: before the pick, to be brought back, brought back, or missing.
 */
const soFar = (line: Line) => line.canceled + line.canceling + line.returned + line.missing;

/** Returns the `quantity` to send, which is the total of canceled units; undefined for all units. */
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
      // Only the cancellation of the whole order closes requests.
      const isWholeLine = sent !== undefined && quantity === undefined;
      if (isWholeLine && isRequested(model, order, line)) return { status: 409 };
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

/** Returns whether units of the line are in an open re-source request. */
function isRequested({ requests }: Model, order: Order, { web }: Line): boolean {
  return requests.some(
    (one) => one.order === order.id && one.status === 'OPEN' && one.lines.some((of) => of.web === web),
  );
}

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
  const canCancel = ![9000, 9200].includes(order.status);
  if (wish.size === 0 && (openOnes.length === 0 || !canCancel)) {
    const isRepeat =
      order.lines.some((line) => isNamed(line) && soFar(line) > 0) ||
      (isWhole && requests.some(({ isByCustomer }) => isByCustomer));
    if (isRepeat) return { status: 200, shows: shown(), how: 'repeat' } as const;
    // No named line has units to cancel. The state is the reason only for a cancellation of the whole order, because lines
    // that were not named may still have units to cancel.
    return { status: 409, ...(isWhole && ({ how: 'state' } as const)) };
  }
  for (const request of openOnes) Object.assign(request, { status: 'CANCELED', isByCustomer: true });
  if (order.status === 1150 || order.status === 1300) {
    for (const [line, units] of wish) line.canceling += units;
  } else if (wish.size > 0 && order.status >= 1200 && order.status <= 1500) model.sendBack(order, wish);
  else {
    for (const [line, units] of wish) line.canceled += units;
    model.settle(order);
  }
  return { status: 200, shows: shown() };
}

export const orders: Record<string, Rule<Command>> = { search, readOrder, cancel };

/** Returns the store and node of an order, as the common fields of messages, and the path of the node. */
export function placeOf(world: World, order: number) {
  const where = whereIs(world, order);
  return { where, path: pathOf(where) };
}
