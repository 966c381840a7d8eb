import { type CommandScope, scopeOf } from '../commands.ts';

/**
 * The kinds of commands on a return. Each kind has its own scope, so commands of different kinds can use the same id.
 */
export const COMMAND_KINDS = ['receipt', 'dispose', 'match', 'close'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

export const commandScope = (returnId: string, kind: CommandKind) => scopeOf('return', `${returnId}:${kind}`);

/**
 * Scopes of the commands that create returns. The number of a return in its store identifies a request; the takeId
 * identifies a return in a store.
 */
export const requestScope = (storeId: string) => scopeOf('returnRequest', storeId);
export const TAKE_SCOPE: CommandScope = 'returnTake';
