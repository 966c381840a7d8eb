/** Deletes closed shipments with their receipts and statements at the end of their retention (docs/decisions/298). */
import { sql } from 'kysely';
import { removeSequences } from '../../events/sequences.ts';
import { deleteCartons, deleteOrders } from '../../kernel/arrivals/remove.ts';
import { resourceIdOf } from '../../kernel/arrivals/shipment.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { InboundShipmentRow, Tables } from '../../platform/storage/tables.ts';
import { along, type Mark, type Sweep } from './sweep.ts';

/** Tables with rows of a shipment. A table is listed before the tables that its rows refer to. */
const OF_A_SHIPMENT = [
  'inbound_entries',
  'inbound_receipts',
  'inbound_statements',
  'inbound_sums',
  'inbound_carton_work',
  'inbound_lines',
  'inbound_shipments',
] as const satisfies readonly (keyof Tables)[];

type Found = Mark & { seller: string; type: InboundShipmentRow['type'] };

/**
 * Finds shipments by the time of their creation, which is before their close. A transaction deletes few shipments,
 * because a shipment can have 20,000 lines.
 */
export const shipments: Sweep<Found> = {
  name: 'shipments past their time',
  days: ({ shipmentDays }) => shipmentDays,
  batch: 5,
  find: along(
    'inbound_shipments',
    { at: 'created_at', clientId: 'client_id', seller: 'seller_id', type: 'type', id: 'number' },
    sql`status = 'CLOSED'`,
  ),
  remove: async (ctx, rows, upTo) => {
    let count = 0;
    for (const row of rows) if (await removeShipment(ctx, row, upTo)) count += 1;
    return { shipments: count };
  },
};

async function removeShipment(ctx: Ctx, { clientId, seller, type, id }: Found, upTo: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('inbound_shipments')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('seller_id', '=', seller)
    .where('type', '=', type)
    .where('number', '=', id)
    .where('status', '=', 'CLOSED')
    .modifyEnd(ctx.dialect.forUpdate)
    .executeTakeFirst();
  if (row === undefined || (await lastChange(ctx, row)) > upTo) return false;
  await deleteOrders(ctx, row);
  await deleteCartons(ctx.db, row);
  for (const table of OF_A_SHIPMENT) {
    await ctx.db
      .deleteFrom(table as 'inbound_shipments')
      .where('client_id', '=', clientId)
      .where('seller_id', '=', seller)
      .where('type', '=', type)
      .where('number', '=', id)
      .execute();
  }
  await removeSequences(ctx, clientId, 'inbound', [resourceIdOf(row)]);
  return true;
}

/** Returns the last time at which the shipment was created, closed, received, approved or matched. */
async function lastChange({ db }: Ctx, row: InboundShipmentRow): Promise<number> {
  const { rows } = await sql<{ at: number | null }>`
    select max(closed_at) as at from inbound_statements
    where client_id = ${row.client_id} and seller_id = ${row.seller_id} and type = ${row.type} and number = ${row.number}
    union all select max(created_at) as at from inbound_receipts
    where client_id = ${row.client_id} and seller_id = ${row.seller_id} and type = ${row.type} and number = ${row.number}
  `.execute(db);
  return Math.max(row.created_at, ...rows.map(({ at }) => at ?? 0));
}
