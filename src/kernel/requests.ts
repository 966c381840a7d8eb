/**
 * Re-source requests: units of an order that its node declined and that another node can serve. The order management
 * system closes a request with a new order, or cancels it. A decline is not a cancellation by the customer.
 */

import { sql } from 'kysely';
import type { Effect } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { Reader, Writer } from '../platform/storage/db.ts';
import type { Columns } from '../platform/storage/dialect.ts';
import { insertInto } from '../platform/storage/insert.ts';
import { statement } from '../platform/storage/statement.ts';
import type {
  FulfillmentOrderRow,
  OrderLineRow,
  ResourceRequestLineRow,
  ResourceRequestRow,
} from '../platform/storage/tables.ts';
import type { Declined } from './plan.ts';
import { NOTHING_REQUESTED, type Requested } from './units.ts';

const LINE_COLUMNS: Columns<ResourceRequestLineRow> = {
  client_id: 'text',
  request_id: 'text',
  line_index: 'integer',
  web_line_id: 'text',
  item_id: 'text',
  quantity: 'integer',
  reason: 'text',
};

/** Writes the request for declined units of a locked order. Returns its event. */
export async function insertRequest(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  declined: readonly Declined[],
): Promise<Effect> {
  const request: ResourceRequestRow = {
    client_id: order.client_id,
    request_id: ctx.newId(),
    fulfillment_order_id: order.fulfillment_order_id,
    store_id: order.store_id,
    node_id: order.node_id,
    status: 'OPEN',
    revision: 1,
    excluded_node_ids: stringifyJson(await nodesOfChain(ctx.db, order)),
    new_node_id: null,
    new_fulfillment_order_id: null,
    created_at: ctx.now,
    answered_at: null,
  };
  const lines = declined.map(({ line, quantity, reason }) => ({
    client_id: order.client_id,
    request_id: request.request_id,
    line_index: line.line_index,
    web_line_id: line.web_line_id,
    item_id: line.item_id,
    quantity,
    reason,
  }));
  await ctx.db.insertInto('resource_requests').values(request).execute();
  await insertLines(ctx, lines);
  return {
    clientId: order.client_id,
    type: 'resource.requested',
    resource: 'resourceRequest',
    resourceId: request.request_id,
    revision: request.revision,
    data: {
      fulfillmentOrderId: order.fulfillment_order_id,
      storeId: order.store_id,
      nodeId: order.node_id,
      excludedNodeIds: readJson(request.excluded_node_ids),
      lines: lines.map((line) => ({
        webLineId: line.web_line_id,
        itemId: line.item_id,
        quantity: line.quantity,
        reasonCode: line.reason,
      })),
    },
  };
}

/**
 * Returns the nodes that had the declined units before: the node of the order, and the nodes of the earlier orders in
 * its chain of re-sourcing.
 */
async function nodesOfChain(tx: Writer, order: FulfillmentOrderRow): Promise<string[]> {
  const nodes = [order.node_id];
  for (let from = order.resourced_from; from !== null; ) {
    const before: { node_id: string; resourced_from: string | null } = await tx
      .selectFrom('fulfillment_orders')
      .select(['node_id', 'resourced_from'])
      .where('client_id', '=', order.client_id)
      .where('fulfillment_order_id', '=', from)
      .executeTakeFirstOrThrow();
    nodes.push(before.node_id);
    from = before.resourced_from;
  }
  return nodes;
}

const insertLines = insertInto('resource_request_lines', LINE_COLUMNS);

/** The party that closes open requests: the customer with a reason, or the node that found the units after all. */
type Closer = { by: 'CUSTOMER'; reasonCode: string } | { by: 'NODE' };

/** Closes the open requests of a locked order as canceled and returns the events. */
export async function closeRequests(ctx: Ctx, order: FulfillmentOrderRow, closer: Closer): Promise<Effect[]> {
  const closed = await ctx.db
    .updateTable('resource_requests')
    .set((eb) => ({ status: 'CANCELED', answered_at: ctx.now, revision: eb('revision', '+', 1) }))
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .where('status', '=', 'OPEN')
    .returning(['request_id', 'revision'])
    .execute();
  return closed
    .sort((a, b) => (a.request_id < b.request_id ? -1 : 1))
    .map((request) => ({
      clientId: order.client_id,
      type: 'resource.answered',
      resource: 'resourceRequest',
      resourceId: request.request_id,
      revision: request.revision,
      data: { fulfillmentOrderId: order.fulfillment_order_id, outcome: 'CANCEL', ...closer },
    }));
}

/**
 * Returns the declined units of an order, by the status of their re-source request: open (another node may still serve
 * them), re-sourced, or canceled. Only declined units have requests, so an order without declined units needs no read.
 */
export async function findRequested(
  db: Reader,
  order: Pick<FulfillmentOrderRow, 'client_id' | 'fulfillment_order_id'>,
  lines: readonly OrderLineRow[],
): Promise<Requested> {
  if (lines.every((line) => line.declined === 0)) return NOTHING_REQUESTED;
  const { client_id: clientId, fulfillment_order_id: orderId } = order;
  const sums = new Map((await sumRequested(db, { clientId, orderId })).map(({ status, units }) => [status, units]));
  return {
    resourceable: sums.get('OPEN') ?? 0,
    resourced: sums.get('RESOURCED') ?? 0,
    decided: sums.get('CANCELED') ?? 0,
  };
}

const sumRequested = statement((db, { clientId, orderId }: { clientId: string; orderId: string }) =>
  db
    .selectFrom('resource_requests as request')
    .innerJoin('resource_request_lines as line', (join) =>
      join.onRef('line.client_id', '=', 'request.client_id').onRef('line.request_id', '=', 'request.request_id'),
    )
    .select(['request.status', sql<number>`cast(sum(line.quantity) as bigint)`.as('units')])
    .where('request.client_id', '=', clientId)
    .where('request.fulfillment_order_id', '=', orderId)
    .groupBy('request.status'),
);
