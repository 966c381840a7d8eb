/** The refunds of the orders of a return after a change (docs/returns.md#money). The functions are pure. */
import { Big } from 'big.js';
import type { Effect } from '../../events/record.ts';
import { minorDigits } from '../../platform/currencies.ts';
import { big, numericOf, sumOf } from '../../platform/decimal.ts';
import type { RefundRow, ReturnFeeRow } from '../../platform/storage/tables.ts';
import { UNPAID_REFUNDS } from '../../shared/return-states.ts';
import type { OrderFacts, OrderMoney } from './action.ts';
import { cameOf, type Draft, draftOf } from './draft.ts';
import { overpaid, refundEvent } from './events.ts';
import { dueOf, greatest, least, liveRefunds, moneyOf, positive } from './money.ts';

/** The amounts that an order owes its customer for counted units. */
interface Due {
  due: Big;
  shipping: Big;
}

/** An order of the draft with its money. */
interface Account {
  facts: OrderFacts;
  money: OrderMoney;
}

/**
 * Requests new refunds for orders that owe more than their refunds so far, in the order of the return's lines or of
 * `only`. Corrects the refunds of orders that owe less, for example because a coupon line came back. Does nothing while
 * the units of the return do not count for refunds. The first call that requests refunds for units of the return also
 * deducts the fee of the return. It deducts the fee only from refunds in the currency of the first refund.
 */
export function raiseRefunds(draft: Draft, only?: ReadonlySet<string>): Effect[] {
  if (draft.row.counted === 0) return [];
  const events: Effect[] = [];
  let fee = draft.row.fee_taken === 1 ? new Big(0) : big(draft.terms.settings.fee);
  let feeCurrency: string | undefined;
  for (const account of accountsOf(draft, only)) {
    const brought = broughtBy(draft, account);
    if (brought.lt(0)) events.push(...lower(draft, account));
    if (brought.lte(0)) continue;
    const { client_id, return_id } = draft.row;
    const { currency, fulfillment_order_id: orderId } = account.facts.order;
    // Without units of this return, the refund is for other returns: a coupon went back to the customer.
    const hasUnits = cameBack(draft, orderId);
    if (hasUnits) feeCurrency ??= currency;
    const wanted = hasUnits && currency === feeCurrency ? fee : new Big(0);
    const taken = least(wanted, brought).round(minorDigits(currency), Big.roundDown);
    if (hasUnits) draft.row.fee_taken = 1;
    if (taken.gt(0)) {
      draft.newFees.push({ client_id, fulfillment_order_id: orderId, return_id, amount: taken.toFixed() });
      fee = fee.minus(taken);
    }
    events.push(...ask(draft, account, brought.minus(taken)));
  }
  return events;
}

/** Whether an order owes more than its refunds so far, so that `raiseRefunds` requests a refund. */
export function owesMore(draft: Draft, orderIds: ReadonlySet<string>): boolean {
  return accountsOf(draft, orderIds).some((account) => broughtBy(draft, account).gt(0));
}

function broughtBy(draft: Draft, account: Account): Big {
  return dueNow(draft, account).due.minus(paidOf(draft, account.facts));
}

/**
 * Corrects the refunds of orders that owe less than before: cancels unpaid refunds and requests a new refund of the
 * remaining amount. Paid refunds do not change. If they exceed the amount due, an event reports the part of the
 * difference that this action added. Earlier events have reported the rest.
 */
export function lowerRefunds(draft: Draft, orderIds: ReadonlySet<string>): Effect[] {
  if (draft.row.counted === 0) return [];
  return accountsOf(draft, orderIds).flatMap((account) => lower(draft, account));
}

function lower(draft: Draft, account: Account): Effect[] {
  const { due } = dueNow(draft, account);
  const events: Effect[] = [];
  if (paidOf(draft, account.facts).lte(due)) return events;
  for (const refund of unpaidOf(draft, account.facts)) {
    if (paidOf(draft, account.facts).lte(due)) break;
    const canceled: RefundRow = { ...refund, status: 'CANCELED' };
    draft.canceledRefunds.push(canceled);
    events.push(refundEvent('refund.canceled', canceled));
  }
  const rest = due.minus(paidOf(draft, account.facts));
  if (rest.gt(0)) return [...events, ...ask(draft, account, rest)];
  const paid = paidOf(draft, account.facts);
  const before = dueNow(draftOf(draft.subject, draft.terms), account).due;
  const added = paid.minus(due).minus(positive(paid.minus(before)));
  const newest = refundsOf(draft, account.facts).findLast(({ status }) => status === 'DONE');
  return added.lte(0) || newest === undefined ? events : [...events, overpaid(newest, numericOf(added))];
}

