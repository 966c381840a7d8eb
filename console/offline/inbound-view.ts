/** What a screen shows of a shipment, and what the service's replies change of it. It loads with the first command or screen that needs it. */
import type { Command, Kept } from './commands.ts';
import type { Conflict, Snapshot } from './database.ts';
import { bookedIn, type Receipt, type Shipment, withDoing, withoutBooked, withReply } from './inbound.ts';
import { inboundWireOf } from './inbound-wire.ts';

export type InboundSnapshot = Snapshot & { kind: 'inbound' };

/** What this device has of a shipment. */
export interface InboundParts {
  snapshot: InboundSnapshot;
  /** Commands of the person that wait. */
  commands: readonly Kept[];
  conflicts: readonly Conflict[];
}

export interface InboundView {
  /** The shipment as it is once everything is sent. */
  shipment: Shipment;
  /** When the service said so. */
  at: number;
  /** Node that receives it. */
  nodeId: string;
  /** Commands that the service does not have yet. */
  waiting: number;
  /** What it did not accept: cartons and items that wait for a decision. */
  conflicts: readonly Conflict[];
}

/** A shipment with the receipts that are not sent yet, without the rejected ones. */
export function inboundView({ snapshot, commands, conflicts }: InboundParts): InboundView {
  const { shipment, at, key } = snapshot;
  const stopped = new Set(conflicts.map(({ lane }) => lane));
  const [, , nodeId = ''] = JSON.parse(key) as string[];
  const going = commands.filter(({ lane }) => !stopped.has(lane));
  return { shipment: going.reduce(withCommand, shipment), at, nodeId, waiting: commands.length, conflicts };
}

/** A shipment after a command of it. */
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

/** The snapshot of a shipment once the service has accepted a command of it. */
export function acceptedInbound(
  snapshot: InboundSnapshot,
  done: Kept,
  body: Record<string, unknown>,
  now: number,
): Snapshot {
  const after = withCommand(snapshot.shipment, done);
  return { ...snapshot, at: now, shipment: withReply(snapshot.shipment, after, body) };
}

/** Commands that waited for the response to a receipt: they take back what it booked, not what was expected. */
export function released(waiting: readonly Kept[], done: readonly Kept[], body: Record<string, unknown>): Kept[] {
  const receipt = body['receipt'] as Receipt | undefined;
  if (receipt === undefined) return [];
  return waiting
    .filter(({ command }) => done.some(({ id }) => takesBack(command, id)))
    .map((one) => withReceipt(one, receipt));
}

/** A command to keep: its response may have come since the screen looked, and nothing else would ever release it. */
export function releasedLate(one: NewKept, snapshot: Snapshot | undefined): NewKept {
  if (snapshot?.kind !== 'inbound') return one;
  const receipt = snapshot.shipment.receipts.find(({ receiptId }) => takesBack(one.command, receiptId));
  return receipt === undefined ? one : withReceipt(one, receipt);
}

type NewKept = Omit<Kept, 'seq'>;

/** Whether a command waits for the response to a receipt. */
function takesBack(command: Command, receiptId: string): boolean {
  return command.kind === 'unreceive' && !command.isKnown && command.undoes === receiptId;
}

function withReceipt<K extends NewKept>(one: K, receipt: Receipt): K {
  if (one.command.kind !== 'unreceive') return one;
  const command = { ...one.command, of: bookedIn(receipt), isKnown: true };
  return { ...one, command, wire: inboundWireOf(command, one.id, one.owner) };
}
