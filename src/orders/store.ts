/** Rows of fulfillment orders: reading them, and the guarded move from one state to the next. */
import { sql } from 'kysely';
import { closeAlert, closeAlerts, mayHaveAlert } from '../alerts/store.ts';
import type { Ctx, ReadCtx } from '../ctx.ts';
import { type Calendar, calendarOf } from '../sla/calendar.ts';
import type { NodeSettings } from '../sla/engine.ts';
import type { Reader, Writer } from '../storage/db.ts';
import type { BoundText, Columns, Dialect } from '../storage/dialect.ts';
import { change, changeOf, statement } from '../storage/statement.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../storage/tables.ts';
import { type Settings, type SlaStep, settingsOf } from '../values.ts';
import type { OrderState, Standing } from './lifecycle.ts';
import type { Contact, Destination, DestinationReference, Instructions } from './shapes.ts';
import { LEFT_UNITS, type Requested } from './units.ts';

/** People and addresses of an order, as sent. */
export interface Contacts {
  customer: Contact;
  proxyDetails?: Contact;
  destinations: Destination[];
  billToAddress: DestinationReference;
  shippingAddress: DestinationReference;
  shipFromAddress?: DestinationReference;
}

export type { ItemDetails, Snapshot } from './snapshot.ts';

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

/** Several orders of the client by id, sorted by id (the order in which they are locked; docs/decisions/118). */
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

/** Lines of several orders in (order, line) order. */
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

/** What the customer asked for a line; none once the customer's data is blanked. */
export function instructionsOf(line: Pick<OrderLineRow, 'instructions'>): Instructions {
  return line.instructions === null ? [] : (JSON.parse(line.instructions) as Instructions);
}

export function contactsOf(order: FulfillmentOrderRow): Contacts {
  return JSON.parse(order.contacts) as Contacts;
}

/** What a move writes beside the standing. */
export interface MoveColumns {
  pick_ticket_id?: string | null;
  hold_location?: string | null;
  checkin_hold_location?: string | null;
  pin_attempts?: number;
  pin_locked_until?: number | null;
}

/**
 * Moves one order on, if it still is as it was read: the guard is its status and revision, so of two writers one wins
 * (docs/decisions/191). Answers whether this one did. An order that leaves its step leaves its alert behind.
 */
export async function moveOrder(
  tx: Writer,
  order: FulfillmentOrderRow,
  standing: Standing,
  now: number,
  columns: MoveColumns = {},
): Promise<boolean> {
  const { client_id: clientId, fulfillment_order_id: orderId, status: before, revision: seen } = order;
  const set = { ...standing, ...columns, revision: seen + 1, updated_at: now };
  const { count } = await updateOrder(tx, { clientId, orderId, before, seen }, set);
  if (count !== 1) return false;
  if (leavesAlert(order, standing, now)) await closeAlert(tx, order, now);
  return true;
}

/** Whether a move may leave an alert of the order's step behind. */
function leavesAlert(order: FulfillmentOrderRow, standing: Standing, now: number): boolean {
  const isSameStep = standing.sla_type === order.sla_type && standing.queued_at === order.queued_at;
  return !isSameStep && mayHaveAlert(order, now);
}

const updateOrder = changeOf(
  (
    db,
    { clientId, orderId, before, seen }: { clientId: string; orderId: string; before: number; seen: number },
    columns: Partial<FulfillmentOrderRow>,
  ) =>
    db
      .updateTable('fulfillment_orders')
      .set(columns)
      .where('client_id', '=', clientId)
      .where('fulfillment_order_id', '=', orderId)
      .where('status', '=', before)
      .where('revision', '=', seen),
);

/** Where a move leads. */
export interface Move {
  order: FulfillmentOrderRow;
  standing: Standing;
  /** Where the order waits, or null. */
  holdLocation: string | null;
}

/** What is written of an order that moves with others. */
type Moved = Pick<FulfillmentOrderRow, 'fulfillment_order_id' | 'hold_location' | keyof Standing> & {
  before: number;
  seen: number;
};

