/**
 * Counts of the units of order lines. The rows store the units of past steps. Open, held and wanted units are not
 * stored: ordered = open + picked + declined + canceled, and picked = held + handed_over + refused + returned +
 * missing.
 */
import { sql } from 'kysely';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { Units } from './states.ts';

type Counts = Pick<
  OrderLineRow,
  'ordered' | 'picked' | 'declined' | 'canceled' | 'canceling' | 'handed_over' | 'refused' | 'returned' | 'missing'
>;

/** Returns the units that are still to be picked or have not arrived yet. Some of them may be `canceling`. */
export function openUnits(line: Pick<Counts, 'ordered' | 'picked' | 'declined' | 'canceled'>): number {
  return line.ordered - line.picked - line.declined - line.canceled;
}

/** Returns the picked or checked-in units that are in the store, units to bring back included. */
export function onHandUnits(line: Pick<Counts, 'picked' | 'handed_over' | 'refused' | 'returned' | 'missing'>): number {
  return line.picked - line.handed_over - line.refused - line.returned - line.missing;
}

/**
 * Columns of units that the customer already has, or will no longer get. `canceling` units may still be open or held.
 */
const GONE = ['declined', 'canceled', 'canceling', 'handed_over', 'refused', 'returned', 'missing'] as const;

/**
 * Returns the units of a line that the customer is still to get: units to pick, to arrive, to pack, to hand over or to
 * deliver. Totals of orders count these units.
 */
export function leftUnits(line: Pick<Counts, 'ordered' | (typeof GONE)[number]>): number {
  return GONE.reduce((left, where) => left - line[where], line.ordered);
}

/** `leftUnits` in SQL, for rows of `order_lines`. */
export const LEFT_UNITS = sql.raw<number>(`(${['ordered', ...GONE].join(' - ')})`);

/** `onHandUnits` in SQL, for rows of `order_lines` with the alias `line`. */
export const ON_HAND_UNITS = sql.raw<number>(
  '(line.picked - line.handed_over - line.refused - line.returned - line.missing)',
);

/**
 * Returns the units of a line that are reserved at its node: the open units. Goods on their way to the node reserve
 * nothing, because they are not on its shelf.
 */
export function reservedUnits(
  order: Pick<FulfillmentOrderRow, 'fulfillment_type' | 'in_store'>,
  line: Parameters<typeof openUnits>[0],
): number {
  return isOnItsWay(order) ? 0 : openUnits(line);
}

/** Whether a carrier brings the goods of an order to its node. */
export function isOnItsWay({ fulfillment_type: type, in_store: inStore }: OnItsWay): boolean {
  return type === 'SHIP_TO_STORE' && inStore === 0;
}

type OnItsWay = Pick<FulfillmentOrderRow, 'fulfillment_type' | 'in_store'>;

/** `reservedUnits` in SQL, for `order_lines` with the alias `line` and `fulfillment_orders` with the alias `o`. */
export const RESERVED_UNITS = sql.raw<number>(
  "(case when o.fulfillment_type = 'SHIP_TO_STORE' and o.in_store = 0 then 0 else line.ordered - line.picked - line.declined - line.canceled end)",
);

/** Declined units of an order in re-source requests. */
export interface Requested extends Pick<Units, 'resourceable' | 'resourced'> {
  /** Units of canceled requests; absent means 0. */
  decided?: number;
}

/** The value for an order without re-source requests. */
export const NOTHING_REQUESTED: Requested = { resourceable: 0, resourced: 0 };

/** Returns the units of an order, summed over its lines. */
export function unitsOf(lines: readonly Counts[], requested: Requested): Units {
  const sum = (of: (line: Counts) => number) => lines.reduce((total, line) => total + of(line), 0);
  return {
    open: sum(openUnits),
    onHand: sum(onHandUnits),
    canceling: sum((line) => line.canceling),
    left: sum(leftUnits),
    handedOver: sum((line) => line.handed_over),
    resourceable: requested.resourceable,
    resourced: requested.resourced,
  };
}
