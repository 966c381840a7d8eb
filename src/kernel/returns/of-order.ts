/** The fields about returns in the response of an order. */
import type { ReadCtx } from '../../platform/ctx.ts';
import { dateTime, identifier, integer, list, object, oneOf, Type } from '../../platform/schema.ts';
import type { FulfillmentOrderRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import { RETURN_STATES } from '../../shared/return-states.ts';
import { returnableUntil } from './eligibility.ts';
import { findReturnSettings, readFacts, selectReturnsOf } from './subject.ts';

const MANY = 10_000_000;

/** Fields of an order about its returns. */
export const returnMembers = {
  returns: list(
    object({
      number: identifier(40, { description: 'Number of the return in the store' }),
      returnId: identifier(64, { description: 'Id of the return, assigned by the service' }),
      state: oneOf(RETURN_STATES, { description: 'State of the return' }),
    }),
    { max: MANY },
    { description: 'Returns with units of the order, oldest first; empty if there are none' },
  ),
  returnableUntil: Type.Optional(
    dateTime({ description: 'Last instant at which a unit can be returned. Present only if units were handed over' }),
  ),
  exchangeOf: Type.Optional(
    object(
      {
        returnNumber: identifier(40, { description: 'Number of the return' }),
        line: integer(1, 1_000_000, { description: 'Line of the return' }),
      },
      { description: 'The line of a return for which the order is the exchange' },
    ),
  ),
};

/** Returns the fields of an order about its returns. */
export async function returnsOfOrder(ctx: ReadCtx, order: FulfillmentOrderRow) {
  const { client_id: clientId, store_id: storeId, fulfillment_order_id: orderId } = order;
  const rows = await selectReturnsOf(ctx.db, clientId, orderId)
    .select(['number', 'return_id', 'status'])
    .orderBy('created_at')
    .orderBy('return_id')
    .execute();
  const facts = (await readFacts(ctx, clientId, [order])).get(orderId)!;
  const { settings } = await findReturnSettings(ctx.db, { clientId, storeId });
  const until = returnableUntil(facts, settings);
  const { exchange_number: number, exchange_line: line } = order;
  return {
    returns: rows.map((row) => ({ number: row.number, returnId: row.return_id, state: row.status })),
    ...(until !== undefined && { returnableUntil: formatDateTime(until) }),
    ...(number !== null && line !== null && { exchangeOf: { returnNumber: number, line } }),
  };
}
