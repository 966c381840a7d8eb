/** Held units of shipments: they wait for a decision. */
import { sql } from 'kysely';
import type { ReadCtx } from '../../platform/ctx.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { BoundText, Columns, Dialect } from '../../platform/storage/dialect.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';

type Key = Pick<InboundShipmentRow, 'seller_id' | 'type' | 'number'>;

const KEY: Columns<Key> = { seller_id: 'text', type: 'text', number: 'text' };

/** Returns the shipments among `shipments` that have held units, each with the number of its held units. */
export async function findHeldUnits(
  { db, dialect }: Pick<ReadCtx, 'db' | 'dialect'>,
  clientId: string,
  shipments: readonly Key[],
): Promise<(Key & { units: number })[]> {
  if (shipments.length === 0) return [];
  const keys = shipments.map(({ seller_id, type, number }) => ({ seller_id, type, number }));
  return await selectHeldUnits(db, { clientId, keys: dialect.rowsText(keys, KEY) });
}

/** The cross join makes SQLite begin with the shipments. Exported for the test of its query plan. */
export const heldUnits = (db: Reader, { clientId, keys }: { clientId: string; keys: BoundText }, dialect: Dialect) =>
  db
    .selectFrom(dialect.rowsOf<Key>(keys, KEY).as('s'))
    .crossJoin('inbound_sums as m')
    .select(['s.seller_id', 's.type', 's.number', (eb) => eb.fn.sum<number>('m.held').as('units')])
    .where('m.client_id', '=', clientId)
    .whereRef('m.seller_id', '=', 's.seller_id')
    .whereRef('m.type', '=', 's.type')
    .whereRef('m.number', '=', 's.number')
    // The number is a literal, because the partial index of held units does not match a bound value.
    .where(sql<boolean>`m.held > 0`)
    .groupBy(['s.seller_id', 's.type', 's.number']);

const selectHeldUnits = statement(heldUnits);

/** Counts the shipments of a node that have held units. */
export async function countHeldShipments(db: Reader, node: { clientId: string; nodeId: string }): Promise<number> {
  const [{ count }] = (await selectOpen(db, node)) as [{ count: number }];
  return count;
}

/** The statement reads only the open shipments of the node, because a closed shipment has no held units. */
const selectOpen = statement((db, { clientId, nodeId }: { clientId: string; nodeId: string }) =>
  db
    .selectFrom('inbound_shipments as s')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('s.client_id', '=', clientId)
    .where('s.node_id', '=', nodeId)
    // The status is a literal, because the partial index of open shipments does not match a bound value.
    .where(sql<boolean>`s.status <> 'CLOSED'`)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('inbound_sums as m')
          .select('m.item_id')
          .whereRef('m.client_id', '=', 's.client_id')
          .whereRef('m.seller_id', '=', 's.seller_id')
          .whereRef('m.type', '=', 's.type')
          .whereRef('m.number', '=', 's.number')
          .where(sql<boolean>`m.held > 0`),
      ),
    ),
);
