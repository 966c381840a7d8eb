import { readOperation, reply } from '../platform/http/operation.ts';
import { Credential, findCredential, toCredential } from './credential.ts';

/** Reads a credential. */
export const getCredential = readOperation({
  id: 'getCredential',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/credentials/{credentialId}',
  summary: 'Read a credential',
  description:
    'Returns a credential without its secrets, also after it is revoked. You get 404 if the credential does not exist, or if it has a group, store or node that you do not have.',
  access: { auth: 'operator', permission: 'client' },
  message: {
    replies: { 200: { description: 'The credential.', schema: Credential } },
    refusals: { 404: 'There is no such client or credential.' },
    errors: 'problem',
  },
  run: {
    handle: async (ctx, { params: { credentialId }, clientId }) =>
      reply(200, toCredential(await findCredential(ctx, clientId, credentialId))),
  },
  example: { path: '/operator/v1/clients/TOWN/credentials/{spare.credentialId}' },
});
