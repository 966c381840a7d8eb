/** Removes a shipment without receipts, and the rows that refer to it. */
import type { Ctx } from '../../platform/ctx.ts';
import type { Writer } from '../../platform/storage/db.ts';
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';
import { findAnnounced } from './announced.ts';

/** Deletes a shipment with its lines and cartons if it is EXPECTED. Returns whether it was deleted. */
export async function removeExpected(ctx: Pick<Ctx, 'db' | 'config'>, row: InboundShipmentRow): Promise<boolean> {
  await deleteCartons(ctx.db, row);
  await deleteOrders(ctx, row);
  const gone = await ctx.db
    .deleteFrom('inbound_shipments')
    .where('client_id', '=', row.client_id)
    .where('seller_id', '=', row.seller_id)
    .where('type', '=', row.type)
    .where('number', '=', row.number)
    .where('status', '=', 'EXPECTED')
    .executeTakeFirst();
  return gone.numDeletedRows === 1n;
}

/**
 * Deletes the cartons of a shipment. Call it before its lines are deleted, because the statement reads their carton
 * ids.
 */
export async function deleteCartons(db: Writer, row: InboundShipmentRow): Promise<void> {
  if (row.type === 'BLIND') return;
  await db
    .deleteFrom('inbound_cartons')
    .where('client_id', '=', row.client_id)
    .where('seller_id', '=', row.seller_id)
    .where('type', '=', row.type)
    .where('number', '=', row.number)
    .where((eb) =>
      eb(
        'carton_id',
        'in',
        eb
          .selectFrom('inbound_lines as line')
          .select('line.carton_id')
          .where('line.client_id', '=', row.client_id)
          .where('line.seller_id', '=', row.seller_id)
          .where('line.type', '=', row.type)
          .where('line.number', '=', row.number)
          .where('line.carton_id', 'is not', null)
          .$narrowType<{ carton_id: string }>(),
      ),
    )
    .execute();
}

/** Deletes the links of an ASN to its purchase orders before the ASN is deleted. */
export async function deleteOrders(ctx: Pick<Ctx, 'db' | 'config'>, row: InboundShipmentRow): Promise<void> {
  if (row.type !== 'ASN') return;
  const { lines } = await findAnnounced(ctx, row);
  for (const poNumber of new Set(lines.flatMap(({ purchaseOrder }) => purchaseOrder ?? []))) {
    await ctx.db
      .deleteFrom('inbound_orders')
      .where('client_id', '=', row.client_id)
      .where('seller_id', '=', row.seller_id)
      .where('po_number', '=', poNumber)
      .where('asn_number', '=', row.number)
      .execute();
  }
}
