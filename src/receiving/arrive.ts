import { lockOfNode } from '../kernel/arrivals/locked.ts';
import { writeArrival } from '../kernel/arrivals/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { deviceTime } from '../shared/device-time.ts';
import { namedIn, OfSeller } from './path.ts';
import { ArriveMessage } from './receipt-schema.ts';

/** Records the arrival of the goods. */
export const arriveInbound = writeOperation({
  id: 'arriveInbound',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/arrive',
  summary: 'Record the arrival of a shipment',
  description:
    'Records when the goods arrived at the door; the state of the shipment does not change. The first request counts: later ones change nothing, and neither does a request after the close.',
  events: ['inbound.arrived'],
  access: { auth: 'operatorOrApiKey', group: 'receiving', permission: 'receive', offline: true },
  message: {
    query: OfSeller,
    body: ArriveMessage,
    replies: {
      204: { description: 'The arrival is recorded, by this or an earlier request, or the shipment is closed.' },
    },
    refusals: {
      404: 'The node has no such shipment.',
      409: 'AMBIGUOUS_NUMBER: several sellers use the number.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, request) {
      const { client, body } = request;
      const row = await lockOfNode(ctx, namedIn(request));
      const time = deviceTime(body.at, ctx.now);
      await writeArrival(ctx, client, row, { type: 'arrive', userId: body.userId, ...time });
      return reply(204);
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/ASN/ASN-1001/arrive',
    body: { userId: 'UserId001' },
  },
});
