/**
 * Reads the resources of the simulated clients (clerks) from the database, as a `World`, so that they can be compared
 * with the state that each clerk expects.
 */
import { sql } from 'kysely';
import { type KeyState, UNTOUCHED } from '../../../src/kernel/arrivals/sums.ts';
import type { ReturnEntry } from '../../../src/kernel/returns/action.ts';
import { type OrderState, stateAfter } from '../../../src/kernel/states.ts';
import { onHandUnits, openUnits, unitsOf } from '../../../src/kernel/units.ts';
import type { Reader } from '../../../src/platform/storage/db.ts';
import type {
  FulfillmentOrderRow,
  InboundShipmentRow,
  OrderLineRow,
  PickTicketRow,
  PickTicketScanRow,
  ReturnLineRow,
  ReturnRow,
} from '../../../src/platform/storage/tables.ts';
import type { FulfillmentType } from '../../../src/shared/client-settings.ts';
import { asnOf } from '../clerk/papers.ts';
import {
  type Back,
  type Blind,
  type Count,
  type Level,
  type Line,
  type Order,
  type Part,
  packedOfLine,
  requested,
  type Shipment,
  type Ticket,
  type World,
} from '../world.ts';
import { type Query, rows } from './invariants.ts';

/**
 * The content of the database for the clerks whose ids begin with a prefix: their resources, the errors in them,
 * recorded events and idempotency keys.
 */
export interface Actual {
  world: World;
  /** Errors of orders whose units do not add up, or whose state does not follow from their units. */
  faults: string[];
  /** Number of recorded events by request. */
  events: Map<string, number>;
  keys: Set<string>;
}

/**
 * Returns a condition for ids that begin with a name. In this comparison, `~` sorts after all characters that clerks
 * use.
 */
const named = (column: string, name: string) =>
  sql`${sql.ref(column)} >= ${name} and ${sql.ref(column)} < ${`${name}~`} and client_id = 'TOWN'`;

export async function readActual(db: Reader, name: string): Promise<Actual> {
  const world: World = new Map();
  const faults: string[] = [];
  await readGoods(db, name, world);
  await readOrders(db, name, world, faults);
  await readReturns(db, name, world);
  // Clerks do not count events of stock levels. The newest of these events is compared with the ledger instead.
  const events = sql`select request_id as id, count(*) as n from events
    where ${named('request_id', name)} and type <> 'stock.changed' group by request_id`;
  const keys = sql`select key as id from idempotency_keys where ${named('key', name)}`;
  return {
    world,
    faults,
    events: new Map((await rows<{ id: string; n: number }>(db, events)).map(({ id, n }) => [id, n])),
    keys: new Set((await rows<{ id: string }>(db, keys)).map(({ id }) => id)),
  };
}

async function readGoods(db: Reader, name: string, world: World): Promise<void> {
  const itemName = `21-${name.toUpperCase()}`;
  const items = sql`select item_id as id, doc from items where ${named('item_id', itemName)}`;
  for (const { id, doc } of await rows<{ id: string; doc: string }>(db, items)) {
    world.set(`item:${id}`, { description: (JSON.parse(doc) as { description?: string }).description });
  }
  const holds = sql`select item_id as id from node_item_holds where ${named('item_id', itemName)}`;
  for (const { id } of await rows<{ id: string }>(db, holds)) world.set(`hold:${id}`, true);
  await readShipments(db, name, world);
  const levels = sql`select item_id as id, shelf, staged, damaged, held, missing, opened_at from stock_levels
    where node_id = 'TOWN-DC001' and ${named('item_id', itemName)}`;
  for (const row of await rows<Omit<Level, 'isCounted'> & { id: string; opened_at: number | null }>(db, levels)) {
    const { id, opened_at: openedAt, ...places } = row;
    world.set(`level:${id}`, { ...places, isCounted: openedAt !== null } satisfies Level);
  }
  const counts = sql`select c.count_id as id, c.state, l.item_id as "itemId", l.counted from stock_counts c
    join stock_count_lines l on l.client_id = c.client_id and l.node_id = c.node_id and l.count_id = c.count_id
    where c.client_id = 'TOWN' and c.count_id >= ${name} and c.count_id < ${`${name}~`}`;
  for (const { id, ...state } of await rows<Count & { id: string }>(db, counts)) world.set(`count:${id}`, state);
  const hooks = sql`select webhook_id as id, enabled, old_secret from webhooks where ${named('webhook_id', name)}`;
  for (const hook of await rows<{ id: string; enabled: number; old_secret: string | null }>(db, hooks)) {
    world.set(`webhook:${hook.id}`, { isEnabled: hook.enabled === 1, isRotated: hook.old_secret !== null });
  }
}

