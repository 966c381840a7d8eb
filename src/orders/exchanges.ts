/**
 * Exchange orders. With such an order, the customer gets another item for a line of a return. The return must request
 * the exchange, and only one order can serve it.
 */
import type { ExchangeWish } from '../kernel/returns/action.ts';
import type { Ctx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import type { FieldErrorSink } from '../platform/message/field-errors.ts';
import { inEnglish } from '../platform/message/sentence.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { quote } from '../platform/message/words.ts';
import type { StoreRow } from '../platform/storage/tables.ts';
import { textWithoutIndex } from '../platform/storage/without-index.ts';
import type { OrderIntake } from './intake-schema.ts';

/** The exchanges that a return requests. An exchange order names the number of the return and the line. */
export interface Exchanges {
  wishes: readonly ExchangeWish[];
  /** The orders that serve exchanges already, by line of the return. */
  served: ReadonlyMap<number, string>;
}

/**
 * Locks the returns that orders name, and returns them by number. The lock ensures that, of two concurrent orders for
 * the same line of a return, the second is rejected.
 */
export async function readExchanges(
  { db, dialect }: Pick<Ctx, 'db' | 'dialect'>,
  { client_id: clientId, store_id: storeId }: StoreRow,
  orders: readonly ValidPart<OrderIntake>[],
): Promise<Map<string, Exchanges>> {
  const numbers = [...new Set(orders.flatMap(({ exchangeOf }) => exchangeOf?.returnNumber ?? []))].sort();
  if (numbers.length === 0) return new Map();
  const rows = await db
    .selectFrom('returns')
    .select(['number', 'exchanges'])
    .where('client_id', '=', clientId)
    .where('store_id', '=', storeId)
    .where('number', 'in', dialect.listOf(numbers, 'text'))
    // This expression is in no index. With the plain column, SQLite reads all returns of the client along the primary key.
    .orderBy(textWithoutIndex('return_id'))
    .modifyEnd(dialect.forUpdate)
    .execute();
  const served = await db
    .selectFrom('fulfillment_orders')
    .select(['fulfillment_order_id', 'exchange_number', 'exchange_line'])
    .where('client_id', '=', clientId)
    .where('store_id', '=', storeId)
    .where('exchange_number', 'in', dialect.listOf(numbers, 'text'))
    .execute();
  const byNumber = Map.groupBy(served, (row) => row.exchange_number);
  return new Map(
    rows.map((row) => {
      const own = byNumber.get(row.number) ?? [];
      const lines = new Map(own.map((one) => [one.exchange_line!, one.fulfillment_order_id]));
      return [row.number, { wishes: readJson(row.exchanges), served: lines }];
    }),
  );
}

/**
 * Adds an error if the return does not request an exchange of the line. Returns the id of another order that already
 * serves the line; undefined if there is none.
 */
export function exchangeError(
  { exchangeOf, fulfillmentOrderId = '' }: ValidPart<OrderIntake>,
  exchanges: Map<string, Exchanges>,
  errors: FieldErrorSink,
): string | undefined {
  const { returnNumber, line } = exchangeOf ?? {};
  if (returnNumber === undefined || line === undefined) return undefined;
  const found = exchanges.get(returnNumber);
  if (found === undefined || !found.wishes.some((wish) => wish.line === line)) {
    const what =
      found === undefined
        ? `the store has no return ${quote(returnNumber)}`
        : `the return has no request for an exchange of line ${line}`;
    errors.add(
      '/exchangeOf',
      'exchange',
      inEnglish(`${what}; send the number and a line of an event exchange.requested`),
    );
    return undefined;
  }
  const other = found.served.get(line);
  if (other !== undefined && other !== fulfillmentOrderId) return other;
  // This order now serves the line, so a further order of the same call for the line is rejected too.
  if (errors.isClean()) {
    exchanges.set(returnNumber, { ...found, served: new Map(found.served).set(line, fulfillmentOrderId) });
  }
  return undefined;
}

/** Returns the sentence for an exchange order if another order already serves its line of the return. */
export function servedBy(other: string, { exchangeOf }: OrderIntake): string {
  const { returnNumber, line } = exchangeOf!;
  return `Order ${quote(other)} is the exchange for line ${line} of return ${quote(returnNumber)} already`;
}
