import { writeOperation } from '../platform/http/operation.ts';
import { announce, messageIn } from './announce.ts';
import { inboundForm, receiptOf } from './message-form.ts';
import { inboundReceipt } from './schema.ts';

/** Transmits one ASN or PO (docs/interface.md#transmit-an-asn-or-po). */
export const transmitInbound = writeOperation({
  id: 'transmitInbound',
  since: '0.1.0',
  method: 'POST',
  path: '/poasn-manager-service/sellers/{sellerId}/poasn/create',
  summary: 'Transmit an ASN or PO',
  description:
    'Stores one Advance Shipping Notice (`asnData`, with cartons) or one Purchase Order (`poData`), at most 20,000 lines. The message is accepted or rejected as a whole; ' +
    'a rejection lists every error, of the header and of the lines. Field names may be in PascalCase or camelCase, with or without the root field `ReceivingDetail`. The shipment may be a ' +
    'single object or a list of one. The body is JSON, even if it is labelled `application/xml`. A number is unique per seller and type. If you send a number again with the same content, you get the first response again. This comparison ignores blank and null fields, the order of lines, and the spelling of dates and numbers. If the content differs, the service rejects the message, and the error lists the differences. To correct a message before goods are received, send the whole message to `replaceInbound`.',
  events: ['inbound.transmitted'],
  access: { auth: 'apiKey', group: 'inbound', permission: 'orders.intake' },
  message: {
    ...inboundForm,
    replies: {
      200: {
        description: 'The message is stored, by this request or by an earlier one with the same content.',
        schema: inboundReceipt,
      },
    },
  },
  run: {
    repeat: 'same',
    prepare: ({ body }) => messageIn(body),
    async handle(ctx, { body: reading, params: { sellerId }, clientId, prepared: message }) {
      return receiptOf(await announce(ctx, { clientId, sellerId }, reading, message));
    },
  },
  example: {
    path: '/poasn-manager-service/sellers/TOWNS/poasn/create',
    body: {
      poData: [
        {
          header: {
            storeCode: '988',
            receivingType: 'P',
            shipmentNumber: 'PO-1001',
            shipmentReceiptDate: '2030-01-15',
            shipperName: 'Pottery Ltd',
            receivingWarehouseId: 'DC001',
          },
          details: {
            detail: [
              {
                clientItemId: 'MUG-WHT',
                shippedQuantity: 24,
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
