/**
 * RESET of a pick ticket: it is closed and its orders are as they were before it, but for what their customers canceled
 * meanwhile. A reverse ticket is released instead: its units still have to go to their shelf.
 */

import { lockOrdersOfTicket } from '../kernel/orders.ts';
import { closeTicket } from '../kernel/tickets.ts';
import { advanceOrders } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { PickTicketRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { changedMeanwhile } from './lifecycle.ts';
import { releaseTicket } from './reverse.ts';

/** Closes an open ticket as reset and moves its orders back to their queue; of a reverse ticket releases the ticket. */
export async function resetTicket(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  by: { userId: string; modifyAssociateId: string },
): Promise<void> {
  if (ticket.pick_ticket_type === 'REVERSE_PICK_TICKET') return releaseTicket(ctx, ticket, by);
  if (!(await closeTicket(ctx, ticket, { outcome: 'RESET' }))) throw changedMeanwhile();
  const pickTicketId = ticket.pick_ticket_id;
  const orders = await lockOrdersOfTicket(ctx, ticket.client_id, pickTicketId);
  if (orders.length !== ticket.total_fulfillment_orders) throw changedMeanwhile();
  const action = { type: 'reset' as const, pickTicketId, ...by };
  await advanceOrders(
    ctx,
    settings,
    orders.map((order) => ({ order, action })),
    [
      {
        clientId: ticket.client_id,
        type: 'pickTicket.reset',
        resource: 'pickTicket',
        resourceId: pickTicketId,
        revision: ticket.revision + 1,
        data: { ...by, generatedFor: ticket.user_id },
      },
    ],
  );
}
