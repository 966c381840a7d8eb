import { type BeforeRead, readOperation, reply } from '../platform/http/operation.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { AccessEventRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { ACCESS_LIMIT_DEFAULT, type AccessEvent, AccessEventPage, AccessQuery } from './schema.ts';

const WHAT = `\`orders.read\`: somebody was shown people's data of orders (searches, order, pickup, check-in and pack details, pack
slips, pick tickets), with the operation and the orders. \`credential.created\`, \`credential.revoked\`, \`credential.expirySet\` and the same of
\`operatorKey\`. \`order.pinRefused\` and \`order.pinUnlocked\`. \`accessLog.lost\`: so many reads could not be written. They are in neither the feed nor
webhooks. A read is written within a second of it, and kept for ACCESS_LOG_DAYS.`;

const before = ({ flushAccess }: BeforeRead) => flushAccess();

/** Returns who had access to a client's data. */
export const listAccessEvents = readOperation({
  id: 'listAccessEvents',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/accessEvents',
  auth: 'operator',
  permission: 'people',
  summary: 'Read who saw which orders of a client',
  description: `Responds with the access events of a client behind \`after\`, in the order in which they were written; \`nextAfter\` is the \`after\` of
the next request. ${WHAT}`,
  query: AccessQuery,
  replies: { 200: { description: 'A page, which may be empty.', schema: AccessEventPage } },
  refusals: { 404: 'There is no such client.' },
  errors: 'problem',
  before,
  handle: async ({ db, actor }, { clientId, query }) =>
    reply(200, ofNodes(actor.nodeIds ?? null, await page(db, query, clientId))),
});

/** Returns all access events of the installation. */
export const listAllAccessEvents = readOperation({
  id: 'listAllAccessEvents',
  method: 'GET',
  path: '/operator/v1/accessEvents',
  auth: 'operator',
  permission: 'installation',
  summary: 'Read the access events of the installation',
  description: `Responds with the access events of all clients and of the installation itself (operator keys; they have no clientId) behind \`after\`, in the
order in which they were written. ${WHAT}`,
  query: AccessQuery,
  replies: { 200: { description: 'A page, which may be empty.', schema: AccessEventPage } },
  errors: 'problem',
  before,
  handle: async ({ db }, { query }) => reply(200, await page(db, query)),
});

/** What a manager of some nodes sees: the events of people and devices of these nodes. The place in the log goes on all the same. */
function ofNodes(nodeIds: readonly string[] | null, { events, nextAfter }: AccessEventPage): AccessEventPage {
  if (nodeIds === null) return { events, nextAfter };
  const isOwn = ({ data }: AccessEvent) => {
    const about = data['nodeIds'];
    return Array.isArray(about) && about.length > 0 && about.every((id) => nodeIds.includes(id as string));
  };
  return { events: events.filter(isOwn), nextAfter };
}

async function page(db: Reader, query: AccessQuery, clientId?: string): Promise<AccessEventPage> {
  const after = Number(query.after ?? 0);
  const all = db.selectFrom('access_events').selectAll();
  // Without a client it crosses tenants: the operator asks for everything, along an index by position.
  const rows = await (clientId === undefined ? all : all.where('client_id', '=', clientId))
    .where('position', '>', after)
    .orderBy('position')
    .limit(Number(query.limit ?? ACCESS_LIMIT_DEFAULT))
    .execute();
  return { events: rows.map(show), nextAfter: rows.at(-1)?.position ?? after };
}

function show(row: AccessEventRow): AccessEvent {
  return {
    position: row.position,
    type: row.type,
    at: formatDateTime(row.at),
    actor: row.actor,
    ...(row.client_id !== '' && { clientId: row.client_id }),
    requestId: row.request_id,
    data: JSON.parse(row.data) as Record<string, unknown>,
  };
}
