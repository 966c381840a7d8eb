/**
 * Computes the amounts of units that are handed over, delivered or shipped together, in exact decimals
 * (docs/api.md#money). The functions are pure.
 */
import { Big } from 'big.js';
import { minorDigits } from '../platform/currencies.ts';
import { big, type Numeric, numeric, numericOf, sumOf } from '../platform/decimal.ts';

/**
 * Returns the part of `total` for the first `units` of `ofUnits` units, rounded half up (away from zero) to `digits`
 * decimals. The part of all units is exactly `total`, even with more decimals.
 */
function upTo(total: Big, units: number, ofUnits: number, digits: number): Big {
  return units === ofUnits ? total : total.times(units).div(ofUnits).round(digits, Big.roundHalfUp);
}

/**
 * Returns the share of `total` for the units `from` to `from + units` of a line of `ofUnits` units, in the currency's
 * minor digits (docs/api.md#money). Shares are differences of cumulative shares, so the shares of all parts of a line
 * sum to `total`.
 * @throws RangeError for units outside the line
 */
export function shareOf(total: Numeric | string, units: number, ofUnits: number, currency: string, from = 0): Big {
  const whole = [units, ofUnits, from].every(Number.isInteger);
  if (!whole || units < 0 || from < 0 || from + units > ofUnits) throw new RangeError('units outside the line');
  const amount = big(total);
  if (ofUnits === 0) return big(0);
  const digits = minorDigits(currency);
  return upTo(amount, from + units, ofUnits, digits).minus(upTo(amount, from, ofUnits, digits));
}

/** A line of an order; `charges` and `tax` are for the line at its ordered quantity. */
interface PricedLine {
  ordered: number;
  unit_price: string;
  charges: string;
  tax: string;
}

/**
 * Units of a line that are handed over, delivered or shipped together; `from` units of the line were handed over
 * before.
 */
export interface PricedUnits {
  line: PricedLine;
  units: number;
  from: number;
}

/**
 * The once-only amounts of an order that are still due. The order and all orders re-sourced from it charge them once in
 * total.
 */
export interface Dues {
  charges: string;
  tax: string;
  /** Cash on delivery that is still to collect; null if the order was sent without cash on delivery. */
  cash: Big | null;
  /** The customer's credit from earlier negative totals: zero or less. */
  credit: Big;
}

/** Amounts of the units of one line. */
export interface ItemTotal {
  unitPrice: Numeric;
  extendedPrice: Numeric;
  charges: Numeric;
  tax: Numeric;
}

/** Amounts of all units that leave together. */
export interface OrderTotal {
  grandTotal: Numeric;
  grandTax: Numeric;
  grandCharges: Numeric;
  hdrTax: Numeric;
  hdrCharges: Numeric;
  cashOnDelivery?: Numeric;
}

/** The amounts of units that are charged together: an entry for each line in order, and the total. */
export interface Amounts {
  items: ItemTotal[];
  total: OrderTotal;
}

/** Returns the amounts of units that are charged together. Without units, no once-only charges, tax or cash are due. */
export function amountsOf(parts: readonly PricedUnits[], dues: Dues, currency: string): Amounts {
  const items = parts.map((part) => itemTotal(part, currency));
  const isEmpty = parts.every(({ units }) => units === 0);
  const due = isEmpty ? { ...dues, charges: '0', tax: '0', cash: dues.cash && new Big(0) } : dues;
  return { items, total: orderTotal(items, due, currency) };
}

function itemTotal({ line, units, from }: PricedUnits, currency: string): ItemTotal {
  const share = (amount: string) => numericOf(shareOf(amount, units, line.ordered, currency, from));
  return {
    unitPrice: numeric(line.unit_price),
    extendedPrice: numericOf(big(line.unit_price).times(units)),
    charges: share(line.charges),
    tax: share(line.tax),
  };
}

/**
 * Returns the totals of units that are charged together, each rounded once. The charges and tax of the items are
 * already rounded (docs/api.md#money).
 */
function orderTotal(items: readonly ItemTotal[], dues: Dues, currency: string): OrderTotal {
  const rounded = (amount: Big) => amount.round(minorDigits(currency), Big.roundHalfUp);
  const charges = sumOf(items.map((item) => item.charges)).plus(dues.charges);
  const tax = sumOf(items.map((item) => item.tax)).plus(dues.tax);
  const extended = sumOf(items.map((item) => item.extendedPrice));
  const grandTotal = rounded(extended.plus(charges).plus(tax));
  return {
    grandTotal: numericOf(grandTotal),
    grandTax: numericOf(rounded(tax)),
    grandCharges: numericOf(rounded(charges)),
    hdrTax: numeric(dues.tax),
    hdrCharges: numeric(dues.charges),
    ...(dues.cash !== null && { cashOnDelivery: numericOf(cashOf(grandTotal.plus(dues.credit), dues.cash)) }),
  };
}

/**
 * Returns the cash to collect for units worth `amount`: the smaller of `amount` and the remaining cash `left`, or 0 if
 * `amount` is negative.
 */
function cashOf(amount: Big, left: Big): Big {
  if (amount.lt(0)) return new Big(0);
  return amount.lt(left) ? amount : left;
}
