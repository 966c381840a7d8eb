/** Generate a pick ticket (docs/interface.md#generate-a-pick-ticket). */

import type { Effect } from '../events/record.ts';
import { type MergedItem, mergeLines, type OpenLine } from '../kernel/merge-lines.ts';
import { findFeed, itemRow, lineRows, nextPickTicketId, partOfTicket, pickLocations } from '../kernel/new-ticket.ts';
import { findLines, lockOrders, type Snapshot } from '../kernel/orders.ts';
import { positionIn } from '../kernel/position.ts';
import { findSettings } from '../kernel/settings.ts';
import { State } from '../kernel/states.ts';
import { insertTicket } from '../kernel/tickets.ts';
import { openUnits } from '../kernel/units.ts';
import { advanceOrders } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { numeric } from '../platform/decimal.ts';
import { badRequest } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { type FieldError, fieldError } from '../platform/message/validate.ts';
import type {
  FulfillmentOrderRow,
  NodeItemRow,
  NodeRow,
  OrderLineRow,
  PickTicketRow,
} from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { readMessage } from '../shared/associate.ts';
import { extrasOf } from '../shared/snapshot.ts';
import { settingsAt } from '../sla/engine.ts';
import { suggestHoldLocation } from './hold-location.ts';
import { repeatedErrors, takenRefusal, unknownErrors, unlikeErrors } from './orders.ts';
import {
  ITEMS_MAX,
  type PickTicket,
  PickTicketGenerate,
  PickTicketGenerated,
  type PickTicketItem,
  type PickTicketOrder,
} from './schema.ts';
import { showInstructions, showOrders } from './show.ts';

export const generatePickTicket = writeOperation({
  id: 'generatePickTicket',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/pickTicket/generate',
  auth: 'apiKey',
  group: 'fulfillment',
  permission: 'fulfillment.write',
  assigns: true,
  repeat: 'rejected',
  summary: 'Generate a pick ticket',
  description:
    'Makes one pick ticket for 1 to 50 orders that wait on a pick queue, all or nothing. The orders have one currency, one fulfillment type and the queue given; they stay on that queue and carry the ticket until it is confirmed or reset. Items of all orders are merged by item and unit price, in the order of pick location (none last). The suggested hold location is the node’s least used one; pickSLADate is the earliest time by which an order must be picked. An order on another open ticket, or one that no longer waits for pick, is refused with 409: the body names the ticket that holds it (`pickTicketId`, `userId`, `since`) and lists all such orders.',
  body: PickTicketGenerate,
  reveals: (_shown, { body }) => (body as PickTicketGenerate).fulfillmentOrderIds,
  replies: { 201: { description: 'The ticket, with status NEW', schema: PickTicketGenerated } },
  refusals: {
    409: 'An order is on another ticket or no longer waits for pick, or the first request with this Idempotency-Key is still running.',
  },
  parse: (raw, validate) => readMessage<PickTicketGenerate>(raw, validate),
  async rules(
    ctx,
    { params: { storeId, nodeId }, body: { fulfillmentOrderIds: ids = [], queueId }, clientId },
    errors,
  ) {
    const readable = ids.filter((id) => id !== undefined);
    const orders = await findOrdersOf(ctx, clientId, storeId, nodeId, readable);
    errors.addAll([...repeatedErrors(ids), ...unknownErrors(ids, orders), ...unlikeErrors(orders, queueId)]);
    return orders;
  },
  async handle(ctx, { body, clientId, node, found: orders }) {
    const ids = body.fulfillmentOrderIds;
    const settings = settingsAt(await findSettings(ctx.db, clientId), node);
    const taken = await takenRefusal(ctx, settings, clientId, orders);
    if (taken !== undefined) throw taken;

    const lines = await findLines(ctx, clientId, ids);
    const feed = await findFeed(ctx, node, lines);
    const items = mergeLines(lines.flatMap(openLine), pickLocations(feed));
    const tooMany = tooManyErrors(items.length);
    if (tooMany.length > 0) throw badRequest(tooMany);

    const dues = orders.map((order) => positionIn(settings, order, State.PICKING, ctx.now).sla_at!);
    const ticket = await makeTicket(ctx, node, body, orders, items, dues);
    await insertTicket(
      ctx,
      ticket,
      items.map((item) => itemRow(ticket, item, feed.get(item.itemId))),
      items.flatMap((item) => lineRows(ticket, item)),
    );
    const { userId, modifyAssociateId } = body;
    const pickTicketId = ticket.pick_ticket_id;
    await advanceOrders(
      ctx,
      settings,
      orders.map((order) => ({
        order,
        action: { type: 'generate', pickTicketId, userId, modifyAssociateId },
      })),
      [generatedEffect(ticket, body, orders)],
    );
    const shown = showOrders(orders.map((order, index) => ({ order, dueAt: dues[index]! })));
    return reply(201, { pickTicketDetails: [show(ticket, shown, items, feed)] });
  },
});

