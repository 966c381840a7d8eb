/** Types for receiving goods: actions, the subject of a plan, and the plan. */

import type { Effect } from '../../events/record.ts';
import type { Refusal } from '../../platform/http/errors.ts';
import type {
  InboundCartonWorkRow,
  InboundEntryRow,
  InboundReceiptRow,
  InboundShipmentRow,
  InboundStatementRow,
} from '../../platform/storage/tables.ts';
import type { DeviceTime } from '../../shared/device-time.ts';
import type { StockMove } from '../stock-terms.ts';
import type { Key, Shipment, ShipmentKeys } from './shipment.ts';
import type { Booked, Sums, WholeAs } from './sums.ts';

/** Places for good units. */
export type Place = 'SHELF' | 'STAGE';

/** The destination of received units. `to` applies to good units only. */
interface Put {
  reason?: string | undefined;
  to?: Place | undefined;
  location?: string | undefined;
}

/** A carton that was scanned whole: all its open units are booked as one kind. */
export interface WholeScan extends Put {
  cartonId: string;
  as: WholeAs;
}

/** Counted units of an item. Negative units correct an earlier count. */
export interface CountedLine extends Put {
  cartonId?: string | undefined;
  itemId: string;
  units: Booked;
}

/** Held units, with the decision on them. */
export interface DecidedLine extends Put {
  cartonId?: string | undefined;
  itemId: string;
  units: Omit<Booked, 'held'>;
}

/**
 * A reason given at the close. It applies to the carton, the item, or the item in the carton that it names. Without
 * both ids, it applies to the whole shipment.
 */
interface ClosingReason {
  cartonId?: string | undefined;
  itemId?: string | undefined;
  reason: string;
}

interface By {
  userId: string;
}

/** The id that the caller chose, and the hash of the content. An equal hash means a retry. */
interface Identified extends By {
  id: string;
  hash: string;
}

/** `place` is the destination of good units in cartons and lines without `to`. */
interface Receipt extends Identified, DeviceTime {
  place: Place;
  cartons: readonly WholeScan[];
  lines: readonly CountedLine[];
  isUnannounced: boolean;
}

/** An action on a shipment. */
export type Action =
  | ({ type: 'receive' } & Receipt)
  /** `corrects` is the id of a receipt or match. */
  | ({ type: 'correct'; corrects: string } & Receipt)
  | ({ type: 'approve'; place: Place; lines: readonly DecidedLine[] } & Identified)
  /** Moves goods without papers to `target`, which was announced late. */
  | ({ type: 'match'; target: Shipment } & By)
  | ({ type: 'close'; reasons: readonly ClosingReason[] } & Identified)
  | ({ type: 'reopen'; reason: string } & By)
  | ({ type: 'arrive' } & DeviceTime & By)
  /** Opens a new shipment for goods without papers. */
  | ({ type: 'blind' } & By)
  /** `message` is the announcement as sent. */
  | { type: 'void'; message: Record<string, unknown> };

export type ActionOf<T extends Action['type']> = Extract<Action, { type: T }>;

/** A carton that a receipt or match has touched. */
export type CartonWork = Pick<
  InboundCartonWorkRow,
  'carton_id' | 'state' | 'whole_as' | 'receipt_id' | 'user_id' | 'since' | 'holder_until'
>;

/** A receipt or match that received a carton. */
export interface ReceivedBy {
  receiptId: string;
  userId: string;
  since: number;
}

/** Another shipment that announces a carton. */
export interface Announcer {
  nodeId: string;
  type: ShipmentKeys['type'];
  number: string;
  sellerId: string;
  /** Whether the caller has access to the node of the shipment; if not, errors show only the id of the node. */
  isSeen: boolean;
}

/** A carton that the shipment does not announce. */
export interface Elsewhere {
  announcers: readonly Announcer[];
  /**
   * The keys that the only shipment in `announcers` announces for the carton. Empty if `announcers` has several
   * shipments, or if the carton is not scanned whole as unannounced.
   */
  content: readonly Key[];
}

/** A receipt or match: `row` has the user, `entries` have the units. Together they show who received held units. */
export interface Taken {
  row: Pick<InboundReceiptRow, 'kind' | 'user_id'>;
  entries: readonly InboundEntryRow[];
}