interface KeyRow extends KeyState {
  id: string;
  carton: string;
}

async function readShipments(db: Reader, name: string, world: World): Promise<void> {
  const by = async <R extends { id: string }>(query: Query) => Map.groupBy(await rows<R>(db, query), ({ id }) => id);
  const shipments = sql`select number as id, type, status, statements, arrived_at, completed_at from inbound_shipments
    where ${named('number', name)}`;
  const lines = await by<{ id: string; item: string; quantity: number; carton: string }>(
    sql`select number as id, item_id as item, quantity, carton_id as carton from inbound_lines
      where ${named('number', name)} order by number, line_index`,
  );
  const keys = await by<KeyRow>(
    sql`select number as id, carton_id as carton, good, damaged, refused, held, staged, decided from inbound_sums
      where ${named('number', name)}`,
  );
  const cartons = await by<{ id: string; carton: string; as: Shipment['whole'][number] }>(
    sql`select number as id, carton_id as carton, whole_as as "as" from inbound_carton_work where ${named('number', name)}`,
  );
  const receipts = await by<{ id: string; receipt: string }>(
    sql`select number as id, receipt_id as receipt from inbound_receipts
      where ${named('number', name)} order by number, position`,
  );
  for (const row of await rows<InboundShipmentRow & { id: string }>(db, shipments)) {
    const isBlind = row.type === 'BLIND';
    const own = lines.get(isBlind ? asnOf(row.id) : row.id) ?? [];
    const stateOf = (carton: string): KeyState => {
      const {
        id: _id,
        carton: _carton,
        ...state
      } = keys.get(row.id)?.find((one) => one.carton === carton) ?? {
        id: '',
        carton,
        ...UNTOUCHED,
      };
      return state;
    };
    if (isBlind) {
      world.set(`blind:${row.id}`, {
        state: row.status,
        keys: own.map(({ carton }) => stateOf(carton)),
        receipts: (receipts.get(row.id) ?? []).map(({ receipt }) => receipt),
      } satisfies Blind);
      continue;
    }
    world.set(`inbound:${row.id}`, {
      state: row.status,
      items: own.map(({ item }) => item),
      units: own.map(({ quantity }) => quantity),
      keys: own.map(({ carton }) => stateOf(carton)),
      whole: own.map(({ carton }) => cartons.get(row.id)?.find((one) => one.carton === carton)?.as ?? null),
      receipts: (receipts.get(row.id) ?? []).map(({ receipt }) => receipt),
      statements: row.statements,
      hasArrived: row.arrived_at !== null,
      isComplete: row.completed_at !== null,
    } satisfies Shipment);
  }
}

