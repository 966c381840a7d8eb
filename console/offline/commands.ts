/**
 * What can be done without the network, and how each becomes a request. A command gets its id and its request when the person
 * taps, and both stay as they are: a newer version of the console sends what the older one wrote, byte for byte.
 */
import type { components } from '../../contract/client.d.ts';
import type { Booked, CountLine, WholeScan } from './inbound.ts';
import type { Came } from './returned.ts';

type Schemas = components['schemas'];

export type TicketDetails = Schemas['PickTicketDetails'];
export type CheckInDetails = Schemas['CheckInDetails']['fulfillmentOrder'];
/** Where the goods of one order of a ticket wait. */
export interface OrderPlace {
  fulfillmentOrderId: string;
  holdLocation: string;
}
type WireScan = Schemas['PickProgress']['scans'][number];
type ItemResult = Schemas['PickTicketItemAnswer'];
export type CheckInPackage = Schemas['CheckInConfirm']['fulfillmentOrder']['checkInPackages'][number];

/** A pick ticket or a ship-to-store order, by what its path names. */
interface StoreSubject {
  kind: 'ticket' | 'checkIn';
  storeId: string;
  nodeId: string;
  /** pickTicketId, or fulfillmentOrderId. */
  id: string;
}

/** An inbound shipment, by what its path names. */
export interface InboundSubject {
  kind: 'inbound';
  clientId: string;
  nodeId: string;
  type: InboundType;
  sellerId: string;
  /** Number of the ASN, PO or goods without papers. */
  id: string;
  /** Its carton, or its item without one: receipts of different parts do not wait for each other. */
  part?: string;
}
export type InboundType = Schemas['NodeInbound']['type'];

/** An announced return, by what its path in the console names. */
export interface ReturnSubject {
  kind: 'return';
  clientId: string;
  nodeId: string;
  storeId: string;
  /** Its number in the web store. */
  id: string;
  /** The receipt: receipts do not wait for each other. */
  part?: string;
}

/** What commands are about. */
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

/** What a person does. */
export type Command = StoreCommand | InboundCommand | ReturnCommand;

/** On a pick ticket, or with an order. */
export type StoreCommand =
  | { kind: 'open'; subject: TicketSubject }
  | ({ kind: 'scan'; subject: TicketSubject } & ScanUnits)
  /** Takes a scan back; `of` is what it said, for the sums that are shown. */
  | { kind: 'undo'; subject: TicketSubject; undoes: string; of: ScanUnits }
  | {
      kind: 'confirm';
      subject: TicketSubject;
      holdLocation: string;
      /** Places of single orders; those of the others are `holdLocation`. */
      orderHoldLocations?: OrderPlace[];
      items: ItemResult[];
    }
  | { kind: 'saveCheckIn'; subject: CheckInSubject; packages: CheckInPackage[]; holdLocation?: string }
  | { kind: 'confirmCheckIn'; subject: CheckInSubject; packages: CheckInPackage[]; holdLocation: string };

/** On an inbound shipment. */
export type InboundCommand =
  | { kind: 'arrive'; subject: InboundSubject; at: number }
  | ReceiveCommand
  /** Takes a receipt back; `of` is what it booked. Until the service has said that (`isKnown`), it is what the device expects. */
  | { kind: 'unreceive'; subject: InboundSubject; at: number; undoes: string; of: Booked[]; isKnown: boolean };

/** On an announced return; `returnId` is its id in paths of a node. */
export type ReturnCommand = { subject: ReturnSubject; returnId: string; at: number } & (
  | {
      kind: 'receiveReturn';
      lines: Came[];
      /** The person has said that the units are there although they were not announced. */
      over?: boolean;
    }
  /** Takes a receipt back; `of` is what it booked. Until the service has said that (`isKnown`), it is what the device expects. */
  | { kind: 'unreceiveReturn'; undoes: string; of: Came[]; isKnown: boolean }
);

/** Whole cartons, or counted units. */
interface ReceiveCommand {
  kind: 'receive';
  subject: InboundSubject;
  /** When it was done, epoch milliseconds. */
  at: number;
  cartons?: WholeScan[];
  lines?: CountLine[];
  /** The person has said that the carton is there although it was not announced. */
  unannounced?: boolean;
}

/** The person who did it: waiting commands stay theirs when another person uses the device. */
export interface Owner {
  /** Absent for people of the operator. */
  clientId?: string;
  userId: string;
  name: string;
}

/** A command as the outbox keeps it. */
export interface Kept {
  /** Place in the outbox: the order in which things were done on this device. */
  seq: number;
  /** The scanId, or the Idempotency-Key. */
  id: string;
  owner: Owner;
  /** Commands of one lane are sent one after the other. */
  lane: string;
  /** When the person tapped, epoch milliseconds. */
  at: number;
  command: Command;
  wire: Wire;
  /** It was sent at least once, so the service may have it although no response came. */
  tried: boolean;
}

/** A request of its own, or a scan that goes along with its neighbours. */
export type Wire =
  | { kind: 'scan'; scan: WireScan }
  | ({ kind: 'request' } & WireRequest)
  /** It becomes a request after the response to the command that it takes back. */
  | { kind: 'later' };

export interface WireRequest {
  method: 'POST' | 'PUT';
  /** Below the address of the service. */
  path: string;
  body: string;
}

/** The lane of a command: its owner and what it is about. */
export function laneOf(owner: Owner, subject: Subject): string {
  const part = 'part' in subject ? [subject.part] : [];
  return JSON.stringify([owner.clientId ?? '', owner.userId, ...namesOf(subject), ...part]);
}

/** The key of what is kept of a subject: all parts of a shipment have one. */
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

/** Which owner a lane, a snapshot or a ticket of the outbox belongs to. */
export function ownerKey({ clientId = '', userId }: Pick<Owner, 'clientId' | 'userId'>): string {
  return JSON.stringify([clientId, userId]);
}

const places = ({ storeId, nodeId }: StoreSubject) =>
  `/stores/${encodeURIComponent(storeId)}/nodes/${encodeURIComponent(nodeId)}`;

/** The request that a command will be, for ever. */
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
      // The item is named too: the scan that is taken back may arrive later.
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

/** The one request of commands that go together. */
export function requestOf(commands: readonly [Kept, ...Kept[]]): WireRequest & { key?: string } {
  const [{ wire, id, owner, command }] = commands;
  if (wire.kind === 'request') return { method: wire.method, path: wire.path, body: wire.body, key: id };
  if (command.subject.kind === 'inbound' || command.subject.kind === 'return')
    throw new Error('it waits for the receipt that it takes back');
  const scans = commands.map((one) => (one.wire.kind === 'scan' ? one.wire.scan : undefined));
  return {
    method: 'POST',
    path: `/operator/v1${places(command.subject)}/pickTickets/${encodeURIComponent(command.subject.id)}/scans`,
    // Each scan has an id of its own, so the call needs no key and may have other neighbours the next time.
    body: JSON.stringify({ userId: owner.userId, scans }),
  };
}
