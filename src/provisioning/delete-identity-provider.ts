import { record } from '../events/record.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { identityProviders } from './identity-provider.ts';

/**
 * Deletes an identity provider with its links to users
 * (docs/how-to/sign-in-with-oidc.md#2-create-the-identity-provider).
 */
export const deleteIdentityProvider = writeOperation({
  id: 'deleteIdentityProvider',
  since: '0.3.0',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/identityProviders/{providerId}',
  summary: 'Delete an identity provider',
  description:
    'Deletes an identity provider, its secret and its links to users. The users remain, and sessions that started at the provider end.',
  events: ['identityProvider.deleted'],
  access: { auth: 'operator', permission: 'installation', fresh: true },
  message: {
    replies: { 204: { description: 'The identity provider is deleted.' } },
    refusals: { 404: 'There is no such client or identity provider.' },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { params: { providerId }, clientId }) {
      const gone = await ctx.db
        .deleteFrom('identity_providers')
        .where('client_id', '=', clientId)
        .where('provider_id', '=', providerId)
        .executeTakeFirst();
      if (gone.numDeletedRows !== 1n) await identityProviders.require(ctx.db, clientId, providerId);
      await ctx.db
        .deleteFrom('sessions')
        .where('client_id', '=', clientId)
        .where('provider_id', '=', providerId)
        .execute();
      await record(ctx, {
        clientId,
        type: 'identityProvider.deleted',
        resource: 'identityProvider',
        resourceId: providerId,
      });
      return reply(204);
    },
  },
  example: { path: '/operator/v1/clients/TOWN/identityProviders/entra' },
});
