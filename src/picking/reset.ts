/**
 * RESET of a pick ticket: it is closed and its orders are as they were before it (docs/interface.md#reset), but for what their customers
 * canceled meanwhile. A reverse ticket is given back instead: its units still have to go to their shelf.
 */
import type { Ctx } from '../ctx.ts';
import { recordAll } from '../events.ts';
import { conflict } from '../http/errors.ts';
import { statusOf } from '../orders/status.ts';
import { withdrawCanceled } from '../orders/withdraw.ts';
import type { PickTicketRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import { OPEN_STATE, releaseOrders } from './claim.ts';
import { giveBack } from './reverse.ts';
import { closeTicket } from './store.ts';

const CHANGED = 'The ticket was changed by another request at the same time; nothing was changed. Try again.';

/** Closes an open ticket as reset and gives its orders back; of a reverse ticket gives back the ticket. */
export async function resetTicket(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  by: { userId: string; modifyAssociateId: string },
): Promise<void> {
  if (ticket.pick_ticket_type === 'REVERSE_PICK_TICKET') return giveBack(ctx, ticket, by);
  if (!(await closeTicket(ctx, ticket, { outcome: 'RESET' }))) throw conflict(CHANGED);
  const orders = await releaseOrders(ctx, settings, ticket.client_id, ticket.pick_ticket_id);
  if (orders.length !== ticket.total_fulfillment_orders) throw conflict(CHANGED);
  const common = { pickTicketId: ticket.pick_ticket_id, ...by };
  const ids = orders.map((order) => order.fulfillment_order_id);
  const canceled = await withdrawCanceled(ctx, settings, ticket.client_id, ids);
  await recordAll(ctx, [
    {
      clientId: ticket.client_id,
      type: 'pickTicket.reset',
      resource: 'pickTicket',
      resourceId: ticket.pick_ticket_id,
      revision: ticket.revision + 1,
      data: { ...by, generatedFor: ticket.user_id },
    },
    ...orders.map((order) => ({
      clientId: ticket.client_id,
      type: 'order.pickReset',
      resource: 'order' as const,
      resourceId: order.fulfillment_order_id,
      revision: order.revision,
      data: { ...common, ...statusOf(settings, OPEN_STATE) },
    })),
    ...canceled,
  ]);
}
