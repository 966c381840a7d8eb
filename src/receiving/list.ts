import { badValue } from '../http/errors.ts';
import { readOperation, reply } from '../http/operation.ts';
import { PageQuery, pageBody, pageLimit, pageSchema } from '../provisioning/page.ts';
import { object, oneOf, Type } from '../schema.ts';
import { inboundSummary, SHIPMENT_TYPES } from './schema.ts';
import { toSummary } from './store.ts';

/** Lists inbound shipments of a client (design 7). */
export const listInbound = readOperation({
  id: 'listInbound',
  stale: true,
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/inbound',
  auth: 'operator',
  summary: 'List inbound shipments',
  description:
    'Answers the inbound shipments of a client, ASNs before POs, each in the order of their numbers, a page at a time: `next` is the `after` of the next page.',
  query: object({
    ...PageQuery.properties,
    type: Type.Optional(oneOf(SHIPMENT_TYPES, { description: 'Only ASNs, or only POs' })),
    status: Type.Optional(oneOf(['EXPECTED'], { description: 'Only shipments in this status' })),
  }),
  replies: { 200: { description: 'A page.', schema: pageSchema('inbound', inboundSummary) } },
  refusals: { 404: 'There is no such client.' },
  errors: 'problem',
  async handle({ db }, { clientId, query }) {
    const { type: only, status, after } = query;
    let rows = db.selectFrom('inbound_shipments').selectAll().where('client_id', '=', clientId);
    if (only !== undefined) rows = rows.where('type', '=', only);
    if (status !== undefined) rows = rows.where('status', '=', status);
    if (after !== undefined) {
      const [type, number] = readPosition(after);
      rows = rows.where((eb) =>
        eb.or([eb('type', '>', type), eb.and([eb('type', '=', type), eb('number', '>', number)])]),
      );
    }
    const page = await rows.orderBy('type').orderBy('number').limit(pageLimit(query)).execute();
    return reply(
      200,
      pageBody('inbound', query, page, toSummary, (row) => `${row.type}/${row.number}`),
    );
  },
});

/** `type/number` of the last shipment that was read. */
function readPosition(after: string): ['ASN' | 'PO', string] {
  const [, type, number] = /^(ASN|PO)\/([\s\S]+)$/.exec(after) ?? [];
  if (type === undefined || number === undefined) {
    throw badValue('query:after', 'format', 'after must be the `next` of the page before, for example ASN/4711');
  }
  return [type as 'ASN' | 'PO', number];
}