/** Reads the returns of clerks, the returned units of their orders, and the messages to customers. */
async function readReturns(db: Reader, name: string, world: World): Promise<void> {
  const by = async <R extends { id: string }>(query: Query) => Map.groupBy(await rows<R>(db, query), ({ id }) => id);
  const returns = sql`select return_id as id, number, status, in_transit_at, counted from returns where ${named('number', name)}`;
  const lines = await by<ReturnLineRow & { id: string }>(
    sql`select l.*, l.return_id as id from return_lines l join returns r
      on r.client_id = l.client_id and r.return_id = l.return_id
      where r.client_id = 'TOWN' and r.number >= ${name} and r.number < ${`${name}~`} order by l.return_id, l.position`,
  );
  const receipts = await by<{ id: string; receipt: string; corrects: string | null; lines: string }>(
    sql`select c.return_id as id, c.receipt_id as receipt, c.corrects, c.lines from return_receipts c
      where c.client_id = 'TOWN' order by c.return_id, c.position`,
  );
  const refunds = await by<{ id: string; status: string }>(
    sql`select return_id as id, status from refunds where ${named('number', name)} order by return_id, due_at, position`,
  );
  for (const row of await rows<ReturnRow & { id: string }>(db, returns)) {
    world.set(`return:${row.number}`, {
      state: row.status,
      isInTransit: row.in_transit_at !== null,
      isCounted: row.counted === 1,
      lines: (lines.get(row.id) ?? []).map((line) => ({
        order: line.fulfillment_order_id,
        line: line.line_index,
        item: line.item_id,
        requested: line.requested,
        sellable: line.sellable,
        damaged: line.damaged,
        held: line.held,
        givenBack: line.given_back,
        missing: line.missing,
        over: line.over,
      })),
      receipts: (receipts.get(row.id) ?? []).map(({ receipt, corrects, lines: entries }) => [
        receipt,
        corrects,
        (JSON.parse(entries) as ReturnEntry[]).map((one) => [one.position, one.disposition, one.quantity]),
      ]),
      refunds: (refunds.get(row.id) ?? []).map(({ status }) => status),
    } satisfies Back);
  }
  const backs = sql`select fulfillment_order_id as id, came_back as came, coming_back as coming from order_lines
    where ${named('fulfillment_order_id', name)} order by fulfillment_order_id, line_index`;
  for (const [id, units] of await by<{ id: string; came: number; coming: number }>(backs)) {
    const isSome = units.some(({ came, coming }) => came > 0 || coming > 0);
    if (isSome)
      world.set(
        `back:${id}`,
        units.map(({ came, coming }) => [came, coming]),
      );
  }
  const messages = sql`select message_id as id, fulfillment_order_id as "order", status from customer_messages
    where ${named('message_id', name)}`;
  for (const { id, ...message } of await rows<{ id: string; order: string; status: string }>(db, messages)) {
    world.set(`message:${id}`, message);
  }
}

interface PartRow {
  order: string;
  /** Id of the object that has the units: index of a package, or id of a ticket or a request. */
  id: string;
  line: number;
  units: number;
}

