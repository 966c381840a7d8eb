/** The actions on a pick ticket, the rows that an action starts from, and the parts of a plan. */
import type { EventData, EventTypeName } from '../../events/types.ts';
import type { FieldError } from '../../platform/message/field-errors.ts';
import type { Sentence } from '../../platform/message/sentence.ts';
import type {
  PickTicketItemRow,
  PickTicketLineRow,
  PickTicketRow,
  PickTicketScanRow,
} from '../../platform/storage/tables.ts';
import type { Settings } from '../../shared/client-settings.ts';
import type { Subject as OrderSubject } from '../plan.ts';
import type { Step } from '../write.ts';
import type { ItemResult, LineResult } from './rows.ts';

/** The users that the message of an action names. */
interface By {
  userId: string;
  modifyAssociateId: string;
}

/** A scan, as sent. */
export interface SentScan {
  scanId: string;
  id?: number;
  code?: string;
  pickedQuantity?: number;
  canceledQuantity?: number;
  cancellationReasonCode?: string;
  /** Time of the device. */
  at?: string;
  /** The id of the scan that this scan undoes. */
  undoes?: string;
}

/** An action on a ticket. A CONFIRM has a result for each item, a correction only for the items that it names. */
export type Action =
  /** If `userId` is empty, the action changes nothing. */
  | { type: 'open'; userId: string }
  | { type: 'saveProgress'; userId: string; scans: readonly SentScan[] }
  | ({ type: 'takeOver'; fromUserId: string } & By)
  | ({
      type: 'CONFIRM';
      holdLocation: string;
      /** Hold locations by order id. An order without an entry gets `holdLocation`. */
      orderHoldLocations?: ReadonlyMap<string, string>;
      results: readonly ItemResult[];
    } & By)
  | ({ type: 'RESET' } & By)
  | { type: 'lapse' }
  | {
      type: 'correct';
      correctionId: string;
      userId: string;
      reason: string;
      /** The new hold location; undefined if the goods do not move. */
      holdLocation: string | undefined;
      results: readonly ItemResult[];
    };

export type ActionOf<T extends Action['type']> = Extract<Action, { type: T }>;

/** A locked ticket before an action, with the rows that the action needs. */
export interface Subject {
  ticket: PickTicketRow;
  settings: Settings;
  items: readonly PickTicketItemRow[];
  /** Scans in the order in which they were saved. */
  scans: readonly PickTicketScanRow[];
  /** The order lines on the ticket. */
  parts: readonly PickTicketLineRow[];
  /** The orders of the ticket, locked, sorted by id. */
  orders: readonly OrderOnTicket[];
}

/** A locked order of a ticket, with the rows and, for a correction, the due time of the pick that the action needs. */
export type OrderOnTicket = Pick<OrderSubject, 'order'> & Partial<OrderSubject> & { pickDueAt?: number };

/** An order with a later step after the CONFIRM of its ticket. */
export interface Followed {
  fulfillmentOrderId: string;
  what: Sentence;
}

/** The reason why an action is rejected; `refusals.ts` has the messages. */
export type Refused =
  | { why: 'closed' | 'heldByOther' | 'wasReset' | 'isConfirmed' | 'notConfirmed' | 'changedMeanwhile' }
  | { why: 'notHeldBy'; userId: string }
  | { why: 'differs'; differences: readonly Sentence[] }
  | { why: 'followed'; itemNumbers: readonly number[]; followed: readonly Followed[] }
  | { why: 'wrongScans'; errors: readonly FieldError[] };

/** The part of a plan that depends on the action alone. */
export interface Effects {
  /** The changed columns of the ticket, without its revision. */
  columns?: Partial<PickTicketRow>;
  results?: readonly ItemResult[];
  parts?: readonly LineResult[];
  scans?: readonly PickTicketScanRow[];
  steps?: readonly Step[];
  /** Items that orders of the ticket had declined and that no order of the ticket declines any longer. */
  freedItems?: readonly string[];
  event?: TicketEvent;
  refused?: Refused;
}

type TicketEventType = Extract<EventTypeName, `pickTicket.${string}`>;

/** The event of an action. */
export type TicketEvent = { [T in TicketEventType]: { type: T; data: EventData<T> } }[TicketEventType];

/** The plan of an action. A retry and a rejected action change nothing. */
export interface Plan extends Required<Omit<Effects, 'event' | 'refused' | 'columns'>> {
  /** The row after the action; the same row if nothing changes. */
  ticket: PickTicketRow;
  /** The changed columns; undefined if the row is not written. */
  columns: Partial<PickTicketRow> | undefined;
  event: TicketEvent | undefined;
  refused: Refused | undefined;
}
