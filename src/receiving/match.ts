import { loadShipment, lockBoth } from '../kernel/arrivals/locked.ts';
import { writeArrival } from '../kernel/arrivals/write.ts';
import { badValue } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import { inboundType, namedIn, OfSeller } from './path.ts';
import { MatchMessage, matchReply } from './receipt-schema.ts';
import { showSums } from './replies.ts';
import { say } from './sentences.ts';

/** Moves goods without papers to an ASN or PO that was announced late. */
export const matchInbound = writeOperation({
  id: 'matchInbound',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/match',
  summary: 'Match goods without papers with their ASN or PO',
  description:
    'Moves goods that were received without papers (type BLIND) to an ASN or PO of the node that was announced late. Units of a carton that the ASN announces are booked to this carton; units without a carton fill the open units of their item; all other units count as not announced. Units beyond the announced quantity and the tolerance are held. Afterwards the BLIND shipment is CLOSED with sums of 0. If it has no units, the ASN or PO does not change. Sending the same match again is a retry.',
  events: ['inbound.matched', 'inbound.completed', 'stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'receiving', permission: 'receive' },
  message: {
    // `type` and `number` of the body name the other shipment, not the shipment of the path.
    ownAgreement: true,
    query: OfSeller,
    body: MatchMessage,
    replies: { 200: { description: 'The shipment that has the goods now', schema: matchReply } },
    refusals: {
      404: 'The node has no such shipment, or no such ASN or PO to match it with.',
      409: 'NOT_OPEN: one of the two shipments is closed; AMBIGUOUS_NUMBER: several sellers use the number.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, request) {
      const { params, client, body } = request;
      if (inboundType(params.type) !== 'BLIND') {
        throw badValue(
          'path:type',
          'enum',
          say('only goods without papers can be matched; `type` in the path must be BLIND'),
        );
      }
      const named = namedIn(request);
      const [blind, target] = await lockBoth(ctx, named, { ...named, ...body, sellerId: body.sellerId });
      const userId = body.userId ?? ctx.actor.session?.userId ?? readJson(blind.doc).userId!;
      const goods = { target: await loadShipment(ctx, client, target), userId };
      const { shipment } = await writeArrival(ctx, client, blind, { type: 'match', ...goods });
      const { number, seller_id: sellerId } = target;
      return reply(200, { type: body.type, number, sellerId, state: shipment.row.status, sums: showSums(shipment) });
    },
  },
  example: {
    after: ['reopenInbound'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/BLIND/B-1001/match',
    body: { type: 'ASN', number: 'ASN-1001' },
  },
});
