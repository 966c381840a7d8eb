/**
 * The work of a node, counted from its open orders, tickets, requests, returns, count plans and arrivals. The result is
 * cached until an event of the client or a due time changes it (docs/decisions/231).
 */

import { sql } from 'kysely';
import { countDuplicateCartons } from '../kernel/arrivals/duplicates.ts';
import { countHeldShipments } from '../kernel/arrivals/held.ts';
import { isCovered } from '../kernel/arrivals/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import { State } from '../kernel/states.ts';
import { LEFT_UNITS } from '../kernel/units.ts';
import { selectStores } from '../kernel/wanted.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import { sha256 } from '../platform/secrets.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { BoundText, Dialect } from '../platform/storage/dialect.ts';
import { literals } from '../platform/storage/literals.ts';
import { statement } from '../platform/storage/statement.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import type { FulfillmentType } from '../shared/client-settings.ts';
import { OPEN_RETURNS } from '../shared/return-states.ts';
import { calendarOf, dayAt } from '../sla/calendar.ts';
import { boundsOf, dayAfter } from './day.ts';
import { findPicked, type Picked } from './picked.ts';
import { kindOf, type Queue, queuesOf } from './queues.ts';

/** Orders of one store and type on a queue. */
export interface QueueCount extends Queue {
  storeId: string;
  orders: number;
  /** Number of orders of the queue that are on an open ticket. */
  inWork: number;
  units: number;
  late: number;
  oldestAt: number;
  nextDueAt: number | null;
  pinLocks: number;
}

/** A ticket that is not closed. */
export interface OpenTicket {
  storeId: string;
  pickTicketId: string;
  pickTicketType: 'PICK_TICKET' | 'REVERSE_PICK_TICKET';
  status: 'NEW' | 'IN_PROGRESS';
  userId: string;
  queueId: string;
  fulfillmentType: string;
  /** The order of a reverse ticket. */
  orderId: string | null;
  orders: number;
  quantity: number;
  done: number;
  createdAt: number;
  dueAt: number;
  leaseUntil: number | null;
}

interface Arrivals {
  expected: number;
  late: number;
  duplicateCartons: number;
}

/** The state of the work at a node at an instant. */
export interface NodeWork {
  /** A hash of the name of the node and the following fields. */
  revision: string;
  date: string;
  /** All queues of the node, including those without orders. */
  queues: readonly Queue[];
  counts: readonly QueueCount[];
  tickets: readonly OpenTicket[];
  picked: readonly Picked[];
  /** Open re-source requests by store. */
  requests: readonly { storeId: string; requests: number }[];
  /** Customer returns that are expected or being received here, by store. */
  returns: readonly { storeId: string; status: 'REQUESTED' | 'RECEIVING'; returns: number }[];
  /** Number of shipments with held units. */
  held: number;
  /** Count plans that are open or counted, by state. */
  countPlans: readonly { state: string; plans: number }[];
  arrivals: Arrivals;
}

/** The work of a node with the facts that tell how long it is valid. */
export interface Kept {
  /** The number of the client's events at the time of the count. */
  events: number;
  from: number;
  /**
   * The next instant at which the work changes without an event: an order becomes late, a PIN lock ends, or the day
   * ends.
   */
  until: number;
  arrivals: KeptArrivals;
  work: NodeWork;
}

type WorkCtx = Pick<ReadCtx, 'db' | 'dialect' | 'now'> & { config: object };

/** The cache of each installation, by client and node. */
const kept = new WeakMap<object, Map<string, Kept>>();
/** Maximum number of cached nodes. Beyond it the cache is cleared. */
const KEPT_MAX = 5_000;

/** Returns the current work of a node. */
export async function findWork(ctx: WorkCtx, node: NodeRow): Promise<Kept> {
  const { client_id: clientId, node_id: nodeId } = node;
  const nodes = kept.get(ctx.config) ?? new Map<string, Kept>();
  kept.set(ctx.config, nodes);
  const key = JSON.stringify([clientId, nodeId, node.updated_at]);
  const counted = await selectEvents(ctx.db, { clientId });
  const { placed, unplaced } = counted[0]!;
  const known = nodes.get(key);
  if (known?.events === placed + unplaced && known.from <= ctx.now && ctx.now < known.until) return known;
  const fresh = await readWork(ctx, node, { placed, unplaced }, known?.arrivals);
  if (nodes.size >= KEPT_MAX) nodes.clear();
  nodes.set(key, fresh);
  return fresh;
}

