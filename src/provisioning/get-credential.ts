import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { Credential, toCredential } from './credential.ts';

/** Reads a credential. */
export const getCredential = readOperation({
  id: 'getCredential',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/credentials/{credentialId}',
  auth: 'operator',
  permission: 'client',
  summary: 'Read a credential',
  description: 'Answers a credential without its secrets; what is revoked stays to be seen.',
  replies: { 200: { description: 'The credential.', schema: Credential } },
  refusals: { 404: 'There is no such client or credential.' },
  errors: 'problem',
  async handle({ db }, { params: { credentialId }, clientId }) {
    const row = await db
      .selectFrom('credentials')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('credential_id', '=', credentialId)
      .executeTakeFirst();
    if (row === undefined)
      throw notFound(`There is no credential ${quote(credentialId)} of client ${JSON.stringify(clientId)}.`);
    return reply(200, toCredential(row));
  },
});
