/** What a screen shows of an announced return, and what the responses of the service change of it. */
import type { Command, Kept } from './commands.ts';
import type { Conflict, Snapshot } from './database.ts';
import type { NewKept } from './kinds.ts';
import { returnWireOf } from './return-wire.ts';
import { bookedIn, type Returned, type ReturnedReceipt, takenBack, withUnits } from './returned.ts';

export type ReturnSnapshot = Snapshot & { kind: 'return' };

/** What this device has of a return. */
export interface ReturnParts {
  snapshot: ReturnSnapshot;
  /** Commands of the person that wait. */
  commands: readonly Kept[];
  conflicts: readonly Conflict[];
}

export interface ReturnView {
  /** The return as it is once everything is sent. */
  returned: Returned;
  /** When the service said so. */
  at: number;
  /** Commands that the service does not have yet. */
  waiting: number;
  /** Receipts that it did not accept. */
  conflicts: readonly Conflict[];
}

/** A return with the receipts that are not sent yet, without those that were rejected. */
export function returnView({ snapshot: { returned, at }, commands, conflicts }: ReturnParts): ReturnView {
  const stopped = new Set(conflicts.map(({ lane }) => lane));
  const going = commands.filter(({ lane }) => !stopped.has(lane));
  return { returned: going.reduce(withCommand, returned), at, waiting: commands.length, conflicts };
}

function withCommand(returned: Returned, { command }: Kept): Returned {
  if (command.kind === 'receiveReturn') return withUnits(returned, command.lines);
  return command.kind === 'unreceiveReturn' ? withUnits(returned, takenBack(command.of)) : returned;
}

/** The snapshot once the service has accepted a receipt: the response has the whole return. */
export function acceptedReturn(
  snapshot: ReturnSnapshot,
  done: Kept,
  body: Record<string, unknown>,
  now: number,
): Snapshot {
  const shown = body['return'] as Returned | undefined;
  // Responses of two tabs or a retry may arrive in another order.
  const isNewer = shown !== undefined && shown.revision >= snapshot.returned.revision;
  return { ...snapshot, at: now, returned: isNewer ? shown : withCommand(snapshot.returned, done) };
}

/** Commands that waited for the response to a receipt: they take back what it booked, not what was expected. */
export function released(waiting: readonly Kept[], done: readonly Kept[], body: Record<string, unknown>): Kept[] {
  const receipt = body['receipt'] as ReturnedReceipt | undefined;
  if (receipt === undefined) return [];
  return waiting
    .filter(({ command }) => done.some(({ id }) => takesBack(command, id)))
    .map((one) => withReceipt(one, receipt));
}

/** A command that is to be kept: its response may have come since the screen looked, and nothing else would release it. */
export function releasedLate(one: NewKept, snapshot: Snapshot | undefined): NewKept {
  if (snapshot?.kind !== 'return') return one;
  const receipt = snapshot.returned.receipts.find(({ receiptId }) => takesBack(one.command, receiptId));
  return receipt === undefined ? one : withReceipt(one, receipt);
}

/** Whether a command waits for the response to a receipt. */
function takesBack(command: Command, receiptId: string): boolean {
  return command.kind === 'unreceiveReturn' && !command.isKnown && command.undoes === receiptId;
}

function withReceipt<K extends NewKept>(one: K, receipt: ReturnedReceipt): K {
  if (one.command.kind !== 'unreceiveReturn') return one;
  const command = { ...one.command, of: bookedIn(receipt), isKnown: true };
  return { ...one, command, wire: returnWireOf(command, one.id, one.owner) };
}
