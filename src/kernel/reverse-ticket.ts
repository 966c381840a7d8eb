/**
 * Reverse pick tickets: they bring picked units that nobody wants any more back to their shelf. One order a ticket; its
 * units are `canceling` until the CONFIRM makes them `returned`, or `missing` where they were not found.
 */

import type { Effect } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { FulfillmentOrderRow, PickTicketRow } from '../platform/storage/tables.ts';
import type { FulfillmentType } from '../shared/client-settings.ts';
import { type NodeSettings, slaOf } from '../sla/engine.ts';
import { mergeLines } from './merge-lines.ts';
import { findFeed, itemRow, lineRows, nextPickTicketId, partOfTicket, pickLocations } from './new-ticket.ts';
import type { Returning } from './plan.ts';
import { REVERSE_PICK_QUEUE } from './states.ts';
import { insertTicket } from './tickets.ts';

/** Hold location where none is known: of a node without any (docs/interface.md#generate-a-pick-ticket), of goods that were never given one. */
export const NO_HOLD_LOCATION = 'STAGING';

/**
 * Makes the ticket that brings units of a locked order back: NEW, of nobody, on the reverse pick queue. Its hold location is
 * where the goods are. Returns its id and what happened, for the caller to record.
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
  const items = mergeLines(
    returning.map(({ line, quantity }) => partOfTicket(line, quantity)),
    pickLocations(feed),
  );
  const { expiredAt } = slaOf(settings, order.fulfillment_type as FulfillmentType, 'REVERSE_PICK', ctx.now);
  const ticket: PickTicketRow = {
    client_id: clientId,
    pick_ticket_id: await nextPickTicketId(ctx, clientId),
    store_id: order.store_id,
    node_id: order.node_id,
    queue_id: settings.queueIds[REVERSE_PICK_QUEUE] ?? REVERSE_PICK_QUEUE,
    user_id: '',
    status: 'NEW',
    outcome: null,
    revision: 1,
    fulfillment_type: order.fulfillment_type,
    currency: order.currency,
    hold_location: order.hold_location ?? NO_HOLD_LOCATION,
    pick_ticket_date: ctx.now,
    pick_sla_date: expiredAt,
    total_fulfillment_orders: 1,
    total_skus: new Set(items.map((item) => item.itemId)).size,
    total_quantity: items.reduce((sum, item) => sum + item.quantity, 0),
    confirmation_hash: null,
    closed_at: null,
    confirmed_by: null,
    picked_lines: null,
    picked_units: null,
    short_units: null,
    pick_ticket_type: 'REVERSE_PICK_TICKET',
    lease_at: null,
    fulfillment_order_id: order.fulfillment_order_id,
  };
  await insertTicket(
    ctx,
    ticket,
    items.map((item) => itemRow(ticket, item, feed.get(item.itemId))),
    items.flatMap((item) => lineRows(ticket, item)),
  );
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
