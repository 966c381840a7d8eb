import { noOrder } from '../kernel/message-lines.ts';
import { findOrder } from '../kernel/orders.ts';
import { allows } from '../platform/http/auth.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { positionParam, wholeParam } from '../platform/http/page.ts';
import { parseJson } from '../platform/message/json.ts';
import { integer, list, named, object, type Static, Type, text } from '../platform/schema.ts';
import type { Reader } from '../platform/storage/db.ts';
import { formatDateTime } from '../platform/time.ts';

const LIMIT_DEFAULT = 200;

const HistoryQuery = object({
  limit: wholeParam('Most events of the response', { min: 1, max: 500, default: LIMIT_DEFAULT }),
  after: positionParam('`next`', 'Goes on behind this `sequence`; default 0, the beginning'),
});

export const OrderHistoryEvent = named(
  'OrderHistoryEvent',
  object({
    eventId: text(36, 36),
    sequence: integer(1, Number.MAX_SAFE_INTEGER, {
      description: 'Place among the events of the order, from 1 without a gap',
    }),
    type: text(1, 60, { description: 'What happened; the schema of `data` depends on it' }),
    at: Type.String({ description: 'When, in UTC' }),
    actor: text(1, 255, {
      description:
        'Who did it: `user:ID`, `credential:ID`, `operator:ID`, or `system` for what became due; never a name',
    }),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What changed, by the schema of the type (`webhooks` of this document)',
    }),
  }),
);
type OrderHistoryEvent = Static<typeof OrderHistoryEvent>;

export const OrderHistory = named(
  'OrderHistory',
  object({
    fulfillmentOrderId: text(1, 40),
    events: list(OrderHistoryEvent, { max: 500 }, { description: 'The earliest first' }),
    next: Type.Optional(
      integer(1, Number.MAX_SAFE_INTEGER, { description: 'Value of `after` for the next page; left out on the last' }),
    ),
  }),
);

/** Returns what happened to an order, in order: who, when, what, which units. */
export const readOrderHistory = readOperation({
  id: 'readOrderHistory',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/history',
  auth: 'operatorOrApiKey',
  group: ['fulfillment', 'intake', 'supervise'],
  permission: ['fulfillment.read', 'orders.change'],
  summary: 'Read what happened to an order',
  description:
    'Responds with the events of an order in the order in which they happened: who, when, what, and which units. They are those of the feed, ' +
    'without the events of its pick tickets, and name nobody but by id. An order of a node that the credential is not for looks like one that is not there.',
  query: HistoryQuery,
  replies: { 200: { description: 'A page of the history', schema: OrderHistory } },
  refusals: { 404: 'There is no such store or order.' },
  errors: 'problem',
  async handle({ db, actor }, { params: { fulfillmentOrderId: orderId }, clientId, store, query }) {
    const order = await findOrder(db, clientId, store.store_id, orderId);
    if (order === undefined || !allows(actor.nodeIds, order.node_id)) throw noOrder(orderId, store.store_id);
    const limit = Number(query.limit ?? LIMIT_DEFAULT);
    const rows = await findEvents(db, clientId, orderId, Number(query.after ?? 0), limit + 1);
    const page = rows.slice(0, limit);
    return reply(200, {
      fulfillmentOrderId: orderId,
      events: page.map(
        (row): OrderHistoryEvent => ({
          eventId: row.event_id,
          sequence: row.sequence!,
          type: row.type,
          at: formatDateTime(row.at),
          actor: row.actor.startsWith('system') ? 'system' : row.actor,
          data: parseJson(row.data) as Record<string, unknown>,
        }),
      ),
      ...(rows.length > limit && { next: page.at(-1)!.sequence! }),
    });
  },
});

/** Events along the index of a resource's events by their sequence, then those that have none yet. */
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
  // Events get their position when somebody reads the feed, so the latest may have none: they follow in the order of their commits.
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
