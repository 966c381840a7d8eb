/**
 * The messages to the customer of an order: messages that were queued or sent, and messages that a user can send
 * (docs/contact.md).
 */
import { isPartly, MESSAGE_STATES, type MessageKind } from '../kernel/messages.ts';
import { findLines } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import type { CustomerMessageRow, FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { CONTACT_KINDS, type ContactText, type Settings } from '../shared/client-settings.ts';
import type { CustomerMessage } from './schema.ts';
import { dayAndTime, textOf } from './texts.ts';

/**
 * Returns the messages of an order, at most 500, the oldest first. Also returns each kind of message, with its text and
 * whether it can be sent now.
 */
export async function showContact(ctx: ReadCtx, order: FulfillmentOrderRow) {
  const settings = await findSettings(ctx.db, order.client_id);
  const rows = await ctx.db
    .selectFrom('customer_messages')
    .selectAll()
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .orderBy('created_at')
    .orderBy('message_id')
    .limit(500)
    .execute();
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  const offers: ({ kind: MessageKind; allowed: boolean } & ContactText)[] = [];
  for (const kind of CONTACT_KINDS) {
    // The associate who reads this text does not need the customer's name, so `…` replaces it.
    const { text } = await messageText(ctx, settings, order, kind, '…');
    offers.push({ kind, allowed: isTrue(order, lines, kind), ...text });
  }
  return { fulfillmentOrderId: order.fulfillment_order_id, messages: rows.map(showMessage), offers };
}

/**
 * Whether the text of a message of this kind is true for the order now. PARTLY_READY is also true without declined
 * units, because another fulfillment order can have the rest of the customer's order.
 */
export function isTrue(order: FulfillmentOrderRow, lines: readonly OrderLineRow[], kind: MessageKind): boolean {
  return isInTime(order, kind) && !(kind === 'READY' && isPartly(lines));
}

/** Whether the state of the order allows a message of this kind. */
export function isInTime({ status, blanked_at: forgotten }: FulfillmentOrderRow, kind: MessageKind): boolean {
  return forgotten === null && MESSAGE_STATES[kind].includes(status);
}

export function showMessage(row: CustomerMessageRow): CustomerMessage {
  return {
    messageId: row.message_id,
    kind: row.kind,
    sentBy: row.sent_by,
    status: row.status,
    ...(row.user_id !== null && { userId: row.user_id }),
    ...(row.failure !== null && { failure: row.failure }),
    createdAt: formatDateTime(row.created_at),
    ...(row.ended_at !== null && { endedAt: formatDateTime(row.ended_at) }),
  };
}

/**
 * Returns the text of a message to a customer and the name of its sender; `name` is the name of the customer in the
 * text.
 */
export async function messageText(
  { db }: Pick<ReadCtx, 'db'>,
  { contact }: Settings,
  order: FulfillmentOrderRow,
  kind: MessageKind,
  name: string,
): Promise<{ sender: string; text: ContactText }> {
  const client = await db
    .selectFrom('clients')
    .select('name')
    .where('client_id', '=', order.client_id)
    .executeTakeFirstOrThrow();
  const node = await db
    .selectFrom('nodes')
    .select(['name', 'address', 'time_zone'])
    .where('client_id', '=', order.client_id)
    .where('node_id', '=', order.node_id)
    .executeTakeFirstOrThrow();
  const { line1, postalCode, city } = readJson(node.address);
  const sender = contact.sender ?? client.name;
  const text = textOf(kind, contact, {
    name,
    order: order.web_order_id,
    place: node.name,
    address: [line1, [postalCode, city].filter(Boolean).join(' ')].filter(Boolean).join(', '),
    until: order.sla_at === null || kind === 'LATE' ? '' : dayAndTime(contact.language, node.time_zone, order.sla_at),
    sender,
  });
  return { sender, text };
}
