/** Reads and locks rows of fulfillment orders. */
import { sql } from 'kysely';
import { type Actor, type Ctx, isWithout, type ReadCtx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import type { Reader, Writer } from '../platform/storage/db.ts';
import type { BoundText, Dialect } from '../platform/storage/dialect.ts';
import { change, statement } from '../platform/storage/statement.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { Contact, Destination, DestinationReference, Instructions } from '../shared/shapes.ts';
import { State } from './states.ts';
import { LEFT_UNITS } from './units.ts';

/** People and addresses of an order, as sent. */
export interface Contacts {
  customer: Contact;
  proxyDetails?: Contact;
  destinations: Destination[];
  billToAddress: DestinationReference;
  shippingAddress: DestinationReference;
  shipFromAddress?: DestinationReference;
}

export type { Snapshot } from '../shared/snapshot.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    Contacts: Contacts;
  }
}

/** Whether a user's permissions cover orders of all types. */
export function readsAllTypes(actor: Actor): boolean {
  return !isWithout(actor, 'fulfillment.read') || !isWithout(actor, 'orders.change');
}

/** Whether a user's permissions cover an order. A user with only checkin.read can read only SHIP_TO_STORE orders. */
export function isOfWork(actor: Actor, { fulfillment_type }: Pick<FulfillmentOrderRow, 'fulfillment_type'>): boolean {
  return readsAllTypes(actor) || fulfillment_type === 'SHIP_TO_STORE';
}

/** Returns an order of the store, or undefined. */
export function findOrder(
  db: Reader,
  clientId: string,
  storeId: string,
  orderId: string,
): Promise<FulfillmentOrderRow | undefined> {
  return db
    .selectFrom('fulfillment_orders')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .where('store_id', '=', storeId)
    .executeTakeFirst();
}

/** Returns orders of the client by id, sorted by id (the order in which they are locked). */
export function findOrders(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  orderIds: readonly string[],
): Promise<FulfillmentOrderRow[]> {
  return selectOrders(ctx.db, { clientId, orderIds: ctx.dialect.listText(orderIds) });
}

interface ByOrders {
  clientId: string;
  orderIds: BoundText;
}

function ordersOf(db: Reader, { clientId, orderIds }: ByOrders, dialect: Dialect) {
  return db
    .selectFrom('fulfillment_orders')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf<string>(orderIds, 'text'))
    .orderBy('fulfillment_order_id');
}

const selectOrders = statement(ordersOf);

/** Returns the lines of orders, sorted by order and line. */
export function findLines(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  orderIds: readonly string[],
): Promise<OrderLineRow[]> {
  return selectLines(ctx.db, { clientId, orderIds: ctx.dialect.listText(orderIds) });
}

const selectLines = statement((db, { clientId, orderIds }: ByOrders, dialect) =>
  db
    .selectFrom('order_lines')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf<string>(orderIds, 'text'))
    .orderBy('fulfillment_order_id')
    .orderBy('line_index'),
);

/**
 * Returns the customer's instructions for a line. After the customer's data is anonymized, the line has no
 * instructions.
 */
export function instructionsOf(line: Pick<OrderLineRow, 'instructions'>): Instructions {
  return line.instructions === null ? [] : readJson(line.instructions);
}

export function contactsOf(order: Pick<FulfillmentOrderRow, 'contacts'>): Contacts {
  return readJson(order.contacts);
}

/**
 * Locks an order of the node until the transaction ends, and returns the order; undefined if the node has no such
 * order. A write that depends on several rows of the order starts with this lock, so that two writers of one order run
 * one after the other on both engines. The lock changes no data.
 */
export async function lockOrder(tx: Writer, key: OrderKey): Promise<FulfillmentOrderRow | undefined> {
  return (await touchOrder(tx, key)).rows[0];
}

interface OrderKey {
  clientId: string;
  storeId: string;
  nodeId: string;
  orderId: string;
}

const touchOrder = change((db, { clientId, storeId, nodeId, orderId }: OrderKey) =>
  db
    .updateTable('fulfillment_orders')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .where('store_id', '=', storeId)
    .where('node_id', '=', nodeId)
    .returningAll(),
);

