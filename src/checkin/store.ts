/** Rows of check-in: the packages of an order with what has been answered for each line. */
import type { Reader, Writer } from '../storage/db.ts';
import type { CheckinPackageRow } from '../storage/tables.ts';
import type { Answer, LineTotal, Package } from './rules.ts';

type OrderKey = { client_id: string; fulfillment_order_id: string };

/** Packages of an order in their order, each with its lines. */
export async function findPackages(db: Reader, order: OrderKey): Promise<(Package & { row: CheckinPackageRow })[]> {
  const rows = await db
    .selectFrom('checkin_packages')
    .selectAll()
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .orderBy('package_index')
    .execute();
  const items = await db
    .selectFrom('checkin_package_items as item')
    .innerJoin('order_lines as line', (join) =>
      join
        .onRef('line.client_id', '=', 'item.client_id')
        .onRef('line.fulfillment_order_id', '=', 'item.fulfillment_order_id')
        .onRef('line.line_index', '=', 'item.line_index'),
    )
    .select([
      'item.package_index as packageIndex',
      'item.line_index as lineIndex',
      'line.web_line_id as webLineId',
      'line.item_id as itemId',
      'item.quantity',
      'item.checked_in as checkedIn',
      'item.canceled',
      'item.reason',
    ])
    .where('item.client_id', '=', order.client_id)
    .where('item.fulfillment_order_id', '=', order.fulfillment_order_id)
    .orderBy('item.package_index')
    .orderBy('item.line_index')
    .execute();
  const byPackage = Map.groupBy(items, (item) => item.packageIndex);
  return rows.map((row) => ({
    row,
    packageId: row.check_in_package_id,
    trackingNumber: row.tracking_number,
    items: byPackage.get(row.package_index) ?? [],
  }));
}

/** Saves what was answered for lines of packages. */
export async function saveAnswers(tx: Writer, order: OrderKey, answers: readonly Answer[]): Promise<void> {
  for (const answer of answers) {
    await tx
      .updateTable('checkin_package_items')
      .set({ checked_in: answer.checkedIn, canceled: answer.canceled, reason: answer.reason })
      .where('client_id', '=', order.client_id)
      .where('fulfillment_order_id', '=', order.fulfillment_order_id)
      .where('package_index', '=', answer.packageIndex)
      .where('line_index', '=', answer.lineIndex)
      .execute();
  }
}

/** Writes the outcome of a confirmed check-in to the order's lines. */
export async function closeLines(tx: Writer, order: OrderKey, totals: readonly LineTotal[]): Promise<void> {
  for (const total of totals) {
    await tx
      .updateTable('order_lines')
      .set({ picked: total.checkedIn, declined: total.canceled, decline_reason: total.reason })
      .where('client_id', '=', order.client_id)
      .where('fulfillment_order_id', '=', order.fulfillment_order_id)
      .where('line_index', '=', total.lineIndex)
      .execute();
  }
}
