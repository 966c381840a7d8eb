import { type Effect, recordAll } from '../events/record.ts';
import { findLines, lockOrders } from '../kernel/orders.ts';
import { findRequest, findRequestLines, findRequests } from '../kernel/request-rows.ts';
import { findSettings } from '../kernel/settings.ts';
import { State } from '../kernel/states.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { FulfillmentOrderRow, ResourceRequestLineRow, ResourceRequestRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { checkForm, checkNode } from './answer-rules.ts';
import { insertReroutedOrder } from './new-order.ts';
import { ResourceAnswer, ResourceRequest } from './schema.ts';
import { say } from './sentences.ts';
import { noRequest, showRequests } from './show.ts';

export const answerResourceRequest = writeOperation({
  id: 'answerResourceRequest',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/resourceRequests/{requestId}/answer',
  summary: 'Close a re-source request with a new order, or cancel it',
  description:
    'Closes a re-source request: RESOURCE creates an order for the declined units at another node; CANCEL ends the request.\n\n' +
    '- RESOURCE creates an order of the same fulfillment type at `nodeId` with the id `fulfillmentOrderId`. It has the customer, proxy, prices and order ' +
    'date of the first order, and a share of the charges and tax of each line for these units. Charges and tax of the order as a whole are charged once, by the first of these orders from which units go to the customer. Cash is collected for the units that go to the customer.\n' +
    '- The node must fulfill orders of this type, must not have a hold on any of the items, and must not have had these units before.\n' +
    '- An order that was returned for re-sourcing (9100) ends when its last open request is closed: it becomes re-sourced (9200) if another node fulfills at least one of its units, otherwise canceled (9000). Orders in other states do not change.\n' +
    '- The same message again gets 200, and so does a CANCEL with another `reasonCode`: the request keeps the first reason. Other content gets 409.',
  events: ['resource.answered', 'order.resourced', 'order.received', 'stock.changed'],
  access: { auth: 'operatorOrApiKey', group: ['intake', 'supervise'], permission: 'decline' },
  message: {
    body: ResourceAnswer,
    replies: {
      200: {
        description: 'The request is closed with this outcome, by this request or an earlier one',
        schema: ResourceRequest,
      },
    },
    refusals: {
      404: 'There is no such store or request.',
      409: 'The request was closed with another outcome, the new id is taken, the customer’s data is anonymized, the node has promise AVAILABLE and fewer available units than the request wants (code NOT_AVAILABLE), or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules(ctx, { params: { requestId }, body, clientId, store }, errors) {
      const settings = await findSettings(ctx.db, clientId);
      const key = { clientId, storeId: store.store_id, requestId };
      const found = await findRequest(ctx.db, key);
      const seen = found !== undefined && allows(ctx.actor.nodeIds, found.node_id) ? found : undefined;
      // On a closed request only a retry can succeed. The client may have removed its reasons since.
      checkForm(body, seen === undefined || seen.status === 'OPEN' ? settings : undefined, errors);
      if (seen === undefined) return undefined;
      const [order] = await lockOrders(ctx, clientId, [seen.fulfillment_order_id]);
      const request = (await findRequest(ctx.db, key))!;
      const lines = await findRequestLines(ctx, clientId, [requestId]);
      // An anonymized order has no address to check. `answer` rejects it later.
      const isOpen = request.status === 'OPEN' && order!.blanked_at === null;
      if (isOpen && body.outcome === 'RESOURCE')
        await checkNode(ctx, order!, { row: request, lines }, body.nodeId, errors);
      return { settings, order: order!, request, lines };
    },
    async handle(ctx, { params: { requestId }, body, store, found }) {
      if (found === undefined) throw noRequest(requestId, store.store_id);
      const { request } = found;
      if (request.status === 'OPEN') await answer(ctx, found, body);
      else if (!isSame(request, body)) throw answered(request);
      const now = await findRequest(ctx.db, { clientId: request.client_id, storeId: store.store_id, requestId });
      const [shown] = await showRequests(ctx, [now!]);
      return reply(200, shown);
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/resourceRequests/{requests.returned}/answer',
    body: { outcome: 'RESOURCE', nodeId: 'TOWN-DC001', fulfillmentOrderId: '100000000203002' },
  },
});

interface Asked {
  settings: Settings;
  order: FulfillmentOrderRow;
  request: ResourceRequestRow;
  lines: ResourceRequestLineRow[];
}

async function answer(ctx: Ctx, { settings, order, request, lines }: Asked, body: ResourceAnswer): Promise<void> {
  const orderLines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  const { outcome, nodeId, fulfillmentOrderId, reasonCode } = body;
  const effects: Effect[] = [
    {
      clientId: request.client_id,
      type: 'resource.answered',
      resource: 'resourceRequest',
      resourceId: request.request_id,
      revision: request.revision + 1,
      data: {
        fulfillmentOrderId: request.fulfillment_order_id,
        outcome,
        by: 'OWNER',
        ...(outcome === 'RESOURCE' && { newNodeId: nodeId, newFulfillmentOrderId: fulfillmentOrderId }),
        ...(reasonCode !== undefined && { reasonCode }),
      },
    },
  ];
  if (outcome === 'RESOURCE') {
    if (order.blanked_at !== null) throw blanked(order);
    const to = { nodeId: nodeId!, fulfillmentOrderId: fulfillmentOrderId! };
    const made = await insertReroutedOrder(ctx, settings, { order, lines: orderLines }, { row: request, lines }, to);
    if (made === undefined) throw taken(to.fulfillmentOrderId);
    effects.push(...made);
  }
  // Only the last open request ends an order, and only if the order was returned for re-sourcing.
  if (order.status === State.RETURNED_FOR_RESOURCING && (await isLast(ctx, order, request))) {
    const units = lines.reduce((sum, line) => sum + line.quantity, 0);
    const action = { type: 'resource' as const, requestId: request.request_id, outcome, units };
    await advanceOrder(ctx, settings, { order, lines: orderLines, action }, effects);
  } else {
    await recordAll(ctx, effects);
  }
  await close(ctx, request, body);
}

/** Whether no other request of the order is open. */
async function isLast(ctx: Ctx, order: FulfillmentOrderRow, { request_id }: ResourceRequestRow): Promise<boolean> {
  const requests = await findRequests(ctx.db, order);
  return requests.every((one) => one.status !== 'OPEN' || one.request_id === request_id);
}

async function close(ctx: Ctx, request: ResourceRequestRow, body: ResourceAnswer): Promise<void> {
  const isResourced = body.outcome === 'RESOURCE';
  const result = await ctx.db
    .updateTable('resource_requests')
    .set({
      status: isResourced ? 'RESOURCED' : 'CANCELED',
      new_node_id: isResourced ? body.nodeId! : null,
      new_fulfillment_order_id: isResourced ? body.fulfillmentOrderId! : null,
      answered_at: ctx.now,
      revision: request.revision + 1,
    })
    .where('client_id', '=', request.client_id)
    .where('request_id', '=', request.request_id)
    .where('status', '=', 'OPEN')
    .where('revision', '=', request.revision)
    .executeTakeFirstOrThrow();
  if (result.numUpdatedRows !== 1n) throw new Error('a request of a locked order was closed concurrently');
}

/** The reason of a CANCEL is only in its event, so the comparison ignores it. */
function isSame(request: ResourceRequestRow, body: ResourceAnswer): boolean {
  if (body.outcome === 'CANCEL') return request.status === 'CANCELED';
  return request.new_node_id === body.nodeId && request.new_fulfillment_order_id === body.fulfillmentOrderId;
}

function answered(request: ResourceRequestRow): Refusal {
  const what =
    request.status === 'CANCELED'
      ? 'CANCEL'
      : say('outcome RESOURCE (node {newNodeId}, order {newFulfillmentOrderId})', {
          newNodeId: JSON.stringify(request.new_node_id),
          newFulfillmentOrderId: JSON.stringify(request.new_fulfillment_order_id),
        });
  return conflict(say('The request is already closed with {what}; its outcome cannot be changed.', { what }), {
    requestStatus: request.status,
  });
}

function taken(orderId: string): Refusal {
  return conflict(
    say('There is an order {orderId} already; nothing was changed. Choose another fulfillmentOrderId.', {
      orderId: JSON.stringify(orderId),
    }),
  );
}

function blanked(order: FulfillmentOrderRow): Refusal {
  return conflict(
    say(
      'The customer’s data of order {fulfillmentOrderId} is anonymized, so no order can be created from it; send CANCEL.',
      { fulfillmentOrderId: JSON.stringify(order.fulfillment_order_id) },
    ),
  );
}
