import { record } from '../events.ts';
import { notFound } from '../http/errors.ts';
import { reply, writeOperation } from '../http/operation.ts';
import { messageOf } from './content.ts';
import { shipmentType } from './path.ts';
import { findShipment, lineDocs, readHeaderDoc } from './store.ts';

/** Voids a wrong message while nothing was received against it (decisions C, inbound uniqueness). */
export const voidInbound = writeOperation({
  id: 'voidInbound',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/inbound/{type}/{number}',
  auth: 'operator',
  summary: 'Void a wrong ASN or PO',
  description:
    'Takes an inbound message back while nothing was received against it (status EXPECTED); afterwards its number may be transmitted again. The audit entry keeps the whole message.',
  replies: { 204: { description: 'The message is void.' } },
  refusals: { 404: 'There is no such client, or no such shipment that is still expected.' },
  errors: 'problem',
  async handle(ctx, { params, clientId }) {
    const { db } = ctx;
    const type = shipmentType(params.type);
    const { number } = params;
    const row = await findShipment(db, clientId, type, number);
    const lines = await lineDocs(db, clientId, type, number);
    const gone = await db
      .deleteFrom('inbound_shipments')
      .where('client_id', '=', clientId)
      .where('type', '=', type)
      .where('number', '=', number)
      .where('status', '=', 'EXPECTED')
      .executeTakeFirst();
    if (row === undefined || gone.numDeletedRows !== 1n) {
      throw notFound(
        `There is no ${type} ${JSON.stringify(number)} that is still expected; see GET /operator/v1/clients/{clientId}/inbound.`,
      );
    }
    await record(ctx, {
      clientId,
      type: 'inbound.voided',
      resource: 'inbound',
      resourceId: `${type}/${number}`,
      revision: row.revision + 1,
      data: { messageId: row.message_id, message: messageOf(type, readHeaderDoc(row.doc).header, lines) },
    });
    return reply(204);
  },
});