/**
 * Locks orders of the client until the transaction ends, and returns them sorted by id. A write that depends on several
 * orders begins with this lock. Lock a ticket before its orders.
 */
export function lockOrders(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  clientId: string,
  orderIds: readonly string[],
): Promise<FulfillmentOrderRow[]> {
  return selectOrdersToLock(ctx.db, { clientId, orderIds: ctx.dialect.listText(orderIds) });
}

const selectOrdersToLock = statement((db, wanted: ByOrders, dialect) =>
  ordersOf(db, wanted, dialect).modifyEnd(dialect.forUpdate),
);

/** Locks the orders of an open pick ticket until the transaction ends, and returns them sorted by id. */
export function lockOrdersOfTicket(
  ctx: Pick<Ctx, 'db'>,
  clientId: string,
  pickTicketId: string,
): Promise<FulfillmentOrderRow[]> {
  return selectOrdersOfTicket(ctx.db, { clientId, pickTicketId });
}

const selectOrdersOfTicket = statement(
  (db, { clientId, pickTicketId }: { clientId: string; pickTicketId: string }, dialect) =>
    db
      .selectFrom('fulfillment_orders')
      .selectAll()
      .where('client_id', '=', clientId)
      // The lines of the ticket name its orders, so no index of orders by ticket is necessary.
      .where('fulfillment_order_id', 'in', (eb) =>
        eb
          .selectFrom('pick_ticket_lines as line')
          .select('line.fulfillment_order_id')
          .where('line.client_id', '=', clientId)
          .where('line.pick_ticket_id', '=', pickTicketId),
      )
      .where('pick_ticket_id', '=', pickTicketId)
      .where('status', '=', State.PICKING)
      .orderBy('fulfillment_order_id')
      .modifyEnd(dialect.forUpdate),
);

/** The units that the customer is still to get. */
export interface Totals {
  /** Number of lines with at least one remaining unit (`leftUnits`). */
  lines: number;
  /** Sum of `leftUnits` over all lines. */
  units: number;
}

/** Returns the totals of orders of the client, by order id. */
export async function findTotals(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  orderIds: readonly string[],
): Promise<Map<string, Totals>> {
  if (orderIds.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('order_lines')
    .select([
      'fulfillment_order_id',
      sql<number>`cast(sum(${LEFT_UNITS}) as bigint)`.as('units'),
      sql<number>`cast(sum(case when ${LEFT_UNITS} > 0 then 1 else 0 end) as bigint)`.as('lines'),
    ])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
    .groupBy('fulfillment_order_id')
    .execute();
  return new Map(rows.map(({ fulfillment_order_id: orderId, ...totals }) => [orderId, totals]));
}

/** The packages of an order: packed packages, or the announced packages of a ship-to-store order. */
export interface Parcels {
  packages: number;
  /** The tracking numbers in the order of the packages; packages without a tracking number are left out. */
  trackingNumbers: string[];
}

/**
 * Returns the packages of orders of the client, by order id, without voided packages. Orders without packages are
 * absent.
 */
export async function findParcels(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  orderIds: readonly string[],
): Promise<Map<string, Parcels>> {
  if (orderIds.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('packages')
    .select(['fulfillment_order_id', 'package_index', 'tracking_number'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('package_items')
          .select('package_items.line_index')
          .where('package_items.client_id', '=', clientId)
          .whereRef('package_items.fulfillment_order_id', '=', 'packages.fulfillment_order_id')
          .whereRef('package_items.package_index', '=', 'packages.package_index'),
      ),
    )
    .unionAll((eb) =>
      eb
        .selectFrom('checkin_packages')
        .select(['fulfillment_order_id', 'package_index', 'tracking_number'])
        .where('client_id', '=', clientId)
        .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text')),
    )
    .orderBy('fulfillment_order_id')
    .orderBy('package_index')
    .execute();
  const found = new Map<string, Parcels>();
  for (const { fulfillment_order_id: orderId, tracking_number: number } of rows) {
    const parcels = found.get(orderId) ?? { packages: 0, trackingNumbers: [] };
    parcels.packages += 1;
    if (number !== null) parcels.trackingNumbers.push(number);
    found.set(orderId, parcels);
  }
  return found;
}
