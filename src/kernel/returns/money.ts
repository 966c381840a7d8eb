/**
 * Amounts of refunds (docs/returns.md#money). The functions are pure. The shares of lines are exact fractions, and only
 * their sum is rounded. Together with the fees, the refunds of an order therefore add up to the amount that the order
 * charged for the units that came back.
 */
import { Big } from 'big.js';
import { minorDigits } from '../../platform/currencies.ts';
import { big, sumOf } from '../../platform/decimal.ts';
import type { RefundRow } from '../../platform/storage/tables.ts';
import type { ReturnSettings } from '../../shared/return-settings.ts';
import { shareOf } from '../money.ts';
import type { OrderFacts, OrderMoney } from './action.ts';

const ZERO = new Big(0);

/** Returns the amounts that an order charged for the units that were handed over. */
export function moneyOf({ order, lines, charges, header }: OrderFacts): OrderMoney {
  const recorded = charges.flatMap(({ amounts }) => amounts ?? []);
  const known = new Map<string, { units: number; charged: Big }>();
  for (const { webLineId, quantity, itemTotal } of recorded.flatMap(({ items }) => items)) {
    const before = known.get(webLineId) ?? { units: 0, charged: ZERO };
    const charged = before.charged.plus(sumOf([itemTotal.extendedPrice, itemTotal.charges, itemTotal.tax]));
    known.set(webLineId, { units: before.units + quantity, charged });
  }
  const of = lines.map((line) => {
    const { units, charged } = known.get(line.web_line_id) ?? { units: 0, charged: ZERO };
    const unrecorded = line.handed_over - units;
    const share = (amount: string) => shareOf(amount, unrecorded, line.ordered, order.currency);
    const computed =
      unrecorded <= 0 ? ZERO : sumOf([big(line.unit_price).times(unrecorded), share(line.charges), share(line.tax)]);
    return { line, computed, charged: charged.plus(computed) };
  });
  const headerOf = (charge: OrderFacts['charges'][number]) =>
    charge.amounts === undefined
      ? charge.hasHeader
        ? big(header.charges).plus(header.tax)
        : ZERO
      : big(charge.amounts.orderTotal.hdrCharges).plus(big(charge.amounts.orderTotal.hdrTax));
  const headers = charges.map((charge) => ({ isComputed: charge.amounts === undefined, amount: headerOf(charge) }));
  const computed = sumOf([
    ...of.map((one) => one.computed),
    ...headers.filter(({ isComputed }) => isComputed).map(({ amount }) => amount),
  ]);
  const totals = recorded.map(({ orderTotal }) => orderTotal.grandTotal);
  return {
    total: sumOf([...totals, rounded(computed, order.currency)]),
    lines: new Map(of.map(({ line, charged }) => [line.line_index, { charged, handedOver: line.handed_over }])),
    header: sumOf(headers.map(({ amount }) => amount)),
    cash: sumOf(charges.map(({ cash }) => cash)),
    basis: computed.eq(0) && charges.every(({ amounts }) => amounts !== undefined) ? 'CHARGED' : 'COMPUTED',
  };
}

/**
 * Returns the amount due for the units of an order that came back, before the fees of its returns are deducted. A
 * negative header is a discount. It counts from the first unit, so that no customer keeps goods and gets back all money.
 */
export function dueOf(
  money: OrderMoney,
  came: ReadonlyMap<number, number>,
  refundShipping: ReturnSettings['refundShipping'],
  currency: string,
): { due: Big; shipping: Big } {
  const parts = [...money.lines].map(([index, line]) => ({ ...line, units: came.get(index) ?? 0 }));
  const isSome = parts.some(({ units }) => units > 0);
  const isAll = isSome && parts.every(({ units, handedOver }) => units === handedOver);
  const isFirst = refundShipping === 'ALWAYS' || money.header.lt(0);
  const hasHeader = isFirst ? isSome : refundShipping === 'WHEN_ALL' && isAll;
  const header = hasHeader ? money.header : ZERO;
  const shipping = positive(header);
  if (isAll && (hasHeader || money.header.eq(0))) return { due: positive(money.total), shipping };
  const sum = roundedSum([...parts, { charged: header, units: 1, handedOver: 1 }], minorDigits(currency));
  return { due: positive(sum.gt(money.total) ? money.total : sum), shipping };
}

/** Returns the refunds that are paid or can still be paid. */
export function liveRefunds(refunds: readonly RefundRow[]): RefundRow[] {
  return refunds.filter(({ status }) => status !== 'CANCELED');
}

export function positive(amount: Big): Big {
  return amount.lt(0) ? ZERO : amount;
}

export function least(a: Big, b: Big): Big {
  return a.lt(b) ? a : b;
}

export function greatest(a: Big, b: Big): Big {
  return a.gt(b) ? a : b;
}

function rounded(amount: Big, currency: string): Big {
  return amount.round(minorDigits(currency), Big.roundHalfUp);
}

interface Part {
  charged: Big;
  units: number;
  handedOver: number;
}

/**
 * Returns the sum of `charged` x `units` / `handedOver` over all parts. The sum is rounded once, half up (away from
 * zero); the parts are exact fractions.
 */
function roundedSum(parts: readonly Part[], digits: number): Big {
  const byDivisor = new Map<number, Big>();
  for (const { charged, units, handedOver } of parts) {
    if (units === 0) continue;
    const isWhole = units === handedOver;
    const divisor = isWhole ? 1 : handedOver;
    byDivisor.set(divisor, (byDivisor.get(divisor) ?? ZERO).plus(isWhole ? charged : charged.times(units)));
  }
  const decimals = Math.max(digits, ...[...byDivisor.values()].map(decimalsOf));
  let [numerator, denominator] = [0n, 1n];
  for (const [divisor, amount] of byDivisor) {
    const own = BigInt(divisor);
    const common = (denominator / greatestDivisor(denominator, own)) * own;
    const scaled = BigInt(amount.times(new Big(10).pow(decimals)).toFixed(0));
    numerator = numerator * (common / denominator) + scaled * (common / own);
    denominator = common;
  }
  const unit = denominator * 10n ** BigInt(decimals - digits);
  const size = numerator < 0n ? -numerator : numerator;
  const whole = (2n * size + unit) / (2n * unit);
  return new Big((numerator < 0n ? -whole : whole).toString()).div(new Big(10).pow(digits));
}

function decimalsOf(amount: Big): number {
  return Math.max(0, amount.c.length - 1 - amount.e);
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}
