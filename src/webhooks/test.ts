import { record } from '../events/record.ts';
import { typesOf } from '../events/schema.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { webhooks } from './read.ts';
import { WebhookTest } from './schema.ts';
import { typesOfRow } from './store.ts';

/** A client may have millions of events: a test looks at the last ones. */
const RECENT = 5_000;

/** Delivers the last event of a webhook again, to see whether its receiver works (docs/events.md#webhooks). */
export const testWebhook = writeOperation({
  id: 'testWebhook',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}/test',
  summary: 'Test a webhook with a real event',
  description: `Delivers the last event that the webhook subscribes to once more, and ends its pause. The list of deliveries then shows whether the
receiver took it.

- The event is a real one with its own webhook-id and signature, so the receiver needs no code for tests.
- A webhook that is off delivers it when it is enabled.
- If none of the last ${RECENT} events of the client is of its types, the response is a 409.`,
  access: { auth: 'operatorOrApiKey', group: 'events', permission: 'client', wholeClient: true },
  message: {
    replies: { 200: { description: 'The event that is delivered.', schema: WebhookTest } },
    refusals: {
      401: 'Credentials are missing, or the operator’s are not valid.',
      404: 'There is no such client or webhook.',
      409: 'The client has had no event of its types lately.',
    },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another delivery of the same event' },
    async handle(ctx, { params: { webhookId }, clientId }) {
      const hook = await webhooks.require(ctx.db, clientId, webhookId);
      const patterns = typesOfRow(hook);
      const last = await ctx.db
        .selectFrom('events')
        .select(['position', 'event_id', 'type'])
        .where('client_id', '=', clientId)
        .where('position', '<=', hook.position)
        .where('position', '>', hook.position - RECENT)
        .$if(patterns !== undefined, (all) => all.where('type', 'in', typesOf(patterns!)))
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (last === undefined) {
        const which = patterns === undefined ? 'any event' : `an event of ${patterns.join(', ')}`;
        throw conflict(`The client has not had ${which} lately; make one first: send an item or an order.`);
      }
      const due = { status: 'PENDING', attempts: 0, due_at: ctx.now, updated_at: ctx.now } as const;
      await ctx.db
        .insertInto('webhook_deliveries')
        .values({
          client_id: clientId,
          webhook_id: webhookId,
          position: last.position!,
          log: stringifyJson([]),
          created_at: ctx.now,
          ...due,
        })
        .onConflict((on) => on.columns(['client_id', 'webhook_id', 'position']).doUpdateSet(due))
        .execute();
      await ctx.db
        .updateTable('webhooks')
        .set({ paused_until: null })
        .where('client_id', '=', clientId)
        .where('webhook_id', '=', webhookId)
        .execute();
      await record(ctx, {
        clientId,
        type: 'webhook.replayed',
        resource: 'webhook',
        resourceId: webhookId,
        data: { from: last.position!, to: last.position!, events: 1 },
      });
      return reply(200, { position: last.position!, eventId: last.event_id, type: last.type });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/webhooks/orders/test' },
});
