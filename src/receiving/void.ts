import { lockShipment } from '../kernel/arrivals/locked.ts';
import { writeArrival } from '../kernel/arrivals/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { ClientRow, InboundShipmentRow } from '../platform/storage/tables.ts';
import { messageOf } from './content.ts';
import { OfSeller, shipmentType } from './path.ts';
import type { ShipmentType } from './schema.ts';
import { say } from './sentences.ts';
import { findShipment, lineDocs, readHeaderDoc } from './store.ts';

/** Voids a wrong message if nothing was received against it (docs/interface.md#inbound-rules). */
export const voidInbound = writeOperation({
  id: 'voidInbound',
  since: '0.1.0',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/inbound/{type}/{number}',
  summary: 'Void a wrong ASN or PO',
  description:
    'Removes an inbound message if nothing was received against it (status EXPECTED). Its number can then be transmitted again. The audit entry has the whole message. To correct a message, use `replaceInbound` instead, which needs only one request. If several sellers use the number, `sellerId` selects one.',
  events: ['inbound.voided'],
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'installation', fresh: true },
  message: {
    query: OfSeller,
    replies: { 204: { description: 'The message is voided.' } },
    refusals: {
      404: 'There is no such client or shipment.',
      409: 'Goods were received against the shipment, several sellers use the number (code AMBIGUOUS_NUMBER; `sellerIds` lists them), or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { params, clientId, client, query: { sellerId } }) {
      const { db } = ctx;
      const type = shipmentType(params.type);
      const { number } = params;
      const row = await findShipment(db, { clientId, sellerId, type, number }, ctx.actor);
      // Another request may have removed the row since it was found.
      const locked = row ? await lockShipment(db, row) : undefined;
      if (row === undefined || locked === undefined) {
        throw notFound(
          say('There is no {type} {number} that is still expected; list the expected shipments with GET {path}', {
            type,
            number: JSON.stringify(number),
            path: '/operator/v1/clients/{clientId}/inbound.',
          }),
        );
      }
      await voidShipment(ctx, client, { ...locked, type });
      return reply(204);
    },
  },
  example: { path: '/operator/v1/clients/TOWN/inbound/PO/PO-1001' },
});

/**
 * Removes a locked shipment against which nothing was received; its event has the whole message.
 * @throws Refusal 409 if goods were received.
 */
export async function voidShipment(
  ctx: Ctx,
  client: Pick<ClientRow, 'catalog_ids'>,
  locked: InboundShipmentRow & { type: ShipmentType },
): Promise<void> {
  const message = messageOf(locked.type, readHeaderDoc(locked.doc).header, await lineDocs(ctx.db, locked));
  await writeArrival(ctx, client, locked, { type: 'void', message });
}
