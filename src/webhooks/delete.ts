import { record } from '../events/record.ts';
import { type PrepareParts, reply, writeOperation } from '../platform/http/operation.ts';
import { webhooks } from './read.ts';
import { effectOf, type WebhookKey } from './store.ts';

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
    'Deletes a webhook, its secrets and its log of deliveries. A log of millions of deliveries takes a minute or longer. If the log has 500 deliveries or more, the service first disables the webhook (`webhook.changed`); if the connection ends meanwhile, send the request again. A request in progress may still arrive at the receiver.',
  events: ['webhook.changed', 'webhook.deleted'],
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
      let after: number | undefined = 0;
      while (after !== undefined) after = await deleteBatch(parts, { clientId, webhookId }, after);
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
 * Deletes a batch of the log after a position, because one statement for millions of deliveries would block other
 * requests for minutes. The first batch disables the webhook, so that no run delivers anything meanwhile. Returns the
 * last deleted position, or undefined if less than a batch is left: it is deleted together with the webhook.
 */
async function deleteBatch(
  parts: PrepareParts,
  { clientId, webhookId }: WebhookKey,
  after: number,
): Promise<number | undefined> {
  return parts.store.write(async (tx) => {
    // Without the lower bound, PostgreSQL reads the dead entries of all batches before.
    const last = await tx
      .selectFrom('webhook_deliveries')
      .select('position')
      .where('client_id', '=', clientId)
      .where('webhook_id', '=', webhookId)
      .where('position', '>', after)
      .orderBy('position')
      .offset(BATCH - 1)
      .limit(1)
      .executeTakeFirst();
    if (last === undefined) return undefined;
    const disabled =
      after === 0 &&
      (await tx
        .updateTable('webhooks')
        .set({ enabled: 0, lease_id: null, lease_until: null, updated_at: parts.present() })
        .where('client_id', '=', clientId)
        .where('webhook_id', '=', webhookId)
        .where('enabled', '=', 1)
        .returningAll()
        .executeTakeFirst());
    // If the connection ends before the last batch, this event tells who disabled the webhook.
    if (disabled) await record(parts.ctx(tx), effectOf('webhook.changed', disabled));
    await tx
      .deleteFrom('webhook_deliveries')
      .where('client_id', '=', clientId)
      .where('webhook_id', '=', webhookId)
      .where('position', '>', after)
      .where('position', '<=', last.position)
      .execute();
    return last.position;
  });
}
