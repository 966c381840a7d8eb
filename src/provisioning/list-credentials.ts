import { PageQuery, pageBody, pageLimit, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { CredentialRow } from '../platform/storage/tables.ts';
import { beyond, Credential, toCredential } from './credential.ts';

/** Lists the credentials of a client. */
export const listCredentials = readOperation({
  id: 'listCredentials',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/credentials',
  summary: 'List the credentials of a client',
  description:
    'Returns the credentials of a client in the order of their ids, one page at a time, without secrets. Revoked credentials are included. Send `next` as `after` to get the next page. Credentials with a group, store or node that you do not have are left out.',
  access: { auth: 'operator', permission: 'client' },
  message: {
    query: PageQuery,
    replies: { 200: { description: 'A page.', schema: pageSchema('credentials', Credential) } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    stale: true,
    async handle({ db, actor }, { clientId, query }) {
      const limit = pageLimit(query);
      const all = db.selectFrom('credentials').selectAll().where('client_id', '=', clientId);
      const rows: CredentialRow[] = [];
      // Credentials that the caller cannot see are skipped until the page is full.
      for (let after = query.after ?? ''; ; ) {
        const next = await all.where('credential_id', '>', after).orderBy('credential_id').limit(limit).execute();
        rows.push(...next.filter((row) => beyond(actor, toCredential(row)) === undefined));
        if (next.length < limit || rows.length >= limit) break;
        after = next.at(-1)!.credential_id;
      }
      return reply(
        200,
        pageBody('credentials', query, rows.slice(0, limit), toCredential, (row) => row.credential_id),
      );
    },
  },
  example: { path: '/operator/v1/clients/TOWN/credentials' },
});
