import { record } from '../events/record.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { formatDateTime } from '../platform/time.ts';
import { OVERLAP_DEFAULT_S } from './schedule.ts';
import { NewSecret, SecretRotate } from './schema.ts';
import { makeSecret } from './sign.ts';
import { requireWebhook } from './store.ts';

/** Gives a webhook a new secret while the old one goes on for a while (docs/decisions/129). */
export const rotateWebhookSecret = writeOperation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}/secret',
  auth: 'operatorOrApiKey',
  group: 'events',
  permission: 'client',
  wholeClient: true,
  repeat: { adds: 'another secret: the one that your receiver knows signs no more' },
  summary: 'Give a webhook a new secret',
  description: `Makes a new secret and shows it, once. The one before signs too for a day, or as long as the request says, so that
nothing is refused while the new one is being put in place: deliveries have both signatures. There are never more than two.`,
  body: SecretRotate,
  replies: { 200: { description: 'The new secret; keep it now.', schema: NewSecret } },
  refusals: {
    401: 'Credentials are missing, or the operator’s are not valid.',
    404: 'There is no such client or webhook.',
  },
  errors: 'problem',
  async handle(ctx, { params: { webhookId }, clientId, body }) {
    const before = await requireWebhook(ctx.db, { clientId, webhookId });
    const secret = makeSecret(ctx.randomBytes);
    const until = ctx.now + (body.overlapSeconds ?? OVERLAP_DEFAULT_S) * 1_000;
    await ctx.db
      .updateTable('webhooks')
      .set((eb) => ({
        // The secret that is there when this is written, should another rotation have been quicker.
        old_secret: eb.ref('secret'),
        old_secret_until: until,
        secret: ctx.sealer.seal(secret, ctx.randomBytes(12)),
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
});
