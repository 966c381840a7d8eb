import { recordAll } from '../events/record.ts';
import { actionContextOf } from '../kernel/action-context.ts';
import { claimCommand } from '../kernel/commands.ts';
import { noOrder, takeOrder } from '../kernel/message-lines.ts';
import { OrderUnits, showUnits } from '../kernel/order-units.ts';
import { nameOf } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { findReverseTicketIds } from '../kernel/ticket-of-order.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { blockOfChange } from './change-rules.ts';
import { OrderMove } from './change-schema.ts';
import { changeContextOf } from './read.ts';

export const moveFulfillmentOrder = writeOperation({
  id: 'moveFulfillmentOrder',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/move',
  auth: 'operatorOrApiKey',
  group: 'fulfillment',
  permission: 'fulfillment.write',
  repeat: 'same',
  summary: 'Say where the held goods of an order lie now',
  description:
    'The goods of an order that lie in the store (waiting for pack, pickup or delivery, or to be brought back) were put into another ' +
    'place. Every read and search shows it from then on, and open reverse pick tickets of the order name it. With `from` the ' +
    'order must be there still: of two who move it at once, the second learns where it is. Moving goods to where they are ' +
    'changes nothing. The same moveId with the same content changes nothing; with other content it is 409.',
  body: OrderMove,
  replies: { 200: { description: 'Moved, or moved before: where the units are', schema: OrderUnits } },
  refusals: {
    404: 'There is no such store or order.',
    409: 'No goods of it lie in the store, they are not at `from`, the moveId was used otherwise, or the first request with this Idempotency-Key is still running.',
  },
  errors: 'problem',
  async handle(ctx, { params, body, clientId, store }) {
    const orderId = params.fulfillmentOrderId;
    const taken = await takeOrder(ctx, { clientId, storeId: store.store_id, orderId });
    if (taken === undefined) throw noOrder(orderId, store.store_id);
    const { order, lines } = taken;
    const settings = await findSettings(ctx.db, clientId);
    const { moveId, userId, holdLocation, from } = body;
    const key = { clientId, scope: `move:${orderId}`, commandId: moveId };
    if ((await claimCommand(ctx, key, body, 'moveId')) !== undefined) {
      return reply(200, await showUnits(ctx, settings, order));
    }
    const facts = changeContextOf(order, await actionContextOf(ctx, order, lines), []);
    const block = blockOfChange(facts, 'holdLocation', settings);
    if (block !== undefined) {
      throw conflict(`${nameOf(order)} has no goods to move: ${block}.`, { orderStatus: String(order.status) });
    }
    if (from !== undefined && from !== order.hold_location) throw elsewhere(order, from);
    if (holdLocation !== order.hold_location) {
      await advanceOrder(ctx, settings, { order, lines, action: { type: 'move', moveId, userId, holdLocation } });
      await moveTickets(ctx, order, userId, holdLocation);
    }
    return reply(200, await showUnits(ctx, settings, order));
  },
});

function elsewhere(order: FulfillmentOrderRow, from: string) {
  const there = order.hold_location === null ? 'nowhere that is known' : JSON.stringify(order.hold_location);
  return conflict(`${nameOf(order)} has its goods at ${there}, not at ${JSON.stringify(from)}; nothing was moved.`, {
    ...(order.hold_location !== null && { holdLocation: order.hold_location }),
  });
}

/** Open tickets that bring units of the order back fetch them from there. */
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
