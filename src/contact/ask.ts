import { record } from '../events/record.ts';
import { noOrder, takeOrder } from '../kernel/message-lines.ts';
import { insertMessages } from '../kernel/messages.ts';
import { nameOf } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { Contended, isUniqueViolation } from '../platform/storage/db.ts';
import type { CustomerMessageRow } from '../platform/storage/tables.ts';
import { statusOf } from '../shared/status.ts';
import { CustomerMessage, CustomerMessageRequest } from './schema.ts';
import { say } from './sentences.ts';
import { isInTime, isTrue, showMessage } from './show.ts';

export const contactCustomer = writeOperation({
  id: 'contactCustomer',
  since: '0.4.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/contact',
  summary: 'Send a message to the customer of an order',
  description:
    'Requests a message to the customer: the order is ready, partly ready, late, or still waits. The client setting `contact.by` decides who ' +
    'sends it: with EVENTS a system of the retailer that reads `order.contactRequested`, with MAIL this service.\n\n' +
    '- The state of the order must allow the message; otherwise the response is 409. READY is not allowed if units of the order were declined; send PARTLY_READY.\n' +
    '- A repeated messageId sends no second message. To send another message, use a new messageId.\n' +
    '- A mail is sent at most once. While the mail server is not available, the service retries for a day.',
  events: ['order.contactRequested'],
  access: {
    auth: 'operatorOrApiKey',
    group: ['fulfillment', 'intake'],
    permission: ['fulfillment.write', 'orders.change'],
  },
  message: {
    body: CustomerMessageRequest,
    replies: {
      201: { description: 'The message is requested', schema: CustomerMessage },
      200: {
        description: 'The message was requested earlier. The response has the current state of the message',
        schema: CustomerMessage,
      },
    },
    refusals: {
      404: 'There is no such store or order.',
      409: 'The message cannot be sent in the state of the order, the messageId belongs to another message, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params, body, clientId, store }) {
      const orderId = params.fulfillmentOrderId;
      const taken = await takeOrder(ctx, { clientId, storeId: store.store_id, orderId });
      if (taken === undefined) throw noOrder(orderId, store.store_id);
      const { order, lines } = taken;
      const { messageId, kind, userId } = body;
      const known = await findMessage(ctx, clientId, messageId);
      if (known !== undefined) {
        // READY becomes PARTLY_READY if units are declined while the mail waits.
        const isSame = known.kind === kind || (kind === 'READY' && known.kind === 'PARTLY_READY');
        if (known.fulfillment_order_id === orderId && isSame) return reply(200, showMessage(known));
        throw conflict(
          say('messageId {messageId} belongs to another message; send a new message with a new id.', {
            messageId: JSON.stringify(messageId),
          }),
        );
      }
      const settings = await findSettings(ctx.db, clientId);
      if (!isTrue(order, lines, kind)) {
        const values = { order: nameOf(order), statusDescriptions: settings.statusDescriptions[order.status]!, kind };
        const message = isInTime(order, kind)
          ? say('{order} has declined units, so the message READY is not allowed; send PARTLY_READY.', values)
          : say(
              '{order} is {statusDescriptions}, so the message {kind} is not allowed; the `offers` of the order list the allowed messages.',
              values,
            );
        throw conflict(message, { orderStatus: String(order.status) });
      }
      const isMail = settings.contact.by === 'MAIL';
      const row = {
        client_id: clientId,
        message_id: messageId,
        fulfillment_order_id: orderId,
        kind,
        sent_by: settings.contact.by,
        status: isMail ? ('WAITING' as const) : ('TOLD' as const),
        user_id: userId,
        created_at: ctx.now,
        due_at: isMail ? ctx.now : null,
      };
      try {
        await insertMessages(ctx, [row]);
      } catch (error) {
        // The lock covers only this order. A request for another order can insert the same id at the same moment.
        throw isUniqueViolation(error)
          ? new Contended('Another request used this messageId.', { cause: error })
          : error;
      }
      await record(ctx, {
        clientId,
        type: 'order.contactRequested',
        resource: 'order',
        resourceId: orderId,
        revision: order.revision,
        data: { messageId, kind, userId, sentBy: row.sent_by, ...statusOf(settings, order.status) },
      });
      return reply(201, showMessage({ ...row, attempts: 0, failure: null, ended_at: null }));
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/{orders.ready}/contact',
    body: { messageId: 'phone-7-0009', kind: 'READY', userId: 'UserId001' },
  },
});

function findMessage(ctx: Ctx, clientId: string, messageId: string): Promise<CustomerMessageRow | undefined> {
  return ctx.db
    .selectFrom('customer_messages')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('message_id', '=', messageId)
    .executeTakeFirst();
}
