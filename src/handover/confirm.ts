import { contactsOf, findLines, lockOrder } from '../kernel/orders.ts';
import { noSuchOrder, notNow, refusedInState } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { readMessage } from '../shared/associate.ts';
import { checkPinSaid, rejectWrongPin } from './pin.ts';
import { checkProof } from './proof.ts';
import { assessLines, checkCollector, checkMethod } from './rules.ts';
import { CustomerPickupConfirm } from './schema.ts';
import { say } from './sentences.ts';
import { INSTEAD_OF_HAND_OVER } from './state-hints.ts';
import { findHandOvers, isKnown, isRepeated, recordHandOver } from './store.ts';

const DETAILS = '/customerPickUpDetails';

export const confirmCustomerPickup = writeOperation({
  id: 'confirmCustomerPickup',
  since: '0.1.0',
  method: 'PUT',
  path: '/stores/{storeId}/nodes/{nodeId}/customerPickUp/confirm',
  summary: 'Hand an order over to its customer',
  description:
    'Records the units of a ready order (status 1400) that the customer or the proxy of the order took, and the units that this person rejected, with a reason.\n\n' +
    '- Quantities count this hand-over only. Their sum is at most the units that the customer can still get. Units that you do not send remain for a later hand-over. ' +
    '`backroomPickedQuantity` must equal the picked units of the line.\n' +
    '- The order stays ready until no unit remains. Then it is picked up (3800), or canceled (9000) if the customer rejected every unit. An order that the ' +
    'customer canceled (8000) cannot be handed over.\n' +
    '- A setting of the client decides whether the PIN is required; `verificationMethod` PIN requires it too. A wrong PIN gets 400 with code ' +
    'WRONG_PIN and counts. After too many wrong PINs hand-overs are locked for a while (409 PIN_LOCKED).\n' +
    '- The service stores the verification method, never the number of a document.\n' +
    '- If the client’s setting `handOverProof` asks for it, a hand-over of units needs `proof`: a signature or a photo of at most 75,000 bytes. ' +
    'The service stores the proof encrypted; `readHandOverProof` returns it.\n' +
    '- If you send a hand-over again with the same `handOverId`, the response is 204 and nothing changes, also if settings or the proxy have changed since; ' +
    'other content under that id gets 409. Without `handOverId`, a retry of the last hand-over gets 204 once no unit remains.\n' +
    '- The charged amounts are in the order (`readFulfillmentOrder`) and in the event.',
  events: ['order.handedOver', 'order.pinRefused', 'pickTicket.reverseGenerated', 'stock.changed'],
  access: { auth: 'apiKey', group: 'fulfillment', permission: 'fulfillment.write' },
  message: {
    body: CustomerPickupConfirm,
    secretMember: 'pinNumber',
    parse: (raw, validate) => readMessage<CustomerPickupConfirm>(raw, validate),
    replies: { 204: { description: 'The units are handed over, by this request or an earlier one' } },
    refusals: {
      404: 'The node has no such fulfillment order.',
      409: 'The order cannot be handed over in its state, its PIN is locked, or the first request with this Idempotency-Key is still running.',
    },
  },
  run: {
    repeat: { adds: 'the same number of units again, up to the remaining units', unless: 'handOverId' },
    async rules(ctx, { params: { storeId, nodeId }, body: { customerPickUpDetails: message }, clientId }, errors) {
      const settings = await findSettings(ctx.db, clientId);
      const orderId = message?.fulfillmentOrderId;
      const order = orderId === undefined ? undefined : await lockOrder(ctx.db, { clientId, storeId, nodeId, orderId });
      const before = order === undefined ? [] : await findHandOvers(ctx.db, order);
      const isOpen = order === undefined || isAllowed(order, 'handOver');
      // If the order is not open or the id is known, only a retry can succeed, and only the content decides on it:
      // settings, the proxy and the remaining units may have changed since.
      const isNew = isOpen && !isKnown(before, message?.handOverId);
      if (isNew) checkMethod(message?.verificationMethod, `${DETAILS}/verificationMethod`, settings, errors);
      if (orderId === undefined) return undefined;
      if (order === undefined) return { settings };
      const lines = await findLines(ctx, clientId, [orderId]);
      for (const [name, is] of [
        ['omsOrderId', order.oms_order_id],
        ['webOrderId', order.web_order_id],
      ] as const) {
        if (message?.[name] === undefined || message[name] === is) continue;
        errors.add(
          `${DETAILS}/${name}`,
          'mismatch',
          say('{name} does not match this order; send the value from the customer pickup details', { name }),
        );
      }
      const hasProxy = contactsOf(order).proxyDetails !== undefined;
      if (isNew) checkCollector(message?.collectedBy, hasProxy, `${DETAILS}/collectedBy`, errors);
      if (isNew) checkPinSaid(message ?? {}, order, settings, DETAILS, errors);
      const spoken = { at: `${DETAILS}/customerPickUpItems`, handed: 'customerPickedQuantity', isNew };
      const sent = (message?.customerPickUpItems ?? []).map(
        (one) => one && { ...one, webLineId: one.webLineId, handed: one.customerPickedQuantity },
      );
      const handedUnits = assessLines(sent, lines, spoken, settings, errors);
      const handsOver = handedUnits.some(({ handed }) => handed > 0);
      if (isNew) checkProof(message?.proof, handsOver, `${DETAILS}/proof`, settings, errors);
      return { settings, order, before, isOpen, handedUnits };
    },
    async handle(ctx, { params, body, found }) {
      const { modifyAssociateId: associate, customerPickUpDetails: message } = body;
      const { order, settings, before, isOpen, handedUnits } = found!;
      if (order === undefined) {
        throw notFound(noSuchOrder(message.fulfillmentOrderId, params.storeId, params.nodeId));
      }
      const handOver = {
        id: message.handOverId,
        collectedBy: message.collectedBy ?? ('CUSTOMER' as const),
        verificationMethod: message.verificationMethod ?? null,
        proof: message.proof,
        lines: handedUnits,
      };
      if (isRepeated(order, before, handOver, isOpen)) return reply(204);
      if (!isOpen) {
        throw await refusedInState(ctx, order, settings, notNow(order, settings, INSTEAD_OF_HAND_OVER));
      }
      const wrong = await rejectWrongPin(ctx, settings, order, message.pinNumber, associate);
      if (wrong !== undefined) return wrong;
      const how = { action: 'handOver', position: before.length + 1, associate } as const;
      await recordHandOver(ctx, settings, order, handOver, how);
      return reply(204);
    },
  },
  example: {
    path: '/stores/TOWN_US/nodes/TOWN-Store001/customerPickUp/confirm',
    body: {
      modifyAssociateId: 'UserId001',
      customerPickUpDetails: {
        storeId: 'TOWN_US',
        nodeId: 'TOWN-Store001',
        fulfillmentOrderId: '{orders.checkedIn}',
        handOverId: 'till-3-0001',
        verificationMethod: 'PHOTO_ID',
        customerPickUpItems: [
          {
            webLineId: '1',
            itemId: '21-MUG-WHT',
            customerPickedQuantity: 2,
            canceledQuantity: 0,
            backroomPickedQuantity: 3,
          },
        ],
      },
    },
  },
});
