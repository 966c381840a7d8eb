/** Picked units that nobody wants any more: they are marked, and a reverse pick ticket brings them back. */
import type { Ctx } from '../ctx.ts';
import { record } from '../events.ts';
import { settleFewer } from '../packing/fewer.ts';
import { makeReverseTicket, type Returning } from '../picking/reverse.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import { ORDER_TRANSITIONS } from './lifecycle.ts';
import { saveUnits } from './settle.ts';
import { findLines, findSettings, lockOrders, stateOf } from './store.ts';
import { leftUnits } from './units.ts';

/**
 * Marks `units` wanted units (by line index) of a locked order as canceled for a reason and makes the ticket that brings them
 * back. `effect` is what happened; the ticket and the order's state are added.
 */
export async function sendBack(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  wish: { units: ReadonlyMap<number, number>; reasonCode: string; action: 'cancel' | 'expire' },
  effect: { type: string; data: Record<string, unknown> },
): Promise<void> {
  const after = lines.map((line) => {
    const quantity = wish.units.get(line.line_index) ?? 0;
    return quantity === 0 ? line : { ...line, canceling: line.canceling + quantity, cancel_reason: wish.reasonCode };
  });
  const returning: Returning[] = after
    .filter((line) => wish.units.has(line.line_index))
    .map((line) => ({ line, quantity: wish.units.get(line.line_index)! }));
  await saveUnits(
    ctx,
    order.client_id,
    returning.map(({ line }) => line),
  );
  const reverse = await makeReverseTicket(ctx, settings, order, returning);
  await record(ctx, reverse.effect);
  const data = { ...effect.data, reversePickTicketId: reverse.pickTicketId };
  await settleFewer(ctx, settings, order, wish.action, after, { ...effect, data });
}

const ABANDONED = 'CancelMXCustomerAbandon';

/**
 * Nobody came for an order: all that is held for its customer is canceled (CancelMXCustomerAbandon) and brought back by a
 * reverse pick ticket. For the scheduler. Answers whether this call did it: false where the order is in another state now,
 * or nothing of it is wanted.
 */
export async function expireOrder(
  ctx: Ctx,
  key: Pick<FulfillmentOrderRow, 'client_id' | 'fulfillment_order_id'>,
): Promise<boolean> {
  const [order] = await lockOrders(ctx, key.client_id, [key.fulfillment_order_id]);
  if (order === undefined || ORDER_TRANSITIONS[stateOf(order)].expire === 'refused') return false;
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  const wanted = lines.filter((line) => leftUnits(line) > 0);
  if (wanted.length === 0) return false;
  const settings = await findSettings(ctx.db, order.client_id);
  const units = new Map(wanted.map((line) => [line.line_index, leftUnits(line)]));
  const expiredQuantity = [...units.values()].reduce((sum, one) => sum + one, 0);
  await sendBack(
    ctx,
    settings,
    order,
    lines,
    { units, reasonCode: ABANDONED, action: 'expire' },
    { type: 'order.expired', data: { reasonCode: ABANDONED, expiredQuantity } },
  );
  return true;
}
