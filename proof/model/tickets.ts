/** Commands of work on a ticket: open, save scans, take over, find. */
import fc from 'fast-check';
import { type Command, existing, often, type Rule, rule, seldom, ticket } from './command.ts';
import type { Model } from './model.ts';
import { actionsIn } from './orders.ts';
import { isClosed, NODES, type Node, QUEUE, REVERSE, type Ticket, unitsOf } from './things.ts';
import { itemId, minutesAt, nodeOf, pathOf, skuOf, storeOf, type World } from './world.ts';

const USERS = ['ana', 'ben'] as const;
export const OUT_OF_STOCK = { cancellationReasonCode: 'CancelMXOutOfStock' };

/** Returns the common fields of a message about a ticket, the path of its node, and its own path. */
export function placeOfTicket(world: World, index: number) {
  const where = { storeId: storeOf(world), nodeId: nodeOf(world, world.model.tickets[index]!.node) };
  return { where, path: pathOf(where), own: `/operator/v1${pathOf(where)}/pickTickets/${world.tickets[index]}` };
}

/** Returns the scanned units of an item. A scan that a later scan undoes does not count. */
function scanned({ scans }: Pick<Ticket, 'scans'>, sku: number): [picked: number, missing: number] {
  const undone = new Set(scans.map(({ undoes }) => undoes));
  const counted = scans.filter((one) => one.sku === sku && one.undoes === undefined && !undone.has(one.scan));
  return [
    counted.reduce((total, { picked }) => total + picked, 0),
    counted.reduce((total, { missing }) => total + missing, 0),
  ];
}

const ticketActions = (ticket: Ticket) =>
  ['open', 'saveProgress', 'takeOver', 'CONFIRM', 'RESET'].map((action) => [
    action,
    !isClosed(ticket) && (action !== 'takeOver' || ticket.user !== ''),
  ]);

/** Returns the details of a ticket, as in a response. */
export function details(model: Model, ticket: Ticket) {
  const items = [...unitsOf(ticket)].map(([sku, quantity]) => {
    const found = ticket.found.get(sku) ?? 0;
    const confirmed = [found, quantity - found];
    const done = ticket.state === 'CONFIRMED' ? confirmed : ticket.state === 'RESET' ? [0, 0] : scanned(ticket, sku);
    const marked = ticket.parts
      .filter((part) => part.sku === sku)
      .map((part) => {
        const line = model.orders.get(part.order)!.lines.find(({ web }) => web === part.web)!;
        return Math.min(part.quantity, line.canceling);
      });
    const isShown = !isClosed(ticket) && ticket.kind === 'PICK_TICKET';
    return [sku, quantity, ...done, isShown ? marked.reduce((total, units) => total + units, 0) : 0];
  });
  return [...header(ticket), ticket.orders.toSorted((a, b) => a - b), items, ticketActions(ticket)];
}

function header({ kind, state, user, lease }: Ticket) {
  return [kind, state, user, lease];
}

interface HeaderShown {
  pickTicketId: string;
  pickTicketType: string;
  status: string;
  outcome?: string;
  userId: string;
  leaseUntil?: string;
}

function headerShown(shown: HeaderShown, world: World) {
  const lease = shown.leaseUntil === undefined ? null : minutesAt(world, shown.leaseUntil);
  return [shown.pickTicketType, shown.outcome ?? shown.status, shown.userId, lease];
}

export interface DetailsShown {
  pickTicketDetails: HeaderShown & {
    fulfillmentOrderIds: string[];
    pickTicketItems: {
      itemDetails: { itemId: string };
      quantity: number;
      pickedQuantity: number;
      canceledQuantity: number;
      customerCanceledQuantity?: number;
    }[];
    allowedActions: { action: string; allowed: boolean }[];
  };
}

