import { lockOfNode } from '../kernel/arrivals/locked.ts';
import { writeArrival } from '../kernel/arrivals/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { namedIn, OfSeller } from './path.ts';
import { ReopenMessage, stateReply } from './receipt-schema.ts';
import { showState } from './replies.ts';

/** Opens a closed shipment again. */
export const reopenInbound = writeOperation({
  id: 'reopenInbound',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/reopen',
  summary: 'Reopen a closed shipment',
  description:
    'Reopens a closed shipment for receipts and corrections: short units are open again, and MISSING cartons are EXPECTED. Statements remain; the next close issues the next version. Goods without papers that were matched stay closed.',
  events: ['inbound.reopened'],
  access: { auth: 'operatorOrApiKey', group: 'receiving', permission: 'receipts.approve' },
  message: {
    query: OfSeller,
    body: ReopenMessage,
    replies: { 200: { description: 'The current sums and state', schema: stateReply } },
    refusals: {
      404: 'The node has no such shipment.',
      409: 'The shipment is not closed, its goods were matched with another shipment, or AMBIGUOUS_NUMBER: several sellers use the number.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, request) {
      const { client, body } = request;
      const row = await lockOfNode(ctx, namedIn(request));
      const { shipment } = await writeArrival(ctx, client, row, { type: 'reopen', ...body });
      return reply(200, showState(shipment));
    },
  },
  example: {
    after: ['closeInbound'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/ASN/ASN-1001/reopen',
    body: { userId: 'UserId001', reason: 'ANOTHER CARTON' },
  },
});
