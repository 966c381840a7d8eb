/** Expiry of orders that the customer did not collect. */

import { findLines, lockOrders } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { leftUnits } from '../kernel/units.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';

/**
 * Expires an order, for the scheduler: cancels all units held for the customer (CancelMXCustomerAbandon) and creates a
 * reverse pick ticket for them. Returns false if the state of the order no longer allows this, or if the order has no
 * remaining units.
 */
export async function expireOrder(
  ctx: Ctx,
  key: Pick<FulfillmentOrderRow, 'client_id' | 'fulfillment_order_id'>,
): Promise<boolean> {
  const [order] = await lockOrders(ctx, key.client_id, [key.fulfillment_order_id]);
  if (order === undefined || !isAllowed(order, 'expire')) return false;
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  if (lines.every((line) => leftUnits(line) === 0)) return false;
  const settings = await findSettings(ctx.db, order.client_id);
  await advanceOrder(ctx, settings, { order, lines, action: { type: 'expire' } });
  return true;
}
