/** Lines of orders as they come in. */
import type { Columns } from '../platform/storage/dialect.ts';
import type { OrderLineRow } from '../platform/storage/tables.ts';

/** A line as it comes in: nothing has happened to its units yet, which is what the database puts in. */
export type NewLineRow = Omit<
  OrderLineRow,
  'canceled' | 'canceling' | 'cancel_reason' | 'handed_over' | 'refused' | 'refuse_reason' | 'returned' | 'missing'
>;

/** Its columns, as rows are bound. */
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
