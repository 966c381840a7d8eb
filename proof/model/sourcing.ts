/** Commands about declined units: re-source requests for the owner, and items on hold at a node. */
import fc from 'fast-check';
import { type Command, often, type Rule, rule, unusedId } from './command.ts';
import { unavailableIn } from './intake.ts';
import type { Model } from './model.ts';
import { share } from './money.ts';
import { NODES, type Node, type Order, POLICIES, type Request } from './things.ts';
import { itemId, nodeOf, skuOf, storeOf, type World } from './world.ts';

const node = fc.constantFrom<Node>(...NODES);
const requestsOf = (world: World) => `/operator/v1/stores/${storeOf(world)}/resourceRequests`;

interface RequestShown {
  requestId: string;
  fulfillmentOrderId: string;
  nodeId: string;
  status: string;
  excludedNodeIds: string[];
  newNodeId?: string;
  newFulfillmentOrderId?: string;
  lines: { webLineId: string; itemId: string; quantity: number }[];
  allowedActions: { action: string; allowed: boolean }[];
}

function detailsOf({ order, node, status, excluded, newNode, newOrder, lines }: Request) {
  const units = lines.map(({ web, sku, quantity }) => [web, sku, quantity]);
  return [order, node, status, excluded, newNode, newOrder, units, status === 'OPEN'];
}

const numberOf = (nodeId: string) => Number(nodeId.slice(nodeId.lastIndexOf('-') + 1));

function detailsIn(shown: RequestShown) {
  return [
    Number(shown.fulfillmentOrderId),
    numberOf(shown.nodeId),
    shown.status,
    shown.excludedNodeIds.map(numberOf),
    shown.newNodeId === undefined ? null : numberOf(shown.newNodeId),
    shown.newFulfillmentOrderId === undefined ? null : Number(shown.newFulfillmentOrderId),
    shown.lines.map((line) => [Number(line.webLineId), skuOf(line.itemId), line.quantity]),
    shown.allowedActions.some(({ allowed }) => allowed),
  ];
}

const listRequests = rule({
  weight: 1,
  members: fc.record({ status: fc.option(fc.constantFrom('OPEN', 'RESOURCED', 'CANCELED')) }),
  send: (world, { status }: { status?: string | null }) =>
    world.call('GET', `${requestsOf(world)}${status == null ? '' : `?status=${status}`}`),
  expect: ({ requests }, { status }) => ({
    status: 200,
    shows: requests.flatMap((one, index) =>
      status == null || one.status === status ? [[index, ...detailsOf(one)]] : [],
    ),
  }),
  shows: (body: { resourceRequests: RequestShown[] }, world) =>
    body.resourceRequests
      .map((one) => [world.requests.indexOf(one.requestId), ...detailsIn(one)])
      .sort((a, b) => Number(a[0]) - Number(b[0])),
});

const request = fc.constantFrom(0, 1, 2, 3);

/**
 * Returns the command with an existing request (with `near`, an open request if there is one); undefined without
 * requests.
 */
function existing<C extends { request: number; near?: boolean }>({ requests }: Model, command: C): C | undefined {
  if (requests.length === 0) return undefined;
  const openOnes = requests.flatMap(({ status }, index) => (status === 'OPEN' ? [index] : []));
  const all = command.near === true && openOnes.length > 0 ? openOnes : [...requests.keys()];
  return { ...command, request: all[command.request % all.length]! };
}

const readRequest = rule({
  weight: 1,
  members: fc.record({ request }),
  fit: existing,
  send: (world, { request }) => world.call('GET', `${requestsOf(world)}/${world.requests[request]}`),
  expect: ({ requests }, { request }) => ({ status: 200, shows: detailsOf(requests[request]!) }),
  shows: detailsIn,
});

/**
 * Returns the lines of the order that serves a request, with their share of the amounts. Requests take their shares
 * from the last unit of a line backwards.
 */
function pricedLines({ requests }: Model, order: Order, request: Request) {
  const taken = requests
    .filter((one) => one.order === order.id && one.status === 'RESOURCED')
    .flatMap((one) => one.lines);
  return request.lines.map(({ web, sku, quantity }) => {
    const line = order.lines.find((one) => one.web === web)!;
    const before = taken.reduce((total, one) => total + (one.web === web ? one.quantity : 0), 0);
    const from = line.ordered - before - quantity;
    const part = (amount: string) => share(amount, quantity, line.ordered, from).toFixed();
    const { unitPrice, charges, tax } = line.price;
    return { web, sku, quantity, price: { unitPrice, charges: part(charges), tax: part(tax) } };
  });
}

