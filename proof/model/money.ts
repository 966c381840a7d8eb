/**
 * What an order charges, in the model: amounts of its units are shares of what came in for a line, what stands once for an
 * order is charged once for all orders that serve its units, and cash is never more than what went. In dollars.
 */
import { Big } from 'big.js';
import type { Model } from './model.ts';
import type { Line, Order } from './things.ts';

/** Amounts of a line at its ordered quantity, as decimal text. */
export interface Price {
  unitPrice: string;
  charges: string;
  tax: string;
}

/** What stands once for an order and those that serve its declined units, and what of it was charged. */
export interface Header {
  charges: string;
  tax: string;
  cash: string | null;
  isCharged: boolean;
  /** Sums of cash and of totals of all that went. */
  collected: Big;
  charged: Big;
}

/** An amount of money as it is compared: without zeros at the end. */
type Amount = string;

export interface Total {
  grandTotal: Amount;
  grandTax: Amount;
  grandCharges: Amount;
  hdrTax: Amount;
  hdrCharges: Amount;
  cashOnDelivery: Amount | null;
}

const rounded = (amount: Big) => amount.round(2, Big.roundHalfUp);
const plain = (amount: Big | number | string | { toString(): string }): Amount => new Big(String(amount)).toFixed();

/** What the first `units` of `of` units carry of an amount; all of them carry it whole. */
function upTo(amount: string, units: number, of: number): Big {
  return units === of ? new Big(amount) : rounded(new Big(amount).times(units).div(of));
}

/** Share of the units `from` to `from + units`. */
export function share(amount: string, units: number, of: number, from: number): Big {
  return upTo(amount, from + units, of).minus(upTo(amount, from, of));
}

/** Of one line: units that go, and how many went before. */
export interface Going {
  line: Line;
  units: number;
  from: number;
}

/** The amounts of units of an order, were they to go now. */
export function totalOf(going: readonly Going[], header: Header, isHeaderHere = !header.isCharged): Total {
  const sum = (of: (one: Going) => Big) => going.reduce((total, one) => total.plus(of(one)), new Big(0));
  const isSome = going.some(({ units }) => units > 0);
  const once = (amount: string) => (isHeaderHere && isSome ? new Big(amount) : new Big(0));
  const charges = sum(({ line, units, from }) => share(line.price.charges, units, line.ordered, from)).plus(
    once(header.charges),
  );
  const tax = sum(({ line, units, from }) => share(line.price.tax, units, line.ordered, from)).plus(once(header.tax));
  const extended = sum(({ line, units }) => new Big(line.price.unitPrice).times(units));
  const grandTotal = rounded(extended.plus(charges).plus(tax));
  return {
    grandTotal: plain(grandTotal),
    grandTax: plain(rounded(tax)),
    grandCharges: plain(rounded(charges)),
    hdrTax: plain(once(header.tax)),
    hdrCharges: plain(once(header.charges)),
    cashOnDelivery: header.cash === null ? null : plain(isSome ? cashOf(header, grandTotal) : 0),
  };
}

/** Cash of a total: not more than it, nor than what is left of the cash; a total below zero is paid back first. */
function cashOf({ cash, collected, charged }: Header, grandTotal: Big): Big {
  const smaller = (a: Big, b: Big) => (a.lt(b) ? a : b);
  const credit = smaller(new Big(0), charged.minus(collected));
  const value = smaller(new Big(cash!).minus(collected), grandTotal.plus(credit));
  return value.lt(0) ? new Big(0) : value;
}

/** Charges units that go with this shipment, hand-over or delivery. None: nothing is charged. */
export function charge(model: Model, order: Order, going: readonly Going[]): Total | undefined {
  if (!going.some(({ units }) => units > 0)) return undefined;
  const header = model.headerOf(order);
  const total = totalOf(going, header);
  header.isCharged = true;
  header.charged = header.charged.plus(total.grandTotal);
  header.collected = header.collected.plus(total.cashOnDelivery ?? 0);
  order.charged.push(total);
  return total;
}

/** A total as an answer shows it. */
export function totalIn(shown: Partial<Record<keyof Total, unknown>> | undefined): Total | null {
  if (shown === undefined) return null;
  const of = (name: keyof Total) => plain(shown[name] as string);
  return {
    grandTotal: of('grandTotal'),
    grandTax: of('grandTax'),
    grandCharges: of('grandCharges'),
    hdrTax: of('hdrTax'),
    hdrCharges: of('hdrCharges'),
    cashOnDelivery: shown.cashOnDelivery === undefined ? null : of('cashOnDelivery'),
  };
}
