/** The kinds of commands on a return. Each kind has its own scope, so commands of different kinds can use the same id. */
export const COMMAND_KINDS = ['receipt', 'dispose', 'match', 'close'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

export const commandScope = (returnId: string, kind: CommandKind) => `return:${returnId}:${kind}`;

/**
 * Scopes of the commands that create returns. A request is identified by the return's number in its store, a return in
 * a store by its takeId.
 */
export const requestScope = (storeId: string) => `returnRequest:${storeId}`;
export const TAKE_SCOPE = 'returnTake';
