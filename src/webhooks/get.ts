import { readOperation, reply } from '../platform/http/operation.ts';
import { Webhook } from './schema.ts';
import { requireWebhook, toWebhook } from './store.ts';

/** Returns one webhook of a client (docs/decisions/129). */
export const getWebhook = readOperation({
  id: 'getWebhook',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}',
  auth: 'operatorOrApiKey',
  group: 'events',
  permission: 'client',
  wholeClient: true,
  summary: 'Read a webhook',
  description: 'Answers a webhook and how far it came. Its secret is not among what it answers.',
  replies: { 200: { description: 'The webhook.', schema: Webhook } },
  refusals: {
    401: 'Credentials are missing, or the operator’s are not valid.',
    404: 'There is no such client or webhook.',
  },
  errors: 'problem',
  async handle({ db }, { params: { webhookId }, clientId }) {
    return reply(200, toWebhook(await requireWebhook(db, { clientId, webhookId })));
  },
});
