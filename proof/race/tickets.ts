/** Contests for orders and tickets: several requests compete for one order, or close one ticket. */
import { sql } from 'kysely';
import type { Answer } from '../../town/call.ts';
import {
  type Arena,
  confirmBody,
  generateBody,
  inShort,
  must,
  NODE,
  resetBody,
  sample,
  type Ticket,
  ticketOf,
} from './arena.ts';

const GENERATORS = 16;
const GENERATE = `${NODE}/pickTicket/generate`;
const UPDATE = `${NODE}/pickTicket/update`;

interface Holder {
  pickTicketId: string;
  userId: string;
  since: string;
}

/**
 * Sixteen requests generate tickets from the same 400 orders, or from a few of them. Each order must be on at most one
 * ticket. The errors must name the user of the ticket that has the order.
 */
export async function generators(arena: Arena): Promise<void> {
  const { service, orders, whole, fail } = arena;
  const size = [1, 3, 10, 50][whole(4)]!;
  const pool = sample(arena, orders, [size, 3 * size, orders.length][whole(3)]!);
  const wishes = Array.from({ length: GENERATORS }, (_, index) => ({
    ids: sample(arena, pool, size),
    userId: `picker-${index}`,
  }));
  const answers = await Promise.all(
    wishes.map(({ ids, userId }) => service.client('POST', GENERATE, generateBody(ids, userId))),
  );
  const holders = new Map<string, Holder>();
  const tickets: Ticket[] = [];
  for (const [index, answer] of answers.entries()) {
    if (answer.status !== 201) continue;
    const ticket = ticketOf(answer);
    tickets.push(ticket);
    for (const id of wishes[index]!.ids) {
      if (holders.has(id))
        fail(`order ${id} went to tickets ${holders.get(id)!.pickTicketId} and ${ticket.pickTicketId}`);
      holders.set(id, {
        pickTicketId: ticket.pickTicketId,
        userId: wishes[index]!.userId,
        since: ticket.pickTicketDate,
      });
    }
  }
  if (tickets.length === 0) fail(`none of ${GENERATORS} got a ticket: ${answers.map(inShort).join('; ')}`);
  for (const [index, answer] of answers.entries()) {
    if (answer.status !== 201) judgeLoser(arena, wishes[index]!.ids, answer, holders);
  }
  await judgeOrders(arena, pool, holders);
  for (const { pickTicketId, userId } of tickets) {
    must(await service.client('PUT', UPDATE, resetBody(pickTicketId, userId)), 204);
  }
  await judgeOrders(arena, pool, new Map());
}

function judgeLoser(
  { fail }: Arena,
  ids: readonly string[],
  answer: Answer,
  holders: ReadonlyMap<string, Holder>,
): void {
  const body = answer.body as Partial<Holder> & {
    code?: string;
    orders?: (Partial<Holder> & { fulfillmentOrderId: string })[];
  };
  const named = body.orders ?? [];
  if (answer.status !== 409 || body.code !== 'CONFLICT' || named.length === 0) {
    fail(`a request that lost an order got ${inShort(answer)}`);
    return;
  }
  for (const { fulfillmentOrderId, pickTicketId, userId, since } of named) {
    const holder = holders.get(fulfillmentOrderId);
    const isRight = holder?.pickTicketId === pickTicketId && holder?.userId === userId && holder?.since === since;
    if (!isRight || !ids.includes(fulfillmentOrderId)) {
      fail(
        `order ${fulfillmentOrderId} is of ${JSON.stringify(holder)}, the error says ${pickTicketId} ${userId} ${since}`,
      );
    }
  }
  const first = holders.get(named[0]!.fulfillmentOrderId);
  if (first?.pickTicketId !== body.pickTicketId || first?.userId !== body.userId || first?.since !== body.since) {
    fail(`the error names ${body.pickTicketId} of ${body.userId} since ${body.since}, not ${JSON.stringify(first)}`);
  }
}

/**
 * Checks in the database that exactly the orders in `holders` are on open tickets, and that each order has the ticket
 * of its holder.
 */
async function judgeOrders({ service, fail }: Arena, pool: readonly string[], holders: ReadonlyMap<string, Holder>) {
  const { rows } = await service.store.read((db) =>
    sql<{ id: string; status: number; ticket: string | null }>`
      select fulfillment_order_id as id, status, pick_ticket_id as ticket from fulfillment_orders
      where client_id = 'TOWN' and fulfillment_order_id in (${sql.join([...pool])})`.execute(db),
  );
  for (const { id, status, ticket } of rows) {
    const holder = holders.get(id)?.pickTicketId ?? null;
    if (ticket !== holder || status !== (holder === null ? 1100 : 1150)) {
      fail(`order ${id} was given to ${holder}; the database has ${status} and ticket ${ticket}`);
    }
  }
  const open = await service.store.read((db) =>
    sql<{ id: string; ticket: string }>`
      select distinct l.fulfillment_order_id as id, l.pick_ticket_id as ticket from pick_tickets t
      join pick_ticket_lines l on l.client_id = t.client_id and l.pick_ticket_id = t.pick_ticket_id
      where t.client_id = 'TOWN' and t.node_id = 'TOWN-Store001' and t.status <> 'CLOSED'`.execute(db),
  );
  const wanted = new Set(pool);
  const held = open.rows.filter(({ id }) => wanted.has(id));
  if (held.length !== holders.size) fail(`${held.length} orders are on open tickets, ${holders.size} were given out`);
}

