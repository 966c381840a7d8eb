/** The states of a return (docs/returns.md). */
export const RETURN_STATES = ['REQUESTED', 'RECEIVING', 'CLOSED', 'CANCELED', 'EXPIRED'] as const;
export type ReturnState = (typeof RETURN_STATES)[number];
/** The states in which a return waits for goods: the condition of the index `returns_waiting`. */
export const OPEN_RETURNS: readonly ReturnState[] = ['REQUESTED', 'RECEIVING'];

export const REFUND_STATES = ['DUE', 'DONE', 'FAILED', 'CANCELED'] as const;
/** The states of refunds that can still be paid: the condition of the index `refunds_unanswered`. */
export const UNPAID_REFUNDS: readonly (typeof REFUND_STATES)[number][] = ['DUE', 'FAILED'];
