/**
 * The states of a pick ticket and what may be done in each (docs/interface.md#pick-ticket-states). A row has the status NEW, IN_PROGRESS
 * or CLOSED; how it was closed is its outcome, so a closed ticket stands in one of two states here.
 */
import { type AllowedAction, shown } from '../kernel/allowed.ts';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import type { PickTicketRow } from '../platform/storage/tables.ts';

export const PICK_TICKET_STATES = ['NEW', 'IN_PROGRESS', 'CONFIRMED', 'RESET'] as const;
export type PickTicketState = (typeof PICK_TICKET_STATES)[number];

/** The actions of the update operation. */
export const PICK_TICKET_ACTIONS = ['CONFIRM', 'RESET'] as const;

/**
 * All that can be done with a ticket, or happens to it: `lapse` comes when nobody has worked on an opened one for too long;
 * `correct` mends a mis-keyed CONFIRM while nothing followed from it.
 */
export const TICKET_ACTIONS = ['open', 'saveProgress', 'takeOver', ...PICK_TICKET_ACTIONS, 'lapse', 'correct'] as const;
export type TicketAction = (typeof TICKET_ACTIONS)[number];

/**
 * What an action does: moves the ticket on, closes it with an outcome, `stays` in its state, finds its own work done
 * (`repeats`), or is refused.
 */
export type PickTicketEffect = 'IN_PROGRESS' | 'CONFIRMED' | 'RESET' | 'stays' | 'repeats' | 'refused';

export const PICK_TICKET_TRANSITIONS: Record<PickTicketState, Record<TicketAction, PickTicketEffect>> = {
  NEW: {
    open: 'IN_PROGRESS',
    saveProgress: 'IN_PROGRESS',
    takeOver: 'stays',
    CONFIRM: 'CONFIRMED',
    RESET: 'RESET',
    lapse: 'refused',
    correct: 'refused',
  },
  IN_PROGRESS: {
    open: 'stays',
    saveProgress: 'stays',
    takeOver: 'stays',
    CONFIRM: 'CONFIRMED',
    RESET: 'RESET',
    lapse: 'RESET',
    correct: 'refused',
  },
  CONFIRMED: {
    open: 'repeats',
    saveProgress: 'refused',
    takeOver: 'refused',
    CONFIRM: 'repeats',
    RESET: 'refused',
    lapse: 'refused',
    correct: 'stays',
  },
  RESET: {
    open: 'repeats',
    saveProgress: 'refused',
    takeOver: 'refused',
    CONFIRM: 'refused',
    RESET: 'repeats',
    lapse: 'refused',
    correct: 'refused',
  },
};

/** The state of a row. */
export function stateOfTicket(ticket: Pick<PickTicketRow, 'status' | 'outcome'>): PickTicketState {
  return ticket.status === 'CLOSED' ? ticket.outcome! : ticket.status;
}

/** Actions of a pick ticket. Opening a closed one only shows it; whether it can be corrected its orders say, not its state. */
export function ticketActions(state: PickTicketState): AllowedAction[] {
  return TICKET_ACTIONS.filter((action) => action !== 'lapse' && action !== 'correct').map((action) => {
    const effect = PICK_TICKET_TRANSITIONS[state][action];
    if (effect !== 'refused' && effect !== 'repeats') return shown(action);
    const states = Object.entries(PICK_TICKET_TRANSITIONS)
      .filter(([, row]) => row[action] !== 'refused' && row[action] !== 'repeats')
      .map(([name]) => name);
    return shown(action, `the ticket is ${state}; ${action} is possible while it is ${states.join(' or ')}`);
  });
}

/** 409 of a ticket that another request changed between reading and writing. */
export function changedMeanwhile(): Refusal {
  return conflict('The ticket was changed by another request at the same time; nothing was changed. Try again.');
}
