/**
 * Duplicate cartons: cartons of an arriving ASN of the node that another open ASN also announces. A PO has no cartons.
 */
import { sql } from 'kysely';
import type { Reader } from '../../platform/storage/db.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';
import { DAY_MS } from '../../platform/time.ts';

/** Cartons of shipments that are expected on a day or in this number of days before it are compared. */
const CARTON_DAYS = 7;
/**
 * Maximum number of returned rows. If a large shipment is announced twice under two numbers, all of its cartons are
 * duplicates.
 */
const ROWS_MAX = 10_000;

/**
 * A carton of a shipment of the node, and another shipment that also announces the carton. The other shipment can be of
 * any node and store of the client.
 */
interface DuplicateCarton {
  cartonId: string | null;
  sellerId: string;
  type: string;
  number: string;
  other: Pick<InboundShipmentRow, 'node_id' | 'store_id' | 'type' | 'number' | 'seller_id'>;
}

type OfDay = { clientId: string; nodeId: string; date: string };

/** Returns the duplicate cartons of the open shipments that are expected on `date` or in the days before. */
export async function findDuplicateCartons(db: Reader, of: OfDay): Promise<DuplicateCarton[]> {
  const rows = await selectTwice(db, daysOf(of));
  return rows.map(({ node_id, store_id, its_type, its_number, its_seller, ...own }) => ({
    ...own,
    other: { node_id, store_id, type: its_type, number: its_number, seller_id: its_seller },
  }));
}

/** Counts the duplicate cartons; a carton id counts once. */
export async function countDuplicateCartons(db: Reader, of: OfDay): Promise<number> {
  const [row] = await selectCount(db, daysOf(of));
  return row!.cartons;
}

type Days = { clientId: string; nodeId: string; from: string; to: string };

function daysOf({ clientId, nodeId, date }: OfDay): Days {
  const from = new Date(Date.parse(`${date}T00:00:00Z`) - CARTON_DAYS * DAY_MS).toISOString().slice(0, 10);
  return { clientId, nodeId, from, to: date };
}

const selectTwice = statement((db, days: Days) =>
  twice(db, days)
    .select([
      'carton.carton_id as cartonId',
      'carton.seller_id as sellerId',
      'carton.type as type',
      'carton.number as number',
      'its.node_id',
      'its.store_id',
      'its.type as its_type',
      'its.number as its_number',
      'its.seller_id as its_seller',
    ])
    .orderBy('carton.carton_id')
    .orderBy('its.number')
    .limit(ROWS_MAX),
);
const selectCount = statement((db, days: Days) =>
  twice(db, days).select((eb) => eb.fn.count<number>('carton.carton_id').distinct().as('cartons')),
);

function twice(db: Reader, { clientId, nodeId, from, to }: Days) {
  return db
    .with(
      (cte) => cte('arriving').materialized(),
      (one) =>
        one
          .selectFrom('inbound_shipments')
          .select(['client_id', 'seller_id', 'type', 'number'])
          .where('client_id', '=', clientId)
          .where('node_id', '=', nodeId)
          .where('type', '=', 'ASN')
          .where('expected_on', '>=', from)
          .where('expected_on', '<=', to)
          .where(sql<boolean>`status <> 'CLOSED'`),
    )
    .with(
      (cte) => cte('carton').materialized(),
      (one) =>
        one
          .selectFrom('arriving as s')
          .innerJoin('inbound_lines as l', (join) =>
            join
              .onRef('l.client_id', '=', 's.client_id')
              .onRef('l.seller_id', '=', 's.seller_id')
              .onRef('l.type', '=', 's.type')
              .onRef('l.number', '=', 's.number'),
          )
          .select(['s.client_id', 's.seller_id', 's.type', 's.number', 'l.carton_id'])
          .distinct()
          .where('l.carton_id', 'is not', null),
    )
    .selectFrom('carton')
    .innerJoin('inbound_cartons as other', (join) =>
      join.onRef('other.client_id', '=', 'carton.client_id').onRef('other.carton_id', '=', 'carton.carton_id'),
    )
    .innerJoin('inbound_shipments as its', (join) =>
      join
        .onRef('its.client_id', '=', 'other.client_id')
        .onRef('its.seller_id', '=', 'other.seller_id')
        .onRef('its.type', '=', 'other.type')
        .onRef('its.number', '=', 'other.number'),
    )
    .where('its.status', '<>', 'CLOSED')
    .where('its.type', '=', 'ASN')
    .where((eb) =>
      eb.or([
        eb('other.number', '<>', eb.ref('carton.number')),
        eb('other.seller_id', '<>', eb.ref('carton.seller_id')),
      ]),
    );
}