/**
 * Returns the number of events that a client has had. Every change of a node's work records an event in its
 * transaction, so snapshots with equal counts have equal work.
 */
export async function countEvents(db: Reader, clientId: string): Promise<number> {
  const [row] = await selectEvents(db, { clientId });
  return row!.placed + row!.unplaced;
}

const selectEvents = statement((db, { clientId }: { clientId: string }) =>
  db.selectNoFrom((eb) => [
    eb.fn
      .coalesce(eb.selectFrom('event_heads').select('position').where('client_id', '=', clientId), sql<number>`0`)
      .as('placed'),
    eb
      .selectFrom('events')
      .select((one) => one.fn.countAll<number>().as('count'))
      .where('client_id', '=', clientId)
      .where('position', 'is', null)
      .$asScalar()
      .as('unplaced'),
  ]),
);

/** Numbers of a client's events with and without a position. */
interface Events {
  placed: number;
  unplaced: number;
}

async function readWork(
  ctx: WorkCtx,
  node: NodeRow,
  { placed, unplaced }: Events,
  before: KeptArrivals | undefined,
): Promise<Kept> {
  const { db, dialect, now } = ctx;
  const { client_id: clientId, node_id: nodeId } = node;
  const settings = await findSettings(db, clientId);
  const calendar = calendarOf(node);
  const date = dayAt(calendar, now);
  const day = boundsOf(calendar, date);
  const stores = await selectStores(db, { clientId });
  const storeIds = dialect.listText(stores.map((store) => store.store_id));
  const rows = await selectCounts(db, { clientId, nodeId, storeIds, now });
  const units = await selectUnits(db, { clientId, nodeId, storeIds });
  const unitsOf = new Map(
    units.map((row) => [`${row.queueId}/${row.fulfillmentType}/${row.storeId}/${row.status}`, row.units]),
  );
  const waiting = rows.flatMap(({ status, lateAt: _lateAt, unlockedAt: _unlockedAt, ...row }): QueueCount[] => {
    const kind = kindOf(status);
    // `countReverse` counts all orders with goods to bring back, also orders in other states.
    if (kind === undefined || kind === 'BRING_BACK') return [];
    const fulfillmentType = row.fulfillmentType as FulfillmentType;
    const own = unitsOf.get(`${row.queueId}/${row.fulfillmentType}/${row.storeId}/${status}`) ?? 0;
    const inWork = status === State.PICKING ? row.orders : 0;
    return [{ ...row, queueId: row.queueId!, fulfillmentType, kind, inWork, units: own }];
  });
  const tickets = await findOpenTickets(db, dialect, { clientId, nodeId });
  const picked = await findPicked(db, { clientId, nodeId, ...day }, calendar);
  const open = Map.groupBy(await selectRequests(db, { clientId, nodeId }), ({ storeId }) => storeId);
  const requests = [...open].map(([storeId, own]) => ({ storeId, requests: own.length })).sort(byStore);
  const returns = await selectReturns(db, { clientId, nodeId });
  const held = await countHeldShipments(db, { clientId, nodeId });
  const countPlans = await selectCountPlans(db, { clientId, nodeId });
  const arrivals = await findArrivals(ctx, { clientId, nodeId, date, placed }, before);
  const queues = queuesOf(readJson(node.fulfillment_types), settings);
  const content = {
    date,
    queues,
    counts: [...waiting, ...countReverse(tickets, now)],
    tickets,
    picked,
    requests,
    returns: returns.map((row) => ({ ...row, status: row.status as 'REQUESTED' | 'RECEIVING' })),
    countPlans,
    held,
    arrivals: arrivals.counts,
  };
  const revision = sha256(JSON.stringify([node.name, content])).slice(0, 16);
  const changes = [
    ...rows.flatMap(({ lateAt, unlockedAt }) => [lateAt ?? [], unlockedAt ?? []].flat()),
    ...tickets.filter((ticket) => isReverse(ticket) && ticket.dueAt > now).map(({ dueAt }) => dueAt),
  ];
  const until = Math.min(day.to, ...changes);
  return { events: placed + unplaced, from: now, until, arrivals, work: { revision, ...content } };
}

