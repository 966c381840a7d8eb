/** Total weight and volume of an order's packages (docs/interface.md#response-of-the-check-in-details). */

import { boxPart, type Measure, type Part, sumOf, weightPart } from '../platform/measures.ts';
import type { Snapshot } from '../shared/snapshot.ts';

/** An announced or recorded package. The measures of its items replace a measure that the package lacks. */
export interface Parcel {
  weight?: Part;
  volume?: Part;
  items: readonly { quantity: number; snapshot: Snapshot }[];
}

/** Sums over all packages and items. */
export interface Totals {
  totalVolume: Measure;
  totalWeight: Measure;
  /**
   * Units of measure that cannot be converted. Only orders that an earlier release stored without checking have such
   * units. The total of such a measure is 0.
   */
  unknownUnits?: string[];
}

/**
 * Returns total weight and volume in the unit of the first package. A package without a measure counts with the
 * shipping measures of its items. If a unit is unknown, the total is 0, never a partial sum.
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
