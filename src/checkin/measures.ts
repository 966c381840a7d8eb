/** Total weight and volume of an order's packages (decisions, table C; docs/decisions/061). */
import { Big } from 'big.js';
import { big, numeric } from '../decimal.ts';
import type { Measure } from '../orders/shapes.ts';
import type { Snapshot } from '../orders/store.ts';

/** A package as it was announced, and the items that it holds. */
export interface Parcel {
  weight?: Measure;
  volume?: Measure;
  items: readonly { quantity: number; snapshot: Snapshot }[];
}

/** Factors to grams and to cubic centimetres; units are compared without case. */
const GRAMS: Readonly<Record<string, string>> = {
  mg: '0.001',
  g: '1',
  kg: '1000',
  oz: '28.349523125',
  lb: '453.59237',
  lbs: '453.59237',
};
const CUBIC_CENTIMETRES: Readonly<Record<string, string>> = {
  mm3: '0.001',
  cm3: '1',
  ml: '1',
  l: '1000',
  m3: '1000000',
  in3: '16.387064',
  ft3: '28316.846592',
  yd3: '764554.857984',
};

const FRACTION_DIGITS = 4;

/** Sum of the packages' weights; a package without one weighs what its items weigh for shipping. Unit of the first; 0 lb when nothing is known. */
export function totalWeight(parcels: readonly Parcel[]): Measure {
  const parts = parcels.flatMap((parcel) =>
    parcel.weight === undefined ? parcel.items.flatMap(itemWeight) : [partOf(parcel.weight)],
  );
  return sum(parts, GRAMS, 'lb');
}

/** Sum of the packages' volumes, in the same way; 0 in3 when nothing is known. */
export function totalVolume(parcels: readonly Parcel[]): Measure {
  const parts = parcels.flatMap((parcel) =>
    parcel.volume === undefined ? parcel.items.flatMap(itemVolume) : [partOf(parcel.volume)],
  );
  return sum(parts, CUBIC_CENTIMETRES, 'in3');
}

type Part = { unit: string; value: Big };

function partOf(measure: Measure): Part {
  return { unit: measure.unit, value: big(measure.value) };
}

function itemWeight({ quantity, snapshot }: Parcel['items'][number]): Part[] {
  const { weight } = snapshot;
  return weight === undefined ? [] : [{ unit: weight.unit, value: big(weight.value).times(quantity) }];
}

function itemVolume({ quantity, snapshot }: Parcel['items'][number]): Part[] {
  const { volume } = snapshot;
  if (volume === undefined) return [];
  const value = big(volume.width).times(big(volume.length)).times(big(volume.height)).times(quantity);
  return [{ unit: `${volume.unit}3`, value }];
}

function sum(parts: readonly Part[], factors: Readonly<Record<string, string>>, unitOfNothing: string): Measure {
  const unit = parts[0]?.unit ?? unitOfNothing;
  const total = parts.reduce((soFar, part) => soFar.plus(converted(part, unit, factors) ?? 0), new Big(0));
  return { unit, value: numeric(total.round(FRACTION_DIGITS, Big.roundHalfUp).toFixed()) };
}

/** The value in another unit; undefined when nobody knows how the two compare. */
function converted(part: Part, unit: string, factors: Readonly<Record<string, string>>): Big | undefined {
  const [from, to] = [part.unit.toLowerCase(), unit.toLowerCase()];
  if (from === to) return part.value;
  const [fromFactor, toFactor] = [factors[from], factors[to]];
  if (fromFactor === undefined || toFactor === undefined) return undefined;
  return part.value.times(fromFactor).div(toFactor);
}
