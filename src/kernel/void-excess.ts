/**
 * Removes units from packages if the customer no longer gets them (docs/states.md#pick-tickets). The functions are
 * pure.
 */
import type { OrderLineRow } from '../platform/storage/tables.ts';
import type { Box } from './boxes.ts';
import { type OrderState, State } from './states.ts';
import { leftUnits } from './units.ts';

/** Returns the changed packages, without unwanted units. `lines` are all current lines of the order. */
export function voidExcess(state: OrderState, boxes: readonly Box[], lines: readonly OrderLineRow[]): Box[] {
  const remove = state === State.WAITING_FOR_PACK ? voidBox : takeUnits;
  const after = [...boxes];
  for (const line of lines) {
    // Begin with the last package: it was packed last and is easiest to reach.
    for (let index = after.length - 1; index >= 0; index -= 1) {
      const over = excess(after, line);
      const box = after[index]!;
      if (over <= 0 || !box.items.some((item) => item.lineIndex === line.line_index)) continue;
      after[index] = remove(box, line.line_index, over);
    }
  }
  return after.filter((box, index) => box !== boxes[index]);
}

/** Voids a package of an order that waits for pack; its other units are packed again. */
function voidBox(box: Box): Box {
  return { ...box, trackingNumber: null, items: [] };
}

/** Removes the units and keeps the package, because an order that waits for delivery cannot be packed again. */
function takeUnits(box: Box, lineIndex: number, over: number): Box {
  const items = box.items
    .map((item) =>
      item.lineIndex === lineIndex ? { ...item, quantity: item.quantity - Math.min(over, item.quantity) } : item,
    )
    .filter((item) => item.quantity > 0);
  return items.length === 0 ? voidBox(box) : { ...box, items };
}

/**
 * Returns the packed units of a line that are not wanted. Packages keep the units that were delivered, and `refused`
 * units.
 */
function excess(boxes: readonly Box[], line: OrderLineRow): number {
  const packed = boxes.flatMap((box) => box.items).filter((item) => item.lineIndex === line.line_index);
  return packed.reduce((sum, item) => sum + item.quantity, 0) - leftUnits(line) - line.handed_over - line.refused;
}
