/**
 * The states of a pick ticket and what may be done in each (design 6, decision 29). A row has the status NEW, IN_PROGRESS
 * or CLOSED; how it was closed is its outcome, so a closed ticket stands in one of two states here.
 */
import type { PickTicketRow } from '../storage/tables.ts';

export const PICK_TICKET_STATES = ['NEW', 'IN_PROGRESS', 'CONFIRMED', 'RESET'] as const;
export type PickTicketState = (typeof PICK_TICKET_STATES)[number];

/** The actions of the update operation. */
export const PICK_TICKET_ACTIONS = ['CONFIRM', 'RESET'] as const;
export type PickTicketAction = (typeof PICK_TICKET_ACTIONS)[number];

/** What an action does: closes the ticket with an outcome, finds its own work done (`repeats`), or is refused. */
export type PickTicketEffect = 'CONFIRMED' | 'RESET' | 'repeats' | 'refused';

export const PICK_TICKET_TRANSITIONS: Record<PickTicketState, Record<PickTicketAction, PickTicketEffect>> = {
  NEW: { CONFIRM: 'CONFIRMED', RESET: 'RESET' },
  IN_PROGRESS: { CONFIRM: 'CONFIRMED', RESET: 'RESET' },
  CONFIRMED: { CONFIRM: 'repeats', RESET: 'refused' },
  RESET: { CONFIRM: 'refused', RESET: 'repeats' },
};

/** The state of a row. */
export function stateOfTicket(ticket: Pick<PickTicketRow, 'status' | 'outcome'>): PickTicketState {
  return ticket.status === 'CLOSED' ? ticket.outcome! : ticket.status;
}
