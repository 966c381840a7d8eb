import { resource } from '../platform/http/resource.ts';
import { Webhook } from './schema.ts';
import { toWebhook } from './store.ts';

export const webhooks = resource({
  name: 'webhook',
  table: 'webhooks',
  id: 'webhook_id',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}',
  example: '/operator/v1/clients/TOWN/webhooks/orders',
  access: { auth: 'operatorOrApiKey', group: 'events', permission: 'client', wholeClient: true },
  refusals: { 401: 'Credentials are missing, or the operator’s credentials are not valid.' },
  schema: Webhook,
  show: toWebhook,
});

/** Reads a webhook of a client (docs/decisions/129). */
export const getWebhook = webhooks.get({
  id: 'getWebhook',
  since: '0.1.0',
  summary: 'Read a webhook',
  description: 'Returns a webhook and its position in the feed, without its secret.',
});

/** Lists the webhooks of a client (docs/decisions/129). */
export const listWebhooks = webhooks.list({
  id: 'listWebhooks',
  since: '0.1.0',
  summary: 'List the webhooks of a client',
  description:
    'Lists the webhooks of a client in the order of their identifiers, without their secrets, a page at a time; `next` is the `after` of the next page.',
});
