/** The moves of clerks on pick tickets: generate, open, save scans, take over, confirm and reset. */
import { QUEUES } from '../../../src/kernel/states.ts';
import { openUnits } from '../../../src/kernel/units.ts';
import { type Line, moved, NOTHING, type Order, type Part, type Ticket, type World, withLines } from '../world.ts';
import type { Clerk, Move, Moves, TicketItem } from './clerk.ts';
import { hold } from './goods.ts';
import { MISSING, NODE, NODE_ID, OWN, WHERE, WHO } from './words.ts';

const OTHER_USER = 'campaign-two';
const isOpen = ({ status }: Ticket) => status !== 'CLOSED';

const generate: Move = (clerk) => {
  const waiting = clerk.orders(({ status, node }) => status === 1100 && node === NODE_ID);
  const first = clerk.pick(waiting)?.[1];
  if (first === undefined) return undefined;
  const alike = waiting.filter(([, { type }]) => type === first.type).map(([id]) => id);
  const orders = alike.slice(0, 1 + clerk.below(3)).sort();
  const effect: World = new Map();
  for (const id of orders) effect.set(`order:${id}`, { ...moved(clerk.order(id), 'generate'), with: orders });
  const body = {
    ...WHERE,
    queueId: QUEUES[first.type][1100],
    userId: WHO,
    modifyAssociateId: WHO,
    fulfillmentOrderIds: orders,
  };
  return clerk.sent({
    method: 'POST',
    path: `${NODE}/pickTicket/generate`,
    body,
    effect,
    events: 1 + orders.length,
    learn: (text) => {
      const [shown] = (JSON.parse(text) as { pickTicketDetails: [ShownTicket] }).pickTicketDetails;
      adopt(clerk, shown.pickTicketId, orders);
      learnItems(clerk, shown);
      return undefined;
    },
  });
};

/** Adds a ticket to the clerk's records, even if the response to its creation was lost. */
export function adopt(clerk: Clerk, id: string, orders: string[]): void {
  const ticket: Ticket = { orders, status: 'NEW', outcome: null, user: WHO, scans: [] };
  clerk.world.set(`ticket:${id}`, ticket);
}

export interface ShownTicket {
  pickTicketId: string;
  pickTicketItems: { id: number; itemDetails: { itemId: string }; quantity: number }[];
}

/** Stores the items of a ticket from a response. */
export function learnItems(clerk: Clerk, { pickTicketId, pickTicketItems }: ShownTicket): undefined {
  const items = pickTicketItems.map(({ id, itemDetails, quantity }) => ({ id, itemId: itemDetails.itemId, quantity }));
  clerk.ticketItems.set(pickTicketId, items);
}

const open: Move = (clerk) => {
  const found = clerk.pick(clerk.tickets((ticket) => isOpen(ticket)));
  if (found === undefined) return undefined;
  const [id, ticket] = found;
  const opens = ticket.status === 'NEW';
  return clerk.sent({
    method: 'POST',
    path: `${NODE}/pickTickets/${id}`,
    body: { ...WHERE, pickTicketId: id, userId: ticket.user },
    effect: opens ? new Map([[`ticket:${id}`, { ...ticket, status: 'IN_PROGRESS' }]]) : NOTHING,
    events: opens ? 1 : 0,
    learn: (text) => learnItems(clerk, (JSON.parse(text) as { pickTicketDetails: ShownTicket }).pickTicketDetails),
  });
};

/** Sends some scans in one message, sometimes with an undo of an earlier scan, or sends the last scan again. */
const scan: Move = (clerk) => {
  const found = clerk.pick(clerk.tickets((ticket) => isOpen(ticket)).filter(([id]) => clerk.ticketItems.has(id)));
  if (found === undefined) return undefined;
  const [id, ticket] = found;
  const last = ticket.scans.at(-1);
  const isRepeat = last !== undefined && clerk.chance(0.15);
  const scans = isRepeat ? [last] : newScans(clerk, ticket, clerk.ticketItems.get(id)!);
  if (scans.length === 0) return undefined;
  const after = { ...ticket, status: 'IN_PROGRESS', scans: [...ticket.scans, ...scans] };
  return clerk.sent({
    method: 'POST',
    path: `${OWN}${NODE}/pickTickets/${id}/scans`,
    body: {
      userId: ticket.user,
      scans: scans.map(([scanId, item, pickedQuantity, undoes]) =>
        undoes === null ? { scanId, id: item, pickedQuantity } : { scanId, undoes },
      ),
    },
    effect: isRepeat ? NOTHING : new Map([[`ticket:${id}`, after]]),
    events: isRepeat ? 0 : 1,
  });
};

function newScans(clerk: Clerk, { scans }: Ticket, items: readonly TicketItem[]): Ticket['scans'] {
  const undone = new Set(scans.map(([, , , undoes]) => undoes));
  const counted = scans.filter(([id, , , undoes]) => undoes === null && !undone.has(id));
  const made: Ticket['scans'] = [];
  const mistake = clerk.chance(0.3) ? clerk.pick(counted) : undefined;
  if (mistake !== undefined) made.push([clerk.newId('-u'), mistake[1], 0, mistake[0]]);
  for (const { id, quantity } of items.slice(0, 1 + clerk.below(3))) {
    const before = counted.filter(([, item]) => item === id).reduce((sum, [, , picked]) => sum + picked, 0);
    if (before < quantity) made.push([clerk.newId(`-${id}`), id, 1 + clerk.below(quantity - before), null]);
  }
  return made;
}

