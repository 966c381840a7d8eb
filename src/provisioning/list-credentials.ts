import { PageQuery, pageReply, pageSchema } from '../platform/http/list-page.ts';
import { readOperation } from '../platform/http/operation.ts';
import { Credential, toCredential } from './credential.ts';

/** Lists the credentials of a client. */
export const listCredentials = readOperation({
  id: 'listCredentials',
  stale: true,
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/credentials',
  auth: 'operator',
  permission: 'client',
  summary: 'List the credentials of a client',
  description:
    'Answers the credentials of a client in the order of their identifiers, a page at a time: `next` is the `after` of the next page. Secrets are not among what it answers; revoked credentials are.',
  query: PageQuery,
  replies: { 200: { description: 'A page.', schema: pageSchema('credentials', Credential) } },
  refusals: { 404: 'There is no such client.' },
  errors: 'problem',
  handle({ db }, { clientId, query }) {
    const all = db.selectFrom('credentials').selectAll().where('client_id', '=', clientId);
    return pageReply('credentials', query, all, 'credential_id', toCredential);
  },
});
