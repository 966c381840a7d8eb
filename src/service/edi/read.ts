import { notFound, type Refusal } from '../../platform/http/errors.ts';
import { readOperation, reply } from '../../platform/http/operation.ts';
import { findInterchange, showInterchange } from './interchange-store.ts';
import { ediInterchange } from './schema.ts';
import { say } from './sentences.ts';

/** Reads an interchange with its sets and findings (docs/edi-partners.md#interchanges). */
export const readEdiInterchange = readOperation({
  id: 'readEdiInterchange',
  since: '0.5.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/edi/interchanges/{interchangeId}',
  summary: 'Read an interchange',
  description:
    'Returns a received or written interchange: its status, its sets with their findings and results, and the responses to its sender.',
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: ['client', 'receive'], wholeClient: true },
  message: {
    replies: { 200: { description: 'The interchange.', schema: ediInterchange } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client or interchange.',
    },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { params: { interchangeId }, clientId }) {
      const row = await findInterchange(ctx.db, clientId, interchangeId);
      if (row === undefined) throw missing(clientId, interchangeId);
      return reply(200, await showInterchange(ctx, row));
    },
  },
  example: { path: '/operator/v1/clients/TOWN/edi/interchanges/{edi.interchange}' },
});

/** Returns the 404 for an interchange that does not exist. */
export function missing(clientId: string, interchangeId: string): Refusal {
  const id = JSON.stringify(interchangeId.slice(0, 100));
  return notFound(
    say('There is no interchange {id} of client {clientId}.', { id, clientId: JSON.stringify(clientId) }),
  );
}
