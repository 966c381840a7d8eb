/** Kinds and rows of messages to customers. A row is committed with the change that causes it (docs/contact.md). */
import type { Ctx } from '../platform/ctx.ts';
import { insertInto } from '../platform/storage/insert.ts';
import type { CustomerMessageRow, FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { ContactKind, Settings } from '../shared/client-settings.ts';
import { State } from './states.ts';

export type MessageKind = ContactKind;

/** For each kind of message, the states of an order in which its text is true. */
export const MESSAGE_STATES: Readonly<Record<MessageKind, readonly number[]>> = {
  READY: [State.READY_FOR_PICKUP],
  PARTLY_READY: [State.READY_FOR_PICKUP],
  REMINDER: [State.READY_FOR_PICKUP],
  LATE: [
    State.WAITING_FOR_PICK,
    State.PICKING,
    State.WAITING_FOR_PACK,
    State.WAITING_FOR_CHECK_IN,
    State.WAITING_FOR_DELIVERY,
  ],
};

/** Whether the node declined units of the order, so that the customer gets only a part of it there. */
export function isPartly(lines: readonly Pick<OrderLineRow, 'declined'>[]): boolean {
  return lines.some(({ declined }) => declined > 0);
}

/** A message that a change of an order causes. */
export interface Caused {
  order: FulfillmentOrderRow;
  kind: MessageKind;
}

/**
 * Queues the messages that changes of orders cause, in the transaction of the changes. Does nothing for clients that do
 * not let Backroom send mail; their systems read the events of the changes.
 */
export async function queueMessages(ctx: Ctx, { contact }: Settings, caused: readonly Caused[]): Promise<void> {
  if (contact.by !== 'MAIL') return;
  // PARTLY_READY replaces READY if units were declined, so it is also sent if only READY is automatic.
  const isAutomatic = (kind: MessageKind) =>
    contact.automatic.includes(kind) || (kind === 'PARTLY_READY' && contact.automatic.includes('READY'));
  const wanted = caused.filter(({ order, kind }) => isAutomatic(kind) && order.blanked_at === null);
  await insertMessages(
    ctx,
    wanted.map(({ order, kind }) => ({
      client_id: order.client_id,
      message_id: ctx.newId(),
      fulfillment_order_id: order.fulfillment_order_id,
      kind,
      sent_by: 'MAIL',
      status: 'WAITING',
      user_id: null,
      created_at: ctx.now,
      due_at: ctx.now,
    })),
  );
}

type Inserted = Omit<CustomerMessageRow, 'attempts' | 'failure' | 'ended_at'>;

/** Inserts messages. */
export const insertMessages = insertInto<Inserted>('customer_messages', {
  client_id: 'text',
  message_id: 'text',
  fulfillment_order_id: 'text',
  kind: 'text',
  sent_by: 'text',
  status: 'text',
  user_id: 'text',
  created_at: 'integer',
  due_at: 'integer',
});

/** Deletes the messages of an order whose customer is anonymized. */
export async function deleteMessages(ctx: Pick<Ctx, 'db'>, order: FulfillmentOrderRow): Promise<void> {
  await ctx.db
    .deleteFrom('customer_messages')
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .execute();
}
