/** The open orders of a node for lists and boards, the earliest due first. */
import { type SelectQueryBuilder, sql } from 'kysely';
import { conditionsOf } from '../kernel/filters.ts';
import { contactsOf, findLines, findTotals } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import { State } from '../kernel/states.ts';
import { AT_NODE, IS_SAVED, locationOf } from '../kernel/tickets/hold-location.ts';
import { findTicketIds } from '../kernel/tickets/of-order.ts';
import { leftUnits } from '../kernel/units.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import type { Dialect } from '../platform/storage/dialect.ts';
import type { FulfillmentOrderRow, OrderLineRow, Tables } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusOf } from '../shared/status.ts';
import {
  ITEMS_SHOWN,
  type NodeOrder,
  NodeOrders,
  NodeOrdersQuery,
  ORDERS_DEFAULT,
  type OrderView,
} from './orders-schema.ts';

export const listNodeOrders = readOperation({
  id: 'listNodeOrders',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/orders',
  summary: 'List the open orders of a node',
  description: `Lists the orders of a node that wait for work or for their customer, with due time, place, units, first items and the user who has the ticket of the order. The order that is due first comes first; orders without a due time come last.

- \`view\` selects orders that need attention. \`text\` finds an order by a part of its number, by names, by the town to which its goods go, or by an e-mail address.
- \`queueId\` finds the orders on a queue, \`holdLocation\` the orders whose goods are at a place.
- The list has no ended orders. Find them with the order search.
- A credential that is limited to stores gets the orders of its stores.`,
  access: {
    auth: 'operatorOrApiKey',
    group: 'fulfillment',
    permission: 'fulfillment.read',
    reveals: ({ orders }: { orders: readonly { fulfillmentOrderId: string }[] }) =>
      orders.map((order) => order.fulfillmentOrderId),
  },
  message: {
    query: NodeOrdersQuery,
    replies: { 200: { description: 'A page of orders', schema: NodeOrders } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { clientId, node, query }) {
      const limit = Number(query.limit ?? ORDERS_DEFAULT);
      const place = { clientId, nodeId: node.node_id };
      const isShort = query.queueId !== undefined && (await isShortQueue(ctx, place, query.queueId));
      const rows = await selectDue(ctx, place, query, isShort)
        .limit(limit + 1)
        .execute();
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return reply(200, {
        orders: await show(ctx, clientId, page),
        ...(rows.length > limit && { next: `${last!.sla_at ?? NEVER}.${last!.fulfillment_order_id}` }),
      });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/orders?view=READY' },
});

/** An instant after every due time, so that orders without a due time come last. */
const NEVER = 9_000_000_000_000_000;
const DUE = sql<number>`coalesce(sla_at, ${sql.lit(NEVER)})`;

/** Reads a cursor. The schema has already checked its form. */
function cursorOf(after: string): { due: number; orderId: string } {
  const point = after.indexOf('.');
  return { due: Number(after.slice(0, point)), orderId: after.slice(point + 1) };
}

interface Place {
  clientId: string;
  nodeId: string;
}

/** Maximum number of orders on a queue whose orders are read by their queue and sorted. */
const SORTED_MAX = 2_000;

/** Returns whether the orders of a queue are few. It counts them in an index and reads no order. */
async function isShortQueue(ctx: ReadCtx, { clientId, nodeId }: Place, queueId: string): Promise<boolean> {
  const beyond = await ctx.db
    .selectFrom('fulfillment_orders')
    .select('fulfillment_order_id')
    .where('client_id', '=', clientId)
    .where('store_id', 'in', storesOf(ctx.db, clientId))
    .where('node_id', '=', nodeId)
    .where('queue_id', '=', queueId)
    .limit(1)
    .offset(SORTED_MAX)
    .execute();
  return beyond.length === 0;
}

function storesOf(db: ReadCtx['db'], clientId: string) {
  return db.selectFrom('stores').select('store_id').where('client_id', '=', clientId);
}

/**
 * Selects open orders, the earliest due first. The index `fulfillment_orders_by_due` has this order, with all open
 * orders of the node. The orders of a hold location come from the indexes `fulfillment_orders_by_hold` and
 * `fulfillment_orders_by_saved_hold`, those of a short queue from `fulfillment_orders_by_queue`; they are sorted.
 */
export function selectDue(
  ctx: Pick<ReadCtx, 'db' | 'dialect' | 'actor' | 'sealer' | 'now'>,
  { clientId, nodeId }: Place,
  query: NodeOrdersQuery,
  isShort = false,
) {
  const { view = 'OPEN', fulfillmentType, queueId, holdLocation, text, after } = query;
  const cursor = after === undefined ? undefined : cursorOf(after);
  let all = ctx.db
    .selectFrom('fulfillment_orders')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('queue_id', 'is not', null);
  const { storeIds } = ctx.actor;
  if (storeIds) all = all.where('store_id', 'in', ctx.dialect.listOf(storeIds, 'text'));
  // The store is the first column of the index by queue after the client.
  else if (isShort) all = all.where('store_id', 'in', storesOf(ctx.db, clientId));
  all = VIEWS[view](all, ctx.now);
  if (fulfillmentType !== undefined) all = all.where('fulfillment_type', '=', fulfillmentType);
  if (queueId !== undefined) all = all.where('queue_id', '=', queueId);
  // The sum keeps SQLite from the index by due time, which has all open orders of the node.
  const by = holdLocation === undefined && !isShort ? DUE : sql<number>`${DUE} + 0`;
  if (holdLocation !== undefined) {
    all = all.where('fulfillment_id', 'in', numbersAt(ctx.db, { clientId, nodeId }, holdLocation));
  }
  if (text !== undefined) all = all.where((eb) => eb.and(conditionsOf(eb, { text }, { ...ctx, clientId })));
  if (cursor !== undefined) {
    const { due, orderId } = cursor;
    all = all.where(sql<boolean>`${by} >= ${due} and (${by} > ${due} or fulfillment_order_id > ${orderId})`);
  }
  return all.orderBy(by).orderBy('fulfillment_order_id');
}

/** Selects the numbers of the orders at a place, also at a place that a check-in has saved. */
function numbersAt(db: ReadCtx['db'], { clientId, nodeId }: Place, place: string) {
  const all = db
    .selectFrom('fulfillment_orders')
    .select('fulfillment_id')
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId);
  const saved = all.where('checkin_hold_location', '=', place).where(IS_SAVED);
  return all.where('hold_location', '=', place).where(AT_NODE).unionAll(saved);
}

type Found = SelectQueryBuilder<Tables, 'fulfillment_orders', FulfillmentOrderRow>;

const VIEWS: Record<OrderView, (all: Found, now: number) => Found> = {
  OPEN: (all) => all,
  LATE: (all, now) => all.where(DUE, '<=', now).where('status', '<>', State.READY_FOR_PICKUP),
  READY: (all) => all.where('status', '=', State.READY_FOR_PICKUP),
  NOT_COLLECTED: (all, now) => all.where(DUE, '<=', now).where('status', '=', State.READY_FOR_PICKUP),
  // Orders with goods to bring back are not handed over, so their PIN does not matter. `state.ts` leaves them out too.
  PIN_LOCKED: (all, now) => all.where('pin_locked_until', '>', now).where('status', '<>', State.GOODS_TO_RETURN),
};

async function show(ctx: ReadCtx, clientId: string, orders: readonly FulfillmentOrderRow[]): Promise<NodeOrder[]> {
  const ids = orders.map((order) => order.fulfillment_order_id);
  const settings = await findSettings(ctx.db, clientId);
  const totals = await findTotals(ctx, clientId, ids);
  const lines = Map.groupBy(await findLines(ctx, clientId, ids), (line) => line.fulfillment_order_id);
  const holders = await findHolders(ctx, clientId, orders);
  const tickets = await findTicketIds(ctx, orders.filter(isOnTicket));
  return orders.map((order) => {
    const { lines: count, units } = totals.get(order.fulfillment_order_id)!;
    const own = lines.get(order.fulfillment_order_id) ?? [];
    return {
      ...plain(order, settings),
      ...(tickets.has(order.fulfillment_order_id) && { pickTicketId: tickets.get(order.fulfillment_order_id)! }),
      ...holders.get(order.pick_ticket_id ?? ''),
      units,
      lines: count,
      items: itemsOf(own),
    };
  });
}

/** Returns whether an open ticket has the order: a pick ticket, or the reverse ticket of a canceled order. */
function isOnTicket({ status }: FulfillmentOrderRow): boolean {
  return status === State.PICKING || status === State.GOODS_TO_RETURN;
}

function plain(order: FulfillmentOrderRow, settings: Settings) {
  const { customer, destinations, shippingAddress } = contactsOf(order);
  const place = locationOf(order);
  const home = destinations.find(({ destinationId }) => destinationId === shippingAddress.destinationId);
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    storeId: order.store_id,
    webOrderId: order.web_order_id,
    omsOrderId: order.oms_order_id,
    fulfillmentType: order.fulfillment_type,
    ...statusOf(settings, order.status),
    queueId: order.queue_id!,
    queuedDate: formatDateTime(order.queued_at),
    ...(order.sla_at !== null &&
      order.sla_type !== null && { slaDate: { slaTypeId: order.sla_type, value: formatDateTime(order.sla_at) } }),
    orderDate: formatDateTime(order.order_date),
    currency: order.currency,
    ...(place !== null && { holdLocation: place }),
    ...(order.pin_locked_until !== null && { pinLockedUntil: formatDateTime(order.pin_locked_until) }),
    customer,
    ...(home?.address?.city !== undefined && { city: home.address.city }),
  };
}

