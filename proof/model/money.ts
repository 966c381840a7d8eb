/**
 * The charges of an order in the model, in dollars. The amounts of units are shares of the amounts of their line.
 * Header amounts are charged once for all orders that serve the units of an order. Cash on delivery is never more than
 * the total of the units that were handed over or shipped.
 */
import { Big } from 'big.js';
import type { Amount, Header, Line, Order, Total } from './things.ts';

const rounded = (amount: Big) => amount.round(2, Big.roundHalfUp);
const plain = (amount: Big | number | string | { toString(): string }): Amount => new Big(String(amount)).toFixed();

/**
 * Returns the share of an amount for the first `units` of `of` units, rounded to cents. The share of all units is the
 * exact amount.
 */
function upTo(amount: string, units: number, of: number): Big {
  return units === of ? new Big(amount) : rounded(new Big(amount).times(units).div(of));
}

/** Returns the share of an amount for the units from `from` to `from + units`. */
export function share(amount: string, units: number, of: number, from: number): Big {
  return upTo(amount, from + units, of).minus(upTo(amount, from, of));
}

/** The units of one line in a shipment, and the number of units of the line in earlier shipments. */
export interface Going {
  line: Line;
  units: number;
  from: number;
}

/** Returns the amounts of some units of an order, as if these units were handed over or shipped now. */
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

/**
 * Returns the cash on delivery to collect: at most the total, and at most the part of `cash` that is not collected yet.
 * If more was collected than charged, the difference reduces the total.
 */
function cashOf({ cash, collected, charged }: Header, grandTotal: Big): Big {
  const smaller = (a: Big, b: Big) => (a.lt(b) ? a : b);
  const credit = smaller(new Big(0), charged.minus(collected));
  const value = smaller(new Big(cash!).minus(collected), grandTotal.plus(credit));
  return value.lt(0) ? new Big(0) : value;
}

/** Charges the units of a shipment, hand-over or delivery. Without units there is no charge. */
export function charge(header: Header, order: Order, going: readonly Going[]): Total | undefined {
  if (!going.some(({ units }) => units > 0)) return undefined;
  const total = totalOf(going, header);
  header.isCharged = true;
  header.charged = header.charged.plus(total.grandTotal);
  header.collected = header.collected.plus(total.cashOnDelivery ?? 0);
  order.charged.push(total);
  for (const { line, units, from } of going) {
    const { unitPrice, charges, tax } = line.price;
    const parts = [share(charges, units, line.ordered, from), share(tax, units, line.ordered, from)];
    line.charged = line.charged.plus(new Big(unitPrice).times(units)).plus(parts[0]!).plus(parts[1]!);
  }
  return total;
}

/** Reads a total from a response. */
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
