/** The states of a return, and the effect of each action in each state. The compiler rejects a missing cell. */

import type { Sentence } from '../../platform/message/sentence.ts';
import type { ReturnState } from '../../shared/return-states.ts';
import { type AllowedAction, shown } from '../allowed.ts';
import { say } from './sentences.ts';

/** The actions on a return. Only the scheduler uses `expire`. */
const RETURN_ACTIONS = [
  'markInTransit',
  'cancel',
  'receive',
  'correct',
  'dispose',
  'match',
  'close',
  'reopen',
  'expire',
] as const;
export type ReturnAction = (typeof RETURN_ACTIONS)[number];

/** The effect of an action: the next state, `same` (a retry, which changes nothing), or a rejection. */
type Effect = ReturnState | 'same' | 'refused';

/** The state of a return after an action. */
export const RETURN_TRANSITIONS: Readonly<Record<ReturnState, Readonly<Record<ReturnAction, Effect>>>> = {
  REQUESTED: {
    markInTransit: 'REQUESTED',
    cancel: 'CANCELED',
    receive: 'RECEIVING',
    correct: 'refused',
    dispose: 'refused',
    match: 'refused',
    close: 'refused',
    reopen: 'refused',
    expire: 'EXPIRED',
  },
  RECEIVING: {
    markInTransit: 'refused',
    cancel: 'refused',
    receive: 'RECEIVING',
    // A correction that undoes all receipts of an announced return leads to the state before them.
    correct: 'RECEIVING',
    dispose: 'RECEIVING',
    match: 'RECEIVING',
    close: 'CLOSED',
    reopen: 'refused',
    expire: 'refused',
  },
  CLOSED: {
    markInTransit: 'refused',
    cancel: 'refused',
    receive: 'refused',
    correct: 'refused',
    dispose: 'CLOSED',
    match: 'CLOSED',
    close: 'refused',
    reopen: 'RECEIVING',
    expire: 'refused',
  },
  CANCELED: {
    markInTransit: 'refused',
    cancel: 'same',
    receive: 'RECEIVING',
    correct: 'refused',
    dispose: 'refused',
    match: 'refused',
    close: 'refused',
    reopen: 'refused',
    expire: 'refused',
  },
  EXPIRED: {
    markInTransit: 'refused',
    cancel: 'refused',
    receive: 'RECEIVING',
    correct: 'refused',
    dispose: 'refused',
    match: 'refused',
    close: 'refused',
    reopen: 'refused',
    expire: 'refused',
  },
};

/**
 * Returns the reason why a state rejects an action and, if there is one, the step that unblocks it; undefined if the
 * state allows the action.
 */
export function returnBlock(state: ReturnState, action: ReturnAction): Sentence | undefined {
  if (RETURN_TRANSITIONS[state][action] !== 'refused') return undefined;
  if (state === 'CLOSED' && (action === 'receive' || action === 'correct'))
    return say('the return is closed; reopen it first');
  if (action === 'reopen') return say('only a closed return can be reopened');
  if (state === 'CLOSED') return say('the return is closed');
  if (state === 'CANCELED' || state === 'EXPIRED') {
    const how = state === 'CANCELED' ? say('canceled') : say('expired');
    return say('the return is {how}; if goods arrive anyway, send a receipt', { how });
  }
  if (state === 'REQUESTED') return say('nothing was received yet; send a receipt first');
  return say('goods were already received');
}

/** The facts besides the state that decide the allowed actions. */
export interface Facts {
  receipts: number;
  held: number;
  blind: number;
}

/** Returns all actions on a return except `expire`, each allowed or blocked with the reason. */
export function returnActions(state: ReturnState, { receipts, held, blind }: Facts): AllowedAction[] {
  const lacking: Partial<Record<ReturnAction, Sentence | false>> = {
    correct: receipts === 0 && say('there is no receipt to correct'),
    dispose: held === 0 && say('no unit is held'),
    match: blind === 0 && say('all units of the return have an order already'),
  };
  return RETURN_ACTIONS.filter((action) => action !== 'expire').map((action) =>
    shown(action, returnBlock(state, action) ?? (lacking[action] || undefined)),
  );
}
