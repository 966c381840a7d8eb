/** Builds the responses with returns, their receipts and their orders. */
import { contactsOf } from '../kernel/orders.ts';
import type { Change, ExchangeWish, ReturnEntry } from '../kernel/returns/action.ts';
import { cameOf, isBlind } from '../kernel/returns/draft.ts';
import { showLine, showRefund, totalsOf } from '../kernel/returns/events.ts';
import { returnReplies } from '../kernel/returns/forget.ts';
import { returnActions } from '../kernel/returns/states.ts';
import { findReceipts, findRefunds, findReturnLines } from '../kernel/returns/subject.ts';
import type { Actor, ReadCtx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import type { FulfillmentOrderRow, ReturnLineRow, ReturnReceiptRow, ReturnRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { seesCustomer } from './rules.ts';
import type { Return, ReturnSummary, ShownReceipt } from './schema.ts';

type ShowCtx = Pick<ReadCtx, 'db' | 'dialect'>;

/** Returns a return without its receipts, refunds and exchanges, and without the data of its orders. */
export function showSummary(row: ReturnRow, lines: readonly ReturnLineRow[]): Omit<ReturnSummary, 'orders'> {
  const sums = totalsOf(lines);
  const blind = lines.filter(isBlind).reduce((sum, line) => sum + cameOf(line), 0);
  return {
    returnId: row.return_id,
    number: row.number,
    storeId: row.store_id,
    kind: row.kind,
    state: row.status,
    revision: row.revision,
    ...(row.expected_node_id !== null && { expectedNodeId: row.expected_node_id }),
    ...(row.node_id !== null && { nodeId: row.node_id }),
    ...(row.tracking_number !== null && { trackingNumber: row.tracking_number }),
    ...(row.in_transit_at !== null && { inTransitAt: formatDateTime(row.in_transit_at) }),
    ...(row.expires_at !== null && { expiresAt: formatDateTime(row.expires_at) }),
    ...(row.closed_at !== null && { closedAt: formatDateTime(row.closed_at) }),
    ...(row.customer_ref !== null && { customerRef: row.customer_ref }),
    ...(row.note !== null && { note: row.note }),
    ...(row.override_reason !== null && { overrideReason: row.override_reason }),
    createdAt: formatDateTime(row.created_at),
    createdBy: row.created_by,
    lines: lines.map((line) => ({ ...showLine(line), ...(line.note !== null && { note: line.note }) })),
    totals: sums,
    allowedActions: returnActions(row.status, { receipts: row.receipts, held: sums.held, blind }),
  };
}

/** Returns the name of an order's customer if the caller has access to the order and the order has the name. */
export function customerOf(
  actor: Actor,
  order: Pick<FulfillmentOrderRow, 'node_id' | 'contacts' | 'blanked_at'>,
): { customerName?: string } {
  if (order.blanked_at !== null || !seesCustomer(actor, order)) return {};
  const { name } = contactsOf(order).customer;
  return name === '' ? {} : { customerName: name };
}

/** Returns the ids of the orders whose customers a response names, for the access log. */
export function ordersNamed(orders: readonly { fulfillmentOrderId: string; customerName?: string }[]): string[] {
  return orders.flatMap((one) => (one.customerName === undefined ? [] : [one.fulfillmentOrderId]));
}

/**
 * The parts of a return that the caller has already read; `showReturn` reads the other parts. `receipt` is the newest
 * receipt.
 */
type Known = Partial<Pick<Change, 'lines' | 'receipt'>>;

/** Returns a return with its receipts, refunds and exchanges, for the responses of all operations. */
export async function showReturn(ctx: ShowCtx, row: ReturnRow, { lines, receipt }: Known = {}): Promise<Return> {
  const earlier =
    row.receipts === (receipt === undefined ? 0 : 1) ? [] : await findReceipts(ctx.db, row, receipt?.receipt_id);
  return {
    ...showSummary(row, lines ?? (await findReturnLines(ctx.db, row))),
    receipts: [...earlier.map(showReceipt), ...(receipt === undefined ? [] : [showEntries(receipt, receipt.entries)])],
    refunds: (await findRefunds(ctx.db, row)).map(showRefund),
    exchanges: await showExchanges(ctx, row),
  };
}

/**
 * Returns the names under which a stored response with a return can be found and deleted: the ids of its orders, and
 * the name of the return. The return has its own name because its notes can be removed without an order. Operations use
 * this function as `forgottenWith`.
 */
export function ordersShown(shown: Return | { return: Return }): string[] {
  const { returnId, lines } = 'return' in shown ? shown.return : shown;
  return [returnReplies(returnId), ...lines.flatMap(({ fulfillmentOrderId }) => fulfillmentOrderId ?? [])];
}

export function showReceipt(row: ReturnReceiptRow): ShownReceipt {
  return showEntries(row, readJson(row.lines));
}

function showEntries(row: Omit<ReturnReceiptRow, 'lines'>, entries: readonly ReturnEntry[]): ShownReceipt {
  return {
    receiptId: row.receipt_id,
    nodeId: row.node_id,
    userId: row.user_id,
    at: formatDateTime(row.at),
    ...(row.corrects !== null && { corrects: row.corrects }),
    lines: entries.map((entry) => ({
      position: entry.position,
      itemId: entry.itemId,
      quantity: entry.quantity,
      disposition: entry.disposition,
      ...(entry.condition !== undefined && { condition: entry.condition }),
      ...(entry.reason !== undefined && { reason: entry.reason }),
      ...(entry.note !== undefined && { note: entry.note }),
    })),
  };
}

async function showExchanges({ db }: ShowCtx, row: ReturnRow): Promise<Return['exchanges']> {
  const wishes: readonly ExchangeWish[] = readJson(row.exchanges);
  if (wishes.length === 0) return [];
  const orders = await db
    .selectFrom('fulfillment_orders')
    .select(['fulfillment_order_id', 'exchange_line'])
    .where('client_id', '=', row.client_id)
    .where('store_id', '=', row.store_id)
    .where('exchange_number', '=', row.number)
    .execute();
  return wishes.map(({ line, wants }) => {
    const order = orders.find(({ exchange_line }) => exchange_line === line);
    return { line, wants, ...(order && { fulfillmentOrderId: order.fulfillment_order_id }) };
  });
}
