/** Held units of the shipments of a node: they wait for a decision. */
import { sql } from 'kysely';
import type { Reader } from '../../platform/storage/db.ts';
import { statement } from '../../platform/storage/statement.ts';

interface HeldShipment {
  sellerId: string;
  type: string;
  number: string;
  units: number;
}

/** Returns the shipments of a node that have held units, each with the number of its held units. */
export function findHeldShipments(db: Reader, node: { clientId: string; nodeId: string }): Promise<HeldShipment[]> {
  return selectHeld(db, node);
}

const selectHeld = statement((db, { clientId, nodeId }: { clientId: string; nodeId: string }) =>
  db
    .selectFrom('inbound_sums as m')
    .innerJoin('inbound_shipments as s', (join) =>
      join
        .onRef('s.client_id', '=', 'm.client_id')
        .onRef('s.seller_id', '=', 'm.seller_id')
        .onRef('s.type', '=', 'm.type')
        .onRef('s.number', '=', 'm.number'),
    )
    .select([
      's.seller_id as sellerId',
      's.type as type',
      's.number as number',
      (eb) => eb.fn.sum<number>('m.held').as('units'),
    ])
    .where('m.client_id', '=', clientId)
    .where('s.node_id', '=', nodeId)
    // The number is a literal, because the partial index of held units does not match a bound value.
    .where(sql<boolean>`m.held > 0`)
    .groupBy(['s.seller_id', 's.type', 's.number'])
    .orderBy('s.number')
    .orderBy('s.type')
    .orderBy('s.seller_id'),
);