function itemsOf(lines: readonly OrderLineRow[]): NodeOrder['items'] {
  return lines
    .filter((line) => leftUnits(line) > 0)
    .slice(0, ITEMS_SHOWN)
    .map((line) => {
      const { itemDetails, imageUrl } = readJson(line.snapshot);
      return {
        itemId: line.item_id,
        itemDesc: itemDetails.itemDesc,
        quantity: leftUnits(line),
        ...(imageUrl !== undefined && { imageUrl }),
      };
    });
}

/** Returns the users of the open pick tickets of orders, by ticket. */
async function findHolders(
  { db, dialect }: { db: ReadCtx['db']; dialect: Dialect },
  clientId: string,
  orders: readonly FulfillmentOrderRow[],
): Promise<Map<string, { userId: string; userName?: string }>> {
  const ticketIds = orders.flatMap((order) => (order.status === State.PICKING ? (order.pick_ticket_id ?? []) : []));
  if (ticketIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('pick_tickets as ticket')
    .leftJoin('users as person', (join) =>
      join.onRef('person.client_id', '=', 'ticket.client_id').onRef('person.user_id', '=', 'ticket.user_id'),
    )
    .select(['ticket.pick_ticket_id', 'ticket.user_id', 'person.name'])
    .where('ticket.client_id', '=', clientId)
    .where('ticket.pick_ticket_id', 'in', dialect.listOf(ticketIds, 'text'))
    .where('ticket.user_id', '<>', '')
    .execute();
  return new Map(
    rows.map((row) => [row.pick_ticket_id, { userId: row.user_id, ...(row.name !== null && { userName: row.name }) }]),
  );
}
