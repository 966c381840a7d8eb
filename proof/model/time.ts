/** Commands of time: the clock of the sandbox, everything that becomes due, alerts, and the feed of events. */
import fc from 'fast-check';
import { end } from './backs.ts';
import { type Command, type Rule, rule } from './command.ts';
import type { Model } from './model.ts';
import { isClosed, NODES, type Node, wanted } from './things.ts';
import { minutesAt, nodeOf, storeOf, type World } from './world.ts';

/**
 * Steps of the clock, in minutes. The longer steps exceed the PIN lock, the first deadlines, a lease, and the pick-up
 * time of a customer.
 */
const STRIDES = [10, 10, 35, 35, 130, 11_000];

const CLOCK = '/operator/v1/sandbox/clock';

const now = (body: { now: string }, world: World) => minutesAt(world, body.now);

const advance = rule({
  weight: 3,
  members: fc.record({ minutes: fc.constantFrom(...STRIDES) }),
  send: ({ operator }, { minutes }) => operator('POST', CLOCK, { advanceBy: minutes * 60 }),
  expect(model, { minutes }) {
    pass(model, minutes);
    return { status: 200, shows: model.now };
  },
  shows: now,
});

const readClock = rule({
  weight: 1,
  members: fc.constant({}),
  send: ({ operator }) => operator('GET', CLOCK),
  expect: (model) => ({ status: 200, shows: model.now }),
  shows: now,
});

/**
 * Advances the time by these minutes. Carries out all work that becomes due, in chronological order and at its due
 * time.
 */
function pass(model: Model, minutes: number): void {
  const end = model.now + minutes;
  for (;;) {
    const dues = [...ordersDue(model), ...leasesDue(model), ...returnsDue(model)].filter(({ at }) => at <= end);
    const [next] = dues.sort((a, b) => a.at - b.at);
    if (next === undefined) break;
    model.now = Math.max(model.now, next.at);
    next.happen();
  }
  model.now = end;
}

interface Due {
  at: number;
  happen: () => void;
}

function ordersDue(model: Model): Due[] {
  return model.sorted().flatMap((order): Due[] => {
    const { agenda } = order;
    if (agenda.dueAt === undefined) return [];
    const happen = () => {
      const isOver = agenda.tell(model.now);
      const left = new Map(order.lines.filter((line) => wanted(line) > 0).map((line) => [line, wanted(line)]));
      // After the pick-up time, the waiting units are brought back.
      if (isOver && left.size > 0) model.sendBack(order, left);
      else agenda.alert();
    };
    return [{ at: agenda.dueAt, happen }];
  });
}

function leasesDue(model: Model): Due[] {
  return model.tickets.flatMap((ticket) =>
    ticket.lease === null || isClosed(ticket) ? [] : [{ at: ticket.lease, happen: () => model.giveBack(ticket) }],
  );
}

function returnsDue(model: Model): Due[] {
  return model.backs.flatMap((back) =>
    back.state === 'REQUESTED' ? [{ at: back.expiresAt!, happen: () => end(back, 'EXPIRED') }] : [],
  );
}

interface FindAlerts {
  node?: Node;
  status: string;
}

const findAlerts = rule<FindAlerts, { alerts: { fulfillmentOrderId: string; alertType: string }[] }>({
  weight: 1,
  members: fc.record({ node: fc.constantFrom<Node>(...NODES), status: fc.constantFrom('OPEN', 'CLOSED') }),
  async send(world, { node = 1, status }) {
    const body = { storeId: storeOf(world), nodeId: nodeOf(world, node), statuses: [status], pageSize: 200 };
    return world.call('POST', `/stores/${storeOf(world)}/alert/fulfillment/search`, body);
  },
  expect(model, { node = 1, status }) {
    const all = model.sorted().flatMap((order) => {
      const alerts = [...order.agenda.alerts].filter(([, is]) => is === status && order.node === node);
      return alerts.map(([type]) => `${order.id} ${type}`);
    });
    return { status: 200, shows: all.sort() };
  },
  shows: (body) => body.alerts.map((one) => `${one.fulfillmentOrderId} ${one.alertType}`).sort(),
});

/**
 * Reads the feed. From its events alone, a consumer must get the state of every order, ticket and request, and the
 * items on hold.
 */
const readEvents = rule({
  weight: 1,
  members: fc.constant({}),
  async send(world) {
    await world.feed.read();
    return world.call('GET', '/operator/v1/events?limit=1');
  },
  expect: (model) => ({
    status: 200,
    shows: [
      [],
      model.sorted().map(({ id, status }) => [id, status]),
      model.tickets.map(({ state, user }) => [state, user]),
      model.requests.map(({ status }) => status),
      [...model.holds.keys()].sort(),
    ],
  }),
  shows: (_body, { feed, tickets, requests }) => [
    feed.gaps,
    [...feed.orders].map(([id, status]) => [Number(id), status]).sort((a, b) => a[0]! - b[0]!),
    tickets.map((id) => [feed.tickets.get(id)?.state, feed.tickets.get(id)?.user]),
    requests.map((id) => feed.requests.get(id)),
    [...feed.holds].map((id) => id.replace(/^.*-(\d)\/21-SKU/, '$1/')).sort(),
  ],
});

export const time: Record<string, Rule<Command>> = { advance, readClock, findAlerts, readEvents };