export function detailsShown({ pickTicketDetails: shown }: DetailsShown, world: World) {
  const items = shown.pickTicketItems.map((item) => [
    skuOf(item.itemDetails.itemId),
    item.quantity,
    item.pickedQuantity,
    item.canceledQuantity,
    item.customerCanceledQuantity ?? 0,
  ]);
  const orders = shown.fulfillmentOrderIds.map(Number).sort((a, b) => a - b);
  return [...headerShown(shown, world), orders, items, actionsIn(shown.allowedActions)];
}

const openTicket = rule({
  weight: 3,
  members: fc.record({ ...ticket, user: fc.option(fc.constantFrom(...USERS)) }),
  fit: existing,
  send(world, { ticket, user }) {
    const { where, path } = placeOfTicket(world, ticket);
    const pickTicketId = world.tickets[ticket]!;
    const body = { ...where, pickTicketId, ...(user !== null && { userId: user }) };
    return world.call('POST', `${path}/pickTickets/${pickTicketId}`, body);
  },
  expect(model, { ticket: index, user }) {
    const ticket = model.tickets[index]!;
    const by = user ?? ticket.user;
    if (ticket.state === 'NEW' && by !== '' && (ticket.user === '' || ticket.user === by)) {
      ticket.user = by;
      model.touch(ticket);
    }
    return { status: 200, shows: details(model, ticket) };
  },
  shows: detailsShown,
});

