/**
 * Plans actions on a pick ticket: a pure function, without database and clock. The plan has the changes of the ticket,
 * its items and its order lines, the steps of its orders and the event, or the reason of a rejection. `write.ts`
 * carries out the plan. `generate.ts` plans new tickets.
 */
import type { PickTicketRow } from '../../platform/storage/tables.ts';
import { MINUTE_MS } from '../../platform/time.ts';
import type { Step } from '../write.ts';
import type { Action, ActionOf, Effects, Plan, Refused, Subject } from './action.ts';
import { broughtBack, confirmed, differences, hashOf } from './confirm.ts';
import { corrected } from './correct.ts';
import { scanned } from './progress.ts';
import { isReverse, PICK_TICKET_TRANSITIONS, stateOfTicket } from './states.ts';

/**
 * The decision on an action from the row of the ticket alone. The action continues, changes nothing, is rejected, or is
 * a CONFIRM whose content differs from the CONFIRM that closed the ticket (`differs`). Only an action that continues
 * needs further rows.
 */
type Verdict = 'goesOn' | 'nothing' | 'differs' | Refused;

/** Decides whether an action continues, by the state of the ticket, its user and its lease. */
export function verdictOf(ticket: PickTicketRow, action: Action, now: number): Verdict {
  const outcome = PICK_TICKET_TRANSITIONS[stateOfTicket(ticket)][action.type];
  const isForbidden = outcome === 'refused';
  switch (action.type) {
    case 'open':
      return outcome === 'IN_PROGRESS' && isFor(ticket, action.userId) ? 'goesOn' : 'nothing';
    case 'saveProgress':
      if (isForbidden) return { why: 'closed' };
      return isFor(ticket, action.userId) ? 'goesOn' : { why: 'heldByOther' };
    case 'takeOver':
      if (isForbidden) return { why: 'closed' };
      if (ticket.user_id === action.userId) return 'nothing';
      return ticket.user_id === action.fromUserId ? 'goesOn' : { why: 'notHeldBy', userId: action.fromUserId };
    case 'CONFIRM':
      if (isForbidden) return { why: 'wasReset' };
      if (outcome !== 'repeats') return 'goesOn';
      return hashOf(action) === ticket.confirmation_hash ? 'nothing' : 'differs';
    case 'RESET':
      if (isForbidden) return { why: 'isConfirmed' };
      return outcome === 'repeats' || isWaiting(ticket) ? 'nothing' : 'goesOn';
    case 'lapse':
      return isForbidden || ticket.lease_at === null || ticket.lease_at > now ? 'nothing' : 'goesOn';
    case 'correct':
      return isForbidden || isReverse(ticket) ? { why: 'notConfirmed' } : 'goesOn';
  }
}

/** Plans an action on a locked ticket. */
export function planTicket(subject: Subject, action: Action, now: number): Plan {
  const { ticket } = subject;
  const effects = effectsOf(subject, action, now);
  const columns = effects.columns && { ...effects.columns, revision: ticket.revision + 1 };
  return {
    ticket: columns === undefined ? ticket : { ...ticket, ...columns },
    columns,
    results: effects.results ?? [],
    parts: effects.parts ?? [],
    scans: effects.scans ?? [],
    steps: effects.steps ?? [],
    freedItems: effects.freedItems ?? [],
    event: effects.event,
    refused: effects.refused,
  };
}

function effectsOf(subject: Subject, action: Action, now: number): Effects {
  const { ticket, items } = subject;
  const verdict = verdictOf(ticket, action, now);
  if (verdict === 'nothing') return {};
  if (typeof verdict !== 'string') return { refused: verdict };
  switch (action.type) {
    case 'open':
      return working(subject, now, opened(action));
    case 'saveProgress':
      return working(subject, now, scanned(subject, action, now));
    case 'takeOver':
      return takenOver(subject, action, now);
    case 'CONFIRM':
      if (verdict === 'differs')
        return { refused: { why: 'differs', differences: differences(ticket, items, action) } };
      return closing(now, isReverse(ticket) ? broughtBack(subject, action) : confirmed(subject, action));
    case 'RESET':
      return released(subject, action, now);
    case 'lapse':
      return released(subject, { userId: ticket.user_id, modifyAssociateId: 'lease' }, now);
    case 'correct':
      return corrected(subject, action);
  }
}

/** Whether a user can work on a ticket: it is assigned to this user, or to no user. */
function isFor(ticket: PickTicketRow, userId: string): boolean {
  return userId !== '' && (ticket.user_id === '' || ticket.user_id === userId);
}

/** Whether a reverse ticket already waits for a user. */
function isWaiting(ticket: PickTicketRow): boolean {
  return isReverse(ticket) && ticket.status === 'NEW' && ticket.user_id === '';
}

/** Returns the end of a lease that starts now. */
function leaseUntil({ settings }: Subject, now: number): number {
  return now + settings.pickTicketIdleMinutes * MINUTE_MS;
}

/** Adds the effects of work on a ticket: it is IN_PROGRESS, and its lease is renewed. */
function working(subject: Subject, now: number, effects: Effects): Effects {
  if (effects.columns === undefined) return effects;
  const lease = { status: 'IN_PROGRESS' as const, lease_at: leaseUntil(subject, now) };
  return { ...effects, columns: { ...effects.columns, ...lease } };
}

/** Returns the effects of an action with the columns that close the ticket. */
function closing(now: number, effects: Effects): Effects {
  return { ...effects, columns: { ...effects.columns, status: 'CLOSED', closed_at: now, lease_at: null } };
}

function opened({ userId }: ActionOf<'open'>): Effects {
  return { columns: { user_id: userId }, event: { type: 'pickTicket.opened', data: { userId } } };
}

/**
 * Gives the ticket to another user; saved scans remain. A ticket without a lease gets none, because it may be in use on
 * paper.
 */
function takenOver(subject: Subject, action: ActionOf<'takeOver'>, now: number): Effects {
  const { userId, fromUserId, modifyAssociateId } = action;
  const leaseAt = subject.ticket.lease_at === null ? null : leaseUntil(subject, now);
  return {
    columns: { user_id: userId, lease_at: leaseAt },
    event: { type: 'pickTicket.takenOver', data: { fromUserId, userId, modifyAssociateId } },
  };
}

/**
 * Plans a RESET or a lapse. Both close a pick ticket and return its orders to the state that they had before the
 * ticket, without units that customers have canceled. A reverse ticket remains open and waits for its next user,
 * because its units must still be brought to their shelf.
 */
function released(
  { ticket, orders }: Subject,
  by: { userId: string; modifyAssociateId: string },
  now: number,
): Effects {
  const { userId, modifyAssociateId } = by;
  const data = { userId, modifyAssociateId, generatedFor: ticket.user_id };
  if (isReverse(ticket)) {
    const columns = { status: 'NEW' as const, user_id: '', lease_at: null };
    return { columns, event: { type: 'pickTicket.givenBack', data } };
  }
  if (orders.length !== ticket.total_fulfillment_orders) return { refused: { why: 'changedMeanwhile' } };
  const action = { type: 'reset' as const, pickTicketId: ticket.pick_ticket_id, userId, modifyAssociateId };
  return closing(now, {
    columns: { outcome: 'RESET' },
    steps: orders.map(({ order }): Step => ({ order, action })),
    event: { type: 'pickTicket.reset', data },
  });
}
