/** The ticket of an order: its pick ticket, or in state 8000 the reverse ticket that brings its goods back. */
import { sql } from 'kysely';
import type { ReadCtx } from '../../platform/ctx.ts';
import type { BoundText } from '../../platform/storage/dialect.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { FulfillmentOrderRow } from '../../platform/storage/tables.ts';
import { State } from '../states.ts';

type Ctx = Pick<ReadCtx, 'db' | 'dialect'>;

/** Returns the open reverse tickets of several orders of the client, by order id, the oldest first. */
export async function findReverseTicketIds(
  ctx: Ctx,
  clientId: string,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (orderIds.length === 0) return found;
  for (const { orderId, ticketId } of await selectReverse(ctx.db, { clientId, ids: ctx.dialect.listText(orderIds) })) {
    found.set(orderId!, [...(found.get(orderId!) ?? []), ticketId]);
  }
  return found;
}

const selectReverse = statement((db, { clientId, ids }: { clientId: string; ids: BoundText }, dialect) =>
  db
    .selectFrom('pick_tickets')
    .select(['fulfillment_order_id as orderId', 'pick_ticket_id as ticketId'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf<string>(ids, 'text'))
    // The literal is the condition of the index `pick_tickets_reverse`.
    .where(sql<boolean>`status <> 'CLOSED'`)
    .orderBy('pick_ticket_date')
    .orderBy('pick_ticket_id'),
);

type Placed = Pick<FulfillmentOrderRow, 'client_id' | 'fulfillment_order_id' | 'status' | 'pick_ticket_id'>;

/** Returns the tickets of orders of one client, by order id. An order without a ticket has no entry. */
export async function findTicketIds(ctx: Ctx, orders: readonly Placed[]): Promise<Map<string, string>> {
  const returning = orders.filter((order) => order.status === State.GOODS_TO_RETURN);
  const [first] = returning;
  const reverse = await findReverseTicketIds(
    ctx,
    first?.client_id ?? '',
    returning.map((order) => order.fulfillment_order_id),
  );
  return new Map(
    orders.flatMap((order): [string, string][] => {
      const id = order.fulfillment_order_id;
      const ticketId = order.status === State.GOODS_TO_RETURN ? reverse.get(id)?.[0] : order.pick_ticket_id;
      return ticketId == null ? [] : [[id, ticketId]];
    }),
  );
}
