import { PageQuery, pageReply, pageSchema } from '../platform/http/list-page.ts';
import { readOperation } from '../platform/http/operation.ts';
import { Webhook } from './schema.ts';
import { toWebhook } from './store.ts';

/** Lists the webhooks of a client (docs/decisions/129). */
export const listWebhooks = readOperation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/webhooks',
  auth: 'operatorOrApiKey',
  group: 'events',
  permission: 'client',
  wholeClient: true,
  summary: 'List the webhooks of a client',
  description:
    'Answers the webhooks of a client in the order of their identifiers, a page at a time: `next` is the `after` of the next page. Secrets are not among what it answers.',
  query: PageQuery,
  replies: { 200: { description: 'A page.', schema: pageSchema('webhooks', Webhook) } },
  refusals: { 401: 'Credentials are missing, or the operator’s are not valid.', 404: 'There is no such client.' },
  errors: 'problem',
  handle({ db }, { clientId, query }) {
    const all = db.selectFrom('webhooks').selectAll().where('client_id', '=', clientId);
    return pageReply('webhooks', query, all, 'webhook_id', toWebhook);
  },
});
