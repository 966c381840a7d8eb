/**
 * The states of a pick ticket and the actions in each (docs/interface.md#pick-ticket-states). A row has the status NEW,
 * IN_PROGRESS or CLOSED. Here a closed ticket has its outcome, CONFIRMED or RESET, as its state.
 */

import { type Sentence, sequence, type Value } from '../../platform/message/sentence.ts';
import type { PickTicketRow } from '../../platform/storage/tables.ts';
import { type AllowedAction, shown } from '../allowed.ts';
import { say } from './sentences.ts';

export const PICK_TICKET_STATES = ['NEW', 'IN_PROGRESS', 'CONFIRMED', 'RESET'] as const;
export type PickTicketState = (typeof PICK_TICKET_STATES)[number];

/** The actions of the update operation. */
export const PICK_TICKET_ACTIONS = ['CONFIRM', 'RESET'] as const;

/**
 * All actions on a ticket. `lapse`: an opened ticket was idle for too long. `correct`: corrects a wrong CONFIRM
 * while no later step depends on it.
 */
export const TICKET_ACTIONS = ['open', 'saveProgress', 'takeOver', ...PICK_TICKET_ACTIONS, 'lapse', 'correct'] as const;
export type TicketAction = (typeof TICKET_ACTIONS)[number];

/**
 * The effect of an action: the next state, or an outcome that closes the ticket. `stays`: the state does not change.
 * `repeats`: the action was done before. `refused`: the state forbids the action.
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

/** Returns the state of a ticket's row. */
export function stateOfTicket(ticket: Pick<PickTicketRow, 'status' | 'outcome'>): PickTicketState {
  return ticket.status === 'CLOSED' ? ticket.outcome! : ticket.status;
}

/** Whether a ticket brings units back to their shelf. */
export function isReverse(ticket: Pick<PickTicketRow, 'pick_ticket_type'>): boolean {
  return ticket.pick_ticket_type === 'REVERSE_PICK_TICKET';
}

/** The texts of the states in messages. In English they are the names of the states. */
const STATE_WORDS: Record<PickTicketState, Value> = {
  NEW: say('NEW'),
  IN_PROGRESS: say('IN_PROGRESS'),
  CONFIRMED: say('CONFIRMED'),
  RESET: say('{reset}', { reset: 'RESET' }),
};

/** The texts of the actions in messages. In English they are the names of the actions. */
const ACTION_WORDS: Partial<Record<TicketAction, Sentence>> = {
  open: say('open'),
  saveProgress: say('saveProgress'),
  takeOver: say('takeOver'),
  CONFIRM: say('CONFIRM'),
  RESET: say('RESET'),
};

/** Returns the text of a ticket's state for messages. */
export function stateInWords(ticket: Pick<PickTicketRow, 'status' | 'outcome'>): Value {
  return STATE_WORDS[stateOfTicket(ticket)];
}

/** Returns why a reverse ticket that waits for its first user cannot be taken over. */
export function noUser(): Sentence {
  return say('the ticket has no user to take it over from; open it with the userId of its next user');
}

/**
 * Returns the actions of a pick ticket, with the reason if the state forbids an action. On a closed ticket, `open`
 * counts as forbidden, because it only returns the ticket. Without a present user, `takeOver` is forbidden, because it
 * has to name this user. `correct` is left out, because it also depends on the orders.
 */
export function ticketActions(ticket: Pick<PickTicketRow, 'status' | 'outcome' | 'user_id'>): AllowedAction[] {
  const state = stateOfTicket(ticket);
  return TICKET_ACTIONS.filter((action) => action !== 'lapse' && action !== 'correct').map((action) => {
    const effect = PICK_TICKET_TRANSITIONS[state][action];
    if (effect !== 'refused' && effect !== 'repeats') {
      return shown(action, action === 'takeOver' && ticket.user_id === '' ? noUser() : undefined);
    }
    const states = Object.entries(PICK_TICKET_TRANSITIONS)
      .filter(([, row]) => row[action] !== 'refused' && row[action] !== 'repeats')
      .map(([name]) => STATE_WORDS[name as PickTicketState]);
    return shown(
      action,
      say('the ticket is {state}; the action {action} is allowed only while the ticket is {states}', {
        state: STATE_WORDS[state],
        action: ACTION_WORDS[action] ?? action,
        states: sequence(states, say(' or ')),
      }),
    );
  });
}
