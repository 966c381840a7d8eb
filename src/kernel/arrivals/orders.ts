/** Rows that link a purchase order to the ASNs that deliver it. */
import type { Ctx } from '../../platform/ctx.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';
import { seesShipment } from './locked.ts';

/** Returns the ASNs that deliver a purchase order. */
export function findAsns(db: Reader, po: InboundShipmentRow): Promise<InboundShipmentRow[]> {
  return selectAsns(db, { clientId: po.client_id, sellerId: po.seller_id, poNumber: po.number });
}

const selectAsns = statement(
  (db, { clientId, sellerId, poNumber }: { clientId: string; sellerId: string; poNumber: string }) =>
    db
      .selectFrom('inbound_orders as po')
      .innerJoin('inbound_shipments as asn', (join) =>
        join
          .onRef('asn.client_id', '=', 'po.client_id')
          .onRef('asn.seller_id', '=', 'po.seller_id')
          .onRef('asn.number', '=', 'po.asn_number')
          .on('asn.type', '=', 'ASN'),
      )
      .selectAll('asn')
      .where('po.client_id', '=', clientId)
      .where('po.seller_id', '=', sellerId)
      .where('po.po_number', '=', poNumber)
      .orderBy('asn.number'),
);

/**
 * Returns the numbers of the open ASNs with which the caller can receive goods of a purchase order at its node. An ASN of
 * another node does not count, because only that node can receive it.
 */
export async function findOpenAsns(
  { db, actor }: Pick<Ctx, 'db' | 'actor'>,
  po: InboundShipmentRow,
): Promise<string[]> {
  const rows = await findAsns(db, po);
  return rows
    .filter((row) => row.status !== 'CLOSED' && row.node_id === po.node_id && seesShipment(actor, row))
    .map(({ number }) => number);
}
