import { record } from '../events/record.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { messageOf } from './content.ts';
import { deleteOrders } from './orders.ts';
import { OfSeller, shipmentType } from './path.ts';
import { lockShipment } from './shipment.ts';
import { deleteCartons, deleteExpected, findShipment, lineDocs, readHeaderDoc, resourceIdOf } from './store.ts';

/** Voids a wrong message while nothing was received against it (docs/interface.md#inbound-rules). */
export const voidInbound = writeOperation({
  id: 'voidInbound',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/inbound/{type}/{number}',
  auth: 'operator',
  permission: 'installation',
  fresh: true,
  repeat: 'rejected',
  summary: 'Void a wrong ASN or PO',
  description:
    'Takes an inbound message back while nothing was received against it (status EXPECTED); afterwards its number may be transmitted again. The audit entry keeps the whole message. Where several sellers use the number, `sellerId` says whose is meant.',
  query: OfSeller,
  replies: { 204: { description: 'The message is void.' } },
  refusals: {
    404: 'There is no such client or shipment.',
    409: 'Goods were received against it; several sellers use the number (code AMBIGUOUS_NUMBER; `sellerIds` lists them), or the first request with this Idempotency-Key is still running.',
  },
  errors: 'problem',
  async handle(ctx, { params, clientId, query: { sellerId } }) {
    const { db } = ctx;
    const type = shipmentType(params.type);
    const { number } = params;
    const row = await findShipment(db, { clientId, sellerId, type, number });
    // One that another request removed meanwhile is there no more either.
    const locked = row && (await lockShipment(db, row));
    if (row === undefined || locked === undefined) {
      throw notFound(
        `There is no ${type} ${JSON.stringify(number)} that is still expected; see GET /operator/v1/clients/{clientId}/inbound.`,
      );
    }
    const lines = await lineDocs(db, row);
    await deleteCartons(db, row);
    await deleteOrders(ctx, row);
    if (!(await deleteExpected(db, row))) {
      const state = locked.status;
      throw conflict(
        `${type} ${JSON.stringify(number)} is ${state}, and only what is EXPECTED is voided; correct its receipts instead.`,
        { state },
      );
    }
    await record(ctx, {
      clientId,
      type: 'inbound.voided',
      resource: 'inbound',
      resourceId: resourceIdOf(row),
      revision: row.revision + 1,
      data: {
        sellerId: row.seller_id,
        messageId: row.message_id,
        message: messageOf(type, readHeaderDoc(row.doc).header, lines),
      },
    });
    return reply(204);
  },
});
