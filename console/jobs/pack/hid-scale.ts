/**
 * Parses input reports of USB scales (HID Point of Sale Usage Tables, usage page 8Dh). A report has the status, the
 * unit, the exponent of ten, and a weight of two bytes, low byte first. Pure functions without access to a device.
 */

/** Usage page of scales, and the usage of a weighing device. */
export const SCALE_USAGE = { usagePage: 0x8d, usage: 0x20 } as const;

/** Status of a scale. Only STABLE and ZERO come with a valid weight. */
type ScaleStatus = 'FAULT' | 'ZERO' | 'MOVING' | 'STABLE' | 'UNDER_ZERO' | 'TOO_HEAVY' | 'CALIBRATE' | 'SET_TO_ZERO';

export interface Reading {
  status: ScaleStatus;
  /** Weight in `unit`. */
  value: number;
  /** Symbol of the unit, for example `kg`. */
  unit: string;
}

const STATUS: readonly (ScaleStatus | undefined)[] = [
  undefined,
  'FAULT',
  'ZERO',
  'MOVING',
  'STABLE',
  'UNDER_ZERO',
  'TOO_HEAVY',
  'CALIBRATE',
  'SET_TO_ZERO',
];

/** Units by their number in the report, with their weight in grams. */
const UNITS: readonly (readonly [symbol: string, grams: number] | undefined)[] = [
  undefined,
  ['mg', 0.001],
  ['g', 1],
  ['kg', 1_000],
  ['ct', 0.2],
  ['tael', 37.799],
  ['gr', 0.06479891],
  ['dwt', 1.55517384],
  ['t', 1_000_000],
  ['ton', 907_184.74],
  ['ozt', 31.1034768],
  ['oz', 28.349523125],
  ['lb', 453.59237],
];

/** The largest exponent of a parcel's weight. A report with a larger exponent does not come from a scale. */
const EXPONENT_MAX = 7;

/** Reads a report without its report id. Returns undefined if it is not the weight of a scale. */
export function parseScaleReport(bytes: Uint8Array): Reading | undefined {
  if (bytes.length < 5) return undefined;
  const status = STATUS[bytes[0]!];
  const unit = UNITS[bytes[1]!];
  const exponent = (bytes[2]! << 24) >> 24;
  if (status === undefined || unit === undefined || Math.abs(exponent) > EXPONENT_MAX) return undefined;
  const digits = bytes[3]! + bytes[4]! * 256;
  // Division by a power of ten keeps the digits of the display; multiplication by 0.1 does not.
  const value = exponent < 0 ? digits / 10 ** -exponent : digits * 10 ** exponent;
  return { status, value, unit: unit[0] };
}

/** Names of the units in the client settings, by the scale's symbol. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  mg: ['MG'],
  g: ['G'],
  kg: ['KG'],
  t: ['TONNE'],
  ton: ['TON'],
  oz: ['OZ'],
  lb: ['LB', 'LBS'],
};

const isNamed = (symbol: string, name: string) => (NAMES[symbol] ?? []).includes(name.toUpperCase());
const symbolOf = (name: string) => Object.keys(NAMES).find((one) => isNamed(one, name));
const gramsOf = (symbol: string) => UNITS.find((unit) => unit?.[0] === symbol)?.[1];

/**
 * Returns the weight in the unit of the scale if the client has this unit, otherwise converted to `preferred` with at
 * most four decimals. Returns undefined if `preferred` is unknown.
 */
export function weightIn(
  { value, unit }: Pick<Reading, 'value' | 'unit'>,
  units: readonly string[],
  preferred: string,
): { value: string; unit: string } | undefined {
  const own = isNamed(unit, preferred) ? preferred : units.find((name) => isNamed(unit, name));
  if (own !== undefined) return { value: digitsOf(value), unit: own };
  const converted = convert(value, unit, preferred);
  return converted === undefined ? undefined : { value: converted, unit: preferred };
}

/**
 * Returns a weight in another unit of the client, with at most four decimals; undefined if one of the units is unknown.
 */
export function weightFrom(value: number, from: string, to: string): string | undefined {
  if (from === to) return digitsOf(value);
  const symbol = symbolOf(from);
  return symbol === undefined ? undefined : convert(value, symbol, to);
}

function convert(value: number, symbol: string, name: string): string | undefined {
  const other = symbolOf(name);
  const [from, to] = [gramsOf(symbol), other === undefined ? undefined : gramsOf(other)];
  return from === undefined || to === undefined ? undefined : digitsOf((value * from) / to);
}

const digitsOf = (value: number) => String(Number(value.toFixed(4)));
