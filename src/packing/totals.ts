/** Amounts of a pack slip, computed with decimals from what was picked (decision 32). */
import { Big } from 'big.js';
import { big, type Numeric, numeric } from '../decimal.ts';
import { shareOf } from '../orders/money.ts';

/** A line of the order; `picked` are the picked units that are for the customer. `charges` and `tax` are for the line at its ordered quantity. */
export interface PricedLine {
  ordered: number;
  picked: number;
  unit_price: string;
  charges: string;
  tax: string;
}

/** What stands once for the order; it is not prorated. */
export interface PricedHeader {
  currency: string;
  header_charges: string;
  header_tax: string;
  cash_on_delivery: string | null;
}

/** Price, extended price, charges and tax of the units of a line that were picked. */
export function itemTotal(line: PricedLine, currency: string) {
  const extended = big(line.unit_price).times(line.picked);
  return {
    unitPrice: numeric(line.unit_price),
    extendedPrice: numericOf(extended),
    charges: numericOf(shareOf(line.charges, line.picked, line.ordered, currency)),
    tax: numericOf(shareOf(line.tax, line.picked, line.ordered, currency)),
  };
}

/** Sums of the lines' totals, and what stands once. */
export function orderTotal(lines: readonly ReturnType<typeof itemTotal>[], order: PricedHeader) {
  const charges = sumOf(lines.map((line) => line.charges)).plus(order.header_charges);
  const tax = sumOf(lines.map((line) => line.tax)).plus(order.header_tax);
  const extended = sumOf(lines.map((line) => line.extendedPrice));
  return {
    grandTotal: numericOf(extended.plus(charges).plus(tax)),
    grandTax: numericOf(tax),
    grandCharges: numericOf(charges),
    hdrTax: numeric(order.header_tax),
    hdrCharges: numeric(order.header_charges),
    ...(order.cash_on_delivery !== null && { cashOnDelivery: numeric(order.cash_on_delivery) }),
  };
}

function sumOf(amounts: readonly Numeric[]): Big {
  return amounts.reduce<Big>((sum, amount) => sum.plus(big(amount)), new Big(0));
}

function numericOf(amount: Big): Numeric {
  return numeric(amount.toFixed());
}
