/** Rows of fulfillment orders: reading them, and the guarded move from one state to the next. */
import { sql } from 'kysely';
import type { ReadCtx } from '../ctx.ts';
import type { Numeric } from '../decimal.ts';
import type { Reader, Writer } from '../storage/db.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../storage/tables.ts';
import { type Settings, settingsOf } from '../values.ts';
import type { OrderState, Standing } from './lifecycle.ts';
import type { Contact, Destination, DestinationReference, Measure } from './shapes.ts';

/** People and addresses of an order, as sent. */
export interface Contacts {
  customer: Contact;
  proxyDetails?: Contact;
  destinations: Destination[];
  billToAddress: DestinationReference;
  shippingAddress: DestinationReference;
  shipFromAddress?: DestinationReference;
}

/** What a line keeps of its item, so that deleting the item never breaks the order (design 7). */
export interface Snapshot {
  itemDetails: ItemDetails;
  /** Shipping dimensions of one unit, where the item had them. */
  weight?: Measure;
  volume?: { unit: string; width: Numeric; length: Numeric; height: Numeric };
}

/** The item as a pick ticket shows it; a member the item lacked is "" (decisions, table C). */
export interface ItemDetails {
  itemId: string;
  itemDesc: string;
  color: string;
  colorCode: string;
  size: string;
  sizeCode: string;
  style: string;
  upcs: { type: string; value: string }[];
}

/** An order of the store, or undefined. */
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

/** Several orders of the client by id, sorted by id (the order in which they are locked; decision 3). */
export function findOrders(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  orderIds: readonly string[],
): Promise<FulfillmentOrderRow[]> {
  return ctx.db
    .selectFrom('fulfillment_orders')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
    .orderBy('fulfillment_order_id')
    .execute();
}

/** Lines of several orders in (order, line) order. */
export function findLines(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  orderIds: readonly string[],
): Promise<OrderLineRow[]> {
  return ctx.db
    .selectFrom('order_lines')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
    .orderBy('fulfillment_order_id')
    .orderBy('line_index')
    .execute();
}

export function contactsOf(order: FulfillmentOrderRow): Contacts {
  return JSON.parse(order.contacts) as Contacts;
}

/** What a move writes beside the standing. */
export interface MoveColumns {
  pick_ticket_id?: string | null;
  hold_location?: string | null;
}

/**
 * Moves one order on, if it still is as it was read: the guard is its status and revision, so of two writers one wins
 * (decision 3). Answers whether this one did.
 */
export async function moveOrder(
  tx: Writer,
  order: FulfillmentOrderRow,
  standing: Standing,
  now: number,
  columns: MoveColumns = {},
): Promise<boolean> {
  const result = await tx
    .updateTable('fulfillment_orders')
    .set({ ...standing, ...columns, revision: order.revision + 1, updated_at: now })
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .where('status', '=', order.status)
    .where('revision', '=', order.revision)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** The next number of a client's sequence: tickets, slips, orders. Numbers start at `first` and have no holes but those of voided work. */
export async function nextNumber(
  tx: Writer,
  clientId: string,
  name: string,
  first: number,
  count = 1,
): Promise<number> {
  const row = await tx
    .insertInto('counters')
    .values({ client_id: clientId, name, value: first + count - 1 })
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'name']).doUpdateSet((eb) => ({ value: eb('counters.value', '+', count) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value - count + 1;
}

/** Status of a row as the type of the tables in lifecycle.ts. */
export function stateOf(order: Pick<FulfillmentOrderRow, 'status'>): OrderState {
  return order.status as OrderState;
}

/**
 * An order of the node, locked until the transaction ends: a write that decides from several of its rows starts here, so
 * that two writers of one order queue up on both engines (decision 3). It changes nothing.
 */
export function lockOrder(
  tx: Writer,
  key: { clientId: string; storeId: string; nodeId: string; orderId: string },
): Promise<FulfillmentOrderRow | undefined> {
  return tx
    .updateTable('fulfillment_orders')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .where('client_id', '=', key.clientId)
    .where('fulfillment_order_id', '=', key.orderId)
    .where('store_id', '=', key.storeId)
    .where('node_id', '=', key.nodeId)
    .returningAll()
    .executeTakeFirst();
}

/** The client's settings over the defaults. */
export async function findSettings(db: Reader, clientId: string): Promise<Settings> {
  const client = await db
    .selectFrom('clients')
    .select('settings')
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  return settingsOf(client);
}

/** What is still to hand on of an order (decision 31). */
export interface Totals {
  /** Lines with a unit that is not declined. */
  lines: number;
  /** Units that are not declined. */
  units: number;
}

/** Totals of several orders of the client, by order id. */
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
      sql<number>`cast(sum(ordered - declined) as bigint)`.as('units'),
      sql<number>`cast(sum(case when ordered > declined then 1 else 0 end) as bigint)`.as('lines'),
    ])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
    .groupBy('fulfillment_order_id')
    .execute();
  return new Map(rows.map(({ fulfillment_order_id: orderId, ...totals }) => [orderId, totals]));
}

/** Tracking numbers of several orders' packages in the order of the packages, by order id. */
export async function findTrackingNumbers(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  orderIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('checkin_packages')
    .select(['fulfillment_order_id', 'tracking_number'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
    .orderBy('fulfillment_order_id')
    .orderBy('package_index')
    .execute();
  const numbers = new Map<string, string[]>();
  for (const { fulfillment_order_id: orderId, tracking_number: number } of rows) {
    const known = numbers.get(orderId);
    if (known === undefined) numbers.set(orderId, [number]);
    else known.push(number);
  }
  return numbers;
}
