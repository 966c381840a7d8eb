/**
 * Checks orders against the client's data and writes new orders, with few statements for any number of orders. Order
 * intake and the import use `checkOrders` and `insertOrders`.
 */

import { sql } from 'kysely';
import { type Effect, recordAll } from '../events/record.ts';
import type { Item } from '../items/schema.ts';
import { findItemBlocks } from '../kernel/item-blocks.ts';
import { LINE_COLUMNS } from '../kernel/new-lines.ts';
import { findOrders } from '../kernel/orders.ts';
import { positionIn } from '../kernel/position.ts';
import { findSettings } from '../kernel/settings.ts';
import { ENTRY_STATE, State } from '../kernel/states.ts';
import { NotAvailable, post } from '../kernel/stock.ts';
import { heldBy, heldUntil } from '../kernel/street-date.ts';
import { isOnItsWay } from '../kernel/units.ts';
import { nextNumbers } from '../platform/counters.ts';
import type { Ctx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { readJson } from '../platform/json-column.ts';
import type { FieldErrorSink } from '../platform/message/field-errors.ts';
import { parseJson, stringifyJson } from '../platform/message/json.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { BoundText, Columns } from '../platform/storage/dialect.ts';
import { insertInto, portions } from '../platform/storage/insert.ts';
import { change, statement } from '../platform/storage/statement.ts';
import type {
  CheckinPackageItemRow,
  CheckinPackageRow,
  FulfillmentOrderRow,
  NodeRow,
  OrderLineRow,
  StoreRow,
} from '../platform/storage/tables.ts';
import { isAskedFor, type Settings } from '../shared/client-settings.ts';
import { statusOf } from '../shared/status.ts';
import { type Calendar, calendarOf } from '../sla/calendar.ts';
import { addBundled, bundleOf } from './bundles.ts';
import { exchangeError, readExchanges } from './exchanges.ts';
import { differingMembers, lineRows, memberHashes, type NewOrderRow, orderRow, packageRows } from './intake-rows.ts';
import { checkOrder, type IntakeItem, type IntakeNode } from './intake-rules.ts';
import type { OrderIntake } from './intake-schema.ts';
import { snapshotOf } from './snapshot-of.ts';

/** An order that complies with every rule and does not exist yet. */
export interface NewOrder {
  outcome: 'new';
  order: OrderIntake;
  hashes: Record<string, string>;
  item: (itemId: string) => KeptItem;
}

/** An item with its snapshot as JSON text. */
interface KeptItem extends IntakeItem {
  text: OrderLineRow['snapshot'];
}

/**
 * The result of the check of an order. `new`: the order must be written. `same`: an order with the same id and content
 * exists, or is earlier in the same call. `differs`: an order with the same id has other values in the fields
 * `members`; `isWithin` is set if that order is earlier in the same call. `served`: the order is an exchange that the
 * order `other` serves already.
 */
export type CheckedOrder =
  | NewOrder
  | { outcome: 'same'; order: OrderIntake }
  | { outcome: 'differs'; order: OrderIntake; members: string[]; isWithin: boolean }
  | { outcome: 'served'; order: OrderIntake; other: string };

/**
 * The results of a check, in the order of the orders, and the data that the check has read, so that `insertOrders` does
 * not read it again.
 */
export interface CheckedOrders extends Known {
  orders: CheckedOrder[];
}

/** The settings of the client, and the calendars of the nodes of the orders. */
interface Known {
  settings: Settings;
  calendarAt: (nodeId: string) => Calendar;
}

/** State and queue of an order. */
export type PositionRow = Pick<FulfillmentOrderRow, 'fulfillment_order_id' | 'status' | 'queue_id' | 'due_at'>;

/** A written order, with the stock settings of its node at that moment. */
type WrittenRow = PositionRow & Pick<NodeRow, 'stock' | 'promise'>;

/** The part of the context that `checkOrders` needs. `actor` limits the nodes that orders can name. */
export type CheckCtx = Pick<Ctx, 'db' | 'dialect' | 'sealer' | 'actor' | 'now'>;

/**
 * Checks orders as if they had arrived one after another. `errors(index)` collects the errors of one order; their
 * pointers start at the order. A few statements read the data of all orders. The rules do not apply again to an order
 * that exists. The result is valid only if there are no errors, neither of the schema nor of the rules.
 */
export async function checkOrders(
  ctx: CheckCtx,
  store: StoreRow,
  orders: readonly ValidPart<OrderIntake>[],
  errors: (index: number) => FieldErrorSink,
): Promise<CheckedOrders> {
  const settings = await findSettings(ctx.db, store.client_id);
  const known = await contentOf(ctx, store, orders, settings.pin.required);
  const nodes = await readNodes(ctx, store.client_id, orders);
  const items = await readItems(ctx, store.client_id, orders, settings);
  const exchanges = await readExchanges(ctx, store, orders);
  const held = await findItemBlocks(ctx, store.client_id, [...nodes.keys()], [...items.keys()]);
  const world = {
    storeId: store.store_id,
    node: (nodeId: string) => nodes.get(nodeId),
    item: (itemId: string) => items.get(itemId),
    held,
    settings,
    now: ctx.now,
  };
  const checked = orders.map((sent, index): CheckedOrder => {
    const order = sent as OrderIntake;
    const hashes = memberHashes(ctx.sealer, store.client_id, order);
    const before = known.get(order.fulfillmentOrderId);
    if (before !== undefined && allows(ctx.actor.nodeIds, order.nodeId)) {
      const members =
        before.outOfReach ??
        differingMembers(ctx.sealer, store.client_id, before.hashes, order).filter(
          (member) => !(before.isPinSecret && member === 'pinNumber'),
        );
      if (members.length === 0) return { outcome: 'same', order };
      return { outcome: 'differs', order, members, isWithin: before.isWithin === true };
    }
    const found = errors(index);
    checkOrder(sent, world, found);
    const other = exchangeError(sent, exchanges, found);
    if (other !== undefined) return { outcome: 'served', order, other };
    if (found.isClean()) known.set(order.fulfillmentOrderId, { hashes, isWithin: true });
    return { outcome: 'new', order, hashes, item: (itemId) => items.get(itemId)! };
  });
  return { orders: checked, settings, calendarAt: (nodeId) => nodes.get(nodeId)!.calendar };
}

interface Content {
  hashes: Record<string, string>;
  /** Set if the order with the same id is earlier in the same call. */
  isWithin?: true;
  /**
   * The field (`storeId` or `nodeId`) with a value that the caller has no access to. No other field is then compared.
   */
  outOfReach?: string[];
  /**
   * Whether the PIN is not compared: a difference would reveal whether a PIN is correct, and wrong PINs are not counted
   * here.
   */
  isPinSecret?: boolean;
}

/** Returns the content of the orders that exist. */
async function contentOf(
  ctx: CheckCtx,
  store: StoreRow,
  orders: readonly ValidPart<OrderIntake>[],
  isPinSecret: boolean,
): Promise<Map<string, Content>> {
  const ids = [...new Set(orders.flatMap((order) => order.fulfillmentOrderId ?? []))];
  const rows = await findOrders(ctx, store.client_id, ids);
  return new Map(
    rows.map((row) => {
      const hashes = readJson(row.member_hashes);
      const outOfReach =
        row.store_id !== store.store_id ? ['storeId'] : allows(ctx.actor.nodeIds, row.node_id) ? undefined : ['nodeId'];
      return [row.fulfillment_order_id, { hashes, isPinSecret, ...(outOfReach && { outOfReach }) }];
    }),
  );
}

/** Returns the nodes that the orders name, without nodes that the caller has no access to. */
async function readNodes(
  ctx: CheckCtx,
  clientId: string,
  orders: readonly ValidPart<OrderIntake>[],
): Promise<Map<string, IntakeNode>> {
  const sent = new Set(orders.flatMap((order) => order.nodeId ?? []));
  const ids = [...sent].filter((id) => allows(ctx.actor.nodeIds, id));
  const rows = await selectNodes(ctx.db, { clientId, ids: ctx.dialect.listText(ids) });
  return new Map(
    rows.map((row) => {
      const { countryCode } = readJson(row.address);
      const fulfillmentTypes = readJson(row.fulfillment_types);
      return [row.node_id, { fulfillmentTypes, countryCode, calendar: calendarOf(row) }];
    }),
  );
}

/** Returns the items of the lines, each with its snapshot. */
async function readItems(
  ctx: CheckCtx,
  clientId: string,
  orders: readonly ValidPart<OrderIntake>[],
  settings: Settings,
): Promise<Map<string, KeptItem>> {
  const lines = orders.flatMap((order) => order.lines ?? []);
  const ids = [...new Set(lines.flatMap((line) => line?.itemId ?? []))];
  const rows = await selectItems(ctx.db, { clientId, ids: ctx.dialect.listText(ids) });
  const ordered = rows.map((row) => parseJson(row.doc));
  const all = new Map(ordered.map((item) => [item.itemId, item]));
  await addBundled(ctx, clientId, all);
  return new Map(ordered.map((item) => [item.itemId, keptItem(item, all, settings)]));
}

function keptItem(item: Item, all: ReadonlyMap<string, Item>, settings: Settings): KeptItem {
  const found = bundleOf(item, (itemId) => all.get(itemId));
  const isTooMuch = found === 'tooMany';
  const snapshot = snapshotOf(item, settings, isTooMuch ? undefined : found);
  return { item, snapshot, isTooMuch, text: stringifyJson(snapshot) };
}

interface ByIds {
  clientId: string;
  ids: BoundText;
}

const selectNodes = statement((db, { clientId, ids }: ByIds, dialect) =>
  db
    .selectFrom('nodes')
    .select(['node_id', 'fulfillment_types', 'address', 'time_zone', 'opening_hours', 'holidays'])
    .where('client_id', '=', clientId)
    .where('node_id', 'in', dialect.listOf<string>(ids, 'text')),
);

const selectItems = statement((db, { clientId, ids }: ByIds, dialect) =>
  db
    .selectFrom('items')
    .select(['item_id', 'doc'])
    .where('client_id', '=', clientId)
    .where('item_id', 'in', dialect.listOf<string>(ids, 'text')),
);

/**
 * Writes new orders with their lines, packages and events (`order.received`), reserves their units at nodes that keep
 * stock, and returns their states and queues. If an order is missing in the result, another transaction has written it
 * first (the primary key decides), and the caller checks the order again. If `asked` is set, the function rejects
 * orders for which a node with promise AVAILABLE has too few units.
 * @throws Refusal 409 NOT_AVAILABLE
 */
export async function insertOrders(
  ctx: Ctx,
  store: StoreRow,
  orders: readonly NewOrder[],
  { settings, calendarAt }: Known,
  { asked = true }: { asked?: boolean } = {},
): Promise<Map<string, PositionRow>> {
  if (orders.length === 0) return new Map();
  const { client_id: clientId, store_id: storeId } = store;
  const numbers = await nextNumbers(ctx, clientId, 'fulfillmentId', 1, orders.length);
  const rows = orders.map(({ order, hashes, item }, index) => {
    const type = order.fulfillmentType;
    const calendar = calendarAt(order.nodeId);
    const held = heldBy(
      order.lines.map((line) => item(line.itemId).snapshot),
      calendar,
      ctx.now,
    );
    const entering = {
      fulfillment_type: type,
      in_store: order.inStore === true ? 1 : 0,
      queue_id: null,
      queued_at: 0,
      due_at: held?.until ?? null,
    };
    const status = held === undefined ? ENTRY_STATE[type] : State.HELD;
    const position = positionIn({ ...settings, calendar }, entering, status, ctx.now);
    return orderRow(ctx, { clientId, storeId, number: numbers[index]! }, order, position, hashes);
  });
  const written = new Map<string, WrittenRow>();
  for (const some of portions(rows)) {
    for (const row of await insertNewOrders(ctx, clientId, some)) written.set(row.fulfillment_order_id, row);
  }
  const inserted = orders.filter(({ order }) => written.has(order.fulfillmentOrderId));
  await insertParts(ctx, clientId, inserted);
  const reserved = await reserveUnits(ctx, clientId, inserted, written, asked ? settings : undefined);
  const received = inserted.map(
    ({ order }): Effect => ({
      clientId,
      type: 'order.received',
      resource: 'order',
      resourceId: order.fulfillmentOrderId,
      revision: 1,
      data: receivedData(storeId, order, written.get(order.fulfillmentOrderId)!, settings),
    }),
  );
  await recordAll(ctx, [...received, ...reserved]);
  return written;
}

/**
 * Reserves the units of new orders at nodes that keep stock, one node after another. If `asking` is undefined, the
 * function does not check the availability.
 * @throws NotAvailable with the missing items of all nodes
 */
async function reserveUnits(
  ctx: Ctx,
  clientId: string,
  orders: readonly NewOrder[],
  written: ReadonlyMap<string, WrittenRow>,
  asking: Settings | undefined,
): Promise<Effect[]> {
  const kept = orders.filter(
    ({ order }) =>
      written.get(order.fulfillmentOrderId)!.stock === 'KEPT' &&
      !isOnItsWay({ fulfillment_type: order.fulfillmentType, in_store: order.inStore === true ? 1 : 0 }),
  );
  const byNode = [...Map.groupBy(kept, ({ order }) => order.nodeId)].sort(([a], [b]) => (a < b ? -1 : 1));
  const effects: Effect[] = [];
  const lacking: NotAvailable[] = [];
  for (const [nodeId, own] of byNode) {
    const isGuarded = written.get(own[0]!.order.fulfillmentOrderId)!.promise === 'AVAILABLE';
    const guards = isGuarded ? asking : undefined;
    const claims = own.flatMap(({ order, item }) =>
      order.lines.map(({ itemId, quantity }) => {
        return { itemId, units: quantity, guarded: guards !== undefined && isAskedFor(guards, item(itemId).item) };
      }),
    );
    try {
      effects.push(...(await post(ctx, { clientId, nodeId }, { claims })));
    } catch (error) {
      if (!(error instanceof NotAvailable)) throw error;
      lacking.push(error);
    }
  }
  if (lacking.length > 0) throw new NotAvailable(lacking.flatMap(({ items }) => items));
  return effects;
}

function receivedData(storeId: string, order: OrderIntake, position: PositionRow, settings: Settings) {
  return {
    storeId,
    nodeId: order.nodeId,
    fulfillmentType: order.fulfillmentType,
    ...statusOf(settings, position.status),
    queueId: position.queue_id,
    ...heldUntil(position),
    ...(order.carrierException === true && { carrierException: true }),
    lines: order.lines.length,
    units: order.lines.reduce((sum, line) => sum + line.quantity, 0),
  };
}

async function insertParts(ctx: Ctx, clientId: string, orders: readonly NewOrder[]): Promise<void> {
  const lines = orders.flatMap(({ order, item }) => lineRows(clientId, order, (itemId) => item(itemId).text));
  const parts = orders.map(({ order }) => packageRows(clientId, order));
  const packages = parts.flatMap((part) => part.packages);
  const items = parts.flatMap((part) => part.items);
  await insertLines(ctx, lines);
  await insertPackages(ctx, packages);
  await insertPackageItems(ctx, items);
}

const ORDER_COLUMNS: Columns<NewOrderRow> = {
  client_id: 'text',
  fulfillment_order_id: 'text',
  fulfillment_id: 'integer',
  store_id: 'text',
  node_id: 'text',
  oms_order_id: 'text',
  web_order_id: 'text',
  external_order_number: 'text',
  external_order_number2: 'text',
  fulfillment_type: 'text',
  status: 'integer',
  queue_id: 'text',
  queued_at: 'integer',
  sla_type: 'text',
  sla_at: 'integer',
  revision: 'integer',
  order_date: 'integer',
  fulfillment_order_date: 'integer',
  expected_delivery_date: 'integer',
  currency: 'text',
  carrier: 'text',
  service: 'text',
  ship_method: 'text',
  hold_location: 'text',
  pick_ticket_id: 'text',
  customer_name_key: 'text',
  customer_email_key: 'text',
  customer_phone_key: 'text',
  proxy_name_key: 'text',
  proxy_email_key: 'text',
  proxy_phone_key: 'text',
  key_form: 'integer',
  postal_code_key: 'text',
  pin_cipher: 'text',
  pin_hash: 'text',
  header_charges: 'text',
  header_tax: 'text',
  cash_on_delivery: 'text',
  carrier_exception: 'integer',
  in_store: 'integer',
  contacts: 'text',
  member_hashes: 'text',
  created_at: 'integer',
  updated_at: 'integer',
  due_at: 'integer',
  resourced_from: 'text',
  exchange_number: 'text',
  exchange_line: 'integer',
};

const PACKAGE_COLUMNS: Columns<CheckinPackageRow> = {
  client_id: 'text',
  fulfillment_order_id: 'text',
  package_index: 'integer',
  check_in_package_id: 'text',
  tracking_number: 'text',
  weight: 'text',
  volume: 'text',
};

const PACKAGE_ITEM_COLUMNS: Columns<CheckinPackageItemRow> = {
  client_id: 'text',
  fulfillment_order_id: 'text',
  package_index: 'integer',
  line_index: 'integer',
  quantity: 'integer',
  checked_in: 'integer',
  canceled: 'integer',
  reason: 'text',
};

const insertNew = change((db, { rows }: { rows: BoundText }, dialect) =>
  db
    .insertInto('fulfillment_orders')
    .columns(Object.keys(ORDER_COLUMNS) as (keyof NewOrderRow)[])
    .expression(dialect.rowsOf<NewOrderRow>(rows, ORDER_COLUMNS))
    .onConflict((conflict) => conflict.columns(['client_id', 'fulfillment_order_id']).doNothing())
    .returning(['fulfillment_order_id', 'status', 'queue_id', 'due_at'])
    // The insert reads the stock settings under its own lock, so that a node cannot begin to keep stock in between.
    .$if(!dialect.isSharded, (insert) =>
      insert.returning([ofNode('stock').as('stock'), ofNode('promise').as('promise')]),
    ),
);

const ofNode = <C extends 'stock' | 'promise'>(column: C) =>
  sql<NodeRow[C]>`(select ${sql.ref(column)} from nodes where nodes.client_id = fulfillment_orders.client_id
    and nodes.node_id = fulfillment_orders.node_id)`;

/** Inserts orders that do not exist. A sharding engine reads the nodes in a second statement under the same lock. */
async function insertNewOrders(ctx: Ctx, clientId: string, rows: readonly NewOrderRow[]): Promise<WrittenRow[]> {
  const { rows: written } = await insertNew(ctx.db, { rows: ctx.dialect.rowsText(rows, ORDER_COLUMNS) });
  if (!ctx.dialect.isSharded || written.length === 0) return written as WrittenRow[];
  const nodeOf = new Map(rows.map((row) => [row.fulfillment_order_id, row.node_id]));
  const nodes = await ctx.db
    .selectFrom('nodes')
    .select(['node_id', 'stock', 'promise'])
    .where('client_id', '=', clientId)
    .where('node_id', 'in', ctx.dialect.listOf([...new Set(nodeOf.values())], 'text'))
    .execute();
  const byId = new Map(nodes.map(({ node_id, ...node }) => [node_id, node]));
  return written.map((row) => ({ ...row, ...byId.get(nodeOf.get(row.fulfillment_order_id)!)! }));
}

const insertLines = insertInto('order_lines', LINE_COLUMNS);
const insertPackages = insertInto('checkin_packages', PACKAGE_COLUMNS);
const insertPackageItems = insertInto('checkin_package_items', PACKAGE_ITEM_COLUMNS);
