/**
 * Plans an action on a shipment: a pure function, without database and clock. The plan is a retry, a rejection, or the
 * new sums, entries, cartons, stock moves, state, statement and events. `write.ts` carries out the plan.
 */
import { conflict } from '../../platform/http/errors.ts';
import type { Settings } from '../../shared/client-settings.ts';
import { usedOtherwise } from '../commands.ts';
import { type Action, type ActionOf, type Plan, rejected, type Subject, withColumns } from './action.ts';
import { planApproval } from './approval.ts';
import { isDone } from './carton-states.ts';
import { planClose } from './closing.ts';
import { arrivedAt, reopened, voided } from './events.ts';
import { planMatch } from './match.ts';
import { planReceipt } from './receipt.ts';
import { blockedAction } from './rejections.ts';
import { say } from './sentences.ts';
import { unitsOf } from './shipment.ts';
import { INBOUND_TRANSITIONS, stateAfter } from './states.ts';

const REPEAT: Plan = { outcome: 'repeat' };

/** Plans an action on a locked shipment; `now` in epoch milliseconds. */
export function planArrival(subject: Subject, action: Action, settings: Settings, now: number): Plan {
  const { before } = subject;
  if ('hash' in action && before !== undefined) {
    return before.content_hash === action.hash ? REPEAT : rejected(usedOtherwise(ID_FIELDS[action.type], action.id));
  }
  if (action.type === 'blind') return planBlind(subject, action);
  if (action.type === 'void') return planVoid(subject, action);
  if (action.type === 'match') return planMatch(subject, action, settings, now);
  const { row } = subject.shipment;
  // Only the first arrival is recorded. A device without the network sends it late, so a closed shipment is no error.
  if (action.type === 'arrive' && (row.arrived_at !== null || row.status === 'CLOSED')) return REPEAT;
  const blocked = blockedAction(row, action.type);
  if (blocked !== undefined) return rejected(blocked);
  switch (action.type) {
    case 'receive':
    case 'correct':
      return planReceipt(subject, action, settings, now);
    case 'approve':
      return planApproval(subject, action, settings, now);
    case 'close':
      return planClose(subject, action, settings, now);
    case 'reopen':
      return planReopen(subject, action);
    case 'arrive':
      return planArrive(subject, action);
  }
}

/** The field of the message that has the id of the action. */
const ID_FIELDS = {
  receive: 'receiptId',
  correct: 'receiptId',
  approve: 'approvalId',
  close: 'closeId',
} as const satisfies Partial<Record<Action['type'], string>>;

function planArrive({ shipment }: Subject, action: ActionOf<'arrive'>): Plan {
  const after = withColumns(shipment, { arrived_at: action.at });
  return { outcome: 'done', changes: [{ shipment: after, write: 'update' }], events: [arrivedAt(after.row, action)] };
}

/** Plans a reopening: short units are open again, and MISSING cartons are EXPECTED again. */
function planReopen({ shipment, cartons = new Map() }: Subject, action: ActionOf<'reopen'>): Plan {
  const opened = withColumns(shipment, { status: stateAfter(shipment.row.status, 'reopen') });
  const row = {
    ...opened.row,
    open_units: unitsOf(opened).open,
    cartons_done: [...cartons.values()].filter(({ state }) => isDone(state)).length,
  };
  const after = { ...opened, row };
  return { outcome: 'done', changes: [{ shipment: after, write: 'update' }], events: [reopened(row, action)] };
}

/**
 * Plans a new shipment for goods without papers. Its number can be used once for each seller. A request with the same
 * number, node, user and seller is a retry.
 */
function planBlind({ shipment, before }: Subject, { userId }: ActionOf<'blind'>): Plan {
  const { row } = shipment;
  if (before === undefined) {
    return {
      outcome: 'done',
      changes: [{ shipment, write: 'insert' }],
      events: [arrivedAt(row, { userId, at: row.arrived_at! })],
    };
  }
  if ('node_id' in before && before.node_id === row.node_id && before.content_hash === row.content_hash) return REPEAT;
  return rejected(
    conflict(
      say('BLIND {number} is already used; give these goods another number.', { number: JSON.stringify(row.number) }),
    ),
  );
}

function planVoid({ shipment }: Subject, { message }: ActionOf<'void'>): Plan {
  const { type, number, status: state } = shipment.row;
  if (INBOUND_TRANSITIONS[state].void !== 'removed') {
    const words = say(
      '{type} {number} is {state}, but only an EXPECTED shipment can be voided or replaced; receive its goods, and close it with its differences.',
      { type, number: JSON.stringify(number), state },
    );
    return rejected(conflict(words, { state }));
  }
  const after = withColumns(shipment, {});
  return { outcome: 'done', changes: [{ shipment: after, write: 'remove' }], events: [voided(after.row, message)] };
}
