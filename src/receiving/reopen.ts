import { isDone } from '../kernel/inbound.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { findAllCartonWork, updateShipment } from './booking.ts';
import { recordReopened } from './inbound-events.ts';
import { requireOpen } from './inbound-refusals.ts';
import { inboundType, OfSeller } from './path.ts';
import { ReopenMessage, stateReply } from './receipt-schema.ts';
import { loadShipment, lockOfNode, showSums, unitsOf } from './shipment.ts';

/** Opens a closed shipment again. */
export const reopenInbound = writeOperation({
  id: 'reopenInbound',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/reopen',
  auth: 'operatorOrApiKey',
  group: 'receiving',
  permission: 'receipts.approve',
  repeat: 'rejected',
  summary: 'Reopen a closed shipment',
  description:
    'Goods of a closed shipment may be received and corrected again: what was short is open, and MISSING cartons are EXPECTED. Its statements stay; the next close makes the next version. Goods without papers that were matched stay closed.',
  query: OfSeller,
  body: ReopenMessage,
  replies: { 200: { description: 'The sums and the state as they are now', schema: stateReply } },
  refusals: {
    404: 'The node has no such shipment.',
    409: 'It is not closed, its goods were matched with another shipment, or AMBIGUOUS_NUMBER.',
  },
  errors: 'problem',
  async handle(ctx, { params, clientId, client, node, query, body: { userId, reason } }) {
    const named = { clientId, node, type: inboundType(params.type), number: params.number, sellerId: query.sellerId };
    const before = await lockOfNode(ctx, named);
    requireOpen(before, 'reopen');
    if (before.matched_to !== null) requireOpen(before, 'receive');
    const loaded = await loadShipment(ctx, client, before);
    loaded.row = { ...before, status: 'RECEIVING', revision: before.revision + 1 };
    const work = await findAllCartonWork(ctx.db, before);
    loaded.row.open_units = unitsOf(loaded).open;
    loaded.row.cartons_done = [...work.values()].filter(({ state }) => isDone(state)).length;
    await updateShipment(ctx, loaded.row);
    await recordReopened(ctx, loaded.row, userId, reason);
    return reply(200, { sums: showSums(loaded), state: loaded.row.status });
  },
});
