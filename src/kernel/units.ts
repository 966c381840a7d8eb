/**
 * Where the units of an order's lines are. The rows keep what happened to units; what is still open, held or wanted is
 * always computed here:
 * ordered = open + picked + declined + canceled, and picked = held + handed_over + refused + returned + missing.
 */
import { sql } from 'kysely';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { Units } from './states.ts';

type Counts = Pick<
  OrderLineRow,
  'ordered' | 'picked' | 'declined' | 'canceled' | 'canceling' | 'handed_over' | 'refused' | 'returned' | 'missing'
>;

/** Units nobody has answered for yet: to be picked or to arrive. Some may be `canceling`. */
export function openUnits(line: Pick<Counts, 'ordered' | 'picked' | 'declined' | 'canceled'>): number {
  return line.ordered - line.picked - line.declined - line.canceled;
}

/** Units that were picked or checked in and are still in the store, those to be brought back included. */
export function onHandUnits(line: Pick<Counts, 'picked' | 'handed_over' | 'refused' | 'returned' | 'missing'>): number {
  return line.picked - line.handed_over - line.refused - line.returned - line.missing;
}

/** Where a unit is that will not be handed on to the customer any more. `canceling` ones may be open or held still. */
const GONE = ['declined', 'canceled', 'canceling', 'handed_over', 'refused', 'returned', 'missing'] as const;

/**
 * Units of a line that are still to be handed on to the customer: to be picked, to arrive, to be packed, handed over or
 * delivered. What every total of an order counts.
 */
export function leftUnits(line: Pick<Counts, 'ordered' | (typeof GONE)[number]>): number {
  return GONE.reduce((left, where) => left - line[where], line.ordered);
}

/** `leftUnits` of a row of `order_lines`. */
export const LEFT_UNITS = sql.raw<number>(`(${['ordered', ...GONE].join(' - ')})`);

/** `onHandUnits` of a row of `order_lines`, there under the name `line`. */
export const ON_HAND_UNITS = sql.raw<number>(
  '(line.picked - line.handed_over - line.refused - line.returned - line.missing)',
);

/**
 * Units of a line that its order has reserved at its node: those nobody has answered for yet. Goods that are on their way to the
 * node are not on its shelf.
 */
export function reservedUnits(
  order: Pick<FulfillmentOrderRow, 'fulfillment_type' | 'in_store'>,
  line: Parameters<typeof openUnits>[0],
): number {
  return isOnItsWay(order) ? 0 : openUnits(line);
}

/** Whether an order's goods come to its node by carrier. */
export function isOnItsWay({ fulfillment_type: type, in_store: inStore }: OnItsWay): boolean {
  return type === 'SHIP_TO_STORE' && inStore === 0;
}

type OnItsWay = Pick<FulfillmentOrderRow, 'fulfillment_type' | 'in_store'>;

/** `reservedUnits` of rows of `order_lines` and `fulfillment_orders`, there under the names `line` and `o`. */
export const RESERVED_UNITS = sql.raw<number>(
  "(case when o.fulfillment_type = 'SHIP_TO_STORE' and o.in_store = 0 then 0 else line.ordered - line.picked - line.declined - line.canceled end)",
);

/** Declined units of an order that were asked of other nodes. */
export type Requested = Pick<Units, 'resourceable' | 'resourced'>;

/** Of an order that was never declined. */
export const NOTHING_REQUESTED: Requested = { resourceable: 0, resourced: 0 };

/** Sums the lines. */
export function unitsOf(lines: readonly Counts[], requested: Requested): Units {
  const sum = (of: (line: Counts) => number) => lines.reduce((total, line) => total + of(line), 0);
  return {
    open: sum(openUnits),
    onHand: sum(onHandUnits),
    canceling: sum((line) => line.canceling),
    left: sum(leftUnits),
    handedOver: sum((line) => line.handed_over),
    ...requested,
  };
}