/** A locked shipment before an action, and the other rows that the rules of the action need. */
export interface Subject {
  shipment: Shipment;
  /** The row that an earlier action with the same id has written (for `blind`: the shipment with the same number). */
  before?: InboundReceiptRow | InboundStatementRow | InboundShipmentRow | undefined;
  /** Cartons of the receipt; for `match` and `reopen` all touched cartons. A carton without a row is EXPECTED. */
  cartons?: ReadonlyMap<string, CartonWork>;
  /** Cartons of the target of a match. */
  targetCartons?: ReadonlyMap<string, CartonWork>;
  /** Cartons of the receipt that other shipments announce and this shipment does not, by carton id. */
  elsewhere?: ReadonlyMap<string, Elsewhere>;
  /**
   * The last receipt or match of a carton, by carton id. Only scanned cartons that were counted completely are
   * included.
   */
  lastReceipts?: ReadonlyMap<string, ReceivedBy>;
  /** Open ASNs of the node that deliver the purchase order, and that the caller can receive. */
  openAsns?: readonly string[];
  /** For the close of a purchase order: the units that arrived with its ASNs, for each item with open units. */
  brought?: ReadonlyMap<string, number>;
  /** Whether the corrected receipt or match belongs to the shipment. */
  isCorrectable?: boolean;
  /** Entries of the shipment. A close and a match read their reasons. */
  entries?: readonly InboundEntryRow[];
  /**
   * For a close and a match: maps the position of each correction to the position of the receipt or match that it
   * corrects.
   */
  corrected?: ReadonlyMap<number, number>;
  /** The receipts and matches, the oldest first. A match also has the records of the shipment that the goods left. */
  taken?: readonly (Taken & { moved: readonly Taken[] })[];
}

/** The units that are booked for a key. Good units are added to `place` or taken from it. */
export interface Entry {
  key: Key;
  units: Booked;
  reason?: string | undefined;
  place: Place;
  location?: string | undefined;
}

/** Data of a receipt that its entries do not have. */
export interface ReceiptDoc {
  cartons?: readonly object[];
  unannounced?: true;
  /** Time that the device sent. Present only if the clock of the device is wrong. */
  deviceAt?: number;
  /** The shipment that a match moved goods from or to. */
  matched?: { type: ShipmentKeys['type']; number: string; sellerId: string };
}

/** The record of a booking, without its entries. */
export interface Fact {
  kind: InboundReceiptRow['kind'];
  id: string;
  userId: string;
  at: number;
  corrects?: string | undefined;
  hash: string;
  doc: ReceiptDoc;
}

/** A booking: its record, its entries, and their effects. */
export interface Booking {
  fact: Fact;
  entries: readonly Entry[];
  /** Keys whose sums change. */
  touched: readonly Key[];
  cartons: readonly CartonWork[];
  moves: readonly StockMove[];
}

/** The statement of a close. */
export interface Statement {
  version: number;
  closeId: string;
  userId: string;
  closedAt: string;
  lines: readonly (ReturnType<typeof import('./shipment.ts').showKey> &
    Omit<Sums, 'open'> & {
      reasons: readonly string[];
      /** The short units that arrived with the ASNs of the purchase order. Present only for a purchase order. */
      broughtByAsns?: number;
    })[];
  totals: Sums;
}

/** A shipment after an action. */
export interface Change {
  shipment: Shipment;
  write: 'insert' | 'update' | 'remove';
  booking?: Booking;
  statement?: { hash: string; doc: Statement };
}

/** The result of an action. A rejection commits its events and nothing else. */
export type Plan =
  | { outcome: 'repeat' }
  | { outcome: 'rejected'; rejection: Refusal; events: readonly Effect[] }
  /** `write.ts` writes `changes` in this order. */
  | { outcome: 'done'; changes: readonly Change[]; events: readonly Effect[] };

export function rejected(rejection: Refusal, events: readonly Effect[] = []): Plan {
  return { outcome: 'rejected', rejection, events };
}

/** Returns the shipment with the columns `columns` and the next revision. */
export function withColumns(shipment: Shipment, columns: Partial<InboundShipmentRow>): Shipment {
  return { ...shipment, row: { ...shipment.row, ...columns, revision: shipment.row.revision + 1 } };
}
