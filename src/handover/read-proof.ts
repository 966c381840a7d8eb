import { noOrder } from '../kernel/message-lines.ts';
import { findOrder } from '../kernel/orders.ts';
import { allows } from '../platform/http/auth.ts';
import { notFound } from '../platform/http/errors.ts';
import { readOperation, reply, theOrder } from '../platform/http/operation.ts';
import { dateTime, identifier, named, object, Type } from '../platform/schema.ts';
import { formatDateTime } from '../platform/time.ts';
import { Proof, type ProofKind } from './proof.ts';
import { say } from './sentences.ts';

export const HandOverProof = named(
  'HandOverProof',
  object(
    {
      handOverId: identifier(64, { description: 'Id of the hand-over' }),
      at: dateTime({ description: 'Time of the hand-over' }),
      kind: Proof.properties.kind,
      mediaType: Proof.properties.mediaType,
      data: Type.String({ description: 'The picture in base64', 'x-secret': true }),
    },
    { description: 'Signature or photo of a hand-over' },
  ),
);

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

/** Returns the signature or photo of a hand-over. */
export const readHandOverProof = readOperation({
  id: 'readHandOverProof',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/handOvers/{handOverId}/proof',
  summary: 'Read the signature or photo of a hand-over',
  description:
    'Returns the signature or photo that was taken at a hand-over.\n\n' +
    '- A proof is personal data: people need the permission `proofs.read`, and the access log has an entry of each read.\n' +
    '- The service stores the proof encrypted. The proof is deleted when the data of the customer is anonymized; then the response is 404.\n' +
    '- The event `order.handedOver` has `handOverId`, and `proof` if there is one.',
  access: { auth: 'operatorOrApiKey', group: 'supervise', permission: 'proofs.read', reveals: theOrder },
  message: {
    replies: { 200: { description: 'The proof', schema: HandOverProof } },
    refusals: { 404: 'There is no such store, order or hand-over, or the hand-over has no proof.' },
    errors: 'problem',
  },
  run: {
    async handle({ db, actor, sealer }, { params, clientId, store }) {
      const { fulfillmentOrderId: orderId, handOverId } = params;
      const order = await findOrder(db, clientId, store.store_id, orderId);
      if (order === undefined || !allows(actor.nodeIds, order.node_id)) throw noOrder(orderId, store.store_id);
      const row = await db
        .selectFrom('hand_overs')
        .select(['at', 'proof_kind', 'proof_type', 'proof_cipher'])
        .where('client_id', '=', clientId)
        .where('fulfillment_order_id', '=', orderId)
        .where('hand_over_id', '=', handOverId)
        .executeTakeFirst();
      if (row === undefined || row.proof_cipher === null) {
        throw notFound(
          say(
            'Order {orderId} has no hand-over {handOverId} with a proof; send the handOverId of an event order.handedOver that has a proof.',
            { orderId: JSON.stringify(orderId), handOverId: JSON.stringify(handOverId) },
          ),
        );
      }
      return reply(200, {
        handOverId,
        at: formatDateTime(row.at),
        kind: row.proof_kind as ProofKind,
        mediaType: row.proof_type,
        data: sealer.open(row.proof_cipher),
      });
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/{orders.checkedIn}/handOvers/till-3-0002/proof',
    before: [
      {
        operationId: 'putClient',
        path: '/operator/v1/clients/TOWN',
        body: { name: 'Town Outfitters', catalogIds: ['21'], settings: { handOverProof: 'ANY' } },
      },
      {
        operationId: 'confirmCustomerPickup',
        path: '/stores/TOWN_US/nodes/TOWN-Store001/customerPickUp/confirm',
        body: {
          modifyAssociateId: 'UserId001',
          customerPickUpDetails: {
            storeId: 'TOWN_US',
            nodeId: 'TOWN-Store001',
            fulfillmentOrderId: '{orders.checkedIn}',
            handOverId: 'till-3-0002',
            proof: { kind: 'SIGNATURE', mediaType: 'image/png', data: PIXEL },
            customerPickUpItems: [
              { webLineId: '1', itemId: '21-MUG-WHT', customerPickedQuantity: 1, backroomPickedQuantity: 3 },
            ],
          },
        },
      },
      {
        operationId: 'putClient',
        path: '/operator/v1/clients/TOWN',
        body: { name: 'Town Outfitters', catalogIds: ['21'], settings: {} },
      },
    ],
  },
});
