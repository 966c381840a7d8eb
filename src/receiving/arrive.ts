import { reply, writeOperation } from '../platform/http/operation.ts';
import { formatDateTime, parseDateTime } from '../platform/time.ts';
import { updateShipment } from './booking.ts';
import { recordArrived } from './inbound-events.ts';
import { requireOpen } from './inbound-refusals.ts';
import { inboundType, OfSeller } from './path.ts';
import { ArriveMessage } from './receipt-schema.ts';
import { lockOfNode } from './shipment.ts';

/** Notes that the goods stand at the door. */
export const arriveInbound = writeOperation({
  id: 'arriveInbound',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/arrive',
  auth: 'operatorOrApiKey',
  group: 'receiving',
  permission: 'receive',
  offline: true,
  repeat: 'same',
  summary: 'Note that a shipment has arrived',
  description:
    'Notes when the goods stood at the door; the state of the shipment stays. The first time counts: sent again, it changes nothing.',
  query: OfSeller,
  body: ArriveMessage,
  replies: { 204: { description: 'Noted, now or before.' } },
  refusals: { 404: 'The node has no such shipment.', 409: 'NOT_OPEN: it is closed; or AMBIGUOUS_NUMBER.' },
  errors: 'problem',
  async handle(ctx, { params, clientId, node, query, body: { userId, at } }) {
    const named = { clientId, node, type: inboundType(params.type), number: params.number, sellerId: query.sellerId };
    const row = await lockOfNode(ctx, named);
    requireOpen(row, 'arrive');
    if (row.arrived_at !== null) return reply(204);
    const arrivedAt = at === undefined ? ctx.now : parseDateTime(at);
    const after = { ...row, arrived_at: arrivedAt, revision: row.revision + 1 };
    await updateShipment(ctx, after);
    await recordArrived(ctx, after, userId, formatDateTime(arrivedAt));
    return reply(204);
  },
});
