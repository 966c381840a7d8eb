import { findEventsOf } from '../events/of-resource.ts';
import { noOrder } from '../kernel/message-lines.ts';
import { findOrder } from '../kernel/orders.ts';
import { findRequests } from '../kernel/request-rows.ts';
import { findStateChanges } from '../kernel/returns/changes.ts';
import { selectReturnsOf } from '../kernel/returns/subject.ts';
import { allows } from '../platform/http/auth.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { PAGE_SIZE_MAX, positionParam, wholeParam } from '../platform/http/page.ts';
import { parseJson } from '../platform/message/json.ts';
import { integer, list, named, object, Type, text } from '../platform/schema.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { Dialect } from '../platform/storage/dialect.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { findActorNames } from '../shared/user-names.ts';

const LIMIT_DEFAULT = 200;

const HistoryQuery = object({
  limit: wholeParam('Maximum number of events in the response', { min: 1, max: PAGE_SIZE_MAX, default: LIMIT_DEFAULT }),
  after: positionParam('`next`', 'Continues after this `sequence`; default 0, the beginning'),
});

const eventFields = {
  eventId: text(36, 36),
  type: text(1, 60, { description: 'Type of the event; the schema of `data` depends on it' }),
  at: Type.String({ description: 'Time of the event, in UTC' }),
  actor: text(1, 255, {
    description:
      'The actor: `user:ID`, `credential:ID`, `operator:ID`, `import:ID`, or `system` for actions of the scheduler; never a name',
  }),
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The data of the event, with the schema of its type (see `webhooks` in this document)',
  }),
};

export const OrderHistoryEvent = named(
  'OrderHistoryEvent',
  object({
    ...eventFields,
    sequence: integer(1, Number.MAX_SAFE_INTEGER, {
      description: 'Number of the event among the events of the order, from 1 without gaps',
    }),
  }),
);

export const OrderHistory = named(
  'OrderHistory',
  object({
    fulfillmentOrderId: text(1, 40),
    events: list(OrderHistoryEvent, { max: PAGE_SIZE_MAX }, { description: 'The events, the earliest first' }),
    requestEvents: list(
      object(eventFields),
      { max: PAGE_SIZE_MAX },
      {
        description:
          'The latest events of the re-source requests of the order, the earliest first. Empty on later pages (`after` above 0)',
      },
    ),
    names: list(
      object({
        actor: text(1, 255, {
          description: 'Actor in the form of the events. A login in the data of an event is listed as `user:ID`',
        }),
        name: text(1, 200, { description: 'Name of the user, or purpose of the credential' }),
      }),
      { max: 2_000 },
      {
        description:
          'Names of the users and credentials that the events mention, and of those that made, received, canceled or reopened returns of the order',
      },
    ),
    next: Type.Optional(
      integer(1, Number.MAX_SAFE_INTEGER, {
        description: 'Value of `after` for the next page; absent on the last page',
      }),
    ),
  }),
);

export const readOrderHistory = readOperation({
  id: 'readOrderHistory',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/history',
  summary: 'Read the history of an order',
  description:
    'Lists the events of an order, the earliest first, with actor, time, type and units. `events` has the events of the feed whose resource is the order, ' +
    'and `requestEvents` those of its re-source requests; the events of its pick tickets and alerts are in the feed only. Events identify people only by id. `names` has the names of the client’s users and credentials, including those that made, received, canceled or reopened returns of the order. If the credential does not cover the node of the order, the ' +
    'response is the same 404 as for an order that does not exist.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['fulfillment', 'intake', 'supervise'],
    permission: ['fulfillment.read', 'orders.change'],
  },
  message: {
    query: HistoryQuery,
    replies: { 200: { description: 'A page of the history', schema: OrderHistory } },
    refusals: { 404: 'There is no such store or order.' },
    errors: 'problem',
  },
  run: {
    async handle({ db, dialect, actor }, { params: { fulfillmentOrderId: orderId }, clientId, store, query }) {
      const order = await findOrder(db, clientId, store.store_id, orderId);
      if (order === undefined || !allows(actor.nodeIds, order.node_id)) throw noOrder(orderId, store.store_id);
      const limit = Number(query.limit ?? LIMIT_DEFAULT);
      const after = Number(query.after ?? 0);
      const rows = await findEvents(db, clientId, orderId, after, limit + 1);
      const page = rows.slice(0, limit);
      const ofRequests = after === 0 ? await findRequestEvents({ db, dialect }, order) : [];
      const actors = [
        ...actorsOf([...page, ...ofRequests]),
        ...(await actorsOfReturns({ db, dialect }, clientId, orderId)),
      ];
      return reply(200, {
        fulfillmentOrderId: orderId,
        events: page.map((row) => ({ ...show(row), sequence: row.sequence! })),
        requestEvents: ofRequests.map(show),
        names: Array.from(await findActorNames({ db, dialect }, clientId, actors), ([who, name]) => ({
          actor: who,
          name,
        })),
        ...(rows.length > limit && { next: page.at(-1)!.sequence! }),
      });
    },
  },
  example: { path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/100000000901001/history' },
});

