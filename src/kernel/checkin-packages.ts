/** Rows of check-in: the packages of an order, with the recorded count of each line. */

import type { Ctx } from '../platform/ctx.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { CheckinPackageItemRow, CheckinPackageRow } from '../platform/storage/tables.ts';
import { updateRows } from '../platform/storage/update.ts';
import type { OrderKey } from './order-key.ts';

/** Units of one line in one package. `checkedIn` and `canceled` are null until a count is recorded. */
export interface PackageItem {
  packageIndex: number;
  lineIndex: number;
  webLineId: string;
  itemId: string;
  quantity: number;
  checkedIn: number | null;
  canceled: number | null;
  reason: string | null;
}

export interface Package {
  packageId: string;
  trackingNumber: string;
  items: readonly PackageItem[];
}

/** The count of one line in one package; `reason` is null without canceled units. */
export interface ReceiptCount {
  packageIndex: number;
  lineIndex: number;
  checkedIn: number;
  canceled: number;
  reason: string | null;
}

type Bulk = Pick<Ctx, 'db' | 'dialect'>;

/** Returns the packages of an order, sorted by their index, each with its lines. */
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

/** Saves the counts of lines in packages. */
export async function saveCounts(ctx: Bulk, order: OrderKey, counts: readonly ReceiptCount[]): Promise<void> {
  const { client_id: clientId, fulfillment_order_id } = order;
  const rows = counts.map(
    ({ packageIndex: package_index, lineIndex: line_index, checkedIn: checked_in, canceled, reason }) => {
      return { fulfillment_order_id, package_index, line_index, checked_in, canceled, reason };
    },
  );
  await updateItems(ctx, clientId, rows);
}

const updateItems = updateRows<
  Pick<
    CheckinPackageItemRow,
    'fulfillment_order_id' | 'package_index' | 'line_index' | 'checked_in' | 'canceled' | 'reason'
  >
>(
  'checkin_package_items',
  {
    fulfillment_order_id: 'text',
    package_index: 'integer',
    line_index: 'integer',
    checked_in: 'integer',
    canceled: 'integer',
    reason: 'text',
  },
  { key: ['fulfillment_order_id', 'package_index', 'line_index'] },
);
