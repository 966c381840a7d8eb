/**
 * Units of weight, length and volume by their common names, and sums of measures in these units
 * (docs/interface.md#response-of-the-check-in-details and docs/interface.md#item-rules).
 */

import { Big } from 'big.js';
import { big, type Numeric, numericOf } from './decimal.ts';
import { type FieldError, fieldError } from './message/field-errors.ts';
import { nearest } from './message/nearest.ts';
import { stepsOf } from './message/pointer.ts';
import { quote } from './message/words.ts';
import { say } from './sentences.ts';

export type UnitKind = 'weight' | 'length' | 'volume';

export interface Unit {
  /** Name of the unit in the service, such as `kg`. */
  symbol: string;
  /** Size of one unit in grams, centimetres or cubic centimetres. */
  factor: string;
}

/** An amount and a unit, as sent. */
export interface Measure {
  unit: string;
  value: Numeric;
}

type Table = Readonly<Record<string, readonly [factor: string, ...otherNames: string[]]>>;

/**
 * Names are compared without spaces, points and the plural s. Names such as `kgm` are codes of UN/ECE recommendation
 * 20.
 */
const WEIGHTS: Table = {
  mg: ['0.001', 'milligram', 'milligramme', 'mgm'],
  g: ['1', 'gram', 'gramme', 'gm', 'grm'],
  kg: ['1000', 'kilogram', 'kilogramme', 'kilo', 'kgm'],
  tonne: ['1000000', 't', 'mt', 'metricton', 'metrictonne', 'tne'],
  oz: ['28.349523125', 'ounce', 'onz'],
  lb: ['453.59237', 'pound', 'lbm', 'lbr'],
  stone: ['6350.29318', 'st'],
  ton: ['907184.74', 'shortton', 'uston', 'stn'],
};
const LENGTHS: Table = {
  mm: ['0.1', 'millimeter', 'millimetre', 'mmt'],
  cm: ['1', 'centimeter', 'centimetre', 'cmt'],
  dm: ['10', 'decimeter', 'decimetre', 'dmt'],
  m: ['100', 'meter', 'metre', 'mtr'],
  in: ['2.54', 'inch', 'inche', 'inh'],
  ft: ['30.48', 'foot', 'feet', 'fot'],
  yd: ['91.44', 'yard', 'yrd'],
};
/** Further names of volumes; the cubes of all lengths (`in3`, `cuin`, `cubicinches`) are accepted too. */
const VOLUMES: Table = {
  mm3: ['0.001', 'mmq'],
  cm3: ['1', 'cc', 'ccm', 'cmq'],
  dm3: ['1000', 'dmq'],
  m3: ['1000000', 'cbm', 'mtq'],
  in3: ['16.387064', 'inq'],
  ft3: ['28316.846592', 'cft', 'ftq'],
  yd3: ['764554.857984', 'ydq'],
  ml: ['1', 'milliliter', 'millilitre', 'mlt'],
  l: ['1000', 'liter', 'litre', 'ltr'],
};

/** The symbols of the units of volume. */
export const VOLUME_UNITS: readonly string[] = Object.keys(VOLUMES);

const UNITS: Readonly<Record<UnitKind, ReadonlyMap<string, Unit>>> = {
  weight: byName(WEIGHTS),
  length: byName(LENGTHS),
  volume: new Map([...byName(VOLUMES), ...cubes()]),
};

function byName(table: Table): Map<string, Unit> {
  return new Map(
    Object.entries(table).flatMap(([symbol, [factor, ...others]]) =>
      [symbol, ...others].map((name) => [name, { symbol, factor }] as const),
    ),
  );
}

function* cubes(): Iterable<readonly [string, Unit]> {
  for (const [symbol, [, ...others]] of Object.entries(LENGTHS)) {
    const unit = { symbol: `${symbol}3`, factor: VOLUMES[`${symbol}3`]![0] };
    for (const name of [symbol, ...others])
      for (const cube of [`${name}3`, `cu${name}`, `cubic${name}`]) yield [cube, unit] as const;
  }
}

/** Maximum length of a unit's name. */
export const UNIT_MAX = 40;

