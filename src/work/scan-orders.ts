/** Orders, pick tickets, packages and hold locations that a scanned code identifies. */
import { sql } from 'kysely';
import { actionContextOf } from '../kernel/action-context.ts';
import { type ActionContext, orderActions, shown } from '../kernel/allowed.ts';
import { findOrders, isOfWork, readsAllTypes } from '../kernel/orders.ts';
import { State } from '../kernel/states.ts';
import { AT_NODE, IS_SAVED, locationOf } from '../kernel/tickets/hold-location.ts';
import { stateOfTicket, ticketActions } from '../kernel/tickets/states.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import { statement } from '../platform/storage/statement.ts';
import type { FulfillmentOrderRow, PickTicketRow } from '../platform/storage/tables.ts';
import { textWithoutIndex } from '../platform/storage/without-index.ts';
import type { FulfillmentType } from '../shared/client-settings.ts';
import { statusName } from '../shared/status.ts';

import { EACH_MAX, ofStore, type Scan } from './scan-matches.ts';
import { REVERSE_TICKETS_MAX } from './scan-schema.ts';
import { say } from './sentences.ts';

/** Finds orders of the node by any of their numbers. */
export async function findOrderMatches({ ctx, clientId, node, settings, text, found }: Scan): Promise<void> {
  const rows: FulfillmentOrderRow[] = [];
  for (const column of ['fulfillment_order_id', 'web_order_id', 'oms_order_id'] as const) {
    const some = await ctx.db
      .selectFrom('fulfillment_orders')
      .selectAll()
      .where('client_id', '=', clientId)
      .where(column, '=', text)
      // With the plain column `node_id`, SQLite would read all orders of the node. With `order by`, it would read all orders
      // of the client.
      .where(textWithoutIndex('node_id'), '=', node.node_id)
      .limit(EACH_MAX)
      .execute();
    rows.push(...some);
  }
  rows.sort((a, b) => (a.fulfillment_order_id < b.fulfillment_order_id ? -1 : 1));
  const seen = rows.filter(ofStore(ctx.actor)).filter((row) => isOfWork(ctx.actor, row));
  const orders = new Map(seen.map((row) => [row.fulfillment_order_id, row]));
  for (const order of orders.values()) {
    const context = await actionContextOf(ctx, order);
    found.matches.push({
      kind: 'ORDER',
      id: order.fulfillment_order_id,
      label: say('Order {webOrderId}, {fulfillmentType}', {
        webOrderId: order.web_order_id,
        fulfillmentType: order.fulfillment_type,
      }),
      state: statusName(settings, order.status),
      status: String(order.status),
      fulfillmentType: order.fulfillment_type as FulfillmentType,
      allowedActions: orderActions(context, settings),
      storeId: order.store_id,
      ...(context.pickTicketId && { pickTicketId: context.pickTicketId }),
      ...heldAt(order, context),
    });
  }
}

export async function findTicketMatches({ ctx, clientId, node, text, found }: Scan): Promise<void> {
  const ticket: PickTicketRow | undefined = await ctx.db
    .selectFrom('pick_tickets')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', text)
    .where('node_id', '=', node.node_id)
    .executeTakeFirst();
  if (ticket === undefined || !ofStore(ctx.actor)(ticket)) return;
  const state = stateOfTicket(ticket);
  const of = ticket.user_id === '' ? say('without a user') : say('of {userId}', { userId: ticket.user_id });
  found.matches.push({
    kind: 'TICKET',
    id: ticket.pick_ticket_id,
    label: say('Pick ticket {pickTicketId} {of}, {totalQuantity} {totalQuantity|unit|units}', {
      pickTicketId: ticket.pick_ticket_id,
      of,
      totalQuantity: ticket.total_quantity,
    }),
    state,
    allowedActions: ticketActions(ticket),
    storeId: ticket.store_id,
    pickTicketType: ticket.pick_ticket_type,
  });
}

/**
 * Finds packages by tracking number: packed packages, and packages that wait for check-in. Senders use the number of a
 * pallet or tote for many orders and again later, so packages of ended orders come last.
 */
export async function findPackages({ ctx, clientId, node, settings, text, found }: Scan): Promise<void> {
  const all = await packagesAt(ctx, { clientId, nodeId: node.node_id, text });
  const rows = all.slice(0, EACH_MAX);
  if (all.length > rows.length) {
    const words = say('More than {count} packages have this tracking number; those of open orders are shown first.', {
      count: EACH_MAX,
    });
    found.warnings.push({ code: 'TOO_MANY', description: words });
  }
  const ids = [...new Set(rows.map((row) => row.fulfillment_order_id))];
  const orders = new Map((await findOrders(ctx, clientId, ids)).map((order) => [order.fulfillment_order_id, order]));
  for (const id of ids) {
    const order = orders.get(id)!;
    const context = await actionContextOf(ctx, order);
    const actions = orderActions(context, settings);
    const held = heldAt(order, context);
    for (const row of rows.filter((one) => one.fulfillment_order_id === id)) {
      found.matches.push({
        kind: 'PACKAGE',
        id: row.package_id,
        label: say('Package {packageId} of order {webOrderId}', {
          packageId: row.package_id,
          webOrderId: order.web_order_id,
        }),
        state: statusName(settings, order.status),
        status: String(order.status),
        fulfillmentType: order.fulfillment_type as FulfillmentType,
        allowedActions: actions,
        storeId: order.store_id,
        fulfillmentOrderId: order.fulfillment_order_id,
        trackingNumber: row.tracking_number!,
        ...(context.pickTicketId && { pickTicketId: context.pickTicketId }),
        ...held,
      });
    }
  }
}

