/**
 * Builds the displayed shipment from a snapshot and the waiting commands, and applies responses of the service to
 * snapshots. It loads with the first command or screen that needs it.
 */
import type { Command, Kept } from './commands.ts';
import type { Conflict, Snapshot } from './database.ts';
import { bookedIn, type Receipt, type Shipment, withDoing, withoutBooked, withReply } from './inbound.ts';
import { inboundWireOf } from './inbound-wire.ts';
import { decisionsOf, isOfAsns } from './together.ts';

export type InboundSnapshot = Snapshot & { kind: 'inbound' };

/** The data of a shipment on this device. */
export interface InboundParts {
  snapshot: InboundSnapshot;
  /** Waiting commands of the user. */
  commands: readonly Kept[];
  conflicts: readonly Conflict[];
}

export interface InboundView {
  /** The shipment with all waiting commands applied. */
  shipment: Shipment;
  /** Time of the last response of the service. */
  at: number;
  /** The node that receives the shipment. */
  nodeId: string;
  /** Number of commands that the service does not have yet. */
  waiting: number;
  /** The conflicts to decide: one for each rejected carton or item, and one for all receipts with `isOfAsns`. */
  conflicts: readonly Conflict[];
  /** Returns whether `shipment` has the units of a receipt: the service has it, or it waits and is not rejected. */
  has: (receiptId: string) => boolean;
  /** Returns whether a receipt is corrected or undone: by the service, or by a waiting command that is not rejected. */
  isCorrected: (receiptId: string) => boolean;
  /** The waiting commands that are not rejected. */
  going: readonly Kept[];
}

/** Returns whether the user must settle a conflict before another receipt of this part of the shipment. */
export function stops(conflict: Conflict, part: string): boolean {
  return isOfAsns(conflict) || (conflict.subject.kind === 'inbound' && conflict.subject.part === part);
}

/** Applies the unsent receipts to a shipment. Rejected receipts are left out. */
export function inboundView({ snapshot, commands, conflicts }: InboundParts): InboundView {
  const { shipment, at, key } = snapshot;
  const stopped = new Set(conflicts.map(({ lane }) => lane));
  const [, , nodeId = ''] = JSON.parse(key) as string[];
  const going = commands.filter(({ lane }) => !stopped.has(lane));
  return {
    shipment: going.reduce(withCommand, shipment),
    at,
    nodeId,
    waiting: commands.length,
    conflicts: decisionsOf(conflicts),
    has: (receiptId) =>
      going.some(({ id }) => id === receiptId) || shipment.receipts.some((one) => one.receiptId === receiptId),
    isCorrected: (receiptId) =>
      going.some(({ command }) => command.kind === 'unreceive' && command.undoes === receiptId) ||
      shipment.receipts.some(({ corrects }) => corrects === receiptId),
    going,
  };
}

/** Returns the shipment after one of its commands. */
function withCommand(shipment: Shipment, { command, owner: { userId } }: Kept): Shipment {
  switch (command.kind) {
    case 'arrive':
      return { ...shipment, arrivedAt: shipment.arrivedAt ?? new Date(command.at).toISOString() };
    case 'receive':
      return withDoing(shipment, command, { userId, at: command.at });
    case 'unreceive':
      return withoutBooked(shipment, command.of);
    default:
      return shipment;
  }
}

/** Returns the snapshot of a shipment after the service has accepted one of its commands. */
export function acceptedInbound(
  snapshot: InboundSnapshot,
  done: Kept,
  body: Record<string, unknown>,
  now: number,
): Snapshot {
  const after = withCommand(snapshot.shipment, done);
  return { ...snapshot, at: now, shipment: withReply(snapshot.shipment, after, body) };
}

/**
 * Returns a shipment that was read again, with the orders that need the units of the last receipt. Only the response to
 * a receipt names these orders, and the user still needs them after the shipment is read again.
 */
export function withHint(shipment: Shipment, before: Snapshot | undefined): Shipment {
  if (before?.kind !== 'inbound') return shipment;
  const last = before.shipment.receipts.findLast(({ wanted }) => wanted !== undefined);
  if (last === undefined) return shipment;
  const receipts = shipment.receipts.map((one) =>
    one.receiptId === last.receiptId ? { ...one, wanted: last.wanted! } : one,
  );
  return { ...shipment, receipts };
}

/**
 * Returns the undo commands that waited for the response to a receipt. They now undo the booked units in place of the
 * expected units.
 */
export function released(waiting: readonly Kept[], done: readonly Kept[], body: Record<string, unknown>): Kept[] {
  const receipt = body['receipt'] as Receipt | undefined;
  if (receipt === undefined) return [];
  return waiting
    .filter(({ command }) => done.some(({ id }) => takesBack(command, id)))
    .map((one) => withReceipt(one, receipt));
}

/**
 * Fills in the booked units of an undo command before it is stored. If the response to the undone receipt has already
 * arrived, no later response fills in the units.
 */
export function releasedLate(one: NewKept, snapshot: Snapshot | undefined): NewKept {
  if (snapshot?.kind !== 'inbound') return one;
  const receipt = snapshot.shipment.receipts.find(({ receiptId }) => takesBack(one.command, receiptId));
  return receipt === undefined ? one : withReceipt(one, receipt);
}

type NewKept = Omit<Kept, 'seq'>;

/** Returns whether a command waits for the response to a receipt. */
function takesBack(command: Command, receiptId: string): boolean {
  return command.kind === 'unreceive' && !command.isKnown && command.undoes === receiptId;
}

function withReceipt<K extends NewKept>(one: K, receipt: Receipt): K {
  if (one.command.kind !== 'unreceive') return one;
  const command = { ...one.command, of: bookedIn(receipt), isKnown: true };
  return { ...one, command, wire: inboundWireOf(command, one.id, one.owner) };
}
