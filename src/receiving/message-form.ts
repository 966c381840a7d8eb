/** The form of an ASN or PO in a request, and the response to a stored message. */
import type { Reply } from '../platform/http/operation.ts';
import { reply } from '../platform/http/operation.ts';
import { type ValidationResult, valid } from '../platform/message/validate.ts';
import { Type } from '../platform/schema.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { type Reading, readMessage } from './reading.ts';
import { checkAgreement } from './rules.ts';
import { inboundMessage } from './schema.ts';
import { readHeaderDoc } from './store.ts';

/** Parts of the `message` of an operation whose body is an ASN or PO. */
export const inboundForm = {
  body: Type.Unsafe<Reading>(inboundMessage),
  ownAgreement: true,
  consumes: 'json-any-label',
  limit: 'inboundBodyLimit',
  errors: 'inbound',
  async parse(raw: unknown, validate: (value: unknown) => ValidationResult): Promise<ValidationResult<Reading>> {
    const reading = await readMessage(raw, validate);
    await checkAgreement(reading);
    if (reading.errors.overflows) throw reading.errors.refusal(reading.number);
    return { ...valid(reading), ...reading.ignored };
  },
  poAsnNumber: (reading: Reading) => reading.number,
} as const;

/** Returns the response to a stored message. A retry gets the same response. */
export function receiptOf(row: InboundShipmentRow): Reply {
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
