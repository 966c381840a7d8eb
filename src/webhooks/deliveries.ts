import { PageQuery, pageBody, pageLimit, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import { object, oneOf, Type, text } from '../platform/schema.ts';
import type { WebhookDeliveryRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { webhooks } from './read.ts';
import { DELIVERY_STATUSES, WebhookDelivery } from './schema.ts';
import { say } from './sentences.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    Attempt: Attempt;
  }
}

/** Lists the deliveries of a webhook (docs/decisions/129). */
export const listWebhookDeliveries = readOperation({
  id: 'listWebhookDeliveries',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}/deliveries',
  summary: 'Read the log of deliveries',
  description: `Lists the deliveries of a webhook in the order of their positions, a page at a time; \`next\` is the \`after\` of the next page.

- With \`status\` the list has only deliveries that wait for another attempt (PENDING), succeeded (DELIVERED), or failed permanently (DEAD).
- The service keeps finished deliveries for WEBHOOK_LOG_DAYS (default 30 days), but not longer than their events (EVENT_DAYS).`,
  access: { auth: 'operatorOrApiKey', group: 'events', permission: 'client', wholeClient: true },
  message: {
    query: object({
      limit: PageQuery.properties.limit,
      after: Type.Optional(
        text(1, 15, {
          pattern: '^(?:0|[1-9][0-9]*)$',
          'x-hint': say('send `next` of the previous page'),
          description: 'Begins after this position. Send `next` of the previous page',
        }),
      ),
      status: Type.Optional(oneOf(DELIVERY_STATUSES, { description: 'Only deliveries in this status' })),
    }),
    replies: { 200: { description: 'A page.', schema: pageSchema('deliveries', WebhookDelivery) } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client or webhook.',
    },
    errors: 'problem',
  },
  run: {
    async handle({ db }, { params: { webhookId }, clientId, query }) {
      await webhooks.require(db, clientId, webhookId);
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
  },
  example: { path: '/operator/v1/clients/TOWN/webhooks/orders/deliveries' },
});

/** An attempt to deliver an event, in its stored form. */
interface Attempt {
  at: number;
  durationMs: number;
}

function show(row: {
  position: number;
  event_id: string;
  type: string;
  status: string;
  attempts: number;
  due_at: number | null;
  log: WebhookDeliveryRow['log'];
}) {
  const log = readJson(row.log).map((one) => ({ ...one, at: formatDateTime(one.at) }));
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
