/** Commands that create and close pick tickets, including tickets that bring units back. */
import fc from 'fast-check';
import { type Command, existing, hasTwice, meant, ORDERS, often, type Rule, rule, ticket } from './command.ts';
import type { Model } from './model.ts';
import {
  held,
  isClosed,
  type Line,
  ORDER_TYPES,
  type Order,
  type OrderType,
  open,
  QUEUE,
  queueOf,
  sum,
  type Ticket,
  unitsOf,
} from './things.ts';
import { OUT_OF_STOCK, placeOfTicket } from './tickets.ts';
import { itemId, pathOf, skuOf, type World, whereIs } from './world.ts';

export const FOUND = ['all', 'all', 'all', 'none', 'half'] as const;
export type Found = (typeof FOUND)[number];

export function unitsFound(found: string, quantity: number): number {
  return found === 'all' ? quantity : found === 'none' ? 0 : Math.floor(quantity / 2);
}

interface Generate {
  orders: number[];
  type: OrderType;
  /**
   * True to keep only orders that can share a ticket: orders of the first order's type and node. `type` is then the
   * type of the first order.
   */
  fits: boolean;
}

const generate = rule({
  weight: 9,
  members: fc.record({
    orders: fc.oneof(
      { weight: 3, arbitrary: fc.array(ORDERS, { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(ORDERS, { minLength: 1, maxLength: 3 }) },
    ),
    type: fc.constantFrom(...ORDER_TYPES),
    fits: often,
  }),
  fit(model, command: Generate) {
    if (!command.fits) return command;
    const isFree = ({ status }: Order) => status === 1100;
    const [first, ...others] = command.orders.map((order) => meant(model, { order, near: true }, isFree)?.order);
    if (first === undefined) return undefined;
    const leader = model.orders.get(first);
    const rest = others.filter((id): id is number => {
      const other = model.orders.get(id!);
      return other?.type === leader?.type && other?.node === leader?.node;
    });
    return { ...command, orders: [first, ...rest], type: leader?.type ?? command.type };
  },
  tries: ({ orders }, command) =>
    command.orders.flatMap((order) => (orders.has(order) ? { order, action: 'generate' } : [])),
  send(world, { orders, type }) {
    const where = whereIs(world, orders[0]!);
    return world.call('POST', `${pathOf(where)}/pickTicket/generate`, {
      ...where,
      queueId: QUEUE[type],
      userId: 'ana',
      modifyAssociateId: 'ana',
      fulfillmentOrderIds: orders.map(String),
    });
  },
  expect(model, { orders: ids, type }) {
    const node = model.orders.get(ids[0]!)?.node ?? 1;
    const known = ids.map((id) => model.orders.get(id)).filter((order) => order?.node === node) as Order[];
    const isMixed = hasTwice(ids) || new Set(known.map((order) => order.type)).size > 1;
    const isElsewhere = known.some((order) => order.status < 1200 && queueOf(order) !== QUEUE[type]);
    if (known.length < ids.length || isMixed || isElsewhere) return { status: 400 };
    if (known.some((order) => order.status !== 1100)) return { status: 409, how: 'state' };
    const parts = known.flatMap((order) =>
      order.lines.flatMap((line) =>
        open(line) === 0 ? [] : { order: order.id, web: line.web, sku: line.sku, quantity: open(line) },
      ),
    );
    for (const order of known) {
      Object.assign(order, { status: 1150, ticket: model.tickets.length });
      model.moved(order);
    }
    model.addTicket({ kind: 'PICK_TICKET', node, queue: QUEUE[type], orders: [...ids], parts, user: 'ana' });
    const units = [...unitsOf(model.tickets.at(-1)!)];
    return { status: 201, shows: units.map(([sku, quantity], index) => [index + 1, sku, quantity]) };
  },
  shows: (body: {
    pickTicketDetails: [{ pickTicketItems: { id: number; itemDetails: { itemId: string }; quantity: number }[] }];
  }) =>
    body.pickTicketDetails[0].pickTicketItems.map((item) => [item.id, skuOf(item.itemDetails.itemId), item.quantity]),
});

function update(world: World, index: number, details: object) {
  const { where, path } = placeOfTicket(world, index);
  const pickTicketDetails = { pickTicketId: world.tickets[index], ...where, userId: 'ana', ...details };
  return world.call('PUT', `${path}/pickTicket/update`, { modifyAssociateId: 'ana', pickTicketDetails });
}

const confirm = rule({
  weight: 8,
  members: fc.record({ ...ticket, found: fc.constantFrom(...FOUND) }),
  fit: existing,
  tries(model, { ticket: index }) {
    const ticket = model.tickets[index]!;
    const back = ticket.kind === 'REVERSE_PICK_TICKET' && !isClosed(ticket);
    return [{ ticket: index, action: 'CONFIRM' }, ...(back ? [{ order: ticket.orders[0]!, action: 'bringBack' }] : [])];
  },
  send(world, { ticket: index, found }) {
    const units = [...unitsOf(world.model.tickets[index]!)];
    const pickTicketItems = units.map(([sku, quantity], place) => {
      const pickedQuantity = unitsFound(found, quantity);
      const canceledQuantity = quantity - pickedQuantity;
      const reason = canceledQuantity > 0 && OUT_OF_STOCK;
      return { id: place + 1, itemId: itemId(sku), quantity, pickedQuantity, canceledQuantity, ...reason };
    });
    return update(world, index, { action: 'CONFIRM', holdLocation: 'A1', pickTicketItems });
  },
  expect(model, { ticket: index, found }) {
    const ticket = model.tickets[index]!;
    const picked = new Map([...unitsOf(ticket)].map(([sku, quantity]) => [sku, unitsFound(found, quantity)]));
    if (ticket.state === 'CONFIRMED') {
      const isSame = [...picked].every(([sku, units]) => ticket.keyed.get(sku) === units);
      return isSame ? { status: 204, how: 'repeat' } : { status: 409, how: 'state' };
    }
    if (ticket.state === 'RESET') return { status: 409, how: 'state' };
    Object.assign(ticket, { state: 'CONFIRMED', lease: null, keyed: picked, found: picked });
    if (ticket.kind === 'PICK_TICKET') pick(model, ticket, picked);
    else bringBack(model, ticket);
    return { status: 204 };
  },
});

/** Units of an item that a line needs (`units`), and units that the line got (`got`). */
interface Claim {
  line: Line;
  units: number;
  got: number;
}

/**
 * Assigns the found units first to the wanted units of all orders, then to units that were canceled since the ticket
 * was generated.
 */
function pick(model: Model, ticket: Ticket, found: ReadonlyMap<number, number>): void {
  const orders = ticket.orders
    .map((id) => model.orders.get(id)!)
    // All orders have the same fulfillment order date, so they are sorted by their entry into the queue, then by id.
    .sort((a, b) => a.agenda.since - b.agenda.since || a.id - b.id);
  const claims = (units: (line: Line, quantity: number) => number) =>
    orders.map((order) =>
      ticket.parts
        .filter((part) => part.order === order.id)
        .map((part): Claim => {
          const line = order.lines.find(({ web }) => web === part.web)!;
          return { line, units: units(line, part.quantity), got: 0 };
        }),
    );
  const wanted = claims((line, quantity) => quantity - line.canceling);
  const marked = claims((line) => line.canceling);
  const left = new Map(found);
  for (const round of [wanted, marked]) allot(round, left);
  const declines = [];
  const outcomes = orders
    .map((order, place) => ({ order, wanted: wanted[place]!, marked: marked[place]! }))
    .sort((a, b) => a.order.id - b.order.id);
  for (const { order, wanted, marked } of outcomes) {
    for (const [place, { line, units, got }] of wanted.entries()) {
      const back = marked[place]!;
      line.picked += got + back.got;
      line.declined += units - got;
      line.canceled += back.units - back.got;
      line.canceling = back.got;
    }
    const short = wanted.filter(({ units, got }) => got < units);
    for (const { units, got } of short) ticket.short += units - got;
    declines.push({ order, lines: short.map(({ line, units, got }) => ({ line, quantity: units - got })) });
    order.placed = [...wanted, ...marked].some(({ got }) => got > 0);
  }
  model.follow(declines);
  for (const { order, marked } of outcomes) {
    model.settle(order);
    const back = new Map(marked.filter(({ got }) => got > 0).map(({ line, got }) => [line, got]));
    if (back.size > 0) model.bringBack(order, back);
  }
}

/**
 * Assigns units first to every order whose claims can all be met. The other orders get the remaining units in turn,
 * line by line.
 */
function allot(orders: readonly Claim[][], left: Map<number, number>): void {
  const take = (claim: Claim) => {
    claim.got = Math.min(claim.units, left.get(claim.line.sku)!);
    left.set(claim.line.sku, left.get(claim.line.sku)! - claim.got);
  };
  const waiting = orders.filter((claims) => {
    const before = new Map(left);
    claims.forEach(take);
    if (claims.every(({ units, got }) => units === got)) return false;
    for (const claim of claims) claim.got = 0;
    for (const [sku, units] of before) left.set(sku, units);
    return true;
  });
  for (const claims of waiting) claims.forEach(take);
}

/**
 * Confirms a reverse ticket. The found units of an item are assigned to the order's lines in sequence and count as
 * returned; the remaining units of the ticket count as missing.
 */
function bringBack(model: Model, ticket: Ticket): void {
  const order = model.orders.get(ticket.orders[0]!)!;
  const found = new Map(ticket.found);
  for (const { web, sku, quantity } of ticket.parts) {
    const back = Math.min(quantity, found.get(sku) ?? 0);
    found.set(sku, (found.get(sku) ?? 0) - back);
    const line = order.lines.find((one) => one.web === web)!;
    line.canceling -= quantity;
    line.returned += back;
    line.missing += quantity - back;
  }
  if (sum(order, held) === 0) order.placed = false;
  model.settle(order);
}

const reset = rule({
  weight: 2,
  members: fc.record(ticket),
  fit: existing,
  tries: (_model, { ticket }) => [{ ticket, action: 'RESET' }],
  send: (world, { ticket }) => update(world, ticket, { action: 'RESET' }),
  expect(model, { ticket: index }) {
    const ticket = model.tickets[index]!;
    if (ticket.state === 'CONFIRMED') return { status: 409, how: 'state' };
    if (ticket.state === 'RESET') return { status: 204, how: 'repeat' };
    model.giveBack(ticket);
    return { status: 204 };
  },
});

export const picking: Record<string, Rule<Command>> = { generate, confirm, reset };
