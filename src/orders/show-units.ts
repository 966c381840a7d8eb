/** An order as the operations that move its units answer it. */
import type { ReadCtx } from '../ctx.ts';
import { factsOf } from '../kernel/action-context.ts';
import { orderActions } from '../kernel/allowed.ts';
import { findLines, findOrder } from '../kernel/orders.ts';
import { statusOf } from '../kernel/status.ts';
import { heldUnits, leftUnits, openUnits } from '../kernel/units.ts';
import { findRequests } from '../sourcing/store.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import type { OrderUnits } from './cancel-schema.ts';

type Key = Pick<FulfillmentOrderRow, 'client_id' | 'store_id' | 'fulfillment_order_id'>;

/** Where the units of an order are now, and what may be done next. */
export async function showUnits(ctx: ReadCtx, settings: Settings, key: Key): Promise<OrderUnits> {
  const order = (await findOrder(ctx.db, key.client_id, key.store_id, key.fulfillment_order_id))!;
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  const requests = await findRequests(ctx.db, order);
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    ...statusOf(settings, order.status),
    ...(order.queue_id !== null && { queueId: order.queue_id }),
    lines: lines.map((line) => ({
      webLineId: line.web_line_id,
      itemId: line.item_id,
      orderedQuantity: line.ordered,
      openQuantity: openUnits(line),
      heldQuantity: heldUnits(line),
      cancelingQuantity: line.canceling,
      canceledQuantity: line.canceled,
      declinedQuantity: line.declined,
      handedOverQuantity: line.handed_over,
      refusedQuantity: line.refused,
      returnedQuantity: line.returned,
      missingQuantity: line.missing,
      leftQuantity: leftUnits(line),
    })),
    resourceRequestIds: requests.filter(({ status }) => status === 'OPEN').map((request) => request.request_id),
    allowedActions: orderActions(await factsOf(ctx, order, lines), settings),
  };
}
