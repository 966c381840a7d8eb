/** Total weight and volume of an order's packages (docs/decisions/061). */

import { boxPart, type Measure, type Part, sumOf, weightPart } from '../platform/measures.ts';
import type { Snapshot } from '../shared/snapshot.ts';

/** A package as it was announced or packed, and the items that stand for a measure it does not have. */
export interface Parcel {
  weight?: Part;
  volume?: Part;
  items: readonly { quantity: number; snapshot: Snapshot }[];
}

/** Sums over all packages and items. */
export interface Totals {
  totalVolume: Measure;
  totalWeight: Measure;
  /** Units that nobody knows, of orders that came in before units were asked: their total is 0. */
  unknownUnits?: string[];
}

/**
 * Total weight and volume in the unit of the first package; a package without a measure counts with the shipping measures of
 * its items. A total is of all that is known or 0: never of a part.
 */
export function totalsOf(parcels: readonly Parcel[]): Totals {
  const volume = sumOf(
    parcels.flatMap((parcel) => parcel.volume ?? parcel.items.flatMap(itemVolume)),
    'in3',
  );
  const weight = sumOf(
    parcels.flatMap((parcel) => parcel.weight ?? parcel.items.flatMap(itemWeight)),
    'lb',
  );
  const unknownUnits = [volume, weight].flatMap((sum) => ('unknown' in sum ? sum.unknown : []));
  return {
    totalVolume: 'total' in volume ? volume.total : { unit: 'in3', value: 0 },
    totalWeight: 'total' in weight ? weight.total : { unit: 'lb', value: 0 },
    ...(unknownUnits.length > 0 && { unknownUnits }),
  };
}

function itemWeight({ quantity, snapshot: { weight } }: Parcel['items'][number]): Part[] {
  return weight === undefined ? [] : [times(weightPart(weight), quantity)];
}

function itemVolume({ quantity, snapshot: { volume } }: Parcel['items'][number]): Part[] {
  if (volume === undefined) return [];
  const { unit, width, length, height } = volume;
  const box = boxPart([
    { unit, value: width },
    { unit, value: length },
    { unit, value: height },
  ]);
  return [times(box, quantity)];
}

function times(part: Part, quantity: number): Part {
  return { ...part, value: part.value?.times(quantity) };
}
