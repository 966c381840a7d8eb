/** Shares of an amount that was given for a whole line (decision 32). */
import { Big } from 'big.js';
import { minorDigits } from '../currencies.ts';
import { big, type Numeric } from '../decimal.ts';

/**
 * Part of `total` that the first `units` of `ofUnits` units carry: round half up (away from zero) to `digits` after the
 * point. All units carry exactly `total`, also where it has more digits than that.
 */
function upTo(total: Big, units: number, ofUnits: number, digits: number): Big {
  return units === ofUnits ? total : total.times(units).div(ofUnits).round(digits, Big.roundHalfUp);
}

/**
 * Share of `total` for the units `from` to `from + units` of a line of `ofUnits` units, in the currency's minor digits
 * (decision 32). Shares are differences of cumulative ones, so those of parts that make up the line always sum to the
 * whole. Throws `RangeError` for units outside the line.
 */
export function shareOf(total: Numeric | string, units: number, ofUnits: number, currency: string, from = 0): Big {
  const whole = [units, ofUnits, from].every(Number.isInteger);
  if (!whole || units < 0 || from < 0 || from + units > ofUnits) throw new RangeError('units outside the line');
  const amount = big(total);
  if (ofUnits === 0) return big(0);
  const digits = minorDigits(currency);
  return upTo(amount, from + units, ofUnits, digits).minus(upTo(amount, from, ofUnits, digits));
}
