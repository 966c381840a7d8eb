import { type IsBooked, lockOfNode } from '../kernel/arrivals/locked.ts';
import { findStatement } from '../kernel/arrivals/records.ts';
import { writeArrival } from '../kernel/arrivals/write.ts';
import { contentHash } from '../kernel/commands.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { namedIn, OfSeller } from './path.ts';
import { CloseMessage, inboundStatement } from './receipt-schema.ts';

/** Closes a shipment: open units become short, and a statement lists the arrived units. */
export const closeInbound = writeOperation({
  id: 'closeInbound',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/close',
  summary: 'Close a shipment and issue its statement',
  description: `Ends the receiving: open units become short, cartons without a received unit become MISSING, and the response is
the statement of every key. Missing and excess units beyond the client's tolerance need a reason in this request. Units of a PO that arrived with its ASNs need no reason. Damaged units need a
reason in their receipts or in this request. A reason with a carton but no item applies to the whole carton; a reason without both applies to the
whole shipment. A reason for a carton or an item that the shipment does not have is rejected. Held units must be approved first. Sending the same \`closeId\` again is a retry. A close after \`reopen\` issues the next version of the statement;
older versions stay readable.`,
  events: ['inbound.closed', 'edi.ready'],
  access: { auth: 'operatorOrApiKey', group: 'receiving', permission: 'receipts.close' },
  message: {
    query: OfSeller,
    body: CloseMessage,
    replies: { 200: { description: 'The statement', schema: inboundStatement } },
    refusals: {
      400: 'INVALID_REQUEST: a reason names a carton or an item that the shipment does not have. REASON_NEEDED: short, over or damaged units have no reason; `needed` lists the items with such units.',
      404: 'The node has no such shipment.',
      409: 'APPROVAL_NEEDED: units are held; NOT_OPEN: the shipment is already closed; AMBIGUOUS_NUMBER: several sellers use the number; CONFLICT: the id was used with other content.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, request) {
      const { client, body } = request;
      const { closeId: id, userId, reasons = [] } = body;
      const isBooked: IsBooked = async (keys) => (await findStatement(ctx.db, keys, id)) !== undefined;
      const row = await lockOfNode(ctx, namedIn(request), isBooked);
      const action = { type: 'close' as const, id, userId, hash: contentHash(body), reasons };
      const { statement } = await writeArrival(ctx, client, row, action);
      return reply(200, statement!);
    },
  },
  example: {
    after: ['approveInbound'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/ASN/ASN-1001/close',
    body: { closeId: 'close-1', userId: 'UserId001', reasons: [{ itemId: '21-MUG-WHT', reason: 'ONE MORE' }] },
  },
});
