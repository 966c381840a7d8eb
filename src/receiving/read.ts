import { notFound } from '../http/errors.ts';
import { readOperation, reply } from '../http/operation.ts';
import { messageOf } from './content.ts';
import { shipmentType } from './path.ts';
import { inboundShipment } from './schema.ts';
import { findShipment, lineDocs, readHeaderDoc, toSummary } from './store.ts';

/** Reads one inbound message as it is stored (design 7). */
export const readInbound = readOperation({
  id: 'readInbound',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/inbound/{type}/{number}',
  auth: 'operator',
  summary: 'Read an ASN or PO',
  description:
    'Answers an inbound shipment with its status, its totals and the whole message, in the camel-cased form in which it can be transmitted again.',
  replies: { 200: { description: 'The shipment.', schema: inboundShipment } },
  refusals: { 404: 'There is no such client or shipment.' },
  errors: 'problem',
  async handle({ db }, { params, clientId }) {
    const type = shipmentType(params.type);
    const row = await findShipment(db, clientId, type, params.number);
    if (row === undefined) throw notFound(`There is no ${type} ${JSON.stringify(params.number)} of this client.`);
    const lines = await lineDocs(db, clientId, type, params.number);
    return reply(200, { ...toSummary(row), message: messageOf(type, readHeaderDoc(row.doc).header, lines) });
  },
});
