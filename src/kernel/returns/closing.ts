/** The plans that end or resume a return: close, reopen, cancel, expire, and the carrier's message. */
import type { Effect } from '../../events/record.ts';
import { big, decimalText } from '../../platform/decimal.ts';
import { formatDateTime } from '../../platform/time.ts';
import type { ActionOf, Plan, Subject } from './action.ts';
import { changeOf, type Draft, draftOf, expectMissing, giveUpOpen, type Terms } from './draft.ts';
import { canceled, closed, inTransit, plainEvent, reopened } from './events.ts';
import { raiseRefunds, refundsOfReturn } from './refunds.ts';
import { fourEyes, rejected } from './rejections.ts';

export function planClose(subject: Subject, action: ActionOf<'close'>, terms: Terms): Plan {
  const { closeId, userId } = action;
  const draft = draftOf(subject, terms);
  if (isHeldBack(draft, receiversOf(subject), userId)) {
    return rejected(fourEyes(subject.row, action, decimalText(terms.settings.fourEyes!)));
  }
  const events = closeDraft(draft, closeId, userId);
  return { outcome: 'done', change: changeOf(draft), events };
}

/** Closes the return: marks its open units as missing and requests the refunds for the units that came back. */
export function closeDraft(draft: Draft, closeId: string, userId: string): Effect[] {
  giveUpOpen(draft);
  Object.assign(draft.row, { status: 'CLOSED', closed_at: draft.terms.now, counted: 1 });
  const refunds = raiseRefunds(draft);
  return [closed(draft, closeId, userId), ...refunds];
}

/** Returns the users who booked receipts of the return. */
export function receiversOf({ receipts }: Subject): string[] {
  return receipts.map((receipt) => receipt.user_id);
}

/**
 * Whether another user must close the return, match its units or decide on them. This is the case if this user booked
 * one of its receipts and the refunds of one currency exceed the limit `fourEyes`.
 */
export function isHeldBack(draft: Draft, receivers: readonly string[], userId: string): boolean {
  const { fourEyes: limit } = draft.terms.settings;
  if (limit === undefined || !receivers.includes(userId)) return false;
  const { subject, terms } = draft;
  // `trial` keeps the subject from before the action. `raiseRefunds` compares the trial with this subject and thus leaves
  // out the refunds of other returns.
  const trial = { ...draftOf({ ...subject, row: draft.row, lines: draft.lines }, terms), subject };
  giveUpOpen(trial);
  trial.row.counted = 1;
  raiseRefunds(trial);
  return refundsOfReturn(trial).some((sum) => sum.gt(big(limit)));
}

export function planReopen(subject: Subject, { userId, reason }: ActionOf<'reopen'>, terms: Terms): Plan {
  const draft = draftOf(subject, terms);
  Object.assign(draft.row, { status: 'RECEIVING', closed_at: null });
  expectMissing(draft);
  return { outcome: 'done', change: changeOf(draft), events: [reopened(draft, userId, reason)] };
}

export function planCancel(subject: Subject, { reason }: ActionOf<'cancel'>, terms: Terms): Plan {
  const draft = draftOf(subject, terms);
  giveUpOpen(draft);
  draft.row.status = 'CANCELED';
  return { outcome: 'done', change: changeOf(draft), events: [canceled(draft, reason)] };
}

export function planExpire(subject: Subject, terms: Terms): Plan {
  const draft = draftOf(subject, terms);
  giveUpOpen(draft);
  draft.row.status = 'EXPIRED';
  return { outcome: 'done', change: changeOf(draft), events: [plainEvent(draft, 'return.expired')] };
}

export function planInTransit(subject: Subject, action: ActionOf<'markInTransit'>, terms: Terms): Plan {
  const { in_transit_at: before, tracking_number: number } = subject.row;
  const { at = before ?? terms.now, trackingNumber = number } = action;
  const isSameTime = before !== null && formatDateTime(before) === formatDateTime(at);
  if (isSameTime && trackingNumber === number) return { outcome: 'same' };
  const draft = draftOf(subject, terms);
  Object.assign(draft.row, { in_transit_at: at, tracking_number: trackingNumber });
  return { outcome: 'done', change: changeOf(draft), events: [inTransit(draft)] };
}
