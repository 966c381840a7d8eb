/** Types for returns: actions, the subject of a plan, and the plan. */
import type { Big } from 'big.js';
import type { Effect } from '../../events/record.ts';
import type { Refusal } from '../../platform/http/errors.ts';
import type {
  FulfillmentOrderRow,
  OrderLineRow,
  RefundRow,
  ReturnFeeRow,
  ReturnHeldRow,
  ReturnLineRow,
  ReturnReceiptRow,
  ReturnRow,
} from '../../platform/storage/tables.ts';
import type { Disposal, Disposition } from '../../shared/return-settings.ts';
import type { Charged } from '../charges.ts';
import type { StockMove } from '../stock-terms.ts';

declare module '../../platform/json-column.ts' {
  interface Shapes {
    ReturnEntry: ReturnEntry;
    ExchangeWish: ExchangeWish;
  }
}

/** Units of a receipt, as booked to a line; a correction has negative units. */
export interface ReturnEntry {
  position: number;
  itemId: string;
  quantity: number;
  condition?: string | undefined;
  disposition: Disposition;
  reason?: string | undefined;
  note?: string | undefined;
  /** The state before this receipt. Present only in the first entry of a receipt that opened an ended return again. */
  reopens?: 'CANCELED' | 'EXPIRED' | undefined;
}

/** An item that the customer wants for a line. */
export interface ExchangeWish {
  line: number;
  wants: { itemId: string; quantity: number };
}

/** A charge of an order. `amounts` is undefined for a charge that an earlier release recorded without amounts. */
export interface ChargeFact {
  at: number;
  hasHeader: boolean;
  cash: string;
  grandTotal: string | null;
  readonly amounts: Charged | undefined;
}

/** Units of an order line that came back with another return. */
interface ReturnedUnits {
  returnId: string;
  isCounted: boolean;
  /** Whether the return is RECEIVING. */
  isOpen: boolean;
  lineIndex: number;
  units: number;
}

/** An order with the rows that decide about its returns and refunds. */
export interface OrderFacts {
  order: FulfillmentOrderRow;
  lines: readonly OrderLineRow[];
  charges: readonly ChargeFact[];
  /** Header amounts of the first order of the chain, for charges without `amounts`. */
  header: { charges: string; tax: string };
  /** Lines of the other returns of the order. */
  returned: readonly ReturnedUnits[];
  refunds: readonly RefundRow[];
  fees: readonly ReturnFeeRow[];
}

/** Units of an order line that a message requests; `pointer` is the JSON pointer of its line. */
export interface WantedLine {
  pointer: string;
  orderId: string;
  lineIndex: number;
  units: number;
  reason?: string | undefined;
  note?: string | undefined;
}

/** Units counted at a node. */
interface Counted {
  pointer: string;
  units: number;
  condition?: string | undefined;
  disposition: Disposition;
  reason?: string | undefined;
  note?: string | undefined;
}

/** A line of a return in a store: for an order line, for an item of an order, or for an item without papers. */
export interface TakenLine extends Counted {
  orderId?: string | undefined;
  lineIndex?: number | undefined;
  itemId: string;
}

/** A line of a receipt: for a line of the return, or for an item. */
export interface ReceivedLine extends Counted {
  position?: number | undefined;
  itemId?: string | undefined;
}

/** Fields of a new return. */
interface Opening {
  number: string;
  customerRef?: string | undefined;
  note?: string | undefined;
  overrideReason?: string | undefined;
  exchanges: readonly ExchangeWish[];
}

interface AtNode {
  nodeId: string;
  userId: string;
}

export type Action =
  | ({
      type: 'request';
      kind: Exclude<ReturnRow['kind'], 'BLIND'>;
      lines: readonly WantedLine[];
      expectedNodeId?: string | undefined;
      trackingNumber?: string | undefined;
      expiresAt: number;
    } & Opening)
  | ({
      type: 'take';
      takeId: string;
      lines: readonly TakenLine[];
      keepsOpen: boolean;
      isSupervised: boolean;
    } & Opening &
      AtNode)
  | ({
      type: 'receive';
      receiptId: string;
      at: number;
      lines: readonly ReceivedLine[];
      acceptsOver: boolean;
      isSupervised: boolean;
    } & AtNode)
  | ({ type: 'correct'; receiptId: string; at: number; corrects: string; lines: readonly ReceivedLine[] } & AtNode)
  | ({
      type: 'dispose';
      disposeId: string;
      lines: readonly { pointer: string; position: number; units: number; to: Disposal; reason?: string | undefined }[];
    } & AtNode)
  | ({
      type: 'match';
      matchId: string;
      lines: readonly { pointer: string; position: number; orderId: string; lineIndex: number; units: number }[];
    } & AtNode)
  | { type: 'close'; closeId: string; userId: string }
  | { type: 'reopen'; userId: string; reason: string }
  | { type: 'cancel'; reason?: string | undefined }
  | { type: 'markInTransit'; at?: number | undefined; trackingNumber?: string | undefined }
  | { type: 'expire' };

export type ActionOf<T extends Action['type']> = Extract<Action, { type: T }>;

/** A locked return before an action, and the other rows that the rules need. */
export interface Subject {
  row: ReturnRow;
  lines: readonly ReturnLineRow[];
  /** The orders of the return and the orders that the message names, by id. */
  orders: ReadonlyMap<string, OrderFacts>;
  held: readonly ReturnHeldRow[];
  /** The receipts of the return. Present only for the actions `correct`, `dispose`, `close` and `match`. */
  receipts: readonly ReturnReceiptRow[];
  /** Whether the return was closed at least once. Present only for the action `correct`. */
  wasClosed?: boolean;
  /** Items that the client does not take back. */
  excluded: ReadonlySet<string>;
}

/** A line of an order before and after an action. */
export interface OrderUnits {
  orderId: string;
  lineIndex: number;
  handedOver: number;
  cameBack: number;
  comingBack: number;
  before: { cameBack: number; comingBack: number };
}

/** A return after an action. */
export interface Change {
  row: ReturnRow;
  lines: readonly ReturnLineRow[];
  /** New lines. `changedLines` has the earlier lines with changed units or notes. */
  newLines: readonly ReturnLineRow[];
  changedLines: readonly ReturnLineRow[];
  orderUnits: readonly OrderUnits[];
  /**
   * Changed rows of held units, one for each line and node. A row with 0 units means that the node no longer holds
   * units of the line.
   */
  held: readonly ReturnHeldRow[];
  receipt?: Omit<ReturnReceiptRow, 'lines'> & { entries: readonly ReturnEntry[] };
  /** Moves of stock at the node of the action. */
  moves: { nodeId: string; moves: readonly StockMove[] };
  newRefunds: readonly RefundRow[];
  canceledRefunds: readonly RefundRow[];
  newFees: readonly ReturnFeeRow[];
}

/** The result of an action. */
export type Plan =
  | { outcome: 'same' }
  | { outcome: 'rejected'; rejection: Refusal }
  | { outcome: 'done'; change: Change; events: readonly Effect[] };

/** The amounts that an order charged: in total, for its lines, for the order as a whole, and in cash. */
export interface OrderMoney {
  total: Big;
  lines: ReadonlyMap<number, { charged: Big; handedOver: number }>;
  header: Big;
  cash: Big;
  basis: RefundRow['basis'];
}
