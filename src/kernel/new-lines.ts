/** Rows of new order lines. */
import type { Columns } from '../platform/storage/dialect.ts';
import type { OrderLineRow } from '../platform/storage/tables.ts';

/** A new line. It lacks the columns of later steps: the database sets their units to 0. */
export type NewLineRow = Omit<
  OrderLineRow,
  | 'canceled'
  | 'canceling'
  | 'cancel_reason'
  | 'handed_over'
  | 'refused'
  | 'refuse_reason'
  | 'returned'
  | 'missing'
  | 'came_back'
  | 'coming_back'
>;

/** The column types of new lines. */
export const LINE_COLUMNS: Columns<NewLineRow> = {
  client_id: 'text',
  fulfillment_order_id: 'text',
  line_index: 'integer',
  web_line_id: 'text',
  item_id: 'text',
  ordered: 'integer',
  picked: 'integer',
  declined: 'integer',
  decline_reason: 'text',
  unit_price: 'text',
  charges: 'text',
  tax: 'text',
  snapshot: 'text',
  instructions: 'text',
};
