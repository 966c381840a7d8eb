import { record } from '../events/record.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { findCredential } from './credential.ts';

/** Takes a credential back, at once and for good (docs/decisions/090). */
export const revokeCredential = writeOperation({
  id: 'revokeCredential',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/credentials/{credentialId}',
  auth: 'operator',
  permission: 'client',
  fresh: true,
  repeat: 'same',
  summary: 'Revoke a credential',
  description:
    'From now on the credential is refused. Revoking it again answers the same and changes nothing. One with a group, store or node that you do not have looks like one that is not there.',
  replies: { 204: { description: 'The credential is revoked.' } },
  refusals: { 404: 'There is no such client or credential.' },
  errors: 'problem',
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
});
