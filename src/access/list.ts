import { sql } from 'kysely';
import { badValue } from '../platform/http/errors.ts';
import { type BeforeRead, readOperation, reply } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import type { Reader } from '../platform/storage/db.ts';
import { contains } from '../platform/storage/like.ts';
import type { AccessEventRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { ACCESS_LIMIT_DEFAULT, ACCESS_SCAN_MAX, type AccessEvent, AccessEventPage, AccessQuery } from './schema.ts';
import { say } from './sentences.ts';

const WHAT = `A position beyond the last one of the log gets 400: the service was restored from an older backup. Read the log from the beginning.

The log has these and other types of events:

- \`orders.read\`: a caller read personal data of orders (searches, order, pickup, check-in and pack details, pack slips, pick tickets). \`data\` names the operation, the orders, and the nodes of a caller who is limited to nodes.
- \`credential.created\`, \`credential.revoked\`, \`credential.expirySet\`, and the types \`operatorKey.created\`, \`.revoked\` and \`.expirySet\`.
- \`order.pinRefused\` and \`order.pinUnlocked\`.
- \`accessLog.lost\`: the service could not write some reads; \`data\` has their number.

The events are in neither the feed nor webhooks. The service writes the event of a read within a second, and keeps it for ACCESS_LOG_DAYS.`;

const before = ({ flushAccess }: BeforeRead) => flushAccess();

/** Lists the access events of a client. */
export const listAccessEvents = readOperation({
  id: 'listAccessEvents',
  since: '0.2.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/accessEvents',
  summary: 'Read the access events of a client',
  description: `Lists the access events of a client after the position \`after\`, in the order of writing. \`next\` is the \`after\` of the next request. A request with a filter,
or of a user who is limited to nodes, examines at most ${ACCESS_SCAN_MAX.toLocaleString('en')} events, so its page can have fewer than \`limit\` or none. A user who is limited to nodes sees the events of people, devices and keys of these nodes.

${WHAT}`,
  access: { auth: 'operator', permission: 'people' },
  message: {
    query: AccessQuery,
    replies: { 200: { description: 'A page, which may be empty.', schema: AccessEventPage } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    before,
    handle: async ({ db, actor }, { clientId, query }) =>
      reply(200, await page(db, query, clientId, actor.nodeIds ?? undefined)),
  },
  example: { path: '/operator/v1/clients/TOWN/accessEvents?limit=5' },
});

/** Lists the access events of the installation. */
export const listAllAccessEvents = readOperation({
  id: 'listAllAccessEvents',
  since: '0.2.0',
  method: 'GET',
  path: '/operator/v1/accessEvents',
  summary: 'Read the access events of the installation',
  description: `Lists the access events of all clients after the position \`after\`, in the order of writing. Events of operator keys belong to the installation and have no clientId.

${WHAT}`,
  access: { auth: 'operator', permission: 'installation' },
  message: {
    query: AccessQuery,
    replies: { 200: { description: 'A page, which may be empty.', schema: AccessEventPage } },
    errors: 'problem',
  },
  run: { before, handle: async ({ db }, { query }) => reply(200, await page(db, query)) },
  example: { path: '/operator/v1/accessEvents?limit=5' },
});

/**
 * Number of rows that one statement reads if the request has nodes. The service compares the nodes itself: in SQL, the
 * database would parse the data of an event once for each node.
 */
const NODES_BATCH = 500;

/**
 * Reads a page of the events of a client; without `clientId`, of the installation. With `nodeIds`, reads only events
 * about these nodes.
 */
async function page(
  db: Reader,
  query: AccessQuery,
  clientId?: string,
  nodeIds?: readonly string[],
): Promise<AccessEventPage> {
  const isDown = query.order === 'desc';
  const after = query.after === undefined ? (isDown ? Number.MAX_SAFE_INTEGER : 0) : Number(query.after);
  if (query.after !== undefined) await checkPosition(db, after);
  const limit = Number(query.limit ?? ACCESS_LIMIT_DEFAULT);
  const { actor, fulfillmentOrderId } = query;
  const isFiltered = actor !== undefined || fulfillmentOrderId !== undefined || nodeIds !== undefined;
  const edge = isFiltered ? await edgeOf(db, clientId, after, isDown) : undefined;
  const isWanted = (event: AccessEvent) =>
    (fulfillmentOrderId === undefined || isAbout(event, fulfillmentOrderId)) &&
    (nodeIds === undefined || isOfNodes(event, nodeIds));
  const size = nodeIds === undefined ? limit : Math.max(limit, NODES_BATCH);
  const events: AccessEvent[] = [];
  for (let from = after; ; ) {
    let asked = eventsBehind(db, clientId, from, isDown).selectAll().limit(size);
    if (edge !== undefined) asked = asked.where('position', isDown ? '>=' : '<=', edge);
    if (actor !== undefined) asked = asked.where('actor', '=', actor);
    if (fulfillmentOrderId !== undefined) asked = asked.where(contains(sql`data`, JSON.stringify(fulfillmentOrderId)));
    if (nodeIds !== undefined) asked = asked.where(contains(sql`data`, '"nodeIds":["'));
    const rows = await asked.execute();
    const last = rows.at(-1)?.position;
    const found = rows.map(show).filter(isWanted);
    events.push(...found.slice(0, limit - events.length));
    const isFull = events.length === limit;
    if (isFull || rows.length < size) {
      const next = isFull ? events.at(-1)!.position : (edge ?? (isDown ? 0 : (last ?? from)));
      return { events, next, nextAfter: next };
    }
    from = last!;
  }
}

/**
 * Rejects a position after the end of the log. A reader has such a position after a restore from a backup: without the
 * error, the reader would skip all new events up to this position.
 */
async function checkPosition(db: Reader, after: number): Promise<void> {
  const row = await db.selectFrom('access_heads').select('position').where('client_id', '=', '').executeTakeFirst();
  const head = row?.position ?? 0;
  if (after <= head) return;
  const words = say(
    '`after` is {after}, but the log ends at {head}; send at most {head}, or 0 after a restore from a backup',
    { after, head },
  );
  throw badValue('query:after', 'maximum', words);
}

/**
 * Selects the events after the position `after`, or before this position if `isDown`. Without `clientId`, the statement
 * selects events of all clients, by the index on the position.
 */
function eventsBehind(db: Reader, clientId: string | undefined, after: number, isDown: boolean) {
  const all = db.selectFrom('access_events');
  return (clientId === undefined ? all : all.where('client_id', '=', clientId))
    .where('position', isDown ? '<' : '>', after)
    .orderBy('position', isDown ? 'desc' : 'asc');
}

/**
 * Returns the last position that a request with a filter examines; undefined if it can examine all remaining events.
 */
async function edgeOf(db: Reader, clientId: string | undefined, after: number, isDown: boolean) {
  const last = await eventsBehind(db, clientId, after, isDown)
    .select('position')
    .limit(1)
    .offset(ACCESS_SCAN_MAX - 1)
    .executeTakeFirst();
  return last?.position;
}

/**
 * Whether the event is about the order. The SQL condition searches the text of the data, so it also finds events that
 * have the id in another field or in other letter case.
 */
function isAbout({ data }: AccessEvent, orderId: string): boolean {
  const ids = data['fulfillmentOrderIds'];
  return data['fulfillmentOrderId'] === orderId || (Array.isArray(ids) && ids.includes(orderId));
}

/**
 * Whether the event names nodes, and all of them are in `nodeIds`. The SQL condition finds every event that names a
 * node.
 */
function isOfNodes({ data }: AccessEvent, nodeIds: readonly string[]): boolean {
  const about = data['nodeIds'];
  return Array.isArray(about) && about.length > 0 && about.every((id) => nodeIds.includes(id as string));
}

function show(row: AccessEventRow): AccessEvent {
  return {
    position: row.position,
    type: row.type,
    at: formatDateTime(row.at),
    actor: row.actor,
    ...(row.client_id !== '' && { clientId: row.client_id }),
    requestId: row.request_id,
    data: readJson(row.data),
  };
}
