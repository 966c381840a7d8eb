/**
 * Plans an action on a return: its units and its refunds. The functions use neither database nor clock. Receiving units
 * never waits for refunds, and no action changes the state of an order.
 */
import type { Action, Plan, Subject } from './action.ts';
import { planCancel, planClose, planExpire, planInTransit, planReopen } from './closing.ts';
import { planDisposal, planMatch } from './decide.ts';
import type { Terms } from './draft.ts';
import { planRequest, planTake } from './open.ts';
import { planCorrection, planReceipt } from './receive.ts';
import { blocked, rejected } from './rejections.ts';
import { RETURN_TRANSITIONS } from './states.ts';

export function planReturn(subject: Subject, action: Action, terms: Terms): Plan {
  if (action.type === 'request') return planRequest(subject, action, terms);
  if (action.type === 'take') return planTake(subject, action, terms);
  const { row } = subject;
  if (RETURN_TRANSITIONS[row.status][action.type] === 'same') return { outcome: 'same' };
  const rejection = blocked(row, action.type);
  if (rejection !== undefined) return rejected(rejection);
  switch (action.type) {
    case 'receive':
      return planReceipt(subject, action, terms);
    case 'correct':
      return planCorrection(subject, action, terms);
    case 'dispose':
      return planDisposal(subject, action, terms);
    case 'match':
      return planMatch(subject, action, terms);
    case 'close':
      return planClose(subject, action, terms);
    case 'reopen':
      return planReopen(subject, action, terms);
    case 'cancel':
      return planCancel(subject, action, terms);
    case 'markInTransit':
      return planInTransit(subject, action, terms);
    case 'expire':
      return planExpire(subject, terms);
  }
}
