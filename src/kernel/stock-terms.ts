/** Terms of the stock ledger: places and spots, causes, and moves. */
import type { Ctx } from '../platform/ctx.ts';
import type { PostedMove } from './stock-ledger.ts';

/** Places of a node. */
export const STOCK_PLACES = ['SHELF', 'STAGE', 'DAMAGED', 'HELD', 'MISSING'] as const;
export type StockPlace = (typeof STOCK_PLACES)[number];

/** Sources and targets of moves: places of the node, and spots outside it. */
export const STOCK_SPOTS = [...STOCK_PLACES, 'SUPPLIER', 'CARRIER', 'CUSTOMER', 'COUNT', 'OPENING'] as const;
export type StockSpot = (typeof STOCK_SPOTS)[number];

/** Causes of moves that the ledger distinguishes. `stock-moves.ts` has the causes of orders. */
export const STOCK_CAUSE = {
  /** More units were taken from a place than the ledger had. */
  LEDGER_BEHIND: 'LEDGER_BEHIND',
  /** The quantity at the opening of the node's ledger, or at the first count of an item. */
  OPENING: 'OPENING',
  COUNT: 'COUNT',
  /** A count of the item was rejected. Only the list of items to count has this cause; no move has it. */
  COUNT_REJECTED: 'COUNT_REJECTED',
  /** Put-away, return to vendor, write-off and adjustment by hand. */
  MOVE: 'MOVE',
  /** Units that a return took in, units that a correction of a receipt removed, and decisions on held units. */
  RETURNED: 'RETURNED',
  RETURN_CORRECTED: 'RETURN_CORRECTED',
  RETURN_DISPOSED: 'RETURN_DISPOSED',
} as const;

/** A move of units of an item from one spot to another. */
export interface StockMove extends PostedMove {
  from: StockSpot;
  to: StockSpot;
  /** Whether the units belong to an order. Other staged units can be put away. */
  ofOrder?: boolean;
  /** The receipt that brought the units. */
  receipt?: { sellerId: string; receiptId: string; itemCost?: string | undefined };
}

export interface StockNode {
  clientId: string;
  nodeId: string;
}

export type StockCtx = Pick<Ctx, 'db' | 'dialect' | 'now' | 'newId' | 'actor' | 'requestId'>;

/** Whether a spot is a place of the node. */
export function isPlace(spot: string): spot is StockPlace {
  return (STOCK_PLACES as readonly string[]).includes(spot);
}
