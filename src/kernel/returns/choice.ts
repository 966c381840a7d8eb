/**
 * The order in which several lines of an item get returned units: the line with the smallest amount left to refund
 * comes first. The functions are pure.
 */
import { Big } from 'big.js';
import type { OrderFacts, OrderMoney } from './action.ts';
import type { Draft } from './draft.ts';
import { moneyOf } from './money.ts';
import { countedOf } from './refunds.ts';

/** A line of an order as a candidate. */
interface OfOrder {
  orderId: string;
  lineIndex: number;
}

/**
 * Sorts candidates by the amount left to refund, the smallest first. Candidates with equal amounts keep their order.
 */
export function leastFirst<T>(draft: Draft, candidates: readonly T[], of: (one: T) => OfOrder): T[] {
  if (candidates.length < 2) return [...candidates];
  const accounts = new Map<string, { money: OrderMoney; came: Map<number, number> }>();
  const left = candidates.map((one) => {
    const { orderId, lineIndex } = of(one);
    const facts: OrderFacts = draft.subject.orders.get(orderId)!;
    const account = accounts.get(orderId) ?? { money: moneyOf(facts), came: countedOf(draft, facts) };
    accounts.set(orderId, account);
    const { charged, handedOver } = account.money.lines.get(lineIndex)!;
    const came = account.came.get(lineIndex) ?? 0;
    const amount = handedOver === 0 ? new Big(0) : charged.times(handedOver - came).div(handedOver);
    return { one, amount };
  });
  return left.toSorted((a, b) => a.amount.cmp(b.amount)).map(({ one }) => one);
}
