/**
 * Commands that work without the network, and the request of each. A command gets its id when the user taps. It gets
 * its request at the same time, or after an earlier response that the request needs (`later`). The id never changes,
 * and the request changes only if the user confirms a rejected receipt. A newer version of the console therefore sends
 * the stored requests of an older version.
 */
import type { components } from '../../contract/client.d.ts';
import { isTraining } from '../../src/platform/training.ts';
import type { Booked, CountLine, WholeScan } from './inbound.ts';
import type { Came } from './returned.ts';

type Schemas = components['schemas'];

export type TicketDetails = Schemas['PickTicketDetails'];
export type CheckInDetails = Schemas['CheckInDetails']['fulfillmentOrder'];
/** The place of one order's goods. */
export interface OrderPlace {
  fulfillmentOrderId: string;
  holdLocation: string;
}
type WireScan = Schemas['PickProgress']['scans'][number];
type ItemResult = Schemas['PickTicketItemAnswer'];
export type CheckInPackage = Schemas['CheckInConfirm']['fulfillmentOrder']['checkInPackages'][number];

/** A pick ticket or a ship-to-store order, identified by the parts of its path. */
interface StoreSubject {
  kind: 'ticket' | 'checkIn';
  storeId: string;
  nodeId: string;
  /** The pickTicketId or the fulfillmentOrderId. */
  id: string;
}

/** An inbound shipment, identified by the parts of its path. */
export interface InboundSubject {
  kind: 'inbound';
  clientId: string;
  nodeId: string;
  type: InboundType;
  sellerId: string;
  /** Number of the ASN, the PO or the goods without papers. */
  id: string;
  /** The carton, or the item if it has no carton. Receipts of different parts are sent independently. */
  part?: string;
}
export type InboundType = Schemas['NodeInbound']['type'];

/** An announced return, identified by the parts of its path in the console. */
export interface ReturnSubject {
  kind: 'return';
  clientId: string;
  nodeId: string;
  storeId: string;
  /** Number of the return in its web store. */
  id: string;
  /** The receipt. Each receipt is sent independently. */
  part?: string;
}

/** The resource that a command changes. */
export type Subject = TicketSubject | CheckInSubject | InboundSubject | ReturnSubject;
export type TicketSubject = StoreSubject & { kind: 'ticket' };
export type CheckInSubject = StoreSubject & { kind: 'checkIn' };

/** The units of one scan. */
export interface ScanUnits {
  /** Number of the item on the ticket. */
  item: number;
  picked: number;
  canceled: number;
  reason?: string;
}

/** An action of the user. */
export type Command = StoreCommand | InboundCommand | ReturnCommand;

/** Commands on a pick ticket or an order. */
export type StoreCommand =
  | { kind: 'open'; subject: TicketSubject }
  | ({ kind: 'scan'; subject: TicketSubject } & ScanUnits)
  /** Undoes a scan. `of` has the units of that scan, for the displayed sums. */
  | { kind: 'undo'; subject: TicketSubject; undoes: string; of: ScanUnits }
  | {
      kind: 'confirm';
      subject: TicketSubject;
      holdLocation: string;
      /** Places of single orders. The place of all other orders is `holdLocation`. */
      orderHoldLocations?: OrderPlace[];
      items: ItemResult[];
    }
  | { kind: 'saveCheckIn'; subject: CheckInSubject; packages: CheckInPackage[]; holdLocation?: string }
  | { kind: 'confirmCheckIn'; subject: CheckInSubject; packages: CheckInPackage[]; holdLocation: string };

/** Commands on an inbound shipment. */
export type InboundCommand =
  | { kind: 'arrive'; subject: InboundSubject; at: number }
  | ReceiveCommand
  /**
   * Undoes a receipt. `of` has the units of that receipt: as the service booked them if `isKnown`, otherwise as this
   * device expects them.
   */
  | { kind: 'unreceive'; subject: InboundSubject; at: number; undoes: string; of: Booked[]; isKnown: boolean };

/** Commands on an announced return. `returnId` is the id of the return in the paths of a node. */
export type ReturnCommand = { subject: ReturnSubject; returnId: string; at: number } & (
  | {
      kind: 'receiveReturn';
      lines: Came[];
      /** True if the user confirmed that the units arrived although they were not announced. */
      over?: boolean;
    }
  /**
   * Undoes a receipt. `of` has the units of that receipt: as the service booked them if `isKnown`, otherwise as this
   * device expects them.
   */
  | { kind: 'unreceiveReturn'; undoes: string; of: Came[]; isKnown: boolean }
);

/** A receipt of whole cartons, or of counted units. */
interface ReceiveCommand {
  kind: 'receive';
  subject: InboundSubject;
  /** Time of the receipt, epoch milliseconds. */
  at: number;
  cartons?: WholeScan[];
  lines?: CountLine[];
  /** True if the user confirmed that the carton arrived although it was not announced. */
  unannounced?: boolean;
}

/**
 * The user who gave a command. Waiting commands remain that user's commands when another user signs in on the device.
 */
export interface Owner {
  /** The client of the user. Users of the operator have none. */
  clientId?: string;
  userId: string;
  name: string;
}