async function readOrders(db: Reader, name: string, world: World, faults: string[]): Promise<void> {
  const from = (table: string, columns: Query, order: string) =>
    sql`select ${columns} from ${sql.table(table)} where ${named('fulfillment_order_id', name)} order by ${sql.raw(order)}`;
  const orders = await rows<FulfillmentOrderRow>(db, from('fulfillment_orders', sql`*`, 'fulfillment_order_id'));
  const lines = await grouped<OrderLineRow>(db, from('order_lines', sql`*`, 'fulfillment_order_id, line_index'));
  const arrivals = await grouped<{ checked_in: number | null; canceled: number | null }>(
    db,
    from('checkin_package_items', sql`fulfillment_order_id, checked_in, canceled`, 'package_index, line_index'),
  );
  const boxes = await grouped<{ box_id: string; tracking_number: string | null; package_index: number }>(
    db,
    from('packages', sql`fulfillment_order_id, box_id, tracking_number, package_index`, 'package_index'),
  );
  const packed = partsById(
    await rows<PartRow>(
      db,
      from(
        'package_items',
        sql`fulfillment_order_id as "order", cast(package_index as text) as id, line_index as line, quantity as units`,
        'line_index',
      ),
    ),
  );
  const handOvers = await grouped<{ hand_over_id: string; lines: string }>(
    db,
    from('hand_overs', sql`fulfillment_order_id, hand_over_id, lines`, 'position'),
  );
  const requests = await grouped<{ request_id: string; status: string; new_fulfillment_order_id: string | null }>(
    db,
    from(
      'resource_requests',
      sql`fulfillment_order_id, request_id, status, new_fulfillment_order_id`,
      'created_at, request_id',
    ),
  );
  const asked = partsById(
    await rows<PartRow>(
      db,
      sql`select '' as "order", request_id as id, line_index as line, quantity as units from resource_request_lines
        where client_id = 'TOWN' order by line_index`,
    ),
  );
  const onTickets = await rows<PartRow>(
    db,
    from(
      'pick_ticket_lines',
      sql`fulfillment_order_id as "order", pick_ticket_id as id, line_index as line, quantity as units`,
      'line_index',
    ),
  );
  const tickets = new Map(
    (await rows<PickTicketRow>(db, sql`select * from pick_tickets where client_id = 'TOWN'`)).map((row) => [
      row.pick_ticket_id,
      row,
    ]),
  );
  const ordersOf = new Map<string, Set<string>>();
  const ticketsOf = new Map<string, Set<string>>();
  for (const { order, id } of onTickets) {
    ordersOf.set(id, (ordersOf.get(id) ?? new Set()).add(order));
    ticketsOf.set(order, (ticketsOf.get(order) ?? new Set()).add(id));
  }
  const onTicket = partsById(onTickets);
  for (const row of orders) {
    const id = row.fulfillment_order_id;
    const own = [...(ticketsOf.get(id) ?? [])].map((ticketId) => tickets.get(ticketId)!);
    const open = own.filter((ticket) => ticket.pick_ticket_type === 'PICK_TICKET' && ticket.status !== 'CLOSED');
    const order: Order = {
      type: row.fulfillment_type as FulfillmentType,
      node: row.node_id,
      status: row.status as OrderState,
      with: open.length === 0 ? null : open.flatMap((ticket) => [...ordersOf.get(ticket.pick_ticket_id)!].sort()),
      lines: (lines.get(id) ?? []).map(lineOf),
      arrivals: (arrivals.get(id) ?? []).map((one) => [one.checked_in, one.canceled]),
      packages: (boxes.get(id) ?? []).flatMap((box) => {
        const parts = packed.get(keyOf(id, String(box.package_index)));
        return parts === undefined ? [] : [{ box: box.box_id, tracking: box.tracking_number, parts }];
      }),
      handOvers: (handOvers.get(id) ?? []).map((one) => one.hand_over_id),
      hasPin: row.pin_hash !== null,
      wrongPins: row.pin_attempts,
      requests: (requests.get(id) ?? []).map((one) => ({
        status: one.status as Order['requests'][number]['status'],
        parts: asked.get(keyOf('', one.request_id)) ?? [],
        newOrder: one.new_fulfillment_order_id,
      })),
      reverses: own
        .filter((ticket) => ticket.pick_ticket_type === 'REVERSE_PICK_TICKET')
        .map((ticket) => ({
          status: ticket.status,
          user: ticket.user_id,
          parts: onTicket.get(keyOf(id, ticket.pick_ticket_id))!,
        })),
      isBlanked: row.blanked_at !== null,
    };
    world.set(`order:${id}`, order);
    if (open.length > 1) faults.push(`${id} is on ${open.length} open tickets`);
    for (const why of whyUnconserved(row, order, handOvers.get(id) ?? [])) faults.push(`${id}: ${why}`);
  }
  await readTickets(db, tickets, ordersOf, world);
}