const byStore = (a: { storeId: string }, b: { storeId: string }) => (a.storeId < b.storeId ? -1 : 1);

interface OfNode {
  clientId: string;
  nodeId: string;
}

/**
 * Counts orders on queues by queue, type, store and state. The statement filters by stores because its index begins
 * with the store.
 */
const selectCounts = statement(
  (db, { clientId, nodeId, storeIds, now }: OfNode & { storeIds: BoundText; now: number }, dialect) =>
    db
      .selectFrom('fulfillment_orders')
      .select([
        'queue_id as queueId',
        'fulfillment_type as fulfillmentType',
        'store_id as storeId',
        'status',
        (eb) => eb.fn.countAll<number>().as('orders'),
        sql<number>`cast(sum(case when sla_at <= cast(${now} as bigint) then 1 else 0 end) as bigint)`.as('late'),
        (eb) => eb.fn.min<number>('queued_at').as('oldestAt'),
        (eb) => eb.fn.min<number | null>('sla_at').as('nextDueAt'),
        sql<number>`cast(sum(case when pin_locked_until > cast(${now} as bigint) then 1 else 0 end) as bigint)`.as(
          'pinLocks',
        ),
        sql<number | null>`min(case when sla_at > cast(${now} as bigint) then sla_at end)`.as('lateAt'),
        sql<number | null>`min(case when pin_locked_until > cast(${now} as bigint) then pin_locked_until end)`.as(
          'unlockedAt',
        ),
      ])
      .where('client_id', '=', clientId)
      .where('store_id', 'in', dialect.listOf<string>(storeIds, 'text'))
      .where('node_id', '=', nodeId)
      .where('queue_id', 'is not', null)
      .groupBy(['queue_id', 'fulfillment_type', 'store_id', 'status'])
      .orderBy('queue_id')
      .orderBy('fulfillment_type')
      .orderBy('store_id')
      .orderBy('status'),
);

/**
 * Sums the units that customers can still get, of the orders of `selectCounts`. The statement selects the open orders
 * first, because SQLite without statistics would scan every order line of the client.
 */
const selectUnits = statement((db, { clientId, nodeId, storeIds }: OfNode & { storeIds: BoundText }, dialect) =>
  db
    .with(
      (cte) => cte('waiting').materialized(),
      (one) =>
        one
          .selectFrom('fulfillment_orders')
          .select(['client_id', 'fulfillment_order_id', 'queue_id', 'fulfillment_type', 'store_id', 'status'])
          .where('client_id', '=', clientId)
          .where('store_id', 'in', dialect.listOf<string>(storeIds, 'text'))
          .where('node_id', '=', nodeId)
          .where('queue_id', 'is not', null),
    )
    .selectFrom('waiting as o')
    .innerJoin('order_lines as l', (join) =>
      join.onRef('l.client_id', '=', 'o.client_id').onRef('l.fulfillment_order_id', '=', 'o.fulfillment_order_id'),
    )
    .select([
      'o.queue_id as queueId',
      'o.fulfillment_type as fulfillmentType',
      'o.store_id as storeId',
      'o.status',
      sql<number>`cast(sum(${LEFT_UNITS}) as bigint)`.as('units'),
    ])
    .groupBy(['o.queue_id', 'o.fulfillment_type', 'o.store_id', 'o.status']),
);

