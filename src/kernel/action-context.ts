/** Reads the facts of an order that decide its allowed actions. All operations use this one function. */
import type { ReadCtx } from '../platform/ctx.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { FulfillmentType } from '../shared/client-settings.ts';
import type { ActionContext } from './allowed.ts';
import { findLines } from './orders.ts';
import { stateOf } from './position.ts';
import { findRequested } from './requests.ts';
import { heldUntil } from './street-date.ts';
import { findTicketIds } from './tickets/of-order.ts';
import { unitsOf } from './units.ts';

/** Returns the facts of an order. A caller that has already read the lines of the order passes them as `known`. */
export async function actionContextOf(
  ctx: Pick<ReadCtx, 'db' | 'dialect' | 'now'>,
  order: FulfillmentOrderRow,
  known?: readonly OrderLineRow[],
): Promise<ActionContext> {
  const lines = known ?? (await findLines(ctx, order.client_id, [order.fulfillment_order_id]));
  const type = order.fulfillment_type as FulfillmentType;
  const requested = await findRequested(ctx.db, order, lines);
  const open = await findTicketIds(ctx, [order]);
  return {
    type,
    status: stateOf(order),
    units: unitsOf(lines, requested),
    pickTicketId: open.get(order.fulfillment_order_id) ?? null,
    ...heldUntil(order),
    pinLockedUntil: order.pin_locked_until,
    now: ctx.now,
  };
}
