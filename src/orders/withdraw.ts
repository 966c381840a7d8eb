/** What customers canceled while their orders were being picked takes effect when the orders are given back. */
import type { Ctx } from '../ctx.ts';
import type { Effect } from '../events.ts';
import type { Settings } from '../values.ts';
import { saveUnits, settleOrder } from './settle.ts';
import { statusOf } from './status.ts';
import { findLines, lockOrders } from './store.ts';
import { NOTHING_REQUESTED } from './units.ts';

/**
 * Cancels, in orders that wait for pick again, the units that are `canceling`; an order of which none is left ends. Answers
 * what happened.
 */
export async function withdrawCanceled(
  ctx: Ctx,
  settings: Settings,
  clientId: string,
  orderIds: readonly string[],
): Promise<Effect[]> {
  const marked = await ctx.db
    .selectFrom('order_lines')
    .select('fulfillment_order_id')
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
    .where('canceling', '>', 0)
    .groupBy('fulfillment_order_id')
    .execute();
  if (marked.length === 0) return [];
  const ids = marked.map((row) => row.fulfillment_order_id);
  const orders = await lockOrders(ctx, clientId, ids);
  const before = await findLines(ctx, clientId, ids);
  const after = before.map((line) => ({ ...line, canceled: line.canceled + line.canceling, canceling: 0 }));
  await saveUnits(ctx, clientId, after);
  const effects: Effect[] = [];
  for (const order of orders) {
    const isOwn = (line: { fulfillment_order_id: string }) => line.fulfillment_order_id === order.fulfillment_order_id;
    const settled = await settleOrder(ctx, settings, order, 'cancel', after.filter(isOwn), {
      requested: NOTHING_REQUESTED,
    });
    const canceledQuantity = before.filter(isOwn).reduce((sum, line) => sum + line.canceling, 0);
    effects.push({
      clientId,
      type: 'order.canceled',
      resource: 'order',
      resourceId: order.fulfillment_order_id,
      revision: settled.revision,
      data: { ...statusOf(settings, settled.standing.status), canceledQuantity },
    });
  }
  return effects;
}
