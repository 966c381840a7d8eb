/**
 * What follows from units that a node cannot give, at the pick, at check-in or while packing: those of a SHIP_TO_HOME order
 * become a re-source request, which the order's owner answers, and the node's policy holds the items. It is no customer's
 * cancellation.
 */
import type { Ctx } from '../ctx.ts';
import type { Effect } from '../events.ts';
import type { Writer } from '../storage/db.ts';
import type { Columns } from '../storage/dialect.ts';
import { insertInto } from '../storage/statement.ts';
import type {
  FulfillmentOrderRow,
  OrderLineRow,
  ResourceRequestLineRow,
  ResourceRequestRow,
} from '../storage/tables.ts';
import { holdItems } from './holds.ts';

/** Units of a line that were declined just now. */
export interface Declined {
  line: OrderLineRow;
  quantity: number;
  reason: string;
}

/** Declined units of a locked order. */
export interface DeclinedOrder {
  order: FulfillmentOrderRow;
  declined: readonly Declined[];
}

const LINE_COLUMNS: Columns<ResourceRequestLineRow> = {
  client_id: 'text',
  request_id: 'text',
  line_index: 'integer',
  web_line_id: 'text',
  item_id: 'text',
  quantity: 'integer',
  reason: 'text',
};

/**
 * Makes the requests and holds of orders of one node whose units were declined, before these orders are settled. Answers
 * what happened, for the caller to record.
 */
export async function followDeclines(ctx: Ctx, orders: readonly DeclinedOrder[]): Promise<Effect[]> {
  const some = orders.filter(({ declined }) => declined.length > 0);
  const [first] = some;
  if (first === undefined) return [];
  const effects: Effect[] = [];
  for (const { order, declined } of some) {
    if (order.fulfillment_type === 'SHIP_TO_HOME') effects.push(await requestResource(ctx, order, declined));
  }
  const items = some.flatMap(({ order, declined }) =>
    declined.map(({ line, reason }) => ({
      itemId: line.item_id,
      reason,
      fulfillmentOrderId: order.fulfillment_order_id,
    })),
  );
  return [...effects, ...(await holdItems(ctx, first.order, items))];
}

async function requestResource(ctx: Ctx, order: FulfillmentOrderRow, declined: readonly Declined[]): Promise<Effect> {
  const request: ResourceRequestRow = {
    client_id: order.client_id,
    request_id: ctx.newId(),
    fulfillment_order_id: order.fulfillment_order_id,
    store_id: order.store_id,
    node_id: order.node_id,
    status: 'OPEN',
    revision: 1,
    excluded_node_ids: JSON.stringify(await nodesOfChain(ctx.db, order)),
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
      excludedNodeIds: JSON.parse(request.excluded_node_ids) as string[],
      lines: lines.map((line) => ({
        webLineId: line.web_line_id,
        itemId: line.item_id,
        quantity: line.quantity,
        reasonCode: line.reason,
      })),
    },
  };
}

/** The nodes that had these units before: that of the order, and those of the orders it was re-sourced from. None twice. */
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
