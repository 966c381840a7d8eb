/** Prints the customer's receipt of a return. This module loads when a user prints a receipt. */
import { choices, customerLanguage, ownWord } from '../../choices.ts';
import { session } from '../../session.ts';
import { printReturnReceipt } from '../../work/counter-print.ts';
import { wordsOfItems } from '../../work/item-words.ts';
import { liveOf } from './return-words.tsx';
import { check, type Return, returnChoices } from './returning.ts';

/** Resolves to true if the print dialog of the browser opened. @throws ApiError */
export async function printReceipt(of: Return): Promise<boolean> {
  const { storeId, number, lines } = of;
  const [found, words, { reasons }] = await Promise.all([
    check(storeId, { code: number }),
    wordsOfItems(storeId, [...new Set(lines.map(({ itemId }) => itemId))]),
    returnChoices(storeId),
  ]);
  const orderIds = new Set(lines.map(({ fulfillmentOrderId }) => fulfillmentOrderId));
  const orders = found.orders.filter(({ fulfillmentOrderId }) => orderIds.has(fulfillmentOrderId));
  const codes = new Set(lines.flatMap(({ reason }) => reason ?? []));
  const said = reasons.filter(({ code }) => codes.has(code)).map((one) => ownWord(one, customerLanguage()));
  return printReturnReceipt({
    number,
    at: of.receipts.at(-1)?.at ?? of.createdAt,
    store: choices.peek()?.name,
    associate: session.peek()!.user.name,
    customer: orders[0]?.customerName,
    orders: [...new Set(orders.map(({ webOrderId }) => webOrderId))],
    reason: said.length === 0 ? undefined : said.join(', '),
    lines: lines.map(({ itemId, sellable, damaged, held, givenBack }) => ({
      itemId,
      itemDesc: words[itemId]?.name ?? itemId,
      taken: sellable + damaged + held,
      givenBack,
    })),
    refunds: liveOf(of.refunds),
  });
}
