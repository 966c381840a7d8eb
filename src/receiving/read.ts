import { loadShipment } from '../kernel/arrivals/locked.ts';
import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { formatDateTime } from '../platform/time.ts';
import { messageText } from './content.ts';
import { inboundType, OfSeller } from './path.ts';
import { showStatements, showSums } from './replies.ts';
import { inboundShipment } from './schema.ts';
import { say } from './sentences.ts';
import { cameByEdi, findShipment, lineDocs, readHeaderDoc, toSummary } from './store.ts';

/** Reads one stored inbound message. */
export const readInbound = readOperation({
  id: 'readInbound',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/inbound/{type}/{number}',
  summary: 'Read an ASN or PO',
  description:
    'Responds with an inbound shipment: its status, its received units with their sums, its statements, its totals and the whole message, in the camel-cased form in which it can be transmitted again. A number is unique per seller and type: if several sellers use it, `sellerId` selects one.',
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'receive' },
  message: {
    query: OfSeller,
    replies: { 200: { description: 'The shipment.', schema: inboundShipment } },
    refusals: {
      404: 'There is no such client or shipment.',
      409: 'Several sellers use the number (code AMBIGUOUS_NUMBER); `sellerIds` lists them.',
    },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { params, clientId, client, query: { sellerId } }) {
      const { db, actor } = ctx;
      const type = inboundType(params.type);
      const { number } = params;
      const row = await findShipment(db, { clientId, sellerId, type, number }, actor);
      if (row === undefined) {
        const whose =
          sellerId === undefined
            ? say('this client')
            : say('seller {sellerId}', { sellerId: JSON.stringify(sellerId) });
        throw notFound(say('There is no {type} {number} of {whose}.', { type, number: JSON.stringify(number), whose }));
      }
      const shipment = await loadShipment(ctx, client, row);
      const received = {
        ...(row.arrived_at !== null && { arrivedAt: formatDateTime(row.arrived_at) }),
        complete: row.open_units === 0,
        sums: showSums(shipment),
        statements: await showStatements(db, row),
        ...(await cameByEdi(db, row)),
      };
      if (type === 'BLIND') return reply(200, { ...toSummary(row), ...received });
      const message = messageText(type, readHeaderDoc(row.doc).header, await lineDocs(db, row));
      const shown = stringifyJson({ ...toSummary(row), ...received });
      return { status: 200, text: `${shown.slice(0, -1)},"message":${message}}` };
    },
  },
  example: { path: '/operator/v1/clients/TOWN/inbound/PO/PO-1001' },
});
