/** Scopes of the commands of returns, each with its own ids. */
export const COMMAND_KINDS = ['receipt', 'dispose', 'match', 'close'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

export const commandScope = (returnId: string, kind: CommandKind) => `return:${returnId}:${kind}`;

/** Commands that make returns: by number in a store, and by takeId. */
export const requestScope = (storeId: string) => `returnRequest:${storeId}`;
export const TAKE_SCOPE = 'returnTake';
