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

/** Limit of a quantity that is divided over several lines. QUANTITY_MAX then applies to each of these lines. */
export const DIVIDED_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Returns a quantity in pieces. If the result is not a whole number from 1 to `most`, adds FRACTION or QUANTITY and
 * returns undefined.
 */
export function quantityOf(
  meaning: Meaning,
  quantity: Value | undefined,
  pieces: number,
  otherwise: Place,
  most = QUANTITY_MAX,
): number | undefined {
  const place = quantity ?? otherwise;
  if (quantity === undefined) {
    meaning.add('QUANTITY', place, 'The quantity is missing');
    return undefined;
  }
  const whole = WHOLE.test(quantity.value) ? Number(quantity.value) * pieces : 0;
  if (whole >= 1 && whole <= most) return whole;
  const units = new Big(quantity.value).times(pieces);
  if (!units.eq(units.round(0, 0))) {
    meaning.add('FRACTION', place, `${quantity.value} is not a whole number of pieces`);
    return undefined;
  }
  if (units.lt(1) || units.gt(most)) {
    const what = units.lt(1) ? 'less than 1 piece' : `${units.toFixed()} pieces`;
    meaning.add('QUANTITY', place, `${quantity.value} is ${what}; a line has 1 to 99,999`);
    return undefined;
  }
  return units.toNumber();
}

/** Bases of a price (element 639) that name a number of pieces, with this number. */
const PRICED_PIECES: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({
    1: ['PE', 'LE', 'QE', 'RE', 'TE', 'WE'],
    10: ['PN'],
    12: ['PD', 'LD', 'RD', 'TD', 'WD'],
    100: ['HP', 'LC', 'QH', 'RC', 'TC', 'WC'],
    1000: ['TP', 'LM', 'QS', 'RM', 'TM', 'WM'],
    10000: ['TT'],
    100000: ['HT'],
  }).flatMap(([pieces, codes]) => codes.map((code) => [code, Number(pieces)])),
);
/** Bases that name a kind of price, such as contract or net, but no quantity: the price is for the unit of the line. */
const PRICED_UNIT =
  `UM AP AW BD BR CA CP CR CT DI DR DS ES FO FX KA KP KR LR NE NT PQ PR PV QR QT RS RT SC SR ST SW TB VQ
  WH`.split(/\s+/);

/**
 * Returns the cost of one piece: the price divided by the pieces of its basis, otherwise by the pieces in the unit of
 * the line (docs/edi-partners.md#purchase-orders-850-860). Adds a note PRICE_BASIS if the basis is neither a number of
 * pieces nor a kind of price, for example if it is a weight.
 */
export function costOf(meaning: Meaning, price: Value, pieces: number, basis: Value | undefined): string {
  const code = basis?.value ?? '';
  const priced = Object.hasOwn(PRICED_PIECES, code) ? PRICED_PIECES[code]! : pieces;
  if (basis !== undefined && !Object.hasOwn(PRICED_PIECES, code) && !PRICED_UNIT.includes(code)) {
    const message = `The basis ${JSON.stringify(code)} of the price is no number of pieces; the price counts for one unit of the line`;
    meaning.add('PRICE_BASIS', basis, message, { level: 'NOTE' });
  }
  if (priced === 1) return new Big(price.value).toFixed();
  return new Big(price.value).div(priced).round(COST_DECIMALS, HALF_UP).toFixed();
}
