/** The cause of a conflict and the possible actions, from the error of the service and the present ticket. */
import type { Kept, TicketDetails } from './commands.ts';
import type { Conflict } from './database.ts';

/** The cause of a rejection, in terms of the user's work. */
export type Situation = 'TAKEN_OVER' | 'RESET' | 'CONFIRMED' | 'GONE' | 'DENIED' | 'WRONG' | 'OTHER';

/** The possible actions. */
export interface Ways {
  /** True if a retry without changes may succeed now. */
  canRetry: boolean;
  /** The user who has the ticket now. Set only if the ticket can be taken over from this user. */
  takeBackFrom?: string;
  /** Commands to leave out, because the service may then accept the other commands. */
  leaveOut: readonly string[];
}

/**
 * Returns the cause of a conflict. @param now the present ticket from the service; undefined if it cannot be read, and
 * for a check-in
 */
export function situationOf(conflict: Conflict, now: TicketDetails | undefined): Situation {
  if (now?.outcome === 'RESET') return 'RESET';
  if (now?.outcome === 'CONFIRMED') return 'CONFIRMED';
  if (now !== undefined && now.userId !== '' && now.userId !== conflict.owner.userId) return 'TAKEN_OVER';
  if (conflict.status === 404 || conflict.code === 'NOT_FOUND') return 'GONE';
  if (conflict.status === 403) return 'DENIED';
  // The error names another user. If the present ticket cannot be read, this user counts as its holder. Otherwise the
  // checks above have shown that no other user has the ticket.
  if (conflict.holder !== undefined && now === undefined) return 'TAKEN_OVER';
  if (conflict.code === 'INVALID_REQUEST') return 'WRONG';
  return 'OTHER';
}

/** Returns the possible actions for a conflict. */
export function waysOf(conflict: Conflict, now: TicketDetails | undefined, lane: readonly Kept[]): Ways {
  const situation = situationOf(conflict, now);
  const isClosed = situation === 'RESET' || situation === 'CONFIRMED';
  const holder = now?.userId ?? conflict.holder;
  const isOther = situation === 'TAKEN_OVER' && holder !== undefined && holder !== '';
  return {
    canRetry: !isClosed && situation !== 'TAKEN_OVER',
    ...(isOther && { takeBackFrom: holder }),
    leaveOut: !isClosed && conflict.named.length < lane.length ? conflict.named : [],
  };
}

/** Returns the units of a lane that the service does not have. */
export function unsentUnits(lane: readonly Kept[]): {
  picked: number;
  missing: number;
  isConfirm: boolean;
  checkIns: number;
} {
  const undone = new Set(lane.flatMap(({ command }) => (command.kind === 'undo' ? [command.undoes] : [])));
  const sum = { picked: 0, missing: 0, isConfirm: false, checkIns: 0 };
  for (const { id, command } of lane) {
    if (command.kind === 'scan' && !undone.has(id)) {
      sum.picked += command.picked;
      sum.missing += command.canceled;
    }
    if (command.kind === 'confirm') sum.isConfirm = true;
    if (command.kind === 'saveCheckIn' || command.kind === 'confirmCheckIn') sum.checkIns += 1;
  }
  return sum;
}