async function findOrdersOf(ctx: Ctx, clientId: string, storeId: string, nodeId: string, ids: readonly string[]) {
  const orders = await lockOrders(ctx, clientId, ids);
  return orders.filter((order) => order.store_id === storeId && order.node_id === nodeId);
}

function openLine(line: OrderLineRow): OpenLine[] {
  const quantity = openUnits(line);
  return quantity === 0 ? [] : [partOfTicket(line, quantity)];
}

function tooManyErrors(items: number): FieldError[] {
  if (items <= ITEMS_MAX) return [];
  const message = `the orders have ${items} different items and a ticket holds at most ${ITEMS_MAX}; send fewer orders`;
  return [fieldError('/fulfillmentOrderIds', 'maxTicketItems', message, ITEMS_MAX)];
}

async function makeTicket(
  ctx: Ctx,
  node: NodeRow,
  body: PickTicketGenerate,
  orders: readonly FulfillmentOrderRow[],
  items: readonly MergedItem[],
  dues: readonly number[],
): Promise<PickTicketRow> {
  const clientId = node.client_id;
  const first = orders[0]!;
  return {
    client_id: clientId,
    pick_ticket_id: await nextPickTicketId(ctx, clientId),
    store_id: first.store_id,
    node_id: first.node_id,
    queue_id: body.queueId,
    user_id: body.userId,
    status: 'NEW',
    outcome: null,
    revision: 1,
    fulfillment_type: first.fulfillment_type,
    currency: first.currency,
    hold_location: await suggestHoldLocation(ctx.db, node),
    pick_ticket_date: ctx.now,
    pick_sla_date: Math.min(...dues),
    total_fulfillment_orders: orders.length,
    total_skus: new Set(items.map((item) => item.itemId)).size,
    total_quantity: items.reduce((sum, item) => sum + item.quantity, 0),
    confirmation_hash: null,
    closed_at: null,
    confirmed_by: null,
    picked_lines: null,
    picked_units: null,
    short_units: null,
    pick_ticket_type: 'PICK_TICKET',
    lease_at: null,
    fulfillment_order_id: null,
  };
}

function generatedEffect(
  ticket: PickTicketRow,
  body: PickTicketGenerate,
  orders: readonly FulfillmentOrderRow[],
): Effect {
  return {
    clientId: ticket.client_id,
    type: 'pickTicket.generated',
    resource: 'pickTicket',
    resourceId: ticket.pick_ticket_id,
    revision: ticket.revision,
    data: {
      userId: body.userId,
      modifyAssociateId: body.modifyAssociateId,
      queueId: ticket.queue_id,
      holdLocation: ticket.hold_location,
      fulfillmentOrderIds: orders.map((order) => order.fulfillment_order_id),
      totalQuantity: ticket.total_quantity,
    },
  };
}

function show(
  ticket: PickTicketRow,
  orders: readonly PickTicketOrder[],
  items: readonly MergedItem[],
  feed: ReadonlyMap<string, NodeItemRow>,
): PickTicket {
  const toteOf = new Map(orders.map((order) => [order.fulfillmentOrderId, order.tote]));
  return {
    pickTicketId: ticket.pick_ticket_id,
    storeId: ticket.store_id,
    nodeId: ticket.node_id,
    queueId: ticket.queue_id,
    userId: ticket.user_id,
    status: 'NEW',
    holdLocation: ticket.hold_location,
    fulfillmentType: ticket.fulfillment_type,
    pickTicketType: 'PICK_TICKET',
    pickTicketDate: formatDateTime(ticket.pick_ticket_date),
    pickSLADate: formatDateTime(ticket.pick_sla_date),
    currency: ticket.currency,
    totalFulfillmentOrders: ticket.total_fulfillment_orders,
    totalSKUs: ticket.total_skus,
    totalQuantity: ticket.total_quantity,
    orders: [...orders],
    pickTicketItems: items.map((item) => showItem(item, toteOf, feed.get(item.itemId))),
  };
}

function showItem(item: MergedItem, toteOf: ReadonlyMap<string, string>, fed: NodeItemRow | undefined): PickTicketItem {
  const retailPrice = fed?.retail_price ?? null;
  const snapshot = JSON.parse(item.snapshot) as Snapshot;
  return {
    id: item.id,
    itemDetails: snapshot.itemDetails,
    quantity: item.quantity,
    unitPrice: numeric(item.unitPrice),
    ...(retailPrice !== null && { retailPrice: numeric(retailPrice) }),
    ...(item.pickLocation !== null && { pickLocation: item.pickLocation }),
    ...showInstructions(item.lines),
    ...(snapshot.imageUrl !== undefined && { imageUrl: snapshot.imageUrl }),
    orders: [...Map.groupBy(item.lines, (line) => line.fulfillmentOrderId)].map(([fulfillmentOrderId, lines]) => ({
      fulfillmentOrderId,
      tote: toteOf.get(fulfillmentOrderId)!,
      quantity: lines.reduce((sum, line) => sum + line.quantity, 0),
    })),
    ...extrasOf(snapshot, item.quantity),
  };
}
