import { record } from '../events/record.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { requireIdentityProvider } from './identity-provider.ts';

/** Deletes an identity provider with its links to users (docs/decisions/220). */
export const deleteIdentityProvider = writeOperation({
  id: 'deleteIdentityProvider',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/identityProviders/{providerId}',
  auth: 'operator',
  permission: 'installation',
  repeat: 'rejected',
  summary: 'Delete an identity provider',
  description:
    'Deletes an identity provider, its secret and its links to users. The users stay, and the sessions that began with the provider end.',
  replies: { 204: { description: 'The identity provider is deleted.' } },
  refusals: { 404: 'There is no such client or identity provider.' },
  errors: 'problem',
  async handle(ctx, { params: { providerId }, clientId }) {
    const gone = await ctx.db
      .deleteFrom('identity_providers')
      .where('client_id', '=', clientId)
      .where('provider_id', '=', providerId)
      .executeTakeFirst();
    if (gone.numDeletedRows !== 1n) await requireIdentityProvider(ctx.db, clientId, providerId);
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
});