/** Returns the sums of the refunds of this return that are not canceled, one for each currency. */
export function refundsOfReturn(draft: Draft): Big[] {
  const { return_id: own } = draft.row;
  const all = [...draft.subject.orders.values()].flatMap((facts) => refundsOf(draft, facts));
  const live = liveRefunds(all.filter((one) => one.return_id === own));
  return [...Map.groupBy(live, ({ currency }) => currency).values()].map(amountsOf);
}

/**
 * Returns the accounts of the orders `only`; without `only`, of all orders of the return in the order of its lines.
 * Orders that the retention has deleted have no account: their refunds are final.
 */
function accountsOf(draft: Draft, only?: ReadonlySet<string>): Account[] {
  const ids = new Set(draft.lines.flatMap((line) => line.fulfillment_order_id ?? []));
  return [...(only ?? ids)].flatMap((id) => {
    const facts = draft.subject.orders.get(id);
    return facts === undefined ? [] : [{ facts, money: moneyOf(facts) }];
  });
}

/** Returns the units of each line of an order that came back and count for refunds. */
export function countedOf(draft: Pick<Draft, 'row' | 'lines'>, facts: OrderFacts): Map<number, number> {
  const came = new Map<number, number>();
  const add = (index: number, units: number) => came.set(index, (came.get(index) ?? 0) + units);
  for (const { isCounted, lineIndex, units } of facts.returned) if (isCounted) add(lineIndex, units);
  if (draft.row.counted === 1) {
    for (const line of draft.lines) {
      if (line.fulfillment_order_id === facts.order.fulfillment_order_id) add(line.line_index!, cameOf(line));
    }
  }
  return came;
}

/**
 * Returns the amounts that an order now owes its customer, without amounts that wait for another return. Amounts wait
 * if a reopened return exceeds `fourEyes`: the close of that return by another user requests their refunds.
 */
function dueNow(draft: Draft, account: Account): Due {
  const all = allDue(draft, account);
  const waiting = waitingElsewhere(draft, account);
  return { due: all.due.minus(waiting.due), shipping: all.shipping.minus(waiting.shipping) };
}

function waitingElsewhere({ subject, terms }: Draft, account: Account): Due {
  const { facts, money } = account;
  const none = { due: new Big(0), shipping: new Big(0) };
  const isOtherWaiting = facts.returned.some((one) => one.isCounted && one.isOpen);
  if (!isOtherWaiting || terms.settings.refundOn === 'RECEIVED') return none;
  const before = draftOf(subject, terms);
  // Each return that does not wait has requested all its refunds. Unpaid amounts therefore belong to the other open
  // returns and, if this return was reopened, also to this return.
  const unpaid = unpaidIn(before, account, facts.refunds);
  if (subject.row.counted === 0 || subject.row.status !== 'RECEIVING') return unpaid;
  const isOwn = (one: RefundRow) => one.return_id === subject.row.return_id;
  const ofOthers = unpaidIn(
    { ...before, lines: [] },
    account,
    facts.refunds.filter((one) => !isOwn(one)),
  );
  if (ofOthers.due.eq(0)) return none;
  const own = unpaidIn(before, { money, facts: { ...facts, returned: [] } }, facts.refunds.filter(isOwn));
  // Alone, a return can have a higher amount than its part of the amount of all returns. The difference is the header
  // charges, or a cent from rounding. With a discount of the whole order, its amount alone is lower than its part if the
  // first refund of another return has borne the discount. The amount of the others then counts.
  const first = liveRefunds(facts.refunds)[0];
  const isBorne = money.header.lt(0) && first !== undefined && !isOwn(first);
  const waiting = (all: Big, ofThis: Big, others: Big) =>
    isBorne ? least(all, others) : greatest(positive(all.minus(ofThis)), least(all, others));
  return {
    due: waiting(unpaid.due, own.due, ofOthers.due),
    shipping: waiting(unpaid.shipping, own.shipping, ofOthers.shipping),
  };
}

/** Returns the amounts that an order owes and that the refunds `refunds` do not cover. */
function unpaidIn(draft: Draft, account: Account, refunds: readonly RefundRow[]): Due {
  const { due, shipping } = allDue(draft, account);
  const live = liveRefunds(refunds);
  return {
    due: positive(due.minus(amountsOf(live))),
    shipping: positive(shipping.minus(sumOf(live.map((one) => one.shipping)))),
  };
}

function allDue(draft: Draft, { facts, money }: Account): Due {
  const { settings } = draft.terms;
  // After a change to NEVER, the header charges remain due if a refund has a part of them.
  const isGranted = liveRefunds(facts.refunds).some((one) => big(one.shipping).gt(0));
  const refundShipping = isGranted && settings.refundShipping === 'NEVER' ? 'ALWAYS' : settings.refundShipping;
  const { due, shipping } = dueOf(money, countedOf(draft, facts), refundShipping, facts.order.currency);
  return { due: positive(due.minus(amountsOf(feesOf(draft, facts)))), shipping };
}