async function findOpenTickets(db: Reader, dialect: Dialect, place: OfNode): Promise<OpenTicket[]> {
  const tickets = await selectTickets(db, place);
  if (tickets.length === 0) return [];
  // A new pick ticket has no scans. A reverse ticket that was given back is new again and keeps its scans.
  const begun = tickets.filter((ticket) => ticket.status === 'IN_PROGRESS' || isReverse(ticket));
  const ids = dialect.listText(begun.map((ticket) => ticket.pickTicketId));
  const done = new Map((await selectDone(db, { clientId: place.clientId, ids })).map((row) => [row.id, row.done]));
  return tickets.map((ticket) => ({
    ...ticket,
    status: ticket.status as OpenTicket['status'],
    done: done.get(ticket.pickTicketId) ?? 0,
  }));
}

const isReverse = ({ pickTicketType }: Pick<OpenTicket, 'pickTicketType'>) => pickTicketType === 'REVERSE_PICK_TICKET';

/**
 * Counts the orders with goods to bring back, by their reverse tickets. The queues of orders do not show all of these
 * orders. An order that was canceled in part stays on the queue of its remaining units, or is done.
 */
function countReverse(tickets: readonly OpenTicket[], now: number): QueueCount[] {
  const places = Map.groupBy(tickets.filter(isReverse), ({ queueId, fulfillmentType, storeId }) =>
    JSON.stringify([queueId, fulfillmentType, storeId]),
  );
  const ordersOf = (own: readonly OpenTicket[]) => new Set(own.map(({ orderId }) => orderId)).size;
  return [...places.values()].map((own) => ({
    queueId: own[0]!.queueId,
    kind: 'BRING_BACK',
    fulfillmentType: own[0]!.fulfillmentType as FulfillmentType,
    storeId: own[0]!.storeId,
    orders: ordersOf(own),
    inWork: 0,
    units: own.reduce((sum, { quantity }) => sum + quantity, 0),
    late: ordersOf(own.filter(({ dueAt }) => dueAt <= now)),
    oldestAt: Math.min(...own.map(({ createdAt }) => createdAt)),
    nextDueAt: Math.min(...own.map(({ dueAt }) => dueAt)),
    pinLocks: 0,
  }));
}

const selectTickets = statement((db, { clientId, nodeId }: OfNode) =>
  db
    .selectFrom('pick_tickets')
    .select([
      'store_id as storeId',
      'pick_ticket_id as pickTicketId',
      'pick_ticket_type as pickTicketType',
      'status',
      'user_id as userId',
      'queue_id as queueId',
      'fulfillment_type as fulfillmentType',
      'fulfillment_order_id as orderId',
      'total_fulfillment_orders as orders',
      'total_quantity as quantity',
      'pick_ticket_date as createdAt',
      'pick_sla_date as dueAt',
      'lease_at as leaseUntil',
    ])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    // The status is a literal, because the partial index of open tickets does not match a bound value.
    .where(sql<boolean>`status <> 'CLOSED'`)
    .orderBy('pick_sla_date')
    .orderBy('pick_ticket_id'),
);

/** Sums the units of scans that were not undone. */
const selectDone = statement((db, { clientId, ids }: { clientId: string; ids: BoundText }, dialect) =>
  db
    .selectFrom('pick_ticket_scans as scan')
    .select(['scan.pick_ticket_id as id', sql<number>`cast(sum(scan.picked + scan.canceled) as bigint)`.as('done')])
    .where('scan.client_id', '=', clientId)
    .where('scan.pick_ticket_id', 'in', dialect.listOf<string>(ids, 'text'))
    .where('scan.undoes', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('pick_ticket_scans as undo')
            .select('undo.scan_id')
            .whereRef('undo.client_id', '=', 'scan.client_id')
            .whereRef('undo.pick_ticket_id', '=', 'scan.pick_ticket_id')
            .whereRef('undo.undoes', '=', 'scan.scan_id'),
        ),
      ),
    )
    .groupBy('scan.pick_ticket_id'),
);

/** The caller groups the rows: with `group by` SQLite would choose the index of stores. */
const selectRequests = statement((db, { clientId, nodeId }: OfNode) =>
  db
    .selectFrom('resource_requests')
    .select('store_id as storeId')
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where(sql<boolean>`status = 'OPEN'`),
);

