/** When an order is packed: the state that follows from its packages (docs/decisions/107). */
import { AFTER_PACK, type FulfillmentType, type OrderState } from '../orders/lifecycle.ts';
import { leftUnits } from '../orders/units.ts';
import type { OrderLineRow } from '../storage/tables.ts';
import { unitsByLine } from './box-rules.ts';
import type { Box } from './store.ts';

/** What of an order is packed. */
export interface Packed {
  /** Packages that are not voided. */
  packages: number;
  packed: number;
  toPack: number;
  /** Packages without a tracking number. */
  untracked: number;
}

/** Counts the units of an order that is being packed: packed + to pack = wanted. */
export function packedOf(lines: readonly OrderLineRow[], boxes: readonly Box[]): Packed {
  const recorded = boxes.filter((box) => box.items.length > 0);
  const packed = [...unitsByLine(recorded).values()].reduce((sum, units) => sum + units, 0);
  return {
    packages: recorded.length,
    packed,
    toPack: lines.reduce((sum, line) => sum + leftUnits(line), 0) - packed,
    untracked: recorded.filter((box) => box.trackingNumber === null).length,
  };
}

/**
 * State of an order at 1200 by its packages: packed when every wanted unit is in one, and one that is shipped only when all
 * of them have a tracking number; else it stays.
 */
export function stateByPackages(type: FulfillmentType, { packages, toPack, untracked }: Packed): OrderState {
  const next = AFTER_PACK[type];
  const isTracked = type !== 'SHIP_TO_HOME' || untracked === 0;
  return next !== null && packages > 0 && toPack === 0 && isTracked ? next : 1200;
}