/** Finds the unit of a name in any case, singular or plural, with or without spaces and points. */
export function findUnit(kind: UnitKind, written: string): Unit | undefined {
  if (written.length > UNIT_MAX) return undefined;
  const name = written
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s._^-]/g, '');
  return UNITS[kind].get(name) ?? UNITS[kind].get(name.replace(/s(?=3?$)/, ''));
}

/** The symbols of the units of a kind. */
function unitSymbols(kind: UnitKind): string[] {
  return [...new Set(UNITS[kind].values().map(({ symbol }) => symbol))];
}

/** Returns the error of an unknown unit, whose amounts cannot be added; undefined for a known unit. */
export function unitError(pointer: string, kind: UnitKind, written: string | undefined): FieldError | undefined {
  if (written === undefined || findUnit(kind, written) !== undefined) return undefined;
  const symbols = unitSymbols(kind);
  const near = nearest(written, UNITS[kind].keys());
  const hint = near === undefined ? '' : say("; did you mean '{near}'?", { near });
  const got = quote(written);
  const name = stepsOf(pointer).findLast((step) => !/^\d+$/.test(step)) ?? 'unit';
  const message = say("'{name}' must be a unit of {kind}: {symbols}, or an alias of one of them{hint} (got {got})", {
    name,
    kind,
    symbols: symbols.join(', '),
    hint,
    got,
  });
  return fieldError(pointer, 'unit', message, symbols);
}

/**
 * A part of a sum. A part without a factor can only be added to parts with the same unit. A part without a value cannot
 * be added at all.
 */
export interface Part {
  unit: string;
  value: Big | undefined;
  factor: string | undefined;
}

export function weightPart({ unit, value }: Measure): Part {
  return { unit, value: big(value), factor: findUnit('weight', unit)?.factor };
}

export function volumePart({ unit, value }: Measure): Part {
  return { unit, value: big(value), factor: findUnit('volume', unit)?.factor };
}

/** The volume of a box, in the cube of its first side's unit. */
export function boxPart(sides: readonly [Measure, Measure, Measure]): Part {
  const { unit } = sides[0];
  const first = findUnit('length', unit);
  const volume = first && findUnit('volume', `${first.symbol}3`);
  let value = new Big(1);
  for (const side of sides) {
    const length = sideIn(unit, first, side);
    if (length === undefined)
      return { unit: first === undefined ? unit : side.unit, value: undefined, factor: undefined };
    value = value.times(length);
  }
  // The symbol names the volume, also if the caller sent another name of the unit: `cm3` for `centimetres`.
  const cube = first === undefined || unit.toLowerCase() === first.symbol ? unit : first.symbol;
  return { unit: `${cube}3`, value, factor: volume?.factor };
}

function sideIn(unit: string, first: Unit | undefined, side: Measure): Big | undefined {
  if (side.unit.toLowerCase() === unit.toLowerCase()) return big(side.value);
  const other = findUnit('length', side.unit);
  if (first === undefined || other === undefined) return undefined;
  return other.symbol === first.symbol ? big(side.value) : big(side.value).times(other.factor).div(first.factor);
}

const FRACTION_DIGITS = 4;

/**
 * Returns the sum in the unit of the first part, in the spelling of that part. If the parts have units that cannot be
 * added, returns these units instead.
 */
export function sumOf(parts: readonly Part[], unitOfNothing: string): { total: Measure } | { unknown: string[] } {
  const [first] = parts;
  if (first === undefined) return { total: { unit: unitOfNothing, value: 0 } };
  const isAlike = parts.every(({ unit }) => unit.toLowerCase() === first.unit.toLowerCase());
  let total: Big | undefined = new Big(0);
  for (const part of parts) {
    const value = isAlike ? part.value : converted(part, first);
    total = value && total?.plus(value);
  }
  if (total === undefined || first.unit.length > UNIT_MAX) {
    const unknown = parts.filter(({ value, factor }) => value === undefined || factor === undefined);
    return { unknown: [...new Set(unknown.map(({ unit }) => unit.slice(0, UNIT_MAX)))] };
  }
  const value = numericOf(total.round(FRACTION_DIGITS, Big.roundHalfUp));
  return { total: { unit: first.unit, value } };
}

function converted({ value, factor }: Part, { factor: to }: Part): Big | undefined {
  if (factor === undefined || to === undefined) return undefined;
  return factor === to ? value : value?.times(factor).div(to);
}
