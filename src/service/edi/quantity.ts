/** Converts quantities and costs from units of measure to pieces. */
import { Big } from 'big.js';
import { QUANTITY_MAX } from '../../shared/limits.ts';
import type { Profile } from './partner-schema.ts';
import type { Meaning, Place, Value } from './places.ts';

const PIECES = ['EA', 'PC', 'UN'];
const CASES = ['CA', 'CT'];
/** The form of most quantities: whole numbers. */
const WHOLE = /^\d{1,9}$/;
/** Number of decimals of a cost after its division. */
const COST_DECIMALS = 4;
const HALF_UP = 1;

/**
 * Returns the number of pieces in one unit of measure. If the number is unknown, adds UNIT and returns undefined.
 * `packs` are PO401 and PO414.
 */
export function piecesOf(
  meaning: Meaning,
  { units }: Profile,
  unit: Value | undefined,
  otherwise: Place,
  packs: readonly (Value | undefined)[],
): number | undefined {
  const code = unit?.value ?? '';
  const agreed = Object.hasOwn(units, code) ? units[code] : undefined;
  if (agreed !== undefined) return agreed;
  if (PIECES.includes(code)) return 1;
  if (!CASES.includes(code)) {
    meaning.add('UNIT', unit ?? otherwise, `The unit ${JSON.stringify(code)} is not a number of pieces`);
    return undefined;
  }
  const [outer, inner] = packs;
  const pieces = [outer, inner].reduce((product, pack) => product * Number(pack?.value ?? '1'), 1);
  if (outer === undefined || !Number.isSafeInteger(pieces) || pieces < 1) {
    meaning.add('UNIT', unit ?? otherwise, `The unit ${code} needs the pieces of a case in PO401`);
    return undefined;
  }
  return pieces;
}

/**
 * Returns a quantity in pieces. If the result is not a whole number in the valid range, adds FRACTION or QUANTITY and
 * returns undefined.
 */
export function quantityOf(
  meaning: Meaning,
  quantity: Value | undefined,
  pieces: number,
  otherwise: Place,
): number | undefined {
  const place = quantity ?? otherwise;
  if (quantity === undefined) {
    meaning.add('QUANTITY', place, 'The quantity is missing');
    return undefined;
  }
  const whole = WHOLE.test(quantity.value) ? Number(quantity.value) * pieces : 0;
  if (whole >= 1 && whole <= QUANTITY_MAX) return whole;
  const units = new Big(quantity.value).times(pieces);
  if (!units.eq(units.round(0, 0))) {
    meaning.add('FRACTION', place, `${quantity.value} is not a whole number of pieces`);
    return undefined;
  }
  if (units.lt(1) || units.gt(QUANTITY_MAX)) {
    const what = units.lt(1) ? 'less than 1 piece' : `${units.toFixed()} pieces`;
    meaning.add('QUANTITY', place, `${quantity.value} is ${what}; a line has 1 to 99,999`);
    return undefined;
  }
  return units.toNumber();
}

/**
 * Returns the cost of one piece: the price divided by the pieces of its unit, unless the basis is PE (price for each
 * piece).
 */
export function costOf(price: string, pieces: number, basis: string): string {
  if (pieces === 1 || basis === 'PE') return new Big(price).toFixed();
  return new Big(price).div(pieces).round(COST_DECIMALS, HALF_UP).toFixed();
}
