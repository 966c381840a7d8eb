import { record } from '../events/record.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { makeSecret } from '../platform/standard-webhooks.ts';
import { formatDateTime } from '../platform/time.ts';
import { webhooks } from './read.ts';
import { OVERLAP_DEFAULT_S } from './schedule.ts';
import { NewSecret, SecretRotate } from './schema.ts';

/** Gives a webhook a new secret. The old secret stays valid for a limited time (docs/decisions/129). */
export const rotateWebhookSecret = writeOperation({
  id: 'rotateWebhookSecret',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}/secret',
  summary: 'Give a webhook a new secret',
  description: `Makes a new secret and shows it once. For a day, or for the time in the request, deliveries also have a signature with the old secret, so that your receiver rejects no delivery while you install the new secret. At most two secrets are valid at the same time.`,
  events: ['webhook.secretRotated'],
  access: { auth: 'operatorOrApiKey', group: 'events', permission: 'client', wholeClient: true, fresh: true },
  message: {
    body: SecretRotate,
    replies: { 200: { description: 'The new secret; store it now.', schema: NewSecret } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client or webhook.',
    },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another secret: the secret of your receiver is no longer valid' },
    async handle(ctx, { params: { webhookId }, clientId, body }) {
      const before = await webhooks.require(ctx.db, clientId, webhookId, ctx.dialect.forNoKeyUpdate);
      const secret = makeSecret(ctx.randomBytes);
      const until = ctx.now + (body.overlapSeconds ?? OVERLAP_DEFAULT_S) * 1_000;
      await ctx.db
        .updateTable('webhooks')
        .set((eb) => ({
          // The statement copies the present value of the column, because another rotation may have changed it
          // meanwhile.
          old_secret: eb.ref('secret'),
          old_secret_until: until,
          secret: ctx.sealer.seal(secret, ctx.randomBytes(12)),
          // A run in progress loses its lease. The next run signs with the secrets that are valid now.
          lease_id: null,
          lease_until: null,
          updated_at: ctx.now,
        }))
        .where('client_id', '=', clientId)
        .where('webhook_id', '=', before.webhook_id)
        .execute();
      const oldSecretUntil = formatDateTime(until);
      await record(ctx, {
        clientId,
        type: 'webhook.secretRotated',
        resource: 'webhook',
        resourceId: webhookId,
        data: { oldSecretUntil },
      });
      return reply(200, { secret, oldSecretUntil });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/webhooks/orders/secret', body: { overlapSeconds: 3600 } },
});
