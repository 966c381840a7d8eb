import { PageQuery, pageBody, pageLimit, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { object, oneOf, Type, text } from '../platform/schema.ts';
import { formatDateTime } from '../platform/time.ts';
import { DELIVERY_STATUSES, WebhookDelivery } from './schema.ts';
import { requireWebhook } from './store.ts';

/** Returns what became of the events at a webhook (docs/decisions/129). */
export const listWebhookDeliveries = readOperation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}/deliveries',
  auth: 'operatorOrApiKey',
  group: 'events',
  permission: 'client',
  wholeClient: true,
  summary: 'Read the log of deliveries',
  description: `Answers what became of the events that a webhook was tried with, in the order of their positions, a page at a time: \`next\`
is the \`after\` of the next page. With \`status\` only those that wait for another attempt (PENDING), got through (DELIVERED), or were
given up (DEAD). What ended is kept for as many days as the operator's configuration says, 30 by default.`,
  query: object({
    limit: PageQuery.properties.limit,
    after: Type.Optional(
      text(1, 15, {
        pattern: '^(?:0|[1-9][0-9]*)$',
        'x-hint': 'send the `next` of the page before',
        description: 'Goes on after this position: `next` of the page before',
      }),
    ),
    status: Type.Optional(oneOf(DELIVERY_STATUSES, { description: 'Only deliveries in this status' })),
  }),
  replies: { 200: { description: 'A page.', schema: pageSchema('deliveries', WebhookDelivery) } },
  refusals: {
    401: 'Credentials are missing, or the operator’s are not valid.',
    404: 'There is no such client or webhook.',
  },
  errors: 'problem',
  async handle({ db }, { params: { webhookId }, clientId, query }) {
    await requireWebhook(db, { clientId, webhookId });
    let rows = db
      .selectFrom('webhook_deliveries as d')
      .innerJoin('events as e', (on) =>
        on.onRef('e.client_id', '=', 'd.client_id').onRef('e.position', '=', 'd.position'),
      )
      .select(['d.position', 'd.status', 'd.attempts', 'd.due_at', 'd.log', 'e.event_id', 'e.type'])
      .where('d.client_id', '=', clientId)
      .where('d.webhook_id', '=', webhookId)
      .where('d.position', '>', Number(query.after ?? 0));
    if (query.status !== undefined) rows = rows.where('d.status', '=', query.status);
    const page = await rows.orderBy('d.position').limit(pageLimit(query)).execute();
    return reply(
      200,
      pageBody('deliveries', query, page, show, (row) => String(row.position)),
    );
  },
});

interface Logged {
  at: number;
}

function show(row: {
  position: number;
  event_id: string;
  type: string;
  status: string;
  attempts: number;
  due_at: number | null;
  log: string;
}) {
  const log = (JSON.parse(row.log) as Logged[]).map((one) => ({ ...one, at: formatDateTime(one.at) }));
  return {
    position: row.position,
    eventId: row.event_id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    ...(row.due_at !== null && { dueAt: formatDateTime(row.due_at) }),
    log,
  };
}
