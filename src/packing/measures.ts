/** Total weight and volume of an order that is packed: of its packages once there are some, before that of what is to pack. */
import { Big } from 'big.js';
import { type Parcel, totalVolume, totalWeight } from '../checkin/measures.ts';
import { big, numeric } from '../decimal.ts';
import { parseJson } from '../http/json.ts';
import type { Snapshot } from '../orders/store.ts';
import { leftUnits } from '../orders/units.ts';
import type { OrderLineRow } from '../storage/tables.ts';
import type { Box, Measure } from './store.ts';

/** Centimetres of each unit, by its name in lower case. */
const CENTIMETRES: Readonly<Record<string, string>> = { mm: '0.1', cm: '1', m: '100', in: '2.54', ft: '30.48' };

/** Sums in the unit of the first package or item; 0 lb and 0 in3 when nothing is known. */
export function packTotals(boxes: readonly Box[], lines: readonly OrderLineRow[]) {
  const recorded = boxes.filter((box) => box.items.length > 0);
  const parcels = recorded.length > 0 ? recorded.map(parcelOf) : [loose(lines)];
  return { totalVolume: totalVolume(parcels), totalWeight: totalWeight(parcels) };
}

function parcelOf({ measures }: Box): Parcel {
  const volume = volumeOf([measures.length, measures.width, measures.height]);
  return { weight: measures.boxWeight, ...(volume !== undefined && { volume }), items: [] };
}

function loose(lines: readonly OrderLineRow[]): Parcel {
  return {
    items: lines.map((line) => ({ quantity: leftUnits(line), snapshot: parseJson(line.snapshot) as Snapshot })),
  };
}

/** The product in the cube of the first side's unit; undefined when nobody knows how the units compare. */
function volumeOf(sides: readonly [Measure, Measure, Measure]): Measure | undefined {
  const { unit } = sides[0];
  let volume = new Big(1);
  for (const side of sides) {
    const isSame = side.unit.toLowerCase() === unit.toLowerCase();
    const [from, to] = [CENTIMETRES[side.unit.toLowerCase()], CENTIMETRES[unit.toLowerCase()]];
    if (!isSame && (from === undefined || to === undefined)) return undefined;
    volume = volume.times(isSame ? big(side.value) : big(side.value).times(from!).div(to!));
  }
  return { unit: `${unit}3`, value: numeric(volume.toFixed()) };
}
