import { PageQuery, pageReply, pageSchema } from '../platform/http/list-page.ts';
import { readOperation } from '../platform/http/operation.ts';
import { IdentityProvider, toIdentityProvider } from './identity-provider.ts';

/** Lists the identity providers of a client. */
export const listIdentityProviders = readOperation({
  id: 'listIdentityProviders',
  stale: true,
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/identityProviders',
  auth: 'operator',
  permission: 'installation',
  summary: 'List the identity providers of a client',
  description:
    'Answers the identity providers of a client in the order of their identifiers, a page at a time: `next` is the `after` of the next page. Secrets are not among what it answers.',
  query: PageQuery,
  replies: { 200: { description: 'A page.', schema: pageSchema('identityProviders', IdentityProvider) } },
  refusals: { 404: 'There is no such client.' },
  errors: 'problem',
  handle({ db }, { clientId, query }) {
    const all = db.selectFrom('identity_providers').selectAll().where('client_id', '=', clientId);
    return pageReply('identityProviders', query, all, 'provider_id', toIdentityProvider);
  },
});
