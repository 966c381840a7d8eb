import { record } from '../events.ts';
import { requireNode } from '../http/auth.ts';
import { conflict, notFound } from '../http/errors.ts';
import { reply, writeOperation } from '../http/operation.ts';
import { nameOf, noSuchOrder } from '../orders/refusals.ts';
import { lockOrder, moveOrder, standingOf } from '../orders/store.ts';
import { PinUnlock } from './schema.ts';

export const unlockPin = writeOperation({
  id: 'unlockPin',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/pin/unlock',
  auth: 'operatorOrApiKey',
  group: 'fulfillment',
  summary: 'Let the PIN of an order be tried again',
  description:
    'Forgets the wrong PINs of an order, so that it may be tried again at once. One that is not locked stays as it is. Who asked is ' +
    'recorded. Source: docs/decisions/109.',
  body: PinUnlock,
  replies: { 204: { description: 'It may be tried again' } },
  refusals: {
    404: 'There is no such store, or the node has no such fulfillment order.',
    409: 'The order has no PIN, or the first request with this Idempotency-Key is still running.',
  },
  errors: 'problem',
  async handle(ctx, { params, body, clientId, store }) {
    if (ctx.actor.kind !== 'operator') await requireNode(ctx.db, ctx.actor, clientId, body.nodeId);
    const orderId = params.fulfillmentOrderId;
    const order = await lockOrder(ctx.db, { clientId, storeId: store.store_id, nodeId: body.nodeId, orderId });
    if (order === undefined) throw notFound(noSuchOrder(orderId, store.store_id, body.nodeId));
    if (order.pin_hash === null) throw conflict(`${nameOf(order)} has no PIN, so there is nothing to unlock.`);
    if (order.pin_attempts === 0 && order.pin_locked_until === null) return reply(204);
    const columns = { pin_attempts: 0, pin_locked_until: null };
    if (!(await moveOrder(ctx.db, order, standingOf(order), ctx.now, columns))) throw new Error('a locked order moved');
    await record(ctx, {
      clientId,
      type: 'order.pinUnlocked',
      resource: 'order',
      resourceId: orderId,
      revision: order.revision + 1,
      data: { modifyAssociateId: body.modifyAssociateId, attempts: order.pin_attempts },
    });
    return reply(204);
  },
});
