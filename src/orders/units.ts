/**
 * Where the units of an order's lines are. The rows keep what happened to units; what is still open, held or wanted is
 * always computed here:
 * ordered = open + picked + declined + canceled, and picked = held + handed_over + refused + returned.
 */
import type { OrderLineRow } from '../storage/tables.ts';

type Counts = Pick<
  OrderLineRow,
  'ordered' | 'picked' | 'declined' | 'canceled' | 'canceling' | 'handed_over' | 'refused' | 'returned'
>;

/** Units nobody has answered for yet: to be picked or to arrive. Some may be `canceling`. */
export function openUnits(line: Pick<Counts, 'ordered' | 'picked' | 'declined' | 'canceled'>): number {
  return line.ordered - line.picked - line.declined - line.canceled;
}

/** Units that were picked or checked in and are still in the store, those to be brought back included. */
export function heldUnits(line: Pick<Counts, 'picked' | 'handed_over' | 'refused' | 'returned'>): number {
  return line.picked - line.handed_over - line.refused - line.returned;
}

/**
 * Held units that are for the customer: to be packed, handed over or delivered. Those that the customer canceled after the
 * pick are not among them. Only of lines without an open unit: before that nobody knows which units `canceling` counts.
 */
export function wantedUnits(line: Counts): number {
  return heldUnits(line) - line.canceling;
}

/** Declined units of an order that were asked of other nodes. */
export interface Requested {
  /** Those that another node may still serve: of open re-source requests. */
  resourceable: number;
  /** Those that another node serves. */
  resourced: number;
}

/** Of an order that was never declined. */
export const NOTHING_REQUESTED: Requested = { resourceable: 0, resourced: 0 };

/** Units of an order, summed over its lines. */
export interface Units extends Requested {
  open: number;
  held: number;
  canceling: number;
  handedOver: number;
}

/** Sums the lines. */
export function unitsOf(lines: readonly Counts[], requested: Requested): Units {
  const sum = (of: (line: Counts) => number) => lines.reduce((total, line) => total + of(line), 0);
  return {
    open: sum(openUnits),
    held: sum(heldUnits),
    canceling: sum((line) => line.canceling),
    handedOver: sum((line) => line.handed_over),
    ...requested,
  };
}
