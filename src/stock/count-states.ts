/** The states of a count, and the effect of each decision of a lead in each state. A missing cell does not compile. */
import { conflict } from '../platform/http/errors.ts';
import { quote } from '../platform/message/words.ts';
import type { StockCountLineRow, StockCountRow } from '../platform/storage/tables.ts';
import { say } from './sentences.ts';

/** POSTED: no line waits. WAITING: lines wait for approval. REJECTED: the lines that waited are not posted. */
export const COUNT_STATES = ['POSTED', 'WAITING', 'REJECTED'] as const;
export type CountState = (typeof COUNT_STATES)[number];

export const COUNT_ACTIONS = ['approve', 'reject'] as const;
export type CountAction = (typeof COUNT_ACTIONS)[number];

/** The effect of a decision: the next state; `same`: a retry, which changes nothing; or a rejection. */
type Effect = CountState | 'same' | 'refused';

export const COUNT_TRANSITIONS: Readonly<Record<CountState, Readonly<Record<CountAction, Effect>>>> = {
  WAITING: { approve: 'POSTED', reject: 'REJECTED' },
  POSTED: { approve: 'same', reject: 'refused' },
  REJECTED: { approve: 'refused', reject: 'same' },
};

/** Returns the state of a count. The row of a rejected count has the state POSTED (migration 041). */
export function countState({ state, rejected_at }: Pick<StockCountRow, 'state' | 'rejected_at'>): CountState {
  return rejected_at === null ? state : 'REJECTED';
}

/** Returns the state of a line of a count. A line that was not posted before the rejection of its count is REJECTED. */
export function countLineState(
  count: Pick<StockCountRow, 'rejected_at'>,
  { state }: Pick<StockCountLineRow, 'state'>,
): CountState {
  return count.rejected_at !== null && state === 'WAITING' ? 'REJECTED' : state;
}

/** @throws Refusal 409 if the state of a count does not allow the decision */
export function mustAllow(row: StockCountRow, action: CountAction): void {
  const state = countState(row);
  if (COUNT_TRANSITIONS[state][action] !== 'refused') return;
  const countId = quote(row.count_id);
  throw conflict(
    state === 'REJECTED'
      ? say('Count {countId} was rejected by {userId}; nothing was changed. Count its rejected items again.', {
          countId,
          userId: quote(row.rejected_by!),
        })
      : say(
          'Count {countId} is already posted and cannot be rejected; nothing was changed. To correct the stock, count its items again.',
          { countId },
        ),
    { state },
  );
}
