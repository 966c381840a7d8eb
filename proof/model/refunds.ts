/**
 * The refunds of the model. The amount due for an order is a fraction of its charges, rounded once. A refund is the
 * amount due minus the earlier refunds.
 */
import { Big } from 'big.js';
import { type Back, cameOf, type Refund } from './back.ts';
import type { Settings } from './terms.ts';
import type { Line, Order } from './things.ts';

/** The part of the model that refunds use. */
interface Accounts {
  now: number;
  settings: Settings;
  readonly refunds: Refund[];
  readonly fees: { back: Back; order: Order; amount: Big }[];
  counted: (order: Order) => Map<Line, number>;
}

const ZERO = new Big(0);
const least = (a: Big, b: Big) => (a.lt(b) ? a : b);
const positive = (amount: Big) => (amount.lt(0) ? ZERO : amount);
const sumOf = (amounts: readonly Big[]) => amounts.reduce((sum, amount) => sum.plus(amount), ZERO);

/** A multiple of each possible number of handed-over units (1 to 3), so that `DIVISOR / handed` is a whole number. */
const DIVISOR = 6;

/** Returns the amount due for the returned units of an order, before fees, and the header amounts in it. */
export function dueFor(order: Order, came: ReadonlyMap<Line, number>, shipping: string): { due: Big; header: Big } {
  const total = sumOf(order.charged.map(({ grandTotal }) => new Big(grandTotal)));
  const whole = sumOf(order.charged.map(({ hdrCharges, hdrTax }) => new Big(hdrCharges).plus(hdrTax)));
  const units = (line: Line) => came.get(line) ?? 0;
  const isSome = order.lines.some((line) => units(line) > 0);
  const isAll = isSome && order.lines.every((line) => units(line) === line.handed);
  // A negative header is a discount of the whole order. It lowers the first refunds, whatever the setting.
  const hasHeader = shipping === 'ALWAYS' || whole.lt(0) ? isSome : shipping === 'WHEN_ALL' && isAll;
  const added = hasHeader ? whole : ZERO;
  const header = positive(added);
  if (isAll && (hasHeader || whole.eq(0))) return { due: positive(total), header };
  const parts = order.lines.map((line) =>
    units(line) === 0 ? ZERO : line.charged.times(units(line)).times(DIVISOR / line.handed),
  );
  const sum = sumOf(parts).plus(added.times(DIVISOR)).div(DIVISOR).round(2, Big.roundHalfUp);
  return { due: positive(least(sum, total)), header };
}

function feesOf(model: Accounts, order: Order) {
  const counts = (back: Back) =>
    back.isCounted && back.lines.some((line) => line.of?.order === order && cameOf(line) > 0);
  return model.fees.filter((fee) => fee.order === order && counts(fee.back));
}

function dueNow(model: Accounts, order: Order): { due: Big; header: Big } {
  const { refundShipping = 'WHEN_ALL' } = model.settings;
  // If the setting changes to NEVER, the header amounts remain due if a refund has a part of them.
  const isRefunded = liveOf(model, order).some((refund) => refund.shipping.gt(0));
  const rule = refundShipping === 'NEVER' && isRefunded ? 'ALWAYS' : refundShipping;
  const { due, header } = dueFor(order, model.counted(order), rule);
  const fee = sumOf(feesOf(model, order).map(({ amount }) => amount));
  return { due: positive(due.minus(fee)), header };
}

/** Whether an order of a return owes more than its refunds so far, for example after a change of the settings. */
export function owes(model: Accounts, back: Back): boolean {
  return back.lines.some(({ of }) => of !== null && dueNow(model, of.order).due.gt(paidOf(model, of.order)));
}

const liveOf = (model: Accounts, order: Order) =>
  model.refunds.filter((refund) => refund.order === order && refund.status !== 'CANCELED');
const paidOf = (model: Accounts, order: Order) => sumOf(liveOf(model, order).map(({ amount }) => amount));

/**
 * Creates refunds for the orders of a counted return, for the amounts due that exceed earlier refunds. The fee of the
 * return is deducted from its first refunds.
 */
export function raise(model: Accounts, back: Back, orders?: readonly Order[]): void {
  if (!back.isCounted) return;
  let fee = back.hasFee ? ZERO : new Big(model.settings.fee ?? 0);
  for (const order of new Set(orders ?? back.lines.flatMap(({ of }) => of?.order ?? []))) {
    const { due, header } = dueNow(model, order);
    const brought = due.minus(paidOf(model, order));
    // A line with a negative amount, such as a coupon, lowers the amount due.
    if (brought.lt(0)) lower(model, back, [order]);
    if (brought.lte(0)) continue;
    // A refund for the units of other returns has no fee of this return.
    const hasUnits = back.lines.some((line) => line.of?.order === order && cameOf(line) > 0);
    const taken = hasUnits ? least(fee, brought) : ZERO;
    back.hasFee ||= hasUnits;
    if (taken.gt(0)) model.fees.push({ back, order, amount: taken });
    fee = fee.minus(taken);
    ask(model, back, order, { amount: brought.minus(taken), header });
  }
}

/** Cancels unpaid refunds of orders whose amount due is now lower, and creates a refund for the remaining amount. */
export function lower(model: Accounts, back: Back, orders: readonly Order[]): void {
  if (!back.isCounted) return;
  for (const order of orders) {
    const { due, header } = dueNow(model, order);
    if (paidOf(model, order).lte(due)) continue;
    const unpaid = model.refunds.filter(
      (refund) => refund.order === order && (refund.status === 'DUE' || refund.status === 'FAILED'),
    );
    const sorted = unpaid.toSorted(
      (a, b) => Number(b.back === back) - Number(a.back === back) || b.position - a.position,
    );
    const replaced: Refund[] = [];
    for (const refund of sorted) {
      if (paidOf(model, order).lte(due)) break;
      refund.status = 'CANCELED';
      if (refund.back !== back) replaced.push(refund);
    }
    ask(model, back, order, { amount: due.minus(paidOf(model, order)), header, replaced });
  }
}

/**
 * `header`: the header amounts that are due, before refunds were canceled. `replaced`: the canceled refunds of other
 * returns whose amounts and fees the new refund contains.
 */
function ask(
  model: Accounts,
  back: Back,
  order: Order,
  { amount, header, replaced = [] }: { amount: Big; header: Big; replaced?: readonly Refund[] },
): void {
  if (amount.lte(0)) return;
  const live = liveOf(model, order);
  const fees = feesOf(model, order);
  const missing = (charged: typeof fees, refunds: readonly Refund[]) =>
    positive(sumOf(charged.map((fee) => fee.amount)).minus(sumOf(refunds.map(({ fee }) => fee))));
  const isOwn = (of: { back: Back }) => of.back === back;
  const own = missing(fees.filter(isOwn), live.filter(isOwn)).plus(sumOf(replaced.map(({ fee }) => fee)));
  const rest = (whole: Big, part: (refund: Refund) => Big) => positive(whole.minus(sumOf(live.map(part))));
  const fee = least(own, missing(fees, live));
  const cash = sumOf(order.charged.map(({ cashOnDelivery }) => new Big(cashOnDelivery ?? 0)));
  model.refunds.push({
    back,
    order,
    position: model.refunds.filter((refund) => refund.order === order).length + 1,
    amount,
    cash: least(
      amount,
      rest(cash, (refund) => refund.cash),
    ),
    shipping: least(
      rest(header, (refund) => refund.shipping),
      amount.plus(fee),
    ),
    fee,
    status: 'DUE',
    reference: null,
    dueAt: model.now,
  });
}
