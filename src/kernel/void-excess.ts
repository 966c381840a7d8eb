/** Units that are not wanted any more leave the packages of their order (docs/decisions/114). Pure. */
import type { OrderLineRow } from '../platform/storage/tables.ts';
import type { Box } from './boxes.ts';
import { type OrderState, State } from './states.ts';
import { leftUnits } from './units.ts';

/** The packages that change so that none holds a unit that is not wanted; `lines` are all lines of the order as they are now. */
export function voidExcess(state: OrderState, boxes: readonly Box[], lines: readonly OrderLineRow[]): Box[] {
  const remove = state === State.WAITING_FOR_PACK ? voidBox : takeUnits;
  const after = [...boxes];
  for (const line of lines) {
    // The last package first: it was packed last, so it is the nearest to hand.
    for (let index = after.length - 1; index >= 0; index -= 1) {
      const over = excess(after, line);
      const box = after[index]!;
      if (over <= 0 || !box.items.some((item) => item.lineIndex === line.line_index)) continue;
      after[index] = remove(box, line.line_index, over);
    }
  }
  return after.filter((box, index) => box !== boxes[index]);
}

/** While an order is packed a package that holds too much is voided: its other units are packed anew. */
function voidBox(box: Box): Box {
  return { ...box, trackingNumber: null, items: [] };
}

/** A packed order that waits for its delivery cannot be packed anew: only the units leave. */
function takeUnits(box: Box, lineIndex: number, over: number): Box {
  const items = box.items
    .map((item) =>
      item.lineIndex === lineIndex ? { ...item, quantity: item.quantity - Math.min(over, item.quantity) } : item,
    )
    .filter((item) => item.quantity > 0);
  return items.length === 0 ? voidBox(box) : { ...box, items };
}

/** Units of a line that are packed and not wanted. */
function excess(boxes: readonly Box[], line: OrderLineRow): number {
  const packed = boxes.flatMap((box) => box.items).filter((item) => item.lineIndex === line.line_index);
  return packed.reduce((sum, item) => sum + item.quantity, 0) - leftUnits(line);
}
