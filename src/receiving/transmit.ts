import { type Reply, reply, writeOperation } from '../platform/http/operation.ts';
import { valid } from '../platform/message/validate.ts';
import { Type } from '../platform/schema.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { announce, messageIn } from './announce.ts';
import { type Reading, readMessage } from './reading.ts';
import { checkAgreement } from './rules.ts';
import { inboundMessage, inboundReceipt } from './schema.ts';
import { readHeaderDoc } from './store.ts';

/** Transmits one ASN or PO (docs/interface.md#transmit-an-asn-or-po). */
export const transmitInbound = writeOperation({
  id: 'transmitInbound',
  method: 'POST',
  path: '/poasn-manager-service/sellers/{sellerId}/poasn/create',
  auth: 'apiKey',
  group: 'inbound',
  permission: 'orders.intake',
  repeat: 'same',
  summary: 'Transmit an ASN or PO',
  description:
    'Takes one Advance Shipping Notice (`asnData`, with cartons) or one Purchase Order (`poData`), at most 20,000 lines. The whole message goes in or nothing of it; ' +
    'a refusal lists every error, of the header and of the lines. Names may be in PascalCase or camelCase, with or without the root field `ReceivingDetail`, the shipment a ' +
    'single object or a list of one. The body is JSON, also where it is labelled `application/xml`. A number is unique per seller and type. The same number with the same content answers as the first time: blank and null fields, the order of lines and the ' +
    'spelling of dates and numbers do not count. With other content it is refused, and the refusal says what differs. A wrong message is voided with `voidInbound`, then its number may be sent again.',
  body: Type.Unsafe<Reading>(inboundMessage),
  ownAgreement: true,
  consumes: 'json-any-label',
  limit: 'inboundBodyLimit',
  errors: 'inbound',
  replies: {
    200: { description: 'The message was stored, now or before with the same content.', schema: inboundReceipt },
  },
  async parse(raw, validate) {
    const reading = await readMessage(raw, validate);
    await checkAgreement(reading);
    if (reading.errors.overflows) throw reading.errors.refusal(reading.number);
    return { ...valid(reading), ...reading.ignored };
  },
  prepare: ({ body }) => messageIn(body),
  async handle(ctx, { body: reading, params: { sellerId }, clientId, prepared: message }) {
    return receipt(await announce(ctx, { clientId, sellerId }, reading, message));
  },
});

/** The answer to a transmission, the same each time it is repeated. */
function receipt(row: InboundShipmentRow): Reply {
  return reply(200, {
    poAsnData: [
      {
        poAsnNumber: row.number,
        store_id: row.store_id!,
        catalog_id: readHeaderDoc(row.doc).catalogId,
        successfull_imported: String(row.total_lines),
        total_errors_encountered: '0',
        file_name: row.message_id,
        client_id: row.client_id,
        reportedFrom: 'BACKROOM',
        errors: [],
      },
    ],
  });
}
