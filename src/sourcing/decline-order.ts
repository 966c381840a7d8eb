import { claimCommand, findCommand, keepReply, scopeOf } from '../kernel/commands.ts';
import { checkLines, checkReasonCode, noOrder, takeOrder } from '../kernel/message-lines.ts';
import type { OrderKey } from '../kernel/order-key.ts';
import { OrderUnits, unitsNow } from '../kernel/order-units.ts';
import { nameOf } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { leftUnits } from '../kernel/units.ts';
import { advanceOrder } from '../kernel/write.ts';
import { requireNode } from '../platform/http/auth.ts';
import { conflict } from '../platform/http/errors.ts';
import { requireRevision, withEtag } from '../platform/http/if-match.ts';
import { type Reply, reply, writeOperation } from '../platform/http/operation.ts';
import { parseJson } from '../platform/message/json.ts';
import type { CommandRow, FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { OrderDecline } from './schema.ts';
import { say } from './sentences.ts';

export const declineOrderUnits = writeOperation({
  id: 'declineOrderUnits',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/decline',
  summary: 'Decline missing or broken units of an order while packing',
  description:
    'Declines picked units of an order that waits for pack (1200), because they are missing or broken.\n\n' +
    '- Declined units no longer count as picked, and packages that contain them are voided. The node’s declinePolicy decides whether the items are held.\n' +
    '- Declined units of a SHIP_TO_HOME order become a re-source request, and so do those of an ASSOCIATE_DELIVERY order if the client’s `resourceTypes` has this type. Otherwise they stay declined.\n' +
    '- If no unit remains, the order is returned for re-sourcing (9100) or canceled (9000). If all remaining units are packed, it advances.\n' +
    '- Quantities add to earlier declines. Units that the customer canceled cannot be declined.\n' +
    '- The same declineId with the same content gets the same response and changes nothing; other content gets 409.',
  events: [
    'order.released',
    'order.declined',
    'order.shipped',
    'stock.changed',
    'pickTicket.reverseGenerated',
    'nodeItem.held',
    'resource.requested',
  ],
  access: { auth: 'operatorOrApiKey', group: 'fulfillment', permission: 'fulfillment.write' },
  message: {
    body: OrderDecline,
    replies: {
      200: {
        description:
          'The units are declined, by this request or by an earlier one with this declineId. The response has the counts of all units right after the decline',
        schema: OrderUnits,
      },
    },
    refusals: {
      404: 'There is no such store, or no such order at the node.',
      409: 'The order does not wait for pack, it has fewer units to pack than the request declines, the declineId was used with other content, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
    hasRevision: true,
  },
  run: {
    repeat: { adds: 'the same number of units again, up to the remaining units', unless: 'declineId' },
    async rules(ctx, { params, body, clientId, store }, errors) {
      const settings = await findSettings(ctx.db, clientId);
      const orderId = params.fulfillmentOrderId;
      const taken = await takeOrder(ctx, { clientId, storeId: store.store_id, orderId });
      if (body.nodeId !== undefined) await requireNode(ctx.db, ctx.actor, clientId, body.nodeId);
      const sent = body.lines ?? [];
      // The reasons of a retry are not checked, because the client may have removed them since the first request.
      const key = {
        ...commandsOf({ client_id: clientId, fulfillment_order_id: orderId }),
        commandId: body.declineId ?? '',
      };
      if (body.declineId === undefined || (await findCommand(ctx.db, key)) === undefined) {
        for (const [index, line] of sent.entries()) {
          checkReasonCode(errors, `/lines/${index}/reasonCode`, line?.reasonCode, settings);
        }
      }
      checkLines(errors, sent, taken?.order.node_id === body.nodeId ? taken?.lines : undefined);
      return { settings, taken };
    },
    async handle(ctx, { params, body, store, found: { settings, taken } }) {
      if (taken?.order.node_id !== body.nodeId) throw noOrder(params.fulfillmentOrderId, store.store_id);
      const { order, lines } = taken;
      const { declineId } = body;
      const key = declineId === undefined ? undefined : { ...commandsOf(order), commandId: declineId };
      const before = key && (await claimCommand(ctx, key, body, 'declineId'));
      if (before !== undefined) return replyAgain(before);
      requireRevision(ctx, order.revision);
      if (!isAllowed(order, 'decline')) throw notPacking(order, settings);
      const action = {
        type: 'decline' as const,
        modifyAssociateId: body.modifyAssociateId,
        declined: declinedUnits(order, lines, body.lines),
      };
      await advanceOrder(ctx, settings, { order, lines, action });
      const { body: units, revision } = await unitsNow(ctx, settings, order);
      if (key !== undefined) await keepReply(ctx, key, { ...units, revision });
      return withEtag(reply(200, units), revision);
    },
  },
  example: {
    before: [
      {
        operationId: 'putNode',
        path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001',
        body: { '...': 'harbourStreet', declinePolicy: 'HOLD_UNTIL_RELEASED' },
      },
    ],
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/{orders.picked}/decline',
    body: {
      nodeId: 'TOWN-Store001',
      modifyAssociateId: 'UserId001',
      lines: [{ webLineId: '2', quantity: 1, reasonCode: 'CancelInventoryDiscrepancy' }],
    },
  },
});

/** Returns the scope of the declineIds of an order. */
function commandsOf({ client_id: clientId, fulfillment_order_id: orderId }: OrderKey) {
  return { clientId, scope: scopeOf('declineUnits', orderId) };
}

/**
 * Returns the stored response with the revision that the order had after the decline. If the order has changed since, a
 * request with this revision in `If-Match` gets 412. A response that an earlier release stored has no revision.
 */
function replyAgain(before: CommandRow): Reply {
  const { revision, ...units } = parseJson(before.reply!) as OrderUnits & { revision?: number };
  return revision === undefined ? reply(200, units) : withEtag(reply(200, units), revision);
}

/** Returns the declined units by line. @throws Refusal 409 if a line has fewer units to pack */
function declinedUnits(order: FulfillmentOrderRow, lines: readonly OrderLineRow[], sent: OrderDecline['lines']) {
  const known = new Map(lines.map((line) => [line.web_line_id, line]));
  return sent.map(({ webLineId, quantity, reasonCode: reason }) => {
    const line = known.get(webLineId)!;
    const wanted = leftUnits(line);
    if (quantity > wanted) {
      throw conflict(
        say(
          '{order} has {wanted} {wanted|unit|units} of line {webLineId} to pack, so {quantity} cannot be declined; nothing was declined.',
          { webLineId: JSON.stringify(webLineId), order: nameOf(order), wanted, quantity },
        ),
        { orderStatus: String(order.status) },
      );
    }
    return { lineIndex: line.line_index, quantity, reason };
  });
}

function notPacking(order: FulfillmentOrderRow, settings: Settings) {
  const state = statusInWords(settings, order.status);
  return conflict(
    say(
      '{order} is {state}, but units can be declined here only while the order waits for pack (1200); in other states, cancel them in the CONFIRM of the pick ticket or check-in.',
      { order: nameOf(order), state },
    ),
    { orderStatus: String(order.status) },
  );
}
