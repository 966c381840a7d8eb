import { record } from '../events/record.ts';
import { actionContextOf } from '../kernel/action-context.ts';
import { orderActions } from '../kernel/allowed.ts';
import { findCharged } from '../kernel/charges.ts';
import { claimCommand, findCommand, scopeOf, usedOtherwise } from '../kernel/commands.ts';
import { contactsOf, findLines, lockOrder } from '../kernel/orders.ts';
import { noSuchOrder, notNow, refusedInState } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { leftUnits } from '../kernel/units.ts';
import { saveOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { requireNode } from '../platform/http/auth.ts';
import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusOf } from '../shared/status.ts';
import { Delivery, DeliveryReply } from './delivery-schema.ts';
import { checkPinUnsaid } from './pin.ts';
import { assessLines, checkCollector, checkMethod } from './rules.ts';
import { say } from './sentences.ts';
import { INSTEAD_OF_DELIVERY } from './state-hints.ts';
import { findHandOvers, isKnown, isRepeated, recordHandOver } from './store.ts';

export const deliverFulfillmentOrder = writeOperation({
  id: 'deliverFulfillmentOrder',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/deliver',
  summary: 'Deliver an order to its customer',
  description:
    'Records the delivered and rejected units of an ASSOCIATE_DELIVERY order that waits for delivery (status 1500).\n\n' +
    '- Without `lines` every unit counts as delivered. Rejected units need a reason and return to the store. Units that you do not send wait for ' +
    'another delivery.\n' +
    '- `verificationMethod` cannot be PIN, because a delivery has no PIN.\n' +
    '- Once no unit remains, the order is delivered (3900), or canceled (9000) if the customer rejected every unit.\n' +
    '- `orderTotal` has the amounts that this delivery charged; it is absent if no unit was delivered.\n' +
    '- With `notAtHome` the service records only the attempt, and the order waits for another delivery.\n' +
    '- If you send a delivery or attempt again with the same `deliveryId`, nothing changes; other content under that id gets 409. Without ' +
    '`deliveryId`, a retry of the last delivery is accepted once no unit remains, and every attempt is recorded again.',
  events: ['order.delivered', 'order.notAtHome', 'pickTicket.reverseGenerated', 'stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'fulfillment', permission: 'fulfillment.write' },
  message: {
    body: Delivery,
    replies: { 200: { description: 'The current state of the order', schema: DeliveryReply } },
    refusals: {
      404: 'There is no such store, or the node has no such fulfillment order.',
      409: 'The order cannot be delivered in its state, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: {
      adds: 'the same number of units again, up to the remaining units, or another attempt with `notAtHome`',
      unless: 'deliveryId',
    },
    async rules(ctx, { params, body, clientId, store }, errors) {
      const settings = await findSettings(ctx.db, clientId);
      const { nodeId } = body;
      if (nodeId !== undefined && ctx.actor.kind !== 'operator') {
        await requireNode(ctx.db, ctx.actor, clientId, nodeId);
      }
      const orderId = params.fulfillmentOrderId;
      const key = { clientId, storeId: store.store_id, orderId };
      const order = nodeId === undefined ? undefined : await lockOrder(ctx.db, { ...key, nodeId });
      const before = order === undefined ? [] : await findHandOvers(ctx.db, order);
      const isOpen = order === undefined || isAllowed(order, 'deliver');
      // If the order is not open or the id is known, only a retry can succeed, and only the content decides on it:
      // settings, the proxy and the remaining units may have changed since.
      const isNew = isOpen && !isKnown(before, body.deliveryId);
      if (isNew) checkMethod(body.verificationMethod, '/verificationMethod', settings, errors);
      if (nodeId === undefined) return undefined;
      if (order === undefined) return { settings };
      const lines = await findLines(ctx, clientId, [orderId]);
      if (isNew) {
        checkCollector(body.deliveredTo, contactsOf(order).proxyDetails !== undefined, '/deliveredTo', errors);
        checkPinUnsaid(body.verificationMethod, settings, errors);
      }
      if (body.notAtHome === true && body.lines !== undefined) {
        errors.add(
          '/notAtHome',
          'contradiction',
          say('notAtHome means that nothing was delivered; send notAtHome without lines'),
        );
      }
      const sent = body.lines?.map((one) => one && { ...one, webLineId: one.webLineId, handed: one.deliveredQuantity });
      const spoken = { at: '/lines', handed: 'deliveredQuantity', isNew };
      const handedUnits = sent === undefined ? ('all' as const) : assessLines(sent, lines, spoken, settings, errors);
      return { settings, order, before, isOpen, handedUnits };
    },
    async handle(ctx, { params, body, store, found }) {
      const { order, settings, before, isOpen, handedUnits } = found!;
      if (order === undefined) throw notFound(noSuchOrder(params.fulfillmentOrderId, store.store_id, body.nodeId));
      const attempt = attemptOf(order, body.deliveryId);
      if (body.notAtHome === true) {
        if (isKnown(before, body.deliveryId)) throw usedOtherwise('deliveryId', body.deliveryId!);
        if (
          attempt !== undefined &&
          (await claimCommand(ctx, attempt, { notAtHome: true }, 'deliveryId')) !== undefined
        ) {
          return reply(200, await show(ctx, order, settings, ''));
        }
        if (!isOpen) throw await refusedInState(ctx, order, settings, notNow(order, settings, INSTEAD_OF_DELIVERY));
        return reply(200, await show(ctx, await recordAttempt(ctx, order, body.modifyAssociateId), settings, ''));
      }
      if (attempt !== undefined && (await findCommand(ctx.db, attempt)) !== undefined) {
        throw usedOtherwise('deliveryId', attempt.commandId);
      }
      const handOver = {
        id: body.deliveryId,
        collectedBy: body.deliveredTo ?? ('CUSTOMER' as const),
        verificationMethod: body.verificationMethod ?? null,
        lines: handedUnits,
      };
      if (isRepeated(order, before, handOver, isOpen)) {
        return reply(200, await show(ctx, order, settings, handOver.id ?? before.at(-1)!.hand_over_id));
      }
      if (!isOpen) {
        throw await refusedInState(ctx, order, settings, notNow(order, settings, INSTEAD_OF_DELIVERY));
      }
      const associate = body.modifyAssociateId;
      const how = { action: 'deliver', position: before.length + 1, associate } as const;
      const delivered = await recordHandOver(ctx, settings, order, handOver, how);
      return reply(200, await show(ctx, delivered.order, settings, delivered.handOverId));
    },
  },
  example: {
    before: [
      {
        operationId: 'generatePickTicket',
        path: '/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/generate',
        body: {
          storeId: 'TOWN_US',
          nodeId: 'TOWN-Store001',
          queueId: 'WAITING_FOR_PICK_DEL',
          userId: 'UserId001',
          fulfillmentOrderIds: ['{orders.delivery}'],
          modifyAssociateId: 'UserId001',
        },
      },
      {
        operationId: 'updatePickTicket',
        path: '/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/update',
        body: {
          modifyAssociateId: 'UserId001',
          pickTicketDetails: {
            pickTicketId: '{tickets.afterNext}',
            action: 'CONFIRM',
            storeId: 'TOWN_US',
            nodeId: 'TOWN-Store001',
            userId: 'UserId001',
            holdLocation: 'A1',
            pickTicketItems: [
              { id: 1, itemId: '21-LAMP-BRS', pickedQuantity: 1 },
              { id: 2, itemId: '21-SOAP-LAV', pickedQuantity: 2 },
            ],
          },
        },
      },
      {
        operationId: 'readPackDetails',
        path: '/stores/TOWN_US/fulfillmentOrders/{orders.delivery}/packages?nodeId=TOWN-Store001',
        body: { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrderId: '{orders.delivery}' },
      },
      {
        operationId: 'updatePackages',
        path: '/stores/TOWN_US/fulfillmentOrders/{orders.delivery}/package/update',
        body: {
          modifyAssociateId: 'UserId001',
          packDetails: {
            storeId: 'TOWN_US',
            nodeId: 'TOWN-Store001',
            fulfillmentOrderId: '{orders.delivery}',
            packages: [
              {
                action: 'CREATE',
                boxId: '1',
                boxWeight: { unit: 'LBS', value: 6.5 },
                packingMaterialWeight: { unit: 'LBS', value: 0.3 },
                length: { unit: 'IN', value: 14 },
                height: { unit: 'IN', value: 6 },
                width: { unit: 'IN', value: 10 },
                packageItems: [
                  { itemId: '21-LAMP-BRS', webLineId: '1', quantity: 1 },
                  { itemId: '21-SOAP-LAV', webLineId: '2', quantity: 2 },
                ],
              },
            ],
          },
        },
      },
    ],
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/{orders.delivery}/deliver',
    body: { nodeId: 'TOWN-Store001', modifyAssociateId: 'UserId001', deliveryId: 'van-2-0001' },
  },
});

/**
 * Returns the command key of an attempt at which the customer was not at home; undefined if the message has no id. A
 * delivery needs no command key, because `hand_overs` stores its id.
 */
function attemptOf(
  { client_id: clientId, fulfillment_order_id: orderId }: FulfillmentOrderRow,
  id: string | undefined,
) {
  return id === undefined ? undefined : { clientId, scope: scopeOf('notAtHome', orderId), commandId: id };
}

/** Records an attempt at which the customer was not at home. */
async function recordAttempt(ctx: Ctx, order: FulfillmentOrderRow, associate: string): Promise<FulfillmentOrderRow> {
  await saveOrder(ctx, order, {});
  await record(ctx, {
    clientId: order.client_id,
    type: 'order.notAtHome',
    resource: 'order',
    resourceId: order.fulfillment_order_id,
    revision: order.revision + 1,
    data: { modifyAssociateId: associate },
  });
  return { ...order, revision: order.revision + 1 };
}

async function show(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  settings: Settings,
  deliveryId: string,
): Promise<DeliveryReply> {
  const charged = (await findCharged(ctx.db, order)).find((one) => one.handOverId === deliveryId);
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    storeId: order.store_id,
    nodeId: order.node_id,
    ...statusOf(settings, order.status),
    currency: order.currency,
    ...(charged && { orderTotal: charged.orderTotal }),
    lines: lines.map((line) => ({
      webLineId: line.web_line_id,
      itemId: line.item_id,
      orderedQuantity: line.ordered,
      deliveredQuantity: line.handed_over,
      refusedQuantity: line.refused,
      toDeliverQuantity: leftUnits(line),
    })),
    allowedActions: orderActions(await actionContextOf(ctx, order, lines), settings),
  };
}
