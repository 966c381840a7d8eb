/** Commands that only read what the others did: the work of a node, what a code means, the list of items, the history of an order. */
import fc from 'fast-check';
import { type Command, ORDERS, type Rule, rule } from './command.ts';
import { type Node, queueOf } from './things.ts';
import { itemId, nodeOf, ownPath, skuOf } from './world.ts';

const node = { node: fc.constantFrom<Node>(1, 2, 3) };

interface WorkShown {
  queues: { queueId: string; fulfillmentType: string; orders: number }[];
}

interface ScanShown {
  matches: { kind: string; id: string }[];
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
        if (queue === null || order.node !== node) continue;
        const key = `${queue} ${order.type}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return { status: 200, shows: [...counts].sort() };
    },
    // Queues without orders are shown, too.
    shows: ({ queues }) =>
      queues
        .filter(({ orders }) => orders > 0)
        .map(({ queueId, fulfillmentType, orders }): [string, number] => [`${queueId} ${fulfillmentType}`, orders])
        .sort(),
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
  orderHistory: rule<{ order: number }, unknown>({
    weight: 1,
    members: fc.record({ order: ORDERS }),
    send: (world, { order }) => world.call('GET', `${ownPath(world, order)}/history`),
    expect: ({ orders }, { order }) => ({ status: orders.has(order) ? 200 : 404 }),
  }),
};
