/** Announced cartons, found by the number on them. */
import type { Reader } from '../platform/storage/db.ts';
import type { BoundText, Dialect } from '../platform/storage/dialect.ts';

export interface CartonIds {
  clientId: string;
  /** Of `dialect.listText`. */
  ids: BoundText;
}

/** These cartons, each as often as it is announced, with the shipments that do; columns and order are the caller's. */
export function fromCartons(db: Reader, { clientId, ids }: CartonIds, dialect: Dialect) {
  return db
    .selectFrom('inbound_cartons as carton')
    .innerJoin('inbound_shipments as shipment', (join) =>
      join
        .onRef('shipment.client_id', '=', 'carton.client_id')
        .onRef('shipment.seller_id', '=', 'carton.seller_id')
        .onRef('shipment.type', '=', 'carton.type')
        .onRef('shipment.number', '=', 'carton.number'),
    )
    .where('carton.client_id', '=', clientId)
    .where('carton.carton_id', 'in', dialect.listOf<string>(ids, 'text'));
}