/** A command in the outbox. */
export interface Kept {
  /** Position in the outbox: the order of the commands on this device. */
  seq: number;
  /** The scanId, or the Idempotency-Key. */
  id: string;
  owner: Owner;
  /** Commands of one lane are sent one after the other. */
  lane: string;
  /** Time of the tap, epoch milliseconds. */
  at: number;
  command: Command;
  wire: Wire;
  /** True if the command was sent at least once. The service may have it even if no response arrived. */
  tried: boolean;
}

/** A separate request, or a scan that is sent together with its neighbors. */
export type Wire =
  | { kind: 'scan'; scan: WireScan }
  | ({ kind: 'request' } & WireRequest)
  /** The request is built after the response to the command that it undoes. */
  | { kind: 'later' };

export interface WireRequest {
  method: 'POST' | 'PUT';
  /** Path below the base URL of the service. */
  path: string;
  body: string;
}

/** Returns the lane of a command: its owner, its subject and, if the subject has parts, its part. */
export function laneOf(owner: Owner, subject: Subject): string {
  const part = 'part' in subject ? [subject.part] : [];
  return JSON.stringify([owner.clientId ?? '', owner.userId, ...namesOf(subject), ...part]);
}

/** Returns the key of a subject on this device. All parts of a shipment or of a return have the same key. */
export function keyOf(subject: Subject): string {
  return JSON.stringify(namesOf(subject));
}

function namesOf(subject: Subject): string[] {
  if (subject.kind === 'inbound') {
    const { kind, clientId, nodeId, type, sellerId, id } = subject;
    return [kind, clientId, nodeId, type, sellerId, id];
  }
  const { kind, storeId, nodeId, id } = subject;
  return [kind, ...(subject.kind === 'return' ? [subject.clientId] : []), storeId, nodeId, id];
}

/** Returns the key of the owner of a lane, a snapshot or a ticket of the outbox. */
export function ownerKey({ clientId = '', userId }: Pick<Owner, 'clientId' | 'userId'>): string {
  return JSON.stringify([clientId, userId]);
}

/** Returns whether a user is in a training. */
export const isInTraining = ({ clientId = '' }: Owner): boolean => isTraining(clientId);

const places = ({ storeId, nodeId }: StoreSubject) =>
  `/stores/${encodeURIComponent(storeId)}/nodes/${encodeURIComponent(nodeId)}`;

/** Returns the request of a command. The request is stored, so every retry sends the same content. */
export function wireOf(command: StoreCommand, id: string, { userId }: Owner): Wire {
  const { subject } = command;
  const { storeId, nodeId } = subject;
  const own = encodeURIComponent(subject.id);
  const request = (method: 'POST' | 'PUT', path: string, body: unknown): Wire => ({
    kind: 'request',
    method,
    path: `${places(subject)}${path}`,
    body: JSON.stringify(body),
  });
  switch (command.kind) {
    case 'open':
      return request('POST', `/pickTickets/${own}`, { storeId, nodeId, pickTicketId: subject.id, userId });
    case 'scan':
      return { kind: 'scan', scan: scanOf(command, id) };
    case 'undo':
      // Names the item too, because the undone scan may arrive later than the undo.
      return { kind: 'scan', scan: { scanId: id, id: command.of.item, undoes: command.undoes } };
    case 'confirm': {
      const { holdLocation, orderHoldLocations, items } = command;
      const details = {
        action: 'CONFIRM',
        pickTicketId: subject.id,
        storeId,
        nodeId,
        userId,
        holdLocation,
        ...(orderHoldLocations !== undefined && { orderHoldLocations }),
        pickTicketItems: items,
      };
      return request('PUT', '/pickTicket/update', { modifyAssociateId: userId, pickTicketDetails: details });
    }
    case 'saveCheckIn':
    case 'confirmCheckIn': {
      const { packages, holdLocation } = command;
      const order = {
        action: command.kind === 'saveCheckIn' ? 'UPDATE' : 'CONFIRM',
        storeId,
        nodeId,
        fulfillmentOrderId: subject.id,
        ...(holdLocation !== undefined && { holdLocation }),
        checkInPackages: packages,
      };
      const path = `/fulfillmentOrders/${own}/checkin`;
      return request('POST', path, { modifyAssociateId: userId, fulfillmentOrder: order });
    }
  }
}

function scanOf({ item, picked, canceled, reason }: ScanUnits, scanId: string): WireScan {
  return {
    scanId,
    id: item,
    ...(picked > 0 && { pickedQuantity: picked }),
    ...(canceled > 0 && { canceledQuantity: canceled }),
    ...(reason !== undefined && { cancellationReasonCode: reason }),
  };
}

/** Returns one request for commands that are sent together. */
export function requestOf(commands: readonly [Kept, ...Kept[]]): WireRequest & { key?: string } {
  const [{ wire, id, owner, command }] = commands;
  if (wire.kind === 'request') return { method: wire.method, path: wire.path, body: wire.body, key: id };
  if (command.subject.kind === 'inbound' || command.subject.kind === 'return')
    throw new Error('the command waits for the receipt that it undoes');
  const scans = commands.map((one) => (one.wire.kind === 'scan' ? one.wire.scan : undefined));
  return {
    method: 'POST',
    path: `/operator/v1${places(command.subject)}/pickTickets/${encodeURIComponent(command.subject.id)}/scans`,
    // Each scan has its own id, so the request needs no key, and a retry can send other scans together with it.
    body: JSON.stringify({ userId: owner.userId, scans }),
  };
}
