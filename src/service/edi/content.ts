import { readOperation } from '../../platform/http/operation.ts';
import { Type } from '../../platform/schema.ts';
import { contentOf, findInterchange } from './interchange-store.ts';
import { missing } from './read.ts';

const EXAMPLE =
  'ISA*00*          *00*          *ZZ*GREENVALLEY    *12*4085551234     *261124*0930*U*00401*000000100*0*T*>~\n';

/** Reads the bytes of an interchange (docs/edi-partners.md#interchanges). */
export const readEdiContent = readOperation({
  id: 'readEdiContent',
  since: '0.5.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/edi/interchanges/{interchangeId}/content',
  summary: 'Read the bytes of an interchange',
  description:
    'Returns the bytes of an interchange from ISA to IEA, as they were received or written. `offset` of a finding counts from the first of these bytes.',
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'client', wholeClient: true },
  message: {
    replies: {
      200: {
        description: 'The bytes, as `application/edi-x12`.',
        schema: Type.String({ description: 'X12', contentMediaType: 'application/edi-x12', examples: [EXAMPLE] }),
      },
    },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client or interchange.',
    },
    errors: 'problem',
  },
  run: {
    async handle({ db }, { params: { interchangeId }, clientId }) {
      const row = await findInterchange(db, clientId, interchangeId);
      if (row === undefined) throw missing(clientId, interchangeId);
      const headers = { 'content-type': 'application/edi-x12' };
      return { status: 200, bytes: Buffer.from(await contentOf(db, row), 'latin1'), headers };
    },
  },
  example: { path: '/operator/v1/clients/TOWN/edi/interchanges/{edi.interchange}/content' },
});
