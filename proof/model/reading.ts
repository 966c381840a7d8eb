/**
 * Commands that only read the effects of other commands. They read the work and the figures of a node, the meaning of a
 * code, the lists of items and orders, and the history of an order.
 */
import fc from 'fast-check';
import { type Command, ORDERS, type Rule, rule } from './command.ts';
import { type Node, type Order, queueOf, REVERSE, type Ticket } from './things.ts';
import { itemId, nodeOf, ownPath, skuOf, storeOf } from './world.ts';

const node = { node: fc.constantFrom<Node>(1, 2, 3) };

interface WorkShown {
  queues: { queueId: string; fulfillmentType: string; orders: number }[];
}

interface OrdersShown {
  fulfillmentOrders: { fulfillmentOrderId: string; status: string }[];
}

interface ScanShown {
  matches: { kind: string; id: string }[];
}

const DAY_MINUTES = 1440;
const BOARD_DAYS = 31;

interface Numbers {
  ordersIn: number;
  linesPicked: number;
  unitsPicked: number;
  unitsShort: number;
  late: number;
}

interface BoardsShown {
  hours: Numbers[];
  days: Numbers[];
  users: { userId: string; lines: number; units: number; short: number }[];
  totals: Numbers;
}

/**
 * Returns the sums of a node's figures over hours, over days and over users. Each group of sums also says whether its
 * picked lines and late orders add up to the totals.
 */
function addedUp({ hours, days, users, totals }: BoardsShown) {
  const sum = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((total, one) => total + of(one), 0);
  return [
    ...[hours, days].map((all) => [
      sum(all, ({ ordersIn }) => ordersIn),
      sum(all, ({ unitsPicked }) => unitsPicked),
      sum(all, ({ unitsShort }) => unitsShort),
      sum(all, ({ linesPicked }) => linesPicked) === totals.linesPicked,
      sum(all, ({ late }) => late) === totals.late,
    ]),
    [
      totals.ordersIn,
      sum(users, ({ units }) => units),
      sum(users, ({ short }) => short),
      sum(users, ({ lines }) => lines) === totals.linesPicked,
      true,
    ],
  ];
}

export const reading: Record<string, Rule<Command>> = {
  work: rule<{ node: Node }, WorkShown>({
    weight: 1,
    members: fc.record(node),
    send: (world, { node }) => world.call('GET', `/operator/v1/clients/${world.id}/nodes/${nodeOf(world, node)}/work`),
    expect(model, { node }) {
      const counts = new Map<string, number>();
      for (const order of model.sorted()) {
        const queue = queueOf(order);
        if (order.node !== node) continue;
        // Goods to bring back count by their open tickets: other units of the order can be on another queue.
        const isBack = model.tickets.some(
          ({ kind, state, orders }) =>
            kind === 'REVERSE_PICK_TICKET' && state !== 'CONFIRMED' && orders.includes(order.id),
        );
        const own = [...(queue === null || queue === REVERSE ? [] : [queue]), ...(isBack ? [REVERSE] : [])];
        for (const key of own.map((one) => `${one} ${order.type}`)) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return { status: 200, shows: [...counts].sort() };
    },
    // The response also has queues without orders.
    shows: ({ queues }) =>
      queues
        .filter(({ orders }) => orders > 0)
        .map(({ queueId, fulfillmentType, orders }): [string, number] => [`${queueId} ${fulfillmentType}`, orders])
        .sort(),
  }),
  boards: rule<{ node: Node }, BoardsShown>({
    weight: 1,
    members: fc.record(node),
    // The board does not count orders from before its first day, so the command applies only to worlds within these
    // days.
    fit: (model, command) => (model.now < (BOARD_DAYS - 2) * DAY_MINUTES ? command : undefined),
    send: (world, { node }) =>
      world.call('GET', `/operator/v1/clients/${world.id}/nodes/${nodeOf(world, node)}/boards?days=${BOARD_DAYS}`),
    expect(model, { node }) {
      const confirmed = model.tickets.filter(
        (ticket) => ticket.node === node && ticket.kind === 'PICK_TICKET' && ticket.state === 'CONFIRMED',
      );
      const sum = (of: (ticket: Ticket) => number) => confirmed.reduce((total, ticket) => total + of(ticket), 0);
      const ordersIn = model.sorted().filter((order) => order.node === node).length;
      const picked = sum(({ found }) => [...found.values()].reduce((total, units) => total + units, 0));
      const numbers = [ordersIn, picked, sum(({ short }) => short), true, true];
      return { status: 200, shows: [numbers, numbers, numbers] };
    },
    shows: addedUp,
  }),
  scanOrder: rule<{ order: number; node: Node }, ScanShown>({
    weight: 1,
    members: fc.record({ order: ORDERS, ...node }),
    send: (world, { order, node }) =>
      world.call('POST', `/operator/v1/clients/${world.id}/nodes/${nodeOf(world, node)}/scan`, { code: String(order) }),
    expect: ({ orders }, { order, node }) => ({ status: 200, shows: orders.get(order)?.node === node }),
    shows: ({ matches }) => matches.some(({ kind }) => kind === 'ORDER'),
  }),
  listItems: rule<object, { items: { itemId: string }[] }>({
    weight: 1,
    members: fc.constant({}),
    send: (world) => world.call('GET', `/operator/v1/clients/${world.id}/items`),
    expect: ({ items }) => ({ status: 200, shows: [...items.keys()].sort().map(itemId) }),
    shows: ({ items }) => items.map((item) => itemId(skuOf(item.itemId))).sort(),
  }),
  listOrders: rule<{ order: number }, OrdersShown>({
    weight: 1,
    members: fc.record({ order: ORDERS }),
    send: (world, { order }) =>
      world.call('GET', `/operator/v1/stores/${storeOf(world)}/fulfillmentOrders?omsOrderId=oms-${order}`),
    // A re-sourced order keeps the OMS order of the first order.
    expect(model, { order }) {
      const firstOf = (one: Order): number => (one.from === null ? one.id : firstOf(model.orders.get(one.from)!));
      const shows = [...model.orders.values()]
        .filter((one) => firstOf(one) === order)
        .map(({ id, status }): [string, string] => [String(id), String(status)])
        .sort();
      return { status: 200, shows };
    },
    shows: ({ fulfillmentOrders }) =>
      fulfillmentOrders.map(({ fulfillmentOrderId, status }): [string, string] => [fulfillmentOrderId, status]).sort(),
  }),
  orderHistory: rule<{ order: number }, unknown>({
    weight: 1,
    members: fc.record({ order: ORDERS }),
    send: (world, { order }) => world.call('GET', `${ownPath(world, order)}/history`),
    expect: ({ orders }, { order }) => ({ status: orders.has(order) ? 200 : 404 }),
  }),
};