const MOVED_COLUMNS: Columns<Moved> = {
  fulfillment_order_id: 'text',
  status: 'integer',
  queue_id: 'text',
  queued_at: 'integer',
  sla_type: 'text',
  sla_at: 'integer',
  due_at: 'integer',
  ended_at: 'integer',
  hold_location: 'text',
  before: 'integer',
  seen: 'integer',
};

/** Moves several orders of the client as `moveOrder` does each, with one statement. Answers whether all of them moved. */
export async function moveOrders(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now'>,
  clientId: string,
  moves: readonly Move[],
): Promise<boolean> {
  const rows = moves.map(
    ({ order, standing, holdLocation }): Moved => ({
      ...standing,
      fulfillment_order_id: order.fulfillment_order_id,
      hold_location: holdLocation,
      before: order.status,
      seen: order.revision,
    }),
  );
  const moved = ctx.dialect.rowsText(rows, MOVED_COLUMNS);
  if ((await updateOrders(ctx.db, { clientId, now: ctx.now, moved })).count !== moves.length) return false;
  const left = moves.filter(({ order, standing }) => leavesAlert(order, standing, ctx.now));
  await closeAlerts(
    ctx,
    clientId,
    left.map(({ order }) => order.fulfillment_order_id),
  );
  return true;
}

const updateOrders = change(
  (db, { clientId, now, moved }: { clientId: string; now: number; moved: BoundText }, dialect) =>
    db
      .with(
        (cte) => cte('moved').materialized(),
        () => dialect.rowsOf<Moved>(moved, MOVED_COLUMNS),
      )
      .updateTable('fulfillment_orders')
      .from('moved')
      .set((eb) => ({
        status: eb.ref('moved.status'),
        queue_id: eb.ref('moved.queue_id'),
        queued_at: eb.ref('moved.queued_at'),
        sla_type: eb.ref('moved.sla_type'),
        sla_at: eb.ref('moved.sla_at'),
        due_at: eb.ref('moved.due_at'),
        ended_at: eb.ref('moved.ended_at'),
        hold_location: eb.ref('moved.hold_location'),
        revision: eb('fulfillment_orders.revision', '+', 1),
        updated_at: now,
      }))
      .where('fulfillment_orders.client_id', '=', clientId)
      .whereRef('fulfillment_orders.fulfillment_order_id', '=', 'moved.fulfillment_order_id')
      .whereRef('fulfillment_orders.status', '=', 'moved.before')
      .whereRef('fulfillment_orders.revision', '=', 'moved.seen'),
);

/** The next number of a client's sequence: tickets, slips, orders. Numbers start at `first` and have no holes but those of voided work. */
export async function nextNumber(
  tx: Writer,
  clientId: string,
  name: string,
  first: number,
  count = 1,
): Promise<number> {
  const { rows } = await raiseCounter(tx, { clientId, name, value: first + count - 1, count });
  return rows[0]!.value - count + 1;
}

const raiseCounter = change(
  (db, { clientId, name, value, count }: { clientId: string; name: string; value: number; count: number }) =>
    db
      .insertInto('counters')
      .values({ client_id: clientId, name, value })
      .onConflict((conflict) =>
        conflict.columns(['client_id', 'name']).doUpdateSet((eb) => ({ value: eb('counters.value', '+', count) })),
      )
      .returning('value'),
);

/** Where an order stands, as its row says. */
export function standingOf(order: FulfillmentOrderRow): Standing {
  const { queue_id, queued_at, sla_at, due_at, ended_at } = order;
  const [status, sla_type] = [stateOf(order), order.sla_type as SlaStep | null];
  return { status, queue_id, queued_at, sla_type, sla_at, due_at, ended_at };
}

/** Status of a row as the type of the tables in lifecycle.ts. */
export function stateOf(order: Pick<FulfillmentOrderRow, 'status'>): OrderState {
  return order.status as OrderState;
}

