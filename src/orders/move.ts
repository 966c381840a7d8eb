import { sql } from 'kysely';
import { recordAll } from '../events/record.ts';
import { actionContextOf } from '../kernel/action-context.ts';
import { claimCommand, scopeOf } from '../kernel/commands.ts';
import { noOrder, takeOrder } from '../kernel/message-lines.ts';
import { OrderUnits, replyUnits } from '../kernel/order-units.ts';
import { nameOf } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { findReverseTicketIds } from '../kernel/tickets/of-order.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { requireRevision } from '../platform/http/if-match.ts';
import { writeOperation } from '../platform/http/operation.ts';
import type { FulfillmentOrderRow, StoreRow } from '../platform/storage/tables.ts';
import { textWithoutIndex } from '../platform/storage/without-index.ts';
import { blockOfChange } from './change-rules.ts';
import { OrderMove } from './change-schema.ts';
import { say } from './sentences.ts';
import { changeContextOf } from './show-order.ts';

export const moveFulfillmentOrder = writeOperation({
  id: 'moveFulfillmentOrder',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/move',
  summary: 'Record a new location of the held goods of an order',
  description:
    'Records that the held goods of an order were moved within the store. The goods wait for pack, pickup or delivery, or must be brought back to the shelf. Reads, searches and open reverse pick tickets of the order then show the new location.\n\n' +
    '- If you send `from`, the goods must still be at this location. If they are elsewhere, the response is 409 with their location. If two people ' +
    'move the goods at the same time, the second gets this response.\n' +
    '- Moving goods to their current location changes nothing.\n' +
    '- The same moveId with the same content changes nothing; other content gets 409.',
  events: ['order.moved', 'pickTicket.moved'],
  access: { auth: 'operatorOrApiKey', group: 'fulfillment', permission: 'fulfillment.write' },
  message: {
    body: OrderMove,
    replies: {
      200: {
        description: 'The goods are moved, by this request or an earlier one; the response has the counts of all units',
        schema: OrderUnits,
      },
    },
    refusals: {
      404: 'There is no such store or order.',
      409: 'No goods of the order are in the store, they are not at `from`, the moveId was used with other content, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
    hasRevision: true,
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params, body, clientId, store }) {
      const orderId = params.fulfillmentOrderId;
      await lockReverseTickets(ctx, store, orderId);
      const taken = await takeOrder(ctx, { clientId, storeId: store.store_id, orderId });
      if (taken === undefined) throw noOrder(orderId, store.store_id);
      const { order, lines } = taken;
      const settings = await findSettings(ctx.db, clientId);
      const { moveId, userId, holdLocation, from } = body;
      const key = { clientId, scope: scopeOf('move', orderId), commandId: moveId };
      if ((await claimCommand(ctx, key, body, 'moveId')) !== undefined) {
        return replyUnits(ctx, settings, order);
      }
      requireRevision(ctx, order.revision);
      const facts = changeContextOf(order, await actionContextOf(ctx, order, lines), []);
      const block = blockOfChange(facts, 'holdLocation', settings);
      if (block !== undefined) {
        throw conflict(say('{order} has no goods to move: {block}.', { order: nameOf(order), block }), {
          orderStatus: String(order.status),
        });
      }
      if (from !== undefined && from !== order.hold_location) throw elsewhere(order, from);
      if (holdLocation !== order.hold_location) {
        await advanceOrder(ctx, settings, { order, lines, action: { type: 'move', moveId, userId, holdLocation } });
        await moveTickets(ctx, order, userId, holdLocation);
      }
      return replyUnits(ctx, settings, order);
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/{orders.ready}/move',
    body: { moveId: 'phone-7-0002', userId: 'UserId001', holdLocation: 'B2' },
  },
});

function elsewhere(order: FulfillmentOrderRow, from: string) {
  const there = order.hold_location === null ? say('an unknown location') : JSON.stringify(order.hold_location);
  return conflict(
    say(
      '{order} is at {there}, not at {from}; nothing was moved. Check where the goods are, then send the request again without `from`.',
      {
        order: nameOf(order),
        there,
        from: JSON.stringify(from),
      },
    ),
    {
      ...(order.hold_location !== null && { holdLocation: order.hold_location }),
    },
  );
}

/**
 * Locks the order's open reverse pick tickets. A write locks tickets before orders, otherwise two writes can deadlock.
 */
async function lockReverseTickets(ctx: Ctx, store: StoreRow, orderId: string): Promise<void> {
  await ctx.db
    .selectFrom('pick_tickets')
    .select('pick_ticket_id')
    .where('client_id', '=', store.client_id)
    .where('store_id', '=', store.store_id)
    .where('fulfillment_order_id', '=', orderId)
    .where(sql<boolean>`status <> 'CLOSED'`)
    .orderBy(textWithoutIndex('pick_ticket_id'))
    .modifyEnd(ctx.dialect.forNoKeyUpdate)
    .execute();
}

/** Updates the hold location of the order's open reverse pick tickets. */
async function moveTickets(ctx: Ctx, order: FulfillmentOrderRow, userId: string, holdLocation: string): Promise<void> {
  const { client_id: clientId, fulfillment_order_id: orderId } = order;
  const open = (await findReverseTicketIds(ctx, clientId, [orderId])).get(orderId) ?? [];
  if (open.length === 0) return;
  const before = await ctx.db
    .selectFrom('pick_tickets')
    .select(['pick_ticket_id', 'hold_location'])
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', 'in', ctx.dialect.listOf(open, 'text'))
    .execute();
  const places = new Map(before.map((ticket) => [ticket.pick_ticket_id, ticket.hold_location]));
  const moved = await ctx.db
    .updateTable('pick_tickets')
    .set((eb) => ({ hold_location: holdLocation, revision: eb('revision', '+', 1) }))
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', 'in', ctx.dialect.listOf(open, 'text'))
    .where('status', '<>', 'CLOSED')
    .where('hold_location', '<>', holdLocation)
    .returning(['pick_ticket_id', 'revision'])
    .execute();
  const effects = moved
    .sort((a, b) => (a.pick_ticket_id < b.pick_ticket_id ? -1 : 1))
    .map((ticket) => ({
      clientId,
      type: 'pickTicket.moved' as const,
      resource: 'pickTicket' as const,
      resourceId: ticket.pick_ticket_id,
      revision: ticket.revision,
      data: { userId, from: places.get(ticket.pick_ticket_id)!, holdLocation },
    }));
  await recordAll(ctx, effects);
}
