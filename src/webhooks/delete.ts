import { record } from '../events/record.ts';
import { type PrepareParts, reply, writeOperation } from '../platform/http/operation.ts';
import { webhooks } from './read.ts';
import { LEASE_MS } from './schedule.ts';
import type { WebhookKey } from './store.ts';

/** Number of deliveries that one transaction deletes. */
const BATCH = 500;

/** Deletes a webhook with its log (docs/decisions/129). */
export const deleteWebhook = writeOperation({
  id: 'deleteWebhook',
  since: '0.1.0',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}',
  summary: 'Delete a webhook',
  description:
    'Deletes a webhook, its secrets and its log of deliveries. A log of millions of deliveries takes a minute or longer: if the connection ends meanwhile, send the request again. A request in progress may still arrive at the receiver.',
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
    commitsBefore: true,
    prepare: async ({ params: { webhookId }, clientId }, _randomBytes, parts) => {
      while (await deleteBatch(parts, { clientId, webhookId }));
    },
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

/**
 * Deletes a batch of the log, because one statement for millions of deliveries would block other requests for minutes.
 * It takes the lease of the webhook, so that no run delivers anything meanwhile. Returns false if the log has less than
 * a batch: the rest is deleted together with the webhook.
 */
async function deleteBatch({ store, ctx, present }: PrepareParts, { clientId, webhookId }: WebhookKey) {
  return store.write(async (tx) => {
    const last = await tx
      .selectFrom('webhook_deliveries')
      .select('position')
      .where('client_id', '=', clientId)
      .where('webhook_id', '=', webhookId)
      .orderBy('position')
      .offset(BATCH - 1)
      .limit(1)
      .executeTakeFirst();
    if (last === undefined) return false;
    await tx
      .updateTable('webhooks')
      .set({ lease_id: ctx(tx).newId(), lease_until: present() + LEASE_MS })
      .where('client_id', '=', clientId)
      .where('webhook_id', '=', webhookId)
      .execute();
    await tx
      .deleteFrom('webhook_deliveries')
      .where('client_id', '=', clientId)
      .where('webhook_id', '=', webhookId)
      .where('position', '<=', last.position)
      .execute();
    return true;
  });
}