const takeOver: Move = (clerk) => {
  const found = clerk.pick(clerk.tickets((ticket) => isOpen(ticket)));
  if (found === undefined) return undefined;
  const [id, ticket] = found;
  const user = ticket.user === WHO ? OTHER_USER : WHO;
  return clerk.sent({
    method: 'POST',
    path: `${OWN}${NODE}/pickTickets/${id}/takeOver`,
    body: { userId: user, fromUserId: ticket.user, modifyAssociateId: WHO },
    effect: new Map([[`ticket:${id}`, { ...ticket, user }]]),
    events: 1,
  });
};

/** Adds the effect of a RESET by any user. Returns the number of its events. */
export function resetEffect(clerk: Clerk, id: string, ticket: Ticket, effect: World): number {
  effect.set(`ticket:${id}`, { ...ticket, status: 'CLOSED', outcome: 'RESET' });
  let withdrawn = 0;
  for (const order of ticket.orders) {
    const before = clerk.order(order);
    if (before.lines.some((line) => line.canceling > 0)) withdrawn += 1;
    const after = withLines(before, ({ canceled, canceling }) => ({ canceled: canceled + canceling, canceling: 0 }));
    effect.set(`order:${order}`, { ...moved(after, 'reset'), with: null });
  }
  return 1 + ticket.orders.length + withdrawn;
}

const reset: Move = (clerk) => {
  const found = clerk.pick(clerk.tickets((ticket) => isOpen(ticket)));
  if (found === undefined) return undefined;
  const effect: World = new Map();
  const events = resetEffect(clerk, ...found, effect);
  return clerk.sent({ ...update({ pickTicketId: found[0], action: 'RESET', userId: WHO }), effect, events });
};

/**
 * Confirms a ticket with all units found, or with no units found. A part of the units is found only on a ticket with
 * one order, because with several orders it is not clear which line gets the units.
 */
const confirm: Move = (clerk) => {
  const found = clerk.pick(clerk.tickets((ticket) => isOpen(ticket)).filter(([id]) => clerk.ticketItems.has(id)));
  if (found === undefined) return undefined;
  const [id, ticket] = found;
  const isAll = clerk.chance(0.6);
  const isPart = !isAll && ticket.orders.length === 1;
  const pickTicketItems = clerk.ticketItems.get(id)!.map(({ id: number, itemId, quantity }) => {
    const pickedQuantity = isAll ? quantity : isPart ? clerk.below(quantity + 1) : 0;
    return { id: number, itemId, quantity, ...pickedAndCanceled(pickedQuantity, quantity) };
  });
  const units = new Map(pickTicketItems.map((item) => [item.itemId, item.pickedQuantity]));
  const picks = ticket.orders.map((order) =>
    picked(clerk.order(order), (line) => (isPart ? (units.get(line.item) ?? 0) : isAll ? openUnits(line) : 0)),
  );
  const effect: World = new Map([[`ticket:${id}`, { ...ticket, status: 'CLOSED', outcome: 'CONFIRMED' }]]);
  for (const [index, order] of ticket.orders.entries()) effect.set(`order:${order}`, picks[index]!.order);
  const held = hold(
    clerk,
    picks.flatMap((pick) => pick.declined),
    effect,
  );
  const details = { pickTicketId: id, action: 'CONFIRM', userId: ticket.user, holdLocation: 'A1', pickTicketItems };
  const events = 1 + held + picks.reduce((sum, pick) => sum + pick.events, 0);
  return clerk.sent({ ...update(details), effect, events });
};

/** Returns the fields of a CONFIRM for an item of a ticket. */
export function pickedAndCanceled(pickedQuantity: number, quantity: number) {
  const canceledQuantity = quantity - pickedQuantity;
  return { pickedQuantity, canceledQuantity, ...(canceledQuantity > 0 && { cancellationReasonCode: MISSING }) };
}

export function update(details: object) {
  const body = { modifyAssociateId: WHO, pickTicketDetails: { ...WHERE, ...details } };
  return { method: 'PUT', path: `${NODE}/pickTicket/update`, body } as const;
}

/**
 * Returns the order after a pick that found these units of each line. Found units first fill wanted units, then units
 * that the customer canceled in the meantime. These canceled units must be brought back.
 */
function picked(before: Order, foundOf: (line: Line) => number): { order: Order; declined: string[]; events: number } {
  const declined: Part[] = [];
  const back: Part[] = [];
  const after = withLines(before, (line, index) => {
    const wanted = openUnits(line) - line.canceling;
    const found = foundOf(line);
    const got = Math.min(found, wanted);
    const returning = Math.min(found - got, line.canceling);
    if (wanted > got) declined.push([index, wanted - got]);
    if (returning > 0) back.push([index, returning]);
    return {
      picked: got + returning,
      declined: wanted - got,
      canceled: line.canceled + line.canceling - returning,
      canceling: returning,
    };
  });
  const asked = declined.length > 0 && before.type === 'SHIP_TO_HOME';
  const order: Order = {
    ...after,
    with: null,
    requests: asked ? [...after.requests, { status: 'OPEN', parts: declined, newOrder: null }] : after.requests,
    reverses: back.length > 0 ? [...after.reverses, { status: 'NEW', user: '', parts: back }] : after.reverses,
  };
  return {
    order: moved(order, 'confirm'),
    declined: declined.map(([index]) => before.lines[index]!.item),
    events: 1 + (asked ? 1 : 0) + (back.length > 0 ? 1 : 0),
  };
}

export const pickingMoves: Moves = [
  [14, generate],
  [6, open],
  [8, scan],
  [3, takeOver],
  [4, reset],
  [12, confirm],
];
