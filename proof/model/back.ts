/** Returned goods in the model: returns with their lines and receipts, and refunds. */
import type { Big } from 'big.js';
import type { Line, Node, Order } from './things.ts';

export const DISPOSITIONS = ['SHELF', 'DAMAGED', 'HELD', 'GIVEN_BACK'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export interface BackLine {
  /** Order and order line of the units; null for units without papers. */
  of: { order: Order; line: Line } | null;
  sku: number;
  requested: number;
  sellable: number;
  damaged: number;
  held: number;
  givenBack: number;
  missing: number;
  over: number;
}

export interface Entry {
  position: number;
  disposition: Disposition;
  units: number;
}

export interface Receipt {
  id: string;
  node: Node;
  corrects: string | null;
  entries: Entry[];
}

export interface Back {
  number: string;
  kind: 'BY_MAIL' | 'IN_STORE' | 'BLIND';
  state: 'REQUESTED' | 'RECEIVING' | 'CLOSED' | 'CANCELED' | 'EXPIRED';
  lines: BackLine[];
  receipts: Receipt[];
  /** Held units by position and node, each with the time at which the units were held. */
  held: Map<string, { units: number; since: number }>;
  isCounted: boolean;
  wasClosed: boolean;
  /** The state in which the return had ended before a receipt opened it again. */
  ended: 'CANCELED' | 'EXPIRED' | undefined;
  hasFee: boolean;
  expiresAt: number | null;
  /** Content of the message that created the return. */
  content: string;
}

export const openOf = (line: BackLine) =>
  line.requested + line.over - line.sellable - line.damaged - line.held - line.givenBack - line.missing;
export const cameOf = ({ sellable, damaged, held }: BackLine) => sellable + damaged + held;
/** Returns the units of an order line that were handed over, were not returned and are not on their way back. */
export const leftOf = ({ handed, cameBack, comingBack }: Pick<Line, 'handed' | 'cameBack' | 'comingBack'>) =>
  handed - cameBack - comingBack;

export interface Refund {
  back: Back;
  order: Order;
  /** Position among the refunds of the order. */
  position: number;
  amount: Big;
  cash: Big;
  shipping: Big;
  fee: Big;
  status: 'DUE' | 'DONE' | 'FAILED' | 'CANCELED';
  reference: string | null;
  dueAt: number;
}
