import { contactsOf, findLines, lockOrder } from '../kernel/orders.ts';
import { noSuchOrder, notNow, refusedInState } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { readMessage } from '../shared/associate.ts';
import { checkPinSaid, refuseWrongPin } from './pin.ts';
import { assessLines, checkCollector, checkMethod } from './rules.ts';
import { CustomerPickupConfirm } from './schema.ts';
import { INSTEAD_OF_HAND_OVER } from './state-hints.ts';
import { findHandOvers, isKnown, isRepeated, recordHandOver } from './store.ts';

const DETAILS = '/customerPickUpDetails';

export const confirmCustomerPickup = writeOperation({
  id: 'confirmCustomerPickup',
  method: 'PUT',
  path: '/stores/{storeId}/nodes/{nodeId}/customerPickUp/confirm',
  auth: 'apiKey',
  group: 'fulfillment',
  permission: 'fulfillment.write',
  repeat: { adds: 'the same number of units, as far as they are left', unless: 'handOverId' },
  summary: 'Hand an order over to its customer',
  description:
    'Records what the customer, or the proxy that the order names, took of an order that is ready (status 1400), and what was ' +
    'refused with a reason. The order read and the event show the amounts charged. Quantities are of this hand-over; what is not mentioned waits for later, and together they are at most ' +
    'the units still wanted. The order stays ready until nothing is left; then it is picked up (3800), or canceled (9000) when ' +
    'everything was refused. One that the customer canceled (8000) is not handed over: its goods go back to the shelf. `backroomPickedQuantity` must be what was picked for the line. A PIN that is sent must be the order’s; ' +
    'whether it must be sent is a setting of the client, and `verificationMethod` PIN needs it. A wrong one is a 400 with code WRONG_PIN and counts; after too many no ' +
    'hand-over is possible for a while (409 PIN_LOCKED). How the person was verified is kept, never a number of a document. With ' +
    '`handOverId` the same hand-over again is 204, another under the same id a 409; without it the last one again is 204 once ' +
    'nothing is left.',
  body: CustomerPickupConfirm,
  secretMember: 'pinNumber',
  parse: (raw, validate) => readMessage<CustomerPickupConfirm>(raw, validate),
  replies: { 204: { description: 'Handed over, or handed over before with the same content' } },
  refusals: {
    404: 'The node has no such fulfillment order.',
    409: 'The order cannot be handed over in its state, its PIN is locked, or the first request with this Idempotency-Key is still running.',
  },
  async rules(ctx, { params: { storeId, nodeId }, body: { customerPickUpDetails: message }, clientId }, errors) {
    const settings = await findSettings(ctx.db, clientId);
    const orderId = message?.fulfillmentOrderId;
    checkMethod(message?.verificationMethod, `${DETAILS}/verificationMethod`, settings, errors);
    if (orderId === undefined) return undefined;
    const order = await lockOrder(ctx.db, { clientId, storeId, nodeId, orderId });
    if (order === undefined) return { settings };
    const lines = await findLines(ctx, clientId, [orderId]);
    const isOpen = isAllowed(order, 'handOver');
    const before = await findHandOvers(ctx.db, order);
    // What was done before cannot be done again, so it is not held against what is left.
    const isNew = isOpen && !isKnown(before, message?.handOverId);
    for (const [name, is] of [
      ['omsOrderId', order.oms_order_id],
      ['webOrderId', order.web_order_id],
    ] as const) {
      if (message?.[name] === undefined || message[name] === is) continue;
      errors.add(`${DETAILS}/${name}`, 'mismatch', `${name} is not that of this order; send it as the details have it`);
    }
    const hasProxy = contactsOf(order).proxyDetails !== undefined;
    checkCollector(message?.collectedBy, hasProxy, `${DETAILS}/collectedBy`, errors);
    if (isNew) checkPinSaid(message ?? {}, order, settings, DETAILS, errors);
    const spoken = { at: `${DETAILS}/customerPickUpItems`, handed: 'customerPickedQuantity', isOpen: isNew };
    const sent = (message?.customerPickUpItems ?? []).map(
      (one) => one && { ...one, webLineId: one.webLineId, handed: one.customerPickedQuantity },
    );
    const answers = assessLines(sent, lines, spoken, settings, errors);
    return { settings, order, before, isOpen, answers };
  },
  async handle(ctx, { params, body, found }) {
    const { modifyAssociateId: associate, customerPickUpDetails: message } = body;
    const { order, settings, before, isOpen, answers } = found!;
    if (order === undefined) {
      throw notFound(noSuchOrder(message.fulfillmentOrderId, params.storeId, params.nodeId));
    }
    const handOver = {
      id: message.handOverId,
      collectedBy: message.collectedBy ?? ('CUSTOMER' as const),
      verificationMethod: message.verificationMethod ?? null,
      lines: answers,
    };
    if (isRepeated(order, before, handOver, isOpen)) return reply(204);
    if (!isOpen) {
      throw await refusedInState(ctx, order, settings, notNow(order, settings, INSTEAD_OF_HAND_OVER));
    }
    const wrong = await refuseWrongPin(ctx, settings, order, message.pinNumber, associate);
    if (wrong !== undefined) return wrong;
    const how = { action: 'handOver', position: before.length + 1, associate } as const;
    await recordHandOver(ctx, settings, order, handOver, how);
    return reply(204);
  },
});
