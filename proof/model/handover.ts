/** Commands that hand units over to the customer: in the store, with a PIN, to a proxy, or at the door. */
import fc from 'fast-check';
import {
  type Command,
  type Expected,
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
import { PIN } from './intake.ts';
import type { Model } from './model.ts';
import { charge, totalIn, totalOf } from './money.ts';
import { actionsIn, placeOf } from './orders.ts';
import { type Line, type Order, sum, type Total, wanted } from './things.ts';
import { itemId, ownPath } from './world.ts';

type Allowed = { action: string; allowed: boolean }[];

const REFUSED = { cancellationReasonCode: 'CancelMXCreditCustomerRefusal' };

const pickupDetails = rule({
  weight: 2,
  members: fc.record(order),
  fit: (model, command) => meant(model, command, ({ status }) => status === 1400 || status === 3800),
  send(world, { order }: { order: number; near?: boolean }) {
    const { where, path } = placeOf(world, order);
    return world.call('POST', `${path}/customerPickUps/${order}`, { ...where, fulfillmentOrderId: String(order) });
  },
  expect(model, { order: id }) {
    const order = model.orders.get(id);
    if (order === undefined) return { status: 404 };
    const isCollected = order.type === 'STORE_PICK_UP' || order.type === 'SHIP_TO_STORE';
    if (!isCollected || !order.placed) return { status: 409 };
    const lines = order.lines.map((line) => [line.web, line.picked, line.handed, line.refused, wanted(line)]);
    return {
      status: 200,
      shows: [
        order.status,
        sum(order, wanted),
        order.hasPin ? PIN : null,
        model.isLocked(order),
        order.hasProxy,
        lines,
        model.allowed(order),
        totalOf(
          order.lines.map((line) => ({ line, units: wanted(line), from: line.handed })),
          model.headerOf(order),
        ),
      ],
    };
  },
  shows({
    customerPickUpDetails: shown,
  }: {
    customerPickUpDetails: {
      status: string;
      totalCustomerPickQuantity: number;
      pinNumber?: string;
      pinLockedUntil?: string;
      proxyDetails?: object;
      customerPickUpItems: {
        webLineId: string;
        backroomPickedQuantity: number;
        handedOverQuantity: number;
        refusedQuantity: number;
        toPickQuantity: number;
      }[];
      allowedActions: Allowed;
      orderTotal: Record<keyof Total, unknown>;
    };
  }) {
    return [
      Number(shown.status),
      shown.totalCustomerPickQuantity,
      shown.pinNumber ?? null,
      shown.pinLockedUntil !== undefined,
      shown.proxyDetails !== undefined,
      shown.customerPickUpItems.map((item) => [
        Number(item.webLineId),
        item.backroomPickedQuantity,
        item.handedOverQuantity,
        item.refusedQuantity,
        item.toPickQuantity,
      ]),
      actionsIn(shown.allowedActions),
      totalIn(shown.orderTotal),
    ];
  },
});

/** Units of a line: the share that the customer takes, and the share of the remaining units that is `refused`. */
interface Said {
  line: number;
  took: string;
  refused: string;
}

const said = fc.record({
  line: lineIn,
  took: share,
  refused: fc.constantFrom('none', 'none', 'none', 'one', 'all'),
});
const id = fc.option(fc.nat(1));
const by = fc.constantFrom('CUSTOMER', 'CUSTOMER', 'CUSTOMER', 'CUSTOMER', 'CUSTOMER', 'PROXY');

function quantities(order: Order | undefined, { line, took, refused }: Said): [took: number, refused: number] {
  const units = Math.max(0, wanted(lineOf(order, line) ?? NO_LINE));
  const went = unitsIn(took, units);
  return [went, unitsIn(refused, Math.max(0, units - went))];
}

const NO_LINE = { picked: 1, handed: 0, refused: 0, returned: 0, canceling: 0 } as Line;

interface Given {
  order: Order;
  id: number | null;
  by: string;
  /** The lines; null means every wanted unit. */
  lines: readonly Said[] | null;
  isOpen: boolean;
}

/**
 * Returns the result of a hand-over before its PIN is checked: an error or a repeat, otherwise the units by line. The
 * units of a repeat are not compared with the remaining units.
 */
function judge({
  order,
  id,
  by,
  lines,
  isOpen,
}: Given): Expected | { wish: Map<Line, [number, number]>; content: string } {
  const known = id === null ? undefined : order.handOvers.find((one) => one.id === id);
  const wish = new Map<Line, [number, number]>();
  if (lines !== null) {
    if (lines.some(({ line }) => lineOf(order, line) === undefined)) return { status: 400 };
    if (hasTwice(lines.map(({ line }) => line))) return { status: 400 };
    for (const one of lines) {
      const line = lineOf(order, one.line)!;
      const units = quantities(order, one);
      if (isOpen && known === undefined && units[0] + units[1] > wanted(line)) return { status: 400 };
      if (units[0] + units[1] > 0) wish.set(line, units);
    }
    if (wish.size === 0) return { status: 400 };
  }
  const told = order.lines.flatMap((line) => (wish.has(line) ? [[line.web, ...wish.get(line)!]] : []));
  const content = JSON.stringify([by, lines === null ? 'all' : told]);
  if (known !== undefined) return known.content === content ? { status: 0, how: 'repeat' } : { status: 409 };
  if (!isOpen) {
    const isRepeat = id === null && order.handOvers.at(-1)?.content === content;
    return isRepeat ? { status: 0, how: 'repeat' } : { status: 409, how: 'state' };
  }
  if (lines === null) for (const line of order.lines) wish.set(line, [wanted(line), 0]);
  return { wish, content };
}

/** Returns whether a message can be a new hand-over. Proxy and PIN are checked only then; otherwise it can be a retry. */
function isNew(order: Order, id: number | null, isOpen: boolean): boolean {
  return isOpen && (id === null || !order.handOvers.some((one) => one.id === id));
}

function give(
  model: Model,
  order: Order,
  id: number | null,
  { wish, content }: { wish: ReadonlyMap<Line, [number, number]>; content: string },
): void {
  const total = charge(
    model.headerOf(order),
    order,
    [...wish].map(([line, [took]]) => ({ line, units: took, from: line.handed })),
  );
  for (const [line, [took, refused]] of wish) {
    line.handed += took;
    line.refused += refused;
  }
  order.handOvers.push({ id: id ?? undefined, content, total });
  order.wrongPins = 0;
  model.settle(order);
}

interface HandOver {
  order: number;
  near?: boolean;
  lines: Said[];
  id: number | null;
  pin: 'none' | 'right' | 'wrong';
  by: string;
}

/** Returns who collects the order. Only an order with a proxy can be handed over to the proxy. */
const whoComes = (order: Order | undefined, by: string) => (order?.hasProxy === true ? by : 'CUSTOMER');

const isReady = (order: Order) => order.status === 1400;

const handOver = rule<HandOver, unknown>({
  weight: 12,
  members: fc.record({
    ...order,
    lines: several(said, ({ line }) => line),
    id,
    pin: fc.constantFrom('none', 'right', 'wrong', 'wrong'),
    by,
  }),
  fit(model, command) {
    // A wrong PIN is mostly sent for an order that already had a wrong PIN, because otherwise few orders would be
    // locked.
    const tries =
      command.pin === 'wrong' ? meant(model, command, (one) => isReady(one) && one.wrongPins > 0) : undefined;
    const known = tries ?? meant(model, command, isReady);
    if (known?.near !== true) return known;
    const order = model.orders.get(known.order);
    const pin = order?.hasPin === false ? 'none' : known.pin;
    return { ...known, pin, by: whoComes(order, known.by), lines: ofOrder(order, true, known.lines) };
  },
  tries: (_model, { order }) => [{ order, action: 'handOver' }],
  send(world, { order: id, lines, id: handOverId, pin, by }) {
    const { where, path } = placeOf(world, id);
    const order = world.model.orders.get(id);
    const customerPickUpItems = lines.map((one) => {
      const line = lineOf(order, one.line);
      const [customerPickedQuantity, canceledQuantity] = quantities(order, one);
      return {
        webLineId: String(webOf(order, one.line)),
        itemId: itemId(line?.sku ?? 0),
        customerPickedQuantity,
        canceledQuantity,
        ...(canceledQuantity > 0 && REFUSED),
        backroomPickedQuantity: line?.picked ?? 1,
      };
    });
    const customerPickUpDetails = {
      ...where,
      fulfillmentOrderId: String(id),
      customerPickUpItems,
      ...(handOverId !== null && { handOverId: `h${handOverId}` }),
      ...(pin !== 'none' && { pinNumber: pin === 'right' ? PIN : '0000' }),
      collectedBy: by,
      verificationMethod: 'PHOTO_ID',
    };
    return world.call('PUT', `${path}/customerPickUp/confirm`, { modifyAssociateId: 'ana', customerPickUpDetails });
  },
  expect(model, { order: at, lines, id, pin, by }) {
    const order = model.orders.get(at);
    if (order === undefined) return { status: 404 };
    const isOpen = order.status === 1400;
    const isFirst = isNew(order, id, isOpen);
    if (isFirst && by === 'PROXY' && !order.hasProxy) return { status: 400 };
    if (isFirst && pin !== 'none' && !order.hasPin) return { status: 400 };
    // Deliveries and hand-overs record different methods, so a delivery never repeats a hand-over.
    const judged = judge({ order, id, by: `${by} PHOTO_ID`, lines, isOpen });
    if ('status' in judged) return judged.how === 'repeat' ? { ...judged, status: 204 } : judged;
    if (model.isLocked(order)) return { status: 409, how: 'state' };
    if (pin === 'wrong') {
      model.countWrongPin(order);
      return { status: 400 };
    }
    give(model, order, id, judged);
    return { status: 204 };
  },
});

const unlockPin = rule({
  weight: 1,
  members: fc.record(order),
  fit: (model, command) => meant(model, command, (order) => order.wrongPins > 0),
  send: (world, { order }: { order: number; near?: boolean }) =>
    world.call('POST', `${ownPath(world, order)}/pin/unlock`, {
      nodeId: placeOf(world, order).where.nodeId,
      modifyAssociateId: 'lea',
    }),
  expect(model, { order: id }) {
    const order = model.orders.get(id);
    if (order === undefined) return { status: 404 };
    if (!order.hasPin) return { status: 409 };
    if (order.wrongPins > 0) Object.assign(order, { wrongPins: 0, changedAt: model.now });
    return { status: 204 };
  },
});

interface Deliver {
  order: number;
  near?: boolean;
  lines: Said[] | null;
  id: number | null;
  by: string;
}

const deliver = rule<
  Deliver,
  {
    status: string;
    lines: { webLineId: string; deliveredQuantity: number; refusedQuantity: number; toDeliverQuantity: number }[];
    allowedActions: Allowed;
    orderTotal?: Record<keyof Total, unknown>;
  }
>({
  weight: 7,
  members: fc.record({ ...order, lines: fc.option(several(said, ({ line }) => line)), id, by }),
  fit(model, command) {
    const known = meant(model, command, (order) => order.status === 1500);
    if (known === undefined) return undefined;
    const order = model.orders.get(known.order);
    if (known.near !== true) return known;
    const lines = known.lines && ofOrder(order, true, known.lines);
    return { ...known, by: whoComes(order, known.by), lines };
  },
  tries: (_model, { order }) => [{ order, action: 'deliver' }],
  send(world, { order: id, lines, id: deliveryId, by }) {
    const order = world.model.orders.get(id);
    const sent = lines?.map((one) => {
      const [deliveredQuantity, canceledQuantity] = quantities(order, one);
      const units = { deliveredQuantity, canceledQuantity, ...(canceledQuantity > 0 && REFUSED) };
      return { webLineId: String(webOf(order, one.line)), ...units };
    });
    return world.call('POST', `${ownPath(world, id)}/deliver`, {
      nodeId: placeOf(world, id).where.nodeId,
      modifyAssociateId: 'ana',
      ...(sent && { lines: sent }),
      ...(deliveryId !== null && { deliveryId: `h${deliveryId}` }),
      deliveredTo: by,
    });
  },
  expect(model, { order: at, lines, id, by }) {
    const order = model.orders.get(at);
    if (order === undefined) return { status: 404 };
    const isOpen = order.status === 1500;
    if (isNew(order, id, isOpen) && by === 'PROXY' && !order.hasProxy) return { status: 400 };
    const judged = judge({ order, id, by, lines, isOpen });
    const totalShown = () =>
      (id === null ? order.handOvers.at(-1) : order.handOvers.find((one) => one.id === id))?.total ?? null;
    const shown = () => [
      totalShown(),
      order.status,
      order.lines.map((line) => [line.web, line.handed, line.refused, wanted(line)]),
      model.allowed(order),
    ];
    if ('status' in judged) return judged.how === 'repeat' ? { ...judged, status: 200, shows: shown() } : judged;
    give(model, order, id, judged);
    return { status: 200, shows: shown() };
  },
  shows: (body) => [
    totalIn(body.orderTotal),
    Number(body.status),
    body.lines.map((line) => [
      Number(line.webLineId),
      line.deliveredQuantity,
      line.refusedQuantity,
      line.toDeliverQuantity,
    ]),
    actionsIn(body.allowedActions),
  ],
});

export const handover: Record<string, Rule<Command>> = { pickupDetails, handOver, unlockPin, deliver };
