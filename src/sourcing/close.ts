/** Closing re-source requests whose units nobody wants any more. */
import type { Ctx } from '../ctx.ts';
import type { Effect } from '../events.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';

/** Closes the open requests of a locked order as canceled, before it is settled; answers what happened. */
export async function closeRequests(ctx: Ctx, order: FulfillmentOrderRow, reasonCode: string): Promise<Effect[]> {
  const closed = await ctx.db
    .updateTable('resource_requests')
    .set((eb) => ({ status: 'CANCELED', answered_at: ctx.now, revision: eb('revision', '+', 1) }))
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .where('status', '=', 'OPEN')
    .returning(['request_id', 'revision'])
    .execute();
  return closed
    .sort((a, b) => (a.request_id < b.request_id ? -1 : 1))
    .map((request) => ({
      clientId: order.client_id,
      type: 'resource.answered',
      resource: 'resourceRequest',
      resourceId: request.request_id,
      revision: request.revision,
      data: { fulfillmentOrderId: order.fulfillment_order_id, outcome: 'CANCEL', by: 'CUSTOMER', reasonCode },
    }));
}