/** Returns the fees that apply to an order: the fees of those returns whose units count for refunds. */
function feesOf(draft: Draft, facts: OrderFacts): ReturnFeeRow[] {
  const orderId = facts.order.fulfillment_order_id;
  const counted = new Set(facts.returned.filter((one) => one.isCounted && one.units > 0).map((one) => one.returnId));
  if (draft.row.counted === 1 && cameBack(draft, orderId)) counted.add(draft.row.return_id);
  return [...facts.fees, ...draft.newFees].filter(
    (one) => one.fulfillment_order_id === orderId && counted.has(one.return_id),
  );
}

/** Whether units of an order came back with this return. */
function cameBack({ lines }: Draft, orderId: string): boolean {
  return lines.some((line) => line.fulfillment_order_id === orderId && cameOf(line) > 0);
}

/**
 * Returns the fees that reduce a new refund of this return: its own fees, and the fees of other returns whose canceled
 * refunds the new refund replaces. If the fee of another return left no refund, that fee reduces no later refund.
 */
function feeOfNew(draft: Draft, facts: OrderFacts): Big {
  const { return_id: own } = draft.row;
  const fees = feesOf(draft, facts);
  const live = liveRefunds(refundsOf(draft, facts));
  const shown = (refunds: readonly RefundRow[]) => sumOf(refunds.map(({ fee }) => fee));
  const isOwn = (one: { return_id: string }) => one.return_id === own;
  const ofReturn = positive(amountsOf(fees.filter(isOwn)).minus(shown(live.filter(isOwn))));
  const replaced = draft.canceledRefunds.filter(
    (one) => !isOwn(one) && one.fulfillment_order_id === facts.order.fulfillment_order_id,
  );
  return least(ofReturn.plus(shown(replaced)), positive(amountsOf(fees).minus(shown(live))));
}

function amountsOf(rows: readonly { amount: string }[]): Big {
  return sumOf(rows.map(({ amount }) => amount));
}

/** Returns all refunds of an order in the draft, the oldest first. */
function refundsOf(draft: Draft, { order, refunds }: OrderFacts): RefundRow[] {
  const canceled = new Map(draft.canceledRefunds.map((one) => [one.refund_id, one]));
  const own = draft.newRefunds.filter((one) => one.fulfillment_order_id === order.fulfillment_order_id);
  return [...refunds.map((one) => canceled.get(one.refund_id) ?? one), ...own];
}

function paidOf(draft: Draft, facts: OrderFacts): Big {
  return amountsOf(liveRefunds(refundsOf(draft, facts)));
}

/**
 * Returns unpaid refunds in the order in which they are canceled: first the refunds of this return, then those of other
 * returns, each with the newest first.
 */
function unpaidOf(draft: Draft, facts: OrderFacts): RefundRow[] {
  const { return_id: own } = draft.row;
  const unpaid = refundsOf(draft, facts).filter(({ status }) => UNPAID_REFUNDS.includes(status));
  return unpaid.toSorted(
    (a, b) => Number(b.return_id === own) - Number(a.return_id === own) || b.position - a.position,
  );
}

/** Adds a new refund of an order and returns its event. Without an amount above 0 it does nothing. */
function ask(draft: Draft, account: Account, amount: Big): Effect[] {
  if (amount.lte(0)) return [];
  const { facts, money } = account;
  const all = refundsOf(draft, facts);
  const live = liveRefunds(all);
  const fee = feeOfNew(draft, facts);
  const open = positive(dueNow(draft, account).shipping.minus(sumOf(live.map((one) => one.shipping))));
  // A coupon can take a part of the header charges. A later refund has the rest of them.
  const shipping = least(open, amount.plus(fee));
  const cash = positive(money.cash.minus(sumOf(live.map((one) => one.collected_at_door))));
  const { client_id, return_id, store_id, number } = draft.row;
  const refund: RefundRow = {
    client_id,
    refund_id: draft.terms.newId(),
    return_id,
    store_id,
    number,
    fulfillment_order_id: facts.order.fulfillment_order_id,
    position: (all.at(-1)?.position ?? 0) + 1,
    amount: amount.toFixed(),
    currency: facts.order.currency,
    collected_at_door: least(amount, cash).toFixed(),
    shipping: shipping.toFixed(),
    fee: fee.toFixed(),
    basis: money.basis,
    status: 'DUE',
    reference: null,
    failure: null,
    due_at: draft.terms.now,
    answered_at: null,
  };
  draft.newRefunds.push(refund);
  return [refundEvent('refund.due', refund)];
}
