/** Work on an open ticket by its user: what every such operation asks of the ticket, and what it writes to its root row. */

import { lockTicket } from '../kernel/tickets.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict, notFound, type Refusal } from '../platform/http/errors.ts';
import type { PickTicketRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { leaseUntil } from './lease.ts';
import { PICK_TICKET_TRANSITIONS, stateOfTicket, type TicketAction } from './lifecycle.ts';

/** A ticket of the node, locked, for an action that its state allows. @throws Refusal 404, 409 */
export async function takeTicket(
  ctx: Ctx,
  key: { clientId: string; storeId: string; nodeId: string; pickTicketId: string },
  action: TicketAction,
): Promise<PickTicketRow> {
  const ticket = await lockTicket(ctx.db, key);
  if (ticket === undefined) throw noTicket(key.pickTicketId);
  const state = stateOfTicket(ticket);
  if (PICK_TICKET_TRANSITIONS[state][action] !== 'refused') return ticket;
  throw conflict(
    `The pick ticket is closed (${state}); generate a new one for orders that still wait.`,
    holderOf(ticket),
  );
}

/** 404 of a ticket that the store and node do not have. */
export function noTicket(pickTicketId: string): Refusal {
  return notFound(`There is no pick ticket ${JSON.stringify(pickTicketId)} of this store and node; check its id.`);
}

/** 409: another user has the ticket. */
export function heldByOther(ticket: PickTicketRow): Refusal {
  return conflict(
    `The pick ticket belongs to ${JSON.stringify(ticket.user_id)}; take it over first, naming that user.`,
    holderOf(ticket),
  );
}

/** Who has a ticket, as refusals name it (docs/interface.md#order-of-checks). */
export function holderOf(ticket: PickTicketRow): Record<string, unknown> {
  return {
    pickTicketId: ticket.pick_ticket_id,
    userId: ticket.user_id,
    since: formatDateTime(ticket.closed_at ?? ticket.pick_ticket_date),
    ticketStatus: ticket.status,
    ...(ticket.outcome !== null && { outcome: ticket.outcome }),
  };
}

/** Writes that somebody works on a locked ticket: it is IN_PROGRESS and its lease begins anew. Returns the row as it is then. */
export async function touchTicket(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  columns: Partial<Pick<PickTicketRow, 'user_id'>> = {},
): Promise<PickTicketRow> {
  const set = {
    ...columns,
    status: 'IN_PROGRESS' as const,
    lease_at: leaseUntil(settings, ctx.now),
    revision: ticket.revision + 1,
  };
  await ctx.db
    .updateTable('pick_tickets')
    .set(set)
    .where('client_id', '=', ticket.client_id)
    .where('pick_ticket_id', '=', ticket.pick_ticket_id)
    .where('revision', '=', ticket.revision)
    .execute();
  return { ...ticket, ...set };
}
