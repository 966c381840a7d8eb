import { record } from '../events/record.ts';
import { lockOrder } from '../kernel/orders.ts';
import { nameOf, noSuchOrder } from '../kernel/refusals.ts';
import { saveOrder } from '../kernel/write.ts';
import { requireNode } from '../platform/http/auth.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { pinLockedUntil } from './pin.ts';
import { PinUnlock } from './schema.ts';
import { say } from './sentences.ts';

/**
 * Maximum number of unlocks before a correct PIN is sent. Without this maximum, a user with the permission to unlock
 * could guess the PIN.
 */
const UNLOCKS = 3;

function usedUp(order: FulfillmentOrderRow, now: number): Sentence {
  const until = pinLockedUntil(order, now);
  const next =
    until === null
      ? say('the PIN is not locked now')
      : say('the PIN unlocks itself at {until}', { until: formatDateTime(until) });
  return say(
    'The PIN of {order} was unlocked {unlocks} {unlocks|time|times} and no correct PIN has been sent since, so it cannot be unlocked again; {next}.',
    {
      order: nameOf(order),
      unlocks: UNLOCKS,
      next,
    },
  );
}

export const unlockPin = writeOperation({
  id: 'unlockPin',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/pin/unlock',
  summary: 'Unlock the PIN of an order',
  description:
    'Resets the count of wrong PINs of an order, so that the PIN can be tried again immediately. An order without wrong PINs does not change. The service records the user. After 3 unlocks without a correct PIN in between, no further unlock is possible: the PIN then stays locked until the lock time ends.',
  events: ['order.pinUnlocked'],
  access: { auth: 'operatorOrApiKey', group: 'supervise', permission: 'supervise' },
  message: {
    body: PinUnlock,
    replies: { 204: { description: 'The PIN can be tried again' } },
    refusals: {
      404: 'There is no such store, or the node has no such fulfillment order.',
      409: 'The order has no PIN, its PIN was already unlocked 3 times, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params, body, clientId, store }) {
      if (ctx.actor.kind !== 'operator') await requireNode(ctx.db, ctx.actor, clientId, body.nodeId);
      const orderId = params.fulfillmentOrderId;
      const order = await lockOrder(ctx.db, { clientId, storeId: store.store_id, nodeId: body.nodeId, orderId });
      if (order === undefined) throw notFound(noSuchOrder(orderId, store.store_id, body.nodeId));
      if (order.pin_hash === null)
        throw conflict(say('{order} has no PIN, so there is nothing to unlock.', { order: nameOf(order) }));
      if (order.pin_attempts === 0 && order.pin_locked_until === null) return reply(204);
      if (order.pin_unlocks >= UNLOCKS) throw conflict(usedUp(order, ctx.now));
      const columns = { pin_attempts: 0, pin_locked_until: null, pin_unlocks: order.pin_unlocks + 1 };
      await saveOrder(ctx, order, columns);
      await record(ctx, {
        clientId,
        type: 'order.pinUnlocked',
        resource: 'order',
        resourceId: orderId,
        revision: order.revision + 1,
        data: {
          modifyAssociateId: body.modifyAssociateId,
          attempts: order.pin_attempts,
          unlocks: order.pin_unlocks + 1,
        },
      });
      return reply(204);
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/{orders.proxy}/pin/unlock',
    body: { nodeId: 'TOWN-Store001', modifyAssociateId: 'UserId001' },
  },
});
