import { type CommandKey, claimCommand, findCommand, keepReply, releaseCommand, scopeOf } from '../kernel/commands.ts';
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
import type { Sentence } from '../platform/message/sentence.ts';
import { quote } from '../platform/message/words.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { OrdersDecline, OrdersDeclined } from './schema.ts';
import { say } from './sentences.ts';

export const declineOrders = writeOperation({
  id: 'declineOrders',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/decline',
  summary: 'Decline orders that the node cannot pick',
  description:
    'Declines every wanted unit of orders that wait for pick (1100), for one reason, for example because the node is closed.\n\n' +
    '- SHIP_TO_HOME orders, and orders of the types in the client’s `resourceTypes`, are returned for re-sourcing (9100), each with a re-source request. Other orders are canceled (9000). The ' +
    'node’s declinePolicy decides whether the items are held.\n' +
    '- The response lists the outcome of each order. An order that is on a pick ticket, past the pick, or not at this node is not declined; all other orders are declined in one transaction.\n' +
    '- The same declineId with the same content gets the same response and changes nothing; other content gets 409.',
  events: [
    'order.released',
    'order.declined',
    'order.pickReset',
    'stock.changed',
    'pickTicket.reverseGenerated',
    'nodeItem.held',
    'resource.requested',
  ],
  access: { auth: 'operatorOrApiKey', group: 'supervise', permission: 'decline' },
  message: {
    body: OrdersDecline,
    replies: { 200: { description: 'The outcome of each order', schema: OrdersDeclined } },
    refusals: {
      404: 'There is no such client or node.',
      409: 'The declineId was used with other content, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules(ctx, { params: { nodeId }, body, clientId }, errors) {
      const settings = await findSettings(ctx.db, clientId);
      const { declineId } = body;
      // The reason of a retry is not checked, because the client may have removed it since the first request.
      const isRepeat =
        declineId !== undefined && (await findCommand(ctx.db, keyOf(clientId, nodeId, declineId))) !== undefined;
      if (!isRepeat) checkReasonCode(errors, '/reasonCode', body.reasonCode, settings);
      const seen = new Set<string>();
      for (const [index, orderId] of (body.fulfillmentOrderIds ?? []).entries()) {
        if (orderId === undefined) continue;
        if (seen.has(orderId)) {
          const message = say('order {orderId} is in the message twice; send it once', { orderId: quote(orderId) });
          errors.add(`/fulfillmentOrderIds/${index}`, 'duplicate', message);
        }
        seen.add(orderId);
      }
      return { settings };
    },
    async handle(ctx, { params: { nodeId }, body, clientId, found: { settings } }) {
      const key = keyOf(clientId, nodeId, body.declineId);
      const before = await claimCommand(ctx, key, body, 'declineId');
      if (before !== undefined) return reply(200, parseJson(before.reply!));
      const outcome = await decline(ctx, settings, { clientId, nodeId }, body);
      // Releases the id if no order was declined. Otherwise a caller without access to the orders could use up the id of
      // another caller.
      await (outcome.declined.length > 0 ? keepReply(ctx, key, outcome) : releaseCommand(ctx, key));
      return reply(200, outcome);
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/decline',
    body: {
      declineId: 'evening-1',
      userId: 'mara',
      reasonCode: 'CancelMXOutOfStock',
      fulfillmentOrderIds: ['{orders.waitingToo}'],
    },
  },
});

function keyOf(clientId: string, nodeId: string, commandId: string): CommandKey {
  return { clientId, scope: scopeOf('decline', nodeId), commandId };
}

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
    // An order of another store or node gets the same response as an order that does not exist.
    if (order?.node_id !== nodeId || !allows(ctx.actor.storeIds, order.store_id)) {
      const description = say('There is no fulfillment order {fulfillmentOrderId} at this node; check its id.', {
        fulfillmentOrderId: quote(fulfillmentOrderId),
      });
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

function notWaiting(order: FulfillmentOrderRow, settings: Settings): Sentence {
  const state = statusInWords(settings, order.status);
  const ticket =
    order.pick_ticket_id === null ? '' : say(', on pick ticket {pickTicketId}', { pickTicketId: order.pick_ticket_id });
  return say('{order} is {state}{ticket}; only orders that wait for pick can be declined as a whole.', {
    order: nameOf(order),
    state,
    ticket,
  });
}
