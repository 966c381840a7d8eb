import { allows } from '../platform/http/auth.ts';
import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { messageOf } from './content.ts';
import { OfSeller, shipmentType } from './path.ts';
import { inboundShipment } from './schema.ts';
import { findShipment, lineDocs, readHeaderDoc, toSummary } from './store.ts';

/** Reads one inbound message as it is stored. */
export const readInbound = readOperation({
  id: 'readInbound',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/inbound/{type}/{number}',
  auth: 'operator',
  permission: 'receive',
  summary: 'Read an ASN or PO',
  description:
    'Answers an inbound shipment with its status, its totals and the whole message, in the camel-cased form in which it can be transmitted again. A number is unique per seller and type: where several sellers use it, `sellerId` says whose is meant.',
  query: OfSeller,
  replies: { 200: { description: 'The shipment.', schema: inboundShipment } },
  refusals: {
    404: 'There is no such client or shipment.',
    409: 'Several sellers use the number (code AMBIGUOUS_NUMBER); `sellerIds` lists them.',
  },
  errors: 'problem',
  async handle({ db, actor }, { params, clientId, query: { sellerId } }) {
    const type = shipmentType(params.type);
    const { number } = params;
    const row = await findShipment(db, { clientId, sellerId, type, number });
    if (row === undefined || !allows(actor.nodeIds, row.node_id)) {
      const whose = sellerId === undefined ? 'this client' : `seller ${JSON.stringify(sellerId)} of this client`;
      throw notFound(`There is no ${type} ${JSON.stringify(number)} of ${whose}.`);
    }
    const lines = await lineDocs(db, row);
    return reply(200, { ...toSummary(row), message: messageOf(type, readHeaderDoc(row.doc).header, lines) });
  },
});
