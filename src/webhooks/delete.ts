import { record } from '../events/record.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { webhooks } from './read.ts';

/** Deletes a webhook with its log (docs/decisions/129). */
export const deleteWebhook = writeOperation({
  id: 'deleteWebhook',
  since: '0.1.0',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}',
  summary: 'Delete a webhook',
  description:
    'Deletes a webhook, its secrets and its log of deliveries. A request in progress may still arrive at the receiver.',
  events: ['webhook.deleted'],
  access: { auth: 'operatorOrApiKey', group: 'events', permission: 'client', wholeClient: true, fresh: true },
  message: {
    replies: { 204: { description: 'The webhook is deleted.' } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client or webhook.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { params: { webhookId }, clientId }) {
      const gone = await ctx.db
        .deleteFrom('webhooks')
        .where('client_id', '=', clientId)
        .where('webhook_id', '=', webhookId)
        .executeTakeFirst();
      if (gone.numDeletedRows !== 1n) await webhooks.require(ctx.db, clientId, webhookId);
      await record(ctx, { clientId, type: 'webhook.deleted', resource: 'webhook', resourceId: webhookId });
      return reply(204);
    },
  },
  example: {
    after: ['rotateWebhookSecret', 'replayWebhook', 'listWebhookDeliveries'],
    path: '/operator/v1/clients/TOWN/webhooks/orders',
  },
});
