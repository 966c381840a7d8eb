import { readOperation, reply } from '../platform/http/operation.ts';
import { Credential, findCredential, toCredential } from './credential.ts';

/** Reads a credential. */
export const getCredential = readOperation({
  id: 'getCredential',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/credentials/{credentialId}',
  auth: 'operator',
  permission: 'client',
  summary: 'Read a credential',
  description:
    'Answers a credential without its secrets; what is revoked stays to be seen. One with a group, store or node that you do not have looks like one that is not there.',
  replies: { 200: { description: 'The credential.', schema: Credential } },
  refusals: { 404: 'There is no such client or credential.' },
  errors: 'problem',
  handle: async (ctx, { params: { credentialId }, clientId }) =>
    reply(200, toCredential(await findCredential(ctx, clientId, credentialId))),
});
