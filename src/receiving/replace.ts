import { lockShipment } from '../kernel/arrivals/locked.ts';
import { writeArrival } from '../kernel/arrivals/write.ts';
import { notFound, Refusal } from '../platform/http/errors.ts';
import { writeOperation } from '../platform/http/operation.ts';
import { inEnglish } from '../platform/message/sentence.ts';
import { quote } from '../platform/message/words.ts';
import { checkMessage, insertMessage, messageIn } from './announce.ts';
import { messageOf } from './content.ts';
import { inboundForm, receiptOf } from './message-form.ts';
import { OfSeller, shipmentType } from './path.ts';
import type { Reading } from './reading.ts';
import { inboundReceipt, type ShipmentType } from './schema.ts';
import { findShipment, lineDocs, readHeaderDoc } from './store.ts';

/** Replaces an ASN or PO if nothing was received against it (docs/receiving.md#correct-an-announcement). */
export const replaceInbound = writeOperation({
  id: 'replaceInbound',
  since: '0.4.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/inbound/{type}/{number}',
  summary: 'Replace an ASN or PO',
  description: `Replaces an announced ASN or PO by another message with the same number, while it is EXPECTED. The message has the form of a transmission, and is replaced as a whole.

- In every state, a message with the same content as the stored message changes nothing.
- \`arrivedAt\` is kept if the goods are still for the same warehouse.
- After goods were received, the response is 409: receive the rest, and close the shipment with its differences.
- The events are \`inbound.voided\`, with the earlier message, and \`inbound.transmitted\`.
- If several sellers use the number, \`sellerId\` selects one.
- Each error has the fields that errors of a transmission have, and also its place (\`pointer\`) and the broken \`rule\`.`,
  events: ['inbound.transmitted', 'inbound.voided'],
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'installation', fresh: true },
  message: {
    ...inboundForm,
    errors: 'replacement',
    query: OfSeller,
    replies: { 200: { description: 'The message is stored.', schema: inboundReceipt } },
    refusals: {
      404: 'There is no such client or shipment.',
      409: 'Goods were received against the shipment, several sellers use the number (code AMBIGUOUS_NUMBER; `sellerIds` lists them), or the first request with this Idempotency-Key is still running.',
    },
  },
  run: {
    repeat: 'same',
    prepare: ({ body }) => messageIn(body),
    async handle(ctx, { body: reading, params, clientId, client, query: { sellerId }, prepared: message }) {
      const type = shipmentType(params.type);
      checkPath(reading, type, params.number);
      for (;;) {
        const row = await findShipment(ctx.db, { clientId, sellerId, type, number: params.number }, ctx.actor);
        if (row === undefined) {
          if (reading.errors.count > 0) throw reading.errors.refusal(reading.number);
          throw notFound(
            inEnglish(`There is no ${type} ${quote(params.number)} of this client; transmit it as a new message.`),
          );
        }
        if (row.content_hash === message?.content.hash) return receiptOf(row);
        const owner = { clientId, sellerId: row.seller_id };
        const checked = await checkMessage(ctx, owner, reading, message);
        const locked = await lockShipment(ctx.db, row);
        // Another request has replaced or voided the shipment meanwhile: search again.
        if (locked?.message_id !== row.message_id) continue;
        const before = messageOf(type, readHeaderDoc(row.doc).header, await lineDocs(ctx.db, row));
        await writeArrival(ctx, client, locked, { type: 'void', message: before });
        const after = await insertMessage(ctx, owner, checked, locked);
        if (after === undefined) throw changedMeanwhile();
        return receiptOf(after);
      }
    },
  },
  example: {
    after: ['transmitInbound'],
    path: '/operator/v1/clients/TOWN/inbound/PO/PO-1001',
    body: {
      poData: [
        {
          header: {
            storeCode: '988',
            receivingType: 'P',
            shipmentNumber: 'PO-1001',
            shipmentReceiptDate: '2030-01-16',
            shipperName: 'Pottery Ltd',
            receivingWarehouseId: 'DC001',
          },
          details: {
            detail: [
              {
                clientItemId: 'MUG-WHT',
                shippedQuantity: 30,
                itemCost: 3.75,
                trailerNumber: 'T-7',
                receivingWarehouseId: 'DC001',
              },
            ],
          },
        },
      ],
    },
  },
});

/**
 * Adds an error if the message has another type or number than the path. A message without a number has its own error.
 */
function checkPath(reading: Reading, type: ShipmentType, number: string): void {
  const place = reading.headerPlace(type === 'ASN' ? 'asnNumber' : 'shipmentNumber');
  if (reading.type !== undefined && reading.type !== type) {
    reading.errors.add(
      reading.headerPlace('receivingType'),
      'path',
      `the path has type ${type}, but the message has type ${reading.type}; send the same type in both`,
    );
  } else if (reading.number !== '' && reading.number !== number && reading.isValid(() => place)) {
    reading.errors.add(
      place,
      'path',
      `the path has number ${quote(number)}, but the message has number ${quote(reading.number)}; send the same number in both`,
    );
  }
}

function changedMeanwhile(): Refusal {
  const words = 'Another request changed the shipment at the same time, so this request changed nothing. Try again.';
  return new Refusal(409, 'STATE', 'CONFLICT', inEnglish(words));
}