async function readTickets(
  db: Reader,
  tickets: ReadonlyMap<string, PickTicketRow>,
  ordersOf: ReadonlyMap<string, ReadonlySet<string>>,
  world: World,
): Promise<void> {
  const all = sql`select * from pick_ticket_scans where client_id = 'TOWN' order by position`;
  const scans = Map.groupBy(await rows<PickTicketScanRow>(db, all), (row) => row.pick_ticket_id);
  for (const [id, members] of ordersOf) {
    const { status, outcome, user_id: user, pick_ticket_type: type } = tickets.get(id)!;
    if (type !== 'PICK_TICKET') continue;
    const saved = (scans.get(id) ?? []).map((scan) => [scan.scan_id, scan.id, scan.picked, scan.undoes]);
    world.set(`ticket:${id}`, {
      orders: [...members].sort(),
      status,
      outcome,
      user,
      scans: saved as Ticket['scans'],
    } satisfies Ticket);
  }
}

function lineOf(row: OrderLineRow): Line {
  const {
    web_line_id: web,
    item_id: item,
    ordered,
    picked,
    declined,
    canceled,
    canceling,
    handed_over,
    refused,
    returned,
    missing,
  } = row;
  return { web, item, ordered, picked, declined, canceled, canceling, handed_over, refused, returned, missing };
}

/**
 * Checks the rules of units from test/orders/conservation.test.ts, and the rules of units in hand-overs and packages.
 */
function* whyUnconserved(row: FulfillmentOrderRow, order: Order, handOvers: readonly { lines: string }[]) {
  const { type, status, lines } = order;
  const given = handOvers.flatMap(
    (one) => JSON.parse(one.lines) as { lineIndex: number; handed: number; refused: number }[],
  );
  for (const [index, line] of lines.entries()) {
    if (openUnits(line) < 0 || onHandUnits(line) < 0) yield `line ${index} has more units than were ordered`;
    if (line.canceling > openUnits(line) + onHandUnits(line)) yield `line ${index} cancels units that do not exist`;
    const own = given.filter((one) => one.lineIndex === index);
    const sum = (of: (one: (typeof own)[number]) => number) => own.reduce((total, one) => total + of(one), 0);
    const went = type === 'SHIP_TO_HOME' ? packedOfLine(order, index) : sum((one) => one.handed);
    const isWhole = type !== 'SHIP_TO_HOME' || status === 3700;
    if (isWhole && went !== line.handed_over)
      yield `line ${index}: ${went} units in hand-overs, the count is ${line.handed_over}`;
    if (sum((one) => one.refused) !== line.refused) yield `line ${index}: the count of \`refused\` units differs`;
    if (packedOfLine(order, index) > line.picked) yield `line ${index} has units in two packages`;
  }
  const units = unitsOf(lines, requested(order));
  const should = stateAfter(type, status, units);
  if ((status === 1150 ? 1100 : status) !== should && !isAwaited(status))
    yield `is in ${status}, its units need ${should}`;
  if ((row.queue_id === 'WAITING_FOR_REVERSE_PICK') !== (status === 8000)) yield `is on ${row.queue_id}`;
}

/** Units in transit count as open until the order is checked in completely. */
const isAwaited = (status: OrderState) => status === 1300;

async function grouped<R>(db: Reader, query: Query): Promise<Map<string, (R & { fulfillment_order_id: string })[]>> {
  return Map.groupBy(await rows<R & { fulfillment_order_id: string }>(db, query), (row) => row.fulfillment_order_id);
}

const keyOf = (order: string, id: string) => `${order}\n${id}`;

function partsById(found: readonly PartRow[]): Map<string, Part[]> {
  const parts = new Map<string, Part[]>();
  for (const { order, id, line, units } of found) {
    const key = keyOf(order, id);
    parts.set(key, [...(parts.get(key) ?? []), [line, units]]);
  }
  return parts;
}

/** Returns the id of the ticket of an order. */
export async function ticketOf(db: Reader, order: string): Promise<string> {
  const query = sql`select pick_ticket_id as id from fulfillment_orders
    where client_id = 'TOWN' and fulfillment_order_id = ${order}`;
  return (await rows<{ id: string }>(db, query))[0]!.id;
}