const answer = rule({
  weight: 5,
  members: fc.record({
    request,
    near: often,
    outcome: fc.constantFrom('RESOURCE', 'RESOURCE', 'CANCEL'),
    node,
    /** Id of the new order. */
    as: fc.constantFrom<number>(3, 4, 5, 6),
  }),
  fit(model, command) {
    const known = existing(model, command);
    return known && { ...known, as: (known.near && unusedId(model)) || known.as };
  },
  tries: ({ requests }, { request }) => [{ order: requests[request]!.order, action: 'resource' }],
  send(world, { request, outcome, node, as }) {
    const body =
      outcome === 'CANCEL'
        ? { outcome, reasonCode: 'CancelMXOutOfStock' }
        : { outcome, nodeId: nodeOf(world, node), fulfillmentOrderId: String(as) };
    return world.call('POST', `${requestsOf(world)}/${world.requests[request]}/answer`, body);
  },
  expect(model, { request: index, outcome, node, as }) {
    const request = model.requests[index]!;
    const isResourced = outcome === 'RESOURCE';
    if (request.status !== 'OPEN') {
      const isSame = isResourced ? request.newNode === node && request.newOrder === as : request.status === 'CANCELED';
      if (!isSame) return { status: 409 };
      return { status: 200, shows: detailsOf(request), how: 'repeat' };
    }
    const order = model.orders.get(request.order)!;
    if (isResourced) {
      const isHeld = request.lines.some(({ sku }) => model.holds.has(`${node}/${sku}`));
      if (request.excluded.includes(node) || isHeld) return { status: 400 };
      if (model.orders.has(as)) return { status: 409, code: 'CONFLICT' };
      const refused = model.unavailable(request.lines.map(({ sku, quantity }) => ({ node, sku, quantity })));
      if (refused.length > 0) return { status: 409, code: 'NOT_AVAILABLE', names: refused };
      const { type, hasPin, hasProxy } = order;
      const lines = pricedLines(model, order, request);
      model.addOrder({ id: as, content: 're-sourced', type, node, from: order.id, hasPin, hasProxy }, lines);
      Object.assign(request, { newNode: node, newOrder: as });
    }
    request.status = isResourced ? 'RESOURCED' : 'CANCELED';
    model.settle(order);
    return { status: 200, shows: detailsOf(request) };
  },
  shows: detailsIn,
  names: unavailableIn,
});

const holdsOf = (world: World, node: Node) => `/operator/v1/clients/${world.id}/nodes/${nodeOf(world, node)}`;

const listHolds = rule({
  weight: 1,
  members: fc.record({ node }),
  send: (world, { node }) => world.call('GET', `${holdsOf(world, node)}/holds`),
  expect: ({ holds }, { node }) => ({
    status: 200,
    shows: [0, 1, 2].flatMap((sku) => {
      const hold = holds.get(`${node}/${sku}`);
      return hold === undefined ? [] : [[sku, POLICIES[node], hold.order]];
    }),
  }),
  shows: (body: { holds: { itemId: string; policy: string; fulfillmentOrderId: string }[] }) =>
    body.holds.map((one) => [skuOf(one.itemId), one.policy, Number(one.fulfillmentOrderId)]),
});

const releaseItem = rule({
  weight: 1,
  members: fc.record({ node, sku: fc.nat(2) }),
  send: (world, { node, sku }) => world.call('DELETE', `${holdsOf(world, node)}/items/${itemId(sku)}/hold`),
  expect: ({ holds }, { node, sku }) => ({ status: holds.delete(`${node}/${sku}`) ? 204 : 404 }),
});

const feedItem = rule({
  weight: 3,
  members: fc.record({ node, sku: fc.nat(2), onHand: fc.nat(1) }),
  send: (world, { node, sku, onHand }) =>
    world.operator('PUT', `${holdsOf(world, node)}/items/${itemId(sku)}`, { onHand }),
  expect({ items, fed, holds }, { node, sku }) {
    if (!items.has(sku)) return { status: 404 };
    const key = `${node}/${sku}`;
    if (POLICIES[node] === 'HOLD_UNTIL_FEED') holds.delete(key);
    const isNew = !fed.has(key);
    fed.add(key);
    return { status: isNew ? 201 : 200 };
  },
});

export const sourcing: Record<string, Rule<Command>> = {
  listRequests,
  readRequest,
  answer,
  listHolds,
  releaseItem,
  feedItem,
};
