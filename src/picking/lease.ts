/**
 * The lease of an opened ticket: whoever works on it keeps it; when nobody has for the client's `pickTicketIdleMinutes`, it
 * goes back to its queue as if it had been reset. A ticket that was never opened has no lease: it may be on paper.
 */
import type { Ctx } from '../platform/ctx.ts';
import type { PickTicketRow } from '../platform/storage/tables.ts';
import { MINUTE_MS } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { PICK_TICKET_TRANSITIONS, stateOfTicket } from './lifecycle.ts';
import { resetTicket } from './reset.ts';

/** Until when a ticket on which somebody works now is kept. */
export function leaseUntil(settings: Pick<Settings, 'pickTicketIdleMinutes'>, now: number): number {
  return now + settings.pickTicketIdleMinutes * MINUTE_MS;
}

/** Gives a locked ticket back whose lease is over; returns whether it did. One that was worked on meanwhile is left alone. */
export async function lapseTicket(ctx: Ctx, settings: Settings, ticket: PickTicketRow): Promise<boolean> {
  const isOver = ticket.lease_at !== null && ticket.lease_at <= ctx.now;
  if (!isOver || PICK_TICKET_TRANSITIONS[stateOfTicket(ticket)].lapse === 'refused') return false;
  await resetTicket(ctx, settings, ticket, { userId: ticket.user_id, modifyAssociateId: 'lease' });
  return true;
}
