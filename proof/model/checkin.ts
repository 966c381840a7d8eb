/** Commands that check in orders that arrive in the store by carrier, and read the details of the check-in. */
import fc from 'fast-check';
import { type Command, hasTwice, meant, order, type Rule, rule } from './command.ts';
import type { Model } from './model.ts';
import { placeOf } from './orders.ts';
import type { Line, Order } from './things.ts';
import { itemId } from './world.ts';

const checkInDetails = rule({
  weight: 1,
  members: fc.record(order),
  fit: (model, command) => meant(model, command, ({ type }) => type === 'SHIP_TO_STORE'),
  send: (world, { order }: { order: number; near?: boolean }) =>
    world.call('GET', `${placeOf(world, order).path}/fulfillmentOrders/${order}/checkin`),
  expect(model, { order: id }) {
    const order = model.orders.get(id);
    if (order === undefined) return { status: 404 };
    if (order.type !== 'SHIP_TO_STORE') return { status: 400 };
    const shows = order.lines.map(({ ordered }, index) => {
      const short = order.said[index];
      return short === undefined ? [0, 0] : [ordered - Number(short), Number(short)];
    });
    return { status: 200, shows };
  },
  shows: (body: {
    fulfillmentOrder: {
      checkInPackages: { checkInPackageItems: { checkInQuantity: number; checkInCanceledQuantity: number }[] }[];
    };
  }) =>
    body.fulfillmentOrder.checkInPackages.flatMap((one) =>
      one.checkInPackageItems.map((item) => [item.checkInQuantity, item.checkInCanceledQuantity]),
    ),
});

interface CheckIn {
  order: number;
  near?: boolean;
  action: 'UPDATE' | 'CONFIRM';
  packages: number[];
  short: boolean;
}

const checkIn = rule<CheckIn, unknown>({
  weight: 5,
  members: fc.record({
    ...order,
    action: fc.constantFrom('UPDATE', 'CONFIRM'),
    packages: fc.array(fc.nat(1), { maxLength: 2 }),
    short: fc.boolean(),
  }),
  fit: (model, command) => meant(model, command, ({ status }) => status === 1300),
  tries: (_model, { order, action }) => [{ order, action: action === 'UPDATE' ? 'saveCheckIn' : 'confirmCheckIn' }],
  send(world, { order: id, action, packages, short }) {
    const { where, path } = placeOf(world, id);
    const lines = world.model.orders.get(id)?.lines ?? [];
    const checkInPackages = packages.map((index) => {
      const { sku = 0, ordered = 1 } = lines[index] ?? {};
      const item = {
        itemId: itemId(sku),
        webLineId: String(index + 1),
        quantity: ordered,
        checkInQuantity: ordered - Number(short),
        checkInCanceledQuantity: Number(short),
        ...(short && { checkInCancellationReasonCode: 'STSProductReceivedDamagedInterior' }),
      };
      return { checkInPackageId: `P${index}`, checkInPackageItems: [item] };
    });
    const fulfillmentOrder = { action, ...where, fulfillmentOrderId: String(id), holdLocation: 'A1', checkInPackages };
    const body = { modifyAssociateId: 'ana', fulfillmentOrder };
    return world.call('POST', `${path}/fulfillmentOrders/${id}/checkin`, body);
  },
  expect(model, { order: id, action, packages, short }) {
    const order = model.orders.get(id);
    if (order?.type !== 'SHIP_TO_STORE') return { status: 400 };
    if (packages.some((index) => index >= order.lines.length) || hasTwice(packages)) return { status: 400 };
    const isClosed = order.status !== 1300;
    if (action === 'UPDATE' && isClosed) return { status: 400, how: 'state' };
    const said = order.said.map((before, index) => (packages.includes(index) ? short : before));
    if (action === 'CONFIRM') {
      if (said.includes(undefined)) return { status: 400 };
      if (isClosed) {
        const isSame = said.every((one, index) => one === order.said[index]);
        return isSame ? { status: 204, how: 'repeat' } : { status: 400, how: 'state' };
      }
    }
    order.said = said;
    if (action === 'CONFIRM') arrive(model, order);
    return { status: 204 };
  },
});

/**
 * Assigns the arrived units first to the wanted units, then to units that were canceled during transport. A reverse
 * ticket brings the arrived canceled units back.
 */
function arrive(model: Model, order: Order): void {
  const declined: { line: Line; quantity: number }[] = [];
  const back = new Map<Line, number>();
  for (const [index, line] of order.lines.entries()) {
    const marked = line.canceling;
    const arrived = line.ordered - Number(order.said[index]);
    const surplus = Math.max(0, arrived - (line.ordered - marked));
    Object.assign(line, { picked: arrived, canceling: surplus, canceled: marked - surplus });
    line.declined = line.ordered - line.picked - line.canceled;
    if (line.declined > 0) declined.push({ line, quantity: line.declined });
    if (surplus > 0) back.set(line, surplus);
    order.placed ||= arrived > 0;
  }
  model.follow([{ order, lines: declined }]);
  model.settle(order);
  if (back.size > 0) model.bringBack(order, back);
}

export const checkin: Record<string, Rule<Command>> = { checkInDetails, checkIn };
