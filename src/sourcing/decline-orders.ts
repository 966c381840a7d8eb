import { claimCommand, keepReply, releaseCommand } from '../kernel/commands.ts';
import { checkReasonCode } from '../kernel/message-lines.ts';
import { findLines, lockOrders } from '../kernel/orders.ts';
import { nameOf } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { leftUnits } from '../kernel/units.ts';
import { advanceOrders, type Step } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { parseJson } from '../platform/message/json.ts';
import { quote } from '../platform/message/words.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { OrdersDecline, OrdersDeclined } from './schema.ts';

export const declineOrders = writeOperation({
  id: 'declineOrders',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/decline',
  auth: 'operatorOrApiKey',
  group: 'supervise',
  permission: 'decline',
  repeat: 'same',
  summary: 'Decline orders that the node cannot pick',
  description:
    'Every wanted unit of orders that wait for pick (1100) is declined, for one reason: the node is flooded, short of people, or closed. ' +
    'SHIP_TO_HOME orders are returned for re-sourcing (9100), each with a re-source request; the others are canceled (9000). The ' +
    'node’s declinePolicy holds the items. Each order is answered for: one that is on a pick ticket, has gone on, or is not of this ' +
    'node is refused and the others are declined all the same, in one transaction. The same declineId with the same content ' +
    'answers as it did then and changes nothing; with other content it is 409.',
  body: OrdersDecline,
  replies: { 200: { description: 'What became of each order', schema: OrdersDeclined } },
  refusals: {
    404: 'There is no such client or node.',
    409: 'The declineId was used otherwise, or the first request with this Idempotency-Key is still running.',
  },
  errors: 'problem',
  async rules(ctx, { body, clientId }, errors) {
    const settings = await findSettings(ctx.db, clientId);
    checkReasonCode(errors, '/reasonCode', body.reasonCode, settings);
    const seen = new Set<string>();
    for (const [index, orderId] of (body.fulfillmentOrderIds ?? []).entries()) {
      if (orderId === undefined) continue;
      if (seen.has(orderId)) {
        const message = `order ${quote(orderId)} stands twice; name it once`;
        errors.add(`/fulfillmentOrderIds/${index}`, 'duplicate', message);
      }
      seen.add(orderId);
    }
    return { settings };
  },
  async handle(ctx, { params: { nodeId }, body, clientId, found: { settings } }) {
    const key = { clientId, scope: `decline:${nodeId}`, commandId: body.declineId };
    const before = await claimCommand(ctx, key, body, 'declineId');
    if (before !== undefined) return reply(200, parseJson(before.reply!));
    const answer = await decline(ctx, settings, { clientId, nodeId }, body);
    // Where nothing was declined the id stays free: a caller without the orders’ store must not use it up for who has it.
    await (answer.declined.length > 0 ? keepReply(ctx, key, answer) : releaseCommand(ctx, key));
    return reply(200, answer);
  },
});

type Refused = OrdersDeclined['refused'][number];

async function decline(
  ctx: Ctx,
  settings: Settings,
  { clientId, nodeId }: { clientId: string; nodeId: string },
  { userId, reasonCode: reason, fulfillmentOrderIds: ids }: OrdersDecline,
): Promise<OrdersDeclined> {
  const known = new Map((await lockOrders(ctx, clientId, ids)).map((order) => [order.fulfillment_order_id, order]));
  const taken: FulfillmentOrderRow[] = [];
  const refused: Refused[] = [];
  for (const fulfillmentOrderId of ids) {
    const order = known.get(fulfillmentOrderId);
    // Of another store or node it looks as if it were not there.
    if (order?.node_id !== nodeId || !allows(ctx.actor.storeIds, order.store_id)) {
      const description = `There is no fulfillment order ${quote(fulfillmentOrderId)} at this node; check its id.`;
      refused.push({ fulfillmentOrderId, code: 'NOT_FOUND', description });
    } else if (isAllowed(order, 'declineAll')) taken.push(order);
    else refused.push({ fulfillmentOrderId, code: 'CONFLICT', description: notWaiting(order, settings) });
  }
  const lines = await findLines(
    ctx,
    clientId,
    taken.map((order) => order.fulfillment_order_id),
  );
  const linesOf = Map.groupBy(lines, (line) => line.fulfillment_order_id);
  const steps = taken
    .toSorted((a, b) => (a.fulfillment_order_id < b.fulfillment_order_id ? -1 : 1))
    .map(
      (order): Step => ({
        order,
        lines: linesOf.get(order.fulfillment_order_id)!,
        action: { type: 'declineAll', userId, reason },
      }),
    );
  const advanced = await advanceOrders(ctx, settings, steps);
  const after = new Map(advanced.map((one) => [one.order.fulfillment_order_id, one.order]));
  return {
    declined: taken.map(({ fulfillment_order_id: fulfillmentOrderId }) => ({
      fulfillmentOrderId,
      status: String(after.get(fulfillmentOrderId)!.status),
      declinedQuantity: linesOf.get(fulfillmentOrderId)!.reduce((sum, line) => sum + leftUnits(line), 0),
    })),
    refused,
  };
}

function notWaiting(order: FulfillmentOrderRow, settings: Settings): string {
  const state = statusInWords(settings, order.status);
  const ticket = order.pick_ticket_id === null ? '' : `, on pick ticket ${order.pick_ticket_id}`;
  return `${nameOf(order)} is ${state}${ticket}; only orders that wait for pick are declined as a whole.`;
}
