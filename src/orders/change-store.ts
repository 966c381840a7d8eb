/** Reads and writes the rows of changed orders: people and addresses, gift messages, notes. */
import { type KeyColumns, keyColumns } from '../kernel/keys.ts';
import type { OrderKey } from '../kernel/order-key.ts';
import { type Contacts, instructionsOf } from '../kernel/orders.ts';
import type { Ctx } from '../platform/ctx.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { FulfillmentOrderRow, OrderLineRow, OrderNoteRow } from '../platform/storage/tables.ts';

/** Returns the notes of an order, the oldest first. */
export function findNotes(db: Reader, order: OrderKey): Promise<OrderNoteRow[]> {
  return db
    .selectFrom('order_notes')
    .selectAll()
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .orderBy('position')
    .execute();
}

/** Adds a note to a locked order. `before` is the number of notes that the order already has. */
export async function insertNote(
  ctx: Pick<Ctx, 'db' | 'now'>,
  order: OrderKey,
  before: number,
  { changeId, userId, note }: { changeId: string; userId: string; note: string },
): Promise<void> {
  const row: OrderNoteRow = {
    client_id: order.client_id,
    fulfillment_order_id: order.fulfillment_order_id,
    position: before + 1,
    change_id: changeId,
    user_id: userId,
    at: ctx.now,
    note,
  };
  await ctx.db.insertInto('order_notes').values(row).execute();
}

/** Deletes the notes of an order. */
export async function deleteNotes(ctx: Pick<Ctx, 'db'>, order: OrderKey): Promise<void> {
  await ctx.db
    .deleteFrom('order_notes')
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .execute();
}

/** The columns of an order that a change writes. The kernel writes state and queue. */
export type ChangedColumns = Partial<
  KeyColumns &
    Pick<
      FulfillmentOrderRow,
      | 'contacts'
      | 'pin_cipher'
      | 'pin_hash'
      | 'pin_attempts'
      | 'pin_locked_until'
      | 'pin_unlocks'
      | 'carrier'
      | 'service'
      | 'ship_method'
    >
>;

/** Returns the columns of the people and addresses of an order. */
export function peopleColumns(contacts: Contacts): ChangedColumns {
  return { contacts: stringifyJson(contacts), ...keyColumns(contacts) };
}

/** Writes columns of a locked order. */
export async function updateOrder(ctx: Pick<Ctx, 'db'>, order: OrderKey, columns: ChangedColumns): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await ctx.db
    .updateTable('fulfillment_orders')
    .set(columns)
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .execute();
}

/** The instruction type of gift messages. */
export const GIFT_MESSAGE = 'GIFT_MESSAGE';

/** Returns the instructions of a line with its gift message replaced; null removes it. */
export function withGiftMessage(line: OrderLineRow, message: string | null): OrderLineRow['instructions'] {
  const others = instructionsOf(line).filter(({ type }) => type !== GIFT_MESSAGE);
  const all = message === null ? others : [{ type: GIFT_MESSAGE, text: message }, ...others];
  return all.length === 0 && line.instructions === null ? null : stringifyJson(all);
}

/** Writes the instructions of a line of a locked order. */
export async function updateInstructions(
  ctx: Pick<Ctx, 'db'>,
  line: OrderLineRow,
  instructions: OrderLineRow['instructions'],
): Promise<void> {
  await ctx.db
    .updateTable('order_lines')
    .set({ instructions })
    .where('client_id', '=', line.client_id)
    .where('fulfillment_order_id', '=', line.fulfillment_order_id)
    .where('line_index', '=', line.line_index)
    .execute();
}
