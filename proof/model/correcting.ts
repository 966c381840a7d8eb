/**
 * The command that corrects a CONFIRM to the actually found units. The correction is allowed until another step follows
 * the CONFIRM.
 */
import fc from 'fast-check';
import { type Command, hasTwice, often, type Rule, rule, ticket } from './command.ts';
import type { Model } from './model.ts';
import { FOUND, type Found, unitsFound } from './picking.ts';
import { held, type Line, type Order, sum, type Ticket, unitsOf } from './things.ts';
import { details, detailsShown, OUT_OF_STOCK, placeOfTicket } from './tickets.ts';

/** States of an order that allow a correction. */
const CORRECTABLE = [1200, 1400, 9000, 9100];

interface Correct {
  ticket: number;
  near?: boolean;
  id: number;
  found: Found;
}

const isPlain = (model: Model, one: Ticket) => {
  const skus = one.parts.map(({ sku }) => sku);
  const isWithdrawn = partsOf(model, one).some(({ line, quantity }) => line.canceled > line.ordered - quantity);
  return one.orders.length === 1 && !hasTwice(skus) && !isWithdrawn;
};

/** Returns each line of a ticket with its units. */
function partsOf(model: Model, { parts }: Ticket) {
  return parts.map(({ order, web, sku, quantity }) => {
    const line = model.orders.get(order)!.lines.find((one) => one.web === web)!;
    return { line, sku, quantity };
  });
}

/** Returns whether another step of the order followed the CONFIRM of this ticket. */
function isFollowed(model: Model, index: number, order: Order): boolean {
  const { found, parts } = model.tickets[index]!;
  const gone = (line: Line) => line.handed + line.refused + line.canceling + line.returned + line.missing;
  const isPacked = order.boxes.some(({ items }) => items.size > 0);
  if (order.ticket !== index || !CORRECTABLE.includes(order.status) || isPacked || sum(order, gone) > 0) return true;
  const picked = new Map(parts.map(({ web, sku }) => [web, found.get(sku)!]));
  if (order.lines.some((line) => line.picked !== (picked.get(line.web) ?? 0))) return true;
  const declined = sum(order, (line) => line.declined);
  if (order.type !== 'SHIP_TO_HOME' || declined === 0) return false;
  return model.resourceable(order) !== declined || model.resourced(order) > 0;
}

/** Corrects only tickets of one order with one line for each item, so that every unit clearly belongs to one line. */
const correct = rule<Correct, Parameters<typeof detailsShown>[0]>({
  weight: 5,
  members: fc.record({ ...ticket, near: often, id: fc.nat(1), found: fc.constantFrom(...FOUND) }),
  fit(model, command) {
    const isDone = ({ kind, state }: Ticket) => kind === 'PICK_TICKET' && state === 'CONFIRMED';
    const some = [...model.tickets.keys()].filter((index) => {
      const one = model.tickets[index]!;
      return isDone(one) ? isPlain(model, one) : command.near !== true;
    });
    return some.length === 0 ? undefined : { ...command, ticket: some.at(-1 - (command.ticket % some.length))! };
  },
  send(world, { ticket: index, id, found }) {
    const pickTicketItems = [...unitsOf(world.model.tickets[index]!).values()].map((quantity, place) => {
      const pickedQuantity = unitsFound(found, quantity);
      return { id: place + 1, pickedQuantity, ...(pickedQuantity < quantity && OUT_OF_STOCK) };
    });
    const body = { correctionId: `x${id}`, userId: 'ana', reason: 'Counted again', pickTicketItems };
    return world.call('POST', `${placeOfTicket(world, index).own}/correct`, body);
  },
  expect(model, { ticket: index, id, found }) {
    const one = model.tickets[index]!;
    const picked = new Map([...unitsOf(one)].map(([sku, quantity]) => [sku, unitsFound(found, quantity)]));
    const content = JSON.stringify([...picked]);
    const before = one.corrections.get(id);
    if (before === content) return { status: 200, how: 'repeat', shows: details(model, one) };
    if (before !== undefined) return { status: 409 };
    if (one.kind !== 'PICK_TICKET' || one.state !== 'CONFIRMED') return { status: 409, how: 'state' };
    const order = model.orders.get(one.orders[0]!)!;
    const changed = partsOf(model, one).filter(({ sku }) => picked.get(sku) !== one.found.get(sku));
    if (changed.length > 0) {
      if (isFollowed(model, index, order)) return { status: 409 };
      take(model, index, order, picked);
    }
    one.corrections.set(id, content);
    return { status: 200, shows: details(model, one) };
  },
  shows: detailsShown,
});

function take(model: Model, index: number, order: Order, picked: Map<number, number>): void {
  const one = model.tickets[index]!;
  const less: Line[] = [];
  const more: Line[] = [];
  for (const { line, sku } of partsOf(model, one)) {
    const units = picked.get(sku)! - one.found.get(sku)!;
    line.picked += units;
    line.declined -= units;
    one.short -= units;
    if (units < 0) less.push(line);
    if (units > 0) more.push(line);
  }
  one.found = picked;
  order.placed = sum(order, held) > 0;
  if (!order.placed) order.isMoved = false;
  order.decidedAt = model.now;
  if (order.type === 'SHIP_TO_HOME') model.requestAnew(order);
  model.hold(order, less);
  for (const { sku, declined } of more) if (declined === 0) model.unhold(order, sku);
  model.settle(order);
}

export const correcting: Record<string, Rule<Command>> = { correct };
