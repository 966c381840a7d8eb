/** Creates the order that serves re-sourced units at another node. */

import type { Effect } from '../events/record.ts';
import { findItems } from '../items/find.ts';
import { shareOf } from '../kernel/money.ts';
import { LINE_COLUMNS, type NewLineRow } from '../kernel/new-lines.ts';
import { contactsOf } from '../kernel/orders.ts';
import { positionIn } from '../kernel/position.ts';
import { findResourced } from '../kernel/request-rows.ts';
import { atNode } from '../kernel/settings.ts';
import { ENTRY_STATE } from '../kernel/states.ts';
import { post } from '../kernel/stock.ts';
import type { StockNode } from '../kernel/stock-terms.ts';
import { nextNumbers } from '../platform/counters.ts';
import type { Ctx } from '../platform/ctx.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { insertInto } from '../platform/storage/insert.ts';
import type {
  FulfillmentOrderRow,
  OrderLineRow,
  ResourceRequestLineRow,
  ResourceRequestRow,
} from '../platform/storage/tables.ts';
import { SECOND_MS } from '../platform/time.ts';
import { type FulfillmentType, isAskedFor, type Settings } from '../shared/client-settings.ts';
import { statusOf } from '../shared/status.ts';

/**
 * Writes the order for the units of a request at another node. The new order has the customer, proxy, prices and order
 * date of the earlier order, and a share of each line's charges and tax. Amounts that are charged once stay on the
 * first order of the chain (docs/api.md#money). Returns the events, or undefined if another order has the id.
 * @throws Refusal 409 NOT_AVAILABLE if the node has promise AVAILABLE and fewer units
 */
export async function insertReroutedOrder(
  ctx: Ctx,
  settings: Settings,
  from: { order: FulfillmentOrderRow; lines: readonly OrderLineRow[] },
  request: { row: ResourceRequestRow; lines: readonly ResourceRequestLineRow[] },
  to: { nodeId: string; fulfillmentOrderId: string },
): Promise<Effect[] | undefined> {
  const { order } = from;
  const clientId = order.client_id;
  const number = (await nextNumbers(ctx, clientId, 'fulfillmentId', 1, 1))[0]!;
  const type = order.fulfillment_type as FulfillmentType;
  const entering = { fulfillment_type: type, in_store: 0, queue_id: null, queued_at: 0 };
  const there = await atNode(ctx.db, settings, { client_id: clientId, node_id: to.nodeId });
  const position = positionIn(there, entering, ENTRY_STATE[type], ctx.now);
  const row: FulfillmentOrderRow = {
    ...order,
    ...position,
    fulfillment_order_id: to.fulfillmentOrderId,
    fulfillment_id: number,
    node_id: to.nodeId,
    revision: 1,
    fulfillment_order_date: Math.max(Math.floor(ctx.now / SECOND_MS) * SECOND_MS, order.order_date),
    contacts: withoutOrigin(order),
    hold_location: null,
    pick_ticket_id: null,
    header_charges: '0',
    header_tax: '0',
    cash_on_delivery: null,
    member_hashes: stringifyJson({}),
    created_at: ctx.now,
    updated_at: ctx.now,
    resourced_from: order.fulfillment_order_id,
    // The return line keeps the earlier order as its exchange order, so the new order has no exchange number.
    exchange_number: null,
    exchange_line: null,
    pin_attempts: 0,
    pin_unlocks: 0,
    pin_locked_until: null,
  };
  const made = await ctx.db
    .insertInto('fulfillment_orders')
    .values(row)
    .onConflict((conflict) => conflict.columns(['client_id', 'fulfillment_order_id']).doNothing())
    .executeTakeFirstOrThrow();
  if (made.numInsertedOrUpdatedRows !== 1n) return undefined;
  const lines = await newLines(ctx, from, request.lines, to.fulfillmentOrderId);
  await insertLines(ctx, lines);
  const received: Effect = {
    clientId,
    type: 'order.received',
    resource: 'order',
    resourceId: to.fulfillmentOrderId,
    revision: 1,
    data: {
      storeId: order.store_id,
      nodeId: to.nodeId,
      fulfillmentType: order.fulfillment_type,
      ...statusOf(settings, position.status),
      queueId: position.queue_id,
      lines: lines.length,
      units: lines.reduce((sum, line) => sum + line.ordered, 0),
      resourcedFrom: order.fulfillment_order_id,
    },
  };
  return [received, ...(await reserveUnits(ctx, { clientId, nodeId: to.nodeId }, lines, settings))];
}

/** Reserves the units if the node keeps stock. The node is read under the lock of the new order. */
async function reserveUnits(
  ctx: Ctx,
  node: StockNode,
  lines: readonly NewLineRow[],
  settings: Settings,
): Promise<Effect[]> {
  const { stock, promise } = await ctx.db
    .selectFrom('nodes')
    .select(['stock', 'promise'])
    .where('client_id', '=', node.clientId)
    .where('node_id', '=', node.nodeId)
    .executeTakeFirstOrThrow();
  if (stock !== 'KEPT') return [];
  const itemIds = lines.map((line) => line.item_id);
  const items = promise === 'AVAILABLE' ? await findItems(ctx, node.clientId, itemIds) : undefined;
  const claims = lines.map(({ item_id: itemId, ordered: units }) => {
    return { itemId, units, guarded: items !== undefined && isAskedFor(settings, items.get(itemId)) };
  });
  return post(ctx, node, { claims });
}

/**
 * Returns a line for each declined line, with a share of charges and tax that no earlier request has taken
 * (docs/api.md#money).
 */
async function newLines(
  ctx: Ctx,
  { order, lines }: { order: FulfillmentOrderRow; lines: readonly OrderLineRow[] },
  asked: readonly ResourceRequestLineRow[],
  fulfillmentOrderId: string,
): Promise<NewLineRow[]> {
  const taken = await findResourced(ctx.db, order);
  const byIndex = new Map(lines.map((line) => [line.line_index, line]));
  return asked.map(({ line_index: index, quantity }, at) => {
    const line = byIndex.get(index)!;
    const from = line.ordered - (taken.get(index) ?? 0) - quantity;
    const share = (amount: string) => shareOf(amount, quantity, line.ordered, order.currency, from).toFixed();
    return {
      ...line,
      fulfillment_order_id: fulfillmentOrderId,
      line_index: at,
      ordered: quantity,
      picked: 0,
      declined: 0,
      decline_reason: null,
      charges: share(line.charges),
      tax: share(line.tax),
    };
  });
}

const insertLines = insertInto('order_lines', LINE_COLUMNS);

/** Returns the contacts without `shipFromAddress`, which is the address of the earlier node. */
function withoutOrigin(order: FulfillmentOrderRow) {
  const { shipFromAddress: _earlier, ...contacts } = contactsOf(order);
  return stringifyJson(contacts);
}
