/**
 * Rows of packages. The row of a voided package remains, without items and tracking number, so that a retry of its VOID
 * is recognized (docs/interface.md#packages). The units of a voided package must be packed again.
 */

import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import type { Measure } from '../platform/measures.ts';
import { parseJson, stringifyJson } from '../platform/message/json.ts';
import { insertInto } from '../platform/storage/insert.ts';
import { statement } from '../platform/storage/statement.ts';
import type { PackageItemRow, PackageRow } from '../platform/storage/tables.ts';
import type { OrderKey } from './order-key.ts';

/** Measures of a package, by their name in messages. */
export const MEASURES = ['boxWeight', 'packingMaterialWeight', 'length', 'height', 'width'] as const;
export type MeasureName = (typeof MEASURES)[number];

/** Units of one line in a package. */
export interface BoxItem {
  lineIndex: number;
  quantity: number;
  instructions: { type: string; text: string }[] | null;
  customAttributes: { key: string; value: string }[] | null;
}

export interface Box {
  index: number;
  packageId: string;
  boxId: string;
  trackingNumber: string | null;
  measures: Record<MeasureName, Measure>;
  /** Items in the order of the lines; empty for a voided package. */
  items: BoxItem[];
}

type Bulk = Pick<Ctx, 'db' | 'dialect' | 'now'>;

const COLUMN_OF: Record<MeasureName, 'box_weight' | 'packing_material_weight' | 'length' | 'height' | 'width'> = {
  boxWeight: 'box_weight',
  packingMaterialWeight: 'packing_material_weight',
  length: 'length',
  height: 'height',
  width: 'width',
};

/** Returns the packages of an order in the order of their creation, including voided packages. */
export async function findBoxes({ db }: Pick<ReadCtx, 'db'>, order: OrderKey): Promise<Box[]> {
  const key = { clientId: order.client_id, orderId: order.fulfillment_order_id };
  const rows = await selectPackages(db, key);
  if (rows.length === 0) return [];
  const byPackage = Map.groupBy(await selectItems(db, key), (item) => item.package_index);
  return rows.map((row) => boxOf(row, byPackage.get(row.package_index) ?? []));
}

interface Key {
  clientId: string;
  orderId: string;
}

const selectPackages = statement((db, { clientId, orderId }: Key) =>
  db
    .selectFrom('packages')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .orderBy('package_index'),
);

const selectItems = statement((db, { clientId, orderId }: Key) =>
  db
    .selectFrom('package_items')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .orderBy('package_index')
    .orderBy('line_index'),
);

function boxOf(row: PackageRow, items: readonly PackageItemRow[]): Box {
  const measures = MEASURES.map((name) => [name, parseJson(row[COLUMN_OF[name]])]);
  return {
    index: row.package_index,
    packageId: row.package_id,
    boxId: row.box_id,
    trackingNumber: row.tracking_number,
    measures: Object.fromEntries(measures) as Box['measures'],
    items: items.map((item) => ({
      lineIndex: item.line_index,
      quantity: item.quantity,
      instructions: parsed(item.instructions) as BoxItem['instructions'],
      customAttributes: parsed(item.custom_attributes) as BoxItem['customAttributes'],
    })),
  };
}

function parsed(text: string | null): unknown {
  return text === null ? null : parseJson(text);
}

const PACKAGE_COLUMNS = {
  client_id: 'text',
  fulfillment_order_id: 'text',
  package_index: 'integer',
  package_id: 'text',
  box_id: 'text',
  tracking_number: 'text',
  box_weight: 'text',
  packing_material_weight: 'text',
  length: 'text',
  height: 'text',
  width: 'text',
  created_at: 'integer',
  updated_at: 'integer',
} as const;

const ITEM_COLUMNS = {
  client_id: 'text',
  fulfillment_order_id: 'text',
  package_index: 'integer',
  line_index: 'integer',
  quantity: 'integer',
  instructions: 'text',
  custom_attributes: 'text',
} as const;

/** Writes new and changed packages and replaces their items. */
export async function saveBoxes(ctx: Bulk, order: OrderKey, boxes: readonly Box[]): Promise<void> {
  const key = { client_id: order.client_id, fulfillment_order_id: order.fulfillment_order_id };
  const rows = boxes.map(
    (box): PackageRow => ({ ...key, ...columnsOf(box), created_at: ctx.now, updated_at: ctx.now }),
  );
  await ctx.db
    .insertInto('packages')
    .columns(Object.keys(PACKAGE_COLUMNS) as (keyof typeof PACKAGE_COLUMNS)[])
    .expression(ctx.dialect.rowsOf(rows, PACKAGE_COLUMNS))
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'fulfillment_order_id', 'package_index']).doUpdateSet((eb) => ({
        package_id: eb.ref('excluded.package_id'),
        tracking_number: eb.ref('excluded.tracking_number'),
        box_weight: eb.ref('excluded.box_weight'),
        packing_material_weight: eb.ref('excluded.packing_material_weight'),
        length: eb.ref('excluded.length'),
        height: eb.ref('excluded.height'),
        width: eb.ref('excluded.width'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute();
  await ctx.db
    .deleteFrom('package_items')
    .where('client_id', '=', key.client_id)
    .where('fulfillment_order_id', '=', key.fulfillment_order_id)
    .where(
      'package_index',
      'in',
      ctx.dialect.listOf(
        boxes.map((box) => box.index),
        'integer',
      ),
    )
    .execute();
  const items = boxes.flatMap((box) =>
    box.items.map((item): PackageItemRow => ({ ...key, ...itemColumns(box, item) })),
  );
  await insertItems(ctx, items);
}

const insertItems = insertInto('package_items', ITEM_COLUMNS);

function columnsOf(box: Box) {
  const text = (name: MeasureName) => stringifyJson(box.measures[name]);
  return {
    package_index: box.index,
    package_id: box.packageId,
    box_id: box.boxId,
    tracking_number: box.trackingNumber,
    box_weight: text('boxWeight'),
    packing_material_weight: text('packingMaterialWeight'),
    length: text('length'),
    height: text('height'),
    width: text('width'),
  };
}

function itemColumns(box: Box, item: BoxItem) {
  return {
    package_index: box.index,
    line_index: item.lineIndex,
    quantity: item.quantity,
    instructions: item.instructions === null ? null : stringifyJson(item.instructions),
    custom_attributes: item.customAttributes === null ? null : stringifyJson(item.customAttributes),
  };
}

/** Returns the units in packages, by line index. */
export function unitsByLine(boxes: readonly Pick<Box, 'items'>[]): Map<number, number> {
  const units = new Map<number, number>();
  for (const { lineIndex, quantity } of boxes.flatMap((box) => box.items)) {
    units.set(lineIndex, (units.get(lineIndex) ?? 0) + quantity);
  }
  return units;
}
