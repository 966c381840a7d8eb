/** The states of a count plan, and the effect of each action in each state. The compiler rejects a missing cell. */
import { type AllowedAction, shown } from '../../kernel/allowed.ts';
import type { Sentence } from '../../platform/message/sentence.ts';
import { say } from '../sentences.ts';

/**
 * DRAFT: the lines can be changed but not counted. OPEN: users count the lines. COUNTED: the plan waits for approval.
 * APPROVED: the differences are posted.
 */
export const COUNT_PLAN_STATES = ['DRAFT', 'OPEN', 'COUNTED', 'APPROVED'] as const;
export type CountPlanState = (typeof COUNT_PLAN_STATES)[number];

export const COUNT_PLAN_ACTIONS = ['change', 'open', 'count', 'recount', 'approve', 'discard'] as const;
export type CountPlanAction = (typeof COUNT_PLAN_ACTIONS)[number];

/**
 * The effect of an action: the next state; `byLines`: COUNTED once every line is counted, otherwise OPEN; `gone`: the
 * plan is deleted; `same`: a retry, which changes nothing; or a rejection.
 */
type Effect = CountPlanState | 'byLines' | 'gone' | 'same' | 'refused';

export const COUNT_PLAN_TRANSITIONS: Readonly<Record<CountPlanState, Readonly<Record<CountPlanAction, Effect>>>> = {
  DRAFT: { change: 'DRAFT', open: 'OPEN', count: 'refused', recount: 'refused', approve: 'refused', discard: 'gone' },
  OPEN: { change: 'refused', open: 'same', count: 'byLines', recount: 'OPEN', approve: 'refused', discard: 'gone' },
  COUNTED: {
    change: 'refused',
    open: 'refused',
    count: 'refused',
    recount: 'OPEN',
    approve: 'APPROVED',
    discard: 'gone',
  },
  APPROVED: {
    change: 'refused',
    open: 'refused',
    count: 'refused',
    recount: 'refused',
    approve: 'same',
    discard: 'refused',
  },
};

/**
 * Returns the reason why an action on a plan with this number of lines is rejected, with the step that unblocks it;
 * undefined if the action is allowed.
 */
export function countPlanBlock(state: CountPlanState, action: CountPlanAction, lines: number): Sentence | undefined {
  if (COUNT_PLAN_TRANSITIONS[state][action] !== 'refused') {
    return action === 'open' && lines === 0 ? say('the plan has no lines; add items first') : undefined;
  }
  if (action === 'change' && state !== 'APPROVED') {
    return say('only a draft can be changed; discard the plan and create a new one');
  }
  switch (state) {
    case 'DRAFT':
      return say('the plan is a draft; open it first');
    case 'OPEN':
      return say('not every line is counted; count the other lines first');
    case 'COUNTED':
      return say('all lines are counted; approve the plan, or request a new count of lines');
    case 'APPROVED':
      return say('the plan is approved; create a new plan');
  }
}

/** Returns the actions on a plan, allowed or blocked with the reason. */
export function countPlanActions(state: CountPlanState, lines: number): AllowedAction[] {
  return COUNT_PLAN_ACTIONS.map((action) => shown(action, countPlanBlock(state, action, lines)));
}
