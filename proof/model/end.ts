/**
 * Compares the whole world at the end of a sequence with the model: every read, every search and the feed of events.
 */

import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import type { Named } from './goods.ts';
import { namedOf } from './shipments.ts';
import { differenceOfReader } from './stock.ts';
import { left, NODES, queueOf, REVERSE, sum } from './things.ts';
import { isSame, nodeOf, pathOf, storeOf, type World } from './world.ts';

const QUEUES = [
  'WAITING_FOR_PICK_ISPU',
  'WAITING_FOR_PICK_SFS',
  'WAITING_FOR_PICK_DEL',
  'WAITING_FOR_CHECKIN_STS',
  'WAITING_FOR_PACK_SFS',
  'WAITING_FOR_PACK_DEL',
  'WAITING_FOR_CUSTOMER_PICK',
  'WAITING_FOR_DELIVERY',
  REVERSE,
];

/** The queues of each node. Only the first node works on orders of every type. */
const PLACES = NODES.flatMap((node) =>
  QUEUES.filter((queue) => node === 1 || queue.endsWith('_SFS') || queue === REVERSE).map((queue) => ({ node, queue })),
);

/**
 * Returns reads of everything in the world. They make only one change: a reverse ticket without a user gets the reader
 * as its user.
 */
function reads({ model }: World): Command[] {
  const all = (command: string, member: string, things: Iterable<unknown>) =>
    [...things].map((thing): Command => ({ do: command, [member]: thing }));
  const tickets = model.tickets.map((_, ticket) => ({ do: 'openTicket', ticket, user: 'eve' }));
  return [
    { do: 'search' },
    { do: 'listInbound' },
    ...all('readItem', 'sku', [0, 1, 2]),
    ...all('readOrder', 'order', model.orders.keys()),
    ...all('packDetails', 'order', model.orders.keys()),
    ...all('pickupDetails', 'order', model.orders.keys()),
    ...all('checkInDetails', 'order', model.orders.keys()),
    ...tickets,
    ...PLACES.map(({ node, queue }) => ({ do: 'findTickets', node, queue, statuses: 'all' })),
    ...all('listHolds', 'node', NODES),
    { do: 'listRequests' },
    ...all('readRequest', 'request', model.requests.keys()),
    ...[...model.arrivals.values()].map((one): Command & Named => ({ do: 'readAsn', ...namedOf(one) })),
    { do: 'listArrivals' },
    ...all('readStock', 'node', NODES),
    ...all('readMoves', 'sku', [0, 1, 2]),
    { do: 'transactions' },
    { do: 'wantedCounts' },
    ...all('readReturn', 'back', model.backs.keys()),
    ...['readBack', 'checkReturn', 'searchReturns'].flatMap((command) => all(command, 'order', model.orders.keys())),
    ...all('listRefunds', 'status', ['DUE', 'DONE', 'FAILED', 'CANCELED']),
    { do: 'listCounts' },
    ...NODES.flatMap((node) => ['OPEN', 'CLOSED'].map((status) => ({ do: 'findAlerts', node, status }))),
    { do: 'readEvents' },
  ];
}

export async function differenceAtEnd(world: World): Promise<string | undefined> {
  for (const read of reads(world)) {
    const rule = COMMANDS[read.do]!;
    const answer = await rule.send(world, read);
    const { status, shows } = rule.expect(world.model, read);
    if (answer.status !== status)
      return `at the end, ${JSON.stringify(read)}: ${answer.status}, the model expects ${status}`;
    if (status >= 300) continue;
    const shown = rule.shows?.(answer.body, world);
    if (!isSame(shown, shows)) {
      return `at the end, ${JSON.stringify(read)}: ${JSON.stringify(shown)}, the model expects ${JSON.stringify(shows)}`;
    }
  }
  return (await differenceOfQueues(world)) ?? (await differenceOfReader(world)) ?? world.faults[0];
}

interface Queued {
  fulfillmentOrders: {
    fulfillmentOrderId: string;
    pickTicketId?: string;
    totalNoOfItems: string;
    totalQuantity: string;
  }[];
}

/**
 * Compares the orders of each queue: their tickets, open lines and open units. Returns the first difference, or
 * undefined.
 */
async function differenceOfQueues(world: World): Promise<string | undefined> {
  const { model, tickets } = world;
  for (const { node, queue: queueId } of PLACES) {
    const where = { storeId: storeOf(world), nodeId: nodeOf(world, node) };
    const answer = await world.call('POST', `${pathOf(where)}/fulfillmentOrders?queueId=${queueId}`, {
      ...where,
      queueId,
    });
    const seen = (answer.body as Queued).fulfillmentOrders
      .map((order) => [
        Number(order.fulfillmentOrderId),
        order.pickTicketId ?? null,
        Number(order.totalNoOfItems),
        Number(order.totalQuantity),
      ])
      .sort((a, b) => Number(a[0]) - Number(b[0]));
    const expected = model
      .sorted()
      .filter((order) => order.node === node && queueOf(order) === queueId)
      .map((order) => [
        order.id,
        tickets[model.ticketOf(order) ?? -1] ?? null,
        order.lines.filter((line) => left(line) > 0).length,
        sum(order, left),
      ]);
    if (!isSame(seen, expected)) {
      return `${queueId} of node ${node}: ${JSON.stringify(seen)}, the model expects ${JSON.stringify(expected)}`;
    }
  }
  return undefined;
}
