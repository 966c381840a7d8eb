/** The states of a shipment, and the effect of each action in each state. The compiler rejects a missing cell. */

import type { Sentence } from '../../platform/message/sentence.ts';
import { say } from './sentences.ts';

export const SHIPMENT_STATES = ['EXPECTED', 'RECEIVING', 'CLOSED'] as const;
export type ShipmentState = (typeof SHIPMENT_STATES)[number];

export const INBOUND_ACTIONS = ['arrive', 'receive', 'correct', 'approve', 'match', 'close', 'reopen', 'void'] as const;
export type InboundAction = (typeof INBOUND_ACTIONS)[number];

/** The effect of an action: a state, the removal of the shipment, or a rejection. */
type Effect = ShipmentState | 'removed' | 'refused';

/** The state of a shipment after an action. `match` applies to the announcement and to the goods without papers. */
export const INBOUND_TRANSITIONS: Readonly<Record<ShipmentState, Readonly<Record<InboundAction, Effect>>>> = {
  EXPECTED: {
    arrive: 'EXPECTED',
    receive: 'RECEIVING',
    correct: 'RECEIVING',
    approve: 'refused',
    match: 'RECEIVING',
    close: 'CLOSED',
    reopen: 'refused',
    void: 'removed',
  },
  RECEIVING: {
    arrive: 'RECEIVING',
    receive: 'RECEIVING',
    correct: 'RECEIVING',
    approve: 'RECEIVING',
    match: 'RECEIVING',
    close: 'CLOSED',
    reopen: 'refused',
    void: 'refused',
  },
  CLOSED: {
    arrive: 'refused',
    receive: 'refused',
    correct: 'refused',
    approve: 'refused',
    match: 'refused',
    close: 'refused',
    reopen: 'RECEIVING',
    void: 'refused',
  },
};

/**
 * Returns the reason why a state rejects an action and, if there is one, the step that unblocks it; undefined if the
 * state allows the action.
 */
export function inboundBlock(state: ShipmentState, action: InboundAction, isMatched = false): Sentence | undefined {
  // A shipment whose goods were matched remains closed.
  if (isMatched) return say('the goods were moved to the matched shipment');
  if (INBOUND_TRANSITIONS[state][action] !== 'refused') return undefined;
  if (state === 'CLOSED') return say('the shipment is closed; reopen it first');
  if (action === 'reopen') return say('the shipment is not closed');
  if (action === 'approve') return say('nothing was received yet; send a receipt first');
  return say('goods were already received');
}

/**
 * Returns the state after an action.
 * @throws Error if the state forbids the action: callers check `inboundBlock` first.
 */
export function stateAfter(state: ShipmentState, action: InboundAction): ShipmentState {
  const effect = INBOUND_TRANSITIONS[state][action];
  if (effect === 'refused' || effect === 'removed') throw new Error(`${action} of a shipment in ${state}`);
  return effect;
}
