/**
 * The moves of clerks on canceled units: the customer cancels, and a reverse pick ticket brings the picked units back
 * to their shelf.
 */
import { leftUnits } from '../../../src/kernel/units.ts';
import { type Line, moved, NOTHING, type Order, type Part, requested, withLines } from '../world.ts';
import type { Clerk, Move, Moves } from './clerk.ts';
import { learnItems, pickedAndCanceled, type ShownTicket, update } from './picking.ts';
import { BY_CUSTOMER, NODE, orderPath, WHERE, WHO } from './words.ts';

const IN_STORE = [1200, 1400, 1500];

/** Returns the units of a line that were canceled so far. */
const canceledSoFar = (line: Line) => line.canceled + line.canceling + line.returned + line.missing;

/**
 * Cancels the whole order or some units of a line. Leaves out cases in which only the service knows the packages that
 * change.
 */
const cancel: Move = (clerk) => {
  const found = clerk.pick(clerk.orders((order) => canCancel(order)));
  if (found === undefined) return undefined;
  const [id, order] = found;
  const isWhole = mustBeWhole(order) || clerk.chance(0.5);
  const parts = order.lines.map((line, index): Part => [index, leftUnits(line)]).filter(([, units]) => units > 0);
  const some = parts.slice(0, 1).map(([index, units]): Part => [index, 1 + clerk.below(units)]);
  const { after, events } = canceled(order, isWhole ? parts : some, isWhole);
  const lines = some.map(([index, units]) => ({
    webLineId: order.lines[index]!.web,
    quantity: canceledSoFar(order.lines[index]!) + units,
  }));
  return clerk.sent({
    method: 'POST',
    path: orderPath(id, 'cancel'),
    body: { reasonCode: BY_CUSTOMER, ...(!isWhole && { lines }) },
    effect: new Map([[`order:${id}`, after]]),
    events,
  });
};

function canCancel(order: Order): boolean {
  if (order.status === 9100) return requested(order).resourceable > 0;
  if (![1100, 1150, ...IN_STORE].includes(order.status)) return false;
  if (order.status === 1500 && order.handOvers.length > 0) return false;
  return order.lines.some((line) => leftUnits(line) > 0);
}

function mustBeWhole({ status, packages }: Order): boolean {
  return status === 9100 || packages.length > 0;
}

function canceled(before: Order, parts: readonly Part[], isWhole: boolean): { after: Order; events: number } {
  const units = new Map(parts);
  const isBack = IN_STORE.includes(before.status);
  const member = isBack || before.status === 1150 ? 'canceling' : 'canceled';
  const less = withLines(before, (line, index) => ({ [member]: line[member] + (units.get(index) ?? 0) }));
  const closes = isWhole ? before.requests.filter(({ status }) => status === 'OPEN').length : 0;
  const after: Order = {
    ...less,
    requests: less.requests.map((one) => (closes > 0 && one.status === 'OPEN' ? { ...one, status: 'CANCELED' } : one)),
    reverses: isBack ? [...less.reverses, { status: 'NEW', user: '', parts: [...parts] }] : less.reverses,
    packages: isBack && isWhole ? [] : less.packages,
  };
  return { after: moved(after, 'cancel'), events: 1 + closes + (isBack ? 1 : 0) };
}

/** Returns the order after its pick-up time: uncollected units are canceled and brought back. */
export function expired(order: Order): Order {
  const parts = order.lines.map((line, index): Part => [index, leftUnits(line)]).filter(([, units]) => units > 0);
  const units = new Map(parts);
  const after = withLines(order, ({ canceling }, index) => ({ canceling: canceling + (units.get(index) ?? 0) }));
  return moved({ ...after, reverses: [...after.reverses, { status: 'NEW', user: '', parts }] }, 'expire');
}

/**
 * Returns a random open reverse ticket that is known from the feed, with its order and its index; undefined if there is
 * none.
 */
function reverse(clerk: Clerk) {
  const heard = clerk
    .orders(({ reverses }) => reverses.some(({ status }) => status !== 'CLOSED'))
    .flatMap(([id, order]) =>
      order.reverses.flatMap((ticket, at) => {
        const ticketId = clerk.reverseIds.get(id)?.[at];
        return ticket.status === 'CLOSED' || ticketId === undefined ? [] : [{ id, order, ticket, at, ticketId }];
      }),
    );
  return clerk.pick(heard);
}

type Reverse = NonNullable<ReturnType<typeof reverse>>;

function withReverse({ order, at }: Reverse, change: Partial<Order['reverses'][number]>): Order {
  return { ...order, reverses: order.reverses.map((one, index) => (index === at ? { ...one, ...change } : one)) };
}

/** Opens a reverse ticket without a user, or reads one that is already assigned to the clerk. */
const takeReverse: Move = (clerk) => {
  const found = reverse(clerk);
  if (found === undefined) return undefined;
  const isNew = found.ticket.status === 'NEW';
  const opened = withReverse(found, { status: 'IN_PROGRESS', user: WHO });
  return clerk.sent({
    method: 'POST',
    path: `${NODE}/pickTickets/${found.ticketId}`,
    body: { ...WHERE, pickTicketId: found.ticketId, userId: WHO },
    effect: isNew ? new Map([[`order:${found.id}`, opened]]) : NOTHING,
    events: isNew ? 1 : 0,
    learn: (text) => learnItems(clerk, (JSON.parse(text) as { pickTicketDetails: ShownTicket }).pickTicketDetails),
  });
};

const giveBack: Move = (clerk) => {
  const found = reverse(clerk);
  if (found?.ticket.status !== 'IN_PROGRESS') return undefined;
  return clerk.sent({
    ...update({ pickTicketId: found.ticketId, action: 'RESET', userId: WHO }),
    effect: new Map([[`order:${found.id}`, withReverse(found, { status: 'NEW', user: '' })]]),
    events: 1,
  });
};

const bringBack: Move = (clerk) => {
  const found = reverse(clerk);
  if (found === undefined) return undefined;
  const { order, ticket, ticketId } = found;
  const [line, quantity] = ticket.parts[0]!;
  // If a ticket has only one item, the number of the item is 1. The numbers of several items depend on their locations,
  // so the clerk must get the numbers from a response.
  const onlyItem = ticket.parts.length === 1 ? [{ id: 1, itemId: order.lines[line]!.item, quantity }] : undefined;
  const items = onlyItem ?? clerk.ticketItems.get(ticketId);
  if (items === undefined) return undefined;
  const pickTicketItems = items.map((item) => ({
    ...item,
    ...pickedAndCanceled(clerk.chance(0.8) ? item.quantity : clerk.below(item.quantity + 1), item.quantity),
  }));
  const units = new Map(ticket.parts);
  const left = new Map(pickTicketItems.map((item) => [item.itemId, item.pickedQuantity]));
  const closed = withLines(withReverse(found, { status: 'CLOSED' }), (line, index) => {
    const all = units.get(index) ?? 0;
    const back = Math.min(all, left.get(line.item) ?? 0);
    left.set(line.item, (left.get(line.item) ?? 0) - back);
    return {
      canceling: line.canceling - all,
      returned: line.returned + back,
      missing: line.missing + all - back,
    };
  });
  return clerk.sent({
    ...update({ pickTicketId: ticketId, action: 'CONFIRM', userId: WHO, holdLocation: 'SHELF', pickTicketItems }),
    effect: new Map([[`order:${found.id}`, moved(closed, 'bringBack')]]),
    events: 2,
  });
};

export const returnsMoves: Moves = [
  [5, cancel],
  [2, takeReverse],
  [1, giveBack],
  [6, bringBack],
];
