/**
 * Commands that change an order after intake: notes, moves of its goods to another location, and units that its node
 * declines before the pick.
 */
import fc from 'fast-check';
import { type Command, meant, often, order, type Rule, rule } from './command.ts';
import { type UnitsShown, unitsOf, unitsShown } from './orders.ts';
import { held, left } from './things.ts';
import { nodeOf, ownPath } from './world.ts';

/** Number of ids that commands have chosen. A command that is sent again with its Idempotency-Key has the same id. */
let ids = 0;
const freshId = () => `c${++ids}`;

const HOLDING = [1200, 1400, 1500, 3700, 3800, 3900, 8000];

const note = rule<{ order: number; near?: boolean }, unknown>({
  weight: 1,
  members: fc.record(order),
  send: (world, { order: id }) =>
    world.call('POST', `${ownPath(world, id)}/change`, { changeId: freshId(), userId: 'lea', note: 'Rings twice' }),
  expect(model, { order: id }) {
    const known = model.orders.get(id);
    if (known === undefined) return { status: 404 };
    known.changedAt = model.now;
    return { status: 200 };
  },
});

const move = rule<{ order: number; near?: boolean }, UnitsShown>({
  weight: 2,
  members: fc.record(order),
  fit: (model, command) => meant(model, command, ({ status }) => HOLDING.includes(status)),
  send: (world, { order: id }) =>
    world.call('POST', `${ownPath(world, id)}/move`, { moveId: freshId(), userId: 'ana', holdLocation: 'B2' }),
  expect(model, { order: id }) {
    const known = model.orders.get(id);
    if (known === undefined) return { status: 404 };
    if (!HOLDING.includes(known.status) || known.lines.every((line) => held(line) === 0)) return { status: 409 };
    if (!known.isMoved) Object.assign(known, { isMoved: true, changedAt: model.now });
    return { status: 200, shows: unitsOf(model, known) };
  },
  shows: unitsShown,
});

interface DeclineOrders {
  orders: number[];
  near?: boolean;
}

interface Declined {
  declined: { fulfillmentOrderId: string; status: string }[];
  refused: { fulfillmentOrderId: string; code: string }[];
}

const declineOrders = rule<DeclineOrders, Declined>({
  weight: 2,
  members: fc.record({
    orders: fc.uniqueArray(fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7), { minLength: 1, maxLength: 3, size: 'max' }),
    near: often,
  }),
  fit(model, command) {
    if (command.near !== true) return command;
    const waiting = model.sorted().filter(({ status, node }) => status === 1100 && node === 1);
    return waiting.length === 0 ? undefined : { ...command, orders: waiting.slice(0, 2).map(({ id }) => id) };
  },
  send: (world, { orders }) =>
    world.call('POST', `/operator/v1/clients/${world.id}/nodes/${nodeOf(world, 1)}/decline`, {
      declineId: freshId(),
      userId: 'lea',
      reasonCode: 'CancelMXPickDecline',
      fulfillmentOrderIds: orders.map(String),
    }),
  expect(model, { orders }) {
    const known = orders.map((id) => ({ id, order: model.orders.get(id) }));
    const refused = known.flatMap(({ id, order }) =>
      order?.node !== 1 ? [[id, 'NOT_FOUND']] : order.status === 1100 ? [] : [[id, 'CONFLICT']],
    );
    const taken = known.flatMap(({ order }) => (order?.node === 1 && order.status === 1100 ? [order] : []));
    const wishes = taken
      .toSorted((a, b) => a.id - b.id)
      .map((order) => ({
        order,
        lines: order.lines.map((line) => ({ line, quantity: left(line) })).filter(({ quantity }) => quantity > 0),
      }));
    for (const { lines } of wishes) for (const { line, quantity } of lines) line.declined += quantity;
    model.follow(wishes);
    for (const { order } of wishes) model.settle(order);
    return { status: 200, shows: [taken.map(({ id, status }) => [id, status]), refused] };
  },
  shows: ({ declined, refused }) => [
    declined.map(({ fulfillmentOrderId: id, status }) => [Number(id), Number(status)]),
    refused.map(({ fulfillmentOrderId: id, code }) => [Number(id), code]),
  ],
});

export const changes: Record<string, Rule<Command>> = { note, move, declineOrders };
