/** What decides what may be done with an order, read from its rows: the same wherever it is answered. */
import type { ReadCtx } from '../platform/ctx.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { FulfillmentType } from '../shared/client-settings.ts';
import type { ActionContext } from './allowed.ts';
import { findLines } from './orders.ts';
import { stateOf } from './position.ts';
import { findRequested } from './requests.ts';
import { heldUntil } from './street-date.ts';
import { findTicketIds } from './ticket-of-order.ts';
import { NOTHING_REQUESTED, unitsOf } from './units.ts';

/** Facts of an order; its lines are read unless the caller has them. */
export async function actionContextOf(
  ctx: Pick<ReadCtx, 'db' | 'dialect' | 'now'>,
  order: FulfillmentOrderRow,
  known?: readonly OrderLineRow[],
): Promise<ActionContext> {
  const lines = known ?? (await findLines(ctx, order.client_id, [order.fulfillment_order_id]));
  const type = order.fulfillment_type as FulfillmentType;
  // Declined units of other types have no re-source request.
  const requested = type === 'SHIP_TO_HOME' ? await findRequested(ctx.db, order) : NOTHING_REQUESTED;
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
