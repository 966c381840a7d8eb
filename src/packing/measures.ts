/**
 * Total weight and volume of an order: the sums over its packages. If the order has no packages, the sums over the
 * items to pack.
 */

import type { Box } from '../kernel/boxes.ts';
import { type Parcel, type Totals, totalsOf } from '../kernel/parcel-totals.ts';
import { leftUnits } from '../kernel/units.ts';
import { boxPart, weightPart } from '../platform/measures.ts';
import { parseJson } from '../platform/message/json.ts';
import type { OrderLineRow } from '../platform/storage/tables.ts';

/** Returns the sums in the unit of the first package or item; 0 lb and 0 in3 if no measure is known. */
export function packTotals(boxes: readonly Box[], lines: readonly OrderLineRow[]): Totals {
  const recorded = boxes.filter((box) => box.items.length > 0);
  return totalsOf(recorded.length > 0 ? recorded.map(parcelOf) : [loose(lines)]);
}

function parcelOf({ measures }: Box): Parcel {
  const { boxWeight, length, width, height } = measures;
  return { weight: weightPart(boxWeight), volume: boxPart([length, width, height]), items: [] };
}

function loose(lines: readonly OrderLineRow[]): Parcel {
  return {
    items: lines.map((line) => ({ quantity: leftUnits(line), snapshot: parseJson(line.snapshot) })),
  };
}