type Recorded = Awaited<ReturnType<typeof findEventsOf>>[number];

function show({ event_id: eventId, type, at, actor, data }: Recorded) {
  return {
    eventId,
    type,
    at: formatDateTime(at),
    actor: actor.startsWith('system') ? 'system' : actor,
    data: parseJson(data) as Record<string, unknown>,
  };
}

/** Returns the events of the re-source requests of an order, as many as a page can have, the earliest first. */
async function findRequestEvents({ db, dialect }: NamesCtx, order: FulfillmentOrderRow): Promise<Recorded[]> {
  const requests = await findRequests(db, order);
  if (requests.length === 0) return [];
  const events = await findEventsOf(db, {
    clientId: order.client_id,
    type: 'resourceRequest',
    ids: dialect.listText(requests.map((request) => request.request_id)),
    types: dialect.listText(['resource.requested', 'resource.answered']),
    since: order.created_at,
  });
  return events.toSorted((one, other) => one.at - other.at).slice(-PAGE_SIZE_MAX);
}

/** Returns the actors of events, and the users that the data of the events names, each written as an actor. */
function actorsOf(events: readonly Pick<Recorded, 'actor' | 'data'>[]): string[] {
  return events.flatMap((event) => {
    const { userId, modifyAssociateId } = parseJson(event.data) as Record<string, unknown>;
    const logins = [userId, modifyAssociateId].filter((one) => typeof one === 'string');
    return [event.actor, ...logins.map((login) => `user:${login}`)];
  });
}

/** Returns the actors that made the returns of an order or changed their state, and the users who received their goods. */
async function actorsOfReturns({ db, dialect }: NamesCtx, clientId: string, orderId: string): Promise<string[]> {
  const returns = await selectReturnsOf(db, clientId, orderId)
    .select(['return_id', 'created_by', 'status', 'created_at'])
    .execute();
  if (returns.length === 0) return [];
  const ids = returns.map((row) => row.return_id);
  const receipts = await db
    .selectFrom('return_receipts')
    .select('user_id')
    .distinct()
    .where('client_id', '=', clientId)
    .where('return_id', 'in', dialect.listOf(ids, 'text'))
    .execute();
  const changes = await findStateChanges({ db, dialect }, clientId, returns);
  return [
    ...returns.map((row) => row.created_by),
    ...receipts.map((row) => `user:${row.user_id}`),
    ...actorsOf(changes),
  ];
}

interface NamesCtx {
  db: Reader;
  dialect: Dialect;
}

/** Reads the events by sequence, then the events without a sequence. */
async function findEvents(db: Reader, clientId: string, orderId: string, after: number, limit: number) {
  const ofOrder = db
    .selectFrom('events')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('resource_type', '=', 'order')
    .where('resource_id', '=', orderId);
  const placed = await ofOrder
    .where('sequence', 'is not', null)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  if (placed.length === limit) return placed;
  // Events get positions when the feed is read, so the latest events may have no position. They are last in the list,
  // in the order in which they were written.
  const fresh = await ofOrder.where('position', 'is', null).orderBy('written').orderBy('event_id').execute();
  if (fresh.length === 0) return placed;
  const last = placed.at(-1)?.sequence ?? (await lastSequence(db, clientId, orderId));
  const numbered = fresh.map((row, index) => ({ ...row, sequence: last + 1 + index }));
  return [...placed, ...numbered.filter(({ sequence }) => sequence > after)].slice(0, limit);
}

async function lastSequence(db: Reader, clientId: string, orderId: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select('sequence')
    .where('client_id', '=', clientId)
    .where('resource_type', '=', 'order')
    .where('resource_id', '=', orderId)
    .where('sequence', 'is not', null)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row !== undefined) return row.sequence!;
  const gone = await db
    .selectFrom('event_sequences')
    .select('sequence')
    .where('client_id', '=', clientId)
    .where('resource_type', '=', 'order')
    .where('resource_id', '=', orderId)
    .executeTakeFirst();
  return gone?.sequence ?? 0;
}