/**
 * Returns packages with a tracking number, of orders at the node that the caller can read. Packages of open orders come
 * first, then the newest packages. Returns at most one more than `EACH_MAX`.
 */
function packagesAt(
  { db, dialect, actor }: ReadCtx,
  { clientId, nodeId, text }: { clientId: string; nodeId: string; text: string },
) {
  const storeIds = actor.storeIds ?? null;
  return (
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('packages')
          .select(['fulfillment_order_id', 'package_id', 'tracking_number'])
          .where('client_id', '=', clientId)
          .where('tracking_number', '=', text)
          .unionAll(
            eb
              .selectFrom('checkin_packages')
              .select(['fulfillment_order_id', 'check_in_package_id as package_id', 'tracking_number'])
              .where('client_id', '=', clientId)
              .where('tracking_number', '=', text),
          )
          .as('p'),
      )
      // SQLite keeps the order of a cross join; otherwise it could read all orders of the node.
      .crossJoin('fulfillment_orders as o')
      .select(['p.fulfillment_order_id', 'p.package_id', 'p.tracking_number'])
      .where('o.client_id', '=', clientId)
      .whereRef('o.fulfillment_order_id', '=', 'p.fulfillment_order_id')
      .where('o.node_id', '=', nodeId)
      .$if(storeIds !== null, (own) => own.where('o.store_id', 'in', dialect.listOf(storeIds!, 'text')))
      .$if(!readsAllTypes(actor), (own) => own.where('o.fulfillment_type', '=', 'SHIP_TO_STORE'))
      .orderBy(sql`o.ended_at is not null`)
      .orderBy('o.created_at', 'desc')
      .orderBy('p.fulfillment_order_id')
      .orderBy('p.package_id')
      .limit(EACH_MAX + 1)
      .execute()
  );
}

/** Finds a hold location of the node, with the number of its orders and the reverse tickets of ended ones. */
export async function findPlaces({ ctx, clientId, node, text, found }: Scan): Promise<void> {
  const all = await selectHeld(ctx.db, { clientId, nodeId: node.node_id, place: text });
  const rows = all.filter(ofStore(ctx.actor));
  const orders = new Set(rows.map((row) => row.fulfillment_order_id)).size;
  const reverseTickets = readsAllTypes(ctx.actor) ? reverseTicketsOf(rows) : [];
  const isKnown = readJson(node.hold_locations).includes(text);
  if (!isKnown && orders === 0) return;
  found.matches.push({
    kind: 'PLACE',
    id: text,
    label: say('Hold location {text}', { text }),
    state: orders === 0 ? 'EMPTY' : 'USED',
    allowedActions: [shown('search', orders === 0 ? say('no order has goods at this location') : undefined)],
    orders,
    ...(reverseTickets.length > 0 && { reverseTickets }),
  });
}

/** Returns the tickets of the orders that are at a place only by their ticket. */
function reverseTicketsOf(rows: Awaited<ReturnType<typeof selectHeld>>) {
  const held = new Set(rows.filter((row) => row.pick_ticket_id === null).map((row) => row.fulfillment_order_id));
  return rows
    .flatMap(({ pick_ticket_id: pickTicketId, store_id: storeId, fulfillment_order_id: fulfillmentOrderId }) =>
      pickTicketId === null || held.has(fulfillmentOrderId) ? [] : [{ pickTicketId, storeId, fulfillmentOrderId }],
    )
    .sort((a, b) => (a.pickTicketId < b.pickTicketId ? -1 : 1))
    .slice(0, REVERSE_TICKETS_MAX);
}

/** Returns the location of the goods. The column keeps the location after the goods have left. */
function heldAt(order: FulfillmentOrderRow, { units }: ActionContext): { holdLocation?: string } {
  const holdLocation = locationOf(order);
  const isThere = units.onHand > 0 || order.status === State.WAITING_FOR_CHECK_IN;
  return isThere && holdLocation !== null ? { holdLocation } : {};
}

/**
 * Selects the orders with goods at a place: held goods, goods of a saved check-in, or canceled units that an open
 * reverse ticket brings back. The order of a reverse ticket can have ended. The conditions on the status must equal the
 * conditions of the partial indexes.
 */
const selectHeld = statement((db, { clientId, nodeId, place }: { clientId: string; nodeId: string; place: string }) =>
  db
    .selectFrom('fulfillment_orders')
    .select(['fulfillment_order_id', 'store_id', sql<string | null>`cast(null as text)`.as('pick_ticket_id')])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('hold_location', '=', place)
    .where(AT_NODE)
    .unionAll(
      db
        .selectFrom('fulfillment_orders')
        .select(['fulfillment_order_id', 'store_id', sql<string | null>`cast(null as text)`.as('pick_ticket_id')])
        .where('client_id', '=', clientId)
        .where('node_id', '=', nodeId)
        .where('checkin_hold_location', '=', place)
        .where(IS_SAVED),
    )
    .unionAll(
      db
        .selectFrom('pick_tickets')
        .select(['fulfillment_order_id', 'store_id', 'pick_ticket_id'])
        .where('client_id', '=', clientId)
        .where('node_id', '=', nodeId)
        .where('hold_location', '=', place)
        .where('status', '<>', sql.lit('CLOSED' as const))
        .where('fulfillment_order_id', 'is not', null)
        .$narrowType<{ fulfillment_order_id: string }>(),
    ),
);
