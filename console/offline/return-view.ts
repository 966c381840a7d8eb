/**
 * Builds the displayed return from a snapshot and the waiting commands, and applies responses of the service to
 * snapshots.
 */
import type { Command, Kept } from './commands.ts';
import type { Conflict, Snapshot } from './database.ts';
import type { NewKept } from './kinds.ts';
import { returnWireOf } from './return-wire.ts';
import { bookedIn, type Returned, type ReturnedReceipt, revived, takenBack, withUnits } from './returned.ts';

export type ReturnSnapshot = Snapshot & { kind: 'return' };

/** The data of a return on this device. */
export interface ReturnParts {
  snapshot: ReturnSnapshot;
  /** Waiting commands of the user. */
  commands: readonly Kept[];
  conflicts: readonly Conflict[];
}

export interface ReturnView {
  /** The return with all waiting commands applied. */
  returned: Returned;
  /** Time of the last response of the service. */
  at: number;
  /** Number of commands that the service does not have yet. */
  waiting: number;
  /** Rejected receipts. */
  conflicts: readonly Conflict[];
  /** Returns whether `returned` has the units of a receipt: the service has it, or it waits and is not rejected. */
  has: (receiptId: string) => boolean;
}

/** Applies the unsent receipts to a return. Rejected receipts are left out. */
export function returnView({ snapshot: { returned, at }, commands, conflicts }: ReturnParts): ReturnView {
  const stopped = new Set(conflicts.map(({ lane }) => lane));
  const going = commands.filter(({ lane }) => !stopped.has(lane));
  return {
    returned: going.reduce(withCommand, revived(returned)),
    at,
    waiting: commands.length,
    conflicts,
    has: (receiptId) =>
      going.some(({ id }) => id === receiptId) || returned.receipts.some((one) => one.receiptId === receiptId),
  };
}

function withCommand(returned: Returned, { id, command, owner: { userId } }: Kept): Returned {
  if (command.kind === 'receiveReturn') return withUnits(returned, command.lines);
  if (command.kind !== 'unreceiveReturn') return returned;
  const lines = takenBack(command.of);
  const after = withUnits(returned, lines);
  if (!command.isKnown) return after;
  // The correction counts like a booked one, so the same units cannot be corrected twice.
  const { undoes: corrects, at, subject } = command;
  const receipt = { receiptId: id, nodeId: subject.nodeId, userId, at: new Date(at).toISOString(), corrects };
  return { ...after, receipts: [...after.receipts, { ...receipt, lines: lines as ReturnedReceipt['lines'] }] };
}

/** Returns the snapshot after the service has accepted a receipt. The response has the whole return. */
export function acceptedReturn(
  snapshot: ReturnSnapshot,
  done: Kept,
  body: Record<string, unknown>,
  now: number,
): Snapshot {
  const shown = body['return'] as Returned | undefined;
  // Responses can arrive out of order: from two tabs, or after a retry. A newer return already has the command.
  const isOlder = shown !== undefined && shown.revision < snapshot.returned.revision;
  const after = shown ?? withCommand(snapshot.returned, done);
  return { ...snapshot, at: now, returned: isOlder ? snapshot.returned : after };
}

/**
 * Returns the undo commands that waited for the response to a receipt. They now undo the booked units in place of the
 * expected units.
 */
export function released(waiting: readonly Kept[], done: readonly Kept[], body: Record<string, unknown>): Kept[] {
  const receipt = body['receipt'] as ReturnedReceipt | undefined;
  if (receipt === undefined) return [];
  return waiting
    .filter(({ command }) => done.some(({ id }) => takesBack(command, id)))
    .map((one) => withReceipt(one, receipt));
}

/**
 * Completes an undo command before it is stored. If the response to its receipt arrived after the screen read the
 * snapshot, no later response completes the command.
 */
export function releasedLate(one: NewKept, snapshot: Snapshot | undefined): NewKept {
  if (snapshot?.kind !== 'return') return one;
  const receipt = snapshot.returned.receipts.find(({ receiptId }) => takesBack(one.command, receiptId));
  return receipt === undefined ? one : withReceipt(one, receipt);
}

/** Returns whether a command waits for the response to a receipt. */
function takesBack(command: Command, receiptId: string): boolean {
  return command.kind === 'unreceiveReturn' && !command.isKnown && command.undoes === receiptId;
}

function withReceipt<K extends NewKept>(one: K, receipt: ReturnedReceipt): K {
  if (one.command.kind !== 'unreceiveReturn') return one;
  const command = { ...one.command, of: bookedIn(receipt), isKnown: true };
  return { ...one, command, wire: returnWireOf(command, one.id, one.owner) };
}
