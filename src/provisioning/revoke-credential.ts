import { record } from '../events/record.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { findCredential } from './credential.ts';

/** Revokes a credential immediately and permanently (docs/decisions/090). */
export const revokeCredential = writeOperation({
  id: 'revokeCredential',
  since: '0.1.0',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/credentials/{credentialId}',
  summary: 'Revoke a credential',
  description:
    'Revokes a credential: the service rejects it from now on. Revoking it again changes nothing and gets the same response. You get 404 if the credential does not exist, or if it has a group, store or node that you do not have.',
  events: ['credential.revoked'],
  access: { auth: 'operator', permission: 'client', fresh: true },
  message: {
    replies: { 204: { description: 'The credential is revoked.' } },
    refusals: { 404: 'There is no such client or credential.' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params: { credentialId }, clientId }) {
      await findCredential(ctx, clientId, credentialId);
      const done = await ctx.db
        .updateTable('credentials')
        .set({ revoked_at: ctx.now })
        .where('client_id', '=', clientId)
        .where('credential_id', '=', credentialId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (done.numUpdatedRows === 1n) {
        await record(ctx, { clientId, type: 'credential.revoked', resource: 'credential', resourceId: credentialId });
      }
      return reply(204);
    },
  },
  example: { path: '/operator/v1/clients/TOWN/credentials/{spare.credentialId}' },
});
