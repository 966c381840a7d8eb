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
  const [found, { reasons }] = await Promise.all([check(storeId, { code: number }), returnChoices(storeId)]);
  const orderIds = new Set(lines.map(({ fulfillmentOrderId }) => fulfillmentOrderId));
  const orders = found.orders.filter(({ fulfillmentOrderId }) => orderIds.has(fulfillmentOrderId));
  // The packing slip has these names too, and they remain when the item is deleted.
  const names = new Map(orders.flatMap((one) => one.lines.map(({ itemId, itemDesc }) => [itemId, itemDesc])));
  const unnamed = lines.map(({ itemId }) => itemId).filter((itemId) => !names.get(itemId));
  const words = await wordsOfItems(storeId, [...new Set(unnamed)]);
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
      itemDesc: names.get(itemId) || (words[itemId]?.name ?? itemId),
      taken: sellable + damaged + held,
      givenBack,
    })),
    refunds: liveOf(of.refunds),
    isOpen: of.state !== 'CLOSED',
  });
}