/**
 * CONFIRMs with two contents and RESETs compete for one ticket. One content wins and its requests get 204; the errors
 * of the other requests have the outcome of the ticket.
 */
export async function closers(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const orders = await arena.place(1 + whole(3), [2, 3]);
  const ticket = ticketOf(must(await service.client('POST', GENERATE, generateBody(orders, 'ana')), 201));
  const bodies = {
    all: confirmBody(ticket, (quantity) => quantity, 'ana'),
    less: confirmBody(ticket, (quantity) => quantity - 1, 'ben'),
    reset: resetBody(ticket.pickTicketId, 'cleo'),
  };
  const kinds = Object.keys(bodies) as (keyof typeof bodies)[];
  const calls = Array.from({ length: 2 + whole(7) }, (_, index) =>
    index === 0 ? 'all' : index === 1 ? 'reset' : kinds[whole(3)]!,
  );
  const order = sample(arena, calls, calls.length);
  const answers = await Promise.all(order.map((kind) => service.client('PUT', UPDATE, bodies[kind])));
  const won = new Set(order.filter((_, index) => answers[index]!.status === 204));
  if (won.size !== 1) fail(`${order.join(', ')}: ${answers.map(inShort).join('; ')}`);
  const [winner] = won;
  for (const [index, answer] of answers.entries()) {
    if (order[index] === winner) {
      if (answer.status !== 204) fail(`${winner} won and also got ${inShort(answer)}`);
      continue;
    }
    const body = answer.body as { code?: string; pickTicketId?: string; userId?: string; outcome?: string } | undefined;
    const outcome = winner === 'reset' ? 'RESET' : 'CONFIRMED';
    const isTold = body?.pickTicketId === ticket.pickTicketId && body.userId === 'ana' && body.outcome === outcome;
    if (answer.status !== 409 || !isTold) fail(`${order[index]} lost to ${winner} and got ${inShort(answer)}`);
  }
  const { rows } = await service.store.read((db) =>
    sql<{ ordered: number; picked: number; declined: number; status: number }>`
      select o.status, cast(sum(l.ordered) as bigint) as ordered, cast(sum(l.picked) as bigint) as picked,
        cast(sum(l.declined) as bigint) as declined
      from order_lines l join fulfillment_orders o
        on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
      where l.client_id = 'TOWN' and l.fulfillment_order_id in (${sql.join(orders)}) group by o.status`.execute(db),
  );
  const sum = (name: 'ordered' | 'picked' | 'declined') => rows.reduce((total, row) => total + row[name], 0);
  const declined = winner === 'less' ? 2 : 0;
  const expected = winner === 'reset' ? [0, 0] : [sum('ordered') - declined, declined];
  if (sum('picked') !== expected[0] || sum('declined') !== expected[1]) {
    fail(`${winner} won and the lines have ${JSON.stringify(rows)}`);
  }
}

/**
 * A RESET of a ticket competes with requests for the order of the ticket. At most one of the requests gets the order,
 * and the order is never on two tickets.
 */
export async function reopening(arena: Arena): Promise<void> {
  const { service, fail } = arena;
  const [order] = (await arena.place(1)) as [string];
  const ticket = ticketOf(must(await service.client('POST', GENERATE, generateBody([order], 'ana')), 201));
  const [reset, ...answers] = await Promise.all([
    service.client('PUT', UPDATE, resetBody(ticket.pickTicketId, 'ana')),
    ...['ben', 'cleo', 'dan'].map((userId) => service.client('POST', GENERATE, generateBody([order], userId))),
  ]);
  if (reset.status !== 204) fail(`RESET got ${inShort(reset)}`);
  const won = answers.filter(({ status }) => status === 201);
  if (won.length > 1) fail(`order ${order} went to ${won.length} tickets after a RESET`);
  for (const answer of answers) {
    const holder = answer.body as { pickTicketId?: string };
    const possible = [ticket.pickTicketId, ...won.map((other) => ticketOf(other).pickTicketId)];
    const isTold = answer.status === 409 && possible.includes(holder.pickTicketId ?? '');
    if (answer.status !== 201 && !isTold) fail(`a request that lost the order got ${inShort(answer)}`);
  }
  const winner = won[0];
  await judgeOrders(
    arena,
    [order],
    new Map(
      winner === undefined ? [] : [[order, { pickTicketId: ticketOf(winner).pickTicketId, userId: '', since: '' }]],
    ),
  );
}