const selectReturns = statement((db, { clientId, nodeId }: OfNode) =>
  db
    .selectFrom('returns')
    .select(['store_id as storeId', 'status', (eb) => eb.fn.countAll<number>().as('returns')])
    .where('client_id', '=', clientId)
    .where((eb) => eb.fn.coalesce('node_id', 'expected_node_id'), '=', nodeId)
    .where(sql<boolean>`status in (${literals(...OPEN_RETURNS)})`)
    .groupBy(['store_id', 'status'])
    .orderBy('store_id')
    .orderBy('status'),
);

const selectCountPlans = statement((db, { clientId, nodeId }: OfNode) =>
  db
    .selectFrom('count_plans')
    .select(['state', (eb) => eb.fn.countAll<number>().as('plans')])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    // The states are literals, because the partial index of count plans does not match a bound value.
    .where(sql<boolean>`state in ('OPEN', 'COUNTED')`)
    .groupBy('state')
    .orderBy('state'),
);

/** Number of past days whose late shipments are counted. */
const LATE_DAYS = 30;

/** Counted arrivals with their day, and the client's last position at the time of the count. */
interface KeptArrivals {
  date: string;
  placed: number;
  counts: Arrivals;
}

/**
 * Maximum number of events in which a change of arrivals is searched. After more events, the service counts all
 * arrivals again.
 */
const CHANGES_MAX = 1_000;
/**
 * Events that change the cartons of open ASNs. Events of every node count, because the other ASN of a duplicate carton
 * can be of any node and day.
 */
const OF_CARTONS: ReadonlySet<string> = new Set([
  'inbound.transmitted',
  'inbound.voided',
  'inbound.closed',
  'inbound.reopened',
]);

async function findArrivals(
  { db }: WorkCtx,
  { clientId, nodeId, date, placed }: OfNode & { date: string; placed: number },
  before: KeptArrivals | undefined,
): Promise<KeptArrivals> {
  const isNear = before !== undefined && before.date === date && placed - before.placed <= CHANGES_MAX;
  const changes = isNear ? await selectChanges(db, { clientId, after: before.placed }) : undefined;
  if (isNear && changes?.length === 0) return { ...before, placed };
  const days = await selectShipments(db, { clientId, nodeId, from: dayAfter(date, -LATE_DAYS), to: date });
  const of = (isWanted: (day: string) => boolean) =>
    days.filter(({ day }) => isWanted(day)).reduce((sum, { shipments }) => sum + shipments, 0);
  const counts = { expected: of((day) => day === date), late: of((day) => day < date) };
  const isSame = isNear && changes?.some(({ type }) => OF_CARTONS.has(type)) === false;
  const duplicateCartons = isSame
    ? before.counts.duplicateCartons
    : await countDuplicateCartons(db, { clientId, nodeId, date });
  return { date, placed, counts: { ...counts, duplicateCartons } };
}

/**
 * Returns the types of the goods-in events after a position. An event without a position gets a later position
 * afterwards, so two counts can find it.
 */
const selectChanges = statement((db, { clientId, after }: { clientId: string; after: number }) =>
  db
    .selectFrom('events')
    .select('type')
    .where('client_id', '=', clientId)
    .where('position', '>', after)
    .where('resource_type', '=', 'inbound')
    .union(
      db
        .selectFrom('events')
        .select('type')
        .where('client_id', '=', clientId)
        .where('position', 'is', null)
        .where('resource_type', '=', 'inbound'),
    ),
);

type Days = OfNode & { from: string; to: string };

const selectShipments = statement((db, { clientId, nodeId, from, to }: Days) =>
  db
    .selectFrom('inbound_shipments')
    .select(['expected_on as day', (eb) => eb.fn.countAll<number>().as('shipments')])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('expected_on', '>=', from)
    .where('expected_on', '<=', to)
    // The status is a literal, because the partial index of open shipments does not match a bound value.
    .where(sql<boolean>`status <> 'CLOSED'`)
    .where(sql<boolean>`not ${isCovered}`)
    .groupBy('expected_on')
    .orderBy('expected_on'),
);
