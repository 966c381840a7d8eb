import { readOperation, reply } from '../platform/http/operation.ts';
import { IdentityProvider, requireIdentityProvider, toIdentityProvider } from './identity-provider.ts';

/** Reads an identity provider. */
export const getIdentityProvider = readOperation({
  id: 'getIdentityProvider',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/identityProviders/{providerId}',
  auth: 'operator',
  permission: 'installation',
  summary: 'Read an identity provider',
  description:
    'Answers an identity provider without its secret; the answer may be sent back with PUT and keeps the secret.',
  replies: { 200: { description: 'The identity provider.', schema: IdentityProvider } },
  refusals: { 404: 'There is no such client or identity provider.' },
  errors: 'problem',
  async handle({ db }, { params: { providerId }, clientId }) {
    return reply(200, toIdentityProvider(await requireIdentityProvider(db, clientId, providerId)));
  },
});
