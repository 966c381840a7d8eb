/**
 * A reverse pick ticket returns picked units to their shelf after they were canceled. It belongs to one order. Its
 * units are `canceling` until the CONFIRM makes them `returned`, or `missing` if they were not found.
 */

import type { Effect } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { FulfillmentOrderRow } from '../../platform/storage/tables.ts';
import type { FulfillmentType } from '../../shared/client-settings.ts';
import { type NodeSettings, slaOf } from '../../sla/engine.ts';
import type { Returning } from '../plan.ts';
import { withPresentCodes } from '../present-codes.ts';
import { REVERSE_PICK_QUEUE } from '../states.ts';
import { mergeLines } from './merge-lines.ts';
import { findFeed, newTicket, nextPickTicketId, partOfTicket, pickLocations, saveNewTicket } from './new-ticket.ts';

/**
 * Hold location for nodes without hold locations (docs/interface.md#generate-a-pick-ticket), and for goods that never
 * had a hold location.
 */
export const NO_HOLD_LOCATION = 'STAGING';

/**
 * Creates the reverse ticket for units of a locked order: NEW, without a user, on the reverse pick queue, with the hold
 * location of the goods. Returns its id, and its event for the caller to record.
 */
export async function insertReverseTicket(
  ctx: Ctx,
  settings: NodeSettings,
  order: FulfillmentOrderRow,
  returning: readonly Returning[],
): Promise<{ pickTicketId: string; effect: Effect }> {
  const clientId = order.client_id;
  const feed = await findFeed(
    ctx,
    order,
    returning.map(({ line }) => line),
  );
  const merged = mergeLines(
    returning.map(({ line, quantity }) => partOfTicket(line, quantity)),
    pickLocations(feed),
  );
  const items = await withPresentCodes(ctx, clientId, [order], merged);
  const { expiredAt } = slaOf(settings, order.fulfillment_type as FulfillmentType, 'REVERSE_PICK', ctx.now);
  const ticket = newTicket(order, items, {
    pick_ticket_id: await nextPickTicketId(ctx, clientId),
    pick_ticket_type: 'REVERSE_PICK_TICKET',
    queue_id: settings.queueIds[REVERSE_PICK_QUEUE] ?? REVERSE_PICK_QUEUE,
    user_id: '',
    hold_location: order.hold_location ?? NO_HOLD_LOCATION,
    pick_ticket_date: ctx.now,
    pick_sla_date: expiredAt,
    total_fulfillment_orders: 1,
    fulfillment_order_id: order.fulfillment_order_id,
  });
  await saveNewTicket(ctx, ticket, items, feed);
  const effect = {
    clientId,
    type: 'pickTicket.reverseGenerated' as const,
    resource: 'pickTicket' as const,
    resourceId: ticket.pick_ticket_id,
    revision: ticket.revision,
    data: {
      fulfillmentOrderId: order.fulfillment_order_id,
      queueId: ticket.queue_id,
      holdLocation: ticket.hold_location,
      totalQuantity: ticket.total_quantity,
    },
  };
  return { pickTicketId: ticket.pick_ticket_id, effect };
}