const saveScans = rule({
  weight: 4,
  members: fc.record({
    ...ticket,
    user: fc.constantFrom('ana', 'ana', 'ben'),
    near: often,
    scans: fc.array(
      fc.record({
        scan: fc.nat(4),
        sku: fc.nat(2),
        found: fc.constantFrom('one', 'one', 'all', 'missing'),
        undoes: fc.option(fc.nat(4), { freq: 2 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fit(model, command) {
    const known = existing(model, command);
    if (known === undefined || !known.near) return known;
    const skus = [...unitsOf(model.tickets[known.ticket]!).keys()];
    return { ...known, scans: known.scans.map((scan) => ({ ...scan, sku: skus[scan.sku % skus.length]! })) };
  },
  tries: (_model, { ticket }) => [{ ticket, action: 'saveProgress' }],
  send(world, { ticket: index, user, scans }) {
    const units = unitsOf(world.model.tickets[index]!);
    const sent = scans.map(({ scan, sku, found, undoes }) => {
      const named = { scanId: `s${scan}`, code: itemId(sku) };
      if (undoes !== null) return { ...named, undoes: `s${undoes}` };
      if (found === 'missing') return { ...named, canceledQuantity: 1, ...OUT_OF_STOCK };
      return { ...named, ...(found === 'all' && { pickedQuantity: units.get(sku) ?? 1 }) };
    });
    return world.call('POST', `${placeOfTicket(world, index).own}/scans`, { userId: user, scans: sent });
  },
  expect(model, { ticket: index, user, scans: sent }) {
    const ticket = model.tickets[index]!;
    if (isClosed(ticket)) return { status: 409, how: 'state' };
    if (ticket.user !== '' && ticket.user !== user) return { status: 409 };
    const units = unitsOf(ticket);
    const scans = [...ticket.scans];
    for (const { scan, sku: named, found, undoes } of sent) {
      const undone = undoes === null ? undefined : scans.find((one) => one.scan === undoes);
      const sku = undone?.sku ?? named;
      const isUndone = undoes !== null && scans.some((one) => one.undoes === undoes && one.scan !== scan);
      // A new scan must not undo an undo, whichever of them arrives first.
      const isNew = scans.every((one) => one.scan !== scan);
      const isChain = undone?.undoes !== undefined || scans.some((one) => one.undoes === scan);
      const undoesUndo = undoes !== null && isNew && isChain;
      if (!units.has(sku) || undoes === scan || isUndone || undoesUndo) return { status: 400 };
      const picked = undoes !== null || found === 'missing' ? 0 : found === 'all' ? units.get(sku)! : 1;
      const missing = undoes === null && found === 'missing' ? 1 : 0;
      const made = { scan, sku, picked, missing, undoes: undoes ?? undefined };
      const known = scans.find((one) => one.scan === scan);
      if (known === undefined) scans.push(made);
      else if (JSON.stringify(known) !== JSON.stringify(made)) return { status: 400 };
    }
    const over = [...units].some(([sku, quantity]) => {
      const [picked, missing] = scanned({ scans }, sku);
      return picked + missing > quantity;
    });
    if (over) return { status: 400 };
    const saved = scans.length - ticket.scans.length;
    if (saved > 0) {
      Object.assign(ticket, { scans, user });
      model.touch(ticket);
    }
    const items = [...units.keys()].map((sku) => scanned(ticket, sku));
    const shows = [saved, sent.length - saved, ticket.state, items, ticketActions(ticket)];
    return { status: 200, shows, ...(saved === 0 && { how: 'repeat' as const }) };
  },
  shows: (body: {
    saved: number;
    repeated: number;
    status: string;
    pickTicketItems: { pickedQuantity: number; canceledQuantity: number }[];
    allowedActions: { action: string; allowed: boolean }[];
  }) => [
    body.saved,
    body.repeated,
    body.status,
    body.pickTicketItems.map((item) => [item.pickedQuantity, item.canceledQuantity]),
    actionsIn(body.allowedActions),
  ],
});

const takeOver = rule({
  weight: 2,
  members: fc.record({ ...ticket, user: fc.constantFrom(...USERS), from: fc.constantFrom(...USERS), wrong: seldom }),
  /** Mostly, the command names the user to whom the ticket is assigned. */
  fit(model, command) {
    const known = existing(model, command);
    const user = known && model.tickets[known.ticket]!.user;
    return known && { ...known, from: known.wrong || !user ? known.from : (user as (typeof USERS)[number]) };
  },
  tries: (_model, { ticket }) => [{ ticket, action: 'takeOver' }],
  send: (world, { ticket, user, from }) =>
    world.call('POST', `${placeOfTicket(world, ticket).own}/takeOver`, {
      userId: user,
      fromUserId: from,
      modifyAssociateId: 'lea',
    }),
  expect(model, { ticket: index, user, from }) {
    const ticket = model.tickets[index]!;
    if (isClosed(ticket)) return { status: 409, how: 'state' };
    if (ticket.user !== user) {
      if (ticket.user === '') return { status: 409, how: 'state' };
      if (ticket.user !== from) return { status: 409 };
      ticket.user = user;
      if (ticket.lease !== null) model.touch(ticket);
    }
    return { status: 200, shows: details(model, ticket) };
  },
  shows: detailsShown,
});

const STATUSES = { open: ['NEW', 'IN_PROGRESS'], closed: ['CLOSED'], all: ['NEW', 'IN_PROGRESS', 'CLOSED'] };

const findTickets = rule({
  weight: 2,
  members: fc.record({
    node: fc.constantFrom<Node>(...NODES),
    queue: fc.constantFrom(...Object.values(QUEUE), REVERSE),
    statuses: fc.constantFrom<keyof typeof STATUSES>('open', 'closed', 'all'),
  }),
  send(world, { node, queue, statuses }) {
    const where = { storeId: storeOf(world), nodeId: nodeOf(world, node) };
    const body = { ...where, queueId: queue, userId: 'ana', pickTicket: { statuses: STATUSES[statuses] } };
    return world.call('POST', `${pathOf(where)}/pickTicket/search`, body);
  },
  expect({ tickets }, { node, queue, statuses }) {
    const shows = tickets.flatMap((ticket, index) => {
      const isMeant = statuses === 'all' || (statuses === 'closed') === isClosed(ticket);
      return ticket.node === node && ticket.queue === queue && isMeant ? [[index, ...header(ticket)]] : [];
    });
    return { status: 200, shows };
  },
  shows: (body: { pickTickets: HeaderShown[] }, world) =>
    body.pickTickets
      .map((one) => [world.tickets.indexOf(one.pickTicketId), ...headerShown(one, world)])
      .sort((a, b) => Number(a[0]) - Number(b[0])),
});

export const tickets: Record<string, Rule<Command>> = { openTicket, saveScans, takeOver, findTickets };
