/** The states of a return (docs/returns.md). */
export const RETURN_STATES = ['REQUESTED', 'RECEIVING', 'CLOSED', 'CANCELED', 'EXPIRED'] as const;
export type ReturnState = (typeof RETURN_STATES)[number];