/**
 * An order of the node, locked until the transaction ends: a write that decides from several of its rows starts here, so
 * that two writers of one order queue up on both engines (docs/decisions/191). It changes nothing.
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
 * Several orders of the client by id, sorted by id and locked until the transaction ends, as they are then: whoever decides
 * from rows of several orders starts here (docs/decisions/191). The lock of a ticket comes before those of its orders.
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

/** The client's settings over the defaults. */
export async function findSettings(db: Reader, clientId: string): Promise<Settings> {
  const [client] = await selectSettings(db, { clientId });
  return settingsOf(client!);
}

const selectSettings = statement((db, { clientId }: { clientId: string }) =>
  db.selectFrom('clients').select('settings').where('client_id', '=', clientId),
);

const atNodes = new WeakMap<Settings, Map<string, Promise<NodeSettings>>>();

/** The settings together with the calendar of an order's node, which is read once for a settings object. */
export function atNode(
  db: Reader,
  settings: Settings,
  { client_id: clientId, node_id: nodeId }: Pick<FulfillmentOrderRow, 'client_id' | 'node_id'>,
): Promise<NodeSettings> {
  let known = atNodes.get(settings);
  if (known === undefined) {
    known = new Map();
    atNodes.set(settings, known);
  }
  let found = known.get(nodeId);
  if (found === undefined) {
    found = findCalendar(db, clientId, nodeId).then((calendar) => ({ ...settings, calendar }));
    known.set(nodeId, found);
  }
  return found;
}

async function findCalendar(db: Reader, clientId: string, nodeId: string): Promise<Calendar> {
  const [node] = await selectCalendar(db, { clientId, nodeId });
  return calendarOf(node!);
}

const selectCalendar = statement((db, { clientId, nodeId }: { clientId: string; nodeId: string }) =>
  db
    .selectFrom('nodes')
    .select(['time_zone', 'opening_hours', 'holidays'])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId),
);

/** The calendars of several of the client's nodes, by node id. */
export async function findCalendars(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  nodeIds: readonly string[],
): Promise<Map<string, Calendar>> {
  const nodes = await selectCalendars(ctx.db, { clientId, nodeIds: ctx.dialect.listText([...new Set(nodeIds)]) });
  return new Map(nodes.map((node) => [node.node_id, calendarOf(node)]));
}

const selectCalendars = statement((db, { clientId, nodeIds }: { clientId: string; nodeIds: BoundText }, dialect) =>
  db
    .selectFrom('nodes')
    .select(['node_id', 'time_zone', 'opening_hours', 'holidays'])
    .where('client_id', '=', clientId)
    .where('node_id', 'in', dialect.listOf<string>(nodeIds, 'text')),
);

/** What is still to hand on of an order (docs/interface.md#search-a-queue). */
export interface Totals {
  /** Lines with such a unit. */
  lines: number;
  /** `leftUnits` of all lines. */
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
      sql<number>`cast(sum(${LEFT_UNITS}) as bigint)`.as('units'),
      sql<number>`cast(sum(case when ${LEFT_UNITS} > 0 then 1 else 0 end) as bigint)`.as('lines'),
    ])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
    .groupBy('fulfillment_order_id')
    .execute();
  return new Map(rows.map(({ fulfillment_order_id: orderId, ...totals }) => [orderId, totals]));
}

/** The packages of an order: those it arrived in, or those it was packed in. */
export interface Parcels {
  packages: number;
  /** In the order of the packages; one that has none yet is left out. */
  trackingNumbers: string[];
}

/** Packages of several orders of the client, by order id; an order without any is not there. Voided ones do not count. */
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

/** Declined units of an order that another node may still serve, and those that one serves, by its re-source requests. */
export async function findRequested(
  db: Reader,
  order: Pick<FulfillmentOrderRow, 'client_id' | 'fulfillment_order_id'>,
): Promise<Requested> {
  const { client_id: clientId, fulfillment_order_id: orderId } = order;
  const sums = new Map((await sumRequested(db, { clientId, orderId })).map(({ status, units }) => [status, units]));
  return { resourceable: sums.get('OPEN') ?? 0, resourced: sums.get('RESOURCED') ?? 0 };
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
